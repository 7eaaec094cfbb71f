"""Error against cost where there is a closed form: the modal engine, MuJoCo and Drake at several steps.

Two balls: one that slides on a floor and then rolls, one that rolls down a fixed ball. `benchmarks/modal.py` calls this; Drake
runs in a process of its own:

    python benchmarks/modal_error_cost.py drake
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

import modal_scenes as scenes  # noqa: E402 - the path above is needed first
import numpy as np  # noqa: E402
from modal_mujoco import mujoco_twin  # noqa: E402

from carpal.engines import ModalEngine, Surface  # noqa: E402
from carpal.model import Scene  # noqa: E402

SPEED, MU = 2.0, 0.2
STEPS = (1e-2, 5e-3, 2.5e-3, 1e-3, 5e-4, 2.5e-4)  # all divide the durations
DURATIONS = {"bowling": 0.4, "ball on ball": 0.3}
FRICTION = {"bowling": MU, "ball on ball": 1.2}
Points = list[tuple[float, float]]  # seconds of computing for a second, error


def case(kind: str) -> tuple[Scene, Callable[[np.ndarray], float]]:
    """A scene, and the error [m] of the ball's position at the end."""
    if kind == "bowling":
        rolls = 2 * SPEED / (7 * MU * scenes.GRAVITY)
        way = SPEED * rolls - 0.5 * MU * scenes.GRAVITY * rolls**2 + 5 / 7 * SPEED * (DURATIONS[kind] - rolls)
        return scenes.thrown_ball(SPEED), lambda p: float(np.linalg.norm(p - [way, 0.0, 0.1]))
    scene, angle = scenes.ball_on_ball(DURATIONS[kind])
    end = 0.25 * np.array([np.sin(angle), 0.0, np.cos(angle)])
    return scene, lambda p: float(np.linalg.norm(p - end))


def ours(kind: str, accurate: bool) -> Points:
    """The modal engine."""
    scene, error = case(kind)
    out = []
    for dt in STEPS:
        engine = ModalEngine(scene.build(), dt=dt, surface=Surface(mu=FRICTION[kind]), accurate=accurate, threads=1)
        steps = round(DURATIONS[kind] / dt)
        seconds, state = best(lambda engine=engine, steps=steps: engine.run(scene.start(), None, steps).state)
        out.append((seconds / DURATIONS[kind], error(state.q[:3])))
    return out


def mujoco_points(kind: str, **setting: object) -> Points:
    """MuJoCo; a stiff contact follows the step, as its manual advises (time constant of two steps)."""
    import mujoco

    scene, error = case(kind)
    out = []
    for dt in STEPS:
        twin, data = mujoco_twin(scene.build(), FRICTION[kind], dt=dt, **setting)  # type: ignore[arg-type]
        twin.geom_solref[:, 0] = 2 * dt
        start, steps = data.qpos.copy(), round(DURATIONS[kind] / dt)

        def run(twin=twin, data=data, start=start, steps=steps):
            mujoco.mj_resetData(twin, data)
            data.qpos[:], data.qvel[:] = start, scene.start().v
            mujoco.mj_step(twin, data, steps)
            return data.qpos[:3].copy()

        seconds, p = best(run)
        out.append((seconds / DURATIONS[kind], error(p)))
    return out


def drake_points(kind: str, contact: str = "sap") -> Points:
    """Drake's discrete plant."""
    from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
    from pydrake.math import RigidTransform
    from pydrake.multibody.math import SpatialVelocity
    from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
    from pydrake.multibody.tree import SpatialInertia
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder

    scene, error = case(kind)
    out = []
    for dt in STEPS:
        builder = DiagramBuilder()
        plant, _ = AddMultibodyPlant(
            MultibodyPlantConfig(time_step=dt, discrete_contact_approximation=contact), builder
        )
        plant.mutable_gravity_field().set_gravity_vector([0, 0, -scenes.GRAVITY])
        made = ProximityProperties()
        AddContactMaterial(
            dissipation=10.0,
            point_stiffness=1e6,
            friction=CoulombFriction(FRICTION[kind], FRICTION[kind]),
            properties=made,
        )
        radius, mass = (0.1, 5.0) if kind == "bowling" else (0.05, 0.1)
        stand = HalfSpace() if kind == "bowling" else Sphere(0.2)
        plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), stand, "stand", made)
        ball = plant.AddRigidBody("ball", SpatialInertia.SolidSphereWithMass(mass, radius))
        plant.RegisterCollisionGeometry(ball, RigidTransform(), Sphere(radius), "ball", made)
        plant.Finalize()
        simulator = Simulator(builder.Build())
        root = simulator.get_mutable_context()

        def run(plant=plant, simulator=simulator, root=root, ball=ball):
            context = plant.GetMyMutableContextFromRoot(root)
            root.SetTime(0.0)
            begin = scene.start()
            plant.SetFreeBodyPose(context, ball, RigidTransform(begin.q[:3]))
            plant.SetFreeBodySpatialVelocity(context, ball, SpatialVelocity(np.zeros(3), begin.v[:3]))
            simulator.Initialize()
            simulator.AdvanceTo(DURATIONS[kind])
            return plant.EvalBodyPoseInWorld(context, ball).translation().copy()

        seconds, p = best(run)
        out.append((seconds / DURATIONS[kind], error(p)))
    return out


def best(run: Callable[[], Any], rounds: int = 5) -> tuple[float, Any]:
    """(least seconds of processor time, answer)."""
    answer, least = run(), np.inf
    for _ in range(rounds):
        begin = time.thread_time()
        run()
        least = min(least, time.thread_time() - begin)
    return least, answer


def drake_elsewhere() -> dict[str, Points] | None:
    """Drake's points from another process; None where it is not installed."""
    done = subprocess.run([sys.executable, __file__, "drake"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def error_cost(picture: Path) -> list[str]:
    """Measure all, draw the picture, and return a page's lines."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    drake = drake_elsewhere()
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.6), dpi=110, layout="constrained")
    lines = [
        "## Error against cost", "", "![Error against cost](../pictures/modal_error_cost.png)", "",
        "| scene | engine | " + " | ".join(f"{1e3 * dt:g} ms" for dt in STEPS) + " |", "|---|---|" + "---|" * len(STEPS),
    ]  # fmt: skip
    titles = {"bowling": "ball that slides, then rolls, 0.4 s", "ball on ball": "ball that rolls down a ball, 0.3 s"}
    for ax, (kind, title) in zip(axes, titles.items(), strict=True):
        curves: dict[str, Points] = {"modal": ours(kind, False), "modal, accurate": ours(kind, True)}
        try:
            curves["MuJoCo, elliptic, impratio 10"] = mujoco_points(kind, cone="elliptic", impratio=10.0)
            curves["MuJoCo, the same, noslip 10"] = mujoco_points(kind, cone="elliptic", impratio=10.0, noslip=10)
        except ImportError:
            lines.append(f"| {title} | MuJoCo | absent |" + " |" * (len(STEPS) - 1))
        if drake is not None:
            curves["Drake, sap"] = drake[kind]
        else:
            lines.append(f"| {title} | Drake | absent |" + " |" * (len(STEPS) - 1))
        for name, points in curves.items():
            cost, error = np.array(points).T
            ax.loglog(1e3 * cost, np.maximum(error, 1e-17), marker="o", label=name)
            cells = " | ".join(f"{e:.1e} m, {1e3 * c:.2g} ms/s" for c, e in points)
            lines.append(f"| {title} | {name} | {cells} |")
        ax.set(title=title, xlabel="computing, ms for a second", ylabel="position off the closed form [m]")
        ax.grid(True, which="major", alpha=0.3)
    axes[0].legend(fontsize=8)
    figure.savefig(picture)
    return lines


if __name__ == "__main__":
    if sys.argv[1:] == ["drake"]:
        print(json.dumps({kind: drake_points(kind) for kind in DURATIONS}))
    else:
        print("\n".join(error_cost(ROOT / "docs" / "pictures" / "modal_error_cost.png")))
