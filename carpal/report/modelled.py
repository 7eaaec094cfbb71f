"""Modelled bodies for robots whose description has neither meshes nor shapes: joint housings, tapered links, palms, wrists.

Only pictures know them: nothing collides with them and they have no mass. Everything follows from the kinematics: a link runs
from its joint to the joints and frames that it carries, a body with three moving children or more is a palm.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carpal.kinematics import fk
from carpal.model import Body, Capsule, ConvexMesh, Model
from carpal.report import solids
from carpal.report.palette import ACCENT, HOUSING, METAL, SHELL
from carpal.report.parts import Colour, Part
from carpal.spatial import Array, align_z, inverse, pose

ARM, FINGER = (0.013, 0.017), (0.050, 0.035)
"""Radius of a link: shares of the length of its whole chain, and of what is left of it."""
PALM_CHILDREN = 3
MESHES, CAPSULE = {"convex", "triangles"}, {"capsule"}
SAME = 0.9
"""Joints nearer to one another than this many radii share one round housing."""


@dataclass(eq=False)
class Link:
    """What the modelling needs to know of a body: where its joint is and where it goes, in its own frame [m]."""

    body: Body
    start: Array
    axis: Array
    ends: list[tuple[Array, str | None]] = field(default_factory=list)
    left: float = 0.0
    total: float = 0.0
    radius: float = 0.0
    palm: bool = False
    finger: bool = False
    rest: bool = False
    """Whether its joint sits in the housing of the one before."""


def modelled_bodies(model: Model, seen: set[str | None]) -> set[str]:
    """Names of the bodies that are modelled: of robots without meshes that bring shapes for less than half of their links.

    Args:
        model: a robot, or a scene of several: "robot/body" are of one robot.
        seen: bodies whose visuals are drawn.
    """
    robots: dict[str, list[Body]] = {}
    for body in model.bodies:
        robots.setdefault(body.name.split("/")[0] if "/" in body.name else "", []).append(body)
    kinds: dict[str | None, set[str]] = {}
    for placed in model.shapes:
        kinds.setdefault(placed.body, set()).add(placed.shape.kind)
    meshes = {visual.body for visual in model.visuals if visual.mesh}
    carrying = {body.parent for body in model.bodies}
    found: set[str] = set()
    for bodies in robots.values():
        links = [body for body in bodies if body.joint.kind != "free" or body.name in carrying]
        if any(body.name in meshes or kinds.get(body.name, set()) & MESHES for body in links):
            continue
        bare = [body for body in links if body.name not in seen and kinds.get(body.name, CAPSULE) == CAPSULE]
        if 2 * len(bare) >= len(links):
            found |= {body.name for body in links if body.joint.kind != "free" and body.name not in seen}
    return found


def modelled_parts(model: Model, names: set[str]) -> list[Part]:
    """Parts of the named bodies of a model."""
    links = _links(model, names)
    parts: list[Part] = []
    for link in links.values():
        if link.body.parent is None:
            parts += _foot(model, link)
        parts += _joint(link)
        parts += _palm(model, link, links) if link.palm else _tubes(model, link, links)
    return parts


def _links(model: Model, names: set[str]) -> dict[str, Link]:
    """Every named body with its ends, lengths and radius."""
    links: dict[str, Link] = {}
    skins = {
        placed.body: placed.shape.radius
        for placed in model.shapes
        if isinstance(placed.shape, Capsule) and placed.collides
    }
    for body in model.bodies:
        if body.name not in names:
            continue
        X = inverse(body.joint.X_JB)  # the joint's moving frame, seen from the body
        links[body.name] = Link(body, X[:3, 3], X[:3, :3] @ np.asarray(body.joint.axis, float))
        if body.parent in links:
            links[body.parent].ends.append((body.joint.X_PJ[:3, 3], body.name))
    for frame in model.extra_frames:
        if frame.body in links and not any(child for _, child in links[frame.body].ends):
            links[frame.body].ends.append((frame.X_BF[:3, 3], None))
    for link in reversed(links.values()):
        link.left = max(
            (_far(link.start, end) + (links[child].left if child else 0.0) for end, child in link.ends), default=0.0
        )
        moving = [child for _, child in link.ends if child and links[child].left > 0]
        link.palm = len(moving) >= PALM_CHILDREN
    for link in links.values():
        parent = links.get(link.body.parent or "")
        link.finger = parent is not None and (parent.palm or parent.finger)
        link.total = link.left if parent is None or parent.palm else parent.total
        whole, rest = FINGER if link.finger else ARM
        link.radius = skins.get(link.body.name, max(whole * link.total + rest * link.left, 1e-4))
        if parent is not None and not parent.palm:
            gap = _far(parent.start, link.body.joint.X_PJ[:3, 3])
            link.rest = gap < SAME * link.radius and parent.body.joint.kind in ("revolute", "ball")
    return links


def _joint(link: Link) -> list[Part]:
    """The housing of a joint, and the ring that shows its axis."""
    r, at, R = link.radius, link.start, align_z(link.axis)
    name = link.body.name
    match link.body.joint.kind:
        case "revolute" if link.rest:
            return [_part(f"{name}/ring", name, solids.ring(1.36 * r, 0.10 * r), ACCENT, R, at)]
        case "revolute":
            return [
                _part(f"{name}/housing", name, solids.barrel(1.22 * r, 2.3 * r), SHELL, R, at),
                _part(f"{name}/caps", name, solids.cylinder(0.95 * r, 2.62 * r), HOUSING, R, at),
                _part(f"{name}/ring", name, solids.ring(1.24 * r, 0.09 * r), ACCENT, R, at),
            ]
        case "prismatic":
            return [_part(f"{name}/slide", name, solids.cylinder(0.75 * r, 4.5 * r), METAL, R, at)]
        case "ball":
            return [_part(f"{name}/ball", name, solids.sphere(1.35 * r), HOUSING, R, at)]
    return []


def _tubes(model: Model, link: Link, links: dict[str, Link]) -> list[Part]:
    """Tapered links from a joint to everything that it carries, and what a last link ends in."""
    parts, r, name = [], link.radius, link.body.name
    for k, (end, child) in enumerate(link.ends):
        length = _far(link.start, end)
        if child and links[child].rest:
            parts.append(
                _part(f"{name}/hub_{k}", name, solids.sphere(1.3 * links[child].radius), SHELL, np.eye(3), end)
            )
        if length < 0.25 * r:
            continue
        top = links[child].radius if child else (0.72 * r if link.finger else 0.85 * r)
        R, middle = align_z((end - link.start) / length), 0.5 * (link.start + end)
        if child or link.finger:
            parts.append(_part(f"{name}/link_{k}", name, solids.bone(0.95 * r, 0.95 * top, length), SHELL, R, middle))
        else:  # a flange: flat, where a hand or a tool is screwed on
            parts.append(_part(f"{name}/link_{k}", name, solids.frustum(0.9 * r, 0.85 * r, length), HOUSING, R, middle))
    if link.finger and link.ends and all(child is None for _, child in link.ends):
        end = link.ends[0][0]
        parts.append(_part(f"{name}/pad", name, solids.sphere(0.86 * r), HOUSING, np.eye(3), end))
    return parts


def _palm(model: Model, link: Link, links: dict[str, Link]) -> list[Part]:
    """A rounded plate that holds every finger, and a wrist where the hand stands in the world."""
    name = link.body.name
    ends = np.array([end for end, child in link.ends])
    r = float(np.mean([links[child].radius for _, child in link.ends if child]))
    points = ends if link.body.parent is None else np.vstack([ends, link.start])
    back = _backwards(model, link, ends)
    wrist = points.mean(0) + back * (0.35 * float(np.ptp(points, axis=0).max()) + r)
    ball = solids.sphere(1.05 * r)[0]
    hull = ConvexMesh(np.concatenate([ball + p for p in (*points, wrist)]))
    parts = [_part(f"{name}/palm", name, (hull.points, hull.faces), SHELL, np.eye(3), np.zeros(3))]
    if link.body.parent is None:
        wide, R = 1.9 * r, align_z(back)
        parts.append(_part(f"{name}/wrist", name, solids.cylinder(wide, 3.2 * r), HOUSING, R, wrist + 1.9 * r * back))
        parts.append(_part(f"{name}/cuff", name, solids.ring(wide, 0.16 * r), ACCENT, R, wrist + 2.6 * r * back))
    return parts


def _backwards(model: Model, link: Link, ends: Array) -> Array:
    """Unit vector (3) from the fingers to the wrist, in the palm's frame at home."""
    home = np.asarray(model.q_home, float)
    X_WP = fk(model, home, link.body.name)
    tips = {body.name for body in model.bodies} - {body.parent for body in model.bodies}
    below = _below(model, link.body.name)
    points = np.array([fk(model, home, tip)[:3, 3] for tip in tips & below])
    inside = (points - X_WP[:3, 3]) @ X_WP[:3, :3]
    way = ends.mean(0) - inside.mean(0)
    length = float(np.linalg.norm(way))
    return np.asarray(way / length) if length > 1e-9 else np.array([0.0, 0.0, -1.0])


def _below(model: Model, root: str) -> set[str]:
    found = {root}
    for body in model.bodies:
        if body.parent in found:
            found.add(body.name)
    return found - {root}


def _foot(model: Model, link: Link) -> list[Part]:
    """The plate on which a robot stands in the world, and a column where that is above the ground."""
    placed: list[Any] = [*model.visuals, *(shape for shape in model.shapes if shape.shape.kind != "plane")]
    if link.palm or any(thing.body == link.body.name for thing in placed):
        return []  # a hand has a wrist; others stand on what their description names
    r, name, at = link.radius, link.body.name, link.body.joint.X_PJ
    g = np.asarray(model.gravity, float)
    up = -g / np.linalg.norm(g) if g.any() else np.array([0.0, 0.0, 1.0])
    way = next((end - link.start for end, _ in link.ends if _far(link.start, end) > 1e-6), link.axis)
    way = at[:3, :3] @ (way if link.body.joint.kind == "fixed" else link.axis)
    R = align_z(way / np.linalg.norm(way))
    spot = at[:3, 3] - (0.0 if link.body.joint.kind == "fixed" else 1.3 * r) * R[:, 2]
    parts = [_part(f"{name}/plate", None, solids.cylinder(1.75 * r, 0.5 * r), HOUSING, R, spot)]
    height = float(up @ spot)
    if 0.5 * r < height < 0.6 * link.left and all(thing.body is not None for thing in placed):
        foot = spot - height * up
        S = align_z(up)
        parts.append(_part(f"{name}/column", None, solids.cylinder(0.9 * r, height), METAL, S, 0.5 * (spot + foot)))
        parts.append(_part(f"{name}/foot", None, solids.cylinder(2.1 * r, 0.4 * r), HOUSING, S, foot + 0.2 * r * up))
    return parts


def _part(name: str, body: str | None, mesh: tuple[Array, np.ndarray], rgba: Colour, R: Array, p: Array) -> Part:
    return Part(f"modelled {name}", body, pose(R, p), rgba, None, mesh)


def _far(a: Array, b: Array) -> float:
    return float(np.linalg.norm(b - a))
