"""Spatial algebra against 6x6 matrices, linear first (Featherstone 2008, ch. 2, with the halves swapped)."""

import numpy as np

from carpal.spatial.kernels import spatial

RNG = np.random.default_rng(0)
v, w, sv, sw, p, h = (tuple(row) for row in RNG.normal(size=(6, 3)))
MASS = 1.7
I3 = RNG.normal(size=(3, 3))
I3 = I3 @ I3.T


def skew(a: tuple[float, ...]) -> np.ndarray:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def six(M: np.ndarray) -> tuple[float, ...]:
    return M[0, 0], M[1, 1], M[2, 2], M[0, 1], M[0, 2], M[1, 2]


def rigid(mass: float, h: tuple[float, ...], inertia: np.ndarray) -> np.ndarray:
    """The 6x6 inertia of a body with first moment h."""
    return np.block([[mass * np.eye(3), -skew(h)], [skew(h), inertia]])


def close(got: tuple, expected: np.ndarray) -> bool:
    return np.allclose(np.concatenate([np.ravel(part) for part in got]), expected, rtol=0, atol=1e-13)


def test_motion_cross_is_the_lie_bracket() -> None:
    """Of 4x4 twists: [V, S] = V S - S V."""

    def hat(v: tuple[float, ...], w: tuple[float, ...]) -> np.ndarray:
        out = np.zeros((4, 4))
        out[:3, :3], out[:3, 3] = skew(w), v
        return out

    bracket = hat(v, w) @ hat(sv, sw) - hat(sv, sw) @ hat(v, w)
    linear, angular = spatial.motion_cross(v, w, sv, sw)
    assert np.allclose(hat(linear, angular), bracket, rtol=0, atol=1e-14)


def test_shifted_inertia_is_a_congruence() -> None:
    X = np.block([[np.eye(3), -skew(p)], [np.zeros((3, 3)), np.eye(3)]])  # twists at the body's origin from the point
    expected = X.T @ rigid(MASS, h, I3) @ X
    first, second = spatial.shifted_inertia(MASS, h, six(I3), p)
    assert np.allclose(skew(first), expected[3:, :3], rtol=0, atol=1e-13)
    assert np.allclose(second, six(expected[3:, 3:]), rtol=0, atol=1e-13)


def test_momentum_is_the_inertia_times_the_twist() -> None:
    assert close(spatial.momentum(MASS, h, six(I3), v, w), rigid(MASS, h, I3) @ [*v, *w])


def test_articulated_inertia_and_its_reduction() -> None:
    M = RNG.normal(size=(6, 6))
    M = M @ M.T
    A, B, C = six(M[:3, :3]), tuple(M[:3, 3:].ravel()), six(M[3:, 3:])
    assert close(spatial.articulated_times(A, B, C, v, w), M @ [*v, *w])
    less = M - 0.3 * np.outer([*v, *w], [*v, *w])
    assert close((spatial.less_outer(A, 0.3, v),), six(less[:3, :3]))
    assert close((spatial.less_outer_pair(B, 0.3, v, w),), less[:3, 3:].ravel())
    assert close((spatial.less_outer(C, 0.3, w),), six(less[3:, 3:]))


def test_moving_wrenches_and_twists_between_points() -> None:
    """Power is the same wherever it is measured."""
    torque = spatial.about_point(sv, sw, p)
    at_point = spatial.velocity_of_point(v, w, p)
    assert np.isclose(np.dot(sv, at_point) + np.dot(sw, w), np.dot(sv, v) + np.dot(torque, w), atol=1e-14)
    assert np.allclose(at_point, np.array(v) + np.cross(w, p), atol=1e-14)
