"""The arm's path: poses met, no flips, the start far from the receiver, refusals."""

import numpy as np
import pytest
from sign_robots import signer

import carpal
from carpal.errors import UnreachableError
from carpal.labs.sign import mount_hand, sign_hand
from carpal.labs.sign.motion.arm_path import LARGEST_STEP, plan_arm_path
from carpal.labs.sign.motion.postures import palm_postures, station_of
from carpal.spatial import pose, rotation_about


def stations():
    one = signer()
    place = station_of(one.mounted, one.behaviour)
    return np.array([palm_postures(one.mounted, one.alphabet, one.letters[name], place)[0][0] for name in "ACP"])


def test_the_poses_are_met_in_order(figure):
    poses = stations()
    path = plan_arm_path(signer().mounted.arm, poses, 0.98)
    assert len(path.legs) == 2
    ends = np.array([path.legs[0][0], path.legs[0][-1], path.legs[1][-1]])
    assert np.array_equal(path.legs[0][-1], path.legs[1][0])
    away = np.abs(carpal.fk(signer().mounted.arm, ends) - poses).max()
    figure("arm's path: the hand's pose at the letters against what was asked", away, 1e-9)
    assert path.largest_step <= LARGEST_STEP
    assert path.joint_margin >= 0.05


def test_the_elbow_starts_far_from_the_receiver():
    from carpal.kinematics import arm_angle_intervals, elbow_position, ik_all

    arm, X = signer().mounted.arm, stations()[0]
    start = plan_arm_path(arm, stations()[:1], 0.98).legs[0][0]
    others = [
        elbow_position(arm, q)[0]
        for interval in arm_angle_intervals(arm, X)
        for q in ik_all(arm, X, arm_angle=0.5 * (interval.low + interval.high)).q
        if np.minimum(q - arm.q_min, arm.q_max - q).min() > 0.2
    ]
    assert elbow_position(arm, start)[0] <= min(others) + 1e-3


def test_a_single_pose():
    path = plan_arm_path(signer().mounted.arm, stations()[:1], 0.98)
    assert len(path.legs) == 1
    assert path.largest_step < 0.01


def test_out_of_reach_is_one_sentence():
    far = stations()
    far[:, 0, 3] += 2.0
    with pytest.raises(UnreachableError, match="'sia5' has no path through the poses of this text"):
        plan_arm_path(signer().mounted.arm, far, 0.98)


def test_an_arm_of_five_joints_says_what_it_cannot():
    mounted = mount_hand(sign_hand("parloma"), "so101_old")
    with pytest.raises(UnreachableError, match="'so101_old' cannot"):
        plan_arm_path(mounted.arm, np.array([pose(rotation_about((0, 0, 1), 1.0), (0.3, 0.1, 0.3))]), 0.98)
