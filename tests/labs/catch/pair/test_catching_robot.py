"""An arm and a hand that catch: what is whose, which way drives close, where a hand is put."""

import numpy as np
import pytest
from catch_inputs import panda_pair, toy_hand

from carpal.contact import collides
from carpal.errors import CarpalError
from carpal.labs.catch.pair.catching_robot import catching_robot, posture_of, servo_actuators, tip_points


def test_a_robot_with_its_own_hand():
    robot = panda_pair().robot
    assert robot.base == "panda_hand" and robot.arm_joints == tuple(f"panda_joint{i}" for i in range(1, 8))
    assert [(d.joint, d.opened, d.closed) for d in robot.drives] == [
        ("panda_finger_joint1", 0.04, 0.0), ("panda_finger_joint2", 0.04, 0.0)
    ]  # fmt: skip
    wide, narrow = (np.ptp(tip_points(robot.model, robot.base, robot.posture(s)), axis=0)[1] for s in (0.0, 1.0))
    assert wide - narrow == pytest.approx(0.08)
    assert robot.rigid.nq == 7 and robot.hand_alone().nq == 2
    limit = [d.stiffness * abs(d.grip - d.opened) for d in robot.drives]
    assert max(limit) <= 100.0 * (1 + 1e-9)  # the file's effort


def test_a_hand_that_is_put_on_an_arm_stands_clear_of_it():
    robot = catching_robot("ur5", toy_hand())
    assert robot.base == "hand/plate" and len(robot.arm_joints) == 6
    assert [(d.joint, d.opened, d.closed) for d in robot.drives] == [
        ("hand/left_slide", 0.05, 0.01), ("hand/right_slide", 0.05, 0.01)
    ]  # fmt: skip
    q = np.array(robot.model.q_home)
    q[1] = -1.2
    assert not collides(robot.model.replace(exclusions=()), q)


def test_the_file_may_say_otherwise():
    robot = catching_robot("ur5", toy_hand(), opened={"hand/left_slide": 0.03}, closed={"hand/left_slide": 0.02})
    assert (robot.drives[0].opened, robot.drives[0].closed) == (0.03, 0.02)
    q = posture_of(robot.model, robot.drives, 0.5)
    assert q[robot.model.q_index("hand/left_slide")] == pytest.approx(0.025)
    servo = servo_actuators(robot, "robot/")[0]
    assert servo.joint == "robot/hand/left_slide" and servo.gain == -servo.bias[1] == robot.drives[0].stiffness


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ur5",), "one chain without a hand"),
        (("ur5", toy_hand(), "tol0"), "tool0"),
        ((toy_hand(), toy_hand()), "catching needs 5 or more"),
    ],
)
def test_refusals(arguments, words):
    with pytest.raises(CarpalError, match=words):
        catching_robot(arguments[0], *arguments[1:2], frame=arguments[2] if len(arguments) > 2 else None)


def test_unknown_drives_are_named():
    with pytest.raises(CarpalError, match="left_slide"):
        catching_robot("ur5", toy_hand(), opened={"hand/thumb": 0.0})
