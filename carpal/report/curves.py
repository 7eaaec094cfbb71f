"""What a run's plots hold: curves over time, the same in the report and in the studio."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from carpal.kinematics import fk
from carpal.model import NQ, NV, Model
from carpal.report.palette import CURVES
from carpal.spatial import Array

Rows = NDArray[np.intp]
COLOURS = CURVES


JOINTS = {
    "revolute": ("", "angles", "rad", ("Joint torques", "N m")),
    "prismatic": (":slide", "positions", "m", ("Joint forces", "N")),
}
"""Kinds of joints that are drawn: end of the key, name and unit of their coordinate, name and unit of their effort."""
MOST_FREE = 4
"""Free bodies whose positions are drawn, those that go farthest: a mechanism in full coordinates is nothing but free bodies."""


@dataclass(frozen=True, eq=False)
class Chart:
    """Curves that share one axis.

    Args:
        key: short name.
        title, unit: what the axis shows.
        names: one for each curve.
        values: (rows, curves).
    """

    key: str
    title: str
    unit: str
    names: tuple[str, ...]
    values: Array


def charts(recording: Any, model: Model) -> list[Chart]:
    """The plots of a run: joints, speeds, efforts, the tool's path, free bodies, the energy ledger and its residual."""
    q = np.asarray(recording.q, float)
    found = _joint_charts(recording, model)
    if len(q) and found:
        found.append(Chart("tool", "Tool position", "m", ("x", "y", "z"), fk(model, q)[:, :3, 3]))
    free = _columns(model, ("free",))
    ways = [float(np.ptp(q[:, i : i + 3], axis=0).max(initial=0.0)) if len(q) else 0.0 for _, _, i, _ in free]
    farthest = sorted(range(len(free)), key=lambda k: -ways[k])[:MOST_FREE]
    for name, _, i, _ in (free[k] for k in sorted(farthest)):
        found.append(Chart(f"free:{name}", f"Position of {name}", "m", ("x", "y", "z"), q[:, i : i + 3]))
    energy = {name: np.asarray(values, float) for name, values in recording.energy.items()}
    ledger = [name for name in energy if name != "residual"]
    if ledger and pushed(recording):
        words = tuple(name.replace("_", " ") for name in ledger)
        found.append(Chart("energy", "Energy ledger", "J", words, np.stack([energy[name] for name in ledger], 1)))
    if "residual" in energy and pushed(recording):
        found.append(Chart("residual", "Residual of the ledger", "J", ("residual",), energy["residual"][:, None]))
    return [chart for chart in found if chart.values.size]


def _joint_charts(recording: Any, model: Model) -> list[Chart]:
    """Coordinates and speeds, then what drives the joints: an axis holds joints of one kind, so it has one unit.

    What is recorded as the input of a prescribed joint is its acceleration. Inputs that are zero all along are not drawn:
    either nothing drives the joints, or the engine does (as springs and dampers towards a set point).
    """
    q, v, u = (np.asarray(values, float) for values in (recording.q, recording.v, recording.u))
    metadata = getattr(recording, "metadata", {})
    given = set((metadata.get("engine_options") or {}).get("prescribed") or ())
    places, drives = [], []
    for kind, (key, title, unit, effort) in JOINTS.items():
        joints = _columns(model, (kind,))
        if not joints:
            continue
        names = short_names(tuple(name for name, _, _, _ in joints))
        in_q, in_v = [i for _, _, i, _ in joints], [j for _, _, _, j in joints]
        places += [
            Chart(f"q{key}", f"Joint {title}", unit, names, q[:, in_q]),
            Chart(f"v{key}", f"Joint {'speeds' if not key else 'sliding speeds'}", f"{unit}/s", names, v[:, in_v]),
        ]
        for prescribed in (False, True):
            rows = [k for k, joint in enumerate(joints) if (joint[0] in given) == prescribed]
            values = u[:, [in_v[k] for k in rows]]
            if not rows or not values.any() or not pushed(recording):
                continue
            commanded = f"Commanded {'sliding ' if key else ''}accelerations", f"{unit}/s²"
            text, of = commanded if prescribed else effort
            drives.append(Chart(f"{'a' if prescribed else 'u'}{key}", text, of, tuple(names[k] for k in rows), values))
    return sorted(places, key=lambda chart: chart.key[0] == "v") + drives


def pushed(recording: Any) -> bool:
    """Whether forces moved it; motions that are only played back have neither efforts nor energies to show."""
    return bool(getattr(recording, "metadata", {}).get("integrator") != "none")


def thinned(time: Array, values: Array, rows: int) -> Rows:
    """At most about `rows` rows: half of them evenly, half the lowest and highest of each curve in even pieces of time."""
    count = len(time)
    if count <= rows:
        return np.arange(count, dtype=np.intp)
    pieces = max(1, rows // (4 * max(1, values.shape[1])))
    keep = set(np.linspace(0, count - 1, max(2, rows // 2)).astype(int).tolist())
    edges = np.linspace(0, count, pieces + 1).astype(int)
    clean = np.nan_to_num(values)
    for low, high in itertools.pairwise(edges):
        if high > low:
            keep.update((low + clean[low:high].argmin(0)).tolist())
            keep.update((low + clean[low:high].argmax(0)).tolist())
    return np.array(sorted(keep), np.intp)


def short_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names without the robot's, where all belong to one robot: arm/j0 and arm/j1 become j0 and j1."""
    owners = {name.partition("/")[0] if "/" in name else None for name in names}
    return tuple(name.partition("/")[2] for name in names) if len(owners) == 1 and None not in owners else names


def _columns(model: Model, kinds: tuple[str, ...]) -> list[tuple[str, str, int, int]]:
    """(joint, kind, first column in q, first column in v) of the joints of these kinds."""
    found, i, j = [], 0, 0
    for body in model.bodies:
        kind = body.joint.kind
        if kind in kinds:
            found.append((body.joint.name, kind, i, j))
        i, j = i + NQ[kind], j + NV[kind]
    return found
