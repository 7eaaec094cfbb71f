"""Rows of figures of robots' files, and configurations to measure them at; see `robot_file_checks`."""

from __future__ import annotations

import importlib.util
import os
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import carpal
from carpal.kinematics import satisfy_constraints
from carpal.model import Model

DT, SPAN = 1e-3, 0.1
MENAGERIE = "CARPAL_MENAGERIE"
"""The environment variable that names a folder of MJCF robots."""


def urdf_files() -> list[Path]:
    """Every URDF of the package example-robot-data, where it is installed."""
    spec = importlib.util.find_spec("cmeel")
    if spec is None or spec.origin is None:
        return []
    folder = Path(spec.origin).parents[1] / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
    return sorted(folder.rglob("*.urdf"))


def mjcf_files() -> list[Path]:
    """Every robot of the folder that CARPAL_MENAGERIE names: MJCF files with bodies, scenes left out."""
    folder = os.environ.get(MENAGERIE)
    if not folder:
        return []
    return [path for path in sorted(Path(folder).rglob("*.xml")) if _is_robot(path)]


def _is_robot(path: Path) -> bool:
    if path.stem.startswith("scene"):
        return False
    try:
        root = ET.parse(path).getroot()
    except ET.ParseError:
        return False
    return root.tag == "mujoco" and root.find("worldbody/body") is not None


@dataclass
class Row:
    """One file: figures by name; a figure that could not be taken is a sentence."""

    file: str
    loaded: str = "yes"
    joints: int = 0
    warned: int = 0
    figures: dict[str, float | str] = field(default_factory=dict)

    def take(self, name: str, measure: Any) -> None:
        """Note what `measure()` returns, or why it failed."""
        try:
            self.figures[name] = measure()
        except Exception as error:
            self.figures[name] = f"{type(error).__name__}: {str(error).splitlines()[0][:200] if str(error) else ''}"


def relative(ours: Any, theirs: Any) -> float:
    """Largest difference over the largest number, which counts as at least 1."""
    a, b = np.asarray(ours, float), np.asarray(theirs, float)
    if a.shape != b.shape:
        raise ValueError(f"shapes {a.shape} and {b.shape} differ")
    return float(np.abs(a - b).max() / max(1.0, np.abs(b).max())) if a.size else 0.0


def differing(ours: Any, theirs: Any) -> float:
    """How many limits differ by over 1e-9; infinite ones are equal."""
    a, b = np.asarray(ours, float), np.asarray(theirs, float)
    same = (a == b) | (np.abs(a - b) <= 1e-9 * np.maximum(1.0, np.abs(b)))
    return float((~same).sum())


def some_q(model: Model, rng: np.random.Generator) -> np.ndarray:
    """A configuration within the limits (within 1 of home where there are none), free and ball joints turned at random."""
    q = np.array(model.q_home)
    for kind, i in model.joint_slices():
        if kind in ("ball", "free"):
            n = 4 if kind == "ball" else 7
            wxyz = rng.normal(size=4)
            q[i + n - 4 : i + n] = wxyz / np.linalg.norm(wxyz)
            q[i : i + n - 4] += rng.uniform(-1, 1, n - 4)
        else:
            low, high = max(model.q_min[i], q[i] - 1.0), min(model.q_max[i], q[i] + 1.0)
            q[i] = rng.uniform(min(low, high), max(low, high))
    return q


def ik_error(model: Model, rng: np.random.Generator) -> float:
    """Distance [m] that `ik` leaves at the default tool, for the pose of a configuration near home that the model allows."""
    home, other = np.array(model.q_home), some_q(model, rng)
    for kind, i in model.joint_slices():
        if kind in ("ball", "free"):
            n = 4 if kind == "ball" else 7
            other[i : i + n] = home[i : i + n]
    for share in (0.2, -0.2, 0.05, -0.05, 0.0):
        near = home + share * (other - home)
        if model.couplings or model.loops:
            near = satisfy_constraints(model, near).q
        if ((near >= model.q_min) & (near <= model.q_max)).all():
            break
    found = carpal.ik(model, carpal.fk(model, near))
    if not found:
        raise ArithmeticError(found.status)
    return float(found.position_error)


def opened(model: Model) -> Model:
    """The model without what only constraint rows hold together, and without drives."""
    return model.replace(couplings=(), loops=(), actuators=())
