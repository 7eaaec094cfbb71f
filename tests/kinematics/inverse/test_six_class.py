"""The class of a six-joint arm comes from its axes, in either direction, also where a file rounds its angles."""

import numpy as np
import pytest
from six_joint_robots import SHAPES, TABLES, public_arm, round_trip, six_joint_robot

from carpal.errors import InputError
from carpal.kinematics import ik_all
from carpal.kinematics.axes import chain_axes
from carpal.kinematics.inverse.arm_class import arm_class
from carpal.kinematics.inverse.six_class import ANY, PARALLEL, SPHERICAL, general_class, six_class
from carpal.model import DHRow, Model


@pytest.mark.parametrize("shape", SHAPES)
def test_random_robots_are_recognised(shape):
    kind = shape.partition(",")[0]
    for seed in range(4):
        axes = chain_axes(six_joint_robot(shape, seed))
        arm = six_class(axes, general=False)
        if kind == "general":
            assert arm is None
            continue
        assert arm.shape == {"spherical": SPHERICAL, "parallel": PARALLEL}[kind] and arm.exact
        assert arm.reversed == bool(seed % 2) and list(arm.names) == list(axes.names[:: -1 if seed % 2 else 1])
        if kind == "spherical":
            assert shape.endswith("no pair") == ("no two" in arm.kind)


@pytest.mark.parametrize(
    ("name", "shape", "kind"),
    [
        ("puma560", SPHERICAL, "axes 1 and 2 meet"),
        ("irb6640", SPHERICAL, "axes 2 and 3 are parallel"),
        ("ur5", PARALLEL, "axes 2, 3, 4 are parallel"),
        ("z1", PARALLEL, "axes 2, 3, 4 are parallel"),
        ("gofa", ANY, ""),
        ("kinova", SPHERICAL, "axes 1 and 2 meet"),
        ("j2n6s200", ANY, ""),
    ],
)
def test_public_arms(name, shape, kind):
    arm = arm_class(public_arm(name))
    assert arm.shape == shape and kind in arm.kind


def rounded(name, off):
    """The arm with every right angle written with few digits."""
    rows = [
        DHRow(a=a, alpha=al + off * np.sign(al), d=d, theta=t, q_min=-np.pi, q_max=np.pi)
        for a, al, d, t in TABLES[name]
    ]
    return Model.from_dh(rows, name="rounded")


@pytest.mark.parametrize("name", ["puma560", "irb6640"])
@pytest.mark.parametrize("off", [1e-9, 1.5708 - np.pi / 2])
def test_rounded_right_angles(name, off, figure):
    found = round_trip(rounded(name, off), 1000, 4)
    figure(f"{name} with angles off by {off:.2g} rad: generating configurations lost", found["lost"], 0)
    figure(f"{name} with angles off by {off:.2g} rad: worst error [m, rad]", found["miss"], 1e-9)


def test_parallel_axes_that_are_not_quite_parallel(figure):
    rows = [
        (0, 1.5708, 0.09, 0),
        (-0.42, 2e-6, 0, 0),
        (-0.39, -3e-6, 0, 0),
        (0, 1.5708, 0.1, 0),
        (0, -1.5708, 0.1, 0),
        (0, 0, 0.1, 0),
    ]
    model = Model.from_dh(
        [DHRow(a=a, alpha=al, d=d, theta=t, q_min=-3, q_max=3) for a, al, d, t in rows], name="rounded"
    )
    arm = arm_class(model)
    assert arm.shape == PARALLEL and not arm.exact
    found = round_trip(model, 1000, 4)
    figure("three nearly parallel axes: generating configurations lost of 1,000", found["lost"], 1)
    figure("three nearly parallel axes: worst error [m, rad]", found["miss"], 1e-9)


def test_an_arm_with_a_freedom_without_effect_is_refused():
    rows = [
        DHRow(a=0.3, alpha=0.0),
        DHRow(a=0.3),
        DHRow(a=0.3),
        DHRow(a=0.3, alpha=1.0),
        DHRow(a=0.1, alpha=1.0),
        DHRow(d=0.1),
    ]
    model = Model.from_dh(rows, name="four_parallel")
    assert general_class(chain_axes(model)) is None
    with pytest.raises(InputError, match="four parallel axes, or two in one line"):
        ik_all(model, np.eye(4))
