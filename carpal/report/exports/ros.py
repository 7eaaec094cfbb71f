"""ROS 2 messages of a motion: joint states, the joint trajectory and MoveIt's robot trajectory."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.model import NQ, NV
from carpal.report.exports.cdr import stamp
from carpal.report.exports.foxglove import quaternion, xyz
from carpal.report.exports.motion import Motion
from carpal.spatial import Array


def joint_state(motion: Motion, row: int) -> dict[str, Any]:
    """`sensor_msgs/JointState` of one row; `effort` holds the controls, empty where they are not known."""
    effort = motion.of_joints(motion.u)
    return {
        "header": {"stamp": stamp(motion.time[row]), "frame_id": ""},
        "name": motion.joint_names,
        "position": _row(motion.of_joints(motion.q, coordinates=True), row),
        "velocity": _row(motion.of_joints(motion.v), row),
        "effort": _row(effort, row),
    }


def joint_trajectory(motion: Motion) -> dict[str, Any]:
    """`trajectory_msgs/JointTrajectory`, every row a point, times from the first row on."""
    known = {
        "positions": motion.of_joints(motion.q, coordinates=True), "velocities": motion.of_joints(motion.v),
        "accelerations": motion.of_joints(motion.vdot), "effort": motion.of_joints(motion.u),
    }  # fmt: skip
    points = [
        {name: _row(values, k) for name, values in known.items()} | {"time_from_start": stamp(time - motion.time[0])}
        for k, time in enumerate(motion.time)
    ]
    return {"header": _header(motion), "joint_names": motion.joint_names, "points": points}


def multi_dof_trajectory(motion: Motion) -> dict[str, Any]:
    """`trajectory_msgs/MultiDOFJointTrajectory`: the free and ball joints, as the child moves in the joint's frame."""
    joints, i, j = [], 0, 0
    for body in motion.model.bodies if motion.model is not None else ():
        kind = body.joint.kind
        if kind in ("free", "ball"):
            joints.append((body.joint.name, kind, i, j))
        i, j = i + NQ[kind], j + NV[kind]
    points = [] if not joints else [_multi_dof_point(motion, joints, k) for k in range(len(motion.time))]
    return {"header": _header(motion), "joint_names": [name for name, *_ in joints], "points": points}


def robot_trajectory(motion: Motion) -> dict[str, Any]:
    """`moveit_msgs/RobotTrajectory`: both."""
    return {"joint_trajectory": joint_trajectory(motion), "multi_dof_joint_trajectory": multi_dof_trajectory(motion)}


def _header(motion: Motion) -> dict[str, Any]:
    return {"stamp": stamp(motion.time[0]), "frame_id": motion.world}


def _row(values: Array | None, row: int) -> Array:
    return np.zeros(0) if values is None else values[row]


def _multi_dof_point(motion: Motion, joints: list[tuple[str, str, int, int]], row: int) -> dict[str, Any]:
    transforms, velocities = [], []
    for _, kind, i, j in joints:
        q, v = motion.q[row, i : i + NQ[kind]], motion.v[row, j : j + NV[kind]]
        p, linear = (q[:3], v[:3]) if kind == "free" else (np.zeros(3), np.zeros(3))
        wxyz = q[-4:] / np.linalg.norm(q[-4:])
        transforms.append({"translation": xyz(p), "rotation": quaternion(wxyz)})
        velocities.append({"linear": xyz(linear), "angular": xyz(v[-3:])})
    return {
        "transforms": transforms, "velocities": velocities,
        "time_from_start": stamp(motion.time[row] - motion.time[0]),
    }  # fmt: skip
