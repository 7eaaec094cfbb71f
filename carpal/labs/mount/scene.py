"""The plant: arm and table in one model, the engine that simulates it, and where the arm is in the plant's state."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from carpal.engines import RigidEngine
from carpal.labs.mount.appearance import table_visuals
from carpal.labs.mount.robot import Table, cables, pulleys
from carpal.model import Body, Model, Scene
from carpal.spatial import Inertia


def arm_offsets(floating: bool) -> tuple[int, int]:
    """Index of the arm's first q and v in the plant's."""
    return (7, 6) if floating else (2, 2)


def mount_scene(arm: Model, table: Table, *, floating: bool) -> Scene:
    """The arm on a slide along x and y, or on a base that floats without gravity; the table's masses are added later."""
    scene = Scene("mount", gravity=np.zeros(3) if floating else table.gravity)
    return scene.add_robot(arm, name="arm", mount="free" if floating else "slide_xy")


def plant_model(
    arm: Model, table: Table, *, floating: bool, joint_damping: float = 0.0, joint_friction: float = 0.0
) -> Model:
    """The plant's model: q is (x, y, arm, pulleys with elastic cables), or (free base, arm)."""
    model = mount_scene(arm, table, floating=floating).build()
    return model.replace(
        visuals=() if floating else table_visuals(model, table),
        bodies=tuple(_changed(body, table, joint_damping, joint_friction) for body in model.bodies) + pulleys(table),
        q_home=np.concatenate([model.q_home, np.zeros(len(pulleys(table)))]),
    )


def _changed(body: Body, table: Table, joint_damping: float, joint_friction: float) -> Body:
    """The scene's own bodies with the table's masses and the arm's friction."""
    slides = {"arm/slide_x": table.sled_mass, "arm/slide_y": table.mass}
    if body.name in slides:
        mass = slides[body.name]
        joint = replace(
            body.joint, damping=table.damping, friction=table.friction,
            armature=0.0 if table.stiffness else table.added_mass, stiffness=table.stand,
        )  # fmt: skip
        return replace(body, joint=joint, inertia=Inertia.point(mass, (0, 0, 0)) if mass else Inertia.nothing())
    if body.joint.kind in ("revolute", "prismatic"):
        joint = replace(
            body.joint, damping=body.joint.damping + joint_damping, friction=body.joint.friction + joint_friction
        )
        return replace(body, joint=joint)
    return body


def plant_engine(model: Model, table: Table, arm: Model, *, dt: float, prescribed: bool) -> RigidEngine:
    """The rigid engine; `prescribed`: the arm's controls are joint accelerations instead of torques."""
    joints = tuple(f"arm/{name}" for name in arm.joint_names) if prescribed else ()
    return RigidEngine(model, dt=dt, integrator="rk4", prescribed=(*joints, *table.locked), tendons=cables(table))
