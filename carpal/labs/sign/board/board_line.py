"""What a motor board looks like to the player, whatever wire it hangs on."""

from __future__ import annotations

import abc

from carpal.labs.sign.board.frames import Sensed
from carpal.spatial import Array


class BoardLine(abc.ABC):
    """A line to the motors of a robot.

    `lag` [s] is how far a healthy motor may be behind its set-points beyond one period; `load_unit` is what loads are in.
    """

    lag: float = 0.0
    load_unit: str = "N or N m"

    @abc.abstractmethod
    def about(self) -> Array:
        """Low, high, speed, largest load and largest temperature (5, n) of the motors."""

    @abc.abstractmethod
    def set(self, values: Array) -> Sensed:
        """Send set-points (n); what is sensed."""

    @abc.abstractmethod
    def stop(self) -> Sensed:
        """Stop all motors where they are; what is sensed."""

    @abc.abstractmethod
    def check_rate(self, motors: int, period: float) -> None:
        """Refuse a period [s] that is shorter than a cycle of so many motors."""

    @abc.abstractmethod
    def close(self) -> None:
        """Release the line."""
