"""The edge of kernels without a model: checks, broadcasting, threads."""

import numpy as np
import pytest

from carpal._core.arrays import finite_array, finite_poses, finite_rotations
from carpal._core.batch import KernelInput, run_batch
from carpal.contact.kernels.frames import contact_frame_batch, grasp_rows_batch
from carpal.errors import CarpalError
from carpal.spatial import pose


def grasp(R, p, o, **options):
    return run_batch(
        None,
        grasp_rows_batch,
        (),
        [KernelInput("R", R, (9,)), KernelInput("p", p, (3,)), KernelInput("o", o, (3,))],
        [(6, 6)],
        **options,
    )[0]


def test_batches_broadcast_and_do_not_depend_on_threads_or_layout():
    rng = np.random.default_rng(0)
    R, p, o = rng.normal(size=(4, 1, 9)), rng.normal(size=(3, 3)), rng.normal(size=3)
    found = grasp(R, p, o, threads=1)
    assert found.shape == (4, 3, 6, 6)
    assert np.array_equal(found, grasp(R, p, o, threads=3, world_seconds=1.0))
    assert np.array_equal(found, grasp(np.asfortranarray(np.broadcast_to(R, (4, 3, 9))), p[::-1][::-1], o))
    assert np.array_equal(found[2, 1], grasp(R[2, 0], p[1], o))
    assert grasp(np.empty((0, 9)), p[0], o).shape == (0, 6, 6)


def test_input_is_left_alone():
    n = np.array([[0.0, 0.0, 1.0]])
    n.setflags(write=False)
    assert run_batch(None, contact_frame_batch, (), [KernelInput("n", n, (3,))], [(9,)])[0].shape == (1, 9)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([[1, 2], [3]], "rows differ in length"),
        (["a", "b", "c"], "must be real numbers"),
        ([1 + 2j, 0, 0], "must be real numbers"),
        (np.zeros((3, 2)), r"needs shape \(\*batch, 3\); got \(3, 2\)"),
        (1.0, r"needs shape \(\*batch, 3\)"),
        ([[0, 0, 0], [0, np.inf, 0]], r"x\[1, 1\] is inf"),
    ],
)
def test_bad_numbers(values, sentence):
    with pytest.raises(CarpalError, match=sentence):
        finite_array("x", values, (3,))


def test_bad_poses_batches_devices_and_threads():
    flipped = np.diag([1.0, 1.0, -1.0, 1.0])
    for X, sentence in (
        (flipped, "the rotation of X is not a rotation"),
        (np.stack([np.eye(4), flipped]), r"at batch index \(1,\)"),
        (np.ones((4, 4)), "orthonormal"),
        (pose() + np.diag([0, 0, 0, 1.0]), "last row"),
        (np.eye(3), r"\(\*batch, 4, 4\)"),
    ):
        with pytest.raises(CarpalError, match=sentence):
            finite_poses("X", X)
    assert finite_rotations("R", np.eye(3)).shape == (3, 3)
    with pytest.raises(CarpalError, match="do not fit together: R"):
        grasp(np.zeros((2, 9)), np.zeros((3, 3)), np.zeros(3))
    with pytest.raises(CarpalError, match="unknown device 'gpu'"):
        grasp(np.zeros(9), np.zeros(3), np.zeros(3), device="gpu")
    with pytest.raises(CarpalError, match="threads must be"):
        grasp(np.zeros(9), np.zeros(3), np.zeros(3), threads=0)
    huge = np.array([[1.0, 0, 0], [1e200, 0, 0]])
    with pytest.raises(CarpalError, match=r"the result at batch index \(1,\) is not finite"):
        run_batch(None, contact_frame_batch, (), [KernelInput("n", huge, (3,))], [(9,)])
