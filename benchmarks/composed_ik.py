"""Composed inverse kinematics beside mink and pink: the same targets, limits and starts, step by step until they are reached.

make bench
"""

from __future__ import annotations

import dataclasses
import logging
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

import numpy as np  # noqa: E402 - one thread must be asked for before it is imported

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks")]

from harness import machine  # noqa: E402 - the path above is needed first

import carpal  # noqa: E402
from carpal._core.kernel_sources import kernels_hash  # noqa: E402
from carpal.kinematics import IKProblem, JointLimit, PointTarget, PoseTarget, SpeedLimit, random_configurations  # noqa: E402
from carpal.spatial import Inertia  # noqa: E402

PROBLEMS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
STEPS, DT = 200, 0.05
NEAR, TURNED = 1e-4, 1e-3  # [m], [rad]
WEIGHT, DAMPING = 0.3, 0.01  # metres a radian counts as; parts of the squared error
ROBOTS = {
    "ur5": (("tool0", "pose"),),
    "panda": (("panda_hand_tcp", "pose"),),
    "talos": (("gripper_left_base_link", "pose"), ("gripper_right_base_link", "pose")),
    "allegro": tuple((f"link_{i}.0_tip", "point") for i in (3, 7, 11, 15)),
}
Step = Callable[[np.ndarray], np.ndarray]
Solver = Callable[[list[np.ndarray]], Step]


@dataclass
class Case:
    """A robot, its frames with what is asked of each, and the bounds that everybody gets."""

    model: carpal.Model
    frames: tuple[tuple[str, str], ...]
    speed: np.ndarray


def bones(model: carpal.Model) -> carpal.Model:
    """The robot without shapes, every body a ball of 1 kg: MuJoCo refuses some hands' inertias, and none of them counts here."""
    ball = Inertia(1.0, np.zeros(3), 0.01 * np.eye(3))
    bodies = tuple(dataclasses.replace(body, inertia=ball) for body in model.bodies)
    return model.replace(bodies=bodies, shapes=(), visuals=(), exclusions=(), contact_pairs=())


def ours(case: Case) -> Solver:
    """Carpal: a step and where it leads."""
    targets = [
        PoseTarget(frame=name, rotation_weight=WEIGHT) if kind == "pose" else PointTarget(frame=name)
        for name, kind in case.frames
    ]
    problem = IKProblem(case.model, targets, limits=[JointLimit(), SpeedLimit(case.speed)], damping=DAMPING)

    def begin(goals: list[np.ndarray]) -> Step:
        given = {name: X if kind == "pose" else X[:3, 3] for (name, kind), X in zip(case.frames, goals, strict=True)}
        return lambda q: problem.step(q, DT, given).q

    return begin


def mink_solver(case: Case) -> Solver:
    """mink with daqp, on the same robot as MJCF."""
    import mink
    import mujoco

    m = mujoco.MjModel.from_xml_string(bones(case.model).to_mjcf())
    configuration = mink.Configuration(m)
    tasks = [
        mink.FrameTask(name, "body", 1.0, WEIGHT if kind == "pose" else 0.0, lm_damping=DAMPING)
        for name, kind in case.frames
    ]
    speed = {m.joint(i).name: case.speed[i : i + 1] for i in range(m.njnt)}
    limits = [mink.ConfigurationLimit(m), mink.VelocityLimit(m, speed)]
    equalities = [mink.EqualityConstraintTask(m, 1.0)] if case.model.couplings else []

    def begin(goals: list[np.ndarray]) -> Step:
        for task, X in zip(tasks, goals, strict=True):
            task.set_target(mink.SE3.from_matrix(X))

        def step(q: np.ndarray) -> np.ndarray:
            configuration.update(q)
            v = mink.solve_ik(configuration, tasks, DT, "daqp", limits=limits, constraints=equalities)
            return np.asarray(configuration.integrate(v, DT))

        return step

    return begin


def pink_solver(case: Case) -> Solver:
    """pink with daqp, on the same robot as URDF; it knows no couplings, so they are left to themselves."""
    import pink
    import pinocchio as pin

    model = pin.buildModelFromXML(bones(case.model).to_urdf())
    model.velocityLimit[:] = [case.speed[case.model.v_index(name)] for name in list(model.names)[1:]]
    order = [case.model.q_index(name) for name in list(model.names)[1:]]
    back = np.argsort(order)
    data = model.createData()
    tasks = [
        pink.tasks.FrameTask(name, 1.0, WEIGHT if kind == "pose" else 0.0, lm_damping=DAMPING)
        for name, kind in case.frames
    ]
    limits = [pink.limits.ConfigurationLimit(model), pink.limits.VelocityLimit(model)]
    configuration = pink.Configuration(model, data, np.array(case.model.q_home)[order])

    def begin(goals: list[np.ndarray]) -> Step:
        for task, X in zip(tasks, goals, strict=True):
            task.set_target(pin.SE3(X))

        def step(q: np.ndarray) -> np.ndarray:
            configuration.update(q[order])
            v = pink.solve_ik(configuration, tasks, DT, solver="daqp", limits=limits, safety_break=False)
            return np.asarray(configuration.integrate(v, DT))[back]

        return step

    return begin


def misses(case: Case, q: np.ndarray, goals: list[np.ndarray]) -> bool:
    """Whether some frame is not at its goal."""
    for (name, kind), goal in zip(case.frames, goals, strict=True):
        X = carpal.fk(case.model, q, name)
        if np.linalg.norm(X[:3, 3] - goal[:3, 3]) > NEAR:
            return True
        if kind == "pose" and np.linalg.norm(carpal.spatial.rotation_vector(goal[:3, :3] @ X[:3, :3].T)) > TURNED:
            return True
    return False


def measure(case: Case, solver: Solver, starts: np.ndarray, ends: np.ndarray) -> dict[str, float]:
    """Problems solved, steps taken, failures of the solver, worst violations, processor time of a step."""
    model = case.model
    found = {"solved": 0.0, "steps": 0.0, "refused": 0.0, "joints": 0.0, "speed": 0.0, "seconds": 0.0}
    for start, end in zip(starts, ends, strict=True):
        goals = [carpal.fk(model, end, name) for name, _ in case.frames]
        step, q = solver(goals), start
        for _ in range(STEPS):
            before = time.process_time()
            try:
                after = step(q)
            except Exception:  # a peer's solver that finds no solution raises one of several errors
                found["refused"] += 1
                break
            found["seconds"] += time.process_time() - before
            found["steps"] += 1
            beyond = np.maximum(model.q_min - after, after - model.q_max).max()
            found["joints"] = max(found["joints"], float(beyond))
            found["speed"] = max(found["speed"], float((np.abs(after - q) / DT - case.speed).max()))
            q = after
            if not misses(case, q, goals):
                found["solved"] += 1
                break
    return found


def main() -> None:
    """Run all robots and write the page."""
    logging.disable(logging.WARNING)  # pink's, of rounding
    lines = [
        "# Composed inverse kinematics beside mink and pink",
        "",
        f"Machine: {machine()}. Kernels {kernels_hash()[:12]}, {datetime.now(UTC):%Y-%m-%d}.",
        "`python benchmarks/composed_ik.py`.",
        "",
        f"The same {PROBLEMS} seeded problems for everybody: a random start and goals that a random configuration reaches, both",
        f"inside the limits; steps of {DT} s until all frames are within {1000 * NEAR:g} mm and {TURNED:g} rad, {STEPS} at most;",
        "no new starts. Joint limits and speed limits hold in every step; weights and damping are equal; peers use daqp. Beyond",
        "limits: the worst of all steps, in rad and rad/s (m and m/s). A step's time is processor time of the process,",
        "everything from q to the next q. On talos pink knows no couplings, so it moves each finger by itself.",
        "",
        "| robot | by | solved | steps a problem | refused | beyond joint limits | beyond speeds | time a step | carpal faster |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for name, frames in ROBOTS.items():
        model = carpal.load(name)
        case = Case(model, frames, np.where(np.isfinite(model.v_max), model.v_max, 5.0))
        starts = random_configurations(model, PROBLEMS, seed=1)
        ends = random_configurations(model, PROBLEMS, seed=2)
        first = 0.0
        for peer, make in (("carpal", ours), ("mink", mink_solver), ("pink", pink_solver)):
            try:
                solver = make(case)
            except ImportError:
                row = f"| {name} | {peer} | absent | - | - | - | - | - | not measured |"
            else:
                solver([carpal.fk(model, ends[0], frame) for frame, _ in frames])(starts[0])
                found = measure(case, solver, starts, ends)
                each = found["seconds"] / found["steps"]
                first = first or each
                row = (
                    f"| {name} | {peer} | {found['solved'] / PROBLEMS:.1%} | {found['steps'] / PROBLEMS:.1f} | "
                    f"{found['refused']:.0f} | {found['joints']:.1e} | {found['speed']:.1e} | {each * 1e6:.1f} us | "
                    f"{each / first:.1f}x |"
                )
            lines.append(row)
            print(row, flush=True)
    versions = []
    for package in ("mink", "pin-pink", "pin", "daqp", "mujoco"):
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{package} absent")
    lines += ["", f"Versions: {', '.join(versions)}."]
    (ROOT / "docs" / "evidence" / "bench_composed_ik.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
