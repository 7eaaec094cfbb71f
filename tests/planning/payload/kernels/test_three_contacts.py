"""The friction of three contacts against linear programmes over all force distributions; erratum E5's residuals; thresholds."""

import numpy as np
import pytest
from scipy.optimize import linprog

from carpal.planning import adjust, relay_payload
from carpal.planning.payload.kernels import three_contacts

SIDES = 180  # of the polygons that stand for friction circles
G = 9.81


def statics(geometry, tilt, alpha):
    """Normal forces from force and moment balance, solved as a linear system; alpha-aligned axes: xi to the mass, eta across."""
    b, c, d, e = geometry
    along, across = G * np.cos(tilt), G * np.sin(tilt)
    pull = across * np.array([np.cos(alpha), np.sin(alpha)])  # of gravity, along xi and against eta
    # points (xi, eta); unit forces along the axis; weight at (d, 0, c): moments about xi and eta, and the sum
    points = np.array([[0, b / 2], [0, -b / 2], [e, 0]])
    rows = np.array([points[:, 1], points[:, 0], np.ones(3)])
    return np.linalg.solve(rows, [-c * -pull[1], c * pull[0] - d * along, -along])


def least_friction(geometry, tilt, alpha):
    """Lower and upper bound of the least friction that any in-plane force distribution needs: polygons around, inside circles."""
    b, _, d, e = geometry
    a1, a2, a3 = np.abs(statics(geometry, tilt, alpha))
    pull = G * np.sin(tilt) * np.sin(alpha)
    angle = 2 * np.pi * np.arange(SIDES) / SIDES
    cos, sin, zero = np.cos(angle), np.sin(angle), np.zeros(SIDES)
    bounds = []
    for shrink in (1.0, np.cos(np.pi / SIDES)):
        # unknowns: B, C, D1, D2, mu
        rows = np.vstack([
            np.stack([cos, zero, sin, zero, np.full(SIDES, -a1 * shrink)], axis=1),
            np.stack([cos, zero, zero, sin, np.full(SIDES, -a2 * shrink)], axis=1),
            [[0, 1, 0, 0, -a3], [0, -1, 0, 0, -a3]],
        ])  # fmt: skip
        equal = [[0, 1, 1, 1, 0], [b, e, 0, 0, 0]]
        free = [(None, None)] * 4 + [(0, None)]
        found = linprog([0, 0, 0, 0, 1], rows, np.zeros(len(rows)), equal, [pull, pull * d], free)
        bounds.append(found.x[4] if found.status == 0 else np.inf)
    return bounds


def compared(count, seed):
    """(answers that contradict the programmes, answers that could be compared, worst normal force error) of random attitudes."""
    rng = np.random.default_rng(seed)
    wrong, asked, worst = 0, 0, 0.0
    for _ in range(count):
        geometry = rng.uniform(0.08, 0.2), rng.uniform(-0.03, 0.03), rng.uniform(0.05, 0.2), rng.uniform(0.01, 0.06)
        payload = relay_payload(
            contact_width=geometry[0], drop=geometry[1], arm=geometry[2], contact_reach=geometry[3], inertia=1.0
        )
        tilt, alpha, mu = rng.uniform(0, np.pi), rng.uniform(0, np.pi), rng.uniform(0.02, 1.2)
        answer = adjust(payload, tilt, alpha, mu_low=mu, mu_high=mu)
        forces = statics(geometry, tilt, alpha)
        worst = max(worst, np.abs(answer.normal_forces - payload.mass * forces).max())
        pressed = ((forces[:2] >= 0).all() and forces[2] <= 0) or ((forces[:2] <= 0).all() and forces[2] >= 0)
        low, high = least_friction(geometry, tilt, alpha)
        if pressed and low <= mu < high:
            continue  # the polygons do not tell
        asked += 1
        expected = 2 if not pressed else 0 if mu >= high else 1
        wrong += int(answer.outcome) != expected
    return wrong, asked, worst


def test_adjust_agrees_with_every_force_distribution(figure):
    wrong, asked, worst = compared(300, 0)
    assert asked > 290
    figure("ADJUST against linear programmes over all force distributions, 300 attitudes: contradictions", wrong, 0)
    figure("normal forces against solved balances [N]", worst, 1e-9)


@pytest.mark.full
def test_adjust_agrees_with_every_force_distribution_in_full(figure):
    wrong, asked, _ = compared(10_000, 1)
    figure("ADJUST: attitudes of 10,000 that the polygons could settle", asked, 9_950, at_least=True)
    figure("ADJUST against linear programmes over all force distributions, 10,000 attitudes: contradictions", wrong, 0)


def test_forces_at_rest_and_thresholds_of_the_guessed_geometry():
    relay = relay_payload()
    assert np.allclose(adjust(relay, 0.0, 0.0).normal_forces, [7.297, 7.297, -19.4], atol=2e-3)
    tilt = np.radians(np.arange(0, 90, 0.5))
    for alpha, low, high in ((60, 31, 48), (90, 28, 47), (105, 30, 49), (150, 52, 72)):  # facts on erratum E8, degrees
        for mu, expected in ((0.2, low), (0.4, high)):
            fails = adjust(relay, tilt, np.radians(alpha), mu_low=mu, mu_high=mu).outcome != 0
            assert abs(np.degrees(tilt[np.argmax(fails)]) - expected) <= 1.0


def test_a_contact_that_would_pull_leaves_it_undecided():
    relay = relay_payload()
    tilt = np.radians(81.5)  # contacts 1 and 2 lift before contact 3 does
    answer = adjust(relay, tilt, 0.1, mu_low=5.0, mu_high=5.0)
    assert not answer.pressed and answer.outcome == 2 and "may turn" in str(answer)


def test_what_is_held_scales_with_friction_and_bounds_the_pull():
    assert three_contacts.holding_of(0.15, 0.12, 0.03, 0.0, 0.0, 0.0) == 0.0
    once, twice = (three_contacts.holding_of(0.15, 0.12, 0.03, k * 1.0, k * 1.5, k * 3.0) for k in (1, 2))
    assert twice == pytest.approx(2 * once, rel=1e-9)
    # one contact beside the axis cannot hold a moment without a couple from the others
    assert three_contacts.holding_of(0.15, 0.12, 0.03, 0.0, 0.0, 3.0) == 0.0
