import numpy as np

import carpal
from carpal.kinematics import jacobian, random_configurations
from carpal.kinematics.redundant.kernels.continuation import CLOSED, NO_START, SINGULAR, TOO_LONG
from carpal.kinematics.redundant.self_motion_curves import POINTS, _run_trace, wrap

SAWYER, SRS = carpal.load("sawyer"), carpal.load("srs7")


def test_a_curve_closes_and_stays_on_the_pose():
    for q in random_configurations(SAWYER, 4, seed=1):
        X = carpal.fk(SAWYER, q)
        end, curve, notes = _run_trace(SAWYER, "tool", X, q, 0.04, 1.0)
        assert end == CLOSED
        assert np.abs(carpal.fk(SAWYER, curve) - X).max() < 1e-11
        steps = np.linalg.norm(np.diff(curve, axis=0), axis=1)
        assert steps.max() <= 0.041
        assert np.linalg.norm(wrap(curve[0] - curve[-1])) <= 0.061
        assert np.abs(np.einsum("nij,nj->ni", jacobian(SAWYER, curve), notes[:, 3:])).max() < 1e-11
        assert (np.einsum("ni,ni->n", notes[:-1, 3:], notes[1:, 3:]) > 0.99).all()  # the tangent never turns far


def test_both_ways_round_give_the_same_curve():
    q = random_configurations(SAWYER, 1, seed=7)[0]
    X = carpal.fk(SAWYER, q)
    (end_a, a, _), (end_b, b, _) = (_run_trace(SAWYER, "tool", X, q, 0.04, side) for side in (1.0, -1.0))
    assert end_a == end_b == CLOSED
    lengths = [np.linalg.norm(np.diff(c, axis=0), axis=1).sum() for c in (a, b)]
    assert abs(lengths[0] - lengths[1]) < 0.1
    for point in b[::20]:
        assert np.abs(wrap(a - point)).max(1).min() < 0.04


def test_a_singular_start_is_reported():
    """A stretched SRS arm: several curves cross there, so the tangent is not defined."""
    end = _run_trace(SRS, "tool", carpal.fk(SRS, np.zeros(7)), np.zeros(7), 0.04, 1.0)
    assert end is None or end[0] in (SINGULAR, NO_START)


def test_a_pose_out_of_reach_has_no_start():
    X = carpal.fk(SAWYER, np.zeros(7))
    X[0, 3] += 5
    assert _run_trace(SAWYER, "tool", X, np.zeros(7), 0.04, 1.0) is None


def test_room_runs_out_only_with_tiny_steps():
    q = random_configurations(SAWYER, 1, seed=1)[0]
    end, curve, _ = _run_trace(SAWYER, "tool", carpal.fk(SAWYER, q), q, 1e-4, 1.0)
    assert end == TOO_LONG
    assert len(curve) == POINTS
