"""Why there is none: true sentences, checked by forward kinematics on grids."""

import re

import numpy as np
import pytest
from closed_form_robots import robot
from pointing_checks import targets

import carpal
from carpal.kinematics import ik_all, random_configurations

K10 = carpal.load("k10")
DOWN = (0.0, 0.0, -1.0)


def amount(text):
    """The first number with a unit in a sentence, in metres or degrees."""
    value, unit = re.search(r"([\d.e-]+) (mm|m|deg|rad)\b", text).groups()
    return float(value) * (0.001 if unit == "mm" else 1.0)


def wrist_distances():
    """(least, most) distance of the K10's wrist from its shoulder, by forward kinematics over the elbow's angle."""
    q = np.zeros((20001, 5))
    q[:, 2] = np.linspace(-np.pi, np.pi, 20001)
    r = np.linalg.norm(carpal.fk(K10, q)[:, :3, 3] - (0, 0, 0.112), axis=1)
    return r.min(), r.max()


def test_too_far_and_too_near_by_how_much():
    least, most = wrist_distances()
    for distance in (0.7, 2.0, 50.0):
        text = ik_all(K10, ((distance, 0.0, 0.112), DOWN)).status
        assert text.startswith("too far") and amount(text) == pytest.approx(distance - most, rel=1e-3)
    text = ik_all(K10, ((0.03, 0.0, 0.112), DOWN)).status
    assert text.startswith("too near") and amount(text) == pytest.approx(least - 0.03, rel=1e-3)


def test_the_hollow_by_how_much():
    point = np.array([0.1, 0.0, 0.45])
    text = ik_all(K10, (point, DOWN)).status
    assert text.startswith("inside the hollow around the axis of waist")
    q = np.zeros((400001, 5))
    q[:, 2] = np.linspace(0, np.pi, 400001)
    r = np.linalg.norm(carpal.fk(K10, q)[:, :3, 3] - (0, 0, 0.112), axis=1)
    bend = q[np.argmin(np.abs(r - np.linalg.norm(point - (0, 0, 0.112)))), 2]
    q[:, 2], q[:, 1] = bend, np.linspace(-np.pi, np.pi, 400001)
    assert amount(text) == pytest.approx(0.45 - carpal.fk(K10, q)[:, 2, 3].max(), rel=1e-3)


def test_which_limit_by_how_much():
    q = np.array([0.3, 0.9, 0.8, 0.4, 0.6])  # the shoulder ends at 0.4
    result = ik_all(K10, targets(K10, q))
    assert len(result) == 8 and not result.ok
    text = result.status
    match = re.search(r"shoulder would have to go ([\d.]+) rad beyond its q_max \(0.4\)", text)
    assert match, text
    least = np.maximum(np.maximum(K10.q_min - result.q, result.q - K10.q_max), 0).max(axis=1).min()
    assert least > 0.1 and (f"{least:.4g}" in text)


def test_out_of_the_plane_by_how_many_degrees():
    model = robot("planar", 2)
    q = random_configurations(model, 20, seed=1)
    p, d = targets(model, q)
    # the plane's normal: the directions that two pitch angles give span it
    bent = q.copy()
    bent[:, model.q_index("joint_3")] += 0.5
    normal = np.cross(d, targets(model, bent)[1])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    angle = np.radians(7.0)
    result = ik_all(model, (p, np.cos(angle) * d + np.sin(angle) * normal))
    for i in range(20):
        assert result.count[i] == 0 and "out of the arm's plane" in result.explain((i,))
        # the arm may also hold the point facing the other way, in another plane that is nearer to the direction
        assert 0 < amount(result.explain((i,))) <= 7.0 + 1e-3
    assert sum(abs(amount(result.explain((i,))) - 7.0) < 1e-3 for i in range(20)) >= 10


def test_so101_says_what_is_wrong():
    model = carpal.load("so101_old")
    assert "at least" in ik_all(model, ((0.0, -2.0, 0.1), (1.0, 0.3, 0.2))).status
    far = ik_all(model, ((0.0, -0.45, 0.1), DOWN)).status
    assert far.startswith("too far: with this direction")
    near = ik_all(model, ((0.0, -0.06, 0.13), DOWN))
    assert not near.ok and near.count == 4 and near.status.startswith("outside the limits: 4 solutions")
    nearest = min(np.maximum(q - model.q_max, model.q_min - q).max() for q in near.q[:4])
    assert nearest > 0.1 and f"wrist_flex would have to go {nearest:.4g} rad beyond its q_max" in near.status
    assert ik_all(model, ((0.0, -0.2, 0.1), DOWN)).ok


def test_a_tool_off_its_line():
    model = robot("offset elbow, tool off its line", 1)
    far = ik_all(model, ((9.0, 0.0, 0.0), DOWN)).status
    assert far.startswith("too far") and "however the tool is rolled" in far
    rng = np.random.default_rng(0)
    p, _ = targets(model, random_configurations(model, 60, seed=2))
    texts = [ik_all(model, (point, rng.normal(size=3))).status for point in p]
    assert any("all roots of the roll equation were examined" in text for text in texts)
    assert any("solutions" in text for text in texts)
