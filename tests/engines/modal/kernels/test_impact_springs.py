"""Collisions at the same time: springs that really move as oracle, symmetry, Stronge's rule at each contact."""

import numpy as np
import pytest
from impact_reference import box_on_corners, chain, spring_chain

from carpal.engines import collide_bodies, single_impact

CHAINS = [
    ((1, 1, 1), (1, 0, 0)),
    ((1, 1, 1, 1, 1), (1, 0, 0, 0, 0)),
    ((1, 3, 0.5, 2), (1, 0, 0.2, -1)),
    ((0.2, 1, 5), (0.5, 0.1, -0.4)),
]


@pytest.mark.parametrize(("masses", "v"), CHAINS)
def test_balls_in_a_row_part_as_real_springs_part_them(masses, v, figure):
    V = np.zeros(3 * len(masses))
    V[::3] = v
    hit = collide_bodies(np.diag(np.repeat(np.array(masses, float), 3)), chain(len(masses)), V, 0.0, 1.0)
    off = np.abs(hit.v_after[::3] - spring_chain(masses, v)).max()
    figure(f"{len(masses)} balls at once: velocities off springs that move [m/s]", off, 5e-4)
    m = np.array(masses, float)
    figure("balls at once: momentum off [N s]", abs(m @ hit.v_after[::3] - m @ v), 1e-13)
    assert hit.energy <= 1e-15


@pytest.mark.parametrize("e", [0.0, 0.04, 0.3, 0.8, 1.0])
@pytest.mark.parametrize("law", ["stronge", "poisson"])
def test_a_box_that_lands_flat_bounces_flat(e, law, figure):
    M, J = box_on_corners((0.05, 0.04, 0.03), 0.2)
    hit = collide_bodies(M, J, [0, 0, -1.0, 0, 0, 0], 0.5, e, law=law)
    off = np.abs(hit.v_after - [0, 0, e, 0, 0, 0]).max()
    figure(f"box landing flat, e = {e}, {law}: off a flat bounce [m/s, rad/s]", off, 1e-5)


def test_one_of_two_equal_contacts_is_a_single_impact(figure):
    """Two balls hit a wall with friction: coupled by nothing, each is Routh's; coupled by next to nothing, nearly so."""
    u = np.array([0.8, -0.3, -1.0])
    K = np.array([[3.0, 0.2, 0.5], [0.2, 2.5, -0.3], [0.5, -0.3, 1.5]])
    alone = single_impact(K, u, 0.4, 0.6)
    M = np.zeros((6, 6))
    M[:3, :3] = M[3:, 3:] = np.linalg.inv(K)
    J = np.zeros((2, 3, 6))
    J[0, :, :3] = J[1, :, 3:] = np.eye(3)
    apart = collide_bodies(M, J, np.concatenate([u, u]), 0.4, 0.6)
    assert np.allclose(apart.impulse, alone.impulse, rtol=1e-12)
    M[:3, 3:] = M[3:, :3] = 1e-6 * np.linalg.inv(K)
    together = collide_bodies(M, J, np.concatenate([u, u]), 0.4, 0.6)
    off = np.abs(together.impulse - alone.impulse).max() / np.abs(alone.impulse).max()
    figure("springs at one contact: impulse off Routh's equations [of it]", off, 1e-4)


def random_sets(count, seed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        M, J = box_on_corners(rng.uniform(0.02, 0.1, 3), 10 ** rng.uniform(-2, 0))
        v = rng.normal(size=6) * [1, 1, 1, 10, 10, 10]
        yield M, J[: rng.integers(2, 5)], v, rng.uniform(0, 1.2, 1), rng.uniform(0, 1, 1)


def check_sets(count, seed, figure):
    gain, cone, left, failed, hits = -np.inf, -np.inf, 0.0, 0, 0
    for M, J, v, mu, e in random_sets(count, seed):
        for law in ("stronge", "poisson"):
            hit = collide_bodies(M, J, v, mu, e, law=law, threads=1)
            P = hit.impulse
            scale = np.abs(hit.u_before * P).sum()
            failed += not hit
            if scale == 0:
                continue
            hits += 1
            energy = 0.5 * (hit.v_after @ M @ hit.v_after - v @ M @ v)
            gain = max(gain, energy / scale)
            cone = max(cone, (np.hypot(P[:, 0], P[:, 1]) - mu * P[:, 2]).max() / P[:, 2].max())
            left = max(left, -hit.u_after[:, 2].min() / np.abs(hit.u_before).max())
            assert np.allclose(
                M @ (hit.v_after - v), np.einsum("nij,ni->j", J, P), rtol=0, atol=1e-12 * np.abs(P).max()
            )
    assert hits > count
    figure(f"{count} random boxes, two laws: not finished", failed, 0)
    figure(f"{count} random boxes: energy gained [of u P], worst", gain, 1e-13)
    figure(f"{count} random boxes: impulse out of the cone [of the largest], worst", cone, 1e-12)
    figure(f"{count} random boxes: still approaching [of the speed], worst", left, 2e-10)


def test_random_boxes(figure):
    check_sets(60, 3, figure)


@pytest.mark.full
def test_random_boxes_full_count(figure):
    check_sets(3000, 4, figure)
