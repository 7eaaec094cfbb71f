from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from carpal.errors import ModelError
from carpal.model.readers.reading import read_text
from carpal.model.readers.urdf_mimic import mimic_couplings, number_of


def joints(*rows: tuple[str, str, str]) -> list[ET.Element]:
    return [ET.fromstring(f'<joint name="{name}" type="{kind}">{inside}</joint>') for name, kind, inside in rows]


def test_a_mimic_joint_is_a_straight_line():
    rows = ("a", "revolute", ""), ("b", "prismatic", '<mimic joint="a" multiplier="-2" offset="0.5"/>')
    (coupling,), lost = mimic_couplings(joints(*rows), "x")
    assert (coupling.follower, coupling.leader, coupling.coefficients) == ("b", "a", (0.5, -2.0))
    assert lost == []


def test_mimics_of_fixed_joints_and_of_joints_with_several_axes():
    mimic = '<mimic joint="{}" offset="0.25"/>'
    rows = joints(
        ("f", "fixed", mimic.format("a")), ("a", "revolute", mimic.format("f")), ("p", "planar", mimic.format("a"))
    )
    couplings, lost = mimic_couplings(rows, "x")
    assert [(c.follower, c.leader, c.coefficients) for c in couplings] == [("a", None, (0.25,))]
    assert lost == ["joint 'p' mimics 'a', which only revolute and prismatic joints can; it moves on its own."]


def test_wrong_mimics_are_one_sentence():
    couplings, lost = mimic_couplings(joints(("a", "revolute", '<mimic joint="gone"/>')), "x")
    assert couplings == () and lost == ["joint 'a' mimics the joint 'gone', which does not exist; it moves on its own."]
    with pytest.raises(ModelError, match="multiplier"):
        mimic_couplings(joints(("a", "revolute", ""), ("b", "revolute", '<mimic joint="a" multiplier="x"/>')), "x")
    with pytest.raises(ModelError, match="inf"):
        mimic_couplings(joints(("a", "revolute", ""), ("b", "revolute", '<mimic joint="a" multiplier="inf"/>')), "x")
    assert number_of(ET.fromstring("<a/>"), "b", 3.0, "x") == 3.0


def test_a_cycle_of_mimics_is_one_sentence():
    inertia = '<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    link = f'<link name="{{}}"><inertial>{inertia}</inertial></link>'
    text = '<robot name="r">' + "".join(link.format(name) for name in "wxyz")
    for name, parent, child, other in (("a", "w", "x", "b"), ("b", "x", "y", "c"), ("c", "y", "z", "a")):
        ends = f'<parent link="{parent}"/><child link="{child}"/><mimic joint="{other}"/>'
        text += f'<joint name="{name}" type="continuous">{ends}</joint>'
    with pytest.raises(ModelError, match="run in a circle: a -> b -> c -> a"):
        read_text(text + "</robot>")
