"""Contacts as an MJCF file says: MuJoCo's rule over the compiled file, translated to a model's exclusions and contact pairs.

MuJoCo's rule: explicit pairs always; else the masks must share a bit, the bodies must not be welded to each other, not be
excluded, and not be parent and child, unless the parent is welded to the world or the file switches that filter off.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Any

import numpy as np

from carpal.model.contact_rules import Mask, own_contact_matrix
from carpal.model.model import Model

Pairs = tuple[tuple[str, str], ...]


def flag_disabled(root: ET.Element, flag: str) -> bool:
    """Whether a file switches one of MuJoCo's flags off; the last word counts."""
    said = [element.get(flag) for element in root.findall("option/flag") if element.get(flag) is not None]
    return bool(said) and said[-1] == "disable"


def paired_geoms(compiled: Any) -> list[tuple[int, int]]:
    """The explicit contact pairs, as geom ids."""
    return [(int(a), int(b)) for a, b in zip(compiled.pair_geom1, compiled.pair_geom2, strict=True)]


def mujoco_matrix(compiled: Any, geoms: Sequence[int], *, filter_parents: bool) -> Mask:
    """Which of the geoms MuJoCo lets touch which.

    Args:
        compiled: the `MjModel`.
        geoms: geom ids (n); one may stand there twice.
        filter_parents: whether parent and child do not touch (MuJoCo's flag `filterparent`).
    """
    ids = np.array(geoms, np.intp)
    body = compiled.geom_bodyid[ids]
    weld = compiled.body_weldid[body]
    above = compiled.body_weldid[compiled.body_parentid[weld]]
    one_way = (compiled.geom_contype[ids][:, None] & compiled.geom_conaffinity[ids][None, :]) != 0
    may = (one_way | one_way.T) & (weld[:, None] != weld[None, :])
    if filter_parents:
        child = (above[:, None] == weld[None, :]) & (weld[:, None] != 0) & (weld[None, :] != 0)
        may &= ~(child | child.T)
    for signature in compiled.exclude_signature:
        first, second = body == int(signature) >> 16, body == int(signature) & 0xFFFF
        between = first[:, None] & second[None, :]
        may &= ~(between | between.T)
    for a, b in paired_geoms(compiled):
        between = (ids == a)[:, None] & (ids == b)[None, :]
        may |= between | between.T
    return np.asarray(may)


def with_file_contacts(model: Model, may: Mask, excluded: Pairs, paired: Pairs) -> Model:
    """The model with the exclusions and contact pairs that make its own rule agree with the file's.

    Args:
        model: with its shapes.
        may: (n, n), which of them may touch in the file.
        excluded: pairs of bodies that the file excludes by name.
        paired: pairs of shapes that the file pairs by name.
    """
    model = model.replace(exclusions=excluded, contact_pairs=())
    shapes = model.shapes
    if not shapes:
        return model
    rows = np.array([0 if shape.body is None else model.tables.body_rows[shape.body][0] for shape in shapes])
    moving = rows[:, None] != rows[None, :]
    ours = own_contact_matrix(model, shapes)
    whole: dict[tuple[str, str], None] = {}
    single: list[tuple[str, str]] = []
    owners = np.array([shape.body or "" for shape in shapes], object)
    for a, b in np.argwhere(np.triu(ours & ~may, 1)):
        first, second = owners[a], owners[b]
        if first and second and not may[np.ix_(owners == first, owners == second)].any():
            whole[first, second] = None
        else:
            single.append((shapes[a].name, shapes[b].name))
    more = [(shapes[a].name, shapes[b].name) for a, b in np.argwhere(np.triu(may & ~ours & moving, 1))]
    known = {frozenset(pair) for pair in excluded}
    again = [pair for pair in whole if frozenset(pair) not in known]
    return model.replace(
        exclusions=(*excluded, *again, *single),
        contact_pairs=tuple({frozenset(pair): pair for pair in (*paired, *more)}.values()),
    )
