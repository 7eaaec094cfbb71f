"""Random grasps, pushes, drops and impacts for the modal engine: any shapes, one to five fingers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.engines import ModalEngine, Surface
from carpal.model import (
    Body,
    Box,
    Capsule,
    ConvexMesh,
    Cylinder,
    Ellipsoid,
    Joint,
    Model,
    PlacedShape,
    Plane,
    Shape,
    Sphere,
    State,
)
from carpal.spatial import Inertia, pose, rotation_from_wxyz, wxyz_from_rotation

KINDS = ("grasp", "push", "drop", "impact")
SHAPES = ("sphere", "box", "capsule", "cylinder", "ellipsoid", "convex")


@dataclass(frozen=True, eq=False)
class Trial:
    """A model, how it begins, and an engine for it."""

    kind: str
    model: Model
    state: State
    engine: ModalEngine
    mu: float
    restitution: float


def random_shape(rng: np.random.Generator, kind: str | None = None) -> Shape:
    """A shape of some centimetres."""
    kind = kind or str(rng.choice(SHAPES))
    a, b, c = rng.uniform(0.02, 0.05, 3)
    if kind == "sphere":
        return Sphere(a)
    if kind == "box":
        return Box((2 * a, 2 * b, 2 * c))
    if kind == "capsule":
        return Capsule(a / 2, 2 * b)
    if kind == "cylinder":
        return Cylinder(a, 2 * b)
    if kind == "ellipsoid":
        return Ellipsoid((a, b, c))
    points = rng.normal(size=(12, 3))
    return ConvexMesh(points / np.linalg.norm(points, axis=1, keepdims=True) * np.array([a, b, c]))


def reach(shape: Shape) -> float:
    """Radius of a ball about the shape's origin that holds it [m]."""
    if isinstance(shape, Sphere):
        return shape.radius
    if isinstance(shape, Box):
        return float(np.linalg.norm(shape.size)) / 2
    if isinstance(shape, Capsule):
        return shape.radius + shape.length / 2
    if isinstance(shape, Cylinder):
        return float(np.hypot(shape.radius, shape.length / 2))
    if isinstance(shape, Ellipsoid):
        return max(shape.radii)
    return 0.07


def random_turn(rng: np.random.Generator) -> np.ndarray:
    """A rotation matrix."""
    wxyz = rng.normal(size=4)
    return np.asarray(rotation_from_wxyz(wxyz / np.linalg.norm(wxyz)))


def _object(name: str, shape: Shape, mass: float) -> tuple[Body, PlacedShape]:
    return Body(name, None, Joint(name, "free"), shape.inertia(mass)), PlacedShape(name, name, shape)


def _free_q(p: np.ndarray, R: np.ndarray) -> list[float]:
    return [*p, *wxyz_from_rotation(R)]


def _finger(name: str, base: np.ndarray, radius: float) -> tuple[list[Body], list[PlacedShape]]:
    """Three links of 4 cm along the base's x axis, capsules with a ball on the last one's end."""
    bodies, shapes, parent = [], [], None
    axes = (np.array([0.0, 0, 1]), np.array([0.0, 1, 0]), np.array([0.0, 1, 0]))
    for k, axis in enumerate(axes):
        joint = Joint(f"{name}_{k}", "revolute", X_PJ=base if k == 0 else pose(p=(0.04, 0, 0)), axis=axis)
        body = Body(f"{name}_{k}", parent, joint, Inertia(0.05, np.array([0.02, 0, 0]), 1e-5 * np.eye(3)))
        bodies.append(body)
        parent = body.name
        along = pose(np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]]), (0.02, 0, 0))
        shapes.append(PlacedShape(f"{name}_{k}", parent, Capsule(0.006, 0.028), along))
    shapes.append(PlacedShape(f"{name}_tip", parent, Sphere(radius), pose(p=(0.04, 0, 0))))
    return bodies, shapes


def random_trial(seed: int, *, dt: float = 1e-3, restitution: float | None = None, **options: object) -> Trial:
    """A trial; the same seed gives the same bits. A given restitution goes before the random one."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    mu, e = float(rng.uniform(0.1, 1.2)), float(rng.uniform(0.0, 0.95))
    e = e if restitution is None else restitution
    bodies: list[Body] = []
    shapes: list[PlacedShape] = [PlacedShape("floor", None, Plane())]
    q: list[float] = []
    v: list[float] = []
    target: list[float] = []
    shape = random_shape(rng, SHAPES[(seed // len(KINDS)) % len(SHAPES)])
    mass, size = float(rng.uniform(0.01, 0.5)), reach(shape)
    centre = np.array([0.0, 0.0, 0.3])
    if kind in ("grasp", "push"):
        count = int(rng.integers(1, 6)) if kind == "grasp" else int(rng.integers(1, 3))
        if kind == "push":
            centre = np.array([0.0, 0.0, size + 1e-3])
        for k in range(count):
            turn = 2 * np.pi * k / count + rng.uniform(-0.2, 0.2)
            out = np.array([np.cos(turn), np.sin(turn), 0.0])
            x, y = -out, np.array([out[1], -out[0], 0.0])
            R = np.stack([x, y, np.cross(x, y)], axis=1)
            far = size + 0.125 + rng.uniform(0.0, 0.005)
            more, forms = _finger(
                f"f{k}", pose(R, centre + far * out + np.array([0, 0, rng.uniform(-0.005, 0.005)])), 0.01
            )
            bodies += more
            shapes += forms
            bend = rng.uniform(0.5, 0.9)
            q += [rng.uniform(-0.1, 0.1), -bend, 2 * bend]
            v += [0.0, 0.0, 0.0]
            target += [0.0, -0.1, 0.2]
    objects = [(shape, mass, centre, np.zeros(6))]
    if kind == "drop":
        lift = centre * [1, 1, 0] + np.array([0, 0, size + rng.uniform(0.0, 0.1)])
        objects = [(shape, mass, lift, np.concatenate([rng.normal(size=3) * 0.5, rng.normal(size=3) * 5]))]
        if rng.random() < 0.5:
            top = random_shape(rng)
            above = lift + np.array([0, 0, size + reach(top) + 0.01])
            objects.append((top, float(rng.uniform(0.01, 0.5)), above, np.zeros(6)))
    if kind == "impact":
        other = random_shape(rng)
        apart = size + reach(other) + 0.02
        speed = rng.uniform(0.1, 2.0)
        objects = [
            (shape, mass, centre, np.array([speed, 0, 0, *rng.normal(size=3) * 3])),
            (
                other,
                float(rng.uniform(0.01, 0.5)),
                centre + np.array([apart, *rng.uniform(-0.02, 0.02, 2)]),
                np.array([-speed, 0, 0, 0, 0, 0]),
            ),
        ]  # fmt: skip
    for k, (form, weight, p, twist) in enumerate(objects):
        body, placed = _object(f"o{k}", form, weight)
        bodies.append(body)
        shapes.append(placed)
        q += _free_q(p, random_turn(rng) if kind != "grasp" or k else np.eye(3))
        v += [*twist]
        target += [0.0] * 6
    exclusions = tuple((f"f{k}_{a}", f"f{k}_{b}") for k in range(5) for a in "01" for b in "12" if a < b)
    known = {body.name for body in bodies}
    model = Model(
        name=f"trial {seed}", bodies=tuple(bodies), shapes=tuple(shapes), q_home=np.array(q),
        exclusions=tuple(pair for pair in exclusions if pair[0] in known),
    )  # fmt: skip
    engine = ModalEngine(
        model, dt=dt, surface=Surface(mu=mu, restitution=e), stiffness=1.0, damping=0.02, target=np.array(target),
        float_joints=True, **options,
    )  # fmt: skip
    return Trial(kind, model, State.home(model, v=np.array(v)), engine, mu, e)
