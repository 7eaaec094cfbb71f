"""A linkage as MJCF for MuJoCo: its tree, with an equality constraint that closes every cut pin again.

Pins are closed by `connect` between two sites, so the loop need not be closed at qpos 0; the key frame `home` is the start of the
stroke. A push drive and springs become tendons (`drive`, and the springs' own names).
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from carpal.model.linkage.bar_solids import need_masses
from carpal.model.linkage.closure import closure_of
from carpal.model.linkage.description import Linkage, LinkageSpring
from carpal.model.linkage.reduced import tree_model
from carpal.model.linkage.tree import Branch, branch_sign, joint_name, spanning_tree
from carpal.model.writers.xml_attributes import attributes


def mjcf_with_loops(linkage: Linkage, X_WL: ArrayLike | None = None) -> str:
    """MJCF text; X_WL (4, 4) places the linkage's frame in the world."""
    need_masses(linkage.name, linkage.bars[1:])
    linkage.curve()  # refuses what cannot move, so no cycle of slides is left: their angles would hold each other twice
    branches, cut = spanning_tree(linkage)  # keeps slides, so what is cut are pins
    loops = []
    for _, number in cut:
        pin = linkage.pins[number]
        loops.append(f"    <connect {attributes(name=pin.name, site1=pin.a, site2=pin.b)}/>")
    tendons = []
    if linkage.drive.kind == "push":
        tendons += _between("drive", *linkage.push_points())
    for spring in linkage.springs:
        tendons += _spring(linkage, branches, spring)
    extra = ["  <equality>", *loops, "  </equality>"] if loops else []
    extra += ["  <tendon>", *tendons, "  </tendon>"] if tendons else []
    text = tree_model(linkage, X_WL).to_mjcf()
    head, end, tail = text.rpartition("</mujoco>")
    return head + "\n".join([*extra, end]) + tail


def _between(name: str, a: str, b: str, **numbers: float) -> list[str]:
    return [
        f"    <spatial {attributes(name=name, **numbers)}>",
        *(f"      <site {attributes(site=place)}/>" for place in (a, b)),
        "    </spatial>",
    ]


def _spring(linkage: Linkage, branches: tuple[Branch, ...], spring: LinkageSpring) -> list[str]:
    numbers = {"stiffness": spring.stiffness, "damping": spring.damping}
    if not spring.turns:
        return _between(spring.name, spring.a, spring.b, springlength=spring.rest, **numbers)
    # the angle between two bars is a sum of tree coordinates, and of the angles that slides keep
    closure = closure_of(linkage)
    above = {branch.child: branch for branch in branches}
    weights: dict[str, float] = {}
    constant = 0.0
    for bar, sign in ((linkage.index[spring.b], 1.0), (linkage.index[spring.a], -1.0)):
        while bar:
            branch = above[bar]
            if branch.kind == "pin":
                name = joint_name(linkage, branch)
                weights[name] = weights.get(name, 0.0) + sign * branch_sign(closure, branch)
            else:
                slider, *_, angle = closure.slides[branch.number]
                constant += sign * (angle if slider == bar else -angle)
            bar = branch.parent
    rest = spring.rest - constant
    sign = -1.0 if rest < 0 else 1.0  # MuJoCo reads a rest length of -1 as "not given"
    lines = [f"    <fixed {attributes(name=spring.name, springlength=sign * rest, **numbers)}>"]
    lines += [
        f"      <joint {attributes(joint=name, coef=sign * weight)}/>" for name, weight in weights.items() if weight
    ]
    return [*lines, "    </fixed>"]
