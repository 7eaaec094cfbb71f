"""A model's contacts as MJCF's <contact>: what MuJoCo's own rule gets wrong is excluded by bodies, or paired by geoms.

MuJoCo excludes bodies, not geoms: where two bodies have shapes that may touch and others that may not, the bodies are
excluded and the pairs that may touch are written one by one. A pair takes its friction and softness from its geoms.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

import numpy as np

from carpal.errors import ModelError
from carpal.model.contact_rules import Mask, apart_in_tree, masks_meet, own_contact_matrix, rigid_groups
from carpal.model.model import Model
from carpal.model.shapes import PlacedShape


def contact_elements(
    model: Model, absorbed: Set[str], labels: Mapping[str, str]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Pairs of MuJoCo bodies to exclude, and pairs of geoms to list.

    Args:
        model: what is written.
        absorbed: bodies that became one of several joints of their child's MuJoCo body.
        labels: names in the file of bodies that could not keep their own.
    """
    shapes = [shape for shape in model.shapes if shape.collides]
    if not shapes:
        return [], []
    ours = own_contact_matrix(model, shapes)
    theirs = _mujoco_rule(model, shapes, absorbed)
    owners = np.array([shape.body or "" for shape in shapes], object)
    excluded: dict[tuple[str, str], None] = {}
    paired = ours & ~theirs
    for a, b in np.argwhere(np.triu(theirs & ~ours, 1)):
        first, second = sorted((owners[a], owners[b]))
        if (first, second) not in excluded:
            excluded[first, second] = None
            between = (owners == first)[:, None] & (owners == second)[None, :]
            paired |= ours & (between | between.T)

    def label(body: str) -> str:
        return labels.get(body, body) if body else "world"

    geoms = [(shapes[a].name, shapes[b].name) for a, b in np.argwhere(np.triu(paired, 1))]
    if any(not name for pair in geoms for name in pair):
        raise ModelError(
            f"model '{model.name}' has a shape without a name in a contact pair, which MJCF needs to pair it."
        )
    return [(label(a), label(b)) for a, b in excluded], geoms


def _mujoco_rule(model: Model, shapes: list[PlacedShape], absorbed: Set[str]) -> Mask:
    """What MuJoCo lets touch by masks and tree: to it, what is fixed to the world is the world, and nobody's parent."""
    group = rigid_groups(model)
    by_name = {body.name: body for body in model.bodies}

    def weld(body: str | None) -> str | None:
        lead = group[body]
        return None if lead is None or by_name[lead].joint.kind == "fixed" else lead

    near = set()
    for body in model.bodies:
        if body.joint.kind != "fixed" and body.name not in absorbed:
            parent = body.parent
            while parent is not None and parent in absorbed:
                parent = by_name[parent].parent
            if weld(parent) is not None:
                near.add(frozenset((weld(body.name), weld(parent))))
    return masks_meet(shapes) & apart_in_tree([weld(shape.body) for shape in shapes], near)
