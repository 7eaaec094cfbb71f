"""Load distribution: a pinch in closed form, and linear programs on random grasps."""

from __future__ import annotations

import numpy as np
import pytest
from grasp_oracles import least_sum_by_lp, pyramid_wrenches, random_grasp

from carpal.contact import Grasp, distribute_load, force_closure, inside_cones
from carpal.errors import CarpalError

PAIR = Grasp([[-0.03, 0, 0], [0.03, 0, 0]], [[1, 0, 0], [-1, 0, 0]], mu=0.6, tip="soft", torsion=0.004)
WEIGHT = np.array([0, 0, -0.98, 0, 0, 0])


@pytest.mark.parametrize("keep", [0.0, 0.25])
def test_a_pinch(figure, keep):
    """Each finger carries half of the weight by friction: normal force W / (2 mu), more where friction is kept."""
    wanted = 0.98 / (2 * 0.6 * (1 - keep))
    total = distribute_load(PAIR, WEIGHT, least="sum", keep=keep)
    figure("least normal force of a pinch", abs(total.cost - 2 * wanted), 1e-8)
    largest = distribute_load(PAIR, WEIGHT, keep=keep)
    figure("largest force of a pinch", abs(largest.cost - np.hypot(wanted, 0.49)), 1e-8)
    assert inside_cones(PAIR, total.forces)


def test_random_loads_against_linear_programs(figure):
    outside = wide = 0.0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        points, normals, mu = random_grasp(rng, int(rng.integers(3, 7)))
        grasp = Grasp(points, normals, mu=mu, centre=[0, 0, 0])
        w = rng.normal(size=6)
        answer = distribute_load(grasp, w, least="sum")
        most = least_sum_by_lp(pyramid_wrenches(points, normals, mu, edges=64), w)
        least = least_sum_by_lp(pyramid_wrenches(points, normals, mu, edges=64, outside=True), w)
        if force_closure(grasp):
            assert answer
        if not answer:
            assert not np.isfinite(most) or most > 1e3
            continue
        assert answer.residual < 1e-9
        assert inside_cones(grasp, answer.forces)
        outside = max(outside, least / answer.cost - 1, answer.cost / most - 1)
        wide = max(wide, most / least - 1)
    figure("least load outside the bounds of pyramids, relative", outside, 1e-8)
    figure("how wide these bounds are", wide, 0.05)


def test_what_cannot_be_held():
    push = distribute_load(Grasp([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 1]] * 3), [0, 0, 1, 0, 0, 0])
    assert not push
    assert "cones" in push.status
    spin = distribute_load(Grasp(np.asarray(PAIR.points), np.asarray(PAIR.normals)), [0, 0, 0, 1, 0, 0])
    assert not spin
    assert "however hard" in spin.status


@pytest.mark.parametrize(("wrench", "given"), [([1, 2], {}), (WEIGHT, {"least": "most"}), (WEIGHT, {"keep": 1.0})])
def test_bad_input(wrench, given):
    with pytest.raises(CarpalError):
        distribute_load(PAIR, wrench, **given)
