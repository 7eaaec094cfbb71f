"""Seeded random robots and states for the tests: same seed, same robot. Only NumPy, as on the GPU's machine."""

from __future__ import annotations

import numpy as np

from carpal.model import NQ, Body, Frame, Joint, Model
from carpal.spatial import Inertia

KINDS = ("revolute", "prismatic", "ball", "fixed")
ODDS = (0.45, 0.2, 0.15, 0.2)


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """A matrix (3, 3), uniform over the rotations: four normal numbers are a uniform quaternion (Shoemake 1992)."""
    wxyz = rng.normal(size=4)
    w, (x, y, z) = wxyz[0] / np.linalg.norm(wxyz), wxyz[1:] / np.linalg.norm(wxyz)
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + 2 * w * K + 2 * K @ K


def random_pose(rng: np.random.Generator, reach: float = 0.4) -> np.ndarray:
    """A pose turned anywhere, with a position of about `reach` [m]."""
    X = np.eye(4)
    X[:3, :3] = random_rotation(rng)
    X[:3, 3] = reach * rng.normal(size=3)
    return X


def random_inertia(rng: np.random.Generator) -> Inertia:
    """A solid box of 0.2 to 5 kg with edges of 5 to 40 cm, turned and moved: always physical."""
    mass, a, b, c = rng.uniform(0.2, 5.0), *rng.uniform(0.05, 0.4, 3) ** 2
    R = random_rotation(rng)
    about_com = R @ np.diag([b + c, a + c, a + b]) @ R.T * mass / 12
    return Inertia(mass, 0.1 * rng.normal(size=3), about_com)


def random_axis(rng: np.random.Generator) -> np.ndarray:
    """Half of the time a coordinate axis with either sign, as robots have them, else any direction."""
    if rng.random() < 0.5:
        return np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0])
    axis = rng.normal(size=3)
    return axis / np.linalg.norm(axis)


def random_joint(rng: np.random.Generator, name: str, kind: str) -> Joint:
    """A joint with random poses, axis and limits, and sometimes a rotor inertia (never on a free joint)."""
    limited = kind in ("revolute", "prismatic") and rng.random() < 0.7
    return Joint(
        name,
        kind,
        X_PJ=random_pose(rng),
        axis=random_axis(rng),
        X_JB=random_pose(rng, 0.1) if rng.random() < 0.5 else np.eye(4),
        q_min=-rng.uniform(0.5, 3.0) if limited else -np.inf,
        q_max=rng.uniform(0.5, 3.0) if limited else np.inf,
        armature=rng.uniform(0.01, 0.3) if kind not in ("free", "fixed") and rng.random() < 0.3 else 0.0,
    )


def random_tree(seed: int, *, joints: int | None = None, free: str = "root", gravity: bool = True) -> Model:
    """A branching robot with 2 to 30 joints of all kinds.

    Args:
        seed: same seed, same robot.
        joints: number of joints, the fixed ones included; 2 to 30 at random by default.
        free: where free joints may be: "root" (on the world only, all that MuJoCo can do), "anywhere" or "never".
        gravity: a random direction with 9.81 m/s^2, or none.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 31)) if joints is None else joints
    bodies: list[Body] = []
    for i in range(n):
        on_world = i == 0 or rng.random() < 0.12
        # half of the time the newest body, so that long chains come up beside bushy trees
        parent = None if on_world else bodies[-1 if rng.random() < 0.5 else rng.integers(len(bodies))].name
        kind = str(rng.choice(KINDS, p=ODDS))
        if (free == "root" and on_world and rng.random() < 0.4) or (free == "anywhere" and rng.random() < 0.2):
            kind = "free"
        if i == n - 1 and all(body.joint.kind == "fixed" for body in bodies):
            kind = "revolute"  # a robot that moves
        light = kind == "fixed" and rng.random() < 0.3
        inertia = Inertia.nothing() if light else random_inertia(rng)
        bodies.append(Body(f"body_{i}", parent, random_joint(rng, f"joint_{i}", kind), inertia))
    names = [None, *(body.name for body in bodies)]
    frames = tuple(Frame(f"frame_{k}", names[rng.integers(len(names))], random_pose(rng, 0.2)) for k in range(2))
    direction = rng.normal(size=3)
    g = 9.81 * direction / np.linalg.norm(direction) if gravity else np.zeros(3)
    return Model(name=f"tree_{seed}", bodies=tuple(bodies), extra_frames=frames, gravity=g)


def random_chain(seed: int, joints: int = 7, *, kinds: tuple[str, ...] = ("revolute", "prismatic")) -> Model:
    """An arm: one body after the other on a fixed base."""
    rng = np.random.default_rng(seed)
    bodies = [Body("base", None, random_joint(rng, "mount", "fixed"), random_inertia(rng))]
    for i in range(joints):
        joint = random_joint(rng, f"joint_{i}", str(rng.choice(kinds)))
        bodies.append(Body(f"link_{i}", bodies[-1].name, joint, random_inertia(rng)))
    return Model(name=f"chain_{seed}", bodies=tuple(bodies))


def random_q(model: Model, rng: np.random.Generator, shape: tuple[int, ...] = ()) -> np.ndarray:
    """Configurations (*shape, nq) within two radians or metres, quaternions of length one."""
    q = rng.uniform(-2.0, 2.0, (*shape, model.nq))
    for kind, first in model.joint_slices():
        if kind in ("ball", "free"):
            part = q[..., first + NQ[kind] - 4 : first + NQ[kind]]
            part[...] = rng.normal(size=part.shape)
            part /= np.linalg.norm(part, axis=-1, keepdims=True)
    return q


def random_state(
    model: Model, rng: np.random.Generator, shape: tuple[int, ...] = ()
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(q, v, vdot), each with leading axes `shape`."""
    return random_q(model, rng, shape), rng.normal(size=(*shape, model.nv)), rng.normal(size=(*shape, model.nv))


def relative_error(got: np.ndarray, expected: np.ndarray) -> float:
    """max |got - expected| / max(1, max |expected|): absolute for small numbers, relative for large ones."""
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.shape == expected.shape, f"shapes differ: {got.shape} and {expected.shape}"
    if not got.size:
        return 0.0
    worst = float(np.abs(got - expected).max() / max(1.0, np.abs(expected).max()))
    return worst if np.isfinite(worst) else np.inf
