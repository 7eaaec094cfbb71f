"""Which closed form fits an arm, recognised from its joint axes and never from its name.

Offset elbow (Leutenegger 2008, the K10): five revolute joints; axes 1 and 2 meet, axes 4 and 5 meet, the tool is across axis 5.
Planar (SO-101, WidowX, youBot): five revolute joints; axes 2, 3, 4 are parallel, at right angles to axis 1 and to axis 5.
Six revolute joints: see `six_class`. SRS (Prabhu 2018): seven revolute joints; see `srs_class`.
Axes are compared at q = 0 in the world: directions within 2e-5 rad, distances within 2e-5 of the arm's length, so that a file
that writes a right angle as 1.5708 is still recognised; answers are then finished on the arm's own axes. Where the arm stands,
which way up, and what is fixed to its end changes nothing.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.kinematics.axes import ChainAxes, chain_axes
from carpal.kinematics.inverse.arm_slack import ANGLE_TOL, EXACT, LENGTH_TOL, line_angle, loose
from carpal.kinematics.tied_chain import tied_chain
from carpal.model import Model
from carpal.spatial import Array

_THIN = 1e-9  # of the arm's length: a tool this near to a line is on it
KNOWN = (
    "closed forms exist for 5 revolute joints of the K10's shape (axes 1 and 2 meet, axes 4 and 5 meet), for planar arms "
    "(pan, three parallel pitch axes, roll), for 6 revolute joints and for 7 joints with spherical shoulder, revolute elbow and "
    "spherical wrist"
)


@dataclass(frozen=True, eq=False)
class PointingArm:
    """A 5-joint arm for which (point, direction) has a closed form.

    Args:
        shape: "offset elbow", "offset elbow, tool off its line" or "planar".
        axes: the arm's axes.
        geo: the kernels' geometry.
        direction: (3) in W at q = 0: what "direction" means.
        bits: what each bit of a branch's code chooses.
        roll_offset: planar: the tool's distance from the roll axis [m].
        slack: how far the axes are from the class's shape [rad, or of the arm's length].
    """

    shape: str
    axes: ChainAxes
    geo: Array
    direction: Array
    bits: tuple[str, ...]
    roll_offset: float = 0.0
    slack: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether the axes have the class's shape but for rounding."""
        return self.slack <= EXACT


@functools.lru_cache(maxsize=256)
def arm_class(model: Model, frame: str | None = None, general: bool = True) -> Any:
    """A `PointingArm`, a `SixArm`, an `SRSGeometry`, or None where no closed form fits.

    `general` is whether six joints without structure count; how their loop is opened is found by trial, which takes a while.
    """
    axes = chain_axes(model, frame)
    if not axes.all_revolute or tied_chain(model, frame) is not None:
        return None
    if len(axes.u) == 5:
        pointing = axes.X_WF[:3, :3] @ model.tool_axis
        return _planar(axes, pointing) or _offset_elbow(axes, pointing)
    if len(axes.u) == 6:
        from carpal.kinematics.inverse.six_class import six_class

        return six_class(axes, general)
    if len(axes.u) == 7:
        from carpal.kinematics.redundant.srs_class import srs_geometry

        return srs_geometry(model, frame)
    return None


def arm_words(model: Model, frame: str | None = None) -> str:
    """What kind of arm this is, for the sentence that refuses it."""
    axes = chain_axes(model, frame)
    n = len(axes.u)
    if not n:
        return f"no joint that moves '{axes.frame}'"
    ties = tied_chain(model, frame)
    if ties is not None:
        return f"joints that couplings or loops tie ({', '.join(ties.names)})"
    if not axes.all_revolute:
        return f"{n} joints between the world and '{axes.frame}', not all of them revolute"
    if n == 6:
        return "6 revolute joints whose axes leave a freedom without effect (four parallel axes, or two in one line)"
    if n not in (5, 7):
        return f"{n} revolute joint{'s' if n > 1 else ''} between the world and '{axes.frame}'"
    size = axes.size()
    apart = [
        f"axes {i + 1} and {j + 1} pass each other at {axes.gap(i, j):.3g} m"
        for i, j in ((0, 1), (3, 4))
        if axes.gap(i, j) > LENGTH_TOL * size
    ]
    if n == 5:
        if not apart:
            return "5 revolute joints, of which axis 3 or the tool's direction leaves one without effect on the task"
        tilt = max(line_angle(axes.u[1], axes.u[2]), line_angle(axes.u[1], axes.u[3]))
        parallel = f"axes 2, 3, 4 are not parallel ({np.degrees(tilt):.3g} deg apart)"
        across = "axes 2, 3, 4 are parallel but not at right angles to axes 1 and 5"
        return f"5 revolute joints, {' and '.join(apart)}, and {parallel if tilt > ANGLE_TOL else across}"
    return "7 revolute joints that are not spherical shoulder, elbow and spherical wrist"


def _across(u: Array, v: Array) -> Array:
    return v - u * (u @ v)


def _offset_elbow(axes: ChainAxes, pointing: Array) -> PointingArm | None:
    u, size = axes.u, axes.size()
    slack = max(axes.gap(0, 1), axes.gap(3, 4)) / size
    turned = min(line_angle(u[0], u[1]), line_angle(u[3], u[4]), line_angle(u[4], pointing))
    if slack > LENGTH_TOL or turned <= 1e-3:
        return None
    shoulder, wrist = axes.meeting(0, 1), axes.meeting(3, 4)
    foot = axes.c[2] + u[2] * (u[2] @ (wrist - axes.c[2]))
    arm, upper = wrist - foot, foot - shoulder
    if min(np.linalg.norm(arm), np.linalg.norm(_across(u[2], upper))) <= 1e-6 * size:
        return None  # bending the elbow would not change the wrist's distance from the shoulder
    tool = axes.X_WF[:3, 3] - wrist
    off = float(np.linalg.norm(_across(pointing, tool)))
    geo = np.concatenate([shoulder, *u, arm, upper, pointing, tool, [loose(slack, size)]])
    if off <= _thin(slack) * size:
        return PointingArm("offset elbow", axes, geo, pointing, ("elbow", "shoulder", "wrist"), 0.0, slack)
    return PointingArm("offset elbow, tool off its line", axes, geo, pointing, ("elbow", "shoulder"), 0.0, slack)


def _thin(slack: float) -> float:
    return _THIN if slack <= EXACT else max(_THIN, 10.0 * slack)


def _planar(axes: ChainAxes, pointing: Array) -> PointingArm | None:
    u, c, size = axes.u, axes.c, axes.size()
    parallel = max(line_angle(u[1], u[2]), line_angle(u[1], u[3]))
    right = max(abs(float(u[1] @ u[0])), abs(float(u[1] @ u[4])))
    slack = max(parallel, right)
    if slack > ANGLE_TOL:
        return None
    ez, ey = u[0], _across(u[0], u[1])
    ey = ey / np.linalg.norm(ey)
    ex = np.cross(ey, ez)
    plane = lambda v: np.array([v @ ez, v @ ex])  # noqa: E731 - (z, x) of a vector
    upper, fore = plane(c[2] - c[1]), plane(c[3] - c[2])
    if min(np.linalg.norm(upper), np.linalg.norm(fore)) <= 1e-6 * size:
        return None
    T0 = axes.X_WF[:3, 3]
    foot = c[4] + u[4] * (u[4] @ (T0 - c[4]))
    sense = u[4] @ pointing
    if abs(sense) < 1 - 1e-9:  # the tool's own axis is another one: the roll axis points from the wrist to the tool
        sense = u[4] @ (foot - c[3]) + 1e-12 * size
    direction = u[4] * np.sign(sense)
    off = T0 - foot
    radius = float(np.linalg.norm(off))
    if radius <= _thin(slack) * size:
        radius, off = 0.0, np.zeros(3)
    quarter = np.cross(u[4], off)
    yzx = lambda v: np.array([v @ ey, v @ ez, v @ ex])  # noqa: E731
    d_z, d_x = plane(direction)
    geo = np.concatenate([
        c[0], ex, ey, ez, plane(c[1] - c[0]), upper, fore, np.sign([u[2] @ ey, u[3] @ ey]),
        [np.arctan2(d_x, d_z), (foot - c[0]) @ ey], plane(foot - c[3]), yzx(off), yzx(quarter),
        [radius, np.arctan2(off @ ey, quarter @ ey)],
        [np.arctan2(upper[0] * fore[1] - upper[1] * fore[0], upper @ fore), loose(slack, size)],
    ])  # fmt: skip
    return PointingArm("planar", axes, geo, direction, ("elbow", "facing", "roll"), radius, slack)
