"""The modes of a run as one tidy table: a row for every contact of every recorded moment.

Montana's contact coordinates (Chan 1998, A.1 to A.5) are given where both surfaces are smooth: spheres, ellipsoids, the side
of a cylinder, planes, and faces of boxes, which count as planes with the face's own axes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.contact import contact_coordinates, contact_frame
from carpal.engines.moments import touching
from carpal.errors import CarpalError, RecordingError
from carpal.kinematics import fk
from carpal.model import Box, Model, PlacedShape, Plane, Shape
from carpal.spatial import Array, pose

if TYPE_CHECKING:
    from carpal.engines.recording import Recording

COORDINATES = ("chart_a", "u_a", "v_a", "chart_b", "u_b", "v_b", "psi")
SMOOTH = ("sphere", "ellipsoid", "cylinder", "plane")


def mode_table(recording: Recording) -> Any:
    """Every contact of every row of a modal engine's recording, as a `pyarrow.Table`.

    Columns: time [s]; contact (a name that stays with the contact while it lasts); a, b (bodies; "" is the world); mode;
    point and normal (x, y, z) in W; force_n, force_1, force_2 [N] in the contact frame, on B; mu; margin [N]: how much
    tangential force is left before it slips; chart, u, v on A and on B and psi, NaN where a surface is not smooth.
    """
    import pyarrow as pa

    if recording.metadata.get("engine") != "modal":
        raise RecordingError(
            f"modes are recorded by the modal engine; this run is of the engine '{recording.metadata.get('engine')}'."
        )
    model, options = recording.model, recording.metadata.get("engine_options", {})
    places = _Places(model, recording.q)
    rows: list[dict[str, Any]] = []
    names = _Names()
    for k, contacts in enumerate(recording.contacts):
        names.next_moment()
        for contact in touching(contacts):
            X_WA = places.body(contact.a, k)
            shape_a, shape_b = places.shapes(contact, k)
            R = np.asarray(contact_frame(np.array(contact.normal)))
            f_1, f_2, f_n = R.T @ np.array(contact.force)
            mu = friction_of(options, shape_a, shape_b)
            p_A = X_WA[:3, :3].T @ (np.array(contact.point) - X_WA[:3, 3])
            row = {"time": float(recording.time[k]), "contact": names.of(contact.a, contact.b, p_A)}
            row |= {"a": contact.a, "b": contact.b, "mode": contact.mode}
            row |= {f"point_{axis}": x for axis, x in zip("xyz", contact.point, strict=True)}
            row |= {f"normal_{axis}": x for axis, x in zip("xyz", contact.normal, strict=True)}
            row |= {"force_n": float(f_n), "force_1": float(f_1), "force_2": float(f_2), "mu": mu}
            row |= {"margin": float(mu * f_n - np.hypot(f_1, f_2))}
            numbers = _coordinates(places, shape_a, shape_b, contact, k)
            row |= dict(zip(COORDINATES, numbers, strict=True))
            rows.append(row)
    texts, vectors = ("contact", "a", "b", "mode"), [f"{what}_{axis}" for what in ("point", "normal") for axis in "xyz"]
    order = ["time", *texts, *vectors, "force_n", "force_1", "force_2", "mu", "margin", *COORDINATES]
    types = {name: pa.string() if name in texts else pa.float64() for name in order}
    return pa.table({name: pa.array([row[name] for row in rows], type=types[name]) for name in order})


def friction_of(options: Mapping[str, Any], a: PlacedShape, b: PlacedShape) -> float:
    """The coefficient of friction between two shapes, from an engine's recorded options."""
    found = options.get("surface", {})
    for key, surface in options.get("surfaces", {}).items():
        sides = [_means(name, a, b) for name in key.split("+")]
        both = len(sides) == 2 and ((sides[0][0] and sides[1][1]) or (sides[0][1] and sides[1][0]))
        if both or (len(sides) == 1 and any(sides[0])):
            found = surface
    return 0.0 if found.get("tip") == "frictionless" else float(found.get("mu", np.nan))


def _means(name: str, *shapes: PlacedShape) -> tuple[bool, ...]:
    return tuple(name in (shape.name, shape.body) or shape.name.startswith(name + "/") for shape in shapes)


class _Names:
    """Names of contacts that stay with them: the nearest point of the same two bodies a moment ago goes on."""

    def __init__(self) -> None:
        self._before: dict[str, tuple[str, Array]] = {}
        self._now: dict[str, tuple[str, Array]] = {}

    def next_moment(self) -> None:
        self._before, self._now = self._now, {}

    def of(self, a: str, b: str, p_A: Array) -> str:
        pair = f"{a}|{b}"
        free = {name: p for name, (where, p) in self._before.items() if where == pair and name not in self._now}
        if free:
            name = min(free, key=lambda name: float(np.linalg.norm(free[name] - p_A)))
        else:
            name = next(f"{pair}#{k}" for k in range(10_000) if f"{pair}#{k}" not in self._now)
        self._now[name] = (pair, p_A)
        return name


class _Places:
    """Poses of bodies over a run, worked out once for each body that touches something."""

    def __init__(self, model: Model, q: Array) -> None:
        self.model, self.q = model, q
        self._poses: dict[str, Array] = {}

    def body(self, name: str, row: int) -> Array:
        """X_WB (4, 4) of a body at a row; "" is the world."""
        if not name:
            return np.eye(4)
        if name not in self._poses:
            self._poses[name] = np.asarray(fk(self.model, self.q, name))
        return self._poses[name][row]

    def shapes(self, contact: Any, row: int) -> tuple[PlacedShape, PlacedShape]:
        """The two shapes that touch: of each body the one whose surface is nearest to the point."""
        a, b = (
            min(self._of(name), key=lambda s: self._off(s, name, contact.point, row)) for name in (contact.a, contact.b)
        )
        return a, b

    def _of(self, name: str) -> list[PlacedShape]:
        found = [shape for shape in self.model.shapes if (shape.body or "") == name and shape.collides]
        if not found:
            raise RecordingError(f"the recording's model has no shape on the body '{name}' that a contact names.")
        return found

    def _off(self, shape: PlacedShape, body: str, point: tuple[float, ...], row: int) -> float:
        if len(self._of(body)) == 1:
            return 0.0
        from carpal.contact import shape_distance
        from carpal.model import Sphere

        dot = Sphere(1e-9)
        found = shape_distance(dot, pose(p=point), shape.shape, self.body(body, row) @ shape.X_BS)
        return abs(float(found.distance))


def _coordinates(places: _Places, a: PlacedShape, b: PlacedShape, contact: Any, row: int) -> Iterator[float]:
    """Seven contact coordinates, NaN where they do not exist."""
    nothing = iter([np.nan] * 7)
    sides: list[tuple[Shape, Array]] = []
    for shape, body, sign in ((a, contact.a, 1.0), (b, contact.b, -1.0)):
        X_WS = places.body(body, row) @ shape.X_BS
        if isinstance(shape.shape, Box):
            face = box_face(shape.shape, X_WS, sign * np.array(contact.normal))
            if face is None:
                return nothing
            sides.append((Plane(), face))
        elif shape.shape.kind in SMOOTH:
            sides.append((shape.shape, X_WS))
        else:
            return nothing
    try:
        (one, X_WA), (two, X_WB) = sides
        return iter(contact_coordinates(one, X_WA, two, X_WB, np.array(contact.point)).tolist())
    except CarpalError:  # two planes, an edge, or a gap that is open: no coordinates
        return nothing


def box_face(box: Box, X_WS: Array, outward: Array) -> Array | None:
    """Pose (4, 4) of a plane on the face of a box whose outward normal is that, or None at edges and corners."""
    d = X_WS[:3, :3].T @ outward
    axis = int(np.argmax(np.abs(d)))
    if abs(d[axis]) < 1.0 - 1e-9:
        return None
    R = np.zeros((3, 3))
    R[axis, 2] = np.sign(d[axis])
    R[(axis + 1) % 3, 0] = 1.0
    R[:, 1] = np.cross(R[:, 2], R[:, 0])
    p = R[:, 2] * box.size[axis] / 2
    return X_WS @ pose(R, p)
