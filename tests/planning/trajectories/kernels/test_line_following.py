"""Nodes lie on their line to 1e-10, tangents are derivatives, the cubic between them stays within the accuracy."""

import numpy as np
import pytest

import carpal
from carpal.planning.trajectories.kernels import line_following as lines
from carpal.planning.trajectories.rounded_legs import hermite_path
from carpal.planning.trajectories.tool_lines import _LineFollower


def vertices_of(p, d):
    out = np.zeros((len(p), 12))
    out[:, :3], out[:, 9:] = d, p
    return out


@pytest.mark.parametrize("accuracy", [1e-4, 1e-6])
def test_nodes_tangents_and_what_is_between(accuracy, figure):
    arm = carpal.load("k10")
    vertices = vertices_of([[0.4, 0, 0.2], [0.3, 0.3, 0.3]], [[0, 0, -1.0], [0.6, 0, -0.8]])
    follower = _LineFollower(arm, None, lines.TASKS["point and direction"], accuracy)
    q0 = carpal.kinematics.ik_all(arm, (vertices[0, 9:].copy(), vertices[0, :3].copy())).q[0]
    report = follower.run(vertices, q0)
    assert report[lines.OUTCOME] == lines.DONE
    nodes = follower.nodes[0, : int(report[lines.NODES])]
    share, q, dq = nodes[:, 1], nodes[:, 2:7], nodes[:, 7:]
    assert share[0] == 0.0 and share[-1] == 1.0 and (np.diff(share) > 0).all()
    p = vertices[0, 9:] + share[:, None] * (vertices[1, 9:] - vertices[0, 9:])
    figure("nodes away from their line [m]", np.abs(carpal.fk(arm, q)[:, :3, 3] - p).max(), 1e-9)
    path = hermite_path(share, q, dq, arm.joint_names)
    s = np.linspace(0, 1, 501)
    X = carpal.fk(arm, path.at(s)[0])
    away = np.abs(X[:, :3, 3] - vertices[0, 9:] - s[:, None] * (vertices[1, 9:] - vertices[0, 9:])).max()
    figure(f"between nodes, share of the accuracy {accuracy:g} m", away / accuracy, 1.2)
    rate = np.gradient(X[:, :3, 3], s, axis=0)[5:-5]
    assert np.allclose(rate, vertices[1, 9:] - vertices[0, 9:], atol=1e-3 + 300 * accuracy)


def test_a_limit_names_its_joint():
    arm = carpal.load("k10")
    follower = _LineFollower(arm, None, lines.TASKS["point and direction"], 1e-5)
    narrow = follower.constants[0].q_max.copy()
    narrow[0] = 0.2  # the waist may not turn further, and five joints have no other solution
    follower.constants = follower.constants[0]._replace(q_max=narrow), *follower.constants[1:]
    q0 = np.array([0.0, -0.3, 0.9, 0.3, 0.5])
    X = carpal.fk(arm, np.array([q0, q0 + np.array([0.6, 0, 0, 0, 0])]))
    vertices = vertices_of(X[:, :3, 3], X[:, :3, :3] @ arm.tool_axis)
    report = follower.run(vertices, q0)
    assert report[lines.OUTCOME] == lines.LOST and report[lines.JOINT] == 0 and 0.1 < report[lines.SHARE] < 0.6
    assert follower.nodes[0, int(report[lines.NODES]), 2] == pytest.approx(0.2, abs=1e-4)


def test_out_of_reach_names_no_joint():
    arm = carpal.load("k10")
    follower = _LineFollower(arm, None, lines.TASKS["point"], 1e-5)
    q0 = np.array([0.0, -0.3, 0.2, 0.0, 0.5])
    start = carpal.fk(arm, q0)[:3, 3]
    report = follower.run(vertices_of([start, start + np.array([1.0, 0, 0])], np.zeros((2, 3))), q0)
    assert report[lines.OUTCOME] == lines.LOST and report[lines.SHARE] > 0 and report[lines.JOINT] < 0


def test_a_start_that_is_not_reached_is_said():
    arm = carpal.load("k10")
    follower = _LineFollower(arm, None, lines.TASKS["point"], 1e-5)
    report = follower.run(vertices_of([[3.0, 0, 0], [0.4, 0, 0]], np.zeros((2, 3))), np.zeros(5))
    assert report[lines.OUTCOME] == lines.START_AWAY
