"""Message types as the fields of their `.msg` files: ROS 2's own, MoveIt's, and Foxglove's schemas in their ROS 2 form."""

from __future__ import annotations

import functools

DEFINITIONS = {
    "builtin_interfaces/Time": "int32 sec, uint32 nanosec",
    "builtin_interfaces/Duration": "int32 sec, uint32 nanosec",
    "std_msgs/Header": "builtin_interfaces/Time stamp, string frame_id",
    "geometry_msgs/Vector3": "float64 x, float64 y, float64 z",
    "geometry_msgs/Point": "float64 x, float64 y, float64 z",
    "geometry_msgs/Quaternion": "float64 x 0, float64 y 0, float64 z 0, float64 w 1",
    "geometry_msgs/Pose": "geometry_msgs/Point position, geometry_msgs/Quaternion orientation",
    "geometry_msgs/Transform": "geometry_msgs/Vector3 translation, geometry_msgs/Quaternion rotation",
    "geometry_msgs/Twist": "geometry_msgs/Vector3 linear, geometry_msgs/Vector3 angular",
    "sensor_msgs/JointState": (
        "std_msgs/Header header, string[] name, float64[] position, float64[] velocity, float64[] effort"
    ),
    "trajectory_msgs/JointTrajectoryPoint": (
        "float64[] positions, float64[] velocities, float64[] accelerations, float64[] effort, "
        "builtin_interfaces/Duration time_from_start"
    ),
    "trajectory_msgs/JointTrajectory": (
        "std_msgs/Header header, string[] joint_names, trajectory_msgs/JointTrajectoryPoint[] points"
    ),
    "trajectory_msgs/MultiDOFJointTrajectoryPoint": (
        "geometry_msgs/Transform[] transforms, geometry_msgs/Twist[] velocities, geometry_msgs/Twist[] accelerations, "
        "builtin_interfaces/Duration time_from_start"
    ),
    "trajectory_msgs/MultiDOFJointTrajectory": (
        "std_msgs/Header header, string[] joint_names, trajectory_msgs/MultiDOFJointTrajectoryPoint[] points"
    ),
    "moveit_msgs/RobotTrajectory": (
        "trajectory_msgs/JointTrajectory joint_trajectory, "
        "trajectory_msgs/MultiDOFJointTrajectory multi_dof_joint_trajectory"
    ),
    "foxglove_msgs/Color": "float64 r, float64 g, float64 b, float64 a",
    "foxglove_msgs/KeyValuePair": "string key, string value",
    "foxglove_msgs/FrameTransform": (
        "builtin_interfaces/Time timestamp, string parent_frame_id, string child_frame_id, "
        "geometry_msgs/Vector3 translation, geometry_msgs/Quaternion rotation"
    ),
    "foxglove_msgs/FrameTransforms": "foxglove_msgs/FrameTransform[] transforms",
    "foxglove_msgs/JointState": (
        "string name, float64 position, float64 velocity, float64 acceleration, float64 effort"
    ),
    "foxglove_msgs/JointStates": "builtin_interfaces/Time timestamp, foxglove_msgs/JointState[] joints",
    "foxglove_msgs/Log": (
        "builtin_interfaces/Time timestamp, uint8 level, string message, string name, string file, uint32 line"
    ),
    "foxglove_msgs/ArrowPrimitive": (
        "geometry_msgs/Pose pose, float64 shaft_length, float64 shaft_diameter, float64 head_length, "
        "float64 head_diameter, foxglove_msgs/Color color"
    ),
    "foxglove_msgs/CubePrimitive": (
        "geometry_msgs/Pose pose, geometry_msgs/Vector3 size, foxglove_msgs/Color color"
    ),
    "foxglove_msgs/SpherePrimitive": (
        "geometry_msgs/Pose pose, geometry_msgs/Vector3 size, foxglove_msgs/Color color"
    ),
    "foxglove_msgs/CylinderPrimitive": (
        "geometry_msgs/Pose pose, geometry_msgs/Vector3 size, float64 bottom_scale, float64 top_scale, "
        "foxglove_msgs/Color color"
    ),
    "foxglove_msgs/LinePrimitive": (
        "uint8 type, geometry_msgs/Pose pose, float64 thickness, bool scale_invariant, geometry_msgs/Point[] points, "
        "foxglove_msgs/Color color, foxglove_msgs/Color[] colors, uint32[] indices"
    ),
    "foxglove_msgs/TriangleListPrimitive": (
        "geometry_msgs/Pose pose, geometry_msgs/Point[] points, foxglove_msgs/Color color, "
        "foxglove_msgs/Color[] colors, uint32[] indices"
    ),
    "foxglove_msgs/TextPrimitive": (
        "geometry_msgs/Pose pose, bool billboard, float64 font_size, bool scale_invariant, foxglove_msgs/Color color, "
        "string text"
    ),
    "foxglove_msgs/ModelPrimitive": (
        "geometry_msgs/Pose pose, geometry_msgs/Vector3 scale, foxglove_msgs/Color color, bool override_color, "
        "string url, string media_type, uint8[] data"
    ),
    "foxglove_msgs/SceneEntityDeletion": "builtin_interfaces/Time timestamp, uint8 type, string id",
    "foxglove_msgs/SceneEntity": (
        "builtin_interfaces/Time timestamp, string frame_id, string id, builtin_interfaces/Duration lifetime, "
        "bool frame_locked, foxglove_msgs/KeyValuePair[] metadata, foxglove_msgs/ArrowPrimitive[] arrows, "
        "foxglove_msgs/CubePrimitive[] cubes, foxglove_msgs/SpherePrimitive[] spheres, "
        "foxglove_msgs/CylinderPrimitive[] cylinders, foxglove_msgs/LinePrimitive[] lines, "
        "foxglove_msgs/TriangleListPrimitive[] triangles, foxglove_msgs/TextPrimitive[] texts, "
        "foxglove_msgs/ModelPrimitive[] models"
    ),
    "foxglove_msgs/SceneUpdate": (
        "foxglove_msgs/SceneEntityDeletion[] deletions, foxglove_msgs/SceneEntity[] entities"
    ),
}  # fmt: skip
"""Type to its fields: "type name" or "type name default", separated by commas."""


@functools.cache
def fields(name: str) -> tuple[tuple[str, str], ...]:
    """(type, field) of a message type."""
    rows = (field.split() for field in DEFINITIONS[name].split(", "))
    return tuple((row[0], row[1]) for row in rows)


def definition(name: str) -> str:
    """A message type with all types that it needs, as MCAP stores it ("ros2msg")."""
    needed: list[str] = []

    def visit(kind: str) -> None:
        for inner, _ in fields(kind):
            inner = inner.removesuffix("[]")
            if inner in DEFINITIONS and inner not in needed:
                needed.append(inner)
                visit(inner)

    visit(name)
    parts = [_lines(name), *(f"MSG: {kind}\n{_lines(kind)}" for kind in needed)]
    return f"\n{'=' * 80}\n".join(parts) + "\n"


def _lines(name: str) -> str:
    return DEFINITIONS[name].replace(", ", "\n")
