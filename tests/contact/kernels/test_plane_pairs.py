"""A plane: the lowest point decides, the middle where a face or an edge is lowest."""

import numpy as np
import pytest
from pair_oracles import BOX, CAPSULE, CONVEX, CYLINDER, ELLIPSOID, POINTS, SPHERE, random_poses, reach

from carpal.contact.kernels.plane_pairs import height_over_plane, lowest, plane_and_shape

SIZE = {SPHERE: (0.3, 0.0, 0.0), CAPSULE: (0.2, 0.4, 0.0), CYLINDER: (0.2, 0.4, 0.0), CONVEX: (0.0, 0.0, 0.0)}


@pytest.mark.parametrize("kind", [SPHERE, CAPSULE, CYLINDER, BOX, ELLIPSOID, CONVEX])
def test_height_is_that_of_the_support(kind: int) -> None:
    rng = np.random.default_rng(6)
    size = SIZE.get(kind, (0.2, 0.3, 0.5))
    for X, Y in zip(random_poses(40, rng), random_poses(40, rng), strict=True):
        R_a, p_a, R_b, p_b = (tuple(map(float, x)) for x in (X[:3, :3].ravel(), X[:3, 3], Y[:3, :3].ravel(), Y[:3, 3]))
        d, on_plane, on_shape, n = plane_and_shape(R_a, p_a, kind, size, 0, 14, R_b, p_b, POINTS)
        m = X[:3, 2]
        expected = -reach(kind, np.array([size]), False, Y[None], -m[None])[0] - m @ X[:3, 3]
        assert d == pytest.approx(expected, abs=1e-12)
        assert np.abs(np.array(on_shape) - on_plane - d * np.array(n)).max() < 1e-12
        assert abs(m @ (np.array(on_plane) - X[:3, 3])) < 1e-12
        assert height_over_plane(R_a, p_a, kind, size, 0, 14, R_b, p_b, POINTS) == pytest.approx(d, abs=1e-12)


def test_level_faces_and_edges_touch_at_their_middle() -> None:
    assert lowest(BOX, (0.1, 0.2, 0.3), 0, 0, (0.0, 0.0, -1.0), POINTS) == (0.0, 0.0, -0.3)
    s = 0.5**0.5
    assert lowest(BOX, (0.1, 0.2, 0.3), 0, 0, (s, 0.0, -s), POINTS) == (0.1, 0.0, -0.3)
    assert lowest(CAPSULE, (0.1, 0.2, 0.0), 0, 0, (1.0, 0.0, 0.0), POINTS) == (0.0, 0.0, 0.0)
    assert lowest(CYLINDER, (0.1, 0.2, 0.0), 0, 0, (0.0, 0.0, 1.0), POINTS) == (0.0, 0.0, 0.2)
    assert lowest(CYLINDER, (0.1, 0.2, 0.0), 0, 0, (0.0, -1.0, 0.0), POINTS) == (0.0, -0.1, 0.0)
