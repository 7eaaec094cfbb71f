"""What a page draws over a model on request: frames with their names, and the shapes that collide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.kinematics import fk
from carpal.report import solids
from carpal.report.palette import COLLISION, rgb
from carpal.report.scene_view import SceneView, move
from carpal.spatial import Array, wxyz_from_rotation

if TYPE_CHECKING:
    from viser import ViserServer


class SceneLayers:
    """Frames and collision shapes of a `SceneView`; nothing is made before it is asked for.

    Args:
        server: the view's viser server.
        view: what they lie over.
    """

    def __init__(self, server: ViserServer, view: SceneView) -> None:
        self._server, self._view = server, view
        self.frames: dict[str, Any] = {}
        self.labels: dict[str, Any] = {}
        self.collisions: dict[str, Any] = {}

    def show_frames(self, shown: bool, names: bool = True) -> None:
        """Show or hide the axes and names of every frame."""
        if shown and not self.frames:
            self._make_frames()
        for node in self.frames.values():
            node.visible = shown
        for node in self.labels.values():
            node.visible = shown and names

    def show_collisions(self, shown: bool) -> None:
        """Show or hide the shapes that collide."""
        if shown and not self.collisions:
            self._make_collisions()
        for node in self.collisions.values():
            node.visible = shown

    def move(self, q: Array) -> None:
        """Follow the model to a configuration (nq); shapes hang on their bodies, frames are placed."""
        for name, node in self.frames.items():
            if node.visible:
                X = fk(self._view.model, q, name)
                move(node, X)
                self.labels[name].position = X[:3, 3]

    def remove(self) -> None:
        """Take all of it out of the scene."""
        for node in (*self.frames.values(), *self.labels.values(), *self.collisions.values()):
            node.remove()

    def _make_frames(self) -> None:
        scene, size = self._server.scene, 0.05 * self._view.reach
        for name in self._view.model.frames:
            path = f"{self._view.root}/frames/{name.replace('/', '.')}"
            self.frames[name] = scene.add_frame(
                path, axes_length=size, axes_radius=0.05 * size, origin_radius=0.09 * size
            )
            self.labels[name] = scene.add_label(f"{path}.name", name, font_screen_scale=0.8, anchor="bottom-left")

    def _make_collisions(self) -> None:
        for i, placed in enumerate(self._view.model.shapes):
            mesh = solids.triangles_of(placed.shape) if placed.collides else None
            if mesh is not None:
                X = np.asarray(placed.X_BS, float)
                name = f"{self._view.path[placed.body]}/collision_{i}"
                self.collisions[placed.name] = self._server.scene.add_mesh_simple(
                    name, mesh[0].astype(np.float32), mesh[1].astype(np.uint32), color=rgb(COLLISION), opacity=COLLISION[3],
                    wxyz=wxyz_from_rotation(X[:3, :3]), position=X[:3, 3], cast_shadow=False,
                )  # fmt: skip
