"""What a palm feels: heights of spheres, capsules and boxes in closed form, blur that keeps volume."""

import numpy as np
import pytest
from sign_robots import hand, letters

from carpal.labs.sign import Skin, read_alphabet
from carpal.labs.sign.touch.surface_map import HALF, MOMENTS, STEP, felt_map, height_map, letter_touch
from carpal.model import Box, Capsule, PlacedShape, Sphere
from carpal.spatial import pose, rotation_about

AXIS = np.arange(-HALF, HALF + 0.5 * STEP, STEP)


def _placed(shape):
    return PlacedShape("one", "body", shape, np.eye(4), (1, 1, 1, 1))


@pytest.mark.parametrize(("side", "u", "v", "w"), [("above", 0, 1, 2), ("front", 1, 2, 0)])
def test_heights_of_a_sphere_and_a_box(side, u, v, w, figure):
    centre = np.array([0.02, -0.03, 0.05])
    found = height_map([(_placed(Sphere(0.04)), pose(p=centre))], side)
    a, b = np.meshgrid(AXIS - centre[u], AXIS - centre[v], indexing="ij")
    inside = a**2 + b**2 < 0.0399**2
    exact = centre[w] + np.sqrt(np.maximum(0.04**2 - a**2 - b**2, 0))
    figure(f"height of a sphere from {side} [m]", np.abs(found - exact)[inside].max(), 1e-12)
    assert np.isneginf(found[a**2 + b**2 > 0.0401**2]).all()
    turned = pose(rotation_about((0, 0, 1) if side == "above" else (1, 0, 0), 0.5), centre)
    box = height_map([(_placed(Box((0.06, 0.08, 0.10))), turned)], side)
    assert np.isclose(box.max(), centre[w] + (0.06, 0.08, 0.10)[w] / 2)
    area = np.isfinite(box).sum() * STEP**2
    assert abs(area - (0.06 * 0.08 * 0.10) / (0.06, 0.08, 0.10)[w]) < 4e-4


def test_a_lying_capsule_is_round_and_flat():
    lying = pose(rotation_about((0, 1, 0), np.pi / 2))
    found = height_map([(_placed(Capsule(0.01, 0.1)), lying)], "above")
    middle = found[np.abs(AXIS) < 0.04][:, np.abs(AXIS) < 1e-9]
    assert np.abs(middle - 0.01).max() < 1.5e-4


def test_blur_keeps_volume_and_the_palm_gives_way_so_far():
    heights = np.full((len(AXIS), len(AXIS)), -np.inf)
    heights[60, 60], heights[60, 62] = 0.05, 0.0
    skin = Skin()
    felt = felt_map(heights, skin)
    assert np.isclose(felt.sum(), skin.give, rtol=1e-9)  # what lies deeper than the palm gives way is not felt
    width = np.sqrt((felt.sum(1) * (np.arange(len(AXIS)) - 60) ** 2).sum() / felt.sum()) * STEP
    assert abs(width / skin.sigma - 1) < 0.05
    assert (felt_map(np.full((9, 9), -np.inf), skin) == 0).all()


def test_a_letter_is_felt_and_moving_ones_move():
    shown, _ = letters()
    maps = {n: letter_touch(hand(), read_alphabet(), shown[n].letter.right, shown[n].commands, Skin()) for n in "IJ"}
    assert maps["I"].shape == (MOMENTS, 2, len(AXIS), len(AXIS))
    assert maps["I"].max() > 0.01
    assert np.ptp(maps["I"], axis=0).max() == 0 and np.ptp(maps["J"], axis=0).max() > 0.005
    for border in (maps["J"][..., 0, :], maps["J"][..., -1, :], maps["J"][..., 0], maps["J"][..., -1]):
        assert border.max() == 0  # the whole hand is on the grid
