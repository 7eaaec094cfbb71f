"""Any number of contacts: islands are collided apart, contacts at rest are held, jams are resolved, bits agree."""

import numpy as np
import pytest
from impact_reference import box_on_corners, random_hits

from carpal.engines import collide_bodies, single_impact


def stacked(K):
    """M and J of bodies that know nothing of each other, one contact each."""
    n = len(K)
    M, J = np.zeros((3 * n, 3 * n)), np.zeros((n, 3, 3 * n))
    for i in range(n):
        M[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = np.linalg.inv(K[i])
        J[i, :, 3 * i : 3 * i + 3] = np.eye(3)
    return M, J


@pytest.mark.parametrize("several", ["simultaneous", "sequential"])
def test_contacts_that_know_nothing_of_each_other_are_single_impacts(several):
    K, u, mu, e = random_hits(6, 1, least=0.1)
    alone = single_impact(K, u, mu, e)
    hit = collide_bodies(*stacked(K), u.ravel(), mu, e, several=several, slow=0.0)
    assert np.allclose(hit.impulse, alone.impulse, rtol=1e-9) and (hit.mode == alone.mode).all()
    assert np.allclose(hit.normal_work, alone.normal_work, rtol=1e-8)
    assert np.allclose(hit.friction_work, alone.friction_work, rtol=1e-8)


@pytest.mark.parametrize("several", ["simultaneous", "sequential"])
def test_contacts_that_part_take_nothing(several):
    M, J = box_on_corners((0.05, 0.04, 0.03), 0.2)
    hit = collide_bodies(M, J, [0.1, 0, 1.0, 0, 0, 0], 0.5, 0.5, several=several)
    assert (hit.impulse == 0).all() and (hit.mode == "free").all() and hit.energy == 0


def test_a_box_tilted_about_an_edge_holds_the_resting_edge_and_lands_on_the_other(figure):
    """Two corners at rest, two that come down: the resting ones never go through the ground and never pull."""
    half, mass = np.array([0.05, 0.04, 0.03]), 0.2
    M, J = box_on_corners(half, mass)
    w = 2.0  # about the edge at y = -0.04, z = -0.03, so that the corners at +y come down
    v = np.array([0, w * half[2], w * half[1] * -1, -w, 0, 0])
    u = np.einsum("nij,j->ni", J, v)
    resting = np.abs(u[:, 2]) < 1e-12
    assert resting.sum() == 2 and (u[~resting, 2] < -0.1).all()
    hit = collide_bodies(M, J, v, 0.6, 0.0)
    figure("box landing on two corners, two at rest: still approaching [m/s]", -hit.u_after[:, 2].min(), 1e-9)
    assert (hit.impulse[:, 2] >= 0).all() and hit.energy < 0
    assert np.allclose(hit.v_after[[0, 4, 5]], 0, atol=1e-4)  # the motion stays in its plane, but for the steps' length


def test_friction_that_jams_is_resolved_in_a_set_too():
    """Painleve's rod with two contacts side by side (a plank): the slip ends in an impact without approach."""
    c, s, mu = np.cos(1.1), np.sin(1.1), 2.5
    I = np.array([[1 / 3, 0, 0], [0, 1 / 3, 0], [0, 0, 1 / 3]])
    M = np.zeros((6, 6))
    M[:3, :3], M[3:, 3:] = np.eye(3), I
    J = []
    for y in (-0.01, 0.01):
        r = np.array([c, y, -s])
        cross = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
        J.append(np.hstack([np.eye(3), -cross]))
    v = np.array([1.0, 0, 0, 0, 0, 0])
    hit = collide_bodies(M, np.array(J), v, mu, 0.0)
    assert hit and hit.impulse[:, 2].sum() > 0 and hit.energy < 0 and hit.u_after[:, 2].min() > -1e-9
    gentle = collide_bodies(M, np.array(J), v, 0.3, 0.0)
    assert (gentle.impulse == 0).all()


def test_a_batch_is_its_members_bit_for_bit_on_any_number_of_threads():
    rng = np.random.default_rng(2)
    M, J = box_on_corners((0.05, 0.04, 0.03), 0.2)
    v = rng.normal(size=(5, 6)) - [0, 0, 1, 0, 0, 0]
    for several in ("simultaneous", "sequential"):
        both = collide_bodies(M, J, v, 0.4, 0.6, several=several, threads=1)
        again = collide_bodies(M, J, v, 0.4, 0.6, several=several, threads=3)
        assert np.array_equal(both.impulse, again.impulse) and np.array_equal(both.contacts, again.contacts)
        for i in range(5):
            assert np.array_equal(both.impulse[i], collide_bodies(M, J, v[i], 0.4, 0.6, several=several).impulse)
