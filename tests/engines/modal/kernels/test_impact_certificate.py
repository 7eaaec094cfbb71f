"""The certificate of a collision: what a right one leaves, and what wrong impulses raise."""

import numpy as np
import pytest

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.certificate import certificate_of
from carpal.engines.modal.kernels import ledger as columns
from carpal.engines.modal.kernels.impact import POISSON, STRONGE
from carpal.engines.modal.kernels.impact_certificate import certify_collision
from carpal.engines.modal.kernels.impact_islands import ISLAND, MISSING, U_BEFORE, WORK_COLUMNS
from carpal.model import Box, Plane, Scene, Sphere

MU, E = 0.5, 0.5


def _two_hits():
    """Two unit masses, each on a contact of its own, that come back with half of their speed; the first also slips."""
    work, P, u = np.zeros((1, 2, WORK_COLUMNS)), np.zeros((1, 6)), np.zeros((1, 6))
    work[0, :, ISLAND] = 0, 1
    work[0, 0, U_BEFORE : U_BEFORE + 3], work[0, 1, U_BEFORE : U_BEFORE + 3] = [2.0, 0.0, -1.0], [0.0, 0.0, -2.0]
    P[0] = -MU * 1.5, 0.0, 1.5, 0.0, 0.0, 3.0
    u[0] = work[0, :, U_BEFORE : U_BEFORE + 3].ravel() + P[0]
    return u, P, np.full((1, 2), MU), work


def _residuals(u, P, mu, work, law=STRONGE):
    ledger = np.zeros((1, columns.LEDGER_COLUMNS))
    certify_collision(u, P, mu, work, law, ledger, 0, 0, 2)
    return {name: value for name, value in certificate_of(ledger[0]).items() if value}


def test_a_right_collision_leaves_nothing():
    assert _residuals(*_two_hits()) == {}


def test_an_impulse_outside_its_cone_or_that_pulls_is_shown_of_the_largest():
    u, P, mu, work = _two_hits()
    P[0, 0] = -1.05
    assert _residuals(u, P, mu, work)["cone"] == pytest.approx((1.05 - 0.75) / 3.0)
    P[0, 2] = -0.3
    assert _residuals(u, P, mu, work)["cone"] == pytest.approx((1.05 + 0.15) / 3.0)


def test_what_restitution_owes_is_shown_by_the_measure_of_its_law():
    u, P, mu, work = _two_hits()
    work[0, 1, MISSING] = -0.06
    assert _residuals(u, P, mu, work)["restitution"] == pytest.approx(0.06 / (3.0 * 2.0))
    assert _residuals(u, P, mu, work, POISSON)["restitution"] == pytest.approx(0.06 / 3.0)
    work[0, 1, MISSING] = np.nan
    assert np.isnan(_residuals(u, P, mu, work)["restitution"])


def test_the_gain_of_one_island_is_not_hidden_by_the_loss_of_another():
    u, P, mu, work = _two_hits()
    P[0, 5] = 4.2  # comes back faster than it came
    u[0, 5] = 2.2
    assert _residuals(u, P, mu, work)["energy"] == pytest.approx(0.5 * (2.2**2 - 2.0**2))
    work[0, :, ISLAND] = 0  # together they lose more than the second gains
    assert "energy" not in _residuals(u, P, mu, work)


@pytest.mark.parametrize("several", ["simultaneous", "sequential"])
def test_collisions_of_a_run_keep_their_law(several, figure):
    """A box that falls on its corners with friction and a ball that hits it: every collision within the steps' length."""
    scene = Scene("hits").add_fixed("floor", Plane())
    turned = np.array([0.0, 0.0, 0.12, 0.9689, 0.2474, 0.0, 0.0])
    scene.add_object("box", Box((0.1, 0.08, 0.06)), mass=0.5, pose=turned[:3], twist=[0.3, 0, -1, 1.0, 0.5, 0])
    scene.add_object("ball", Sphere(0.03), mass=0.2, pose=[0.0, -0.2, 0.1], twist=[0, 2.0, 0, 0, 0, 0])
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.4, restitution=0.6), several=several)
    state, worst, hits = scene.start(), {"cone": 0.0, "restitution": 0.0, "energy": 0.0}, 0.0
    for _ in range(200):
        state, ledger, _ = engine.run_with_ledger(state, None, 1)
        hits += ledger[columns.HITS]
        proof = certificate_of(ledger)
        worst = {name: max(value, proof[name]) for name, value in worst.items()}
    assert hits >= 5
    for name, bound in (("cone", 1e-9), ("restitution", 1e-3), ("energy", 1e-9)):
        figure(f"{several} collisions: {name}", worst[name], bound)
