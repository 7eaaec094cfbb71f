"""Contact axes: orthonormal, exact on coordinate axes, smooth; refusals of the entries."""

import numpy as np

from carpal.contact.kernels.frames import (
    SCRATCH,
    TURNED_OVER,
    contact_frame_batch,
    contact_jacobian_batch,
    grasp_rows_batch,
    relative_twist_batch,
)
from carpal.model import Body, Joint, Model

N = 2000
rng = np.random.default_rng(0)
EYE = np.eye(3).reshape(1, 9)


def frames(n):
    n = np.array(n, float, ndmin=2)
    out = np.empty((len(n), 9))
    assert contact_frame_batch(n, out, 0, len(n), 1, 0) == 0
    return out.reshape(-1, 3, 3)


def units(count):
    n = rng.normal(size=(count, 3))
    return n / np.linalg.norm(n, axis=1, keepdims=True)


def test_axes_are_orthonormal_with_z_along_the_normal(figure):
    n = units(N)
    R = frames(n)
    assert np.array_equal(R[:, :, 2], n)
    figure("contact frames: off orthonormal", np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max(), 1e-14)
    assert np.abs(np.linalg.det(R) - 1).max() < 1e-14


def test_coordinate_axes_give_exact_frames():
    expected = {
        (0, 0, 1): np.eye(3), (0, 0, -1): np.diag([1, -1, -1]),
        (1, 0, 0): [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], (0, -1, 0): [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
    }  # fmt: skip
    for n, R in expected.items():
        assert np.array_equal(frames(n)[0], np.array(R, float)), n


def test_a_small_change_of_the_normal_changes_the_frame_little_even_around_straight_down(figure):
    n = np.concatenate([units(N), units(N) * [0.01, 0.01, 0] + [0, 0, -1]])
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    near = n + 1e-6 * rng.normal(size=n.shape)
    near /= np.linalg.norm(near, axis=1, keepdims=True)
    away = np.abs(n[:, 2] - TURNED_OVER) > 1e-4
    moved = np.linalg.norm(near - n, axis=1)
    ratio = np.abs(frames(near) - frames(n)).max((1, 2)) / moved
    figure("contact frames: turn per turn of the normal, away from the cone", ratio[away].max(), 4.0)


def test_numbers_that_are_not_finite_are_refused():
    nan = np.array([[np.nan, 0, 0]])
    three, six = np.zeros((1, 3)), np.zeros((1, 6))
    assert contact_frame_batch(nan, np.empty((1, 9)), 0, 1, 1, 0) == 1
    assert relative_twist_batch(EYE, nan, three, six, three, six + 1, np.empty((1, 6)), 0, 1, 1, 0) == 1
    assert grasp_rows_batch(EYE, three, nan, np.empty((1, 6, 6)), 0, 1, 1, 0) == 1
    model = Model(name="one", bodies=(Body("b", None, Joint("j", "revolute")),))
    t = model.tables
    J, scratch = np.empty((1, 6, 1)), np.empty((1, len(t.joints), SCRATCH))
    chain = t.chains[model.frame_index(None)]
    assert contact_jacobian_batch(t.joints, t.bodies, chain, np.zeros((1, 1)), EYE, nan, J, scratch, 0, 1, 1, 0) == 1
    assert (
        contact_jacobian_batch(t.joints, t.bodies, chain, np.zeros((1, 1)), EYE, three + 1, J, scratch, 0, 1, 1, 0) == 0
    )
    assert np.array_equal(J[0, :, 0], [-1, 1, 0, 0, 0, 1])
