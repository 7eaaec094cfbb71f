"""One small scene, its prepared tables and a slot of scratch for tests of the planners' kernels. Needs numpy and carpal."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
from planning_scenes import boxes_and_spheres, free_pairs

from carpal.contact import CollisionChecker, collision_checker
from carpal.kinematics.kernels.closure import Closure
from carpal.kinematics.kernels.placement import COLUMNS
from carpal.model.kernels.constraint_tables import ConstraintTables
from carpal.planning.payload.kernels.angle_set import CELLS as ANGLES
from carpal.planning.payload.kernels.angle_set import ROWS
from carpal.planning.payload.kernels.stored_set import STORED
from carpal.planning.planners.kernels import search_state as state
from carpal.planning.planners.kernels.density import CELLS


@functools.lru_cache(maxsize=1)
def scene_checker() -> CollisionChecker:
    """The 7-joint arm among boxes and spheres."""
    return collision_checker(boxes_and_spheres(0))


@functools.lru_cache(maxsize=1)
def scene_pairs() -> tuple[np.ndarray, np.ndarray]:
    """60 free starts and goals."""
    return free_pairs(boxes_and_spheres(0), 60)


def edge_samples(a: np.ndarray, b: np.ndarray, step: float) -> np.ndarray:
    """Configurations (n, nq) along a straight edge, no joint further than a step from one to the next."""
    n = max(1, int(np.ceil(np.abs(b - a).max() / step)))
    return a + np.linspace(0, 1, n + 1)[:, None] * (b - a)


def path_samples(path: np.ndarray, step: float) -> np.ndarray:
    """The same along all edges of a path."""
    return np.vstack([edge_samples(a, b, step) for a, b in itertools.pairwise(path)])


@functools.lru_cache(maxsize=1)
def _mujoco():
    import mujoco

    model = mujoco.MjModel.from_xml_string(boxes_and_spheres(0).to_mjcf())
    return mujoco, model, mujoco.MjData(model)


def deepest_by_mujoco(q: np.ndarray) -> float:
    """How deep [m] MuJoCo sees anything overlap at any of the configurations (n, nq); 0 where nothing does."""
    mujoco, model, data = _mujoco()
    worst = 0.0
    for row in q:
        data.qpos[:] = row
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        for contact in data.contact[: data.ncon]:
            worst = max(worst, -contact.dist)
    return worst


def no_ties(nq: int, tables: Any = None) -> state.Ties:
    """Of a model without couplings and loops; `tables` of its kernels, none by default."""
    rows = np.zeros(0, np.int64)
    constraints = ConstraintTables(np.zeros((0, 14)), np.zeros((0, 28)), np.zeros((0, 1), np.int64), rows, rows)
    joints, bodies = (
        (np.zeros((1, 4), np.int64), np.zeros((1, 26))) if tables is None else (tables.joints, tables.bodies)
    )
    shapes = (nq,), (1,), (1,), (1, nq), (1, 1), (1,), (len(joints), COLUMNS)
    closing = Closure(*(np.zeros((1, *shape)) for shape in shapes))
    return state.Ties(joints, bodies, constraints, np.ones(nq), np.zeros((1, nq)), closing)


def empty_search(nq: int, capacity: int = 400) -> tuple[state.Space, state.Search]:
    """A search without a scene: for kernels that only handle trees. Joints from 0 to 1, slot 0."""
    space = state.Space(np.zeros(nq), np.ones(nq), np.ones(nq), np.full(state.NUMBERS, 0.3), no_ties(nq))
    arrays = (
        (capacity, nq),
        (capacity, state.LINKS),
        (4, CELLS),
        (capacity,),
        (state.COUNTS,),
        (nq,),
        (1, 1),
        (1, 1),
        (2, 1),
        (capacity, STORED),
        (ROWS, ANGLES),
        (1,),
    )
    return space, state.Search(*(np.zeros((1, *shape)) for shape in arrays))


def grow_random_trees(search: state.Search, count: int, seed: int) -> None:
    """Node 0 and 1 as roots, then nodes at random places with random parents of their tree."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        search.q[0] = rng.uniform(size=search.q.shape[1])
        tree = i if i < 2 else int(rng.integers(2))
        own = [k for k in range(i) if search.links[0, k, state.TREE] == tree]
        parent = -1 if i < 2 else int(rng.choice(own))
        state.add_node(search, tree, parent, float(rng.uniform(0.1, 1)), 0)
        search.links[0, i, state.LEVEL] = float(rng.integers(5))
