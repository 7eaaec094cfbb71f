"""Result of a gripper motion: reached, gripped, jammed or timed out, with the force."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.labs.retrieve.gripper.kernels import gripper_run as run
from carpal.labs.retrieve.gripper.kernels import stall_rule as rule
from carpal.spatial import Array

OUTCOMES = {rule.REACHED: "reached", rule.GRIPPED: "gripped", rule.JAMMED: "jammed", rule.TIMED_OUT: "timed out"}
SERIES = {
    "time": run.S_TIME, "position": run.S_POSITION, "reading": run.S_READING, "estimate": run.S_ESTIMATE,
    "current": run.S_CURRENT, "force": run.S_FORCE, "measured_force": run.S_MEASURED, "volts": run.S_VOLTS,
    "force_limit": run.S_LIMIT,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class GripperResult(Result):
    """One motion or many; arrays have the batch's shape.

    Args:
        outcome: "reached" (at the target without a stall), "gripped" (stalled in the target zone), "jammed" (stalled under
            way) or "timed out".
        time: until the verdict [s].
        position, estimate: true and estimated position of the rod at the end [m].
        force: true force on what it presses at the end [N].
        measured_force: from the current [N].
        peak_force: largest true force on the way [N].
        excess: largest true force over the limit in use at that moment [N]; below zero when it was never reached.
        place: where it met something, as the program reckons [m].
        series: of a single motion, arrays by name, one number per sample; otherwise empty.
    """

    outcome: np.ndarray
    time: Array
    position: Array
    estimate: Array
    force: Array
    measured_force: Array
    peak_force: Array
    excess: Array
    place: Array
    series: dict[str, Array]

    @property
    def ok(self) -> np.ndarray:
        """Success as Leutenegger defines it: the target reached, or a stall in its zone."""
        return np.isin(self.outcome, ("reached", "gripped"))

    @property
    def status(self) -> str:
        """One true sentence."""
        if self.outcome.ndim:
            counts = ", ".join(f"{int((self.outcome == name).sum())} {name}" for name in OUTCOMES.values())
            return f"{self.outcome.size} motions of the gripper: {counts}."
        at = f"at {1e3 * float(self.estimate):.1f} mm after {float(self.time):.1f} s"
        return {
            "reached": f"The gripper reached its target {at} and met nothing.",
            "gripped": f"The gripper holds something {at} with about {float(self.measured_force):.0f} N.",
            "jammed": f"The gripper jammed before its target, {at}: it met something at {1e3 * float(self.place):.1f} mm and "
            f"pressed with about {float(self.measured_force):.0f} N; open it and approach again.",
            "timed out": f"The gripper neither arrived nor stalled ({at}); check its supply and its potentiometer.",
        }[str(self.outcome)]
