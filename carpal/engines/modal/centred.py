"""Mass-centre coordinates: inside the engine the frame of a free body stands at its mass centre.

There flight is a parabola and a turn of its own, and impulses act on momentum and spin without a term that couples them, so that
the motion does not depend on where a mesh has its frame. States and forces are converted at the engine's edge.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from carpal.model import Model
from carpal.spatial import Array, Inertia, pose, rotation_from_wxyz

NEAR = 1e-12
"""[m] a mass centre that near to the frame is at it."""


class Centred:
    """A model whose free bodies have their frames at their mass centres, and the conversion to and from it.

    Bodies are left as they are where something else depends on their frame: children, loops, damping or armature of the free
    joint, compensated weight.

    Args:
        model: as the user knows it.
    """

    def __init__(self, model: Model) -> None:
        tied = {body.parent for body in model.bodies} | {b for loop in model.loops for b in (loop.body_a, loop.body_b)}
        self._offsets: list[tuple[int, int, Array]] = []
        moved: dict[str, Array] = {}
        iq = iv = 0
        for body in model.bodies:
            joint, inertia = body.joint, body.inertia
            if joint.kind == "free" and inertia is not None:
                plain = not (joint.damping or joint.friction or joint.armature or body.gravity_compensation)
                straight = np.array_equal(joint.X_JB, np.eye(4)) and body.parent is None and body.name not in tied
                if plain and straight and inertia.mass > 0 and np.abs(inertia.com).max() > NEAR:
                    moved[body.name] = np.asarray(inertia.com)
                    self._offsets.append((iq, iv, moved[body.name]))
            iq += {"free": 7, "ball": 4, "fixed": 0}.get(joint.kind, 1)
            iv += {"free": 6, "ball": 3, "fixed": 0}.get(joint.kind, 1)
        self._public, self._moved = model, moved

    def __bool__(self) -> bool:
        return bool(self._offsets)

    @cached_property
    def model(self) -> Model:
        """The model that the kernels move."""
        if not self._moved:
            return self._public
        bodies = [
            replace(body, inertia=_about_centre(body.inertia)) if body.name in self._moved and body.inertia else body
            for body in self._public.bodies
        ]
        shapes = [
            replace(shape, X_BS=pose(p=-self._moved[shape.body]) @ shape.X_BS) if shape.body in self._moved else shape
            for shape in self._public.shapes
        ]
        return self._public.replace(bodies=tuple(bodies), shapes=tuple(shapes))

    def inward(self, q: Array, v: Array, u: Array) -> tuple[Array, Array, Array]:
        """(q, v, u) of the mass centres from those of the frames; the power of u stays."""
        if not self._offsets:
            return q, v, u
        q, v, u = self._shifted(np.array(q, float), np.array(v, float), 1.0, np.array(u, float))
        return q, v, u

    def outward(self, q: Array, v: Array) -> tuple[Array, Array]:
        """(q, v) of the frames from those of the mass centres."""
        if not self._offsets:
            return q, v
        return self._shifted(np.array(q), np.array(v), -1.0)[:2]

    def pushed(self, u: ArrayLike) -> bool:
        """Whether a force acts on a body whose frame is elsewhere: its torque about the mass centre turns with the body."""
        return any(np.any(np.asarray(u)[..., iv : iv + 3]) for _, iv, _ in self._offsets)

    def _shifted(self, q: Array, v: Array, sign: float, u: Array | None = None) -> tuple[Array, Array, Array]:
        if u is None:
            u = np.zeros_like(v)
        for iq, iv, c in self._offsets:
            wxyz = q[..., iq + 3 : iq + 7]
            length = np.linalg.norm(wxyz, axis=-1, keepdims=True)
            arm = np.asarray(rotation_from_wxyz(wxyz / np.where(length > 0, length, 1.0))) @ c
            q[..., iq : iq + 3] += sign * arm
            v[..., iv : iv + 3] += sign * np.cross(v[..., iv + 3 : iv + 6], arm)
            u[..., iv + 3 : iv + 6] -= sign * np.cross(arm, u[..., iv : iv + 3])
        return q, v, u


def _about_centre(inertia: Inertia) -> Inertia:
    return Inertia(inertia.mass, np.zeros(3), inertia.about_com)
