"""Regions in space: samples are inside by formulas of their own, and what is outside misses by the right amount."""

import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.planning import PoseGoal
from carpal.spatial import pose, pose_from_xyz_rpy, rotation_about

X = pose_from_xyz_rpy((0.3, -0.2, 0.5), (0.4, -0.9, 2.0))


def test_samples_of_a_region_are_inside_and_fill_it():
    goal = PoseGoal(X, position=(0.1, 0.0, 0.2), angle=(0.0, 0.3, np.pi))
    found = goal.targets(400, np.random.default_rng(0))
    assert np.allclose(found[0], X, atol=1e-15)
    local = np.linalg.inv(X) @ found
    assert np.abs(local[:, 0, 3]).max() < 0.1 and np.abs(local[:, 0, 3]).max() > 0.095
    assert np.abs(local[:, 1, 3]).max() < 1e-15 and np.abs(local[:, 2, 3]).max() > 0.19
    pitch = np.arcsin(-local[:, 2, 0])
    assert 0.29 < np.abs(pitch).max() <= 0.3 and np.abs(local[:, 2, 1]).max() < 1e-12  # no roll
    yaw = np.arctan2(local[:, 1, 0], local[:, 0, 0])
    assert yaw.min() < -3.1 and yaw.max() > 3.1


def test_directions_are_equally_dense_in_their_cap():
    goal = PoseGoal(((0, 0, 1), (0, 3, 4)), angle=0.8)
    p, d = goal.targets(4000, np.random.default_rng(1), middle=False)
    cosine = d @ [0, 0.6, 0.8]
    assert np.allclose(np.linalg.norm(d, axis=1), 1) and np.allclose(p, [0, 0, 1])
    assert cosine.min() >= np.cos(0.8) - 1e-12
    assert abs(cosine.mean() - 0.5 * (1 + np.cos(0.8))) < 0.005  # uniform in the cosine: Archimedes


def test_miss_is_the_distance_from_the_region():
    arm = carpal.load("k10")
    q = carpal.kinematics.random_configurations(arm, 50, seed=3)
    X_WT = carpal.fk(arm, q)
    for pose_at, one in zip(X_WT, q, strict=True):
        assert np.allclose(PoseGoal(pose_at).miss(arm, one), 0, atol=1e-12)
        assert np.allclose(PoseGoal(pose_at[:3, 3] + [0, 0, 0.05], position=(0, 0, 0.02)).miss(arm, one), [0.03, 0])
        turned = pose_at @ pose(rotation_about(np.array([0, 0, 1.0]), 0.4))
        assert np.allclose(PoseGoal(turned, angle=(0, 0, 0.1)).miss(arm, one), [0, 0.3])
        assert np.allclose(PoseGoal(turned, angle=(0, 0, 3.2)).miss(arm, one), 0, atol=1e-12)
        flipped = pose_at @ pose(np.diag([1.0, -1.0, -1.0]))  # roll pi equals pitch pi and yaw pi
        assert np.allclose(PoseGoal(flipped, angle=(0, np.pi, np.pi)).miss(arm, one), 0, atol=1e-7)
        own = pose_at[:3, :3] @ arm.tool_axis
        direction = rotation_about(pose_at[:3, :3] @ np.roll(arm.tool_axis, 1), 0.5) @ own  # about an axis across it
        goal = PoseGoal((pose_at[:3, 3], direction), angle=0.2)
        assert np.allclose(goal.miss(arm, one)[1], 0.3, atol=1e-9)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"target": np.eye(3)}, "a pose \\(4, 4\\), a point"),
        ({"target": [0, 0, np.nan]}, "not finite"),
        ({"target": np.eye(4) * 1.1}, "off by"),
        ({"target": ((0, 0, 0), (0, 0, 0))}, "direction \\(3\\) that is not zero"),
        ({"target": np.eye(4), "position": -0.1}, "position must be zero or above"),
        ({"target": np.eye(4), "angle": (1, 2)}, "angle must be zero or above, one number or 3"),
        ({"target": (1, 2, 3), "angle": 1.0}, "leaves all angles free"),
        ({"target": ((0, 0, 1), (0, 0, 1)), "angle": (1, 1, 1)}, "takes one angle"),
        ({"target": np.eye(4), "frame": 3}, "frame must be a name"),
    ],
)
def test_bad_goals_are_one_sentence(given, words):
    with pytest.raises(InputError, match=words):
        PoseGoal(**given)
