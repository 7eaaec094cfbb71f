"""Nearest point of simplices to the origin, flat ones included: weights add up to one and nothing sampled is nearer."""

import numpy as np
import pytest

from carpal.contact.kernels.simplex import nearest_of_four, nearest_of_three, nearest_of_two

RNG = np.random.default_rng(8)


def check(weights: tuple[float, ...], corners: np.ndarray) -> None:
    w = np.array(weights)
    assert (w >= 0).all() and w.sum() == pytest.approx(1, abs=1e-12)
    here = np.linalg.norm(w @ corners)
    tried = RNG.dirichlet(np.ones(len(corners)), 4000)
    assert here <= np.linalg.norm(tried @ corners, axis=1).min() + 1e-9


@pytest.mark.parametrize("flat", [1.0, 1e-6, 1e-12, 0.0])
def test_any_simplex(flat: float) -> None:
    inside = 0
    for _ in range(60):
        shift = RNG.normal(size=3) * 0.5
        corners = RNG.normal(size=(4, 3)) * [1.0, 1.0, flat] + shift
        a, b, c, d = (tuple(map(float, x)) for x in corners)
        check(nearest_of_two(a, b), corners[:2])
        check(nearest_of_three(a, b, c), corners[:3])
        within, weights = nearest_of_four(a, b, c, d, False)
        if within:
            inside += 1
            solved = np.linalg.solve(np.vstack([corners.T, np.ones(4)]), [0, 0, 0, 1])
            assert (solved > -1e-9).all()
        else:
            check(weights, corners)
        check(nearest_of_four(a, b, c, d, True)[1], corners) if not within else None
    assert inside > 0 if flat == 1.0 else inside == 0 or flat > 0


def test_coincident_corners() -> None:
    a = (1.0, 2.0, 3.0)
    assert nearest_of_two(a, a) == (1.0, 0.0)
    assert sum(nearest_of_three(a, a, a)) == 1.0
    within, weights = nearest_of_four(a, a, a, a, False)
    assert not within and sum(weights) == 1.0
