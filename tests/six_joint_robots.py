"""Seeded random robots of six revolute joints, of every shape that is told apart, and the public ones. Only NumPy."""

from __future__ import annotations

import numpy as np
from closed_form_robots import across, model_from_lines, unit
from random_models import random_rotation

import carpal
from carpal.kinematics import ik_all, random_configurations
from carpal.kinematics.inverse.arm_class import arm_class
from carpal.model import DHRow, Model

SPHERICAL = ("axes 1 and 2 meet", "axes 2 and 3 meet", "axes 2 and 3 parallel", "axes 1 and 2 parallel", "no pair")
PARALLEL = ("2 3 4 and a pair", "2 3 4", "1 2 3 and a pair", "1 2 3")
GENERAL = ("any", "two pairs meet", "two parallel, offset wrist")
SHAPES = (
    *(f"spherical, {name}" for name in SPHERICAL),
    *(f"parallel, {name}" for name in PARALLEL),
    *(f"general, {name}" for name in GENERAL),
)
PUBLIC = ("ur3", "ur5", "ur10", "kinova", "z1")
Q = np.pi / 2
# typed in from the makers' sheets: a [m], alpha [rad], d [m], theta [rad]
TABLES = {
    "puma560": [(0, Q, 0, 0), (0.4318, 0, 0, 0), (0.0203, -Q, 0.15005, 0), (0, Q, 0.4318, 0), (0, -Q, 0, 0), (0, 0, 0, 0)],
    "irb6640": [(0.32, -Q, 0.78, 0), (1.075, 0, 0, -Q), (0.2, -Q, 0, 0), (0, Q, 1.1425, 0), (0, -Q, 0, 0), (0, 0, 0.2, 0)],
    "kr6": [(0.025, -Q, 0.4, 0), (0.455, 0, 0, 0), (0.035, -Q, 0, -Q), (0, Q, 0.42, 0), (0, -Q, 0, 0), (0, 0, 0.08, 0)],
    "gofa": [(0, -Q, 0.265, 0), (0.444, 0, 0, -Q), (0.11, -Q, 0, 0), (0, Q, 0.47, 0), (0.08, -Q, 0, 0), (0, 0, 0.101, 0)],
    "j2n6s200": [
        (0, Q, 0.2755, 0), (0.41, 2 * Q, 0, 0), (0, Q, -0.0098, 0), (0, 2 * Q / 3, -0.2502, 0), (0, 2 * Q / 3, -0.0858, 0),
        (0, 2 * Q, -0.2116, 0),
    ],
    "crx10": [(0, -Q, 0, 0), (0.54, 0, 0, -Q), (0, -Q, 0, 0), (0, Q, 0.54, 0), (0, -Q, 0.15, 0), (0, 0, 0.16, 0)],
}  # fmt: skip


def six_joint_robot(shape: str, seed: int) -> Model:
    """A robot of one of `SHAPES`; every second one is turned round, so that its tool is where its base was."""
    rng = np.random.default_rng([seed, SHAPES.index(shape)])
    u = np.array([unit(rng) for _ in range(6)])
    c = np.cumsum(rng.normal(size=(6, 3)) * 0.3, axis=0)
    kind, _, name = shape.partition(", ")
    if kind == "spherical":
        c[4] = c[5] = c[3]
        if seed % 3:  # right angles, as most wrists have them
            u[4] = across(rng, u[3])
            u[5] = across(rng, u[4])
        _first_three(rng, name, u, c)
    elif kind == "parallel":
        first = 1 if name.startswith("2") else 0
        u[first + 1], u[first + 2] = (u[first] * sign for sign in rng.choice([-1.0, 1.0], 2))
        if "pair" in name:
            k = 4 if first else 3
            c[k + 1] = c[k] + 0.2 * u[k]
    elif name == "two pairs meet":
        i, j = ((0, 3), (0, 4), (1, 3), (2, 4))[seed % 4]
        c[i + 1], c[j + 1] = c[i] + 0.2 * u[i], c[j] - 0.1 * u[j]
    elif name.startswith("two parallel"):
        u[2] = u[1]
        if seed % 2:
            c[4] = c[3] + 0.1 * u[3]
    if seed % 2:
        u, c = u[::-1].copy(), c[::-1].copy()
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = random_rotation(rng), c[5] + rng.normal(size=3) * 0.1
    return model_from_lines(rng, f"six_{seed}", u, c, X, unit(rng))


def _first_three(rng: np.random.Generator, name: str, u: np.ndarray, c: np.ndarray) -> None:
    i = 0 if "1 and 2" in name else 1
    if "meet" in name:
        c[i + 1] = c[i] + 0.1 * rng.normal() * u[i]
    elif "parallel" in name:
        u[i + 1] = u[i] * rng.choice([-1.0, 1.0])


def from_table(name: str) -> Model:
    """An arm of `TABLES`."""
    rows = [DHRow(a=a, alpha=al, d=d, theta=t, q_min=-np.pi, q_max=np.pi) for a, al, d, t in TABLES[name]]
    return Model.from_dh(rows, name=name)


def public_arm(name: str) -> Model:
    """An arm of `TABLES`, or of a file by its name."""
    return from_table(name) if name in TABLES else carpal.load(name)


def wrap(angle: np.ndarray) -> np.ndarray:
    """Between -pi and pi."""
    return (angle + np.pi) % (2 * np.pi) - np.pi


def round_trip(model: Model, count: int, seed: int) -> dict[str, float]:
    """Random in-limit configurations and back: what was lost, how exact, flags and order."""
    columns = arm_class(model).axes.columns
    q = random_configurations(model, count, seed=seed)
    X = carpal.fk(model, q)
    q0 = np.asarray(model.q_home)
    result = ik_all(model, X, q0=q0)
    off = np.abs(wrap(result.q - q[:, None]))[..., columns].max(-1)
    off = np.where(np.isnan(off), np.inf, off)
    nearest, row = off.min(-1), off.argmin(-1)
    used = np.arange(result.q.shape[1]) < result.count[:, None]
    again = carpal.fk(model, result.q[used])
    inside = ((result.q >= model.q_min) & (result.q <= model.q_max)).all(-1)
    distance = np.linalg.norm((result.q - q0)[..., columns], axis=-1)
    return {
        "lost": float((nearest > 1e-5).sum()),
        "worst": float(nearest[nearest < 1].max(initial=0.0)),
        "miss": float(np.abs(again - np.repeat(X[:, None], result.q.shape[1], 1)[used]).max(initial=0.0)),
        "not flagged": float((~result.in_limits[np.arange(count), row] & (nearest <= 1e-6)).sum()),
        "wrong flag": float((inside != result.in_limits).sum()),
        "unsorted": float((np.diff(distance, axis=-1) < -1e-12).sum()),
        "most": float(result.count.max()),
        "odd": float((result.count % 2).sum()),
    }


GEN3 = [
    (0, Q, -0.2848, 0), (0, Q, -0.0118, 0), (0, Q, -0.4208, 0), (0, Q, -0.0128, 0), (0, Q, -0.3143, 0), (0, Q, 0, 0),
    (0, 2 * Q, -0.1674, 0),
]  # fmt: skip
LIMITS = (np.inf, 2.41, np.inf, 2.66, np.inf, 2.23, np.inf)


def gen3():
    """Kinova's Gen3 as its manual's table has it: the wrist meets in a point, the shoulder does not."""
    rows = [
        DHRow(a=a, alpha=al, d=d, theta=t, q_min=-limit, q_max=limit)
        for (a, al, d, t), limit in zip(GEN3, LIMITS, strict=True)
    ]
    return Model.from_dh(rows, name="gen3_table")


def seven(name):
    return gen3() if name == "gen3" else carpal.load(name)
