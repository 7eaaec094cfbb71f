"""The answer of `collide_bodies`: velocities after, the impulse at each contact, and where the energy went."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.engines.modal.impact_result import MODES
from carpal.engines.modal.kernels import impact, impact_islands
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class SeveralImpacts(Result):
    """Collisions at n contacts, one set or a batch; arrays are (*batch, ...).

    Args:
        law: of restitution.
        several: "simultaneous" or "sequential".
        v_before, v_after: (*batch, nv) generalised velocities.
        u_before, u_after: (*batch, n, 3) velocities of B relative to A in contact axes [m/s].
        impulse: (*batch, n, 3) on B [N s].
        contacts: (*batch, n, 4) as the kernel returns them.
        flags: (*batch) bits of `kernels/impact.py`, of all contacts together.
        energy: (*batch) [J] gained by the bodies, never above zero but for rounding.
    """

    law: str
    several: str
    v_before: Array
    v_after: Array
    u_before: Array
    u_after: Array
    impulse: Array
    contacts: Array
    flags: np.ndarray
    energy: Array

    @property
    def ok(self) -> np.ndarray:
        """(*batch) whether no contact approaches any more."""
        return (self.flags & (impact.JAMMED | impact.UNFINISHED)) == 0

    @property
    def mode(self) -> np.ndarray:
        """(*batch, n) name of each contact's mode after: free (no impulse), stick or slide."""
        return np.vectorize(MODES.get, otypes=[object])(self.contacts[..., impact_islands.MODE].astype(int))

    @property
    def normal_work(self) -> Array:
        """(*batch, n) [J] done by each normal impulse."""
        return self.contacts[..., impact_islands.NORMAL_WORK]

    @property
    def friction_work(self) -> Array:
        """(*batch, n) [J] done by friction at each contact."""
        return self.contacts[..., impact_islands.FRICTION_WORK]

    @property
    def clamped(self) -> np.ndarray:
        """(*batch) whether the law would have gained energy and was cut to the energy-neutral impulses."""
        return (self.flags & impact.CLAMPED) != 0

    @property
    def status(self) -> str:
        """One true sentence."""
        n = self.mode.shape[-1]
        hit = (self.impulse[..., 2] > 0).sum(axis=-1)
        cut = ", cut to the energy-neutral impulses" if np.any(self.clamped) else ""
        if self.ok.ndim:
            return (
                f"{int(self.ok.sum())} of {self.ok.size} sets of {n} contacts collided, {self.several}; "
                f"{abs(float(self.energy.sum())):.4g} J lost{cut}."
            )
        if not self.ok:
            return (
                f"contacts still approach at up to {-float(self.u_after[..., 2].min()):.3g} m/s: no impulse stops them."
            )
        return (
            f"{int(hit)} of {n} contacts took impulses, {self.several}: the largest {self.impulse[..., 2].max():.3g} N s; "
            f"{abs(float(self.energy)):.3g} J lost{cut}."
        )
