"""Contacts in the studio's scene: a dot in the colour of the mode, the force as an arrow, the friction cone around the normal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.engines import touching
from carpal.report import palette
from carpal.spatial import Array, align_z, wxyz_from_rotation

if TYPE_CHECKING:
    from viser import ViserServer

AROUND = 28
MOST = 24
"""Contacts that are drawn; a hand and a box on a table have at most nine."""


class ContactMarks:
    """Marks that are made once and moved; those that are not needed are hidden.

    Args:
        server: a viser server.
        length: of a cone, and of the arrow of one newton [m].
    """

    def __init__(self, server: ViserServer, length: float = 0.03) -> None:
        self._server, self._length = server, length
        self._marks: list[tuple[Any, Any, Any]] = []
        self._shown: list[tuple[str, float]] = []

    @property
    def modes(self) -> list[str]:
        """Modes of the contacts that are drawn now."""
        return [mode for mode, _ in self._shown]

    def show(self, contacts: Sequence[Any], mu: float) -> None:
        """Draw the contacts of a moment; `mu` is the friction of the cones."""
        with self._server.atomic():
            wanted = touching(contacts)[:MOST]
            while len(self._marks) < len(wanted):
                self._marks.append(self._made(len(self._marks)))
            for k, marks in enumerate(self._marks):
                if k >= len(wanted):
                    for node in marks:
                        if node.visible:
                            node.visible = False
                    continue
                self._place(marks, wanted[k], mu)
        self._shown = [(str(c.mode), float(np.linalg.norm(c.force))) for c in wanted]

    def remove(self) -> None:
        """Take the marks out of the scene."""
        for marks in self._marks:
            for node in marks:
                node.remove()
        self._marks, self._shown = [], []

    def _made(self, k: int) -> tuple[Any, Any, Any]:
        scene = self._server.scene
        dot = scene.add_icosphere(f"/contacts/{k}/dot", 0.0042, (0, 0, 0), subdivisions=2, visible=False)
        vertices, faces = cone_mesh()
        cone = scene.add_mesh_simple(
            f"/contacts/{k}/cone", vertices, faces, opacity=0.3, side="double", visible=False, cast_shadow=False
        )
        arrow = scene.add_arrows(
            f"/contacts/{k}/force", np.zeros((1, 2, 3), np.float32), palette.FORCE, shaft_radius=0.0012, head_radius=0.0032,
            head_length=0.006, visible=False,
        )  # fmt: skip
        return dot, cone, arrow

    def _place(self, marks: tuple[Any, Any, Any], contact: Any, mu: float) -> None:
        dot, cone, arrow = marks
        colour = palette.MODES.get(str(contact.mode), palette.MODES[""])
        # on what is touched, not on the finger that touches it
        side = -1.0 if "/" in contact.b and "/" not in contact.a else 1.0
        point, force = np.asarray(contact.point, float), side * np.asarray(contact.force, float)
        normal = side * np.asarray(contact.normal, float)
        dot.position, dot.color = point, colour
        cone.position, cone.color = point, colour
        cone.wxyz = wxyz_from_rotation(align_z(normal))
        cone.scale = (mu * self._length, mu * self._length, self._length)
        arrow.points = np.array([[point, point + self._length * force]], np.float32)
        for node, seen in ((dot, True), (cone, mu > 0), (arrow, float(np.linalg.norm(force)) > 1e-6)):
            if node.visible != seen:
                node.visible = seen


def cone_mesh() -> tuple[Array, np.ndarray]:
    """A cone's side of height and radius one, its tip at the origin, opening along z."""
    angle = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    rim = np.column_stack([np.cos(angle), np.sin(angle), np.ones(AROUND)])
    faces = [(0, 1 + k, 1 + (k + 1) % AROUND) for k in range(AROUND)]
    return np.vstack([np.zeros(3), rim]).astype(np.float32), np.array(faces, np.uint32)
