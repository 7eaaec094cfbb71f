"""Chan's velocity propagation: contacts are kept, momentum is not (E21); colliding all contacts keeps both."""

import numpy as np
import pytest
from impact_reference import chain

from carpal.engines import collide_bodies
from carpal.errors import CarpalError
from reproductions.velocity_propagation import propagate_velocities

M = np.diag([0.2] * 3 + [0.1] * 3 + [0.07] * 3)
J = chain(3)  # striking finger, object, holding finger
V = np.array([1.0, 0, 0, 0, 0, 0, 0, 0, 0])
HELD = np.array([[False] * 6 + [True] * 3])


def test_it_loses_momentum_and_collide_bodies_does_not(figure):
    alone = collide_bodies(M, J[:1], V, 0.5, 0.3).v_after
    after = propagate_velocities(J[1:], V, alone, HELD)
    assert np.allclose(J[1] @ after, J[1] @ V, atol=1e-14)  # the contact moves as it did
    whole = np.array([1.0, 0, 0] * 3) * np.diag(M)
    figure(
        "velocity propagation (Chan 1998): momentum gained, relative",
        whole @ (after - V) / (whole @ V),
        0.1,
        at_least=True,
    )
    hit = collide_bodies(M, J, V, 0.5, 0.3)
    figure("all contacts collided: momentum off [of it]", abs(whole @ (hit.v_after - V)) / (whole @ V), 1e-14)
    assert 0.5 * after @ M @ after > 0.5 * alone @ M @ alone  # and energy from nowhere


def test_bad_input_gets_one_clear_sentence():
    with pytest.raises(CarpalError, match="fingers must be True or False"):
        propagate_velocities(J[1:], V, V, np.ones((1, 9)))
    with pytest.raises(CarpalError, match="J needs shape"):
        propagate_velocities(J[:, :2], V, V, HELD)
