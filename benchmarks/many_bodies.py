"""Many free bodies without any robot: error against the closed form, ours beside MuJoCo's and Drake's, 1 ms steps.

make bench
"""

from __future__ import annotations

import inspect
import os
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

import numpy as np  # noqa: E402 - one thread must be asked for before it is imported

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

import many_body_scenes as scenes  # noqa: E402 - the path above is needed first
from harness import machine  # noqa: E402

from carpal.engines import ModalEngine, Surface, simulate  # noqa: E402
from carpal.model import State  # noqa: E402

DT, MU, E = 1e-3, 0.5, 0.8
# later the plate's weight leaves the rear balls, and without load they need not follow: the closed form ends
DURATIONS = {"carried": 0.5, "bouncing": 1.0}
MUJOCO = {
    "MuJoCo, default": "",
    "MuJoCo, elliptic, impratio 10": 'cone="elliptic" impratio="10"',
    "MuJoCo, elliptic, impratio 10, noslip 10": 'cone="elliptic" impratio="10" noslip_iterations="10"',
}
Poses = tuple[np.ndarray, float]  # positions at the end (bodies, 3), seconds a step


def modal(kind: str) -> tuple[ModalEngine, State, np.ndarray]:
    """The engine, its start and the forces."""
    scene = scenes.carried_box() if kind == "carried" else scenes.bouncing_balls()
    model = scene.build()
    u = np.zeros(model.nv)
    if kind == "carried":
        u[:2] = scenes.FORCE
    surface = Surface(mu=MU, restitution=0.0 if kind == "carried" else E)
    return ModalEngine(model, dt=DT, surface=surface, threads=1), scene.start(), u


def ours(kind: str) -> Poses:
    engine, first, u = modal(kind)
    engine.run(first, u, 2)  # compile
    steps = round(DURATIONS[kind] / DT)
    start = time.perf_counter()
    end = engine.run(first, u, steps).state
    return end.q.reshape(-1, 7)[:, :3], (time.perf_counter() - start) / steps


def recorded(kind: str) -> Poses:
    """With contacts, energies and certificates of every step kept."""
    engine, first, u = modal(kind)
    simulate(engine, first, lambda t, s: u, duration=2 * DT)
    start = time.perf_counter()
    run = simulate(engine, first, lambda t, s: u, duration=DURATIONS[kind])
    return run.q[-1].reshape(-1, 7)[:, :3], (time.perf_counter() - start) / round(DURATIONS[kind] / DT)


def mujoco_run(kind: str, option: str) -> Poses:
    import mujoco

    # a spring-damper with the wanted restitution; of contacts of 3 to 40 steps, 8 came nearest to the closed form
    zeta = -np.log(E) / np.hypot(np.pi, np.log(E))
    k = (np.pi / (8 * DT)) ** 2
    bounce = f'solref="{-k:.17g} {-2 * zeta * np.sqrt(k):.17g}" solimp="0.9999 0.9999 0.001 0.5 2"'
    bounce = bounce if kind != "carried" else ""
    xml = [f'<mujoco><option timestep="{DT}" gravity="0 0 -{scenes.GRAVITY}" {option}/><worldbody>']
    xml.append(f'<geom type="plane" size="5 5 1" friction="{MU} 0 0" {bounce}/>')
    if kind == "carried":
        half, z = scenes.SIDE / 2, 2 * scenes.RADIUS + scenes.THICK / 2
        xml.append(f'<body pos="0 0 {z}"><freejoint/><geom type="box" size="{half} {half} {scenes.THICK / 2}" '
                   f'mass="{scenes.PLATE}" friction="{MU} 0 0"/></body>')  # fmt: skip
    places = scenes.grid(5, scenes.SPACING) if kind == "carried" else scenes.grid(7, 0.06)
    lift = np.zeros(25) if kind == "carried" else scenes.heights()
    for (x, y), h in zip(places, lift, strict=True):
        xml.append(f'<body pos="{x} {y} {scenes.RADIUS + h}"><freejoint/><geom type="sphere" size="{scenes.RADIUS}" '
                   f'mass="{scenes.BALL}" friction="{MU} 0 0" {bounce}/></body>')  # fmt: skip
    model = mujoco.MjModel.from_xml_string("".join(xml) + "</worldbody></mujoco>")
    data = mujoco.MjData(model)
    if kind == "carried":
        data.qfrc_applied[:2] = scenes.FORCE
    start = time.perf_counter()
    for _ in range(round(DURATIONS[kind] / DT)):
        mujoco.mj_step(model, data)
    return data.qpos.reshape(-1, 7)[:, :3].copy(), (time.perf_counter() - start) / round(DURATIONS[kind] / DT)


def drake_run(kind: str, contact: str) -> Poses:
    from pydrake.geometry import AddContactMaterial, Box, HalfSpace, ProximityProperties, Sphere
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
    from pydrake.multibody.tree import SpatialInertia
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder

    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlant(MultibodyPlantConfig(time_step=DT, discrete_contact_approximation=contact), builder)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -scenes.GRAVITY])
    properties = ProximityProperties()
    # 1 - e = dissipation * speed, right at 1.5 m/s; of stiffnesses 1e3 to 1e5 N/m the softest came nearest in bouncing
    loss, stiffness = ((1 - E) / 1.5, 1e3) if kind != "carried" else (10.0, 1e5)
    AddContactMaterial(
        dissipation=loss, point_stiffness=stiffness, friction=CoulombFriction(MU, MU), properties=properties
    )
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "floor", properties)
    bodies = []

    def add(name, shape, inertia):
        body = plant.AddRigidBody(name, inertia)
        plant.RegisterCollisionGeometry(body, RigidTransform(), shape, name, properties)
        bodies.append(body)

    places = scenes.grid(5, scenes.SPACING) if kind == "carried" else scenes.grid(7, 0.06)
    lift = np.zeros(25) if kind == "carried" else scenes.heights()
    if kind == "carried":
        size = (scenes.SIDE, scenes.SIDE, scenes.THICK)
        add("plate", Box(*size), SpatialInertia.SolidBoxWithMass(scenes.PLATE, *size))
    for i in range(len(places)):
        add(f"ball_{i}", Sphere(scenes.RADIUS), SpatialInertia.SolidSphereWithMass(scenes.BALL, scenes.RADIUS))
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    z = [2 * scenes.RADIUS + scenes.THICK / 2] if kind == "carried" else []
    starts = np.concatenate([np.zeros((len(z), 2)), places]), np.concatenate([z, scenes.RADIUS + lift])
    for body, (x, y), height in zip(bodies, *starts, strict=True):
        plant.SetFreeBodyPose(context, body, RigidTransform([x, y, height]))
    if kind == "carried":
        forces = np.zeros(plant.num_velocities())
        forces[3:5] = scenes.FORCE  # a free body's rotation comes first
        plant.get_applied_generalized_force_input_port().FixValue(context, forces)
    simulator.Initialize()
    start = time.perf_counter()
    simulator.AdvanceTo(DURATIONS[kind])
    seconds = (time.perf_counter() - start) / round(DURATIONS[kind] / DT)
    return np.array([plant.EvalBodyPoseInWorld(context, body).translation() for body in bodies]), seconds


def wanted(kind: str) -> np.ndarray:
    """Positions at the end, in closed form."""
    if kind == "carried":
        shift = scenes.carried_acceleration() * DURATIONS[kind] ** 2 / 2
        plate = np.array([[*shift, 2 * scenes.RADIUS + scenes.THICK / 2]])
        places = scenes.grid(5, scenes.SPACING) + shift / 2
        return np.concatenate([plate, np.column_stack([places, np.full(25, scenes.RADIUS)])])
    z, _ = scenes.bounced(scenes.heights(), E, DURATIONS[kind])
    return np.column_stack([scenes.grid(7, 0.06), scenes.RADIUS + z])


def main() -> None:
    lines = [
        "# Many free bodies: error against the closed form",
        "",
        f"Machine: {machine()}. 1 ms steps, one thread.",
        "",
    ]
    contenders: dict[str, Callable[[str], Poses]] = {"Carpal, modal": ours, "the same, every step recorded": recorded}
    for name, option in MUJOCO.items():
        contenders[name] = lambda kind, option=option: mujoco_run(kind, option)
    for contact in ("sap", "lagged"):
        contenders[f"Drake, {contact}"] = lambda kind, contact=contact: drake_run(kind, contact)
    far = np.linalg.norm(wanted("carried")[0, :2])
    push = " and ".join(f"{f:g}" for f in scenes.FORCE)
    span = {kind: f"{seconds:g} s" for kind, seconds in DURATIONS.items()}
    titles = {
        "carried": f"A box of 1 kg on 25 rolling balls, pushed by {push} N, {span['carried']}: it goes {far:.4f} m",
        "bouncing": f"49 balls from 49 heights, e = {E}, {span['bouncing']}",
    }
    for kind, title in titles.items():
        lines += [f"## {title}", "", "| engine | position off the closed form, worst [m] | a step |", "|---|---|---|"]
        for name, run in contenders.items():
            try:
                at, seconds = run(kind)
            except ImportError:
                lines.append(f"| {name} | absent | not measured |")
                continue
            lines.append(f"| {name} | {np.abs(at - wanted(kind)).max():.2e} | {seconds * 1e3:.3f} ms |")
        lines.append("")
    lines += [
        "MuJoCo and Drake have no coefficient of restitution: their spring and damper are set to the wanted bounce as well as "
        "their parameters allow (in the code below; "
        "the best of what was tried). Bounces are the hard case for a compliant contact with 1 ms steps.", "",
        f"Versions: mujoco {_version('mujoco')}, drake {_version('drake')}, numba {_version('numba')}. "
        f"Load average while this was measured: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.", "",
        "The peers' runs, verbatim:", "", "```python", inspect.getsource(mujoco_run), inspect.getsource(drake_run) + "```",
    ]  # fmt: skip
    print("\n".join(lines))
    (ROOT / "docs" / "evidence" / "bench_many_bodies.md").write_text("\n".join(lines) + "\n")


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "absent"


if __name__ == "__main__":
    main()
