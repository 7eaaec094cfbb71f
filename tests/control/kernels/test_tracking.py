"""The tracking kernel: one period towards a point, limits scaled together."""

import numpy as np

import carpal
from carpal.control.kernels import tracking as k
from carpal.kinematics.kernels.placement import COLUMNS

ARM = carpal.load("sawyer")
TABLES, FRAME = ARM.tables, ARM.frame_index(None)


def one_period(
    q: np.ndarray, v: np.ndarray, target: tuple[float, ...], limited: float = 1.0, **changes: float
) -> np.ndarray:
    limits = np.empty((7, k.LIMIT_COLUMNS))
    limits[:, k.LOWEST], limits[:, k.HIGHEST] = ARM.q_min, ARM.q_max
    limits[:, k.FASTEST], limits[:, k.HARDEST], limits[:, k.ALLOWED] = ARM.v_max, 10.0, 1.0
    numbers = np.array([0.1, changes.get("gain", 40.0), 0.45, 1e-3, limited, 1.0])
    n = 7
    rows = [np.array(part, dtype=float)[None] for part in (q, v, np.zeros(n))]
    shapes = [(6, n), (6, 6), (6,), (n,), (n,)]
    work = tuple(np.full((1, *shape), np.nan) for shape in shapes)
    scratch = np.full((1, len(TABLES.joints), COLUMNS), np.nan)
    bad = k.track(
        TABLES.joints, TABLES.bodies, TABLES.frames, FRAME, TABLES.chains[FRAME], limits, numbers, target, (0.0, 0.0, 0.0),
        *rows, work, scratch, 0,
    )  # fmt: skip
    assert bad == (0 if np.isfinite(q).all() else 1)
    return rows[2][0]


BENT = np.array([0.3, -0.8, 0.2, 1.4, 0.1, 0.9, 0.0])


def least_squares(q: np.ndarray, target: tuple[float, ...]) -> np.ndarray:
    J = carpal.jacobian(ARM, q)
    e = np.r_[np.array(target) - carpal.fk(ARM, q)[:3, 3], np.zeros(3)]
    return J.T @ np.linalg.solve(J @ J.T + 0.01 * np.eye(6), e)


def test_the_bare_gain_is_alkires_formula() -> None:
    target = (0.6, 0.6, 0.6)
    vdot = one_period(BENT, np.zeros(7), target, limited=0.0, gain=350.0)
    assert np.allclose(1e-3 * vdot, 350 * least_squares(BENT, target), rtol=1e-10)


def test_limits_scale_the_whole_change() -> None:
    target = (0.6, 0.6, 0.6)
    vdot = one_period(BENT, np.zeros(7), target)
    assert abs(np.abs(vdot).max() - 10.0) < 1e-9
    wish = least_squares(BENT, target)
    assert np.allclose(vdot / np.linalg.norm(vdot), wish / np.linalg.norm(wish), rtol=1e-9)


def test_a_joint_at_its_end_is_left_out_or_braked() -> None:
    q = BENT.copy()
    q[3] = ARM.q_max[3] - 0.01
    target = tuple(carpal.fk(ARM, q + np.r_[0, 0, 0, 0.3, 0, 0, 0])[:3, 3])
    assert one_period(q, np.zeros(7), target)[3] <= 0.0
    fast = np.zeros(7)
    fast[3] = 1.9
    assert abs(one_period(q, fast, target)[3] + 10.0) < 1e-9, "braked as hard as the limit allows, and no harder"


def test_nan_is_reported() -> None:
    one_period(BENT * np.nan, np.zeros(7), (0.6, 0.6, 0.6))
