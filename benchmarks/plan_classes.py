"""Questions for planners in the manner of MotionBenchMaker (Chamzas et al. 2021): shelves, boxes, cages, tables, for four arms.

Robots are covered by spheres, which are then their shapes; scenes are boxes, placed and sized at random around where each arm
works. A goal has the tool at a random place inside the scene, a start at another one or above it; both are free.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

import carpal
from carpal.contact import collision_checker, contact_tables, sphere_checker, sphere_cover
from carpal.contact.prepared import with_fixed_joints
from carpal.kinematics import random_configurations
from carpal.model import Body, Box, Capsule, Joint, Model, PlacedShape, Scene, Sphere
from carpal.spatial import pose

ROBOTS = ("panda", "ur5", "fetch_like", "so101")
CLASSES = ("shelf_small", "shelf_tall", "shelf_thin", "box", "cage", "table", "under_table")


def in_spheres(model: Model) -> Model:
    """A model whose shapes are the spheres that cover its shapes; pairs that touch in a quarter of postures are excluded."""
    shapes = []
    for shape in model.shapes:
        if shape.collides:
            cover = sphere_cover(shape.shape)
            for k, (c, r) in enumerate(zip(cover.centres, cover.radii, strict=True)):
                p = shape.X_BS[:3, :3] @ c + shape.X_BS[:3, 3]
                shapes.append(PlacedShape(f"{shape.name}_{k}", shape.body, Sphere(float(r)), pose(p=p)))
    made = model.replace(shapes=tuple(shapes))
    tables = contact_tables(made)
    q = random_configurations(made, 300, seed=0)
    often: dict[tuple[str, str], np.ndarray] = {}
    from lane_inputs import sphere_centres

    where = {name: (body, x, r) for name, body, x, r in sphere_centres(made, q)}
    for a, b in ((tables.names[i], tables.names[k]) for i, k in tables.pairs[:, :2]):
        (body_a, x, r), (body_b, y, t) = where[a], where[b]
        key = (str(body_a), str(body_b))
        often[key] = often.get(key, np.zeros(300, bool)) | (np.linalg.norm(x - y, axis=1) < r + t)
    pairs = [key for key, hit in often.items() if hit.mean() > 0.25]
    return made.replace(exclusions=(*made.exclusions, *pairs))


def with_capsules(model: Model, radius: float) -> Model:
    """A model with a capsule from each moving joint to the next."""
    shapes = []
    for body in model.bodies:
        children = [b for b in model.bodies if b.parent == body.name]
        end = children[0].joint.X_PJ[:3, 3] if children else np.array([0, 0, 0.08])
        length = float(np.linalg.norm(end))
        if length < 1e-3:
            continue
        z = end / length
        x = np.cross([0, 1, 0] if abs(z[1]) < 0.9 else [1, 0, 0], z)
        x /= np.linalg.norm(x)
        R = np.stack([x, np.cross(z, x), z], axis=1)
        shapes.append(PlacedShape(f"{body.name}_capsule", body.name, Capsule(radius, length), pose(R, 0.5 * end)))
    return model.replace(shapes=tuple(shapes))


def fetch_like() -> Model:
    """A torso that lifts, and seven joints of which three turn without limits, with the build of Fetch."""
    rows = [  # kind, axis, from the parent [m], limits
        ("prismatic", (0, 0, 1), (-0.087, 0, 0.378), (0.0, 0.386)), ("revolute", (0, 0, 1), (0.12, 0, 0.349), (-1.6, 1.6)),
        ("revolute", (0, 1, 0), (0.117, 0, 0.06), (-1.22, 1.518)), ("revolute", (1, 0, 0), (0.219, 0, 0), None),
        ("revolute", (0, 1, 0), (0.133, 0, 0), (-2.25, 2.25)), ("revolute", (1, 0, 0), (0.197, 0, 0), None),
        ("revolute", (0, 1, 0), (0.1245, 0, 0), (-2.16, 2.16)), ("revolute", (1, 0, 0), (0.1385, 0, 0), None),
    ]  # fmt: skip
    bodies = []
    for i, (kind, axis, place, limits) in enumerate(rows):
        low, high = limits or (-np.inf, np.inf)
        joint = Joint(
            f"joint_{i}",
            kind,
            X_PJ=pose(p=place),
            axis=np.array(axis, float),
            q_min=low,
            q_max=high,
            v_max=1.5,
            vdot_max=5.0,
        )
        bodies.append(Body(f"link_{i}", f"link_{i - 1}" if i else "base", joint))
    base = Body("base", None, Joint("base_fixed", "fixed"))
    model = with_capsules(Model("fetch_like", (base, *bodies)), 0.06)
    body = PlacedShape("base_box", "base", Box((0.5, 0.5, 0.3)), pose(p=[-0.05, 0, 0.17]))
    kept = [s for s in model.shapes if s.body not in ("base", "link_0")]
    return model.replace(shapes=(*kept, body))


@functools.cache
def robot(name: str) -> Model:
    """One of the four arms, of spheres; the hand does not move."""
    if name == "fetch_like":
        return in_spheres(fetch_like())
    model = carpal.load(name)
    if name == "so101":
        arm = with_fixed_joints(model, [j for j in model.joint_names if "gripper" not in j])
        return in_spheres(with_capsules(arm.replace(shapes=()), 0.018))
    if name == "panda":
        model = with_fixed_joints(model, [f"panda_joint{i}" for i in range(1, 8)])
    return in_spheres(model)


def scene_of(arm: Model, kind: str, rng: np.random.Generator) -> tuple[Scene, np.ndarray, np.ndarray, np.ndarray]:
    """(scene, corners of the regions (n, 2, 3) of goals, of the one of starts, the pose by which all that is turned)."""
    reach, middle = workspace(arm)
    d = 0.62 * reach * rng.uniform(0.92, 1.1)
    at = middle + np.array([d, 0.0, 0.0])
    scene = Scene(kind).add_robot(arm, name="arm")
    t = 0.02 * reach
    regions: list[np.ndarray] = []

    def box(name: str, low: Any, high: Any) -> None:
        low, high = np.asarray(low, float), np.asarray(high, float)
        scene.add_fixed(name, Box(high - low), pose=turn @ pose(p=0.5 * (low + high) - middle))

    turn = pose(_about_z(float(rng.uniform(-0.7, 0.7))), middle)
    w, h = reach * rng.uniform(0.28, 0.4), reach * rng.uniform(0.45, 0.6)
    if kind.startswith("shelf"):
        boards = {"shelf_small": 4, "shelf_tall": 3, "shelf_thin": 5}[kind]
        depth = reach * {"shelf_small": 0.28, "shelf_tall": 0.35, "shelf_thin": 0.22}[kind]
        z = at[2] + np.linspace(-h, h, boards)
        for i, level in enumerate(z):
            box(f"board_{i}", [at[0], -w, level], [at[0] + depth, w, level + t])
            if i + 1 < boards:
                regions.append(
                    np.array(
                        [[at[0] + 0.1 * depth, -0.8 * w, level + 2 * t], [at[0] + 0.8 * depth, 0.8 * w, z[i + 1] - t]]
                    )
                )
        box("left", [at[0], w, z[0]], [at[0] + depth, w + t, z[-1] + t])
        box("right", [at[0], -w - t, z[0]], [at[0] + depth, -w, z[-1] + t])
        box("back", [at[0] + depth, -w, z[0]], [at[0] + depth + t, w, z[-1] + t])
        start = np.array([[at[0] - 0.35 * reach, -w, z[0]], [at[0] - 0.05 * reach, w, z[-1]]])
        return scene, np.array(regions), start, turn @ pose(p=-middle)
    floor = at[2] - 0.35 * reach
    if kind in ("box", "cage"):
        s, tall = reach * rng.uniform(0.2, 0.26), reach * rng.uniform(0.3, 0.4)
        low, high = at - np.array([s, s, 0]), at + np.array([s, s, 0])
        box("floor", [low[0], low[1], floor - t], [high[0], high[1], floor])
        for name, a, b in (
            ("near", [low[0] - t, low[1]], [low[0], high[1]]), ("far", [high[0], low[1]], [high[0] + t, high[1]]),
            ("one", [low[0], low[1] - t], [high[0], low[1]]), ("other", [low[0], high[1]], [high[0], high[1] + t]),
        ):  # fmt: skip
            if kind == "box":
                box(name, [*a, floor], [*b, floor + tall])
            else:
                for k, share in enumerate(np.linspace(0, 1, 4)):
                    p = np.array(a) + share * (np.array(b) - a)
                    box(f"{name}_{k}", [*(p - 0.6 * t), floor], [*(p + 0.6 * t), floor + 1.3 * tall])
        inside = np.array(
            [[low[0] + 2 * t, low[1] + 2 * t, floor + t], [high[0] - 2 * t, high[1] - 2 * t, floor + 0.8 * tall]]
        )
        start = np.array([[low[0], low[1], floor + 1.2 * tall], [high[0], high[1], floor + 2.2 * tall]])
        return scene, inside[None], start, turn @ pose(p=-middle)
    top = at[2] - reach * (rng.uniform(0.2, 0.3) if kind == "table" else rng.uniform(-0.05, 0.1))
    front, wide, far = at[0] - 0.3 * reach, 0.5 * reach, at[0] + 0.3 * reach
    box("top", [front, -wide, top - t], [far, wide, top])
    for k, (x, y) in enumerate(((front, -wide), (front, wide), (far, -wide), (far, wide))):
        box(f"leg_{k}", [x - t, y - t, top - 0.5 * reach], [x + t, y + t, top - t])
    above = np.array([[front, -0.9 * wide, top + t], [far, 0.9 * wide, top + 0.4 * reach]])
    if kind == "table":
        for k in range(6):
            p = rng.uniform([front, -0.9 * wide], [far, 0.9 * wide])
            half = reach * rng.uniform(0.02, 0.06)
            box(f"thing_{k}", [*(p - half), top], [*(p + half), top + reach * rng.uniform(0.1, 0.35)])
        return scene, above[None] - [[[0, 0, 0], [0, 0, 0.25 * reach]]], above, turn @ pose(p=-middle)
    below = np.array([[front, -0.8 * wide, top - 0.4 * reach], [far, 0.8 * wide, top - 3 * t]])
    return scene, below[None], above, turn @ pose(p=-middle)


def _about_z(angle: float) -> np.ndarray:
    s, c = np.sin(angle), np.cos(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


@functools.cache
def _cloud(arm: Model) -> tuple[np.ndarray, np.ndarray]:
    q = random_configurations(arm, 6000, seed=7)
    if not np.isfinite(q).all():
        raise ValueError(arm.name)
    return q, carpal.fk(arm, q)[:, :3, 3]


@functools.cache
def workspace(arm: Model) -> tuple[float, np.ndarray]:
    """(reach [m], the place it is counted from): of the tool about the second joint that turns."""
    _, p = _cloud(arm)
    middle = np.array([0.0, 0.0, float(np.median(p[:, 2]))])
    return float(np.quantile(np.linalg.norm(p - middle, axis=1), 0.97)), middle


def configurations_at(arm: Model, target: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Configurations whose tool is at places (n, 3): near ones of a cloud, improved by damped least squares."""
    cloud, p = _cloud(arm)
    count = len(target)
    near = np.argsort(np.linalg.norm(p[None] - target[:, None], axis=2), axis=1)[
        np.arange(count), rng.integers(0, 40, count)
    ]
    q = cloud[near].copy()
    for _ in range(12):
        e = target - carpal.fk(arm, q)[:, :3, 3]
        J = carpal.jacobian(arm, q)[:, :3]
        step = np.einsum(
            "nji,nj->ni", J, np.linalg.solve(J @ J.transpose(0, 2, 1) + 1e-3 * np.eye(3), e[:, :, None])[:, :, 0]
        )
        q = np.clip(q + np.clip(step, -0.3, 0.3), arm.q_min, arm.q_max)
    return q[np.linalg.norm(target - carpal.fk(arm, q)[:, :3, 3], axis=1) < 0.01]


@dataclasses.dataclass(frozen=True)
class Question:
    """A scene that is prepared, a start and a goal."""

    name: str
    checker: Any
    start: np.ndarray
    goal: np.ndarray


def questions(name: str, kind: str, count: int, seed: int = 0, each: int = 5) -> list[Question]:
    """So many questions of a robot and a class, `each` in one scene."""
    arm = robot(name)
    out: list[Question] = []
    trial = 0
    while len(out) < count and trial < 40 * count:
        trial += 1
        rng = np.random.default_rng([seed, trial, ROBOTS.index(name), CLASSES.index(kind)])
        scene, regions, start_region, turn = scene_of(arm, kind, rng)
        checker = collision_checker(scene)
        lanes = sphere_checker(checker)
        region = [regions[k] for k in rng.integers(0, len(regions), 60)]
        goals = configurations_at(
            arm, rng.uniform(*np.array(region).transpose(1, 0, 2)) @ turn[:3, :3].T + turn[:3, 3], rng
        )
        starts = configurations_at(arm, rng.uniform(*start_region, (60, 3)) @ turn[:3, :3].T + turn[:3, 3], rng)
        goals, starts = goals[~lanes(goals)], starts[~lanes(starts)]
        n = min(each, len(goals), len(starts), count - len(out))
        out += [Question(f"{name}/{kind}/{trial}.{k}", checker, starts[k], goals[k]) for k in range(n)]
    return out


if __name__ == "__main__":
    for made in ROBOTS:
        for sort in CLASSES:
            print(made, sort, len(questions(made, sort, 10)))
