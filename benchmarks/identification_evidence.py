"""Secret inertias of public arms, identified from noisy recordings: writes docs/evidence/identification.md.

python benchmarks/identification_evidence.py [recordings]
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np  # noqa: E402 - one thread must be asked for before it is imported

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

from harness import machine  # noqa: E402 - the path above is needed first
from identification_inputs import recording, with_secrets  # noqa: E402

import carpal  # noqa: E402
from carpal._core.kernel_sources import kernels_hash  # noqa: E402
from carpal.dynamics import identify_inertia, inertial_parameters, inverse_dynamics, smooth_motion  # noqa: E402
from carpal.kinematics import random_configurations  # noqa: E402

ARMS = ("ur5", "talos_arm", "z1")
RECORDINGS = int(sys.argv[1]) if len(sys.argv) > 1 else 20
ENCODER = 2e-5  # [rad, m] noise of measured positions
FORCE = 0.02  # noise of measured forces, in parts of each joint's largest


def main() -> None:
    """Run all arms and write the page."""
    lines = [
        "# Identification of inertial parameters",
        "",
        f"Machine: {machine()}. Kernels {kernels_hash()[:12]}, {datetime.now(UTC):%Y-%m-%d}.",
        "`python benchmarks/identification_evidence.py`.",
        "",
        "Each arm gets masses, centres and inertias about a fifth away from its file's, viscous and Coulomb friction, and makes",
        f"{RECORDINGS} recordings of 20 s at 500 Hz; positions have noise of {ENCODER:g} rad, forces of {100 * FORCE:g} % of",
        "each joint's largest. `smooth_motion` and `identify_inertia` see positions, forces and the file's arm. Inside: base",
        "parameters whose 95 % interval holds the secret. Prediction: largest error of the joint forces at 200 random states",
        "(speeds and accelerations of 1), of the file's arm and of the arm found, in parts of the largest force.",
        "",
        "| arm | parameters seen | inside | worst recording | farthest outside | real bodies | prediction, file | found |",
        "|---|---|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for name in ARMS:
        model = carpal.load(name)
        secret = with_secrets(model, 1)
        rng = np.random.default_rng(0)
        q = random_configurations(model, 200, seed=5)
        v, vdot = rng.normal(size=(2, 200, model.nv))
        want = inverse_dynamics(secret, q, v, vdot)
        inside, farthest, ok, found = [], 0.0, 0, 0.0
        for k in range(RECORDINGS):
            motion, tau, viscous, coulomb = recording(secret, 100 + k, noise=FORCE, duration=20.0)
            seen = smooth_motion(motion.time, motion.q + ENCODER * rng.normal(size=motion.q.shape), tau)
            result = identify_inertia(model, seen.q, seen.v, seen.vdot, seen.tau, direction=seen.direction)
            away = (
                np.abs(result.base_of(inertial_parameters(secret), viscous, coulomb) - result.base) / result.half_width
            )
            inside.append((away <= 1.0).mean())
            farthest, ok = max(farthest, float(away.max())), ok + bool(result)
            found = max(
                found, float(np.abs(inverse_dynamics(result.model, q, v, vdot) - want).max() / np.abs(want).max())
            )
        before = float(np.abs(inverse_dynamics(model, q, v, vdot) - want).max() / np.abs(want).max())
        row = (
            f"| {name} | {len(result.base)} of {result.grouping.shape[1]} | {np.mean(inside):.1%} | {np.min(inside):.1%} | "
            f"{farthest:.2f} half widths | {ok} of {RECORDINGS} | {before:.1%} | {found:.2%} |"
        )
        lines.append(row)
        print(row, flush=True)
    (ROOT / "docs" / "evidence" / "identification.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
