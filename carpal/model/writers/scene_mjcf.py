"""Scenes as MJCF, and back.

What is written is the built model, with the objects' first twists beside it. What is read is taken apart again: a free
body that is exactly one shape of that mass is an object, shapes of the world are fixed, and the trees of bodies that
share the prefix "<robot>/" are a robot with its mount inside. Bodies without a prefix, as in files that others wrote,
are one robot that has the file's name.
"""

from __future__ import annotations

import json
import math
import os
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import ModelError
from carpal.model.mesh_shapes import TriangleMesh
from carpal.model.model import Model
from carpal.model.parts import JOINT_NUMBERS, NQ, Body, Frame, Joint
from carpal.model.readers.reading import read_file, read_text
from carpal.model.readers.safe_xml import parse, read_text_safely
from carpal.model.scene import Scene
from carpal.model.shapes import PlacedShape, Plane
from carpal.model.writers.xml_attributes import attributes
from carpal.spatial import Array, pose, rotation_from_wxyz

TWISTS = "carpal_twists"


def mjcf_of_scene(scene: Scene) -> str:
    """The built scene as MJCF."""
    text = scene.build().to_mjcf()
    twists = {thing.name: thing.twist.tolist() for thing in scene.objects if thing.twist.any()}
    if not twists:
        return text
    line = f"    <text {attributes(name=TWISTS, data=json.dumps(twists))}/>\n"
    return text.replace("  </custom>\n", line + "  </custom>\n", 1)


def scene_of_mjcf(source: str | os.PathLike[str]) -> Scene:
    """The scene of an MJCF text or file."""
    if isinstance(source, str) and source.lstrip().startswith("<"):
        model, text, name = read_text(source), source, "text"
    else:
        path = Path(source)
        if not path.is_file():
            raise ModelError(f"no file '{path}'; from_mjcf() takes a path, or a text that begins with '<'.")
        model, text, name = read_file(path), read_text_safely(path, path.name), path.name
    return _take_apart(model, _twists(text, name))


def _twists(text: str, name: str) -> dict[str, list[float]]:
    for element in parse(text, name).findall("custom/text"):
        if element.get("name") == TWISTS:
            try:
                found = json.loads(element.get("data", ""))
                return {str(label): [float(x) for x in twist] for label, twist in found.items()}
            except (ValueError, TypeError, AttributeError, RecursionError):
                raise ModelError(f"the custom text '{TWISTS}' of '{name}' is not what Carpal writes.") from None
    return {}


def _take_apart(model: Model, twists: dict[str, list[float]]) -> Scene:
    scene = Scene(model.name, model.gravity)
    home = _home(model)
    objects = {body.name: shape for body in model.bodies if (shape := _object_shape(model, body)) is not None}
    fallback = model.name.replace("/", "_") or "robot"
    groups: dict[str, list[Body]] = {}
    for body in model.bodies:
        if body.name not in objects:
            groups.setdefault(_prefix(model, body) or fallback, []).append(body)
    names = list(groups)
    for name in names:
        q = np.concatenate([home[body.name] for body in groups[name]])
        scene.add_robot(_robot(model, name, groups[name], first=name == names[0]), name=name, q=q)
    for name, shape in objects.items():
        body = model.body(name)
        X = pose(rotation_from_wxyz(home[name][3:]), home[name][:3])
        assert body.inertia is not None  # an object has one
        scene.add_object(name, shape.shape, mass=body.inertia.mass, pose=X, twist=twists.get(name), rgba=shape.rgba)
    for shape in model.shapes:
        if shape.body is None and shape.name.split("/")[0] not in groups:
            scene.add_fixed(shape.name.replace("/", "_"), shape.shape, pose=shape.X_BS, rgba=shape.rgba)
    _warn_of_lost(model, scene)
    of_robots = sum(len(robot.model.exclusions) for robot in scene.robots)
    if of_robots < len(model.exclusions):
        inside = {
            (f"{robot.name}/{a}", f"{robot.name}/{b}") for robot in scene.robots for a, b in robot.model.exclusions
        }
        for a, b in model.exclusions:
            if (a, b) not in inside:
                scene.exclude(a, b)
    return scene


def _home(model: Model) -> dict[str, Array]:
    parts, first = {}, 0
    for body in model.bodies:
        n = NQ[body.joint.kind]
        parts[body.name] = np.asarray(model.q_home)[first : first + n]
        first += n
    return parts


def _object_shape(model: Model, body: Body) -> PlacedShape | None:
    """The shape of a body that is nothing but a free solid of that shape."""
    joint = body.joint
    plain = body.parent is None and joint.kind == "free" and joint.name == body.name and "/" not in body.name
    if not plain or not (np.array_equal(joint.X_PJ, np.eye(4)) and np.array_equal(joint.X_JB, np.eye(4))):
        return None
    if any(getattr(joint, what) != getattr(Joint(""), what) for what in JOINT_NUMBERS) or body.inertia is None:
        return None
    if body.gravity_compensation or any(body.name in (loop.body_a, loop.body_b) for loop in model.loops):
        return None
    carried = any(other.parent == body.name for other in model.bodies)
    if carried or any(frame.body == body.name for frame in model.extra_frames):
        return None
    shapes = [shape for shape in model.shapes if shape.body == body.name]
    if any((shape.contype, shape.conaffinity) != (1, 1) for shape in shapes) or any(
        seen.body == body.name for seen in model.visuals
    ):
        return None
    if len(shapes) != 1 or shapes[0].name != body.name or not np.array_equal(shapes[0].X_BS, np.eye(4)):
        return None
    if not shapes[0].collides or isinstance(shapes[0].shape, Plane) or body.inertia.mass <= 0:
        return None
    if isinstance(shapes[0].shape, TriangleMesh) and not shapes[0].shape.solid:
        return None
    solid, near = shapes[0].shape.inertia(body.inertia.mass), 1e-12
    same = np.allclose(solid.about_com, body.inertia.about_com, rtol=near, atol=near * solid.about_com.max())
    centred = np.allclose(
        solid.com, body.inertia.com, rtol=near, atol=near * math.sqrt(solid.about_com.max() / solid.mass)
    )
    return shapes[0] if same and centred else None


def _prefix(model: Model, body: Body) -> str | None:
    """What stands before the slash in the names of a whole tree; None where it is not one and the same."""
    root = body
    while root.parent is not None:
        root = model.body(root.parent)
    family, names = {root.name}, [root.name, root.joint.name]
    for other in model.bodies:
        if other.parent in family:
            family.add(other.name)
            names += [other.name, other.joint.name]
    first = root.name.split("/")[0]
    return first if all(name.startswith(f"{first}/") and len(name) > len(first) + 1 for name in names) else None


def _robot(model: Model, name: str, bodies: list[Body], *, first: bool) -> Model:
    """The model of one robot, without its prefix; the first one gets the world's frames that belong to nobody."""
    put = f"{name}/"
    own = {body.name for body in bodies}

    def bare(label: str) -> str:
        return label.removeprefix(put)

    def mine(body: str | None, label: str) -> bool:
        return body in own if body is not None else label.startswith(put)

    kept = [
        Body(
            bare(b.name),
            None if b.parent is None else bare(b.parent),
            replace(b.joint, name=bare(b.joint.name)),
            b.inertia,
            b.gravity_compensation,
        )
        for b in bodies
    ]
    frames = [
        Frame(bare(frame.name), None if frame.body is None else bare(frame.body), frame.X_BF)
        for frame in model.extra_frames
        if mine(frame.body, frame.name) or (first and frame.body is None and "/" not in frame.name)
    ]
    shapes = [
        replace(shape, name=bare(shape.name), body=None if shape.body is None else bare(shape.body))
        for shape in model.shapes
        if mine(shape.body, shape.name)
    ]
    names = {body.name for body in kept} | {frame.name for frame in frames}
    touching = own | {shape.name for shape in model.shapes if mine(shape.body, shape.name)}
    return Model(
        name=name,
        bodies=tuple(kept),
        extra_frames=tuple(frames),
        tool=bare(str(model.tool)) if bare(str(model.tool)) in names else None,
        tool_axis=model.tool_axis,
        gravity=model.gravity,
        source=model.source,
        notes=tuple(bare_note for note in model.notes if (bare_note := note.removeprefix(f"{name}: ")) != note),
        shapes=tuple(shapes),
        exclusions=tuple((bare(a), bare(b)) for a, b in model.exclusions if a in touching and b in touching),
        contact_pairs=tuple((bare(a), bare(b)) for a, b in model.contact_pairs if a in touching and b in touching),
        visuals=tuple(
            replace(seen, name=bare(seen.name), body=None if seen.body is None else bare(seen.body))
            for seen in model.visuals
            if mine(seen.body, seen.name)
        ),
        **_extensions(model, bodies, bare),
    )


def _extensions(model: Model, bodies: list[Body], bare: Callable[[str], str]) -> dict[str, Any]:
    """Couplings, loops, tendons and actuators among a robot's own bodies and joints, without its prefix."""
    own = {None} | {body.name for body in bodies}
    joints = {None} | {body.joint.name for body in bodies}

    def named(label: str | None) -> str | None:
        return None if label is None else bare(label)

    bodies_of = {frame.name: frame.body for frame in model.extra_frames} | {
        body.name: body.name for body in model.bodies
    }
    bodies_of |= {shape.name: shape.body for shape in model.shapes}
    tendons = [
        tendon
        for tendon in model.tendons
        if set(tendon.joints) <= joints and all(bodies_of.get(step.name) in own for step in tendon.path)
    ]
    labels = {None} | {tendon.name for tendon in tendons}
    return {
        "couplings": tuple(
            replace(c, name=bare(c.name), follower=bare(c.follower), leader=named(c.leader))
            for c in model.couplings
            if c.follower in joints and c.leader in joints
        ),
        "loops": tuple(
            replace(loop, name=bare(loop.name), body_a=bare(loop.body_a), body_b=named(loop.body_b))
            for loop in model.loops
            if loop.body_a in own and loop.body_b in own
        ),
        "tendons": tuple(
            replace(
                tendon,
                name=bare(tendon.name),
                joints={bare(joint): value for joint, value in tendon.joints.items()},
                path=tuple(replace(step, name=bare(step.name), side=named(step.side)) for step in tendon.path),
            )
            for tendon in tendons
        ),
        "actuators": tuple(
            replace(a, name=bare(a.name), joint=named(a.joint), tendon=named(a.tendon))
            for a in model.actuators
            if a.joint in joints and a.tendon in labels
        ),
    }


def _warn_of_lost(model: Model, scene: Scene) -> None:
    """Warn of what ties several robots or objects together: a scene has no place for it."""
    for what in ("couplings", "loops", "tendons", "actuators"):
        kept = {thing.name for robot in scene.robots for thing in getattr(robot.model, what)}
        kept |= {f"{robot.name}/{thing.name}" for robot in scene.robots for thing in getattr(robot.model, what)}
        lost = [thing.name for thing in getattr(model, what) if thing.name not in kept]
        if lost:
            warnings.warn(
                f"'{model.name}': {what} between several robots or objects are not kept in a scene: {', '.join(lost[:8])}.",
                UserWarning,
                stacklevel=4,
            )
