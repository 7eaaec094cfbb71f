"""Paths that keep something: by dense samples of plain forward kinematics, free by MuJoCo, motions too."""

import numpy as np
import pytest
from planner_inputs import deepest_by_mujoco, path_samples, scene_checker, scene_pairs

import carpal
from carpal.errors import InputError
from carpal.planning import PoseGoal, keep_direction, keep_on_line, keep_on_plane, plan, plan_each

MODEL = scene_checker().model


def start_and_pose(i: int) -> tuple[np.ndarray, np.ndarray]:
    q = scene_pairs()[0][i]
    return q, carpal.fk(MODEL, q)


def angles(q: np.ndarray, axis: np.ndarray) -> np.ndarray:
    return np.arccos(np.clip((carpal.fk(MODEL, q)[:, :3, :3] @ axis)[:, 2], -1, 1))


def test_a_direction_is_kept_along_path_and_motion():
    found = 0
    for i in range(6):
        start, X = start_and_pose(i)
        axis = X[:3, :3].T @ [0, 0, 1.0]
        goal = X.copy()
        goal[:3, 3] += [-0.1, 0.1, 0.05]
        upright = keep_direction((0, 0, 1), 0.15, axis=axis)
        result = plan(
            scene_checker(), start, PoseGoal(goal, position=0.03, angle=(0, 0, np.pi)), constraints=[upright],
            max_samples=300, seed=i,
        )  # fmt: skip
        if not result:
            assert result.ended_by in ("samples", "ends", "goal")
            continue
        found += 1
        q = path_samples(result.path, 0.005)
        assert angles(q, axis).max() <= result.kept[0] <= 0.15 and result.proven
        assert deepest_by_mujoco(q[::4]) < 1e-6
        motion = result.trajectory(v_max=1.5, vdot_max=5.0, jerk_max=100.0)
        assert angles(motion.sample(0.01)[0], axis).max() < 0.15
    assert found >= 3


@pytest.mark.parametrize("kind", ["plane", "line"])
def test_planes_and_lines_are_kept(kind):
    start, X = start_and_pose(0)
    along = np.array([0.0, -0.6, 0.8])
    p = X[:3, 3]
    kept = keep_on_plane(p, (1, 0, 0), 0.004) if kind == "plane" else keep_on_line(p, along, 0.004)
    result = plan(scene_checker(), start, PoseGoal(p + 0.08 * along), constraints=kept, max_samples=300)
    assert result, result.status
    off = carpal.fk(MODEL, path_samples(result.path, 0.005))[:, :3, 3] - p
    far = np.abs(off[:, 0]) if kind == "plane" else np.linalg.norm(np.cross(off, along), axis=1)
    assert far.max() <= result.kept[0] <= 0.004 and far[-1] < 1e-5
    again = plan_each(
        scene_checker(), start, [PoseGoal(p + 0.08 * along)], constraints=kept, max_samples=300
    )[0]  # fmt: skip
    assert np.array_equal(again.path, result.path)


def test_what_cannot_be_kept_is_said():
    start, X = start_and_pose(0)
    upright = keep_direction((0, 0, 1), 0.05, axis=X[:3, :3].T @ [0, 0, 1.0])
    goal = scene_pairs()[1][0]
    assert (
        "no configuration of the goal keeps the direction"
        in plan(scene_checker(), start, goal, constraints=[upright]).status
    )
    off = plan(scene_checker(), start, goal, constraints=[keep_on_plane(X[:3, 3] + [0, 0, 0.02], (0, 0, 1), 0.01)])
    assert not off and "the start does not keep the plane within 10 mm: it is 20 mm away" in off.status
    for bad in (3, ["up"], "up"):
        with pytest.raises(InputError, match="constraints must be a list"):
            plan(scene_checker(), start, goal, constraints=bad)
    with pytest.raises(InputError, match="planner of their own"):
        plan(scene_checker(), start, goal, constraints=[upright], planner="sbl")
