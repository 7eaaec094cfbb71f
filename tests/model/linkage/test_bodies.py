"""The closed loops as a mechanism: every joint gap is zero all along the curve, forces and drive are placed right."""

import json
from dataclasses import replace

import numpy as np
import pytest
from linkage_inputs import NAMES, linkage, loop_driven

from carpal.errors import ModelError
from carpal.model import Drive, Linkage, LinkageSpring, Mechanism, MechanismBody, RotaryActuator, SlotJoint
from carpal.model.linkage.bar_solids import flat_pose
from carpal.spatial import Inertia, pose, rotation_from_rpy

X_WL = pose(rotation_from_rpy((0.3, 1.2, -0.5)), (0.1, 0.2, -0.3))


def gaps(mechanism, poses):
    """Largest distance [m] between the two sides of every joint, bodies at given poses (name -> X_WB)."""
    worst = 0.0
    for joint in mechanism.joints:
        X_A, X_B = (np.eye(4) if side is None else poses[side] for side in (joint.a, joint.b))
        p = (X_A @ [*joint.p_AP, 1.0])[:3]
        if isinstance(joint, SlotJoint):
            first, second = ((X_B @ [*corner, 1.0])[:3] for corner in joint.path)
            s = (p - first) @ (second - first) / ((second - first) @ (second - first))
            assert 0 < s < 1
            worst = max(worst, np.linalg.norm(first + s * (second - first) - p))
        else:
            worst = max(worst, np.linalg.norm((X_B @ [*joint.p_BP, 1.0])[:3] - p))
    return worst


def measured(actuator, poses):
    X_A, X_B = (np.eye(4) if side is None else poses[side] for side in (actuator.a, actuator.b))
    if isinstance(actuator, RotaryActuator):
        R = X_A[:3, :3].T @ X_B[:3, :3]
        line = R @ actuator.line_B
        return np.arctan2(actuator.axis @ np.cross(actuator.line_A, line), actuator.line_A @ line)
    return np.linalg.norm((X_A @ [*actuator.p_AP, 1])[:3] - (X_B @ [*actuator.p_BP, 1])[:3])


@pytest.mark.parametrize("name", [*NAMES, "loop_driven"])
def test_joints_stay_closed_and_the_actuator_measures_the_drive(name, figure):
    made = loop_driven() if name == "loop_driven" else linkage(name)
    curve, mechanism = made.curve(), made.mechanism(X_WL)
    assert len(mechanism.joints) == 2 * len(made.pins) + 3 * len(made.slides) and mechanism.commands == 1
    worst = off = 0.0
    for drive in np.linspace(made.drive.start, made.drive.stop, 20):
        poses = {bar: X_WL @ flat_pose(*curve.poses(drive)[made.index[bar]]) for bar in made.moving}
        worst = max(worst, gaps(mechanism, poses))
        off = max(off, abs(measured(mechanism.actuators[0], poses) - drive))
    figure(f"{name}: joint gaps of the mechanism along the curve [m]", worst, 1e-15)
    figure(f"{name}: actuator's measure against the drive [rad, m]", off, 1e-14)
    start = {body.name: body.X_WB for body in mechanism.bodies}
    assert gaps(mechanism, start) < 5e-16


def test_it_starts_anywhere_in_the_stroke_and_survives_json():
    made = linkage("six_bar_finger")
    mechanism = made.mechanism(X_WL, drive=0.015, prefix="index/", command=3, gravity=(0, 0, 0))
    assert mechanism.actuators[0].target == 0.015 and mechanism.commands == 4
    assert mechanism.bodies[0].name == "index/proximal"
    assert mechanism.springs[0].rest == pytest.approx(np.radians(5))
    text = json.dumps(mechanism.to_dict(), allow_nan=False)
    assert json.dumps(Mechanism.from_dict(json.loads(text)).to_dict()) == text


def test_a_palm_may_carry_it():
    palm = MechanismBody("palm", Inertia(0.4, (0, 0, 0), 1e-3 * np.eye(3)), pose(p=(0.1, 0, 0)) @ X_WL)
    mechanism = linkage("crossed_finger").mechanism(X_WL, ground=palm)
    assert mechanism.bodies[0] is palm and not any(None in (joint.a, joint.b) for joint in mechanism.joints)
    assert gaps(mechanism, {body.name: body.X_WB for body in mechanism.bodies}) < 5e-16


def test_linear_springs_are_actuators_with_a_constant_target():
    made = linkage("crank_slider")
    made = Linkage(
        made.name,
        made.bars,
        made.pins,
        made.drive,
        made.slides,
        (LinkageSpring("k", "ground.A", "block.C", 400.0, 0.05, 2.0),),
    )
    spring = made.mechanism().actuators[1]
    assert (spring.name, spring.P, spring.D, spring.target, spring.command) == ("k", 400.0, 2.0, 0.05, None)


def test_missing_masses_and_slides_through_zero_are_refused():
    made = linkage("crank_slider")
    with pytest.raises(ModelError, match="no mass for rod"):
        replace(made, bars=[replace(bar, mass=None) if bar.name == "rod" else bar for bar in made.bars]).mechanism()
    ground = replace(made.bars[0], points={**made.bars[0].points, "S": (0.12, 0.006)})
    guide = replace(made.slides[0], travel=-0.02)
    moved = Linkage(made.name, (ground, *made.bars[1:]), made.pins, Drive("slide", "s", -0.02, -0.03), (guide,))
    assert moved.curve().closed_form
    with pytest.raises(ModelError, match="move the guide's first point back"):
        moved.mechanism()
