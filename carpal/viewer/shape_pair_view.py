"""Two shapes in the browser's 3-D scene (viser): nearest points, normal, and the circles that fit the surfaces there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.contact import Curvature, PairDistance, principal_curvatures, shape_distance
from carpal.model import Box, Capsule, ConvexMesh, Cylinder, Ellipsoid, Plane, Shape, Sphere
from carpal.report import solids
from carpal.spatial import Array, inverse, wxyz_from_rotation

COLOUR_A, COLOUR_B = (91, 141, 201), (221, 140, 66)
POINT, NORMAL, FIRST, SECOND = (26, 32, 44), (197, 48, 48), (128, 60, 170), (36, 140, 90)
GROUND = 3.0
"""Width of a plane's drawing [m]."""
ARC = 0.22
"""Length of a curvature's arc to either side [m]."""


@dataclass(frozen=True, eq=False)
class PairAnswer:
    """What is shown of a pair: the distance, and the curvatures where there are any."""

    found: PairDistance
    curvature_a: Curvature | None
    curvature_b: Curvature | None


def pair_answer(shape_a: Shape, X_WA: Array, shape_b: Shape, X_WB: Array) -> PairAnswer:
    """Distance, nearest points and curvatures of two placed shapes."""
    found = shape_distance(shape_a, X_WA, shape_b, X_WB)
    return PairAnswer(found, _curvature_at(shape_a, X_WA, found.p_WA), _curvature_at(shape_b, X_WB, found.p_WB))


def _curvature_at(shape: Shape, X_WS: Array, p_W: Array) -> Curvature | None:
    """Of a mesh there is none."""
    if shape.kind in ("convex", "triangles"):
        return None
    return principal_curvatures(shape, (inverse(X_WS) @ [*p_W, 1.0])[:3])


def fitting_arc(p: Array, n: Array, t: Array, curvature: float, points: int = 25) -> Array:
    """Points (n, 3) of the circle that fits a surface at p: outward normal n, tangent t, curvature [1/m]; straight for 0."""
    reach = ARC if curvature <= 0 else min(ARC, np.pi / curvature)
    s = np.linspace(-reach, reach, points)[:, None]
    if curvature * ARC < 1e-9:
        return p + s * t
    return p + np.sin(curvature * s) / curvature * t - 2 * np.sin(0.5 * curvature * s) ** 2 / curvature * n


def triangles_of(shape: Shape) -> tuple[Array, Array]:
    """Vertices (n, 3) and faces (m, 3) to draw a shape by."""
    match shape:
        case Sphere():
            return _round(shape.radius, 0.0)
        case Capsule():
            return _round(shape.radius, shape.length / 2)
        case Cylinder():
            r, half = shape.radius, shape.length / 2
            return solids.revolved([(0, -half), (r, -half), (r, half), (0, half)], smooth=False, around=64)
        case Ellipsoid():
            vertices, faces = _round(1.0, 0.0)
            return vertices * np.array(shape.radii), faces
        case Box():
            return _box(shape.size)
        case Plane():
            vertices, faces = _box((GROUND, GROUND, 0.01))
            return vertices - [0, 0, 0.005], faces
    return np.asarray(shape.points), np.asarray(shape.faces)  # type: ignore[attr-defined] # meshes bring their own


def _round(radius: float, half: float) -> tuple[Array, Array]:
    """A ball or capsule, finer than `solids` has them, so that points on the true surface do not hover over it."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, 34)
    profile = radius * np.stack([np.cos(angle), np.sin(angle)], 1)
    profile[:, 1] += np.where(angle < 0, -half, half)
    profile[[0, -1], 0] = 0.0
    return solids.revolved(profile, smooth=True, around=64)


def _box(size: tuple[float, float, float]) -> tuple[Array, Array]:
    mesh = ConvexMesh(np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T * np.array(size) / 2)
    return mesh.points, mesh.faces


class ShapePairView:
    """The nodes of one pair in a viser scene; `show` moves them.

    Args:
        server: a viser server.
    """

    def __init__(self, server: Any) -> None:
        self._server = server
        self._nodes: dict[str, tuple[Shape, Any]] = {}
        scene, camera = server.scene, server.initial_camera
        scene.set_up_direction("+z")
        camera.position, camera.look_at, camera.fov = (0.45, -1.45, 0.75), (0.12, 0.0, 0.08), 0.8
        scene.add_grid(
            "/grid", width=4.0, height=4.0, cell_size=0.1, section_size=0.5, position=(0, 0, -0.6), infinite_grid=False,
            cell_color=(230, 233, 238), section_color=(205, 211, 219),
        )  # fmt: skip

    def show(self, shape_a: Shape, X_WA: Array, shape_b: Shape, X_WB: Array) -> PairAnswer:
        """Draw two placed shapes and what is known of the pair; returns that."""
        answer = pair_answer(shape_a, X_WA, shape_b, X_WB)
        with self._server.atomic():
            self._solid("a", shape_a, X_WA, COLOUR_A)
            self._solid("b", shape_b, X_WB, COLOUR_B)
            self._contact(answer)
            self._arcs("a", answer.curvature_a, X_WA, answer.found.p_WA)
            self._arcs("b", answer.curvature_b, X_WB, answer.found.p_WB)
        return answer

    def _solid(self, name: str, shape: Shape, X_WS: Array, colour: tuple[int, ...]) -> None:
        kept = self._nodes.get(name)
        if kept is None or kept[0] != shape:
            vertices, faces = triangles_of(shape)
            flat = shape.kind in ("box", "cylinder", "convex", "triangles")
            node = self._server.scene.add_mesh_simple(
                f"/shape_{name}", vertices.astype(np.float32), faces.astype(np.uint32), color=colour, opacity=0.5,
                flat_shading=flat, side="double", cast_shadow=False,
            )  # fmt: skip
            self._nodes[name] = (shape, node)
        node = self._nodes[name][1]
        node.position, node.wxyz = X_WS[:3, 3], wxyz_from_rotation(X_WS[:3, :3])

    def _contact(self, answer: PairAnswer) -> None:
        scene, found = self._server.scene, answer.found
        for name, point in (("a", found.p_WA), ("b", found.p_WB)):
            scene.add_icosphere(f"/point_{name}", 0.012, POINT, position=point, cast_shadow=False)
        between = np.stack([found.p_WA, found.p_WB])[None].astype(np.float32)
        scene.add_line_segments("/between", between, POINT, thickness=3.0, thickness_units="screen")
        arrow = np.stack([found.p_WA, found.p_WA + 0.25 * found.n_AB_W])[None].astype(np.float32)
        scene.add_arrows("/normal", arrow, NORMAL, shaft_radius=0.006, head_radius=0.018, head_length=0.045)

    def _arcs(self, name: str, curvature: Curvature | None, X_WS: Array, p_W: Array) -> None:
        """Both fitting circles; none at edges and on meshes, where nothing fits."""
        shown = curvature is not None and bool(curvature.smooth)
        for i, colour in enumerate((FIRST, SECOND)):
            points = np.zeros((1, 2, 3))
            if shown and curvature is not None:
                R = X_WS[:3, :3]
                arc = fitting_arc(p_W, R @ curvature.normal, R @ curvature.directions[i], float(curvature.values[i]))
                points = np.stack([arc[:-1], arc[1:]], axis=1)
            self._server.scene.add_line_segments(
                f"/arc_{name}_{i}",
                points.astype(np.float32),
                colour,
                thickness=4.0,
                thickness_units="screen",
                visible=shown,
            )
