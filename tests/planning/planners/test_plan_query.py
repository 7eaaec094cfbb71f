"""Plans: free by MuJoCo's own check, same seed same bits, alone as in a batch, proofs, one sentence for what is wrong."""

import dataclasses

import numpy as np
import pytest
from planner_inputs import deepest_by_mujoco, path_samples, scene_checker, scene_pairs
from planning_scenes import boxes_and_spheres, cage, shelf, six_joint_arm, table
from random_models import random_chain

import carpal
from carpal.contact import collides, collision_checker
from carpal.errors import CarpalError, InputError, UnknownNameError
from carpal.model import Box, Scene, Sphere, TriangleMesh
from carpal.planning import plan, plan_each

pytestmark = pytest.mark.xdist_group("planners")  # one worker compiles the entry
PLANNERS = ("rrt_connect", "sbl", "est")


@pytest.mark.parametrize("planner", PLANNERS)
def test_plans_are_free_by_mujoco(planner, figure):
    starts, goals = scene_pairs()
    found = plan_each(scene_checker(), starts[:20], goals[:20], planner=planner, seed=np.arange(20))
    assert all(found), [str(result) for result in found if not result]
    worst = 0.0
    for i, result in enumerate(found):
        assert np.array_equal(result.path[0], starts[i]) and np.array_equal(result.path[-1], goals[i])
        worst = max(worst, deepest_by_mujoco(path_samples(result.path, 0.02)))
        assert result.cost <= result.cost_found * (1 + 1e-12) and result.deletions_left >= 0
        assert result.checks > 0 and sum(result.tree_sizes) >= 2
    figure(f"{planner}: overlap by MuJoCo along 20 plans, every 0.02 rad [m]", worst, 1e-6)


@pytest.mark.full
@pytest.mark.parametrize("planner", PLANNERS)
def test_plans_are_free_by_mujoco_in_full(planner, figure):
    starts, goals = (np.repeat(q, 10, axis=0) for q in scene_pairs())
    found = plan_each(scene_checker(), starts, goals, planner=planner, seed=np.arange(len(starts)))
    worst = max(deepest_by_mujoco(path_samples(result.path, 0.02)) for result in found if result)
    figure(f"{planner}: share of 600 questions answered", float(np.mean([r.ok for r in found])), 0.99, at_least=True)
    figure(f"{planner}: overlap by MuJoCo along their plans, every 0.02 rad [m]", worst, 1e-6)
    left = min(result.deletions_left for result in found)
    figure(f"{planner}: what the bound n_d on deleted edges left at least", left, 0, at_least=True)
    longer = max(result.cost / result.cost_found for result in found if result)
    figure(f"{planner}: length after over before shortening, largest", longer, 1 + 1e-12)


@pytest.mark.parametrize("planner", PLANNERS)
def test_same_seed_same_bits_alone_and_in_a_batch(planner):
    starts, goals = (q[:6] for q in scene_pairs())
    one = plan_each(scene_checker(), starts, goals, planner=planner, seed=np.arange(6), threads=1)
    two = plan_each(scene_checker(), starts, goals, planner=planner, seed=np.arange(6), threads=2)
    for i in range(6):
        alone = plan(scene_checker(), starts[i], goals[i], planner=planner, seed=i)
        for other in (one[i], two[i]):
            assert np.array_equal(alone.path, other.path)
            assert (alone.samples, alone.checks, alone.tree_sizes) == (other.samples, other.checks, other.tree_sizes)
    hard = int(np.argmax([result.samples for result in one]))
    others = [
        plan(scene_checker(), starts[hard], goals[hard], planner=planner, seed=s, simplify=False) for s in (50, 51)
    ]
    assert not np.array_equal(others[0].path, others[1].path)


@pytest.mark.parametrize("planner", ["rrt_connect", "est"])
def test_one_tree_grows_forward(planner):
    starts, goals = (q[:8] for q in scene_pairs())
    found = plan_each(scene_checker(), starts, goals, planner=planner, forward=True)
    assert all(found) and all(result.tree_sizes[1] == 1 for result in found)
    assert max(deepest_by_mujoco(path_samples(result.path, 0.02)) for result in found) <= 1e-6


def test_a_proof_sweeps_every_edge():
    starts, goals = (q[:6] for q in scene_pairs())
    for a, b in zip(starts, goals, strict=True):
        result = plan(scene_checker(), a, b, proof=True)
        assert result.proven and result.sweep() and "without gaps" in result.status
        assert deepest_by_mujoco(path_samples(result.path, 0.002)) <= 1e-6


def test_a_margin_is_kept():
    scene = boxes_and_spheres(0)
    wide = collision_checker(scene, margin=0.02)
    starts, goals = scene_pairs()
    free = ~(wide.collides(starts).hit | wide.collides(goals).hit)
    result = plan(wide, starts[free][0], goals[free][0])
    assert result.ok and result.margin == 0.02
    assert wide.distance(path_samples(result.path, 0.02)).distance.min() >= 0.02 - 1e-9


def test_objects_stay_and_can_be_held():
    scene = Scene("cell").add_robot(six_joint_arm(), name="arm")
    scene.add_object("ball", Sphere(0.05), mass=0.1, pose=[0.5, 0.6, 0.9])
    scene.add_fixed("wall", Box((0.05, 0.05, 0.9)), pose=[0.45, 0.0, 0.5])
    start, goal = np.array([0.6, 0.3, 0.2, 0, 0.3, 0]), np.array([-0.6, 0.3, 0.2, 0, 0.3, 0])
    result = plan(scene, start, goal)
    assert result.ok and result.model.nq == 6 and len(result.path) > 2
    carried = {"held": {"ball": ("arm/link_5", np.eye(4))}, "exclude": [("ball", "arm/link_5"), ("ball", "arm/link_4")]}
    held = plan(scene, start, goal, **carried)
    assert held.ok
    checks = path_samples(held.path, 0.02)
    full = np.tile(scene.build().q_home, (len(checks), 1))
    full[:, :6] = checks
    assert not collides(scene, full, **carried)


@pytest.mark.parametrize("make", [table, shelf, cage], ids=["table", "shelf", "cage"])
def test_six_joints_at_tables_shelves_and_in_cages(make):
    scene = make(six_joint_arm())
    from planning_scenes import free_pairs

    starts, goals = free_pairs(scene, 6, seed=3)
    found = plan_each(scene, starts, goals)
    assert np.mean([result.ok for result in found]) >= 0.8


BAD = [
    ({"start": np.full(7, np.nan)}, InputError, "start is not finite: joint 'arm/joint_0' is nan"),
    ({"goal": np.full(7, 3.0)}, InputError, "goal is out of limits: joint 'arm/joint_1' at 3"),
    ({"start": np.zeros(6)}, InputError, "start needs 7 numbers"),
    ({"goal": "there"}, InputError, "goal"),
    ({"planner": "prm"}, UnknownNameError, "rrt_connect"),
    ({"seed": -1}, InputError, "seed must be"),
    ({"seed": 0.5}, InputError, "seed must be"),
    ({"resolution": 0.0}, InputError, "resolution must be a number above zero"),
    ({"resolution": np.nan}, InputError, "resolution must be a number above zero"),
    ({"max_samples": 0}, InputError, "max_samples must be"),
    ({"neighbourhood": 2.0}, InputError, "at most 1"),
    ({"planner": "sbl", "forward": True}, InputError, "SBL needs both"),
    ({"scene": "boxes"}, InputError, "needs a Scene"),
    ({"margin": 0.01}, InputError, "prepared already"),
    ({"scene": random_chain(0, 3, kinds=("ball", "revolute"))}, CarpalError, "no two shapes"),
]


@pytest.mark.parametrize(("change", "error", "says"), BAD, ids=[row[2] for row in BAD])
def test_bad_input_gets_one_sentence(change, error, says):
    starts, goals = scene_pairs()
    asked = {"scene": scene_checker(), "start": starts[0], "goal": goals[0]} | change
    with pytest.raises(error, match=says) as caught:
        plan(asked.pop("scene"), asked.pop("start"), asked.pop("goal"), **asked)
    assert "\n" not in str(caught.value) and isinstance(caught.value, CarpalError)


def test_a_mesh_with_holes_is_a_sheet_or_refused():
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float) - [0.5, 0.5, 0]
    ground = TriangleMesh(corners, [[0, 1, 2], [0, 2, 3]])
    scene = Scene("terrain").add_robot(six_joint_arm(), name="arm").add_fixed("ground", ground, pose=[0, 0, -0.1])
    ends = np.zeros(6), np.array([0.5, 0.2, 0, 0, 0, 0])
    with pytest.raises(InputError, match=r"'ground' is a triangle mesh with holes \(4 open edges\).*sheets=True"):
        plan(scene, *ends)
    assert plan(scene, *ends, sheets=True).ok
    with pytest.raises(InputError, match="sheets=True"):
        plan_each(scene, *ends)


def test_a_joint_without_room_is_named():
    arm = six_joint_arm()
    body = arm.bodies[2]
    stuck = dataclasses.replace(body, joint=dataclasses.replace(body.joint, q_min=0.0, q_max=0.0))
    model = arm.replace(bodies=(*arm.bodies[:2], stuck, *arm.bodies[3:]), q_home=None)
    with pytest.raises(InputError, match="'joint_2' has no room to move"):
        plan(model, np.zeros(6), [0.5, 0, 0, 0, 0, 0])


def test_many_starts_must_fit_their_goals():
    with pytest.raises(InputError, match="starts and goals"):
        plan_each(scene_checker(), np.zeros((2, 7)), np.zeros((3, 7)))
    with pytest.raises(InputError, match="start 1 is out of limits"):
        plan_each(scene_checker(), [np.zeros(7), np.full(7, 9.0)], np.zeros(7))


def test_it_is_in_the_public_contract():
    assert carpal.plan is plan
