"""A robot's file in Carpal beside Pinocchio (URDF) or native MuJoCo (MJCF): what the zoo tests and their page measure.

Errors are max |a - b| / max(1, max |b|), except falls: max |a - b| [rad, m] after 0.1 s. Free falls start at `q_home` at rest,
undriven. Where two engines do not solve the same equations, the row says so instead of a number:

- rigid beside Pinocchio: RK4 of ABA with the same step; no damping, no friction, couplings and loops open on both sides.
- rigid beside MuJoCo: RK4; contacts, limits, friction loss, equalities and actuators off on both sides; springs and dampers on.
- MuJoCo engine beside native MuJoCo: everything as the file says.
- MuJoCo engine on a URDF beside Pinocchio: as the rigid engine there, without shapes.
- contacts of a URDF: pairs of links beside native MuJoCo, where it reads the file's meshes (`robot_file_contacts`).
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
from robot_file_mujoco import BesideMuJoCo
from robot_file_pinocchio import BesidePinocchio
from robot_file_rows import Row, ik_error, mjcf_files, urdf_files

import carpal

__all__ = ["Row", "check_file", "mjcf_files", "urdf_files"]


def check_file(path: Path, root: Path | None = None) -> Row:
    """All figures of one file."""
    row = Row(str(path if root is None else path.relative_to(root)))
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            model = carpal.load(path)
        except Exception as error:
            row.loaded = f"{type(error).__name__}: {error}"
            return row
    row.joints, row.warned = model.nv, len(heard)
    rng = np.random.default_rng(25)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        beside = BesidePinocchio if path.suffix == ".urdf" else BesideMuJoCo
        try:
            other = beside(path, model)
        except Exception as error:
            row.figures["oracle"] = f"{type(error).__name__}: {str(error)[:200]}"
            return row
        other.fill(row, rng)
        if model.nv:
            row.take("ik", lambda: ik_error(model, rng))
        else:
            row.figures["ik"] = "nothing moves"
    return row
