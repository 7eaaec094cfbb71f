"""A scene whose arm holds a payload that may turn, prepared for planners: the arm's model, contact tables with the payload."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.contact import CollisionChecker, ContactTables, collision_checker, packed_shape
from carpal.errors import InputError
from carpal.model import Body, Joint, Model, PlacedShape, Scene, need_scene
from carpal.planning.payload.carried_angles import gripper_pose, payload_numbers
from carpal.planning.payload.kernels.angle_set import AXES, BODY, PAYLOAD, PULL_DOWN
from carpal.planning.payload.payload import Payload
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class PayloadScene:
    """Made by `prepare_payload`; planners take it in place of a scene.

    Args:
        payload: what is held.
        model: the joints that planners move.
        checker: of the same model with the payload as a last body, whose joint, the last in q, is its angle.
        numbers: what the kernels read of it.
    """

    payload: Payload
    model: Model
    checker: CollisionChecker
    numbers: Array

    @property
    def tables(self) -> ContactTables:
        """Contact tables with the payload."""
        return self.checker.tables

    @property
    def margin(self) -> float:
        """Pairs at most this near [m] count as touching."""
        return self.checker.margin


def prepare_payload(
    scene: Scene | Model,
    payload: Payload,
    *,
    joints: Sequence[str] | None = None,
    held: Mapping[str, Any] | None = None,
    exclude: Iterable[object] = (),
    margin: float = 0.0,
) -> PayloadScene:
    """Prepare a scene in which a gripper holds a payload, for many plans.

    Args:
        scene: a scene or model; the payload is held by its tool, or by `payload.frame`.
        payload: what is held.
        joints, held, exclude, margin: as of `collision_checker`; `exclude` may name the payload and its shapes. Contact with
            the body that holds it does not count.
    """
    need_scene(scene, "prepare_payload")
    if not isinstance(payload, Payload):
        raise InputError(f"a payload must be a Payload; got {type(payload).__name__}.")
    if not payload.shapes:
        raise InputError("the payload has no shapes: a planner could not see it touch anything.")
    model = scene.build() if isinstance(scene, Scene) else scene
    if isinstance(joints, str):
        joints = [joints]
    slices = zip(model.joint_names, model.joint_slices(), strict=True)
    plain = [name for name, (kind, _) in slices if kind in ("revolute", "prismatic")]
    moving = list(plain if joints is None else joints)
    whole = _with_payload(model, payload)
    checker = collision_checker(whole, joints=[*moving, payload.name], held=held, exclude=exclude, margin=margin)
    arm = _without_payload(checker.model, payload)
    return PayloadScene(payload, arm, checker, _numbers(checker.tables, arm, payload))


def _with_payload(model: Model, payload: Payload) -> Model:
    """The model with one more body, last, that turns about the gripper's axis."""
    if payload.name in (*model.frames, *model.joint_names):
        raise InputError(
            f"'{payload.name}' is a body, frame or joint of '{model.name}' already; give the payload another name."
        )
    frame, X_FG = gripper_pose(model, payload)
    body, X_BF = next(((f.body, f.X_BF) for f in model.extra_frames if f.name == frame), (frame, np.eye(4)))
    joint = Joint(payload.name, "revolute", X_PJ=X_BF @ X_FG, axis=np.array([0.0, 0.0, 1.0]))
    shapes = tuple(
        dataclasses.replace(shape, name=f"{payload.name}/{shape.name}", body=payload.name) for shape in payload.shapes
    )
    return model.replace(
        bodies=(*model.bodies, Body(payload.name, body, joint)),
        shapes=(*model.shapes, *shapes),
        q_home=np.append(np.asarray(model.q_home), 0.0),
        tool=model.tool,
    )


def _without_payload(model: Model, payload: Payload) -> Model:
    """The arm alone, its joints as planners move them."""
    return model.replace(
        bodies=tuple(body for body in model.bodies if body.name != payload.name),
        shapes=tuple(shape for shape in model.shapes if shape.body != payload.name),
        q_home=np.asarray(model.q_home)[:-1],
    )


def _numbers(tables: ContactTables, arm: Model, payload: Payload) -> Array:
    gravity = np.asarray(arm.gravity)
    size = float(np.linalg.norm(gravity))
    if size == 0:
        raise InputError("a payload turns under its weight, but gravity is zero in this scene.")
    row, _ = tables.model.tables.body_rows[payload.name]
    reach, far = np.zeros(len(tables.names)), np.zeros(len(tables.names))
    bodies = tables.model.tables.bodies
    R_PG, p_PG = bodies[row, :9].reshape(3, 3), bodies[row, 9:12]
    for shape in payload.shapes:
        if shape.collides:
            index = tables.names.index(f"{payload.name}/{shape.name}")
            reach[index], far[index] = radius_about_axis(shape), reach_at_any_angle(shape, R_PG, p_PG)
    speed = np.asarray(arm.v_max)
    moves = np.isfinite(speed) & (speed > 0)
    slow = np.where(moves, 1 / np.where(moves, speed, 1.0), 0.0)
    numbers = np.concatenate([np.zeros(PAYLOAD), reach, slow, [reach.max()], far])
    numbers[:PULL_DOWN] = payload_numbers(payload, size)[:PULL_DOWN]
    numbers[PULL_DOWN : PULL_DOWN + 3] = gravity
    numbers[BODY] = row
    numbers[AXES : AXES + 9] = bodies[row, :9]
    return numbers


def _corners(shape: PlacedShape) -> tuple[Array, float]:
    """Corners (8, 3) of the box along a shape's own axes, in the payload's frame, and what rounds it [m]."""
    form = packed_shape(shape.shape)
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return shape.X_BS[:3, 3] + (form.centre + signs * form.core) @ shape.X_BS[:3, :3].T, form.rounding


def radius_about_axis(shape: PlacedShape) -> float:
    """A bound [m] on the distance of a payload's shape from the axis."""
    corners, rounding = _corners(shape)
    return float(np.hypot(corners[:, 0], corners[:, 1]).max() + rounding)


def reach_at_any_angle(shape: PlacedShape, R_PG: Array, p_PG: Array) -> float:
    """A bound [m] on the distance of a payload's shape from the origin of the body P that carries it, however it is turned."""
    corners, rounding = _corners(shape)
    origin = -p_PG @ R_PG  # of P, in the gripper's axes
    across = np.hypot(corners[:, 0], corners[:, 1]) + np.hypot(origin[0], origin[1])
    return float(np.hypot(across, corners[:, 2] - origin[2]).max() + rounding)
