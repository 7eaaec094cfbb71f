"""Settings of an MJCF file's <option> that change the motion and have no field in a model."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator

from carpal.errors import ModelError
from carpal.model.readers.safe_xml import one_line

MEDIUM = ("density", "viscosity", "wind")
FLAGS = (
    "constraint", "equality", "frictionloss", "limit", "passive", "spring", "damper", "clampctrl", "actuation",
)  # fmt: skip
"""Flags whose "disable" takes something of the motion away; "gravity" is kept as a gravity of zero, "contact"
as shapes that do not collide."""


def option_losses(root: ET.Element) -> list[str]:
    """Sentences on the settings that are not kept: a medium around the robot, and what the file disables."""
    lost = []
    for option in root.findall("option"):
        for what in MEDIUM:
            text = option.get(what, "")
            if any(_numbers(text, what)):
                lost.append(f'the option {what}="{one_line(text)}" is not kept: nothing flows around the bodies.')
        groups = option.get("actuatorgroupdisable", "")
        if groups.strip():
            lost.append(f'the option actuatorgroupdisable="{one_line(groups)}" is not kept: all actuators act.')
    lost += [f'the flag {what}="disable" is not kept.' for what in FLAGS if what in _disabled(root)]
    return lost


def without_gravity(root: ET.Element) -> bool:
    """Whether the file switches gravity off by a flag."""
    return "gravity" in _disabled(root)


def _disabled(root: ET.Element) -> set[str]:
    return {what for flag in _flags(root) for what, value in flag.attrib.items() if value == "disable"}


def _flags(root: ET.Element) -> Iterator[ET.Element]:
    for option in root.findall("option"):
        yield from option.findall("flag")


def _numbers(text: str, what: str) -> list[float]:
    try:
        return [float(word) for word in text.split()]
    except ValueError:
        raise ModelError(f'the option {what}="{one_line(text)}" is not a number.') from None
