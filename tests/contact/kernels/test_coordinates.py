"""Contact coordinates to relative pose and back; the pose really touches."""

import numpy as np

from carpal.contact.kernels.coordinates import contact_coordinates_batch, contact_pose_batch
from carpal.contact.kernels.kinds import CYLINDER, ELLIPSOID, PLANE, SPHERE

SURFACES = {
    "sphere": (SPHERE, np.array([0.2, 0.0, 0.0])),
    "plane": (PLANE, np.zeros(3)),
    "cylinder": (CYLINDER, np.array([0.3, 5.0, 0.0])),
    "ellipsoid": (ELLIPSOID, np.array([0.5, 0.3, 0.2])),
}
N = 200


def given(a, b, rng):
    c = np.zeros((N, 7))
    c[:, [1, 4]] = rng.uniform(-1, 1, (N, 2))
    c[:, [2, 5]] = rng.uniform(-3, 3, (N, 2))
    c[:, 6] = rng.uniform(-3, 3, N)
    for column, name in ((0, a), (3, b)):
        if name in ("sphere", "ellipsoid"):
            c[:, column] = rng.integers(0, 3, N)
    return c


def test_pose_to_coordinates_to_pose(figure):
    rng = np.random.default_rng(0)
    worst = 0.0
    for a in SURFACES:
        for b in SURFACES:
            c = given(a, b, rng)
            X, p_A, p_B, R_AC = np.empty((N, 4, 4)), np.empty((N, 3)), np.empty((N, 3)), np.empty((N, 3, 3))
            pair = (*SURFACES[a], *SURFACES[b])
            contact_pose_batch(*pair, c, X, p_A, p_B, R_AC, 0, N, 1, 0)
            assert np.abs(X[:, :3, :3] @ np.swapaxes(X[:, :3, :3], 1, 2) - np.eye(3)).max() < 1e-14
            assert (np.linalg.det(X[:, :3, :3]) > 0).all()
            out = np.empty((N, 10))
            contact_coordinates_batch(*pair, X.reshape(N, 16).copy(), p_A, out, 0, N, 1, 0)
            assert out[:, 7:9].max() < 1e-14 and np.abs(out[:, 9] + 1).max() < 1e-14
            again = np.empty_like(X)
            contact_pose_batch(*pair, out[:, :7].copy(), again, p_A, p_B, R_AC, 0, N, 1, 0)
            worst = max(worst, np.abs(again - X).max())
    figure("contact coordinates to pose, back and again, 16 pairs of surfaces", worst, 2e-14)


def test_the_pose_puts_a_ball_beside_an_ellipsoid_so_that_they_touch_and_do_not_overlap():
    rng = np.random.default_rng(1)
    c = given("ellipsoid", "sphere", rng)
    X, p_A, p_B, R_AC = np.empty((N, 4, 4)), np.empty((N, 3)), np.empty((N, 3)), np.empty((N, 3, 3))
    contact_pose_batch(*SURFACES["ellipsoid"], *SURFACES["sphere"], c, X, p_A, p_B, R_AC, 0, N, 1, 0)
    radii = SURFACES["ellipsoid"][1]
    e = rng.normal(size=(20000, 3))
    surface = radii * e / np.linalg.norm(e, axis=1, keepdims=True)
    for i in range(0, N, 20):
        centre = X[i, :3, 3]
        assert abs(np.linalg.norm(centre - p_A[i]) - 0.2) < 1e-14
        assert np.linalg.norm(surface - centre, axis=1).min() > 0.2 - 1e-12
        assert np.abs(X[i, :3, :3] @ p_B[i] + centre - p_A[i]).max() < 1e-15
        assert np.abs(R_AC[i, :, 2] * 0.2 + p_A[i] - centre).max() < 1e-14
