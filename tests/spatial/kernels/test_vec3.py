"""Small vectors and matrices against NumPy."""

import numpy as np
import pytest

from carpal.spatial.kernels import vec3

RNG = np.random.default_rng(0)
a, b = RNG.normal(size=(2, 3))
A, B = RNG.normal(size=(2, 3, 3))
S = A + A.T
ANGLE = 0.7
RZ = np.array([[np.cos(ANGLE), -np.sin(ANGLE), 0], [np.sin(ANGLE), np.cos(ANGLE), 0], [0, 0, 1]])


def flat(M: np.ndarray) -> tuple[float, ...]:
    return tuple(float(x) for x in M.ravel())


def six(M: np.ndarray) -> tuple[float, ...]:
    return M[0, 0], M[1, 1], M[2, 2], M[0, 1], M[0, 2], M[1, 2]


CASES = {
    "add": (vec3.add, (flat(a), flat(b)), a + b),
    "sub": (vec3.sub, (flat(a), flat(b)), a - b),
    "scale": (vec3.scale, (2.5, flat(a)), 2.5 * a),
    "dot": (vec3.dot, (flat(a), flat(b)), a @ b),
    "cross": (vec3.cross, (flat(a), flat(b)), np.cross(a, b)),
    "rotate": (vec3.rotate, (flat(A), flat(a)), A @ a),
    "rotate_back": (vec3.rotate_back, (flat(A), flat(a)), A.T @ a),
    "product": (vec3.product, (flat(A), flat(B)), (A @ B).ravel()),
    "turn_z": (vec3.turn_z, (flat(A), np.sin(ANGLE), np.cos(ANGLE)), (A @ RZ).ravel()),
    "turn_z_left": (vec3.turn_z_left, (flat(A), np.sin(ANGLE), np.cos(ANGLE)), (RZ @ A).ravel()),
    "symmetric_times": (vec3.symmetric_times, (six(S), flat(a)), S @ a),
    "rotate_symmetric": (vec3.rotate_symmetric, (flat(B), six(S)), six(B @ S @ B.T)),
}


@pytest.mark.parametrize("name", CASES)
def test_equals_numpy(name: str) -> None:
    function, given, expected = CASES[name]
    assert np.allclose(function(*given), expected, rtol=0, atol=1e-14)


def test_every_function_is_covered() -> None:
    public = {name for name, value in vars(vec3).items() if hasattr(value, "py_func")}
    assert public == set(CASES)
