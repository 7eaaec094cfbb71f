"""Message types against those of others: ROS 2's as rosbags knows them, Foxglove's as its own package has them in protobuf."""

import importlib

import pytest
from mcap_ros2._dynamic import generate_dynamic
from rosbags.typesys import Stores, get_typestore

from carpal.report.exports.ros_definitions import DEFINITIONS, definition, fields

STORE = get_typestore(Stores.ROS2_JAZZY)
FOXGLOVE = sorted(name.partition("/")[2] for name in DEFINITIONS if name.startswith("foxglove"))
OF_ROS = sorted(name for name in DEFINITIONS if not name.startswith(("moveit", "foxglove")))
NUMBERS = {1: "float64", 7: "uint32", 8: "bool", 9: "string", 12: "uint8[]", 13: "uint32", 14: "uint8"}
"""Protobuf's types as ROS has them; enumerations are small numbers."""
SAME = {
    "Timestamp": "builtin_interfaces/Time",
    "Duration": "builtin_interfaces/Duration",
    "Pose": "geometry_msgs/Pose",
    "Vector3": "geometry_msgs/Vector3",
    "Point3": "geometry_msgs/Point",
    "Quaternion": "geometry_msgs/Quaternion",
}


@pytest.mark.parametrize("name", OF_ROS)
def test_types_of_ros_have_their_fields(name):
    def kind(node):
        type_, value = node[0].name, node[1]
        if type_ == "BASE":
            return value[0]
        inner = kind(value[0]) if type_ in ("ARRAY", "SEQUENCE") else value
        return f"{inner}[]" if type_ in ("ARRAY", "SEQUENCE") else inner.replace("/msg/", "/")

    theirs = STORE.get_msgdef(name.replace("/", "/msg/")).fields
    assert list(fields(name)) == [(kind(node), field) for field, node in theirs]


@pytest.mark.parametrize("name", FOXGLOVE)
def test_types_of_foxglove_have_their_fields(name):
    module = importlib.import_module(f"foxglove_schemas_protobuf.{name}_pb2")
    wanted = []
    for field in getattr(module, name).DESCRIPTOR.fields:
        kind = NUMBERS.get(field.type)
        if kind is None:
            kind = SAME.get(field.message_type.name, f"foxglove_msgs/{field.message_type.name}")
        wanted.append((kind + "[]" * (field.is_repeated), field.name))
    assert sorted(fields(f"foxglove_msgs/{name}")) == sorted(wanted)


def test_a_definition_brings_all_that_it_needs():
    text = definition("moveit_msgs/RobotTrajectory")
    assert text.count("MSG: geometry_msgs/Vector3\n") == 1
    made = generate_dynamic("moveit_msgs/msg/RobotTrajectory", text)
    assert "moveit_msgs/msg/RobotTrajectory" in made
