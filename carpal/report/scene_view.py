"""A model in the browser's 3-D scene (viser): its visuals or shapes, or links as tapered capsules and joints as drums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from carpal.kinematics import fk
from carpal.model import Body, Box, Model
from carpal.report import solids
from carpal.report.drawn_parts import Part, drawn_parts
from carpal.spatial import Array, align_z, inverse, wxyz_from_rotation

LINK, DRUM, ROD = (222, 226, 232), (43, 108, 176), (150, 158, 170)
AXES = ((197, 48, 48), (47, 133, 90), (43, 108, 176))
GROUND = 4.0
"""Width of the ground's grid, in reaches of the model."""
FIELD = 0.8
"""The camera's vertical field of view [rad]."""


View = tuple[Sequence[float], Sequence[float]]


def body_poses(model: Model, q: Array) -> dict[str, Array]:
    """Pose X_WB (*batch, 4, 4) of every body."""
    return {body.name: fk(model, q, body.name) for body in model.bodies}


def bounds(model: Model, q: Array) -> tuple[Array, Array]:
    """Lowest and highest corner (3) of all joints, bodies and the tool over configurations (n, nq)."""
    points = [X[..., :3, 3].reshape(-1, 3) for X in body_poses(model, q).values()]
    points.append(fk(model, q)[..., :3, 3].reshape(-1, 3))
    points += [(X_WB @ shape.X_BS)[..., :3, 3].reshape(-1, 3) for shape, X_WB in _placed(model, q)]
    points += [body.joint.X_PJ[None, :3, 3] for body in model.bodies if body.parent is None]
    cloud = np.concatenate(points)
    cloud = cloud[np.isfinite(cloud).all(1)]
    return (cloud.min(0), cloud.max(0)) if len(cloud) else (np.zeros(3), np.ones(3))


def _placed(model: Model, q: Array) -> list[tuple[Any, Array]]:
    return [
        (shape, np.eye(4) if shape.body is None else fk(model, q, shape.body))
        for shape in getattr(model, "shapes", ())
        if shape.shape.kind != "plane"
    ]


class SceneView:
    """The model's nodes in one viser scene; `show(q)` moves them.

    Args:
        server: a viser server.
        model: what is drawn.
        q: configurations (n, nq) that must fit into the picture; the home one by default.
        aspect: width over height of the picture that the camera has to fill.
        view: eye and target (3 each) [m] of the first camera; by default it sees all of the motion.
    """

    def __init__(
        self, server: Any, model: Model, q: Array | None = None, *, aspect: float = 1.0, view: View | None = None
    ) -> None:
        self.model = model
        self._server = server
        scene = server.scene
        span = np.atleast_2d(np.asarray(model.q_home if q is None else q, float))
        span = span[:: max(1, len(span) // 50)]
        low, high = bounds(model, span)
        self.reach = max(float((high - low).max()), 1e-3)
        if view is not None:  # what it shows is small beside what flies in from afar
            self.reach = min(self.reach, 0.6 * float(np.linalg.norm(np.subtract(*view))))
        self._stage(low, high, aspect)
        if view is not None:
            camera = server.initial_camera
            camera.position, camera.look_at = (tuple(float(x) for x in place) for place in view)
        # a slash in a node's name would hang it under another node
        self._path = {b.name: f"/robot/{i}_{b.name.replace('/', '.')}" for i, b in enumerate(model.bodies)}
        self.nodes = {name: scene.add_frame(path, show_axes=False) for name, path in self._path.items()}
        self._tool = scene.add_frame(
            "/tool", axes_length=0.09 * self.reach, axes_radius=0.006 * self.reach, origin_radius=0.010 * self.reach
        )
        self._fixed = [scene.add_frame("/fixed", show_axes=False)]
        self.shapes: dict[str, Any] = {}
        parts = drawn_parts(model)
        for i, part in enumerate(parts):
            self._shape(i, part)
        shown = {part.body for part in parts}
        depth = self._depths()
        for body in model.bodies:
            if body.joint.kind != "free" and not _family(body.name, shown):
                self._link(body, depth, max(depth.values()))
        self.show(span[0])

    def show(self, q: Array) -> None:
        """Move everything to one configuration (nq)."""
        poses = body_poses(self.model, np.asarray(q, float))
        self.show_poses(poses, fk(self.model, np.asarray(q, float)))

    def show_poses(self, poses: dict[str, Array], X_WT: Array) -> None:
        """Move everything to given poses (4, 4) of the bodies and the tool."""
        with self._server.atomic():
            for name, node in self.nodes.items():
                _move(node, poses[name])
            _move(self._tool, X_WT)

    def remove(self) -> None:
        """Take everything out of the scene."""
        for node in (*self._fixed, *self.nodes.values(), self._tool, self._grid):
            node.remove()

    def _stage(self, low: Array, high: Array, aspect: float) -> None:
        """Ground, up direction and the camera that sees the whole motion."""
        scene, up = self._server.scene, -np.asarray(self.model.gravity, float)
        axis = int(np.argmax(np.abs(up))) if up.any() else 2
        sign = -1.0 if up[axis] < 0 else 1.0
        direction = np.zeros(3)
        direction[axis] = sign
        scene.set_up_direction(tuple(direction))
        self._up, ground = direction, np.zeros(3)
        self._ground = ground
        ground[axis] = min(0.0, low[axis]) if sign > 0 else max(0.0, high[axis])
        size = 10.0 ** np.floor(np.log10(self.reach))
        self._grid = scene.add_grid(
            "/ground", width=GROUND * self.reach, height=GROUND * self.reach, plane=("yz", "xz", "xy")[axis],
            cell_size=size / 10 if self.reach < 4 * size else size / 2, section_size=size,
            cell_color=(226, 230, 236), section_color=(196, 203, 213), position=ground, infinite_grid=False,
        )  # fmt: skip
        middle = 0.5 * (low + high)
        tall = float((high - low)[axis])
        wide = float(np.delete(high - low, axis).max())
        distance = max(1.45 * tall, 1.2 * wide / aspect, 0.4 * self.reach) / (2 * np.tan(FIELD / 2)) + 0.25 * wide
        side = np.roll([0.0, 1.15, -1.45], axis) + 0.62 * direction
        camera = self._server.initial_camera
        camera.up = tuple(direction)
        camera.position = tuple(middle + distance * side / np.linalg.norm(side))
        camera.look_at = tuple(middle)
        camera.fov = FIELD
        camera.near = 1e-3 * self.reach

    def _depths(self) -> dict[str | None, int]:
        depth: dict[str | None, int] = {None: 0}
        for body in self.model.bodies:
            depth[body.name] = depth[body.parent] + (body.joint.kind != "fixed")
        return depth

    def _link(self, body: Body, depth: dict[str | None, int], deepest: int) -> None:
        """The joint's drum, and capsules from the parent's origin to the joint and from there to the body's origin."""

        def radius(name: str | None) -> float:
            return 0.030 * self.reach * (1.0 - 0.55 * depth[name] / max(deepest, 1))

        at: Array = inverse(body.joint.X_JB)  # the joint's moving frame, seen from the body
        where = self._path[body.name]
        if body.parent is None:
            self._stand(body, 1.25 * radius(None))
        else:
            self._capsule(
                f"{self._path[body.parent]}/to_{where[7:]}", np.zeros(3), body.joint.X_PJ[:3, 3], radius(body.parent)
            )
        self._capsule(f"{where}/from_joint", at[:3, 3], np.zeros(3), radius(body.name))
        tip = next((f for f in self.model.extra_frames if f.name == self.model.tool and f.body == body.name), None)
        if tip is not None:
            self._capsule(f"{where}/to_tool", np.zeros(3), tip.X_BF[:3, 3], 0.8 * radius(body.name))
        if body.joint.kind in ("revolute", "prismatic"):
            r = radius(body.name)
            size = (1.35 * r, 2.9 * r) if body.joint.kind == "revolute" else (0.9 * r, 5.0 * r)
            self._mesh(f"{where}/drum", solids.cylinder(*size), DRUM, at[:3, :3] @ align_z(body.joint.axis), at[:3, 3])
        elif body.joint.kind == "ball":
            self._mesh(f"{where}/ball", solids.sphere(1.4 * radius(body.name)), DRUM, np.eye(3), at[:3, 3])

    def _stand(self, body: Body, radius: float) -> None:
        """A foot plate below a robot that stands in the world, and a post where it stands above the ground."""
        foot = body.joint.X_PJ[:3, 3]
        height = float(self._up @ (foot - self._ground))
        if height < -1e-9 or height > 0.6 * self.reach:
            return
        R, name, base = align_z(self._up), f"/fixed/{self._path[body.name][7:]}", foot - height * self._up
        plate = 0.25 * radius
        self._mesh(f"{name}_plate", solids.cylinder(2.2 * radius, plate), ROD, R, base + 0.5 * plate * self._up)
        if height > plate:
            self._mesh(f"{name}_post", solids.cylinder(radius, height), ROD, R, base + 0.5 * height * self._up)

    def _capsule(self, name: str, start: Array, end: Array, radius: float) -> None:
        length = float(np.linalg.norm(end - start))
        if length > 1e-3 * self.reach:
            R = align_z((end - start) / length)
            self._mesh(name, solids.capsule(radius, length), LINK, R, 0.5 * (start + end))

    def _shape(self, i: int, placed: Part) -> None:
        """One of the model's own visuals or shapes."""
        where = "/fixed" if placed.body is None else self._path[placed.body]
        name, shape = f"{where}/shape_{i}_{placed.name.replace('/', '.')}", placed.shape
        X = np.asarray(placed.X_BS, float)
        kind = "" if shape is None else shape.kind
        rgba = np.asarray(placed.rgba, float)
        color = tuple(round(255 * c) for c in rgba[:3])
        alpha = float(rgba[3]) if len(rgba) > 3 and rgba[3] < 1 else None
        if isinstance(shape, Box):
            self.shapes[placed.name] = self._server.scene.add_box(
                name, color=color, dimensions=tuple(float(x) for x in shape.size), opacity=alpha,
                wxyz=wxyz_from_rotation(X[:3, :3]), position=X[:3, 3],
            )  # fmt: skip
        elif kind == "plane":
            size = GROUND * self.reach
            self.shapes[placed.name] = self._server.scene.add_box(
                name, color=color, dimensions=(size, size, 1e-3 * self.reach), opacity=alpha or 0.4,
                wxyz=wxyz_from_rotation(X[:3, :3]), position=X[:3, 3] - 5e-4 * self.reach * X[:3, 2],
            )  # fmt: skip
        made = placed.mesh or (None if kind == "box" else solids.triangles_of(shape))
        if made is not None:
            self.shapes[placed.name] = self._mesh(name, made, color, X[:3, :3], X[:3, 3], alpha)

    def _mesh(
        self,
        name: str,
        mesh: tuple[Array, np.ndarray],
        color: tuple[int, ...],
        R: Array,
        p: Array,
        alpha: float | None = None,
    ) -> Any:
        return self._server.scene.add_mesh_simple(
            name, mesh[0].astype(np.float32), mesh[1].astype(np.uint32), color=color, opacity=alpha,
            wxyz=wxyz_from_rotation(R), position=p,
        )  # fmt: skip


def _family(body: str, shown: set[str | None]) -> bool:
    """Whether the robot that a body belongs to (`robot/body` in a scene) brings shapes of its own."""
    if "/" not in body:
        return body in shown or any(name is not None and "/" not in name for name in shown)
    return any(name is not None and name.split("/")[0] == body.split("/")[0] for name in shown)


def _move(node: Any, X: Array) -> None:
    node.position = X[:3, 3]
    node.wxyz = wxyz_from_rotation(X[:3, :3])
