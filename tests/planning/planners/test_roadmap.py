"""Roadmaps: proven paths by MuJoCo and plain checks, after moves as in a scene that is built again, the same bits each time."""

import numpy as np
import pytest
from planner_inputs import deepest_by_mujoco, path_samples, scene_checker, scene_pairs

import carpal
from carpal.contact import collides, moved_tables
from carpal.errors import InputError, UnknownNameError
from carpal.planning import PoseGoal, build_roadmap, plan


def test_queries_are_free_repeatable_and_leave_no_trace():
    roadmap, (starts, goals) = build_roadmap(scene_checker(), nodes=400, seed=1), scene_pairs()
    assert 0 < roadmap.proven_edges < roadmap.edges and roadmap.nodes == 400 and "400 nodes" in str(roadmap)
    before = roadmap.nodes, roadmap.edges
    first = [roadmap.plan(a, b) for a, b in zip(starts[:10], goals, strict=False)]
    assert (roadmap.nodes, roadmap.edges) == before
    assert all(first) and sum(result.planner == "roadmap" for result in first) >= 8
    for a, b, result in zip(starts, goals, first, strict=False):
        assert np.array_equal(result.path[0], a) and np.allclose(result.path[-1], b, atol=1e-12)
        assert result.proven and deepest_by_mujoco(path_samples(result.path, 0.01)) < 1e-6
        assert np.array_equal(roadmap.plan(a, b).path, result.path)
    other = build_roadmap(scene_checker(), nodes=400, seed=1)
    assert np.array_equal(other.plan(starts[3], goals[3]).path, first[3].path)


def test_after_a_move_paths_are_free_where_the_shape_is_now():
    roadmap, (starts, goals) = build_roadmap(scene_checker(), nodes=400, seed=2), scene_pairs()
    rng = np.random.default_rng(5)
    tables, found = scene_checker().tables, 0
    at = {shape.name: shape.X_BS[:3, 3] for shape in tables.model.shapes if shape.body is None}
    for k in range(24):
        name = sorted(at)[k % len(at)]
        to = at[name] + rng.normal(size=3) * 0.05
        roadmap.move(name, to)
        tables = moved_tables(tables, {name: to})
        result = roadmap.plan(starts[k % 8], goals[k % 8])
        if result:
            found += 1
            assert not collides(tables, path_samples(result.path, 0.01)).hit.any() and result.sweep().ok.all()
        else:
            assert result.ended_by in ("ends", "time", "proof")
    assert found >= 8
    roadmap.refresh()
    assert roadmap.proven_edges > 0


def test_poses_and_ends_that_touch():
    roadmap, (starts, goals) = build_roadmap(scene_checker(), nodes=200), scene_pairs()
    X = carpal.fk(roadmap.model, goals[0])
    result = roadmap.plan(starts[0], [PoseGoal(X), goals[1]])
    assert result and (result.goal_index == 1 or np.abs(carpal.fk(roadmap.model, result.path[-1]) - X).max() < 1e-6)
    q = np.random.default_rng(0).uniform(-1.5, 1.5, (300, 7))
    touching = q[scene_checker().collides(q).hit][0]
    assert "the goal touches" in roadmap.plan(starts[0], touching).status
    assert roadmap.plan(starts[0], PoseGoal([9.0, 0, 0])).ended_by == "goal"


def test_bad_roadmaps_are_refused():
    for bad in ({"nodes": 0}, {"nodes": 2.5}, {"neighbours": 33}):
        with pytest.raises(InputError, match="must be a whole number from 1"):
            build_roadmap(scene_checker(), **bad)
    with pytest.raises(InputError, match="proven on spheres"):
        build_roadmap(scene_checker(), planner="sbl")
    with pytest.raises(UnknownNameError, match="standing shape"):
        build_roadmap(scene_checker(), nodes=5).move("crate", [0, 0, 0])
    assert plan(scene_checker(), *(ends[0] for ends in scene_pairs()))
