"""Run on a machine with a CUDA device: the penalty engine, GPU against CPU, and its speed against the number of worlds.

    PYTHONPATH=.:tests python3 tests/gpu/measure_penalty.py docs/evidence/gpu_penalty.json

Needs only numpy, numba and numba-cuda. `tests/gpu/test_penalty_evidence.py` reads the file and says when it is stale.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from gpu.evidence_folders import PENALTY, evidence_hash
from penalty_reference import reference_mechanism

from carpal._core import cpu_pool, cuda_launch
from carpal.engines import PenaltyEngine, PenaltyState
from carpal.model import (
    Box,
    Mechanism,
    MechanismBody,
    PlacedShape,
    Plane,
    RotarySpring,
    SlotJoint,
    Sphere,
    angle_lines,
    hinge,
)  # fmt: skip
from carpal.spatial import Inertia

STEPS = 1000
DT = 2e-5


def chain(bodies: int) -> Mechanism:
    """A hanging chain of hinged links, two point joints each."""
    links: list[MechanismBody] = []
    joints: list[SlotJoint] = []
    for i in range(bodies):
        X = np.eye(4)
        X[0, 3] = 0.05 * i
        links.append(MechanismBody(f"link{i}", Inertia(0.1, np.array([0.025, 0, 0]), np.eye(3) * 2e-4), X))
        before = links[i - 1] if i else None
        joints += hinge(f"pin{i}", before, links[i], X[:3, 3], [0, 1, 0], span=0.04, stiffness=1e5, damping=5.0)  # type: ignore[arg-type]
    return Mechanism("chain", tuple(links), tuple(joints))


def mixed() -> Mechanism:
    """A bit of everything: a sprung arm with a ball that strikes the floor, a sliding box, a bead in a slot."""
    X = np.eye(4)
    arm = MechanismBody("arm", Inertia(0.5, np.array([0.1, 0, 0]), np.diag([1e-3, 2e-3, 2e-3])), X.copy())
    ball_at = np.array([0.2, 0.0, -0.02])
    skin = PlacedShape("ball", "arm", Sphere(0.03), _at(ball_at))
    arm = MechanismBody("arm", arm.inertia, arm.X_WB, shapes=(skin,))
    box = MechanismBody(
        "box", Inertia(0.2, np.zeros(3), np.eye(3) * 2e-4), _at([0.5, 0.3, -0.0401]), np.array([0.3, 0, 0, 0, 0, 1.0]),
        (PlacedShape("box", "box", Box((0.06, 0.06, 0.02))),),
    )  # fmt: skip
    bead = MechanismBody("bead", Inertia(0.05, np.zeros(3), np.eye(3) * 1e-5), _at([-0.2, 0.0, 0.1]))
    path = [[-0.3, 0.0, 0.15], [-0.2, 0.0, 0.1], [-0.1, 0.05, 0.0]]
    joints = (
        *hinge("pin", None, arm, [0, 0, 0], [0, 1, 0], span=0.05, stiffness=1e5, damping=20.0),
        SlotJoint("wire", "bead", np.zeros(3), None, np.array(path), 1e4, 2.0),
    )
    spring = RotarySpring(
        "spring", None, "arm", **angle_lines(None, arm, [0, 1, 0]), stiffness=0.5, damping=0.01, rest=0.1
    )
    floor = PlacedShape("floor", None, Plane(), _at([0, 0, -0.05]))
    return Mechanism("mixed", (arm, box, bead), joints, (spring,), fixed=(floor,))


def _at(p: object) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = p
    return X


def _start(engine: PenaltyEngine, worlds: int) -> PenaltyState:
    start = engine.start((worlds,))
    rng = np.random.default_rng(7)
    return PenaltyState(0.0, start.q, start.v + 0.01 * rng.normal(size=start.v.shape))


def compare(mechanism: Mechanism, worlds: int) -> dict[str, float]:
    """Worst relative differences after 1,000 steps."""
    ends = []
    for device in ("cpu", "cuda"):
        engine = PenaltyEngine(mechanism, dt=DT, device=device)
        ends.append(engine.run(_start(engine, worlds), steps=STEPS))
    out: dict[str, float] = {"worlds": worlds, "bodies": len(mechanism.bodies)}
    for what in ("q", "v", "work_in", "dissipated"):
        a, b = (getattr(end.state if what in "qv" else end, what) for end in ends)
        out[what] = float(np.abs(a - b).max() / max(1.0, np.abs(a).max()))
    return out


def speed(mechanism: Mechanism, worlds: int, steps: int, device: str) -> dict[str, float | str]:
    """World-steps a second, transfers included."""
    engine = PenaltyEngine(mechanism, dt=DT, device=device)
    start = _start(engine, worlds)
    engine.run(start, steps=1)
    begun = time.perf_counter()
    engine.run(start, steps=steps)
    return {
        "device": device,
        "worlds": worlds,
        "steps": steps,
        "world_steps_per_second": worlds * steps / (time.perf_counter() - begun),
    }


def main() -> None:
    name = cuda_launch.require_cuda().get_current_device().name
    twenty = chain(20)
    report = {
        "device": name.decode() if isinstance(name, bytes) else str(name),
        "kernels_hash": evidence_hash(PENALTY),
        "host_threads": cpu_pool.cpu_threads(),
        "steps": STEPS,
        "compared": {"chain": compare(twenty, 64), "mixed": compare(mixed(), 64)},
        "speed_chain_of_20": [
            *(speed(twenty, worlds, 200, "cuda") for worlds in (1, 64, 1024, 8192, 65_536, 262_144)),
            speed(twenty, 512, 200, "cpu"),
        ],
        "speed_of_35_bodies_94_joints_18_contacts": [
            *(speed(reference_mechanism(), worlds, 200, "cuda") for worlds in (64, 1024, 4096, 16_384, 65_536)),
            speed(reference_mechanism(), 512, 200, "cpu"),
        ],
    }
    text = json.dumps(report, indent=2)
    print(text)
    with open(sys.argv[1], "w") as file:
        file.write(text + "\n")


if __name__ == "__main__":
    main()
