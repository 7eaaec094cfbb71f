"""The answer of `single_impact`: impulse, velocity after, what the slip did on the way, and where the energy went."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.engines.modal.kernels import contact_modes, impact
from carpal.errors import InputError
from carpal.spatial import Array

LAWS = ("stronge", "poisson")
MODES = {
    contact_modes.FREE: "free",
    contact_modes.STICK: "stick",
    contact_modes.ROLL: "roll",
    contact_modes.SLIDE: "slide",
}


@dataclass(frozen=True, eq=False)
class ImpactResult(Result):
    """One collision or a batch of them; arrays are (*batch, ...).

    Args:
        law: of restitution.
        before: (*batch, 3) velocity of B relative to A before [m/s].
        mu, e: (*batch).
        numbers: (*batch, 11) as the kernel returns them.
        way: (*batch, rows, 8) way of the velocity; no rows unless it was asked for.
    """

    law: str
    before: Array
    mu: Array
    e: Array
    numbers: Array
    way: Array

    @property
    def ok(self) -> np.ndarray:
        """(*batch) whether the collision was followed to its end."""
        return (self.flags & (impact.JAMMED | impact.UNFINISHED)) == 0

    @property
    def impulse(self) -> Array:
        """(*batch, 3) on B [N s]."""
        return self.numbers[..., 0:3]

    @property
    def velocity(self) -> Array:
        """(*batch, 3) of B relative to A after [m/s]."""
        return self.numbers[..., 3:6]

    @property
    def mode(self) -> np.ndarray:
        """(*batch) name of the mode at the end: free (there was no collision), stick or slide."""
        return np.vectorize(MODES.get, otypes=[object])(self.numbers[..., 6].astype(int))

    @property
    def flags(self) -> np.ndarray:
        """(*batch) bits of `kernels/impact.py`."""
        return self.numbers[..., 7].astype(int)

    @property
    def normal_work(self) -> Array:
        """(*batch) [J] done by the normal impulse; below zero is lost."""
        return self.numbers[..., 8]

    @property
    def friction_work(self) -> Array:
        """(*batch) [J] done by friction, never above zero."""
        return self.numbers[..., 9]

    @property
    def energy(self) -> Array:
        """(*batch) [J] gained by the bodies, never above zero."""
        return self.normal_work + self.friction_work

    @property
    def stuck(self) -> np.ndarray:
        """(*batch) whether the slip stopped on the way."""
        return (self.flags & impact.STUCK) != 0

    @property
    def slipped_again(self) -> np.ndarray:
        """(*batch) whether the slip, once stopped, started again along the diverging ray."""
        return (self.flags & impact.REVERSED) != 0

    @property
    def clamped(self) -> np.ndarray:
        """(*batch) whether the law would have gained energy and was cut to the energy-neutral impulse."""
        return (self.flags & impact.CLAMPED) != 0

    @property
    def painleve(self) -> np.ndarray:
        """(*batch) whether friction pressed the bodies together at first: Painleve's paradox, resolved as an impact."""
        return (self.flags & impact.PAINLEVE) != 0

    @property
    def recompressed(self) -> np.ndarray:
        """(*batch) whether a turning slip pressed the bodies together again in restitution; that work counts too."""
        return (self.flags & impact.RECOMPRESSED) != 0

    def slip_path(self, index: tuple[int, ...] = ()) -> Array:
        """(rows, 8) way of one collision: impulse (3) [N s], velocity (3) [m/s], normal work [J], 1 while it slides."""
        if self.way.shape[-2] == 0:
            raise InputError("the way of this collision was not kept; ask for it with single_impact(..., path=True).")
        rows = int(self.numbers[index][..., 10])
        return self.way[index][:rows]

    @property
    def status(self) -> str:
        """One true sentence; of a batch, how many did what."""
        if self.ok.ndim == 0:
            return self._explain(())
        count = self.ok.size
        modes = {name: int((self.mode == name).sum()) for name in ("slide", "stick", "free")}
        text = ", ".join(f"{number} {name}" for name, number in modes.items() if number)
        text = (
            f"{int(self.ok.sum())} of {count} collisions followed to their end: {text}; {-self.energy.sum():.4g} J lost"
        )
        if self.clamped.any():
            text += f", {int(self.clamped.sum())} cut to the energy-neutral impulse"
        return text + "."

    def _explain(self, index: tuple[int, ...]) -> str:
        flags, mode = int(self.flags[index]), str(self.mode[index])
        u, before = self.velocity[index], self.before[index]
        if flags & impact.JAMMED:
            return "no impulse can stop this approach: the bodies cannot move along any direction that friction allows."
        if flags & impact.UNFINISHED:
            return f"not finished after {impact.STEPS} steps; the normal speed is still {u[2]:.4g} m/s."
        if mode == "free":
            return f"no collision: the bodies do not approach (normal speed {before[2]:.4g} m/s)."
        slip = float(np.hypot(before[0], before[1]))
        if flags & impact.REVERSED:
            way = (
                f"the slip of {slip:.3g} m/s stops and starts again at {self._turn(index):.0f} degrees to where it went"
            )
        elif flags & impact.STUCK:
            way = f"the slip of {slip:.3g} m/s stops, then they stick"
        elif mode == "stick":
            way = "they stick from the start"
        elif slip > 0.0:
            way = f"they slide all the way, turning by {self._turn(index):.0f} degrees"
        else:
            way = "a slip starts at once"
        extra = "friction pressed them together at first (Painleve); " if flags & impact.PAINLEVE else ""
        extra += "cut to the energy-neutral impulse; " if flags & impact.CLAMPED else ""
        return (
            f"the bodies part at {max(u[2], 0.0):.3g} m/s: {way}; {extra}"
            f"{np.linalg.norm(self.impulse[index]):.3g} N s, {max(-self.energy[index], 0.0):.3g} J lost."
        )

    def _turn(self, index: tuple[int, ...]) -> float:
        """Angle [deg] between the slip before and after."""
        a, b = self.before[index], self.velocity[index]
        return float(np.degrees(abs(np.arctan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]))))
