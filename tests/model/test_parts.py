"""Joints, bodies and frames refuse what makes no sense, and cannot be changed afterwards."""

import numpy as np
import pytest

from carpal.errors import InputError, UnknownNameError
from carpal.model import NQ, NV, Frame, Joint
from carpal.model.parts import real_array

MIRROR = np.diag([1.0, 1.0, -1.0, 1.0])


def test_axes_are_normalised_and_exact_when_they_already_are() -> None:
    assert np.array_equal(Joint("a", "revolute", axis=[0, 0, 2]).axis, [0, 0, 1])
    assert np.linalg.norm(Joint("a", "revolute", axis=[1, 2, 3]).axis) == pytest.approx(1.0, abs=1e-16)


def test_parts_are_frozen() -> None:
    joint = Joint("a", "revolute")
    for name in ("axis", "X_PJ", "X_JB"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(joint, name)[0] = 5.0
    with pytest.raises(AttributeError):
        joint.kind = "fixed"


def test_the_givers_array_is_not_frozen_or_shared() -> None:
    X = np.eye(4)
    joint = Joint("a", X_PJ=X)
    X[0, 3] = 7.0
    assert joint.X_PJ[0, 3] == 0.0


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        (
            {"kind": "revolut"},
            UnknownNameError,
            "unknown joint kind 'revolut'; did you mean 'revolute'\\? valid: fixed",
        ),
        ({"axis": [0, 0, 0]}, InputError, r"axis of joint 'a' must be 3 finite numbers, not all zero; got \[0, 0, 0\]"),
        ({"axis": [1, 0]}, InputError, "axis of joint 'a' must be 3 finite numbers"),
        ({"axis": [1, np.nan, 0]}, InputError, "axis of joint 'a' must be 3 finite numbers"),
        ({"axis": "xyz"}, InputError, "axis of joint 'a' must be real numbers; got 'xyz'"),
        ({"X_PJ": np.eye(3)}, InputError, r"X_PJ of joint 'a' must be a finite 4x4 pose; got shape \(3, 3\)"),
        ({"X_JB": MIRROR}, InputError, "X_JB of joint 'a' is not a rigid motion"),
        ({"X_JB": 2 * np.eye(4)}, InputError, r"X_JB of joint 'a' is not a rigid motion \(rotation off by 3\)"),
        ({"X_PJ": [[1, 2], [3]]}, InputError, "X_PJ of joint 'a' is not an array of numbers"),
        ({"q_min": 1.0, "q_max": -1.0}, InputError, "joint 'a' has q_min 1.0 above q_max -1.0"),
        ({"q_min": np.nan}, InputError, "q_min of joint 'a' must be a number"),
        ({"armature": -0.1}, InputError, "armature of joint 'a' must be a number, zero or above; got -0.1"),
        ({"v_max": -1}, InputError, "v_max of joint 'a' must be a number, zero or above; got -1.0"),
    ],
)
def test_bad_joints_are_refused(options: dict, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        Joint("a", **options)


def test_bad_frames_are_refused() -> None:
    with pytest.raises(InputError, match="frame 'tip' is not a rigid motion"):
        Frame("tip", None, MIRROR)


def test_real_arrays() -> None:
    given = np.arange(3)
    copy = real_array(given, "it")
    assert copy.dtype == np.float64
    assert not np.shares_memory(copy, given)
    for wrong in (1j, True, None, "1", [object()]):
        with pytest.raises(InputError, match="it must be real numbers; got "):
            real_array(wrong, "it")


def test_counts_of_coordinates() -> None:
    assert {kind: (NQ[kind], NV[kind]) for kind in NQ} == {
        "fixed": (0, 0), "revolute": (1, 1), "prismatic": (1, 1), "ball": (4, 3), "free": (7, 6),
    }  # fmt: skip
