"""Joints of a chain that couplings or loops tie to others: what a search over that chain must respect."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.kinematics.constraints import satisfy_constraints
from carpal.model import NQ, Model, need_model
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class TiedChain:
    """The joints that count for a frame whose chain is tied.

    Args:
        names: joints of the chain that take part in couplings or loops.
        free: rows of the independent joints of the chain and of what it is tied to.
        checked: (n, 2) index in q and in v of the dependent revolute and prismatic joints among them.
        moved: indices in q of all of them.
    """

    names: tuple[str, ...]
    free: np.ndarray
    checked: np.ndarray
    moved: np.ndarray


def tied_groups(model: Model) -> list[set[str]]:
    """Sets of joints that couplings and loops tie together."""
    need_model(model, "tied_groups")
    groups: list[set[str]] = []
    sets = [{name for name in (c.follower, c.leader) if name is not None} for c in model.couplings]
    sets += [{model.joint_names[row - 1] for row in np.flatnonzero(_apart(sides))} for sides in _sides(model)]
    for joints in sets:
        apart = [group for group in groups if not group & joints]
        groups = [*apart, joints.union(*(group for group in groups if group & joints))]
    return groups


def _sides(model: Model) -> np.ndarray:
    return np.asarray(model.constraint_tables.sides) if model.loops else np.zeros((0, 1), np.int64)


def _apart(sides: np.ndarray) -> np.ndarray:
    """Joints that move one of a loop's bodies and not the other."""
    return np.asarray((sides == 1) | (sides == 2))


@functools.lru_cache(maxsize=256)
def tied_chain(model: Model, frame: str | None = None) -> TiedChain | None:
    """What ties the joints between the world and a frame (None: the tool), or None where nothing does."""
    if not model.is_constrained:
        return None
    chain = {model.joint_names[row - 1] for row in model.tables.chains[model.frame_index(frame)]}
    groups = [group for group in tied_groups(model) if group & chain]
    if not groups:
        return None
    tied = set().union(*groups)
    rows = {name: row for row, name in enumerate(model.joint_names, 1)}
    count = [name for name in model.joint_names if name in chain | tied]
    dependent = set(model.dependent_joints)
    kinds = {name: kind for (kind, _), name in zip(model.joint_slices(), model.joint_names, strict=True)}
    checked = [
        (model.q_index(name), model.v_index(name)) for name in count if name in dependent and NQ[kinds[name]] == 1
    ]
    moved = [model.q_index(name) + k for name in count for k in range(NQ[kinds[name]])]
    return TiedChain(
        tuple(name for name in count if name in chain & tied),
        np.array([rows[name] for name in count if name not in dependent], np.int64),
        np.array(checked, np.int64).reshape(-1, 2),
        np.array(moved, np.int64),
    )


@functools.lru_cache(maxsize=64)
def satisfied_home(model: Model) -> Array:
    """(nq) the home configuration, with dependent joints where couplings and loops have them."""
    return np.array(model.assembled().q_home)


def satisfied_start(model: Model, q0: object) -> Array:
    """Start configurations (*batch, nq) with dependent joints where couplings and loops have them, or one clear sentence."""
    result = satisfy_constraints(model, q0)  # type: ignore[arg-type]
    if not np.all(result.ok):
        raise InputError(f"q0 of model '{model.name}' cannot be used: {result.status}")
    return result.q
