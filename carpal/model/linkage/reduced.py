"""The reduced model of a linkage: its bars as a tree `Model` whose joints all follow the one drive.

Every forward-kinematics, Jacobian and drawing function of the package then works on the digit:
`fk(model, curve.q(drive), frame)`. Points are frames named "bar.point". The tree alone does
not hold the loops: only configurations from `curve.q` do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from carpal.model.linkage.bar_solids import bar_inertia, bar_shapes, flat_pose
from carpal.model.linkage.closure import Closure, closure_of
from carpal.model.linkage.description import Linkage
from carpal.model.linkage.tree import Branch, branch_rate, branch_sign, branch_value, joint_name, spanning_tree
from carpal.model.model import Model
from carpal.model.parts import Body, Frame, Joint, checked_pose
from carpal.model.shapes import PlacedShape
from carpal.spatial import Array, inverse

if TYPE_CHECKING:
    from carpal.model.linkage.curve import DriveCurve


def tree_model(linkage: Linkage, X_WL: ArrayLike | None = None) -> Model:
    """The tree model, its home at the start of the stroke.

    Args:
        linkage: which is closed and followed first, so an impossible one is refused.
        X_WL: pose (4, 4) of the linkage's frame in the world; its z axis is every joint's axis.
    """
    placed = np.eye(4) if X_WL is None else checked_pose(X_WL, "X_WL")
    curve = linkage.curve()
    closure = closure_of(linkage)
    branches, cut = spanning_tree(linkage)
    bodies: list[Body] = []
    shapes: list[PlacedShape] = []
    for branch in branches:
        bar = linkage.bars[branch.child]
        parent = None if branch.parent == 0 else linkage.bars[branch.parent].name
        X_PJ, axis, X_JB = _joint_frames(closure, branch)
        joint = Joint(
            joint_name(linkage, branch),
            "revolute" if branch.kind == "pin" else "prismatic",
            X_PJ=placed @ X_PJ if parent is None else X_PJ,
            axis=axis,
            X_JB=X_JB,
        )
        bodies.append(Body(bar.name, parent, joint, bar_inertia(bar)))
        shapes += bar_shapes(bar, bar.name)
    frames = []
    for i, bar in enumerate(linkage.bars):
        for label, (x, y) in bar.points.items():
            X = flat_pose(x, y, 0.0)
            frames.append(Frame(f"{bar.name}.{label}", bar.name if i else None, X if i else placed @ X))
    cuts = [(linkage.pins if kind == "pin" else linkage.slides)[number].name for kind, number in cut]
    note = f"loops are cut at {', '.join(cuts)}; only configurations from curve().q(drive) close them" if cuts else ""
    phalanges = [name for name in linkage.phalanges if name != "ground"]
    return Model(
        name=linkage.name,
        bodies=tuple(bodies),
        extra_frames=tuple(frames),
        tool=phalanges[-1] if phalanges else bodies[-1].name,
        q_home=curve.q(linkage.drive.start),
        notes=(note,) if note else (),
        shapes=tuple(shapes),
    )


def _joint_frames(closure: Closure, branch: Branch) -> tuple[Array, Array, Array]:
    """X_PJ, axis and X_JB of a tree joint."""
    if branch.kind == "pin":
        a, p, _, q = closure.pins[branch.number]
        mine, theirs = (p, q) if a == branch.child else (q, p)
        axis = np.array([0.0, 0.0, branch_sign(closure, branch)])
        return flat_pose(theirs[0], theirs[1], 0.0), axis, flat_pose(-mine[0], -mine[1], 0.0)
    _, p, _, q, u, angle = closure.slides[branch.number]
    along = float(np.arctan2(u[1], u[0]))
    guide = flat_pose(q[0], q[1], along)  # the guide's line in the guiding bar: x along it
    slider = flat_pose(0.0, 0.0, angle - along) @ flat_pose(-p[0], -p[1], 0.0)  # sliding bar in that line's frame
    if branch_sign(closure, branch) > 0:
        return guide, np.array([1.0, 0.0, 0.0]), slider
    return inverse(slider), np.array([-1.0, 0.0, 0.0]), inverse(guide)


def tree_configuration(curve: DriveCurve, poses: Array) -> Array:
    """Configuration (*batch, nq) of poses (*batch, bars, 3)."""
    branches, _ = spanning_tree(curve.linkage)
    closure = closure_of(curve.linkage)
    return np.stack([branch_value(closure, branch, poses) for branch in branches], -1)


def tree_rates(curve: DriveCurve, poses: Array, rates: Array) -> Array:
    """d(q)/d(drive) (*batch, nq)."""
    branches, _ = spanning_tree(curve.linkage)
    closure = closure_of(curve.linkage)
    return np.stack([branch_rate(closure, branch, poses, rates) for branch in branches], -1)
