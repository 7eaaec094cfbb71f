"""Force closure: textbook grasps in closed form, and linear programs with pyramids inside and outside the cones."""

from __future__ import annotations

import numpy as np
import pytest
from grasp_oracles import closed_by_lp, pyramid_wrenches, random_grasp

from carpal.contact import Grasp, force_closure, inside_cones
from carpal.contact.grasp.grasp_contacts import grasp_matrix

PAIR = {"points": [[-0.03, 0, 0], [0.03, 0, 0]], "normals": [[1, 0, 0], [-1, 0, 0]]}


def test_two_fingers():
    """Nguyen 1988: two soft fingers close when each lies in the other's cone; two hard ones never do in space."""
    assert force_closure(Grasp(**PAIR, mu=0.3, tip="soft", torsion=0.002))
    hard = force_closure(Grasp(**PAIR, mu=0.3))
    assert not hard
    assert hard.rank == 5
    assert "5 dimensions" in hard.status


@pytest.mark.parametrize("angle", [0.1, 0.4, 0.9])
def test_two_soft_fingers_at_an_angle(figure, angle):
    """The line between the contacts must lie in both cones: mu > tan(angle); the threshold by bisection."""
    n = [[np.cos(angle), np.sin(angle), 0], [-np.cos(angle), -np.sin(angle), 0]]
    low, high = (np.tan(angle) * factor for factor in (1 - 1e-3, 1 + 1e-3))
    for _ in range(12):
        mu = 0.5 * (low + high)
        closed = force_closure(Grasp(PAIR["points"], n, mu=mu, tip="soft", torsion=0.002)).ok
        low, high = (low, mu) if closed else (mu, high)
    figure("two soft fingers: threshold of friction, relative", abs(0.5 * (low + high) / np.tan(angle) - 1), 1e-6)


@pytest.mark.parametrize(("w", "h"), [(0.06, 0.02), (0.06, 0.005), (0.1, 0.04)])
def test_a_thumb_that_is_not_opposite(w, h):
    """Thumb below, two fingers above on the other side: closed where mu > 2 h / w, the slope of their plane."""
    points = [[w / 2, 0, -h], [-w / 2, 0.02, h], [-w / 2, -0.02, h]]
    normals = [[-1, 0, 0], [1, 0, 0], [1, 0, 0]]
    assert not force_closure(Grasp(points, normals, mu=2 * h / w * (1 - 1e-6)))
    assert force_closure(Grasp(points, normals, mu=2 * h / w * (1 + 1e-6)))


def test_seven_frictionless_contacts_can_close_and_six_cannot():
    """Form closure in space needs seven; a cube with seven contacts that block every motion."""
    points = [[1, 0.5, 0], [-1, 0.5, 0], [-1, -0.5, 0.1], [0.5, 1, 0.3], [0.1, -1, 0.5], [0.2, 0.4, 1], [-0.4, 0.1, -1]]
    normals = [[-1, 0, 0], [1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]]
    assert not force_closure(Grasp(points[:6], normals[:6], tip="frictionless"))
    rng = np.random.default_rng(5)
    closed = tried = 0
    for _ in range(1000):
        p, n = rng.normal(size=(7, 3)), rng.normal(size=(7, 3))
        n /= np.linalg.norm(n, axis=1, keepdims=True)
        null = np.linalg.svd(np.vstack([n.T, np.cross(p, n).T]))[2][-1]  # the one way to squeeze
        wanted = bool((null > 1e-6).all() or (null < -1e-6).all())
        if closed + tried > 20 or (not wanted and tried > 8):
            continue
        closed, tried = closed + wanted, tried + (not wanted)
        assert force_closure(Grasp(p, n, tip="frictionless", centre=[0, 0, 0])).ok == wanted
    assert closed > 3


def test_the_balance_is_one():
    points, normals, mu = random_grasp(np.random.default_rng(3), 4)
    grasp = Grasp(points, normals, mu=max(mu, 0.8), centre=[0, 0, 0])
    answer = force_closure(grasp)
    assert np.abs(grasp_matrix(grasp) @ answer.forces).max() < 1e-9
    assert inside_cones(grasp, answer.forces) == (answer.slack >= -1e-9)


def test_nothing_presses_from_one_side():
    answer = force_closure(Grasp([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 1]] * 3, mu=0.5))
    assert not answer
    assert np.isnan(answer.slack) or answer.slack <= 0


def _compare(seeds, figure, tip, torsion):
    wrong = undecided = closed = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        points, normals, mu = random_grasp(rng, int(rng.integers(2 if torsion else 3, 8)))
        ours = force_closure(Grasp(points, normals, mu=mu, tip=tip, torsion=torsion, centre=[0, 0, 0])).ok
        sure = closed_by_lp(pyramid_wrenches(points, normals, mu, edges=32, torsion=torsion))
        possible = sure or closed_by_lp(pyramid_wrenches(points, normals, mu, edges=32, outside=True, torsion=torsion))
        wrong += (sure and not ours) or (ours and not possible)
        undecided += sure != possible
        closed += ours
    figure(f"force closure of {len(seeds)} random grasps, {tip} fingers, against linear programs: wrong", wrong, 0)
    figure("of these not decided by pyramids of 32 edges, share", undecided / len(seeds), 0.03)
    figure("of these closed, share", closed / len(seeds), 0.2, at_least=True)


def test_random_grasps_against_linear_programs(figure):
    _compare(range(25), figure, "hard", 0.0)
    _compare(range(12), figure, "soft", 0.05)


@pytest.mark.full
def test_five_hundred_grasps_against_linear_programs(figure):
    _compare(range(1000, 1350), figure, "hard", 0.0)
    _compare(range(2000, 2150), figure, "soft", 0.05)
