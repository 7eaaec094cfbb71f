"""Trajectories as files: NumPy's .npz, which keeps every bit and holds no code."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from carpal.errors import CarpalError, InputError
from carpal.planning.trajectories.trajectory import Trajectory

FORMAT = "carpal trajectory 1"


def save_trajectory(trajectory: Trajectory, file: str | os.PathLike[str]) -> Path:
    """Write a trajectory; the folder is made."""
    path = Path(file)
    if path.suffix != ".npz":
        raise InputError(f"a trajectory is saved as a .npz file; got '{path}'.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as out:
            np.savez(
                out, format=np.array(FORMAT), times=trajectory.times, coefficients=trajectory.coefficients,
                joint_names=np.array(trajectory.joint_names), kind=np.array(trajectory.kind), passing=trajectory.passing,
                corner_bound=trajectory.corner_bound,
            )  # fmt: skip
    except OSError as error:
        raise InputError(f"'{path}' cannot be written: {error.strerror or error}.") from None
    return path


def load_trajectory(file: str | os.PathLike[str]) -> Trajectory:
    """Read a trajectory; anything else is refused in one sentence."""
    path = Path(file)
    try:
        with np.load(path, allow_pickle=False) as data:
            if "format" not in data or str(data["format"]) != FORMAT:
                raise InputError(f"'{path}' holds no trajectory ('{FORMAT}').")
            return Trajectory(
                data["times"].astype(np.float64), data["coefficients"].astype(np.float64),
                tuple(str(name) for name in data["joint_names"]), str(data["kind"]),
                data["passing"].astype(np.float64), data["corner_bound"].astype(np.float64),
            )  # fmt: skip
    except CarpalError:
        raise
    except OSError as error:
        raise InputError(f"'{path}' cannot be read: {error.strerror or error}.") from None
    except Exception as error:  # a damaged archive raises many kinds
        raise InputError(f"'{path}' holds no trajectory: {str(error)[:120]}.") from None
