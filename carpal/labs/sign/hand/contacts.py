"""Fingertips that meet in a letter (O, F, D): brought together by the hand's own distances, everything else kept apart.

Damped least squares on the commands of the fingers that meet: their surfaces' gap, the distance of all other parts, and the
change of the handshape, which counts least. The gaps are measured between the outermost phalanges' own shapes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carpal.contact import CollisionChecker, collision_checker
from carpal.labs.sign.hand.sign_hand import SignHand
from carpal.spatial import Array

GAP = 0.9e-3
"""[m] between the surfaces of fingertips that meet: felt as closed, and above what a behaviour keeps between all parts."""
NEAR = 1e-3
"""[m] that counts as closed."""
APART = 1.5e-3
"""[m] that all other parts keep."""
ROUNDS, STARTS, DRAWN = 60, 4, 400
STEP = 1e-3
CHANGE = 2e-4
"""[m] of gap that a change of a command by its whole range counts as."""


class TipContacts:
    """Gaps between fingertips of a hand.

    Args:
        hand: whose.
        pairs: of fingers that meet.
    """

    def __init__(self, hand: SignHand, pairs: Sequence[tuple[str, str]]) -> None:
        self.hand, self.pairs = hand, tuple(pairs)
        model = hand.model
        bodies = {frame.name: frame.body for frame in model.extra_frames}
        self._tips = [tuple(bodies[f"{finger}_tip"] for finger in pair) for pair in self.pairs]
        self._gaps = [
            collision_checker(model.replace(shapes=tuple(s for s in model.shapes if s.body in tips), exclusions=()))
            for tips in self._tips
        ]
        met = tuple((str(a), str(b)) for a, b in self._tips)
        self._others: CollisionChecker = collision_checker(model.replace(exclusions=(*model.exclusions, *met)))
        fingers = {finger for pair in self.pairs for finger in pair}
        self.moving = np.array([self._of(i, fingers) for i in range(len(hand.commands))])

    def _of(self, command: int, fingers: set[str]) -> bool:
        """Whether a command moves one of the fingers."""
        driver, name = self.hand.driver, self.hand.commands[command]
        own = {f"{finger}_tendon" for finger in fingers}
        for finger, how in driver.bend.items():
            if finger in fingers:
                own |= {drive.joint for part in how if not isinstance(part, str) for drive in part}
        own |= {drive.joint for (_, finger), drive in driver.others.items() if finger in fingers}
        return name in own

    def gaps(self, commands: Array) -> Array:
        """(*batch, pairs) [m] between the tips' surfaces, negative where they overlap."""
        q = self.hand.joints(commands)
        return np.stack([np.asarray(checker.distance(q).distance) for checker in self._gaps], -1)

    def closed(self, commands: Array) -> Array | None:
        """Commands near the given ones (n) at which all pairs meet and nothing else touches; None where none are found."""
        found = [self._closed(start) for start in self._starts(commands)]
        good = [c for c in found if c is not None]
        span = self._span
        return min(good, key=lambda c: float(np.abs((c - commands) / span).sum())) if good else None

    @property
    def _span(self) -> Array:
        return np.maximum(self.hand.high - self.hand.low, 1e-9)

    def _starts(self, commands: Array) -> list[Array]:
        """The commands themselves, and drawn ones whose tips are near each other."""
        rng = np.random.default_rng(0)
        drawn = np.tile(commands, (DRAWN, 1))
        share = rng.uniform(0.0, 1.0, (DRAWN, int(self.moving.sum())))
        drawn[:, self.moving] = self.hand.low[self.moving] + share * self._span[self.moving]
        far = np.abs(self.gaps(drawn)).sum(1) + 0.01 * np.abs((drawn - commands) / self._span).sum(1)
        return [commands, *drawn[np.argsort(far)[:STARTS]]]

    def _closed(self, start: Array) -> Array | None:
        hand, moving = self.hand, self.moving
        c, span, damping = start.copy(), self._span, 1e-3
        steps = STEP * np.diag(span)[moving]
        for _ in range(ROUNDS):
            tried = np.concatenate(
                [[c], np.clip(c + steps, hand.low, hand.high), np.clip(c - steps, hand.low, hand.high)]
            )
            rows = self._residuals(tried, start)
            n = len(steps)
            width = np.abs((tried[1 : n + 1] - tried[n + 1 :])[:, moving] / span[moving]).max(1)
            slope = ((rows[1 : n + 1] - rows[n + 1 :]) / np.maximum(width, 1e-12)[:, None]).T
            step = -np.linalg.solve(slope.T @ slope + damping * 1e-4 * np.eye(n), slope.T @ rows[0])
            size = max(1.0, float(np.abs(step).max()) / 0.1)
            new = c.copy()
            new[moving] = np.clip(c[moving] + span[moving] * step / size, hand.low[moving], hand.high[moving])
            if float((self._residuals(new[None], start) ** 2).sum()) < float((rows[0] ** 2).sum()):
                c, damping = new, max(0.3 * damping, 1e-6)
            else:
                damping *= 8.0
                if damping > 1e6:
                    break
        apart = float(self._others.distance(hand.joints(c)).distance)
        gaps = self.gaps(c)
        return c if apart >= 0.9 * APART and (gaps <= NEAR).all() and (gaps >= 0.6 * GAP).all() else None

    def _residuals(self, commands: Array, start: Array) -> Array:
        """(m, pairs + 1 + moving) [mm]."""
        gaps = self.gaps(commands) - GAP
        others = np.minimum(np.asarray(self._others.distance(self.hand.joints(commands)).distance) - APART, 0.0)
        change = CHANGE * ((commands - start) / self._span)[:, self.moving]
        return 1e3 * np.concatenate([gaps, 2.0 * others[:, None], change], 1)
