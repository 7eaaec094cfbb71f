"""Constraints: slopes by finite differences, bounds that hold along random edges, misses by formulas of their own."""

import numpy as np
import pytest
from lane_inputs import carriage

import carpal
from carpal.errors import InputError
from carpal.kinematics import random_configurations
from carpal.planning import keep_direction, keep_on_line, keep_on_plane

ARM = carpal.load("sawyer")
POINT = np.array([0.5, 0.1, 0.4])
EVERY = [
    keep_direction((0.3, -0.2, 1.0), 0.2, axis=(1, 2, 0)),
    keep_on_plane(POINT, (1, 1, 0), 0.01),
    keep_on_line(POINT, (0, 1, 2), 0.02),
]


@pytest.mark.parametrize("constraint", EVERY, ids=lambda c: c.kind)
def test_slopes_are_derivatives(constraint):
    checked = 0
    for q in random_configurations(ARM, 20, seed=2):
        if np.linalg.norm(constraint.residual(ARM, q)) > 1.5:
            continue
        steps = 1e-6 * np.eye(ARM.nq)
        numeric = (constraint.residual(ARM, q + steps) - constraint.residual(ARM, q - steps)).T / 2e-6
        assert np.allclose(constraint.slope(ARM, q), numeric, atol=1e-7)
        checked += 1
    assert checked > 5


@pytest.mark.parametrize("constraint", EVERY, ids=lambda c: c.kind)
@pytest.mark.parametrize("model", [ARM, carpal.load("panda")], ids=lambda m: m.name)
def test_edges_stay_within_their_bounds(constraint, model):
    rng = np.random.default_rng(1)
    tight = 0.0
    for a in random_configurations(model, 200, seed=3):
        b = a + rng.normal(size=model.nq) * 0.2
        path = a + np.linspace(0, 1, 60)[:, None] * (b - a)
        r = constraint.residual(model, path)
        if np.abs(r).max() > 1.5:
            continue  # an opposite direction has no bound
        line = r[0] + np.linspace(0, 1, 60)[:, None] * (r[-1] - r[0])
        off, bend = np.linalg.norm(r - line, axis=1).max(), float(constraint.bends(model, (b - a)[None])[0])
        assert off <= bend and np.linalg.norm(r, axis=1).max() <= constraint.bound(model, np.stack([a, b]))
        moved = np.linalg.norm(r[-1] - r[0])
        assert moved <= constraint.steepest(model, (b - a)[None])[0]
        tight = max(tight, off / bend)
    assert tight > 0.1


def test_a_sliding_joint_bends_nothing():
    model = carriage()
    plane = keep_on_plane((0, 0, 0), (0, 0, 1), 0.01)
    assert plane.bends(model, np.ones((1, 3)))[0] == 0 and plane.steepest(model, np.array([[0, 0, 0.2]]))[0] >= 0.2


def test_misses_are_angles_and_distances():
    q = random_configurations(ARM, 30, seed=5)
    X = carpal.fk(ARM, q)
    direction, plane, line = EVERY
    d = (
        X[:, :3, :3]
        @ (np.array([1, 2, 0]) / np.sqrt(5))
        @ (np.array([0.3, -0.2, 1.0]) / np.linalg.norm([0.3, -0.2, 1.0]))
    )
    assert np.allclose(direction.miss(ARM, q), np.where(d > 0, np.arccos(d), np.pi), atol=1e-7)
    assert np.allclose(plane.miss(ARM, q), np.abs((X[:, :3, 3] - POINT) @ [1, 1, 0]) / np.sqrt(2))
    u = np.array([0, 1, 2]) / np.sqrt(5)
    assert np.allclose(line.miss(ARM, q), np.linalg.norm(np.cross(X[:, :3, 3] - POINT, u), axis=1))
    assert plane.words == "the plane within 10 mm" and "11.5 deg" in direction.words


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: keep_direction((0, 0, 0), 0.1), "direction must not be zero"),
        (lambda: keep_direction((0, 0, 1), 2.0), "below 1.5"),
        (lambda: keep_direction((0, 0, 1), np.nan), "at least 1e-5"),
        (lambda: keep_on_plane((0, 0), (0, 0, 1), 0.1), "point must be 3 finite"),
        (lambda: keep_on_line((0, 0, 0), (0, 0, np.inf), 0.1), "direction must be 3 finite"),
        (lambda: keep_on_line((0, 0, 0), (0, 0, 1), 0.1, frame=3), "frame must be a name"),
    ],
)
def test_bad_constraints(make, words):
    with pytest.raises(InputError, match=words):
        make()
