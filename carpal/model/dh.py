"""Models from Denavit-Hartenberg rows, standard and modified.

Standard (Denavit and Hartenberg 1955; eq. 5.1 of Yesmunt 2014, 4.2 of Prabhu 2018, 4.7 of Alkire 2020):
X = Rz(theta) Tz(d) Tx(a) Rx(alpha), the joint first. Modified (Craig 1986): X = Rx(alpha) Tx(a) Rz(theta) Tz(d), the
joint last. The joint's variable is added to theta (revolute) or d (prismatic).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, unknown_name
from carpal.model.model import Model
from carpal.model.parts import Body, Frame, Joint, real_array
from carpal.spatial import Array, Inertia, pose, rotation_about

_Z, _X = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True)
class DHRow:
    """One row: lengths [m], angles [rad], what moves, and (optionally) the link's limits and mass properties.

    The inertia is given in the row's own frame, the one that the row's transform leads to.
    """

    a: float = 0.0
    alpha: float = 0.0
    d: float = 0.0
    theta: float = 0.0
    kind: str = "revolute"
    name: str = ""
    q_min: float = -np.inf
    q_max: float = np.inf
    v_max: float = np.inf
    tau_max: float = np.inf
    inertia: Inertia | None = None


def _constant_part(row: DHRow) -> tuple[Array, Array]:
    """(Rz(theta) Tz(d), Tx(a) Rx(alpha)): the two factors that commute inside themselves."""
    about_z = pose(rotation_about(_Z, row.theta), row.d * _Z)
    about_x = pose(rotation_about(_X, row.alpha), row.a * _X)
    return about_z, about_x


def model_from_dh(
    rows: Sequence[DHRow | tuple[float, ...]],
    *,
    convention: str = "standard",
    base: ArrayLike | None = None,
    tool: ArrayLike | None = None,
    base_inertia: Inertia | None = None,
    name: str = "dh",
    **model_options: Any,
) -> Model:
    """A chain of Denavit-Hartenberg rows.

    Args:
        rows: `DHRow`s, or tuples (a, alpha, d, theta) of revolute rows. Fixed rows become bodies that do not move.
        convention: "standard" or "modified".
        base: X_WB (4, 4) of the base; identity by default.
        tool: X_ET (4, 4) of the tool in the last row's frame; the model's tool frame is named "tool".
        base_inertia: mass properties of the base; massless by default when the rows have inertias.
        name: the model's name.
        model_options: further arguments of `Model`.

    Example:
        >>> Model.from_dh([DHRow(a=0.3, name="shoulder"), DHRow(a=0.2, name="elbow")])
    """
    if convention not in ("standard", "modified"):
        raise unknown_name("DH convention", convention, ("standard", "modified"))
    if not rows:
        raise InputError("a DH model needs at least one row; got none.")
    given = [row if isinstance(row, DHRow) else _row_from_tuple(row) for row in rows]
    if base_inertia is None and all(row.inertia is not None for row in given):
        base_inertia = Inertia.nothing()
    X_WB = np.eye(4) if base is None else real_array(base, "base")
    bodies = [Body("base", None, Joint("mount", "fixed", X_PJ=X_WB), base_inertia)]
    for i, row in enumerate(given, start=1):
        about_z, about_x = _constant_part(row)
        joint_name = row.name or f"joint_{i}"
        if convention == "standard":
            before, after = np.eye(4), about_z @ about_x
        else:
            before, after = about_x, about_z
        joint = Joint(
            joint_name, row.kind, X_PJ=before, X_JB=after,
            q_min=row.q_min, q_max=row.q_max, v_max=row.v_max, tau_max=row.tau_max,
        )  # fmt: skip
        bodies.append(Body(f"{joint_name}_link", bodies[-1].name, joint, row.inertia))
    frames = [Frame("tool", bodies[-1].name, np.eye(4) if tool is None else real_array(tool, "tool"))]
    return Model(name=name, bodies=tuple(bodies), extra_frames=tuple(frames), tool="tool", **model_options)


def _row_from_tuple(row: tuple[float, ...]) -> DHRow:
    if len(row) != 4:
        raise InputError(f"a DH row given as a tuple needs (a, alpha, d, theta); got {len(row)} numbers: {row}.")
    return DHRow(*row)
