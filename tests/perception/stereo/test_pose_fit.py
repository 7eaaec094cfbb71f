"""The fit of a pose: the same rotations and the same least-squares solution as SciPy's."""

import numpy as np
from relay_views import LAYOUT, PAIR, in_world, random_poses
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from carpal.perception import project
from carpal.perception.stereo.pose_fit import fit_pose, turns


def test_turns_are_scipys():
    vectors = np.random.default_rng(0).normal(size=(50, 3)) * np.logspace(-12, 0.4, 50)[:, None]
    assert np.abs(turns(vectors) - Rotation.from_rotvec(vectors).as_matrix()).max() < 1e-14


def test_scipy_finds_the_same_pose():
    rng = np.random.default_rng(1)
    true = random_poses(7, 4, tilted=0.3)
    points = in_world(true, LAYOUT.points)
    seen = np.concatenate([project(c, points) for c in (PAIR.left, PAIR.right)], axis=-1) + rng.normal(size=(4, 4, 4))
    ours, covariance, chi2 = fit_pose(PAIR, true, seen, LAYOUT.points, 1.0)
    for i in range(4):

        def error(d, i=i):
            P = (LAYOUT.points @ ours[i, :3, :3].T) @ Rotation.from_rotvec(d[3:]).as_matrix().T + ours[i, :3, 3] + d[:3]
            return (np.concatenate([project(c, P) for c in (PAIR.left, PAIR.right)], axis=-1) - seen[i]).ravel()

        best = least_squares(error, np.full(6, 0.003), xtol=1e-15, ftol=1e-15, gtol=1e-15, x_scale=[0.01] * 6)
        assert abs(2 * best.cost - chi2[i]) < 1e-6 * chi2[i]
        assert np.abs(best.x).max() < 1e-6
        assert np.allclose(np.linalg.inv(best.jac.T @ best.jac), covariance[i], rtol=1e-2, atol=1e-9)
