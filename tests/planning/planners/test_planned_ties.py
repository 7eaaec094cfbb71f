"""Planning with couplings and loops: every configuration of a path satisfies them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from constrained_models import at, five_bar, mimic_arm

from carpal.contact import collides, collision_checker
from carpal.errors import InputError
from carpal.kinematics import constraint_residual, random_configurations, satisfy_constraints
from carpal.model import Body, Box, Coupling, Joint, Model, PlacedShape, Scene, Sphere
from carpal.planning import plan, plan_each
from carpal.planning.planners.planned_ties import check_held, follower_ranges, held_columns, planned_ties
from carpal.planning.planners.search_settings import search_limits
from carpal.spatial import Inertia


def cell(model: Model) -> Scene:
    scene = Scene("cell")
    scene.add_robot(model, name="arm")
    scene.add_fixed("wall", Box([0.05, 0.3, 0.3]), pose=at(0.45, 0.0, 0.6))
    return scene


@pytest.mark.parametrize("on_chain", [False, True], ids=["mimic fingers", "curved coupling in the arm"])
@pytest.mark.parametrize("planner", ["rrt_connect", "sbl", "est"])
def test_paths_satisfy_couplings(planner, on_chain):
    model = mimic_arm(on_chain)
    scene = cell(model)
    built = scene.build()
    q = random_configurations(built, 60, seed=3)
    q = q[~collides(built, q).hit][:16]
    results = plan_each(scene, q[:8], q[8:], planner=planner, seed=1)
    for i, result in enumerate(results):
        assert result.ok, result.status
        assert np.abs(constraint_residual(built, result.path)).max() <= 1e-12
        assert ((result.path >= built.q_min) & (result.path <= built.q_max)).all()
        assert not collides(built, result.path)
        np.testing.assert_allclose(result.path[[0, -1]], [q[i], q[8 + i]], atol=1e-12)
        if not on_chain:  # straight edges between two satisfied ends are satisfied all along
            middle = 0.5 * (result.path[1:] + result.path[:-1])
            assert np.abs(constraint_residual(built, middle)).max() <= 1e-15
    if on_chain:  # points of the path are so near that the curve between them is the chord but for a little
        steps = np.abs(np.diff(results[0].path, axis=0)).max()
        middle = 0.5 * (results[0].path[1:] + results[0].path[:-1])
        assert steps <= 0.03 and np.abs(constraint_residual(built, middle)).max() <= 1e-4
    assert np.array_equal(plan(scene, q[0], q[8], planner=planner, seed=1).path, results[0].path)


def test_ends_that_violate_a_coupling_are_refused_with_the_residual():
    model = mimic_arm()
    q = np.array(model.q_home)
    wrong = q.copy()
    wrong[7] = 0.03
    with pytest.raises(
        InputError, match=r"the goal violates .* coupling 'arm/fingers' of joint 'arm/finger2' is off by 0\.01"
    ):
        plan(cell(model), q, wrong)


def with_loop() -> Model:
    """Two slides in a plane with an obstacle between, and a gripper of two fingers whose bar closes a loop."""
    inertia = Inertia(1.0, np.zeros(3), np.eye(3))
    x = Joint("x", "prismatic", axis=np.array([1.0, 0, 0]), q_min=-1.0, q_max=1.0)
    y = Joint("y", "prismatic", axis=np.array([0, 1.0, 0]), q_min=-1.0, q_max=1.0)
    bodies = [Body("x", None, x, inertia), Body("y", "x", y, inertia)]
    for body in five_bar().bodies:
        bodies.append(dataclasses.replace(body, parent=body.parent or "y"))
    return Model(
        "carriage", tuple(bodies), loops=five_bar().loops, q_home=np.concatenate([[-0.8, 0.0], five_bar().q_home]),
        shapes=(PlacedShape("ball", "y", Sphere(0.1)), PlacedShape("tip", "left_coupler", Sphere(0.05), at(0.4)),
                PlacedShape("wall", None, Box([0.05, 0.5, 0.5]), at(0.0, -0.2))),
    )  # fmt: skip


def test_with_a_payload_joints_of_loops_are_held_still():
    model = with_loop()
    assert held_columns(model).tolist() == [2, 3, 4, 5] and held_columns(model, with_payload=False).tolist() == []
    q = np.array(model.q_home)
    far = satisfy_constraints(model, q + np.array([0, 0, 0.1, 0, 0.1, 0])).q
    with pytest.raises(
        InputError, match=r"moves 0\.1.* from start to goal, but a loop ties it \('pin'\): with a payload"
    ):
        check_held(model, q[None], far[None])
    still = planned_ties(model, q[2:])
    assert len(still.couplings) == 4 and len(still.tables.loops) == 0 and not still.bent and still.drawn.all()


def test_joints_that_close_loops_are_not_drawn():
    ties = planned_ties(with_loop())
    model = with_loop()
    assert {model.joint_names[j] for j in np.flatnonzero(ties.drawn == 0)} == set(model.dependent_joints)
    assert ties.bent and ties.steepest == 2.0 and len(ties.tables.loops) == 1


def test_ranges_of_followers_come_from_their_leaders():
    model = mimic_arm(True)
    ties = planned_ties(model)
    assert ties.bent and ties.steepest > 1.0 and len(ties.tables.couplings) == 2
    low, high = search_limits(model, np.stack([model.q_home]), ties.couplings)
    x = np.linspace(low[1], high[1], 2001) + 0.1
    y = 0.05 + 0.1 - 0.5 * x + 0.2 * x * x
    assert (low[4], high[4]) == pytest.approx((y.min(), y.max()), abs=1e-3)
    bodies = (Body("a", None, Joint("a", "revolute", q_min=-2.0, q_max=2.0)),
              Body("b", "a", Joint("b", "revolute", q_min=0.5, q_max=4.0)))  # fmt: skip
    apart = Model("apart", bodies, couplings=(Coupling("square", "b", "a", (0.0, 0.0, 1.0)),))
    with pytest.raises(InputError, match=r"joint 'b' leaves its limits \[0.5, 4\] where coupling 'square' puts it"):
        follower_ranges(apart, apart.couplings, *(np.array(limits) for limits in apart.coupled_limits))


def test_a_loop_of_fixed_joints_is_left_out():
    model = with_loop()
    checker = collision_checker(model, joints=["x", "y"])
    assert checker.model.joint_names == ("x", "y") and checker.model.loops == ()
    moving = collision_checker(model, joints=["left", "right"]).model
    assert moving.joint_names == ("right", "right_coupler", "left", "left_coupler") and len(moving.loops) == 1
    scene = cell(mimic_arm())
    assert collision_checker(scene, joints=["arm/j1", "arm/finger1"]).model.joint_names[1:] == (
        "arm/finger1",
        "arm/finger2",
    )
    assert collision_checker(scene, joints=["arm/j1"]).model.couplings == ()
    with pytest.raises(InputError, match="joint 'arm/finger2' follows 'arm/finger1'"):
        collision_checker(scene, joints=["arm/finger2"])
