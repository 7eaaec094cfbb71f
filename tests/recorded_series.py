"""What a report's plots must show, computed again from the recording's file alone with NumPy: no kinematics of Carpal is used."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

Array = np.ndarray
Series = dict[str, Array]
WIDTH = {"revolute": (1, 1), "prismatic": (1, 1), "free": (7, 6), "ball": (4, 3), "fixed": (0, 0)}
DRIVEN = ("revolute", "prismatic")


class RecordedFile:
    """Columns, contacts and metadata of a recording's Parquet file."""

    def __init__(self, path: Path) -> None:
        self.table = pq.read_table(path)
        self.metadata = json.loads(self.table.schema.metadata[b"carpal"])
        self.bodies = self.metadata["model"]["bodies"]
        self.time = self.column("time")

    def column(self, name: str) -> Array:
        """One column."""
        return self.table[name].to_numpy()

    def columns(self, letter: str, joint: str) -> Array:
        """The columns (rows, n) of a joint in q, v or u."""
        start = f"{letter}:{joint}"
        names = [name for name in self.table.column_names if name == start or name.startswith(start + ":")]
        return np.stack([self.column(name) for name in names], 1)

    def joints(self, *kinds: str) -> list[str]:
        """Names of the joints of these kinds."""
        return [body["joint"]["name"] for body in self.bodies if body["joint"]["kind"] in kinds]

    def contacts(self) -> list[Any]:
        """What touches in every row, as the file holds it: collisions, stops and torsional torques are rows beside these."""
        rows: list[Any] = self.table["contacts"].to_pylist()
        return [[contact for contact in row if contact["mode"] not in ("impact", "stop", "torsion")] for row in rows]


def shown_series(html: str) -> dict[str, tuple[str, str, list[str], Array, Array]]:
    """Key to (title, unit, names, time, values (rows, curves)) of every plot of a report, in the page's own digits."""
    drawn = json.loads(re.search(r'id="curves">(.*?)</script>', html, re.DOTALL)[1])
    heads = re.findall(r'data-key="([^"]+)"><figcaption>(.*?) <span>(.*?)</span>', html)
    assert len(heads) == len(drawn)
    found = {}
    for (key, title, unit), plot in zip(heads, drawn, strict=True):
        values = np.array([[np.nan if x is None else x for x in curve] for curve in plot["curves"]], float).T
        found[key] = (title, unit, plot["names"], np.array(plot["time"], float), values)
    return found


def rows_of(file: RecordedFile, time: Array) -> Array:
    """Rows of the file at these times."""
    rows = (
        np.abs(file.time[:, None] - time[None, :]).argmin(0)
        if len(time) < 200
        else np.searchsorted(file.time, time - 1e-6)
    )
    return np.clip(rows, 0, len(file.time) - 1)


def rotation(wxyz: Array) -> Array:
    """Rotations (rows, 3, 3) of quaternions (rows, 4)."""
    w, x, y, z = (wxyz / np.linalg.norm(wxyz, axis=1, keepdims=True)).T
    return np.stack([
        np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
        np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
        np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1),
    ], -2)  # fmt: skip


def pose(R: Array, p: Array) -> Array:
    """(rows, 4, 4) of (rows, 3, 3) and (rows, 3)."""
    X = np.zeros((len(p), 4, 4))
    X[:, :3, :3], X[:, :3, 3], X[:, 3, 3] = R, p, 1.0
    return X


def turn(axis: Array, angle: Array) -> Array:
    """Rotations about an axis by Rodrigues' formula."""
    a = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + np.sin(angle)[:, None, None] * K + (1 - np.cos(angle))[:, None, None] * (K @ K)


def constant(rows12: list[float]) -> Array:
    """A pose of the metadata: three rows of four numbers."""
    return np.vstack([np.array(rows12, float).reshape(3, 4), [0, 0, 0, 1]])


def body_poses(bodies: list[Any], q_of: Callable[[str], Array], count: int) -> dict[str, Array]:
    """Poses (rows, 4, 4) of all bodies in the world."""
    found: dict[str, Array] = {}
    for body in bodies:
        joint = body["joint"]
        kind, X = joint["kind"], np.broadcast_to(np.eye(4), (count, 4, 4)).copy()
        if kind == "revolute":
            X = pose(turn(joint["axis"], q_of(joint["name"])[:, 0]), np.zeros((count, 3)))
        elif kind == "prismatic":
            X[:, :3, 3] = q_of(joint["name"]) * np.array(joint["axis"])
        elif kind == "free":
            q = q_of(joint["name"])
            X = pose(rotation(q[:, 3:]), q[:, :3])
        before = found[body["parent"]] if body["parent"] else np.eye(4)
        found[body["name"]] = before @ constant(joint["X_PJ"]) @ X @ constant(joint["X_JB"])
    return found


def tool_place(file: RecordedFile) -> Array:
    """The tool (rows, 3) [m] in the world."""
    model = file.metadata["model"]
    poses = body_poses(file.bodies, lambda joint: file.columns("q", joint), len(file.time))
    name = model["tool"]
    frame = next((f for f in model["frames"] if f["name"] == name), None)
    X = poses[name] if frame is None else poses[frame["body"]] @ constant(frame["X_BF"])
    return np.asarray(X[:, :3, 3])


def usual_series(file: RecordedFile) -> Series:
    """The plots that every run has: joints, what drives them, the tool, free bodies, energies."""
    prescribed = file.metadata["engine_options"].get("prescribed", [])
    found: Series = {}
    for kind, end in (("revolute", ""), ("prismatic", ":slide")):
        names = file.joints(kind)
        if not names:
            continue
        found[f"q{end}"] = np.hstack([file.columns("q", name) for name in names])
        found[f"v{end}"] = np.hstack([file.columns("v", name) for name in names])
        for key, some in (
            ("u", [n for n in names if n not in prescribed]),
            ("a", [n for n in names if n in prescribed]),
        ):
            if some:
                found[f"{key}{end}"] = np.hstack([file.columns("u", name) for name in some])
    if file.joints(*DRIVEN):
        found["tool"] = tool_place(file)
    for name in file.joints("free"):
        found[f"free:{name}"] = file.columns("q", name)[:, :3]
    ledger = [name for name in file.table.column_names if name.startswith("energy:")]
    found["energy"] = np.stack([file.column(name) for name in ledger if name != "energy:residual"], 1)
    found["residual"] = file.column("energy:residual")[:, None]
    return found


def force_sizes(file: RecordedFile, others: list[str], thing: str, whose: Callable[[str], str]) -> Array:
    """Sum of the sizes of the contact forces (rows, others) [N] between a thing and others."""
    out = np.zeros((len(file.time), len(others)))
    for row, contacts in enumerate(file.contacts()):
        for contact in contacts:
            if thing in (contact["a"], contact["b"]):
                other = whose(contact["a"] if contact["b"] == thing else contact["b"])
                if other in others:
                    out[row, others.index(other)] += np.linalg.norm(contact["force"])
    return out
