"""Independent and dependent joints, and configurations in which loops are closed."""

from __future__ import annotations

import dataclasses

import numpy as np
from constrained_models import LIGHT, at, five_bar, four_bar, hinge, mimic_arm, rod_model
from extended_models import extended_model

from carpal.model import Actuator, Loop, Model
from carpal.model.loop_kinematics import follow_leaders, loop_rows
from carpal.model.loop_partition import closing_rows, dependent_rows


def test_driven_and_inner_joints_stay_independent():
    assert four_bar().independent_joints == ("crank",)
    assert four_bar(actuators=(Actuator("motor", joint="rocker"),)).independent_joints == ("rocker",)
    assert five_bar().dependent_joints == ("right_coupler", "left_coupler")
    assert extended_model().independent_joints == ()  # three hinges, a coupling, and a pin in their plane
    assert mimic_arm(True).dependent_joints == ("j5", "finger2")


def test_joints_with_springs_stay_independent_where_others_can_close_the_loop():
    bodies = list(four_bar().bodies)
    bodies[2] = dataclasses.replace(bodies[2], joint=dataclasses.replace(bodies[2].joint, stiffness=5.0))
    assert four_bar().replace(bodies=tuple(bodies)).independent_joints == ("rocker",)


def test_a_rods_spin_costs_no_freedom():
    model = rod_model()
    # 5 velocities, 3 equations; the rod's spin about its own line moves nothing
    assert len(model.dependent_joints) == 2 and "rod" in model.dependent_joints
    assert model.independent_joints in (("crank",), ("lever",))


def test_a_dead_point_at_home_does_not_hide_a_dependent_joint():
    b, c, d = 0.5, 0.4, 0.3
    straight = four_bar().replace(
        q_home=np.zeros(3), loops=(Loop("pin", "connect", "coupler", "rocker", at(b), at(c)),)
    )
    bodies = list(straight.bodies)
    bodies[2] = dataclasses.replace(bodies[2], joint=hinge("rocker", d), inertia=LIGHT)
    model = Model("folded", tuple(bodies), loops=straight.loops)  # 0.2 + 0.5 = 0.3 + 0.4: closed at zero, all in line
    assert np.abs(loop_rows(model, model.q_home)[0]).max() < 1e-15
    assert len(model.dependent_joints) == 2


def test_joints_below_both_sides_of_a_loop_do_not_close_it():
    model = four_bar()
    rows = closing_rows(model)
    assert rows == [1, 2, 3]
    base = dataclasses.replace(model.bodies[0], name="base", joint=hinge("base", 0.0))
    lifted = [dataclasses.replace(body, parent=body.parent or "base") for body in model.bodies]
    on_base = Model("lifted", (base, *lifted), loops=model.loops)
    assert closing_rows(on_base) == [2, 3, 4] and dependent_rows(on_base) == [3, 4]
    assert on_base.independent_joints == ("base", "crank")


def test_an_assembled_model_has_a_home_that_satisfies_its_constraints():
    opened = four_bar().replace(q_home=np.array([0.4, 0.2, 1.0]))
    model = opened.assembled()
    assert np.abs(loop_rows(model, model.q_home)[0]).max() <= 1e-12
    assert model.q_home[0] == 0.4  # the crank stays
    assert model.assembled() is model
    tied = mimic_arm().replace(q_home=np.array([0.1, 0.4, -0.3, 0.2, 0.3, 0.1, 0.02, 0.0])).assembled()
    assert np.array_equal(tied.q_home, follow_leaders(tied, tied.q_home)) and tied.q_home[7] == 0.02


def test_a_loop_that_cannot_close_is_named_in_the_notes():
    far = four_bar().replace(loops=(Loop("pin", "connect", "coupler", "rocker", at(0.1), at(0.1)),))
    assert any("loop 'pin' does not close" in note for note in far.assembled().notes)
    near = four_bar().replace(q_home=np.array(four_bar().q_home) + np.array([0.0, 0.01, 0.0])).assembled()
    assert any("loops are open by 0.00" in note and "moved by up to 0.01" in note for note in near.notes)
    assert near.assembled().notes == near.notes
