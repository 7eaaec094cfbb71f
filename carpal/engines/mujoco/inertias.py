"""Inertias that no solid body could have, in MuJoCo: its compiler refuses them, its dynamics do not mind.

Many published URDFs hold such bodies (moments with A + B < C, or slightly negative ones). They are compiled with the moments of a
ball and given their own afterwards, so that the equations of motion are the file's.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from carpal.model import Body, Model
from carpal.spatial import Inertia, rotation_from_wxyz, wxyz_from_rotation

ROUNDING = 1e-12  # how far A + B < C may come from rounding, relative to C


def is_solid(inertia: Inertia) -> bool:
    """Whether some solid body has these moments."""
    low, middle, high = np.linalg.eigvalsh(inertia.about_com)
    return bool(low >= -ROUNDING * high and low + middle >= high * (1 - ROUNDING))


def with_solid_inertias(model: Model) -> tuple[Model, dict[str, Inertia]]:
    """The model with balls in place of impossible inertias, and these by the names of their bodies."""
    odd: dict[str, Inertia] = {}
    bodies: list[Body] = []
    for body in model.bodies:
        inertia = body.inertia
        if inertia is not None and not is_solid(inertia):
            odd[body.name] = inertia
            ball = max(float(np.abs(inertia.about_com).max()), 1e-9) * np.eye(3)
            body = dataclasses.replace(body, inertia=Inertia(inertia.mass, inertia.com, ball))
        bodies.append(body)
    return (model.replace(bodies=tuple(bodies)), odd) if odd else (model, odd)


def restore_inertias(compiled: Any, odd: dict[str, Inertia]) -> None:
    """Give the bodies of a compiled MuJoCo model their own inertias, and what MuJoCo derives from them."""
    import mujoco

    if not odd:
        return
    for name, inertia in odd.items():
        body = mujoco.mj_name2id(compiled, mujoco.mjtObj.mjOBJ_BODY, name)
        moments, axes = np.linalg.eigh(inertia.about_com)
        axes[:, 2] *= np.sign(np.linalg.det(axes))
        R_BI = rotation_from_wxyz(compiled.body_iquat[body]) @ axes  # a ball's axes are the body's own
        compiled.body_inertia[body], compiled.body_iquat[body] = moments, wxyz_from_rotation(R_BI)
    mujoco.mj_setConst(compiled, mujoco.MjData(compiled))
