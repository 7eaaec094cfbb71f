"""A body's inertia as MuJoCo accepts it: principal axes, nothing below its least, no rounding against A + B >= C."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.errors import ModelError
from carpal.model.parts import Body
from carpal.model.serialise import inertia_out
from carpal.spatial import POINT_INERTIA, Array, Inertia, wxyz_from_rotation

LEAST = 1e-15  # MuJoCo refuses moving bodies whose mass or inertia is not above it
ROUNDING = 1e-12  # how far A + B < C may come from rounding, relative to C


def principal(inertia: Inertia) -> tuple[Array, Array]:
    """Principal moments (3), ascending, and the rotation (3, 3) whose columns are their axes."""
    about_com = inertia.about_com
    if not (about_com - np.diag(np.diagonal(about_com))).any():
        return np.array(np.diagonal(about_com)), np.eye(3)  # already principal: no digit is touched
    try:
        moments, axes = np.linalg.eigh(about_com)
    except np.linalg.LinAlgError:
        raise ModelError(
            f"the inertia {about_com.tolist()} has no principal axes: its numbers are too large."
        ) from None
    if np.linalg.det(axes) < 0:
        axes[:, 2] *= -1.0
    return moments, axes


def inertial_of(body: Body, welded: list[Body]) -> tuple[dict[str, Any] | None, str, dict[str, Any]]:
    """MJCF's <inertial> of a body.

    Args:
        body: the body.
        welded: the bodies fixed to it.

    Returns:
        The element's attributes (None: no element), a comment, and the extras that restore the true inertia.
    """
    true = body.inertia
    inertia = true or Inertia.nothing()
    moments, axes = principal(inertia)
    exact: dict[str, Any] = {"inertia": None} if true is None else {}
    comment = "inertia unknown" if true is None else ""
    low, middle, high = np.sort(moments)
    if low < -ROUNDING * high or low + middle < high * (1 - ROUNDING):
        raise ModelError(
            f"body '{body.name}' has an inertia that no solid body could have (principal moments {low:.6g}, "
            f"{middle:.6g}, {high:.6g} kg m^2: the largest is above the sum of the others), which MuJoCo refuses."
        )
    mass, written = inertia.mass, np.maximum(moments, 0.0)
    carried = any(_heavy(other) for other in welded)
    if body.joint.kind != "fixed" and not carried and not (mass > LEAST and (written > LEAST).all()):
        mass, written = max(mass, POINT_INERTIA), np.maximum(written, POINT_INERTIA)
        comment = f"{comment or 'mass or inertia too small for MuJoCo'}: at least {POINT_INERTIA} stands in its place"
    for i in range(3):  # rounding may have left C a digit above A + B
        written[i] = min(written[i], written[i - 1] + written[i - 2])
    if true is not None and (mass != inertia.mass or (written != moments).any() or (mass == 0 and inertia.com.any())):
        exact["inertia"] = inertia_out(true)
    if mass == 0 and not written.any():
        return None, comment, exact
    neutral = np.array_equal(axes, np.eye(3))
    element = {
        "pos": inertia.com,
        "quat": None if neutral else wxyz_from_rotation(axes),
        "mass": mass,
        "diaginertia": written,
    }
    return element, comment, exact


def _heavy(body: Body) -> bool:
    return body.inertia is not None and body.inertia.mass > LEAST and bool((principal(body.inertia)[0] > LEAST).all())
