"""The result class: one for a target or a batch, read like a list, printed as one sentence."""

import numpy as np
import pytest
from pointing_checks import targets

import carpal
from carpal.errors import InputError
from carpal.kinematics import FreeParameter, IKSolutions, NearestAnswer, ik_all, random_configurations


@pytest.fixture
def batch():
    model = carpal.load("k10")
    p, d = targets(model, random_configurations(model, 3, seed=1))
    p[1] = 5.0, 0.0, 0.0
    return ik_all(model, (p, d))


def test_a_batch(batch):
    assert batch.ok.tolist() == [True, False, True] and not batch
    assert batch.batch == (3,) and len(batch) == 3 and batch.count.tolist() == [8, 0, 8]
    assert np.isnan(batch.q[1]).all() and (batch.branch[1] == -1).all() and not batch.in_limits[1].any()
    assert str(batch).startswith("2 of 3 targets have a solution inside the limits; the first without, (1,): too far")
    assert np.isnan(batch.best[1]).all() and np.isfinite(batch.best[[0, 2]]).all()
    for i in (0, 2):
        assert np.array_equal(batch.best[i], batch.q[i][batch.in_limits[i]][0])


def test_one_of_a_batch(batch):
    one = batch[0]
    assert one.batch == () and len(one) == 8 and bool(one)
    assert len(list(one)) == 8 and np.array_equal(one[-1], one.q[7])
    assert "8 solutions" in one.status and batch[1].status == batch.explain((1,))
    assert [len(r) for r in batch] == [8, 0, 8]
    assert sorted(one.branch_name(code) for code in one.branch)[0] == "elbow +, shoulder +, wrist +"
    assert len({one.branch_name(code) for code in one.branch}) == 8


def test_the_nearest_answer_comes_when_asked(batch):
    nearest = batch.nearest
    assert nearest.shape == (3,) and nearest[0] is None and nearest[2] is None
    assert isinstance(nearest[1], NearestAnswer) and nearest[1] is batch.nearest_at((1,))
    assert batch[1].nearest.position_error == nearest[1].position_error
    assert "misses by" in str(nearest[1])


def test_what_makes_no_sense(batch):
    with pytest.raises(IndexError, match="not in a result of length 3"):
        batch[3]
    with pytest.raises(InputError, match="an index of 1 numbers is needed"):
        batch.explain(())
    with pytest.raises(AttributeError, match="no 'solution'"):
        batch.solution  # noqa: B018


def test_made_by_hand():
    """What another solver puts in; no reason and no search given."""
    model = carpal.load("k10")
    like = ik_all(model, (np.array([0.4, 0.1, 0.2]), np.array([0.0, 0, -1])))
    q = np.full((2, 5), np.nan)
    none = IKSolutions(model, "tool", like.target, "by hand", q, np.array(0), np.zeros(2, bool), np.full(2, -1))
    assert (
        str(none) == "0 solutions, none of them inside the limits (by hand)." and none.nearest is None and not none.ok
    )
    free = FreeParameter("arm angle", "", np.array(0.5))
    one = IKSolutions(
        model,
        "tool",
        like.target,
        "by hand",
        np.zeros((1, 5)),
        np.array(1),
        np.ones(1, bool),
        np.zeros(1, int),
        free=free,
    )
    assert str(one) == "1 solution, inside the limits; the arm angle is free, held at 0.5 rad (by hand)."


def test_fields_that_were_put_off_are_there():
    model = carpal.load("k10")
    made = ik_all(model, (np.array([0.4, 0.1, 0.2]), np.array([0.0, 0, -2.0])))
    assert made.target.kind == "point and direction" and np.allclose(made.target.numbers[:3], (0, 0, -1))
    assert made.count == 8 and made.in_limits.shape == (8,) and made.branch.dtype == int
