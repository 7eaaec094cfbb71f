"""Collision-free motions between handshapes: order of the fingers, each path verified between samples.

A path is a polyline in the hand's commands. The direct one is tried first; where fingers would collide, the thumb moves first or
last, or out and back, and crossed fingers are uncrossed before the others move. A path is accepted if
the clearance at every sample exceeds what any two parts can approach each other before the next one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.contact import CollisionChecker
from carpal.kinematics import fk
from carpal.labs.sign.hand.sign_hand import SignHand
from carpal.spatial import Array

MEETING = 0.6
"""Share of the clearance at a path's ends that the path keeps, where that is less than what other paths keep."""
SAMPLE_STEP, FINER = 0.012, 4
"""[rad] largest joint motion between two samples; and how often it is halved to verify a path."""


@dataclass(frozen=True, eq=False)
class HandMove(Result):
    """A path from one handshape to another.

    Args:
        ok: whether it is verified collision-free.
        status: one true sentence.
        path: (k, n) commands, legs straight between them.
        distance: [m] of the nearest two parts, at the samples.
        proven: [m] lower bound of all distances, also between samples.
        how: which order of the fingers it is.
    """

    ok: bool
    status: str
    path: Array
    distance: float
    proven: float
    how: str


class HandMover:
    """Finds paths between handshapes of one hand, each only once.

    Args:
        hand: whose commands.
        checker: of the hand's model.
        apart: [m] clearance that must be verified along every path.
    """

    def __init__(self, hand: SignHand, checker: CollisionChecker, apart: float = 2.0e-3) -> None:
        self.hand, self.checker, self.apart = hand, checker, apart
        names = hand.commands
        self._thumb = np.array([name.startswith("thumb") for name in names])
        spreads = {drive.joint for (channel, _), drive in hand.driver.others.items() if channel == "spread"}
        self._spread = np.array([name in spreads for name in names])
        self._rest = np.clip(np.zeros(len(names)), hand.low, hand.high)
        for drive in hand.driver.others.values():
            self._rest[names.index(drive.joint)] = drive.angle(0.0)
        for how in hand.driver.bend.values():
            for drive in (one for part in how if not isinstance(part, str) for one in part):
                self._rest[names.index(drive.joint)] = drive.angle(0.0)
        self._reach = _reach(hand)
        self._kept: dict[tuple[bytes, bytes], HandMove] = {}
        self._before: dict[bytes, Array] = {}

    @property
    def rest(self) -> Array:
        """(n) commands of the open hand."""
        return self._rest.copy()

    def meets(self, closed: Array, near: Array) -> None:
        """Enter and leave a handshape whose fingertips meet by way of the one before they do."""
        if not np.array_equal(closed, near):
            self._before[closed.tobytes()] = near

    def _orders(self, a: Array, b: Array) -> Iterator[tuple[str, list[Array]]]:
        thumb, spread, rest = self._thumb, self._spread, self._rest
        pick = np.where
        yield "all at once", [a, b]
        yield "thumb last", [a, pick(thumb, a, b), b]
        yield "thumb first", [a, pick(thumb, b, a), b]
        away = [pick(thumb, rest, a), pick(thumb, rest, b)]
        yield "thumb out of the way", [a, *away, b]
        flat = [pick(spread, rest, away[0]), pick(spread, rest, away[1])]
        yield "thumb away, fingers together", [a, away[0], *flat, away[1], b]
        yield "by the open hand", [a, away[0], flat[0], rest, flat[1], away[1], b]

    def move(self, a: Array, b: Array) -> HandMove:
        """The path of the first order of fingers that is verified, or the one with the largest clearance."""
        key = (a.tobytes(), b.tobytes())
        if key not in self._kept:
            best: HandMove | None = None
            near_a, near_b = self._before.get(a.tobytes(), a), self._before.get(b.tobytes(), b)
            orders = list(self._orders(a, b))
            if near_a is not a or near_b is not b:
                orders = [(how, [a, *points, b]) for how, points in self._orders(near_a, near_b)] + orders
            for how, points in orders:
                move = self._tried(how, np.array(points))
                if best is None or move.ok or move.proven > best.proven:
                    best = move
                if move:
                    break
            assert best is not None  # the direct path is always tried
            self._kept[key] = best if best else self._by_rest(a, b, best)
        return self._kept[key]

    def opening(self, a: Array) -> HandMove:
        """From the open hand to a handshape; where there is none, the hand could neither enter nor leave it."""
        return self.move(self._rest, a)

    def _by_rest(self, a: Array, b: Array, best: HandMove) -> HandMove:
        """Out of one handshape as the hand came into it from the open hand, and from there into the other."""
        rest = self._rest
        if np.array_equal(a, rest) or np.array_equal(b, rest):
            return best
        out, into = self.move(rest, a), self.move(rest, b)
        if not (out and into):
            return best
        path = np.vstack([out.path[::-1], into.path[1:]])
        least, proven = min(out.distance, into.distance), min(out.proven, into.proven)
        return HandMove(True, f"by the open hand, {1e3 * least:.2f} mm apart.", path, least, proven, "by the open hand")

    def _tried(self, how: str, points: Array) -> HandMove:
        keep = np.append(True, np.abs(np.diff(points, axis=0)).max(1) > 1e-12)
        points = points[keep] if keep.sum() > 1 else points[[0, -1]]
        for level in range(FINER):
            move = self._checked(how, points, SAMPLE_STEP / 2**level)
            if move or move.distance <= self._least(points):
                break
        return move

    def _least(self, points: Array) -> float:
        """[m] that a path must keep: less where a handshape at its ends has fingertips that meet."""
        ends = float(np.min(self.checker.distance(self.hand.joints(points[[0, -1]])).distance))
        return self.apart if ends > self.apart else MEETING * ends

    def _checked(self, how: str, points: Array, step: float) -> HandMove:
        q = self.hand.joints(dense_commands(self.hand, points, step))
        found = self.checker.distance(q)
        # between two samples a part moves at most by its joints' turns times their reach; in the worst case the two fastest
        # approach each other for half of the step and separate again
        moved = np.sort(np.abs(np.diff(q, axis=0)) @ self._reach, axis=1)[:, -2:].sum(1)
        least = float(found.distance.min())
        d = found.distance
        proven = float((np.minimum(d[1:], d[:-1]) - 0.5 * moved).min(initial=least))
        ok = proven > self._least(points)
        where = tuple(int(i) for i in np.unravel_index(int(np.argmin(found.distance)), found.distance.shape))
        a, b = self.checker.tables.pair_names(int(found.pair[where]))
        near = f"'{a}' and '{b}' come to {1e3 * least:.2f} mm"
        status = f"{how}: {near}." if ok else f"no order of the fingers keeps them apart: at best {near} ({how})."
        return HandMove(ok, status, points, least, proven, how)


def dense_commands(hand: SignHand, points: Array, step: float = SAMPLE_STEP / 2) -> Array:
    """Commands (m, n) along straight legs between points (k, n), so near that no joint turns by more than `step` [rad]."""
    q = hand.joints(points)
    out = [points[:1]]
    for i in range(len(points) - 1):
        far = float(np.abs(q[i + 1] - q[i]).max())
        # stops and springs make a joint move faster on parts of a leg than on average
        n = max(2, int(np.ceil(1.6 * far / step)))
        share = np.arange(1, n)[:, None] / n
        out += [points[i] + share * (points[i + 1] - points[i]), points[i + 1 : i + 2]]  # the end to the last bit
    return np.concatenate(out)


def _reach(hand: SignHand) -> Array:
    """(nq, fingers) how far [m] from each joint's axis the parts of a finger are that it moves, at most: the straight hand's."""
    model, home = hand.model, hand.home
    bodies = {body.name: body for body in model.bodies}
    out = np.zeros((model.nq, len(model.extra_frames)))
    moving = {body.name for body in model.bodies if body.joint.kind != "fixed"}
    radius = max((_thickness(shape.shape, shape.body in moving) for shape in model.shapes), default=0.0)
    for k, tip in enumerate(model.extra_frames):
        end, at = fk(model, home, tip.name)[:3, 3], tip.body
        while at is not None:
            body = bodies[at]
            if body.joint.kind != "fixed":
                axis = (fk(model, home, at) @ np.linalg.inv(body.joint.X_JB))[:3, 3]
                out[model.q_index(body.joint.name), k] = float(np.linalg.norm(end - axis)) + radius
            at = body.parent
    return out


def _thickness(shape: object, moving: bool) -> float:
    """[m] by which a part may stand out beyond the line from its joint to the fingertip."""
    radius = getattr(shape, "radius", None)
    if radius is not None:
        return float(radius)
    if not moving:
        return 0.0
    points = getattr(shape, "points", None)
    if points is not None:
        return float(np.linalg.norm(points - np.mean(points, 0), axis=1).max())
    return 0.5 * float(np.linalg.norm(np.asarray(getattr(shape, "size", 0.0), float)))
