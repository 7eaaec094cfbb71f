"""What a run's plots hold: curves over time, the same in the report and in the studio."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from carpal.kinematics import fk
from carpal.model import NQ, NV, Model
from carpal.spatial import Array

Rows = NDArray[np.intp]

COLOURS = (
    "#2b6cb0", "#dd6b20", "#2f855a", "#c53030", "#6b46c1", "#b7791f", "#0987a0", "#97266d", "#4a5568", "#7a9b1f",
)  # fmt: skip
"""Ten that stay apart on a white ground; further curves begin again."""


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
    q, v, u = (np.asarray(values, float) for values in (recording.q, recording.v, recording.u))
    joints = _columns(model, ("revolute", "prismatic"))
    kinds = {kind for _, kind, _, _ in joints}
    angle, effort = {
        frozenset({"revolute"}): ("rad", "N m"), frozenset({"prismatic"}): ("m", "N"),
    }.get(frozenset(kinds), ("rad, m", "N m, N"))  # fmt: skip
    names = short_names(tuple(name for name, _, _, _ in joints))
    in_q, in_v = [i for _, _, i, _ in joints], [j for _, _, _, j in joints]
    found = [
        Chart("q", "Joint angles" if kinds == {"revolute"} else "Joint coordinates", angle, names, q[:, in_q]),
        Chart("v", "Joint speeds", angle.replace("rad", "rad/s").replace("m", "m/s"), names, v[:, in_v]),
        Chart("u", "Joint torques" if kinds == {"revolute"} else "Joint efforts", effort, names, u[:, in_v]),
    ]
    if len(q) and joints:
        found.append(Chart("tool", "Tool position", "m", ("x", "y", "z"), fk(model, q)[:, :3, 3]))
    free = _columns(model, ("free",))
    ways = [float(np.ptp(q[:, i : i + 3], axis=0).max(initial=0.0)) if len(q) else 0.0 for _, _, i, _ in free]
    farthest = sorted(range(len(free)), key=lambda k: -ways[k])[:MOST_FREE]
    for name, _, i, _ in (free[k] for k in sorted(farthest)):
        found.append(Chart(f"free:{name}", f"Position of {name}", "m", ("x", "y", "z"), q[:, i : i + 3]))
    energy = {name: np.asarray(values, float) for name, values in recording.energy.items()}
    ledger = [name for name in energy if name != "residual"]
    if ledger:
        words = tuple(name.replace("_", " ") for name in ledger)
        found.append(Chart("energy", "Energy ledger", "J", words, np.stack([energy[name] for name in ledger], 1)))
    if "residual" in energy:
        found.append(Chart("residual", "Residual of the ledger", "J", ("residual",), energy["residual"][:, None]))
    idle = () if pushed(recording) else ("u", "energy", "residual")
    return [chart for chart in found if chart.values.size and chart.key not in idle]


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
