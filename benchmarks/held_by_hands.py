"""Public hands (LEAP, Allegro, Robotiq 2F-85 with its loops) hold a cube and a sphere while shaken: creep beside MuJoCo's.

    CARPAL_ZOO=MENAGERIE python benchmarks/held_by_hands.py [seconds]

The shake is the force of inertia of a shaken frame on the object: 2 m/s^2 at 2, 3 and 5 Hz along x, y and z, a whole number of
periods in a second; it grows over the second one. Joints have constant closing torques and the same springs and dampers in both
engines. Creep is how far the object has gone on the link that presses it hardest, between the ends of seconds, from 3 s on, when
transients have died away.
"""

from __future__ import annotations

import dataclasses
import sys
import time

import numpy as np

from carpal.engines import ModalEngine, MuJoCoEngine, Surface
from carpal.engines.checking import BOUNDS
from carpal.engines.comparison.library import benchmark_scene
from carpal.engines.modal.certificate import certificate_of
from carpal.engines.moments import Contact, touching
from carpal.errors import CarpalError
from carpal.kinematics import fk
from carpal.model import Model, Scene, State

HANDS = ("gripper_2f85_holds_cube", "leap_holds_cube", "allegro_holds_cube")
SHAKE, FREQUENCIES, MASS, MU = 2.0, (2.0, 3.0, 5.0), 0.1, 0.8
GRIP, STIFFNESS, DAMPING, SETTLE, DT = 3.0, 2.0, 0.05, 3, 1e-3
"""Closing torques beside those of the benchmark scenes; springs [N m/rad], dampers [N m s/rad]; seconds before creep counts."""
SECOND = round(1 / DT)


def held(name: str, shape: str) -> tuple[Model, State, np.ndarray]:
    """The model with a cube or a sphere and springs at its joints, its start, and the forces (nv) that close the hand."""
    known = benchmark_scene(name)
    scene = known.scene()
    if shape == "sphere":
        lines, radius = scene.to_toml().splitlines(), 0.025
        sphere = f'shape = {{kind = "sphere", radius = {radius}}}'
        scene = Scene.from_toml(
            "\n".join(sphere if line.startswith('shape = {kind = "box"') else line for line in lines)
        )
    model = scene.build()
    grip = np.zeros(model.nv)
    for joint, value in known.forces.items():
        grip[model.v_index(joint)] = GRIP * value
    start, bodies = scene.start(), []
    for body in model.bodies:
        joint = body.joint
        if joint.kind in ("revolute", "prismatic"):
            slack = float(start.q[model.q_index(joint.name)])
            joint = dataclasses.replace(joint, stiffness=STIFFNESS, q_spring=slack, damping=joint.damping + DAMPING)
        bodies.append(dataclasses.replace(body, joint=joint))
    return dataclasses.replace(model, bodies=tuple(bodies)), start, grip


def shaken(k: int) -> np.ndarray:
    """Force on the object [N] in a step; the same after every whole second."""
    return (
        min(max(k / SECOND - 1.0, 0.0), 1.0)
        * MASS
        * SHAKE
        * np.sin(2 * np.pi * np.array(FREQUENCIES) * (k % SECOND) * DT)
    )


def link_of(contacts: list[Contact]) -> str:
    """The link that presses the object hardest; the object itself where nothing does."""
    found = [each for each in touching(contacts) if "object" in (each.a, each.b) and each.a and each.b]
    if not found:
        return "object"
    hardest = max(found, key=lambda each: float(np.linalg.norm(each.force)))
    return hardest.a if hardest.b == "object" else hardest.b


def place_on(model: Model, state: State, link: str) -> np.ndarray:
    """The object's place (3) in the frame of a link, or in the world if it is the object itself."""
    X = np.eye(4) if link == "object" else np.asarray(fk(model, state.q, link))
    return X[:3, :3].T @ (state.q[-7:-4] - X[:3, 3])


def creep_of(places: list[np.ndarray]) -> float:
    """How far the object went between the ends of seconds [m]."""
    return float(np.linalg.norm(np.array(places) - places[0], axis=1).max())


def ours(model: Model, state: State, grip: np.ndarray, seconds: int) -> str:
    """Cells of the modal engine's row."""
    engine = ModalEngine(model, dt=DT, surface=Surface(mu=MU), threads=1)
    places, good, spent, link = [], 0, 0.0, "object"
    for k in range((SETTLE + seconds) * SECOND):
        u = grip.copy()
        u[-6:-3] += shaken(k)
        began = time.thread_time()
        state, ledger, _ = engine.run_with_ledger(state, u, 1)
        spent += time.thread_time() - began
        proof = certificate_of(ledger)
        good += all(proof[each] <= BOUNDS[each] for each in proof)
        if k + 1 == SETTLE * SECOND:
            link = link_of(engine.contacts(state, grip))
        if k + 1 >= SETTLE * SECOND and (k + 1) % SECOND == 0:
            places.append(place_on(model, state, link))
    touches = len(touching(engine.contacts(state, grip)))
    steps = (SETTLE + seconds) * SECOND
    return f"{creep_of(places):.1e} | {touches} | {100 * good / steps:.2f} % | {1e3 * spent / steps:.3g}"


def peer(model: Model, state: State, grip: np.ndarray, seconds: int) -> str:
    """Cells of MuJoCo's row."""
    engine = MuJoCoEngine(model, dt=DT, surface=Surface(mu=MU))
    places, spent, link = [], 0.0, "object"
    for k in range((SETTLE + seconds) * SECOND):
        u = grip.copy()
        u[-6:-3] += shaken(k)
        began = time.thread_time()
        state = engine.step(state, u)
        spent += time.thread_time() - began
        if k + 1 == SETTLE * SECOND:
            link = link_of(engine.contacts(state, grip))
        if k + 1 >= SETTLE * SECOND and (k + 1) % SECOND == 0:
            places.append(place_on(model, state, link))
    touches = len(engine.contacts(state, grip))
    return f"{creep_of(places):.1e} | {touches} |  | {1e3 * spent / ((SETTLE + seconds) * SECOND):.3g}"


def main() -> None:
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    print(
        f"| hand, object, {seconds} s | engine | creep [m] | contacts | certified | ms a step |\n|---|---|---|---|---|---|"
    )
    for name in HANDS:
        for shape in ("cube", "sphere"):
            for label, run in (("modal", ours), ("MuJoCo", peer)):
                try:
                    cells = run(*held(name, shape), seconds)
                except CarpalError as error:
                    cells = f"{error} | | | "
                print(f"| {name.split('_holds')[0]}, {shape} | {label} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
