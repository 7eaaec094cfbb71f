"""Outcomes of a call at a receiver and at the sender, with the missing letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from carpal._core.result import Result
from carpal.labs.sign.link.messages import Ranges, ranges_text


@dataclass(frozen=True)
class Latency:
    """Of letters, from being given to the line until being handed to the player in their order.

    Args:
        count: letters.
        p50_ms, p99_ms, largest_ms: [ms]; 0 where there was none.
        values_ms: (count) in the order of the letters.
    """

    count: int
    p50_ms: float
    p99_ms: float
    largest_ms: float
    values_ms: tuple[float, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, nanoseconds: Sequence[int]) -> Latency:
        """Median, 99th percentile (the smallest value that 99 % do not exceed) and largest."""
        rows = sorted(nanoseconds)
        if not rows:
            return cls(0, 0.0, 0.0, 0.0)
        at = [rows[max(0, -(-share * len(rows) // 100) - 1)] / 1e6 for share in (50, 99, 100)]
        return cls(len(rows), at[0], at[1], at[2], tuple(i / 1e6 for i in nanoseconds))

    def __str__(self) -> str:
        return f"latency {self.p50_ms:.2f} ms (median), {self.p99_ms:.2f} ms (99 %), {self.largest_ms:.2f} ms at most"


def written(letters: Sequence[str]) -> str:
    """Letters as a text: names of more than one letter in brackets."""
    return "".join(letter if len(letter) == 1 else f"[{letter}]" for letter in letters)


@dataclass(frozen=True)
class CallOutcome(Result):
    """A call at a receiver.

    Args:
        call, sender: which.
        letters: what came, in order; "?" where a letter was given up.
        missing: numbers of those that did not come.
        cut: whether the signer fell silent before it ended the call, so that more may be missing after the last.
        over: whether the signer gave the turn away.
        discarded: (number, letter, reason) of those that came and were not shown.
        latency: of those that this run handed over.
    """

    call: str
    sender: str
    letters: tuple[str, ...]
    missing: Ranges
    cut: bool
    over: bool
    discarded: tuple[tuple[int, str, str], ...]
    latency: Latency

    @property
    def ok(self) -> bool:
        """Whether every letter came and was shown."""
        return not (self.missing or self.cut or self.discarded)

    @property
    def text(self) -> str:
        """What came; "?" for a letter that is missing."""
        return written(self.letters)

    @property
    def status(self) -> str:
        """One true sentence."""
        if not self.letters:
            return f"{self.sender} {'fell silent' if self.cut else 'hung up'}."
        lost = sum(b - a + 1 for a, b in self.missing)
        shown = self.text if len(self.text) <= 60 else f"{self.text[:57]}..."
        parts = [f"'{shown}' from {self.sender}: {len(self.letters) - lost} of {len(self.letters)} letters came"]
        if self.missing:
            parts.append(f"missing: {ranges_text(self.missing)}")
        if self.cut:
            parts.append(f"{self.sender} fell silent after letter {len(self.letters)}, its end is missing")
        if self.discarded:
            index, letter, reason = self.discarded[0]
            parts.append(f"{len(self.discarded)} not shown, the first '{letter}' ({index + 1}): {reason.rstrip('.')}")
        return "; ".join(parts) + "."


@dataclass(frozen=True)
class ReceiverReport:
    """What the signer knows of one receiver.

    Args:
        name, robot: which.
        arrived, played: letters from the first on that have come, and those that were shown.
        missing: numbers that it gave up.
        finished: whether it said that it is through with the call.
    """

    name: str
    robot: str
    arrived: int
    played: int
    missing: Ranges
    finished: bool

    def __str__(self) -> str:
        text = f"{self.name} ({self.robot}): {self.played} shown"
        if self.missing:
            text += f", missing {ranges_text(self.missing)}"
        return text if self.finished else f"{text}, silent since letter {self.arrived}"


@dataclass(frozen=True)
class SendResult(Result):
    """A call at the signer.

    Args:
        call: its mark.
        letters: what was sent.
        receivers: who was there.
    """

    call: str
    letters: tuple[str, ...]
    receivers: tuple[ReceiverReport, ...]

    @property
    def ok(self) -> bool:
        """Whether at least one receiver was there and all of them have shown everything."""
        return bool(self.receivers) and all(self._whole(r) for r in self.receivers)

    @property
    def finished(self) -> bool:
        """Whether at least one receiver was there and all of them have finished, even with letters that could not be shown."""
        return bool(self.receivers) and all(r.finished for r in self.receivers)

    def _whole(self, report: ReceiverReport) -> bool:
        return report.finished and not report.missing and report.played >= len(self.letters)

    @property
    def status(self) -> str:
        """One true sentence."""
        if not self.receivers:
            return "no receiver is connected; nothing was sent."
        good = sum(self._whole(r) for r in self.receivers)
        text = f"{len(self.letters)} letters sent, {good} of {len(self.receivers)} receivers have shown all of them"
        bad = next((r for r in self.receivers if not self._whole(r)), None)
        return f"{text}." if bad is None else f"{text}; {bad}."
