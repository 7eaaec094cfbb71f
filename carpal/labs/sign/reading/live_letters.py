"""Letters from a running stream of frames: a letter is taken once when it stands, and again after the hand has left it."""

from __future__ import annotations

from collections import deque

from carpal.errors import InputError
from carpal.labs.sign.reading.frame_reader import FrameReader
from carpal.spatial import Array

DWELL, SHARE = 0.4, 0.8
"""[s] that a letter has to stand, and the share of these frames that must be read as it."""
LEFT = 0.2
"""[s] without a letter, or with another one, after which the same letter counts again."""
FEWEST = 5
"""Frames within the dwell time, at least: a slower stream decides nothing."""


class LiveLetters:
    """Decides frame by frame which letters a hand shows.

    Args:
        reader: of single frames.
        dwell: [s] that a letter has to stand.

    Example:
        >>> live = LiveLetters(frame_reader("asl"))
        >>> letter = live.feed(time, points)  # None, or a letter that has just been shown
    """

    def __init__(self, reader: FrameReader, dwell: float = DWELL) -> None:
        if not 0.05 <= dwell <= 5.0:
            raise InputError(f"the dwell time must be from 0.05 to 5 s; got {dwell:g}.")
        self.reader, self.dwell = reader, dwell
        self.frames = 0
        self._seen: deque[tuple[float, str | None]] = deque()
        self._last: str | None = None
        self._away = 0.0

    def feed(self, time: float, points: Array | None) -> str | None:
        """The letter that stands since this frame, once; None otherwise.

        Args:
            time: [s], rising.
            points: (21, 3) image landmarks; None where no hand is seen.
        """
        if self._seen and time <= self._seen[-1][0]:
            raise InputError(f"frames must come in order; {time:g} s is not after {self._seen[-1][0]:g} s.")
        letter = None if points is None else self.reader.read(points).letters[0]
        self.frames += 1
        step = time - self._seen[-1][0] if self._seen else 0.0
        self._seen.append((time, letter))
        while self._seen and time - self._seen[0][0] > self.dwell:
            self._seen.popleft()
        self._away = 0.0 if letter == self._last else self._away + min(step, self.dwell)
        if self._away >= LEFT:
            self._last = None
        count = sum(seen == letter for _, seen in self._seen)
        stands = letter is not None and count >= max(FEWEST, SHARE * len(self._seen))
        if not stands or letter == self._last or time - self._seen[0][0] < 0.9 * self.dwell:
            return None
        self._last, self._away = letter, 0.0
        return letter
