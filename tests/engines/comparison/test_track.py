"""Tracks: saved and read back; distances of points of bodies."""

import numpy as np
import pytest

from carpal.engines.comparison.track import Track, distances, radii
from carpal.model import Box, Plane, Scene, Sphere
from carpal.spatial import pose, rotation_about


def _track(turn, at):
    poses = np.stack([pose(rotation_about([0, 0, 1], turn * k), [at * k, 0, 0]) for k in range(4)])[:, None]
    return Track(np.arange(4.0), ("a",), poses, {"kinetic": np.ones(4)}, np.zeros(4), 0.5, False, "stopped", 2.0, 30)


def test_what_is_saved_comes_back(tmp_path):
    made = _track(0.1, 0.2)
    made.save(tmp_path / "track.npz")
    back = Track.load(tmp_path / "track.npz")
    assert (
        np.array_equal(back.poses, made.poses) and back.bodies == ("a",) and back.energy["kinetic"].tolist() == [1] * 4
    )
    assert (back.certified, back.ok, back.status, back.wall, back.steps) == (0.5, False, "stopped", 2.0, 30)


def test_a_turn_moves_points_by_the_reach():
    apart = distances(_track(0.1, 0.2), _track(0.3, 0.2), np.array([0.5]))
    assert apart[:, 0] == pytest.approx([0.0, 0.1, 0.2, 0.3])
    assert distances(_track(0.0, 0.1), _track(0.0, 0.3), np.zeros(1))[:, 0] == pytest.approx([0, 0.2, 0.4, 0.6])


def test_reach_of_bodies():
    scene = Scene().add_object("ball", Sphere(0.1), mass=1.0, pose=[0, 0, 1]).add_fixed("floor", Plane())
    model = scene.add_object("box", Box((0.2, 0.2, 0.1)), mass=1.0, pose=[1, 0, 1]).build()
    assert radii(model, ("ball", "box")) == pytest.approx([np.sqrt(1.2) * 0.1, 0.15], rel=1e-6)
