"""A scene made ready for contact queries: its model, its tables, and what is kept of them between calls."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from carpal.contact.tables import ContactTables, Held, contact_tables
from carpal.errors import InputError, unknown_name
from carpal.model import NQ, Body, Joint, Model, Scene, real_array, wrong_scene
from carpal.spatial import Array, pose, rotation_about, rotation_from_wxyz

_KEPT = "_contact_tables"  # on the model itself: tables hold their model, so a dictionary would keep both for ever
_OF_SCENE: weakref.WeakKeyDictionary[Scene, tuple[tuple[object, ...], ContactTables]] = weakref.WeakKeyDictionary()


def prepared_tables(
    scene: Scene | Model | ContactTables, held: Held | None = None, exclude: Iterable[object] = (), *, function: str
) -> ContactTables:
    """Tables of a scene or a model; those without further options are kept as long as the scene lives unchanged.

    `function` is the public function that asks, for the error about anything else.
    """
    if isinstance(scene, ContactTables):
        if held or exclude:
            raise InputError("held and exclude belong to collision_checker(); this scene is prepared already.")
        return scene
    exclude = tuple(exclude)
    plain = not held and not exclude
    if isinstance(scene, Model):
        kept: ContactTables | None = getattr(scene, _KEPT, None) if plain else None
        if kept is not None:
            return kept
        tables = _with_pairs(contact_tables(scene, held=held, exclude=exclude))
        if plain:
            object.__setattr__(scene, _KEPT, tables)
        return tables
    if not isinstance(scene, Scene):
        raise wrong_scene(scene, function)
    # everything in a scene is frozen and compares by identity, so this sees every change
    content = (scene.name, *scene, *scene.exclusions)
    if plain and scene in _OF_SCENE and _OF_SCENE[scene][0] == content:
        return _OF_SCENE[scene][1]
    tables = _with_pairs(contact_tables(scene.build(), held=held, exclude=exclude))
    if plain:
        _OF_SCENE[scene] = content, tables
    return tables


def _with_pairs(tables: ContactTables) -> ContactTables:
    if not len(tables.pairs):
        model = tables.model
        raise InputError(
            f"'{model.name}' has no two shapes that could touch (it has {len(tables.names)} that collide): "
            "give its bodies shapes, or put it into a scene."
        )
    return tables


def with_fixed_joints(model: Model, moving: Sequence[str], q: ArrayLike | None = None) -> Model:
    """The same model with all but some joints fixed where a configuration has them.

    Args:
        model: a robot or a built scene.
        moving: joints that still move, by name; the name of a robot of a scene means all its joints. Their order in
            the new q is the model's.
        q: (nq) where the others stay; by default `q_home`.
    """
    if isinstance(moving, str) or not all(isinstance(name, str) for name in moving):
        raise InputError(f"joints must be a list of names; got {moving!r:.80}.")
    where = np.array(model.q_home) if q is None else real_array(q, "rest")
    if where.shape != (model.nq,) or not np.isfinite(where).all():
        raise InputError(f"rest must be {model.nq} finite numbers; got shape {where.shape}.")
    for name in moving:
        if name not in model.joint_names and not any(joint.startswith(f"{name}/") for joint in model.joint_names):
            raise unknown_name(f"moving joint of '{model.name}'", name, model.joint_names)
    named = {
        joint for joint in model.joint_names if any(joint == name or joint.startswith(f"{name}/") for name in moving)
    }
    free = _with_tied_joints(model, named)
    bodies, home = [], []
    columns: list[int] = []
    for body in model.bodies:
        joint = body.joint
        if joint.kind == "fixed":
            bodies.append(body)
            continue
        first = model.q_index(joint.name)
        here = where[first : first + NQ[joint.kind]]
        if joint.name in free:
            bodies.append(body)
            home.append(here)
            columns += range(first, first + NQ[joint.kind])
        else:
            X_PJ = joint.X_PJ @ _motion(joint, here)
            bodies.append(Body(body.name, body.parent, Joint(joint.name, X_PJ=X_PJ, X_JB=joint.X_JB), body.inertia))
    tendons = tuple(tendon for tendon in model.tendons if free.issuperset(tendon.joints))
    return model.replace(
        bodies=tuple(bodies), q_home=np.concatenate([np.zeros(0), *home]), tendons=tendons,
        couplings=tuple(c for c in model.couplings if c.follower in free),
        loops=tuple(loop for i, loop in enumerate(model.loops) if free & _loop_joints(model, i)),
        groups={name: kept for name, joints in model.groups.items() if (kept := tuple(j for j in joints if j in free))},
        configurations={name: values[columns] for name, values in model.configurations.items()},
        actuators=tuple(a for a in model.actuators if a.joint in free or a.tendon in {t.name for t in tendons}),
    )  # fmt: skip


def _with_tied_joints(model: Model, moving: set[str]) -> set[str]:
    """The moving joints and those that couplings and loops move with them; refuse followers whose leader stays."""
    free = set(moving)
    for _ in model.couplings:  # as often as a chain of couplings can be long
        free |= {coupling.follower for coupling in model.couplings if coupling.leader in free}
    for coupling in model.couplings:
        if coupling.follower in free and coupling.leader is not None and coupling.leader not in free:
            raise InputError(
                f"joint '{coupling.follower}' follows '{coupling.leader}' (coupling '{coupling.name}'), which does not move: "
                f"name '{coupling.leader}' among the joints instead."
            )
    for i in range(len(model.loops)):
        tied = _loop_joints(model, i)
        if tied & free:
            free |= tied & set(model.dependent_joints)
    return free


def _loop_joints(model: Model, loop: int) -> set[str]:
    """Joints that move one body of a loop against the other."""
    sides = model.constraint_tables.sides[loop]
    return {model.joint_names[row - 1] for row in np.flatnonzero((sides == 1) | (sides == 2))}


def _motion(joint: Joint, q: Array) -> Array:
    if joint.kind == "revolute":
        return pose(rotation_about(joint.axis, q[0]))
    if joint.kind == "prismatic":
        return pose(p=q[0] * joint.axis)
    return pose(rotation_from_wxyz(q[-4:]), q[:3] if joint.kind == "free" else np.zeros(3))
