"""SRDF beside a robot: groups of joints, named configurations (home among them) and pairs of links that may touch.

Disabled pairs become `Model.exclusions`, group states `Model.configurations`, groups `Model.groups`. The state named home
(else default, ready, half_sitting, standing or reference) becomes `q_home`.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

from carpal.errors import ModelError
from carpal.model.model import Model
from carpal.model.parts import Body
from carpal.model.readers.home import inside_limits
from carpal.model.readers.safe_xml import one_line, parse, read_text_safely
from carpal.spatial import Array

HOMES = ("home", "default", "ready", "half_sitting", "standing", "reference")
"""Names of states that are a home, the best first."""


def srdf_beside(file: Path) -> Path | None:
    """The SRDF of a URDF: of the same name beside it, or in a folder `srdf` beside its folder."""
    for folder in (file.parent, file.parent.parent / "srdf"):
        found = folder / f"{file.stem}.srdf"
        if found.is_file():
            return found
    return None


def with_srdf(model: Model, path: Path) -> Model:
    """The model with what an SRDF file says of it; links and joints that it does not have are named in a note.

    Args:
        model: the robot.
        path: the SRDF file.

    Raises:
        ModelError: one sentence, for anything that is wrong with the file.
    """
    name = path.name
    root = parse(read_text_safely(path, name), name)
    if root.tag != "robot":
        raise ModelError(f"'{name}' has the root element <{one_line(root.tag)}>; <robot> (SRDF) was expected.")
    lost: list[str] = []
    notes = [f"groups, configurations and disabled pairs come from '{name}'."]
    groups = _groups(root, model, lost, name)
    configurations = _states(root, model, lost, name)
    pairs = _pairs(root, model, lost)
    home = next((configurations[key] for key in HOMES if key in configurations), model.q_home)
    home = inside_limits(np.array(home), model.bodies, f"the state that '{name}' has for home", notes)
    if lost:
        shown = ", ".join(dict.fromkeys(lost[:8]))
        notes.append(f"'{name}' names what '{model.name}' does not have: {shown}{' ...' if len(lost) > 8 else ''}.")
    for what in ("passive_joint", "virtual_joint", "end_effector"):
        if root.find(what) is not None:
            notes.append(f"<{what}> of '{name}' is not used.")
    known = {frozenset(pair) for pair in model.exclusions}
    return model.replace(
        exclusions=(*model.exclusions, *(pair for pair in pairs if frozenset(pair) not in known)),
        groups=groups,
        configurations=configurations,
        q_home=home,
        notes=(*model.notes, *notes),
    )


def _pairs(root: ET.Element, model: Model, lost: list[str]) -> list[tuple[str, str]]:
    bodies = {body.name for body in model.bodies}
    pairs: dict[frozenset[str], tuple[str, str]] = {}
    for element in root.findall("disable_collisions"):
        a, b = element.get("link1", ""), element.get("link2", "")
        lost += [one_line(link) for link in (a, b) if link not in bodies]
        if a in bodies and b in bodies and a != b:
            pairs.setdefault(frozenset((a, b)), (a, b))
    return list(pairs.values())


def _groups(root: ET.Element, model: Model, lost: list[str], name: str) -> dict[str, tuple[str, ...]]:
    """Joints of each group: its own, those of its links, of its chains and of the groups that it names."""
    elements = {element.get("name", ""): element for element in root.findall("group") if element.get("name")}
    above = {body.name: body for body in model.bodies}
    done: dict[str, tuple[str, ...]] = {}

    def joints(group: str, seen: tuple[str, ...]) -> list[str]:
        if group in seen:
            raise ModelError(f"the group '{one_line(group)}' in '{name}' contains itself.")
        if group not in elements:
            lost.append(one_line(group))
            return []
        out: list[str] = []
        for child in elements[group]:
            if child.tag == "joint":
                out.append(child.get("name", ""))
            elif child.tag == "link" and child.get("name", "") in above:
                out.append(above[child.get("name", "")].joint.name)
            elif child.tag == "chain":
                out += _chain(child, above, lost)
            elif child.tag == "group":
                out += joints(child.get("name", ""), (*seen, group))
        return out

    fixed = {body.joint.name for body in model.bodies if body.joint.kind == "fixed"}
    for group in elements:
        listed = dict.fromkeys(joints(group, ()))
        lost += [one_line(joint) for joint in listed if joint not in model.joint_names and joint not in fixed]
        done[group] = tuple(joint for joint in listed if joint in model.joint_names)
    return done


def _chain(element: ET.Element, above: dict[str, Body], lost: list[str]) -> list[str]:
    base, tip = element.get("base_link", ""), element.get("tip_link", "")
    if base not in above or tip not in above:
        lost += [one_line(link) for link in (base, tip) if link not in above]
        return []
    out: list[str] = []
    link: str | None = tip
    while link is not None and link != base:
        out.append(above[link].joint.name)
        link = above[link].parent
    return out[::-1]


def _states(root: ET.Element, model: Model, lost: list[str], name: str) -> dict[str, Array]:
    """Configurations (nq) by name; "group/state" where two groups have a state of that name."""
    kinds = {body.joint.name: body.joint.kind for body in model.bodies}
    states = root.findall("group_state")
    names = [state.get("name", "") for state in states]
    out: dict[str, Array] = {}
    for state, label in zip(states, names, strict=True):
        q = np.array(model.q_home)
        for joint in state.findall("joint"):
            key = joint.get("name", "")
            if kinds.get(key) not in ("revolute", "prismatic"):
                if key not in kinds:
                    lost.append(one_line(key))
                continue
            q[model.q_index(key)] = _number(joint.get("value", ""), key, name)
        out[label if names.count(label) == 1 else f"{state.get('group', '')}/{label}"] = q
    return out


def _number(text: str, joint: str, name: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ModelError(
            f"'{name}' has the value \"{one_line(text)}\" for joint '{one_line(joint)}'; a number was expected."
        )
    return value
