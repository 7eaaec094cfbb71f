"""Six joints, a held joint and the derivatives of the dynamics on a GPU beside the CPU: largest difference and time of a world.

PYTHONPATH=. python benchmarks/gpu_kinematics.py
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from six_joint_robots import TABLES, from_table, seven  # noqa: E402 - the path above is needed first

import carpal  # noqa: E402
from carpal import dynamics  # noqa: E402
from carpal.kinematics import ik_all, random_configurations  # noqa: E402
from carpal.kinematics.redundant.locked_arm import locked_arm  # noqa: E402


def compare(what: str, run: Callable[[str], np.ndarray], worlds: int) -> None:
    """One line; rows of solutions may be ordered differently where two are equally far, so sorted values are compared."""
    cpu, _ = run("cpu"), run("cuda")
    start = time.perf_counter()
    gpu = run("cuda")
    seconds = time.perf_counter() - start
    same = np.isnan(cpu) == np.isnan(gpu)
    off = np.nanmax(np.abs(cpu - gpu))
    print(
        f"{what}: largest difference {off:.2e}, NaN in the same places {same.mean():.6f}, {seconds / worlds * 1e9:.1f} ns a world"
    )


def main() -> None:
    for name in TABLES:
        model = from_table(name)
        count = 1_000_000 if name in ("puma560", "irb6640", "kr6") else 20_000
        X = carpal.fk(model, random_configurations(model, count, seed=1))
        compare(f"ik_all {name}", lambda device, m=model, x=X: np.sort(ik_all(m, x, device=device).q, axis=-2), count)
    model = seven("gen3")
    arm = locked_arm(model)
    assert arm is not None
    q = random_configurations(model, 200_000, seed=1)
    X = carpal.fk(model, q)
    compare(
        f"gen3 with {arm.name} held",
        lambda device: np.sort(ik_all(model, X, locked={arm.name: q[:, arm.column]}, device=device).q, axis=-2), len(X),
    )  # fmt: skip
    model = carpal.load("sawyer")
    q = random_configurations(model, 200_000, seed=1)
    v, a = np.random.default_rng(0).normal(size=(2, *q.shape))
    compare("dtau/dq sawyer", lambda d: dynamics.inverse_dynamics_derivatives(model, q, v, a, device=d).dtau_dq, len(q))
    compare(
        "dvdot/dq sawyer", lambda d: dynamics.forward_dynamics_derivatives(model, q, v, a, device=d).dvdot_dq, len(q)
    )
    compare("regressor sawyer", lambda d: dynamics.dynamics_regressor(model, q, v, a, device=d), len(q))
    compare("centroidal rate", lambda d: dynamics.centroidal_momentum_matrix_rate(model, q, v, device=d), len(q))
    compare("Jacobian rate", lambda d: carpal.kinematics.jacobian_rate(model, q, v, device=d), len(q))


if __name__ == "__main__":
    main()
