"""Collisions one after the other: Newton's cradle, a box that rattles to rest, nothing gained and nothing lost."""

import numpy as np
import pytest
from impact_reference import box_on_corners, chain

from carpal.engines import collide_bodies

BALLS = chain(5)


def cradle(v, e=1.0, masses=(1.0,) * 5):
    V = np.zeros(15)
    V[::3] = v
    return collide_bodies(np.diag(np.repeat(masses, 3)), BALLS, V, 0.3, e, several="sequential")


@pytest.mark.parametrize("moving", [1, 2, 3, 4])
def test_newtons_cradle(moving, figure):
    """As many balls leave as came."""
    hit = cradle([1.0] * moving + [0.0] * (5 - moving))
    expected = [0.0] * (5 - moving) + [1.0] * moving
    figure(f"Newton's cradle, {moving} of 5: velocities off [m/s]", np.abs(hit.v_after[::3] - expected).max(), 1e-12)
    assert hit.ok and np.abs(hit.v_after[1::3]).max() == 0


def test_unequal_masses_keep_momentum_and_energy(figure):
    m = np.array([1.0, 3.0, 0.5, 2.0, 0.2])
    v = np.array([1.0, 0.2, 0.1, -0.3, -2.0])
    hit = cradle(v, masses=m)
    after = hit.v_after[::3]
    figure("sequence, unequal balls: momentum off [N s]", abs(m @ after - m @ v), 1e-13)
    figure("sequence, unequal balls, e = 1: energy off [J]", abs(m @ after**2 - m @ v**2) / 2, 1e-12)
    assert (np.diff(after) >= -1e-10).all()


def test_a_tilted_box_rattles_to_rest_and_loses_energy():
    M, J = box_on_corners((0.05, 0.04, 0.03), 0.2)
    for e in (0.0, 0.5, 0.95):
        hit = collide_bodies(M, J, [0.3, 0.1, -1.0, 0.5, -0.2, 1.0], 0.4, e, several="sequential")
        assert hit and hit.energy < 0 and hit.u_after[:, 2].min() > -1e-9
        assert np.isclose(hit.normal_work.sum() + hit.friction_work.sum(), hit.energy, rtol=1e-9)


def test_slow_approaches_end_in_contact():
    hit = cradle([0.009, 0, 0, 0, 0], e=1.0)
    assert np.allclose(hit.v_after[::3], 0.009 / 5, atol=1e-9)
