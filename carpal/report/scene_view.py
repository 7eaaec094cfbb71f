"""A model in the browser's 3-D scene (viser): everything that `drawn_parts` names, a ground, and a camera that sees all of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.errors import unknown_name
from carpal.kinematics import fk
from carpal.model import Model
from carpal.report import solids
from carpal.report.drawn_parts import Part, drawn_parts, surface
from carpal.report.framing import MARGIN, framed_points, framing_camera, upward
from carpal.report.palette import FIELD, GRID_CELL, GRID_SECTION, rgb
from carpal.spatial import Array, wxyz_from_rotation

if TYPE_CHECKING:
    from viser import ViserServer

GROUND = 4.0
"""Width of the ground's grid, in reaches of the model."""
SAMPLES = 50
"""Configurations of a motion that the camera is placed for."""

View = tuple[Sequence[float], Sequence[float]]


def body_poses(model: Model, q: Array) -> dict[str, Array]:
    """Pose X_WB (*batch, 4, 4) of every body."""
    return {body.name: fk(model, q, body.name) for body in model.bodies}


class SceneView:
    """The model's nodes in one viser scene; `show(q)` moves them.

    Args:
        server: a viser server.
        model: what is drawn.
        q: configurations (n, nq) that must fit into the picture; the home one by default.
        aspect: width over height of the picture that the camera has to fill.
        view: eye and target (3 each) [m] of the first camera; by default it sees all of the motion.
        margin: room around what is shown, as a factor.
        faces: triangles of all mesh files together at most.
    """

    root = "/scene"

    def __init__(
        self,
        server: ViserServer,
        model: Model,
        q: Array | None = None,
        *,
        aspect: float = 1.0,
        view: View | None = None,
        margin: float = MARGIN,
        faces: int | None = None,
    ) -> None:
        self.model = model
        self._server = server
        scene = server.scene
        span = np.atleast_2d(np.asarray(model.q_home if q is None else q, float))
        span = span[:: max(1, len(span) // SAMPLES)]
        self.parts = drawn_parts(model, faces)
        points = framed_points(model, span, self.parts)
        self.reach = max(float(np.ptp(points, axis=0).max()), 1e-3)
        if view is not None:  # what it shows is small beside what flies in from afar
            self.reach = min(self.reach, 0.6 * float(np.linalg.norm(np.subtract(*view))))
        self._stage(points, aspect, margin)
        if view is not None:
            camera = server.initial_camera
            camera.position, camera.look_at = (tuple(float(x) for x in place) for place in view)
        # a slash in a node's name would hang it under another node
        self.path: dict[str | None, str] = {
            b.name: f"{self.root}/robot/{i}_{b.name.replace('/', '.')}" for i, b in enumerate(model.bodies)
        }
        self.path[None] = f"{self.root}/fixed"
        self._root = scene.add_frame(self.root, show_axes=False)
        self.nodes = {body.name: scene.add_frame(self.path[body.name], show_axes=False) for body in model.bodies}
        self._tool = scene.add_frame(
            f"{self.root}/tool",
            axes_length=0.07 * self.reach,
            axes_radius=0.004 * self.reach,
            origin_radius=0.007 * self.reach,
        )
        self._fixed = [scene.add_frame(self.path[None], show_axes=False)]
        self.shapes: dict[str, Any] = {part.name: self._draw(i, part) for i, part in enumerate(self.parts)}
        self._followed: tuple[str, Array] | None = None
        self.show(span[0])

    def show(self, q: Array) -> None:
        """Move everything to one configuration (nq)."""
        poses = body_poses(self.model, np.asarray(q, float))
        self.show_poses(poses, fk(self.model, np.asarray(q, float)))

    def show_poses(self, poses: dict[str, Array], X_WT: Array) -> None:
        """Move everything to given poses (4, 4) of the bodies and the tool."""
        with self._server.atomic():
            for name, node in self.nodes.items():
                move(node, poses[name])
            move(self._tool, X_WT)
            if self._followed is not None:
                name, start = self._followed
                self._root.position = start - poses[name][:3, 3]

    def follow(self, body: str | None) -> None:
        """Keep a body where it is in the picture while everything else moves past it; None lets it go."""
        if body is None:
            self._followed = None
            self._root.position = np.zeros(3)
            return
        if body not in self.nodes:
            raise unknown_name(f"body of model '{self.model.name}' to follow", body, list(self.nodes))
        self._followed = (body, np.array(self.nodes[body].position) + self._root.position)

    def frame(self, client: Any) -> None:
        """Take a page's camera to where it sees everything."""
        camera = self._server.initial_camera
        client.camera.up_direction = camera.up
        client.camera.position = camera.position
        client.camera.look_at = camera.look_at

    def redraw(self, faces: int | None) -> None:
        """Draw all parts again, with so many triangles of mesh files at most."""
        self.parts = drawn_parts(self.model, faces)
        with self._server.atomic():
            self.shapes = {part.name: self._draw(i, part) for i, part in enumerate(self.parts)}

    def remove(self) -> None:
        """Take everything out of the scene."""
        self._root.remove()

    def _stage(self, points: Array, aspect: float, margin: float) -> None:
        """Ground, up direction and the camera that sees the whole motion."""
        scene, up = self._server.scene, upward(self.model)
        axis = int(np.argmax(np.abs(up)))
        direction = np.zeros(3)
        direction[axis] = np.sign(up[axis])
        self.up = direction
        scene.set_up_direction(tuple(direction))
        ground = np.zeros(3)
        ground[axis] = direction[axis] * min(0.0, float((points @ direction).min()))
        size = 10.0 ** np.floor(np.log10(self.reach))
        self._grid = scene.add_grid(
            f"{self.root}/ground", width=GROUND * self.reach, height=GROUND * self.reach, plane=("yz", "xz", "xy")[axis],
            cell_size=size / 10 if self.reach < 4 * size else size / 2, section_size=size, shadow_opacity=0.22,
            cell_color=GRID_CELL, section_color=GRID_SECTION, position=ground, infinite_grid=False,
        )  # fmt: skip
        seen = framing_camera(points, direction, (round(1000 * aspect), 1000), field=FIELD, margin=margin)
        camera = self._server.initial_camera
        camera.up = tuple(direction)
        camera.position, camera.look_at = tuple(seen.eye), tuple(seen.look_at)
        camera.fov = FIELD
        camera.near = 1e-3 * self.reach

    def _draw(self, i: int, part: Part) -> Any:
        """The node of one part."""
        name = f"{self.path[part.body]}/{i}_{part.name.replace('/', '.')}"
        X, alpha = np.asarray(part.X_BS, float), float(part.rgba[3]) if len(part.rgba) > 3 else 1.0
        if part.shape is not None and part.shape.kind == "plane":
            mesh = solids.box((GROUND * self.reach, GROUND * self.reach, 1e-3 * self.reach))
            X, alpha = X.copy(), min(alpha, 0.4)
            X[:3, 3] -= 5e-4 * self.reach * X[:3, 2]
        else:
            mesh = surface(part)
        return self._server.scene.add_mesh_simple(
            name, mesh[0].astype(np.float32), mesh[1].astype(np.uint32), color=rgb(part.rgba),
            opacity=alpha if alpha < 1 else None, wxyz=wxyz_from_rotation(X[:3, :3]), position=X[:3, 3],
        )  # fmt: skip


def move(node: Any, X: Array) -> None:
    """Place a node of the scene at a pose (4, 4)."""
    node.position = X[:3, 3]
    node.wxyz = wxyz_from_rotation(X[:3, :3])
