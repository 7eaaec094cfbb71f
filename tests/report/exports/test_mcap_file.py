"""MCAP files: read back by the mcap library and its decoder of ROS 2, and by rosbags, to the same numbers."""

import json
from collections import Counter, defaultdict

import numpy as np
import pytest
from export_inputs import ROWS, matrix, moved, plain_columns, recorded, true_poses
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from rosbags.rosbag2 import Reader
from rosbags.typesys import Stores, get_typestore


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return recorded().save(tmp_path_factory.mktemp("mcap") / "run.mcap")


@pytest.fixture(scope="module")
def read(file):
    """Topic to (schema's name, time [ns], message)."""
    found = defaultdict(list)
    with open(file, "rb") as opened:
        reader = make_reader(opened, validate_crcs=True, decoder_factories=[DecoderFactory()])
        for decoded in reader.iter_decoded_messages():
            found[decoded.channel.topic].append(
                (decoded.schema.name, decoded.message.log_time, decoded.decoded_message)
            )
        found["metadata"] = [record.metadata for record in reader.iter_metadata()]
    return found


TOPICS = {
    "/frames": "foxglove_msgs/msg/FrameTransforms",
    "/scene": "foxglove_msgs/msg/SceneUpdate",
    "/contacts": "foxglove_msgs/msg/SceneUpdate",
    "/joints": "foxglove_msgs/msg/JointStates",
    "/events": "foxglove_msgs/msg/Log",
    "/series": "carpal_msgs/msg/Series",
    "/joint_states": "sensor_msgs/msg/JointState",
    "/joint_trajectory": "trajectory_msgs/msg/JointTrajectory",
    "/robot_trajectory": "moveit_msgs/msg/RobotTrajectory",
}


def test_every_topic_has_its_schema_and_its_messages(read):
    assert {topic: rows[0][0] for topic, rows in read.items() if topic != "metadata"} == TOPICS
    counts = Counter({topic: len(rows) for topic, rows in read.items()})
    touching = sum(bool(row) for row in recorded().contacts)
    without = sum(bool(a) and not b for a, b in zip(recorded().contacts, recorded().contacts[1:], strict=False))
    assert counts["/contacts"] == touching + without
    assert counts["/events"] == len(recorded().events)
    assert all(counts[topic] == ROWS for topic in ("/frames", "/joints", "/series", "/joint_states"))
    assert all(counts[topic] == 1 for topic in ("/scene", "/joint_trajectory", "/robot_trajectory", "metadata"))


def test_frames_are_the_poses_of_the_bodies(read):
    poses = true_poses(recorded())
    for k, (_, time, message) in enumerate(read["/frames"]):
        assert time == k * 1_000_000 == message.transforms[0].timestamp.nanosec
        assert [one.child_frame_id for one in message.transforms] == list(poses)
        for one in message.transforms:
            X, p, q = poses[one.child_frame_id][k], one.translation, one.rotation
            assert one.parent_frame_id == "map"
            assert (p.x, p.y, p.z) == tuple(X[:3, 3])
            assert np.abs(matrix((q.w, q.x, q.y, q.z)) - X[:3, :3]).max() < 1e-12


def test_joints_energies_and_notes_are_the_same_bits(read):
    run = recorded()
    columns = plain_columns(run.model)
    for k in range(ROWS):
        joints, state = read["/joints"][k][2].joints, read["/joint_states"][k][2]
        assert [one.name for one in joints] == list(columns) == list(state.name)
        for one, position, (i, j) in zip(joints, state.position, columns.values(), strict=True):
            assert one.position == position == run.q[k, i]
            assert (one.velocity, one.effort) == (run.v[k, j], run.u[k, j]) and np.isnan(one.acceleration)
        series = read["/series"][k][2]
        assert all(getattr(series, f"energy_{name}") == values[k] for name, values in run.energy.items())
    notes = [(time, message.name, message.message) for _, time, message in read["/events"]]
    assert notes == [(round(1e9 * e.time), e.name, f"{e.text} ({e.value!r})") for e in run.events]
    assert json.loads(read["metadata"][0]["json"])["model"] == run.metadata["model"]


def test_rosbags_reads_the_ros_messages(file):
    store, run = get_typestore(Stores.ROS2_JAZZY), recorded()
    columns = plain_columns(run.model)
    with Reader(file) as bag:
        states = [row for row in bag.connections if row.msgtype == "sensor_msgs/msg/JointState"]
        rows = [
            (time, store.deserialize_cdr(data, row.msgtype)) for row, time, data in bag.messages(connections=states)
        ]
        paths = [row for row in bag.connections if row.msgtype == "trajectory_msgs/msg/JointTrajectory"]
        (path,) = (store.deserialize_cdr(data, row.msgtype) for row, _, data in bag.messages(connections=paths))
    assert [time for time, _ in rows] == [k * 1_000_000 for k in range(ROWS)]
    wanted = run.q[:, [i for i, _ in columns.values()]]
    assert np.array_equal([state.position for _, state in rows], wanted)
    assert np.array_equal([point.positions for point in path.points], wanted)
    assert path.points[-1].time_from_start.nanosec == (ROWS - 1) * 1_000_000


def test_moveit_gets_joints_and_free_bodies_in_one_message(read):
    message = read["/robot_trajectory"][0][2]
    assert len(message.joint_trajectory.points) == len(message.multi_dof_joint_trajectory.points) == ROWS
    assert list(message.multi_dof_joint_trajectory.joint_names) == ["joint 3", "flies"]


def test_a_trajectory_without_a_model_has_joints_alone(tmp_path):
    file = moved().save(tmp_path / "moved.mcap", dt=0.02)
    with open(file, "rb") as opened:
        topics = {channel.topic for channel in make_reader(opened).get_summary().channels.values()}
    assert topics == {"/joints", "/joint_states", "/joint_trajectory", "/robot_trajectory"}


def test_the_same_motion_gives_the_same_bytes(file, tmp_path):
    assert recorded().save(tmp_path / "again.mcap").read_bytes() == file.read_bytes()
