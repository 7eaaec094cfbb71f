"""From a scene to one Model: names get prefixes, mounts become joints, poses go into q_home."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.errors import InputError
from carpal.model.actuators import Actuator, ModelTendon
from carpal.model.constraints import Coupling, Loop
from carpal.model.model import Model
from carpal.model.native import NativeMjcf
from carpal.model.parts import Body, Frame, Joint
from carpal.model.shapes import PlacedShape
from carpal.model.visuals import Visual
from carpal.spatial import Array, Inertia, wxyz_from_rotation

if TYPE_CHECKING:
    from carpal.model.scene import Scene, SceneRobot


def build_scene(scene: Scene) -> Model:
    """One Model of everything in the scene."""
    if not scene.robots and not scene.objects:
        raise InputError(f"scene '{scene.name}' has neither a robot nor an object, so there is nothing to build.")
    bodies: list[Body] = []
    frames: list[Frame] = []
    shapes: list[PlacedShape] = []
    q: list[Array] = []
    mounts: dict[str, str | None] = {}
    for robot in scene.robots:
        more, start = _mount(robot)
        q += [start, robot.q]
        bodies += more
        mounts[robot.name] = more[-1].name if more else None
        _add_robot(robot, mounts[robot.name], bodies, frames, shapes)
    for thing in scene.objects:
        bodies.append(Body(thing.name, None, Joint(thing.name, "free"), thing.shape.inertia(thing.mass)))
        shapes.append(PlacedShape(thing.name, thing.name, thing.shape, rgba=thing.rgba))
        q.append(_free_q(thing.X_WB))
    shapes += [PlacedShape(thing.name, None, thing.shape, thing.X_WS, thing.rgba) for thing in scene.fixed]
    parts: dict[str, Any] = {
        what: tuple(thing for robot in scene.robots for thing in _renamed(robot, mounts[robot.name], what))
        for what in ("visuals", "couplings", "loops", "tendons", "actuators", "native")
    }
    first = scene.robots[0] if scene.robots else None
    return Model(
        name=scene.name,
        bodies=tuple(bodies),
        extra_frames=tuple(frames),
        tool=f"{first.name}/{first.model.tool}" if first else None,
        tool_axis=first.model.tool_axis if first else np.array([0.0, 0.0, 1.0]),
        gravity=scene.gravity,
        q_home=np.concatenate(q),
        source=f"scene '{scene.name}'",
        notes=tuple(f"{robot.name}: {note}" for robot in scene.robots for note in robot.model.notes),
        shapes=tuple(shapes),
        exclusions=(
            *((f"{robot.name}/{a}", f"{robot.name}/{b}") for robot in scene.robots for a, b in robot.model.exclusions),
            *scene.exclusions,
        ),
        contact_pairs=tuple(
            pair
            for robot in scene.robots
            for pair in _renamed(robot, mounts[robot.name], "contact_pairs")
            if not _excluded(pair, scene.exclusions, shapes)
        ),
        groups={
            f"{robot.name}/{group}": tuple(f"{robot.name}/{joint}" for joint in joints)
            for robot in scene.robots
            for group, joints in robot.model.groups.items()
        },
        **parts,
    )


def _excluded(pair: tuple[str, str], exclusions: list[tuple[str, str]], shapes: list[PlacedShape]) -> bool:
    """Whether the scene excludes a pair that a robot's file lists: the scene has the last word."""
    bodies = {shape.name: shape.body for shape in shapes}

    def means(name: str, shape: str) -> bool:
        return name in (shape, bodies[shape]) or shape.startswith(f"{name}/")

    one, two = pair
    return any((means(a, one) and means(b, two)) or (means(a, two) and means(b, one)) for a, b in exclusions)


def _free_q(X: Array) -> Array:
    return np.concatenate([X[:3, 3], wxyz_from_rotation(X[:3, :3])])


def _mount(robot: SceneRobot) -> tuple[list[Body], Array]:
    """The massless bodies between the world and a robot, and how their joints begin."""
    name = robot.name
    if robot.mount == "free":
        return [Body(f"{name}/free", None, Joint(f"{name}/free", "free"), Inertia.nothing())], _free_q(robot.X_WM)
    if robot.mount == "slide_xy":
        x, y = f"{name}/slide_x", f"{name}/slide_y"
        along_x = Joint(x, "prismatic", X_PJ=robot.X_WM, axis=np.array([1.0, 0.0, 0.0]))
        along_y = Joint(y, "prismatic", axis=np.array([0.0, 1.0, 0.0]))
        return [Body(x, None, along_x, Inertia.nothing()), Body(y, x, along_y, Inertia.nothing())], np.zeros(2)
    return [], np.zeros(0)


def _add_robot(
    robot: SceneRobot, base: str | None, bodies: list[Body], frames: list[Frame], shapes: list[PlacedShape]
) -> None:
    """The robot's own parts; what stood in its world now stands on `base` (None: in the scene's world, at the pose)."""
    model = robot.model.mounted(robot.X_WM) if base is None else robot.model
    put = f"{robot.name}/"

    def below(body: str | None) -> str | None:
        return base if body is None else put + body

    for body in model.bodies:
        joint = replace(body.joint, name=put + body.joint.name)
        bodies.append(replace(body, name=put + body.name, parent=below(body.parent), joint=joint))
    frames += [Frame(put + frame.name, below(frame.body), frame.X_BF) for frame in model.extra_frames]
    shapes += [replace(shape, name=put + shape.name, body=below(shape.body)) for shape in model.shapes]


def _renamed(robot: SceneRobot, base: str | None, what: str) -> list[Any]:
    """A robot's visuals, couplings, loops, tendons, actuators or contact pairs, with its name before every name in them."""
    model = robot.model.mounted(robot.X_WM) if base is None else robot.model
    put = f"{robot.name}/"

    def named(label: str | None) -> str | None:
        return None if label is None else put + label

    def below(body: str | None) -> str | None:
        return base if body is None else put + body

    def changed(thing: Any) -> Any:
        match thing:
            case NativeMjcf():
                return thing.renamed(put, base)
            case Visual():
                return replace(thing, name=put + thing.name, body=below(thing.body))
            case Coupling():
                return replace(thing, name=put + thing.name, follower=put + thing.follower, leader=named(thing.leader))
            case Loop():
                return replace(thing, name=put + thing.name, body_a=put + thing.body_a, body_b=below(thing.body_b))
            case ModelTendon():
                path = (replace(step, name=step.name and put + step.name, side=named(step.side)) for step in thing.path)
                joints = {put + joint: coefficient for joint, coefficient in thing.joints.items()}
                return replace(thing, name=put + thing.name, joints=joints, path=tuple(path))
            case Actuator():
                return replace(thing, name=put + thing.name, joint=named(thing.joint), tendon=named(thing.tendon))
        return (put + thing[0], put + thing[1])

    return [changed(thing) for thing in getattr(model, what)]
