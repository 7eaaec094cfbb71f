"""Why a straight tool line cannot be followed: the place, and the joint that stops it."""

from __future__ import annotations

from dataclasses import dataclass

from carpal.errors import UnreachableError
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class LineEnd:
    """Where following a line from one posture ended.

    Args:
        waypoint: the line's leg leads from this waypoint to the next (a chamfer counts to the waypoint that it cuts).
        share: of that straight stretch, 0 to 1.
        target: (12) the place: rotation row by row (or direction and zeros) and position [m].
        beyond: (12) the end of that straight stretch.
        joint: the joint that a limit stops; None where the next place is out of reach, or the arm is singular.
        q: (nq) the configuration there.
    """

    waypoint: int
    share: float
    target: Array
    beyond: Array
    joint: str | None
    q: Array


class LineRefusedError(UnreachableError):
    """A tool line that no posture follows.

    Attributes:
        waypoint: the leg from this waypoint to the next is lost; of the posture that came furthest.
        point: (3) where on it [m].
        joint: the joint that a limit stops, or None where the place is out of reach or singular.
        ends: where each posture that was tried at the start came to; empty where none reaches the first waypoint.
    """

    waypoint: int = 0
    point: Array | None = None
    joint: str | None = None
    ends: tuple[LineEnd, ...] = ()


def refused_start(point: Array) -> LineRefusedError:
    """No posture reaches the first waypoint."""
    where = ", ".join(f"{x:.4g}" for x in point)
    error = LineRefusedError(
        f"the tool cannot start at ({where}) m: no posture inside the limits reaches it; move the first waypoint."
    )
    error.point = point
    return error


def refused_line(ends: list[LineEnd]) -> LineRefusedError:
    """Postures reach the first waypoint, but none follows the lines."""
    best = max(ends, key=lambda end: end.waypoint + end.share)
    point = best.target[9:]
    where = ", ".join(f"{x:.4g}" for x in point)
    what = (
        f"joint '{best.joint}' comes to its limit"
        if best.joint is not None
        else "the next place is out of reach from there, or the arm is singular"
    )
    postures = f" (the best of {len(ends)} postures at the start)" if len(ends) > 1 else ""
    error = LineRefusedError(
        f"the tool cannot follow its line beyond ({where}) m, between waypoints {best.waypoint} and "
        f"{best.waypoint + 1}: {what}{postures}; another start posture, or a waypoint between, may help."
    )
    error.waypoint, error.point, error.joint, error.ends = best.waypoint, point, best.joint, tuple(ends)
    return error
