"""Three joints that bring a point to a place: every solution is one, and the generating angles are among them."""

import numpy as np
import pytest
from closed_form_robots import unit
from six_joint_robots import wrap

from carpal.kinematics.inverse.kernels.branches import HOLLOW, TOO_FAR, TOO_NEAR
from carpal.kinematics.inverse.kernels.three_axes import (
    GENERAL,
    MEET_12,
    MEET_23,
    PARALLEL_12,
    PARALLEL_23,
    SCRATCH,
    three_angles,
)
from carpal.kinematics.inverse.six_class import _first_three
from carpal.spatial import rotation_about


def solve(kind, u, c, O, w, p, keep=(0.0, 0.0, 0.0)):
    scratch = [np.empty((1, *shape)) for shape in SCRATCH]
    lines = tuple((tuple(u[k]), tuple(c[k])) for k in range(3))
    O = tuple(np.resize(O, 6)) if len(O) else (0.0,) * 6
    count, reason, amount, joint = three_angles.py_func(
        kind, lines, O, tuple(w), tuple(p), tuple(keep), 0.0, *scratch, 0
    )
    return scratch[0][0, :count], reason, amount, joint


def place(u, c, q, w):
    for k in (2, 1, 0):
        w = c[k] + rotation_about(u[k], q[k]) @ (w - c[k])
    return w


@pytest.mark.parametrize("kind", [MEET_12, PARALLEL_23, MEET_23, PARALLEL_12, GENERAL])
def test_every_solution_is_one(kind):
    rng = np.random.default_rng(kind)
    for _ in range(10):
        u, c = np.array([unit(rng) for _ in range(3)]), rng.normal(size=(3, 3))
        i = 0 if kind in (MEET_12, PARALLEL_12) else 1
        if kind in (MEET_12, MEET_23):
            c[i + 1] = c[i]
        elif kind != GENERAL:
            u[i + 1] = -u[i]
        made = _first_three(u, c, 1.0)
        assert made is not None and made[0] == kind
        w, q = rng.normal(size=3), rng.uniform(-3, 3, 3)
        p = place(u, c, q, w)
        found, reason, _, joint = solve(kind, u, c, made[1], w, p)
        assert reason == 0 and joint == -1 and len(found) in (2, 4)
        assert np.abs(wrap(found[:, :3] - q)).max(1).min() < 1e-9
        for row in found:
            assert np.abs(place(u, c, row, w) - p).max() < 1e-10


def test_amounts_are_exact():
    """A pan, then two links of 1 m and 0.7 m in its plane."""
    u, c = np.array([[0, 0, 1.0], [0, 1, 0], [0, 1, 0]]), np.array([[0, 0, 0.0], [0, 0, 0], [1, 0, 0]])
    w = np.array([1.7, 0.0, 0.0])
    _, reason, amount, _ = solve(PARALLEL_23, u, c, (), w, np.array([0.0, 2.0, 0.0]))
    assert reason == TOO_FAR and amount == pytest.approx(0.3)
    _, reason, amount, _ = solve(PARALLEL_23, u, c, (), w, np.array([0.0, 0.1, 0.0]))
    assert reason == TOO_NEAR and amount == pytest.approx(0.2)
    aside = np.array([1.7, 0.2, 0.0])
    _, reason, amount, _ = solve(PARALLEL_23, u, c, (), aside, np.array([0.15, 0.0, 0.9]))
    assert reason == HOLLOW and amount == pytest.approx(0.05)
    _, reason, amount, _ = solve(MEET_12, u, c, (0, 0, 0), w, np.array([0.0, 2.0, 0.0]))
    assert reason == TOO_FAR and amount == pytest.approx(0.3)
    found, _, _, joint = solve(PARALLEL_23, u, c, (), w, np.array([0.0, 0.0, 1.2]), keep=(0.4, 0, 0))
    assert joint == 0 and np.allclose(found[:, 0], 0.4)
