"""ROS 2 messages of a motion, read by rosbags."""

import numpy as np
from export_inputs import all_kinds, moved, plain_columns, recorded
from rosbags.typesys import Stores, get_typestore

from carpal.report.exports.cdr import encode
from carpal.report.exports.motion import motion_of
from carpal.report.exports.ros import joint_state, joint_trajectory, multi_dof_trajectory

STORE = get_typestore(Stores.ROS2_JAZZY)


def test_joint_states_hold_the_joints_with_one_coordinate():
    run, motion = recorded(), motion_of(recorded())
    for row in (0, 17):
        read = STORE.deserialize_cdr(
            encode("sensor_msgs/JointState", joint_state(motion, row)), "sensor_msgs/msg/JointState"
        )
        columns = plain_columns(run.model)
        assert read.name == list(columns)
        assert read.position.tolist() == [run.q[row, i] for i, _ in columns.values()]
        assert read.velocity.tolist() == [run.v[row, j] for _, j in columns.values()]
        assert read.effort.tolist() == [run.u[row, j] for _, j in columns.values()]
        assert read.header.stamp.nanosec == row * 1_000_000


def test_a_trajectory_has_points_with_accelerations_and_no_effort():
    motion = motion_of(moved(), None, 0.05)
    data = encode("trajectory_msgs/JointTrajectory", joint_trajectory(motion))
    read = STORE.deserialize_cdr(data, "trajectory_msgs/msg/JointTrajectory")
    assert read.joint_names == ["a", "b", "c"] and len(read.points) == len(motion.time)
    for k, point in enumerate(read.points):
        assert point.positions.tolist() == motion.q[k].tolist() and point.velocities.tolist() == motion.v[k].tolist()
        assert point.accelerations.tolist() == motion.vdot[k].tolist() and not len(point.effort)
        stamp = point.time_from_start
        assert abs(stamp.sec + 1e-9 * stamp.nanosec - motion.time[k]) <= 0.5e-9


def test_free_and_ball_joints_are_in_the_multi_dof_trajectory():
    run, motion = recorded(), motion_of(recorded())
    data = encode("trajectory_msgs/MultiDOFJointTrajectory", multi_dof_trajectory(motion))
    read = STORE.deserialize_cdr(data, "trajectory_msgs/msg/MultiDOFJointTrajectory")
    assert read.joint_names == ["joint 3", "flies"] and len(read.points) == len(run)
    i, j = all_kinds().q_index("flies"), all_kinds().v_index("flies")
    ball = all_kinds().q_index("joint 3")
    for k, point in enumerate(read.points):
        hinge, flies = point.transforms
        wxyz = run.q[k, i + 3 : i + 7] / np.linalg.norm(run.q[k, i + 3 : i + 7])
        assert (flies.translation.x, flies.translation.y, flies.translation.z) == tuple(run.q[k, i : i + 3])
        assert np.allclose((flies.rotation.w, flies.rotation.x, flies.rotation.y, flies.rotation.z), wxyz, atol=1e-15)
        assert point.velocities[1].linear.z == run.v[k, j + 2] and point.velocities[1].angular.x == run.v[k, j + 3]
        assert np.isclose(hinge.rotation.y * np.linalg.norm(run.q[k, ball : ball + 4]), run.q[k, ball + 2], atol=1e-15)
