import numpy as np
import pytest

from carpal.errors import InputError
from carpal.kinematics import PosePath
from carpal.spatial import pose_from_xyz_rpy, rotation_about, rotation_vector

A, B = pose_from_xyz_rpy((0.1, 0.2, 0.3), (0.1, 0, 0)), pose_from_xyz_rpy((0.3, -0.2, 0.3), (0.4, 1.0, -0.5))


def test_ends_middle_and_constant_rates():
    path = PosePath.line(A, B, 2.0)
    assert np.allclose(path.at([0.0, 2.0]), [A, B], atol=1e-15)
    assert np.allclose(path.at(-1.0), A) and np.allclose(path.at(5.0), B, atol=1e-15)
    turn = rotation_vector(B[:3, :3] @ A[:3, :3].T)
    angle = np.linalg.norm(turn)
    X = path.at(0.5)
    assert np.allclose(X[:3, :3], rotation_about(turn / angle, 0.25 * angle) @ A[:3, :3], atol=1e-14)
    assert np.allclose(X[:3, 3], 0.75 * A[:3, 3] + 0.25 * B[:3, 3])
    assert path.fraction(0.5) == 0.25


def test_a_path_without_turning_and_given_times():
    C = A.copy()
    C[0, 3] += 0.1
    path = PosePath.of([A, C, A], [1.0, 1.5, 3.0])
    assert np.allclose(path.at(1.25)[:3, 3], A[:3, 3] + (0.05, 0, 0))
    assert np.isfinite(path.at(np.linspace(1, 3, 50))).all()


def test_denser_keeps_the_given_poses():
    path = PosePath.of([A, B, A], [0.0, 1.0, 4.0])
    dense = path.denser()
    move = np.linalg.norm(np.diff(dense.X_WT[:, :3, 3], axis=0), axis=1)
    R = dense.X_WT[:, :3, :3]
    turn = np.linalg.norm(rotation_vector(R[1:] @ np.swapaxes(R[:-1], -1, -2)), axis=-1)
    assert move.max() <= 0.02 + 1e-12 and turn.max() <= 0.05 + 1e-9
    assert {0.0, 1.0, 4.0} <= set(dense.time.tolist())
    assert np.allclose(dense.at(0.37), path.at(0.37), atol=1e-12)


@pytest.mark.parametrize(
    ("poses", "times", "sentence"),
    [
        ([A], None, "two poses or more"),
        ([A, B], [0.0, 0.0], "each later than the one before"),
        ([A, B], [0.0, np.nan], "finite times"),
        ([A, B], [0.0], "needs 2 finite times"),
        ([A, 2 * B], None, "must be a rotation"),
    ],
)
def test_bad_input(poses, times, sentence):
    with pytest.raises(InputError, match=sentence):
        PosePath.of(poses, times)


def test_bad_duration():
    with pytest.raises(InputError, match="duration must be a number above zero"):
        PosePath.line(A, B, 0.0)
