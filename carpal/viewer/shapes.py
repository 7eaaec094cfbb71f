"""The studio's page of shapes: two of them with sliders, their nearest points, normal, distance and curvatures drawn."""

from __future__ import annotations

import math
import sys
import threading
import traceback
from html import escape
from typing import Any

import numpy as np

from carpal.contact import Curvature
from carpal.errors import CarpalError, unknown_name
from carpal.model import Box, Capsule, ConvexMesh, Cylinder, Ellipsoid, Plane, Shape, Sphere
from carpal.spatial import Array, pose_from_xyz_rpy
from carpal.viewer.page import ServedPage
from carpal.viewer.shape_pair_view import COLOUR_A, COLOUR_B, FIRST, NORMAL, SECOND, PairAnswer, ShapePairView
from carpal.viewer.status import BLUE, StatusLine

PORT = 8401
SIZES = {
    "sphere": ("radius [m]",), "capsule": ("radius [m]", "length [m]"), "cylinder": ("radius [m]", "length [m]"),
    "box": ("size x [m]", "size y [m]", "size z [m]"), "ellipsoid": ("radius x [m]", "radius y [m]", "radius z [m]"),
    "plane": (), "convex mesh": ("half x [m]", "half y [m]", "half z [m]"),
}  # fmt: skip
CRYSTAL = np.array(
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [0.7, 0.7, 0.3], [-0.6, 0.5, -0.7]]
)
"""Corners of the page's convex mesh, for half sizes of one."""
SMALLEST, LARGEST, FAR = 0.02, 1.0, 1.2
"""Limits of size and place sliders [m]."""


def shape_of(kind: str, sizes: tuple[float, float, float]) -> Shape:
    """The shape that the page's fields describe; sizes [m] in the order of `SIZES`."""
    x, y, z = sizes
    if kind not in SIZES:
        raise unknown_name("shape", kind, SIZES)
    match kind:
        case "sphere":
            return Sphere(x)
        case "capsule":
            return Capsule(x, y)
        case "cylinder":
            return Cylinder(x, y)
        case "box":
            return Box((x, y, z))
        case "ellipsoid":
            return Ellipsoid((x, y, z))
        case "convex mesh":
            return ConvexMesh(CRYSTAL * np.array([x, y, z]))
    return Plane()


class ShapeFields:
    """Sliders of one shape on the page.

    Args:
        gui: viser's `server.gui`.
        title: of the folder.
        kind, sizes: what is shown first.
        xyz, rpy: its pose [m, degrees].
    """

    def __init__(
        self,
        gui: Any,
        title: str,
        kind: str,
        sizes: tuple[float, float, float],
        xyz: tuple[float, float, float],
        rpy: tuple[float, float, float],
    ) -> None:
        with gui.add_folder(title):
            self.kind = gui.add_dropdown("shape", tuple(SIZES), initial_value=kind)
            self.sizes = [gui.add_slider(f"size {i + 1}", SMALLEST, LARGEST, 0.005, sizes[i]) for i in range(3)]
            self.xyz = [gui.add_slider(f"{axis} [m]", -FAR, FAR, 0.001, xyz[i]) for i, axis in enumerate("xyz")]
            self.rpy = [
                gui.add_slider(f"{name} [deg]", -180.0, 180.0, 0.5, rpy[i])
                for i, name in enumerate(("roll", "pitch", "yaw"))
            ]
        self.label()

    @property
    def handles(self) -> list[Any]:
        """Every field."""
        return [self.kind, *self.sizes, *self.xyz, *self.rpy]

    def label(self) -> None:
        """Name the size sliders that the kind has, hide the others."""
        names = SIZES.get(self.kind.value, ())
        for i, slider in enumerate(self.sizes):
            if i < len(names) and slider.label != names[i]:
                slider.label = names[i]
            if slider.visible != (i < len(names)):
                slider.visible = i < len(names)

    def shape(self) -> Shape:
        """As the fields say."""
        x, y, z = (float(slider.value) for slider in self.sizes)
        return shape_of(self.kind.value, (x, y, z))

    def pose(self) -> Array:
        """X_WS (4, 4)."""
        turn = [math.radians(float(slider.value)) for slider in self.rpy]
        return pose_from_xyz_rpy([float(slider.value) for slider in self.xyz], turn)


class ShapesPage(ServedPage):
    """One server, one pair of shapes, any number of pages.

    Args:
        host: 127.0.0.1, or an address of this machine that others reach; then the page asks for a token. With the
            environment variable CARPAL_STUDIO_TOKEN it asks for that one, on 127.0.0.1 too.
        port: 0 takes a free one.

    Example:
        >>> with ShapesPage(port=0) as page:
        ...     print(page.url)
    """

    def __init__(self, *, host: str = "127.0.0.1", port: int = PORT) -> None:
        super().__init__(host, port, "carpal shapes")
        self._drawing = threading.RLock()
        gui = self._server.gui
        gui.configure_theme(show_logo=False, show_share_button=False, brand_color=BLUE)
        gui.main_panel.dock_right()
        gui.main_panel.set_width(350)
        self._line = StatusLine(self._server)
        self._table = gui.add_html("")
        self.a = ShapeFields(gui, "Shape A", "box", (0.5, 0.4, 0.3), (-0.25, 0.0, 0.0), (0.0, 0.0, 20.0))
        self.b = ShapeFields(gui, "Shape B", "ellipsoid", (0.35, 0.2, 0.15), (0.45, 0.1, 0.25), (20.0, -30.0, 0.0))
        self.view = ShapePairView(self._server)
        self.answer: PairAnswer | None = None
        self.draw()
        for fields in (self.a, self.b):
            for handle in fields.handles:
                handle.on_update(self._changed)

    def draw(self) -> None:
        """Draw what the fields say; a mistake is one sentence on the page."""
        with self._drawing:
            self.a.label()
            self.b.label()
            try:
                self.answer = self.view.show(self.a.shape(), self.a.pose(), self.b.shape(), self.b.pose())
            except CarpalError as problem:
                self.answer = None
                self._line.say(str(problem), "bad")
                self._table.content = ""
                return
            overlap = self.answer.found.distance < 0
            self._line.say(self.answer.found.status, "busy" if overlap else "good")
            self._table.content = table_html(self.answer)

    def _changed(self, event: Any) -> None:
        if event.client is None:
            return
        try:
            self.draw()
        except Exception as problem:  # the page must not freeze over one picture
            traceback.print_exc(file=sys.stderr)
            self._line.say(f"the picture failed: {type(problem).__name__}: {problem}", "bad")


def table_html(answer: PairAnswer) -> str:
    """The numbers of a pair; text is escaped."""
    found = answer.found
    rows = [
        (_dot((26, 32, 44)) + "nearest point of A [m]", _vector(found.p_WA)),
        (_dot((26, 32, 44)) + "nearest point of B [m]", _vector(found.p_WB)),
        (_dot(NORMAL) + "normal, from A into B", _vector(found.n_AB_W)),
        ("distance [m]", f"{float(found.distance):.6f}"),
        (_dot(COLOUR_A) + "curvatures of A [1/m]", _curvatures(answer.curvature_a)),
        (_dot(COLOUR_B) + "curvatures of B [1/m]", _curvatures(answer.curvature_b)),
    ]
    cells = "".join(
        f'<tr><td style="padding:.1em .6em .1em 0;color:#4a5568">{name}</td><td>{text}</td></tr>' for name, text in rows
    )
    return f'<table id="carpal-pair" style="margin:.2em 1em .6em;font-size:.8em;border-spacing:0">{cells}</table>'


def _vector(p: Array) -> str:
    return escape(", ".join(f"{x:.4f}" for x in p))


def _curvatures(curvature: Curvature | None) -> str:
    if curvature is None:
        return "a mesh has none"
    if not curvature.smooth:
        return "an edge or corner: none"
    first, second = (float(k) for k in curvature.values)
    return f"{_dot(FIRST)}{first:.4g}, {_dot(SECOND)}{second:.4g}"


def _dot(colour: tuple[int, int, int]) -> str:
    return f'<span style="color:rgb{colour}">●</span> '
