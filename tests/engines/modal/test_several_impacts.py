"""Several collisions at the edge: momentum of a held grasp, what is refused."""

import numpy as np
import pytest
from impact_reference import chain

from carpal.engines import collide_bodies
from carpal.errors import CarpalError

J = chain(3)
GOOD = {"M": np.eye(9), "J": J, "v": [1.0, 0, 0, 0, 0, 0, 0, 0, 0], "mu": 0.3, "e": 0.5}

BAD = [
    ({"M": np.eye(4)}, "M needs shape"),
    ({"M": np.diag([1.0] * 8 + [0.0])}, "not positive definite.*every body needs a mass"),
    ({"M": np.eye(9) + np.eye(9, k=1)}, "M is not symmetric"),
    ({"J": np.zeros((0, 3, 9))}, "at least one contact"),
    ({"J": np.zeros((2, 2, 9))}, "J needs shape"),
    ({"J": np.full((2, 3, 9), np.nan)}, "J.* is nan"),
    ({"v": []}, "at least one generalised velocity"),
    ({"mu": [-1.0, 0.5]}, "mu, the coefficient of friction, must be zero or above"),
    ({"mu": [0.1, 0.2, 0.3]}, "mu needs shape"),
    ({"e": 2.0}, "from 0 to 1; got 2.0"),
    ({"several": "both"}, "unknown order of several collisions 'both'.*simultaneous, sequential"),
    ({"law": "newton"}, "unknown law of restitution"),
    ({"slow": -1.0}, "slow must be zero or above"),
]


@pytest.mark.parametrize(("wrong", "says"), BAD)
def test_bad_input_gets_one_clear_sentence(wrong, says):
    with pytest.raises(CarpalError, match=says):
        collide_bodies(**{**GOOD, **wrong})


def test_friction_and_restitution_of_each_contact():
    hit = collide_bodies(**{**GOOD, "mu": [0.0, 0.5], "e": [1.0, 0.0]}, several="sequential")
    # the first hands all of its speed on, the second hit keeps them together, which hits nothing any more
    assert np.allclose(hit.v_after[::3], [0, 0.5, 0.5], atol=1e-9)


def test_three_fingers_hold_what_a_fourth_hits(figure):
    """A disc between three fingers (point masses) is hit by a fourth: impulses balance on every body, nothing gains."""
    angles = np.array([0.5, 2.6, 4.4, 5.6])
    n = np.stack([-np.cos(angles), -np.sin(angles), 0 * angles], 1)  # from finger into disc
    J = np.zeros((4, 3, 3 + 12))
    for i in range(4):
        t = np.cross([0, 0, 1.0], n[i])
        R = np.stack([t, [0, 0, 1.0], n[i]])  # rows: t1, t2, n
        J[i, :, :3], J[i, :, 3 + 3 * i : 6 + 3 * i] = R, -R
    M = np.diag([0.2] * 3 + [0.07] * 12)
    v = np.zeros(15)
    v[12:15] = 1.5 * n[3]
    hit = collide_bodies(M, J, v, 0.6, 0.5)
    change = M @ (hit.v_after - v)
    total = change[:3] + change[3:].reshape(4, 3).sum(0)
    figure("held object hit by a finger: momentum of everything off [N s]", np.abs(total).max(), 1e-14)
    assert hit and hit.energy < 0 and hit.u_after[:, 2].min() > -1e-9
    assert (np.hypot(hit.impulse[:, 0], hit.impulse[:, 1]) <= 0.6 * hit.impulse[:, 2] + 1e-15).all()
    assert (hit.impulse[:, 2] > 0).sum() >= 2  # the hit goes on to fingers that hold
