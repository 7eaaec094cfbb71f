"""Standard springs: nothing in the catalogue is nearer, or cheaper within the tolerance."""

import itertools

import numpy as np
import pytest
from finger_inputs import facts_finger, potential, slope
from scipy.optimize import root

from carpal.errors import InputError
from carpal.labs.finger import assumed_finger, choose_springs, design_springs, read_springs

SHOP = "".join(
    f'[[spring]]\nname = "S{i}"\nstiffness = {k}\nlargest_deg = 170\nprice = {p}\n'
    for i, (k, p) in enumerate([(0.02, 3), (0.05, 1), (0.03, 2), (0.07, 5)])
)


def by_hand(design, shop):
    """Error and cost of every set by SciPy's root of the potential's slope."""
    out = {}
    for each in itertools.product(shop.springs, repeat=3):
        finger = design.finger.replace(stiffness=[spring.stiffness for spring in each])
        q = root(lambda x, f=finger: 1e3 * slope(lambda y: potential(f, y), x), design.rest, tol=1e-12).x
        out[tuple(spring.name for spring in each)] = np.abs(q - design.rest).max(), sum(spring.price for spring in each)
    return out


def test_nearest_and_cheapest():
    shop = read_springs("custom_price = 10\n" + SHOP)
    finger = facts_finger(gravity=(4, -6, 0))
    design = design_springs(finger, (0.25, 0.15, 0.1), neutral=(0.05, 0.02, 0.03))
    known = by_hand(design, shop)
    choice = choose_springs(design, shop)
    names = tuple(spring.name for spring in choice.springs)
    fits = {
        n: v
        for n, v in known.items()
        if all(
            0.25 <= s.stiffness / k <= 4
            for s, k in zip(
                (next(x for x in shop.springs if x.name == m) for m in n), design.finger.stiffness, strict=True
            )
        )
    }
    best = min(fits.values())[0]
    assert choice.angle_error == pytest.approx(best, abs=1e-9) and known[names][0] == pytest.approx(best, abs=1e-9)
    assert choice.cost == known[names][1] and choice.custom_cost == 30
    limit = best * 1.5 + 0.02
    cheap = choose_springs(design, shop, tolerance=limit)
    assert cheap.cost == min(cost for error, cost in fits.values() if error <= limit) and cheap.stroke_error <= limit
    assert "cost" in str(choice) and choice.ok and bool(choice)


def test_the_closing_order_is_kept():
    finger = assumed_finger()
    for order in ((1, 2, 3), (3, 2, 1), (2, 1, 3)):
        design = design_springs(finger, np.radians((5, 3, 2)), order=order, tension=20.0)
        choice = choose_springs(design)
        assert tuple(np.argsort(choice.closing) + 1) == order and np.isfinite(choice.closing).all()
        assert choice.stroke_error >= choice.angle_error and "while closing" in choice.status


def test_a_shop_without_the_right_springs():
    design = design_springs(facts_finger(), (0.1, 0.1, 0.1))
    with pytest.raises(InputError, match=r"has no spring for joint 1: wanted are .* it has 5 to 5 N m/rad"):
        choose_springs(design, read_springs('[[spring]]\nname = "X"\nstiffness = 5\nlargest_deg = 90\nprice = 1'))
    with pytest.raises(InputError, match="must come from read_springs"):
        choose_springs(design, 3)
    with pytest.raises(InputError, match="tolerance must be"):
        choose_springs(design, tolerance=-1)
