"""Chamfers: Leutenegger's own numbers (E13), turns coupled to travel (E11), cuts that never meet."""

import numpy as np
import pytest

from carpal.planning.trajectories.chamfers import between, chamfered, turn_of
from carpal.planning.trajectories.kernels.line_following import TASKS
from carpal.spatial import rotation_about, rotation_vector

POINT, POINTING, POSE = TASKS["point"], TASKS["point and direction"], TASKS["pose"]


def points(*p):
    out = np.zeros((len(p), 12))
    out[:, 9:] = p
    return out


def test_a_square_becomes_the_octagon():
    """Inner corners of a long staircase of right angles: C = 0.2929 l, chamfer = rest = 0.4142 l (erratum E13)."""
    steps = [(0, 0, 0)]
    for i in range(8):
        x, y, _ = steps[-1]
        steps.append((x + 1, y, 0) if i % 2 == 0 else (x, y + 1, 0))
    polygon = chamfered(POINT, points(*steps), 10.0, 1.0)
    sides = np.linalg.norm(np.diff(polygon.vertices[:, 9:], axis=0), axis=1)
    assert np.allclose(sides[3:-3], np.sqrt(2) - 1, atol=1e-12)
    assert polygon.away[3] == pytest.approx(0.2929 * np.cos(np.pi / 4), abs=1e-4)


def test_first_and_last_legs_are_cut_once():
    polygon = chamfered(POINT, points((0, 0, 0), (1, 0, 0), (1, 1, 0)), 10.0, 1.0)
    sides = np.linalg.norm(np.diff(polygon.vertices[:, 9:], axis=0), axis=1)
    assert np.allclose(sides, sides[0]) and len(sides) == 3  # chamfer as long as what is left of both legs


def test_the_corner_s_bound_is_kept_and_cuts_never_meet():
    rng = np.random.default_rng(0)
    for _ in range(300):
        targets = points(*rng.normal(size=(rng.integers(3, 7), 3)))
        corner = 10 ** rng.uniform(-3, 0)
        polygon = chamfered(POINT, targets, corner, 1.0)
        assert (polygon.away <= corner * (1 + 1e-9)).all()
        for w in np.unique(polygon.waypoint):
            at = polygon.vertices[polygon.waypoint == w, 9:]
            if len(at) == 2:
                assert np.linalg.norm(at.mean(0) - targets[w, 9:]) == pytest.approx(
                    polygon.away[polygon.waypoint == w][0]
                )
        legs = np.diff(targets[:, 9:], axis=0)
        for i, leg in enumerate(legs):  # what is left of each leg still points forward
            last = polygon.vertices[polygon.waypoint == i, 9:][-1]
            first = polygon.vertices[polygon.waypoint == i + 1, 9:][0]
            assert (first - last) @ leg > 0


def test_straight_on_and_back_again_have_no_chamfer():
    assert len(chamfered(POINT, points((0, 0, 0), (1, 0, 0), (2, 0, 0)), 0.1, 1.0).vertices) == 3
    assert len(chamfered(POINT, points((0, 0, 0), (1, 0, 0), (0, 0, 0.01)), 0.1, 1.0).vertices) == 3
    assert len(chamfered(POINT, points((0, 0, 0), (1, 0, 0), (1, 1, 0)), 0.0, 1.0).vertices) == 3


def test_turns_are_coupled_to_travel():
    a, b = points((0, 0, 0), (1, 0, 0))
    a[:3], b[:3] = (0, 0, 1), (1, 0, 0)
    middle = between(POINTING, a, b, 0.5)
    assert np.allclose(middle[:3], np.array([1, 0, 1]) / np.sqrt(2)) and np.allclose(middle[9:], (0.5, 0, 0))
    R = rotation_about(np.array([0, 0, 1.0]), 1.2)
    a[:9], b[:9] = np.eye(3).ravel(), R.ravel()
    turned = between(POSE, a, b, 0.25)[:9].reshape(3, 3)
    assert np.allclose(rotation_vector(turned), (0, 0, 0.3))


def test_parallel_and_opposite_directions():
    """Erratum E11: no turn for parallel pointing vectors, some axis across for opposite ones."""
    a, b = points((0, 0, 0), (1, 0, 0))
    a[:3] = b[:3] = (0, 0, 1)
    assert not turn_of(POINTING, a, b).any()
    b[:3] = (0, 0, -1)
    turn = turn_of(POINTING, a, b)
    assert np.linalg.norm(turn) == pytest.approx(np.pi) and abs(turn @ a[:3]) < 1e-12
    assert np.allclose(between(POINTING, a, b, 1.0)[:3], (0, 0, -1), atol=1e-12)
