"""What a bar weighs: a capsule's textbook inertia, in the bar's frame; and that nobody guesses a mass."""

import numpy as np
import pytest

from carpal.errors import ModelError
from carpal.model import Bar, Capsule, Sphere
from carpal.model.linkage.bar_solids import bar_inertia, bar_shapes, flat_pose, need_masses


def test_a_two_point_bar_is_a_capsule_between_them():
    bar = Bar("b", {"P": (0.01, 0.02), "Q": (0.04, 0.06)}, mass=0.2, radius=0.003, phalanx=True)
    (placed,) = bar_shapes(bar, "b")
    assert placed.shape.length == pytest.approx(0.05) and placed.shape.radius == 0.003 and placed.collides
    ends = [placed.X_BS @ (0, 0, s * 0.025, 1) for s in (-1, 1)]
    assert np.allclose(ends, [(0.01, 0.02, 0, 1), (0.04, 0.06, 0, 1)], atol=1e-15)
    inertia = bar_inertia(bar)
    assert inertia.mass == pytest.approx(0.2) and np.allclose(inertia.com, (0.025, 0.04, 0))
    slender = Capsule(0.003, 0.05).inertia(0.2).about_com
    assert inertia.about_com[2, 2] == pytest.approx(slender[0, 0])
    along = np.array([0.6, 0.8, 0.0])
    assert along @ inertia.about_com @ along == pytest.approx(slender[2, 2])


def test_mass_is_shared_over_the_capsules():
    bar = Bar("b", {"P": (0, 0), "Q": (0.1, 0), "R": (0.1, 0.05)}, mass=0.3)
    parts = bar_shapes(bar, "b")
    assert len(parts) == 2 and not parts[0].collides
    assert bar_inertia(bar).mass == pytest.approx(0.3)
    share = parts[0].shape.volume / (parts[0].shape.volume + parts[1].shape.volume)
    assert bar_inertia(bar).com[0] == pytest.approx(share * 0.05 + (1 - share) * 0.1)


def test_a_block_of_one_point_is_a_ball():
    (placed,) = bar_shapes(Bar("b", {"P": (0.1, 0)}, radius=0.01), None)
    assert placed.shape == Sphere(0.01) and np.allclose(placed.X_BS, flat_pose(0.1, 0, 0))


def test_masses_are_never_guessed():
    assert bar_inertia(Bar("b", {"P": (0, 0)})) is None
    with pytest.raises(ModelError, match="no mass for rod, cap"):
        need_masses("x", (Bar("rod", {"P": (0, 0)}), Bar("cap", {"P": (0, 0)})))
