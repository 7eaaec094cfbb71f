"""Targets: three kinds told apart, laid out as kernels take them, and nonsense told in one sentence."""

import numpy as np
import pytest
from random_models import random_pose

from carpal.errors import InputError
from carpal.kinematics.inverse.ik_target import check_target, read_target
from carpal.kinematics.inverse.kernels.ik_task import POINTING, POSE, POSITION_ONLY

POSES = np.array([random_pose(np.random.default_rng(i)) for i in range(6)])


@pytest.mark.parametrize("shape", [(), (6,), (2, 3), (2, 1, 3)])
def test_poses(shape: tuple[int, ...]) -> None:
    X = POSES[0] if shape == () else POSES.reshape(*shape, 4, 4)
    target = read_target(X)
    assert (target.task, target.kind) == (POSE, "pose")
    assert target.numbers.shape == (*shape, 12)
    assert np.array_equal(target.R_WT, X[..., :3, :3])
    assert np.array_equal(target.position, X[..., :3, 3])
    assert target.is_one == (shape == ())
    check_target(target)


def test_points() -> None:
    for point in ([0.1, 0.2, 0.3], (0.1, 0.2, 0.3), np.array([0.1, 0.2, 0.3]), np.ones((4, 5, 3)), np.ones(3, int)):
        target = read_target(point)
        assert (target.task, target.kind) == (POSITION_ONLY, "point")
        assert np.array_equal(target.position, point)
        assert target.R_WT is None
        assert not target.numbers[..., :9].any()
        check_target(target)


def test_points_and_directions() -> None:
    """Directions come out with length one; one direction serves many points, and the other way round."""
    target = read_target((np.zeros((5, 3)), [0.0, 3.0, -4.0]))
    assert (target.task, target.kind) == (POINTING, "point and direction")
    assert target.numbers.shape == (5, 12)
    assert np.allclose(target.numbers[:, :3], (0.0, 0.6, -0.8), rtol=0, atol=1e-16)
    many = read_target(([1.0, 2.0, 3.0], 1e-8 * np.eye(3)))
    assert np.array_equal(many.numbers[:, :3], np.eye(3))
    assert np.array_equal(many.position, np.tile([1.0, 2.0, 3.0], (3, 1)))
    assert many.R_WT is None


def test_a_given_pose_is_not_changed_and_not_shared() -> None:
    X = POSES[0].copy()
    target = read_target(X)
    X[:] = 0
    assert np.array_equal(target.numbers[9:], POSES[0, :3, 3])


@pytest.mark.parametrize("order", ["C", "F"])
def test_memory_order_does_not_matter(order: str) -> None:
    assert np.array_equal(read_target(np.array(POSES, order=order)).R_WT, POSES[:, :3, :3])
    assert np.array_equal(read_target(POSES[::-2]).R_WT, POSES[::-2, :3, :3])


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        (np.ones((4, 3, 2)), "a target is a pose"),
        (1.0, "a target is a pose"),
        (np.array("there"), "real numbers"),
        ((1.0, np.ones(3)), "a point needs 3 numbers"),
        ((np.ones(3), np.ones(2)), "a direction needs 3 numbers"),
        ((np.ones(3), [[1.0, 0.0, 0.0], [0.0, 0.0, 1e-10]]), r"must not be zero; got \[0.0, 0.0, 1e-10\]"),
        ((np.ones((2, 3)), np.ones((3, 3))), r"points \(2, 3\) and directions \(3, 3\) do not fit"),
    ],
)
def test_what_is_no_target_is_refused_at_once(target: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        read_target(target)
    assert str(caught.value).endswith(".")


def spoiled(where: tuple[int, ...], value: float) -> np.ndarray:
    X = POSES.copy()
    X[(4, *where)] = value
    return X


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        (spoiled((0, 3), np.nan), r"the target \(4,\) has a number that is not finite"),
        (spoiled((0, 3), np.inf), "not finite"),
        (spoiled((0, 3), 1e200), r"within 1e\+150 m; got 1e\+200 m"),
        (spoiled((1, 1), 2.0), "must be a rotation; one is off by"),
        (POSES * np.array([1.0, 1.0, -1.0, 1.0]), "a reflection"),
        (spoiled((3, 0), 1e-3), "last row of a pose must be 0 0 0 1"),
        (spoiled((3, 3), 2.0), "last row of a pose must be 0 0 0 1"),
        (np.array([0.0, np.nan, 0.0]), "the target has a number that is not finite"),
    ],
)
def test_impossible_targets_are_refused(target: np.ndarray, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        check_target(read_target(target))
    assert str(caught.value).endswith(".")


def test_slightly_unorthogonal_rotations_are_taken() -> None:
    """Poses that went through text files or float32 are off by that much."""
    check_target(read_target(POSES.astype(np.float32)))
    with pytest.raises(InputError, match="must be a rotation"):
        check_target(read_target(POSES.astype(np.float16)))


def test_a_single_pose_with_a_wrong_last_row_is_not_waved_through() -> None:
    """One target skips the general checks: only if its last row is right."""
    X = POSES[0].copy()
    X[3, 3] = 2.0
    assert not read_target(X).is_one
    assert read_target(POSES[0]).is_one
    assert read_target(np.ones(3)).is_one
