"""Terrain: the relay's bump is gone, the rest is as it was; holes are refused with their place."""

import numpy as np
import pytest

from carpal.errors import CarpalError, InputError
from carpal.labs.retrieve import RELAY, check_terrain, cut_out_relay, relay_pose
from carpal.model import TriangleMesh
from carpal.spatial import inverse

X_WO = relay_pose(0.5, 0.1, 0.7)


def terrain(hole: bool = False) -> TriangleMesh:
    """A wavy ground on a grid of 2 cm, with the relay standing out of it as stereo would see it."""
    x, y = np.meshgrid(np.linspace(0, 1, 51), np.linspace(-0.5, 0.5, 51), indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel(), 0.004 * np.sin(20 * x.ravel())])
    inside = points @ inverse(X_WO)[:3, :3].T + inverse(X_WO)[:3, 3]
    end = RELAY.body[0] / 2 + RELAY.flap_length
    points[(np.abs(inside[:, 0]) < end) & (np.abs(inside[:, 1]) < RELAY.flap_width / 2), 2] = RELAY.flap_height
    i, j = np.meshgrid(np.arange(50), np.arange(50), indexing="ij")
    a = (51 * i + j).ravel()
    faces = np.concatenate([np.column_stack([a, a + 51, a + 52]), np.column_stack([a, a + 52, a + 1])])
    if hole:
        faces = faces[np.linalg.norm(points[faces].mean(axis=1)[:, :2] - [0.2, -0.3], axis=1) > 0.05]
    return TriangleMesh(points, faces)


def test_the_bump_is_gone_and_the_rest_stays(figure):
    before, after = terrain(), cut_out_relay(terrain(), X_WO)
    assert before.points[:, 2].max() == pytest.approx(RELAY.flap_height)
    figure(
        "terrain after cutting out the relay: highest point [mm], the ground's waves are 4",
        1e3 * after.points[:, 2].max(),
        4.0,
    )
    far = np.linalg.norm(before.points[:, :2] - X_WO[:2, 3], axis=1) > 0.25
    assert (after.points[far] == pytest.approx(before.points[far])) and (after.faces == before.faces).all()
    near = np.linalg.norm(after.points[:, :2] - X_WO[:2, 3], axis=1) < 0.1
    assert np.abs(after.points[near, 2]).max() < 1e-12


def test_a_wider_margin_flattens_more():
    waves = [
        np.count_nonzero(np.abs(cut_out_relay(terrain(), X_WO, margin=m).points[:, 2]) > 1e-9) for m in (0.0, 0.05)
    ]
    assert waves[1] < waves[0]
    # every point within the margin of the flaps, on all sides
    wide = cut_out_relay(terrain(), X_WO, margin=0.05).points @ inverse(X_WO)[:3, :3].T + inverse(X_WO)[:3, 3]
    reach = np.array([RELAY.body[0] / 2 + RELAY.flap_length, RELAY.flap_width / 2]) + 0.05
    assert np.abs(wide[(np.abs(wide[:, :2]) < reach).all(axis=1), 2]).max() < 1e-12


def test_bad_input():
    check_terrain(terrain())
    with pytest.raises(InputError, match=r"the terrain has 1 holes, one at \(0\.\d+, -0\.\d+, .*fill them"):
        cut_out_relay(terrain(hole=True), X_WO)
    with pytest.raises(InputError, match="a terrain must be a TriangleMesh; got str"):
        check_terrain("hill.obj")
    with pytest.raises(InputError, match="margin must be zero or above"):
        cut_out_relay(terrain(), X_WO, margin=-1.0)
    with pytest.raises(CarpalError, match=r"finite|nan"):
        TriangleMesh(terrain().points * np.nan, terrain().faces)
