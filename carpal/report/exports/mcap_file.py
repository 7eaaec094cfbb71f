"""A motion as MCAP: a ROS 2 bag (profile `ros2`, every message CDR) that Foxglove shows without anything beside it.

| topic | schema | messages |
|---|---|---|
| /frames | foxglove_msgs/msg/FrameTransforms | one a row |
| /scene | foxglove_msgs/msg/SceneUpdate | one |
| /contacts | foxglove_msgs/msg/SceneUpdate | one for each row with contacts, and for the row after it |
| /joints | foxglove_msgs/msg/JointStates | one a row |
| /events | foxglove_msgs/msg/Log | one an event |
| /series | carpal_msgs/msg/Series | one a row: energies and residuals |
| /joint_states | sensor_msgs/msg/JointState | one a row |
| /joint_trajectory | trajectory_msgs/msg/JointTrajectory | one |
| /robot_trajectory | moveit_msgs/msg/RobotTrajectory | one |

The metadata record `carpal` holds how the run came to be, as JSON.
"""

from __future__ import annotations

import json
import re
from typing import Any, BinaryIO

import numpy as np

from carpal.report.exports import foxglove, ros
from carpal.report.exports.cdr import ENCAPSULATION, encode, nanoseconds
from carpal.report.exports.motion import Motion
from carpal.report.exports.ros_definitions import definition

SERIES = "carpal_msgs/Series"
"""Its fields are the names of the numbers."""


class _Channels:
    """Registers a channel when its first message comes."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer
        self._channels: dict[str, int] = {}
        self._schemas: dict[str, int] = {}
        self._counts: dict[str, int] = {}

    def add(self, topic: str, time: float, name: str, message: dict[str, Any]) -> None:
        """A message of a type that `ros_definitions` knows."""
        self.add_bytes(topic, time, name, "" if topic in self._channels else definition(name), encode(name, message))

    def add_bytes(self, topic: str, time: float, name: str, text: str, data: bytes) -> None:
        """A message as CDR, with its type's definition."""
        if topic not in self._channels:
            if name not in self._schemas:
                package, _, kind = name.partition("/")
                self._schemas[name] = self._writer.register_schema(f"{package}/msg/{kind}", "ros2msg", text.encode())
            self._channels[topic] = self._writer.register_channel(topic, "cdr", self._schemas[name])
        at, count = nanoseconds(time), self._counts.get(topic, 0)
        self._counts[topic] = count + 1
        self._writer.add_message(self._channels[topic], at, data, at, count)


def write_mcap(motion: Motion, file: BinaryIO) -> None:
    """Write the topics above."""
    from mcap.writer import CompressionType, Writer

    writer = Writer(file, compression=CompressionType.ZSTD)
    writer.start(profile="ros2", library="carpal")
    writer.add_metadata("carpal", {"json": json.dumps(motion.metadata, sort_keys=True), "name": motion.name})
    channels, start = _Channels(writer), float(motion.time[0])
    if motion.model is not None:
        channels.add("/scene", start, "foxglove_msgs/SceneUpdate", foxglove.scene_update(motion))
    if motion.joints:
        channels.add("/joint_trajectory", start, "trajectory_msgs/JointTrajectory", ros.joint_trajectory(motion))
    channels.add("/robot_trajectory", start, "moveit_msgs/RobotTrajectory", ros.robot_trajectory(motion))
    for event in sorted(motion.events, key=lambda event: event.time):
        text, time = f"{event.text} ({event.value!r})" if event.text else repr(event.value), max(event.time, 0.0)
        channels.add("/events", time, "foxglove_msgs/Log", foxglove.log_message(time, event.name, text))
    _write_rows(channels, motion)
    writer.finish()


def _write_rows(channels: _Channels, motion: Motion) -> None:
    scale, shown = foxglove.arrow_scale(motion), False
    names = [re.sub("[^a-z0-9]+", "_", name.lower()).strip("_") for name in motion.series]
    columns = "\n".join(f"float64 {name}" for name in names) + "\n"
    series = np.column_stack(list(motion.series.values())) if names else np.zeros((len(motion.time), 0))
    for row, time in enumerate(motion.time.tolist()):
        if motion.model is not None:
            channels.add("/frames", time, "foxglove_msgs/FrameTransforms", foxglove.frame_transforms(motion, row))
        if motion.joints:
            channels.add("/joints", time, "foxglove_msgs/JointStates", foxglove.joint_states(motion, row))
            channels.add("/joint_states", time, "sensor_msgs/JointState", ros.joint_state(motion, row))
        if motion.contacts and (motion.contacts[row] or shown):
            update = foxglove.contact_update(motion, row, scale)
            channels.add("/contacts", time, "foxglove_msgs/SceneUpdate", update)
            shown = bool(motion.contacts[row])
        if names:
            channels.add_bytes("/series", time, SERIES, columns, ENCAPSULATION + series[row].astype("<f8").tobytes())
