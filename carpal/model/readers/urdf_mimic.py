"""Mimic joints of a URDF as couplings: q_follower = offset + multiplier q_leader."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

from carpal.errors import ModelError
from carpal.model.constraints import Coupling
from carpal.model.readers.safe_xml import one_line

SCALAR = ("revolute", "continuous", "prismatic")


def mimic_couplings(joints: list[ET.Element], name: str) -> tuple[tuple[Coupling, ...], list[str]]:
    """A coupling for every <mimic>, and sentences on those that are not kept.

    Args:
        joints: the elements <joint>.
        name: what messages call the file.
    """
    kinds = {joint.get("name", ""): joint.get("type", "") for joint in joints}
    couplings: list[Coupling] = []
    lost: list[str] = []
    for joint in joints:
        mimic, label = joint.find("mimic"), joint.get("name", "")
        if mimic is None:
            continue
        leader = mimic.get("joint", "")
        if leader not in kinds:
            lost.append(
                f"joint '{one_line(label)}' mimics the joint '{one_line(leader)}', which does not exist; it moves on its own."
            )
            continue
        slope, offset = number_of(mimic, "multiplier", 1.0, name), number_of(mimic, "offset", 0.0, name)
        if not math.isfinite(slope) or not math.isfinite(offset):
            raise ModelError(
                f"joint '{one_line(label)}' in '{name}' mimics with multiplier {slope} and offset {offset}."
            )
        if kinds[label] == "fixed":
            continue  # nothing moves
        if kinds[label] not in SCALAR or kinds[leader] not in (*SCALAR, "fixed"):
            lost.append(
                f"joint '{label}' mimics '{leader}', which only revolute and prismatic joints can; it moves on its own."
            )
        elif kinds[leader] == "fixed":
            couplings.append(Coupling(label, label, None, (offset,)))
        else:
            couplings.append(Coupling(label, label, leader, (offset, slope)))
    return tuple(couplings), lost


def number_of(element: ET.Element, key: str, default: float, name: str) -> float:
    """A number among an element's attributes.

    Args:
        element: the element.
        key: the attribute.
        default: what counts where it is absent.
        name: what messages call the file.
    """
    text = element.get(key)
    if text is None:
        return default
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise ModelError(f"'{name}' has {key}=\"{one_line(text)}\" in <{element.tag}>; a number was expected.")
    return value
