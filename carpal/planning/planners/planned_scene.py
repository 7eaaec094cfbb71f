"""A scene as planners take it: the model whose joints move, its contact tables, the margin, and a payload that may turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from carpal.contact import CollisionChecker, ContactTables, collision_checker
from carpal.errors import InputError
from carpal.model import Model, Scene, TriangleMesh, wrong_scene
from carpal.planning.payload.payload_scene import PayloadScene, prepare_payload
from carpal.planning.planners.plan_options import PlanOptions
from carpal.planning.trajectories import waypoint_checks


class PlannedScene(NamedTuple):
    """What moves, contact tables, the margin [m], and a payload with its set of angles."""

    model: Model
    tables: ContactTables
    margin: float
    carried: PayloadScene | None


def planned_scene(scene: Any, options: PlanOptions, function: str = "plan") -> PlannedScene:
    """Prepare a scene, model, collision checker or payload scene for planning."""
    payload = options.payload
    if payload is None and not isinstance(scene, PayloadScene):
        tables, margin = _without_payload(scene, options, function)
        return PlannedScene(tables.model, tables, margin, None)
    if isinstance(scene, PayloadScene):
        if payload is not None or _has_scene_options(options):
            raise InputError(
                "payload, joints, held, exclude and margin belong to prepare_payload(); this scene is prepared."
            )
        ready = scene
    elif isinstance(scene, CollisionChecker):
        raise InputError(
            "a collision checker has no payload: pass the scene itself, or prepare_payload(scene, payload)."
        )
    else:
        assert payload is not None
        ready = prepare_payload(
            scene, payload, joints=options.joints, held=options.held, exclude=options.exclude, margin=options.margin
        )
    check_model(ready.tables.model, options.sheets)
    return PlannedScene(ready.model, ready.tables, ready.margin, ready)


def _without_payload(scene: Any, options: PlanOptions, function: str) -> tuple[ContactTables, float]:
    """Tables of a scene whose joints are all revolute or prismatic, and the margin."""
    if isinstance(scene, CollisionChecker):
        if _has_scene_options(options):
            raise InputError(
                "joints, held, exclude and margin belong to collision_checker(); this one is prepared already."
            )
        check_model(scene.model, options.sheets)
        return scene.tables, scene.margin
    if not isinstance(scene, Scene | Model):
        raise wrong_scene(scene, function, "a Scene, a Model or a CollisionChecker")
    model = scene.build() if isinstance(scene, Scene) else scene
    joints: Sequence[str] | None = options.joints
    kinds = [kind for kind, _ in model.joint_slices()]
    if joints is None and any(kind in ("ball", "free") for kind in kinds):
        joints = [
            name for name, kind in zip(model.joint_names, kinds, strict=True) if kind in ("revolute", "prismatic")
        ]
    checker = collision_checker(scene, joints=joints, held=options.held, exclude=options.exclude, margin=options.margin)
    check_model(checker.model, options.sheets)
    return checker.tables, checker.margin


def _has_scene_options(options: PlanOptions) -> bool:
    return bool(options.joints is not None or options.held or options.exclude or options.margin)


def check_model(model: Model, sheets: bool) -> None:
    """Refuse joints that a planner cannot move, and meshes whose inside is undefined."""
    waypoint_checks.plain_model(model, "plan")
    for shape in model.shapes:
        holes = shape.shape.open_edges if isinstance(shape.shape, TriangleMesh) else 0
        if shape.collides and holes and not sheets:
            raise InputError(
                f"'{shape.name}' is a triangle mesh with holes ({holes} open edges), so it has no inside; close it, "
                "or pass sheets=True if it is meant as a sheet, such as terrain."
            )
