"""The nearest reachable answer: inside the limits, and nothing sampled comes nearer."""

import numpy as np
import pytest
from pointing_checks import pointing_axis

import carpal
from carpal.errors import UnknownNameError
from carpal.kinematics import ik_all, random_configurations


def sampled(model, point, direction):
    """Errors of many random configurations."""
    X = carpal.fk(model, random_configurations(model, 60_000, seed=3))
    p = np.linalg.norm(X[:, :3, 3] - point, axis=1)
    d = np.arccos(np.clip((X[:, :3, :3] @ pointing_axis(model)) @ direction, -1, 1))
    return p, d


@pytest.mark.parametrize("name", ["k10", "so101_old"])
def test_nothing_sampled_comes_nearer(name, figure):
    model = carpal.load(name)
    rng = np.random.default_rng(5)
    beaten = {"position": 0, "direction": 0}
    for _ in range(6):
        point, direction = rng.uniform(-0.6, 0.6, 3), rng.normal(size=3)
        direction /= np.linalg.norm(direction)
        p, d = sampled(model, point, direction)
        for prefer in beaten:
            result = ik_all(model, (point, direction), prefer=prefer)
            if result.ok:
                continue
            near = result.nearest
            assert ((near.q >= model.q_min) & (near.q <= model.q_max)).all() and near.prefer == prefer
            X = carpal.fk(model, near.q)
            assert abs(np.linalg.norm(X[:3, 3] - point) - near.position_error) < 1e-12
            way = X[:3, :3] @ pointing_axis(model)
            angle = np.arctan2(np.linalg.norm(np.cross(way, direction)), way @ direction)
            assert abs(angle - near.angle_error) < 1e-7
            first, second = (p, d) if prefer == "position" else (d, p)
            mine = (near.position_error, near.angle_error)[:: 1 if prefer == "position" else -1]
            beaten[prefer] += (first < mine[0] - 1e-6).any()
            # among samples whose first aim is as good, none has a better second one
            beaten[prefer] += ((first <= mine[0] + 1e-9) & (second < mine[1] - 1e-6)).any()
    for prefer, count in beaten.items():
        figure(f"nearest answer, {name}, {prefer} first: beaten by one of 60,000 samples, times", count, 0)


def test_a_point_that_can_be_reached_is_kept():
    """so101_old pointing out of its plane: position first keeps the point, direction first keeps the direction."""
    model = carpal.load("so101_old")
    q = np.array([0.2, -0.3, 0.4, 0.5, 0.1])
    X = carpal.fk(model, q)
    direction = X[:3, :3] @ model.tool_axis
    aside = direction + 0.3 * np.cross(direction, (0.0, 0.0, 1.0))
    first = ik_all(model, (X[:3, 3], aside)).nearest
    assert first.position_error < 1e-7 and 0.01 < first.angle_error < np.arctan(0.3) + 1e-6
    second = ik_all(model, (X[:3, 3], aside), prefer="direction").nearest
    assert second.angle_error < 1e-7 and 0.001 < second.position_error < 0.2


def test_unknown_preference():
    with pytest.raises(UnknownNameError, match="did you mean 'position'"):
        ik_all(carpal.load("k10"), ((9.0, 0, 0), (0, 0, 1)), prefer="positon")
