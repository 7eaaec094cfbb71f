import numpy as np

from carpal.perception import in_view, looking_at


def test_camera_view():
    X = looking_at((0, 0, 1.0), (1.0, 0, 0.0))
    assert in_view(X, np.array([1.0, 0, 0]), 0.5, 0.5)
    assert not in_view(X, np.array([-1.0, 0, 2.0]), 3.0, 3.0)  # behind
    assert not in_view(X, np.array([1.0, 1.0, 0]), 0.5, 0.5)


def test_a_camera_looks_along_its_z_with_y_down():
    X = looking_at((0, 0, 1.0), (1.0, 0, 1.0))
    assert np.allclose(X[:3, 2], (1, 0, 0))
    assert np.allclose(X[:3, 1], (0, 0, -1))
    assert np.isclose(np.linalg.det(X[:3, :3]), 1)
