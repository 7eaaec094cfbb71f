"""URDF to a model: MuJoCo does the geometry, an own pass keeps what it drops.

MuJoCo alone would merge links that do not move into their parents and forget speed limits, mimic joints and links
without mass. It is given only links, joints and inertias; collision shapes are read by `urdf_shapes`, visual ones not at
all. As URDF says, a link without `<inertial>` has no mass; but where such a link moves and has a shape, its mass was
forgotten rather than zero, so its inertia is unknown and dynamics are refused.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import ModelError
from carpal.model.model import Model
from carpal.model.parts import Body
from carpal.model.readers.assemble import Names, assemble
from carpal.model.readers.mesh_files import missing_sentence
from carpal.model.readers.mujoco_compile import compile_text
from carpal.model.readers.safe_xml import one_line, to_text
from carpal.model.readers.urdf_mimic import mimic_couplings, number_of
from carpal.model.readers.urdf_shapes import UrdfMeshes, urdf_shapes
from carpal.model.readers.urdf_visuals import urdf_visuals
from carpal.spatial import Inertia

MAX_LINKS = 2000
JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical")
UNIT_INERTIA = {"ixx": "1", "iyy": "1", "izz": "1", "ixy": "0", "ixz": "0", "iyz": "0"}
_SETTINGS = {
    "fusestatic": "false", "discardvisual": "true", "balanceinertia": "false", "boundmass": "0", "boundinertia": "0",
    "inertiafromgeom": "false", "usethread": "false",
}  # fmt: skip


def read_urdf(
    root: ET.Element, name: str, folder: Path | None, *, confined: bool, concave: str | None = None
) -> tuple[Model, list[str]]:
    """A model from the root element <robot>, and the sentences that deserve a warning."""
    links = root.findall("link")
    joints = root.findall("joint")
    if len(links) > MAX_LINKS:
        raise ModelError(f"'{name}' has {len(links)} links; at most {MAX_LINKS} are read.")
    parent_joint = _check_tree(name, links, joints)
    known = {link.get("name", "") for link in links}
    stand_in = Names(known).new("world")  # MuJoCo would merge a link of this name into its own world
    compiled, inertias = compile_text(_plain_text(links, joints, stand_in), name, exact_inertia=True, massless=True)
    notes: list[str] = []
    warnings: list[str] = []
    bare = {link.get("name", ""): link for link in links if link.find("inertial") is None}
    number = {compiled.body(i).name: i for i in range(1, compiled.nbody)}
    number["world"] = number.get(stand_in, 0)
    inertias |= {number[link]: Inertia.nothing() for link in bare}
    unknown = {link for link, element in bare.items() if _forgotten(element, parent_joint.get(link))}
    if unknown:
        notes.append(f"no <inertial> for moving links with shapes, so their inertia is unknown: {_list(unknown)}.")
    massless = {link for link, element in bare.items() if _has_shape(element)} - unknown
    if massless:
        notes.append(
            f"no <inertial> for fixed links with shapes, so they have no mass, as URDF says: {_list(massless)}."
        )
    fixed_names = {
        link: joint.get("name", "")
        for link, joint in parent_joint.items()
        if joint.get("type") in ("fixed", "floating")  # floating ones are compiled as fixed, see _plain_text
    }
    bodies, frames, more, heard = assemble(
        compiled,
        inertias,
        unknown={number[link] for link in unknown},
        fixed_names=fixed_names,
        renamed={stand_in: "world"},
    )
    notes += more
    warnings += heard
    bodies = [_with_limits(body, parent_joint.get(body.name), name, notes) for body in bodies]
    couplings, lost_mimics = mimic_couplings(joints, name)
    warnings += lost_mimics + _without_bounds(joints)
    notes += [f"body '{body.name}' has an inertia that no solid body could have." for body in bodies if _odd(body)]
    meshes = UrdfMeshes(root, folder, confined)
    shapes, hulls, lost = urdf_shapes(root, meshes, concave=concave)
    visuals, unseen = urdf_visuals(root, meshes)
    warnings += ([missing_sentence(meshes.missing)] if meshes.missing else []) + lost
    notes += hulls + unseen
    robot = root.get("name") or Path(name).stem
    return Model(
        name=robot,
        bodies=tuple(bodies),
        extra_frames=tuple(frames),
        source=f"URDF '{name}'",
        notes=tuple(notes + warnings),
        shapes=shapes,
        visuals=visuals,
        couplings=couplings,
    ), warnings


def _list(names: set[str]) -> str:
    shown = sorted(names)
    return ", ".join(shown[:8]) + (" ..." if len(shown) > 8 else "")


def _has_shape(link: ET.Element) -> bool:
    return link.find("visual") is not None or link.find("collision") is not None


def _forgotten(link: ET.Element, joint: ET.Element | None) -> bool:
    return joint is not None and joint.get("type") != "fixed" and _has_shape(link)


def _odd(body: Body) -> bool:
    try:
        return body.inertia is not None and not body.inertia.is_physical()
    except np.linalg.LinAlgError:  # numbers near the largest there are
        return True


def _check_tree(name: str, links: list[ET.Element], joints: list[ET.Element]) -> dict[str, ET.Element]:
    """The joint above each link by name; refuses what is not one tree."""
    known: set[str] = set()
    for kind, elements in (("link", links), ("joint", joints)):
        seen: set[str] = set()
        for element in elements:
            label = element.get("name", "")
            if not label or label in seen:
                raise ModelError(
                    f"'{name}' has {'two ' + kind + 's' if label else 'a ' + kind} named '{one_line(label)}'."
                )
            seen.add(label)
        known = known or seen
    if not links:
        raise ModelError(f"'{name}' has no links.")
    above: dict[str, ET.Element] = {}
    parents: dict[str, str] = {}
    for joint in joints:
        label, kind = joint.get("name", ""), joint.get("type", "")
        if kind not in JOINT_TYPES:
            raise ModelError(
                f"joint '{one_line(label)}' in '{name}' has the type '{one_line(kind)}'; "
                f"valid: {', '.join(JOINT_TYPES)}."
            )
        ends = {}
        for end in ("parent", "child"):
            found = joint.find(end)
            ends[end] = found.get("link", "") if found is not None else ""
            if ends[end] not in known:
                raise ModelError(
                    f"joint '{one_line(label)}' in '{name}' names the {end} link '{one_line(ends[end])}', "
                    "which does not exist."
                )
        if ends["child"] in above:
            raise ModelError(
                f"link '{one_line(ends['child'])}' in '{name}' is the child of two joints; URDF robots are trees."
            )
        above[ends["child"]] = joint
        parents[ends["child"]] = ends["parent"]
    roots = [label for label in (link.get("name", "") for link in links) if label not in above]
    if len(roots) > 1:
        raise ModelError(f"'{name}' has {len(roots)} links without a parent ({_list(set(roots))}); one root is needed.")
    reached = set(roots)
    children: dict[str, list[str]] = {}
    for child, parent in parents.items():
        children.setdefault(parent, []).append(child)
    todo = list(roots)
    while todo:
        nexts = children.get(todo.pop(), [])
        reached.update(nexts)
        todo += nexts
    if len(reached) != len(known):
        raise ModelError(f"'{name}' has links in a cycle: {_list(known - reached)}.")
    return above


def _plain_text(links: list[ET.Element], joints: list[ET.Element], stand_in: str) -> str:
    """Only what MuJoCo is to compile: links with inertias, and joints."""
    plain = ET.Element("robot", {"name": "robot"})
    ET.SubElement(ET.SubElement(plain, "mujoco"), "compiler", _SETTINGS)
    for link in links:
        label = link.get("name", "")
        copy = ET.SubElement(plain, "link", {"name": stand_in if label == "world" else label})
        written = link.findall("inertial")[:1]
        copy.extend(written)
        if not written:  # a unit inertia in its place, taken out again afterwards
            inertial = ET.SubElement(copy, "inertial")
            ET.SubElement(inertial, "mass", {"value": "1"})
            ET.SubElement(inertial, "inertia", UNIT_INERTIA)
    for joint in joints:
        kind = joint.get("type", "")
        # MuJoCo allows free joints on the world only, Carpal anywhere
        kind = "fixed" if kind == "floating" else kind
        copy = ET.SubElement(plain, "joint", {"name": joint.get("name", ""), "type": kind})
        for tag in ("parent", "child"):
            label = getattr(joint.find(tag), "attrib", {}).get("link", "")
            ET.SubElement(copy, tag, {"link": stand_in if label == "world" else label})
        for tag in ("origin", "axis", "dynamics"):
            copy.extend(joint.findall(tag)[:1])
    return to_text(plain)


def _without_bounds(joints: list[ET.Element]) -> list[str]:
    """One sentence on revolute and prismatic joints whose limit says neither lower nor upper."""
    limits = [(joint, joint.find("limit")) for joint in joints if joint.get("type") in ("revolute", "prismatic")]
    names = {
        f"'{joint.get('name', '')}'" for joint, limit in limits
        if limit is not None and limit.get("lower") is None and limit.get("upper") is None
    }  # fmt: skip
    if not names:
        return []
    return [
        f"the limits of {_list(names)} say neither lower nor upper: such joints move without limits here, as in MuJoCo; "
        "URDF's default, 0 to 0, would hold them still."
    ]


def _with_limits(body: Body, element: ET.Element | None, name: str, notes: list[str]) -> Body:
    """The body with its joint's limits, and notes on what is not kept."""
    if element is None:
        return body
    label, kind = element.get("name", ""), element.get("type", "")
    joint = body.joint
    changes: dict[str, Any] = {}
    limit = element.find("limit")
    if kind == "floating":
        changes["kind"] = "free"
    elif kind == "planar":
        notes.append(f"the planar joint '{label}' became two prismatic joints and a revolute one.")
    elif kind in ("revolute", "continuous", "prismatic") and limit is not None:
        # as in ROS: an absent bound is zero; but a joint with neither bound is not one that is held at zero
        if kind != "continuous" and (limit.get("lower") is not None or limit.get("upper") is not None):
            changes["q_min"], changes["q_max"] = (
                number_of(limit, "lower", 0.0, name),
                number_of(limit, "upper", 0.0, name),
            )
        changes["v_max"] = number_of(limit, "velocity", math.inf, name)
        changes["tau_max"] = number_of(limit, "effort", math.inf, name)
        for what in ("v_max", "tau_max"):
            if changes[what] == 0:
                notes.append(f"joint '{label}' has {what} = 0, as its file says.")
    if not changes:
        return body
    return replace(body, joint=replace(joint, **changes))
