"""Putting legs together: smooth cubics through nodes, parts of a path, roundings within their bound."""

import numpy as np

import carpal
from carpal.planning.trajectories.chamfers import chamfered
from carpal.planning.trajectories.kernels.line_following import TASKS
from carpal.planning.trajectories.rounded_legs import hermite_path, rounded_path, shortened
from carpal.planning.trajectories.tool_lines import _LineFollower


def test_the_cubic_has_its_nodes_and_tangents():
    rng = np.random.default_rng(0)
    s, q, d = np.array([0.0, 0.4, 1.0, 1.1]), rng.normal(size=(4, 2)), rng.normal(size=(4, 2))
    path = hermite_path(s, q, d, ("a", "b"))
    for i in range(3):
        for place, x in ((i, 0.0), (i + 1, s[i + 1] - s[i])):
            at, rate, _ = path.on(np.array(i), np.array(x))
            assert np.allclose(at, q[place]) and np.allclose(rate, d[place])


def test_a_part_of_a_path_is_the_path():
    rng = np.random.default_rng(1)
    path = hermite_path(np.linspace(0, 2, 6), rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), ("a", "b", "c"))
    s, c = shortened(path, 0.33, 1.71)
    assert s[0] == 0.33 and s[-1] == 1.71
    for i in range(len(c)):
        x = np.linspace(0, s[i + 1] - s[i], 5)[:-1] + 1e-12
        values = sum(c[i, k] * x[:, None] ** k for k in range(4))
        assert np.allclose(values, path.at(s[i] + x)[0], atol=1e-9)


def followed(arm, q0, targets, corner):
    task = TASKS["point"]
    polygon = chamfered(task, targets, 0.8 * corner, 0.08)
    follower = _LineFollower(arm, None, task, 1e-5)
    report = follower.run(polygon.vertices, q0)
    assert report[0] == 0
    return polygon, follower.nodes[0, : int(report[1])].copy(), follower.frame


def test_roundings_are_smooth_and_within_their_bound():
    arm = carpal.load("sawyer")
    start = carpal.fk(arm, arm.q_home)[:3, 3]
    targets = np.zeros((4, 12))
    targets[:, 9:] = start + np.array([[0, 0, 0], [-0.2, 0, 0], [-0.2, 0.15, 0.1], [-0.3, 0.2, 0]])
    for corner in (0.03, 0.005):
        polygon, nodes, frame = followed(arm, arm.q_home, targets, corner)
        rounded = rounded_path(arm, frame, polygon, nodes, corner, 0.1)
        assert not len(rounded.path.corners) and len(rounded.tool_rate) == len(rounded.path.coefficients)
        p = carpal.fk(arm, rounded.path.at(rounded.marks)[0])[:, :3, 3]
        assert (np.linalg.norm(p - targets[:, 9:], axis=1) <= rounded.bound + 1e-5).all()
        assert (rounded.bound <= corner).all() and rounded.bound[1] > 0
    polygon, nodes, frame = followed(arm, arm.q_home, targets, 0.0)
    assert len(rounded_path(arm, frame, polygon, nodes, 0.0, 0.1).path.corners) == 2
