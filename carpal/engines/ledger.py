"""The energy ledger of a run: what is in the bodies, what was put in, what was lost, and the residual.

residual = (kinetic + potential) - (the same at the start) - work_in + dissipated

It is zero for exact arithmetic and exact integration, so it is the first number to look at in any run.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from carpal.errors import unknown_name
from carpal.spatial import Array

LEDGER = ("kinetic", "potential", "work_in", "dissipated", "residual")
"""The ledger's entries [J], in the order of the recording's columns."""


def energy_residual(kinetic: Array, potential: Array, work_in: Array, dissipated: Array) -> Array:
    """Energy (time) [J] that is unaccounted for; the first row is the start.

    Args:
        kinetic, potential: energies (time) [J].
        work_in: work that forces put in since the start (time) [J].
        dissipated: energy that friction took since the start (time) [J].
    """
    balance = np.asarray(kinetic) + np.asarray(potential) - np.asarray(work_in) + np.asarray(dissipated)
    return balance - balance[:1]


class Ledger:
    """Energy ledger of one run, a row at a time; the first row is the start."""

    def __init__(self) -> None:
        self._start: float | None = None

    def row(self, entries: Mapping[str, float]) -> tuple[float, float, float, float, float]:
        """The five entries in the order of `LEDGER`; what is missing counts as zero, a missing residual is worked out.

        Args:
            entries: any of `LEDGER`, [J].
        """
        for name in entries:
            if name not in LEDGER:
                raise unknown_name("entry of the energy ledger", name, LEDGER)
        kinetic, potential = float(entries.get("kinetic", 0.0)), float(entries.get("potential", 0.0))
        work_in, dissipated = float(entries.get("work_in", 0.0)), float(entries.get("dissipated", 0.0))
        if self._start is None:
            self._start = kinetic + potential - work_in + dissipated
        residual = kinetic + potential - self._start - work_in + dissipated
        return kinetic, potential, work_in, dissipated, float(entries.get("residual", residual))
