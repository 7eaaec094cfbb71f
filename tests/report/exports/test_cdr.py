"""CDR as two independent readers read it: rosbags by its own table of types, mcap-ros2-support by the definition we write."""

import numpy as np
import pytest
from mcap_ros2._dynamic import generate_dynamic
from rosbags.typesys import Stores, get_typestore

from carpal.errors import InputError, UnknownNameError
from carpal.report.exports.cdr import encode, nanoseconds, stamp
from carpal.report.exports.ros_definitions import DEFINITIONS, definition, fields

STORE = get_typestore(Stores.ROS2_JAZZY)
ROS_NAME = {name: name.replace("/", "/msg/") for name in DEFINITIONS}
OF_ROS = sorted(name for name in DEFINITIONS if not name.startswith(("moveit", "foxglove")))


def random_value(kind, rng, depth=0):
    if kind.endswith("[]"):
        count = int(rng.integers(0, 4))  # none of them as well
        return [random_value(kind[:-2], rng, depth + 1) for _ in range(count)]
    if kind in DEFINITIONS:
        return {field: random_value(inner, rng, depth + 1) for inner, field in fields(kind)}
    if kind == "string":
        return "".join(rng.choice(list("abc/_é "), rng.integers(0, 9)))
    if kind == "float64":
        return float(rng.choice([0.0, -1.5, 1e-300, rng.normal()]))
    top = {"uint8": 2**8, "bool": 2}.get(kind, 2**31)
    number = int(rng.integers(0, top))
    return bool(number) if kind == "bool" else number


def as_plain(value):
    """What a reader gives, as dicts and lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple | bytes):
        return [as_plain(inner) for inner in value]
    names = getattr(value, "__dataclass_fields__", None) or getattr(type(value), "__slots__", None)
    if names:
        return {name: as_plain(getattr(value, name)) for name in names if not name.startswith("_")}
    return value


@pytest.mark.parametrize("name", OF_ROS)
def test_rosbags_reads_what_is_written(name):
    rng = np.random.default_rng(4)
    for _ in range(50):
        message = random_value(name, rng)
        data = encode(name, message)
        assert data[:4] == b"\x00\x01\x00\x00"
        assert as_plain(STORE.deserialize_cdr(data, ROS_NAME[name])) == message
        assert bytes(STORE.serialize_cdr(STORE.deserialize_cdr(data, ROS_NAME[name]), ROS_NAME[name])) == data


@pytest.mark.parametrize("name", sorted(DEFINITIONS))
def test_a_reader_that_knows_only_the_definition_reads_it(name):
    rng = np.random.default_rng(5)
    decode = generate_dynamic(ROS_NAME[name], definition(name))[ROS_NAME[name]]
    for _ in range(50):
        message = random_value(name, rng)
        assert as_plain(decode(encode(name, message))) == message


def test_times_are_whole_nanoseconds():
    assert stamp(2.25) == {"sec": 2, "nanosec": 250_000_000}
    assert stamp(0.1 + 0.2) == {"sec": 0, "nanosec": 300_000_000}
    assert nanoseconds(1e-9) == 1
    with pytest.raises(InputError, match="below 2\\^31 s"):
        stamp(3e9)


def test_what_is_left_out_is_zero_and_arrays_stand_for_messages():
    whole = {"position": {"x": 0.0, "y": 0.0, "z": 0.0}, "orientation": dict.fromkeys("xyzw", 0.0)}
    assert encode("geometry_msgs/Pose", {}) == encode("geometry_msgs/Pose", whole)
    points = np.arange(12.0).reshape(4, 3)
    triangles = {"points": [dict(zip("xyz", point, strict=True)) for point in points], "indices": [0, 1, 2]}
    kind = "foxglove_msgs/TriangleListPrimitive"
    assert encode(kind, triangles | {"points": points}) == encode(kind, triangles)
    with pytest.raises(UnknownNameError, match="field of geometry_msgs/Pose"):
        encode("geometry_msgs/Pose", {"place": {}})
