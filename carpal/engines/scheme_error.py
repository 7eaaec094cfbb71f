"""What a scheme of order p may miss in the energy of a run, from the run itself.

A scheme of order p integrates the power between the parts of the energy (kinetic energy of each freedom, potential energy) as
if it were a polynomial of degree p - 1 in each step. What it misses in a step of length h is of the size of h^(p+1) times the
(p+1)-th derivative of that part, which is its difference of order p + 1. Their sum over the run falls with h^p. Steps with
collisions (and, above order one, with changes of modes) end smooth pieces; they count as much as a smooth one on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from carpal.dynamics import mass_matrix
from carpal.engines.moments import Contact
from carpal.model import Model
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.engines.recording import Recording

ORDERS = {("modal", "time stepping"): 1, ("modal", "event-driven extrapolation"): 4}
"""Order of the schemes whose residual has such a bound."""
_ROWS = 128
"""Rows whose mass matrices are in memory at once."""


def scheme_bound(recording: Recording) -> float | None:
    """Largest energy residual [J] that the order of a run's scheme explains; None where nothing is known of it."""
    metadata, rows = recording.metadata, len(recording)
    order = ORDERS.get((str(metadata.get("engine")), str(metadata.get("integrator"))))
    dt = float(metadata.get("dt") or 0.0)
    if order is None or not dt > 0.0 or rows < order + 3:
        return None
    parts = energy_parts(recording.model, recording.q, recording.v, recording.energy["potential"])
    stride = max(1.0, (recording.time[-1] - recording.time[0]) / (rows - 1) / dt)
    smooth = smooth_steps(recording.contacts, rows, modes=order > 1)
    return smooth_sum(parts, smooth, order, stride)


def energy_parts(model: Model, q: Array, v: Array, potential: Array) -> Array:
    """Kinetic energy of each freedom, v_i (M v)_i / 2, and the potential energy (rows, nv + 1) [J]."""
    parts = [
        0.5 * v[k : k + _ROWS] * np.einsum("kij,kj->ki", mass_matrix(model, q[k : k + _ROWS]), v[k : k + _ROWS])
        for k in range(0, len(q), _ROWS)
    ]
    return np.column_stack([np.concatenate(parts), potential])


def smooth_steps(contacts: Sequence[Sequence[Contact]], rows: int, modes: bool) -> np.ndarray:
    """Whether each step (rows - 1) has no collision; modes: nor follows a row with other contacts or modes."""
    smooth = np.ones(rows - 1, bool)
    before: list[tuple[str, str, str]] | None = None
    for k, row in enumerate(contacts[: rows - 1]):
        smooth[k] = not any(contact.mode == "impact" for contact in row)
        if modes:
            now = sorted((contact.a, contact.b, contact.mode) for contact in row)
            smooth[k] &= before is None or now == before
            before = now
    return smooth


def smooth_sum(parts: Array, smooth: np.ndarray, order: int, stride: float = 1.0) -> float | None:
    """Sum of the differences of order + 1 over the smooth pieces; others count as much as these do on average.

    Args:
        parts: (rows, parts) [J].
        smooth: (rows - 1).
        order: of the scheme.
        stride: steps between two rows: differences over longer steps are larger by its power.
    """
    misses = np.abs(np.diff(parts, n=order + 1, axis=0)).sum(axis=1)
    whole = np.asarray(np.lib.stride_tricks.sliding_window_view(smooth, order + 1).all(axis=1))
    if not whole.any():
        return None
    return float(misses[whole].mean() * len(whole) / stride**order)
