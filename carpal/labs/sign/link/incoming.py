"""State of a call at a receiver: letters in order, gaps by number, given up if they are not filled."""

from __future__ import annotations

from collections.abc import Iterable

from carpal.labs.sign.link.messages import MOST_RANGES, Ranges, ranges_of

FIRST_ASK, LONGEST_ASK = 0.03, 0.5
"""[s] from a gap's first sight until it is asked for, and between two times of asking at most, doubling in between."""

Arrived = tuple[str, str, int]
"""A letter, the alphabet that it is of, and when it was given to the line [ns]."""


class IncomingCall:
    """One call, letter by letter.

    Args:
        call: its mark.
        sender: who signs.
        now: [s] of any clock that only rises.
        played, lost: what an earlier run of this receiver has played and given up.
    """

    def __init__(
        self, call: str, sender: str, now: float, played: Iterable[int] = (), lost: Iterable[int] = ()
    ) -> None:
        self.call, self.sender = call, sender
        self.letters: dict[int, Arrived] = {}
        self.played: set[int] = set(played)
        self.lost: set[int] = set(lost)
        self.count, self.closed, self.over = 0, False, False
        self.cut = False
        self.heard = now
        self._upto = self._handed = 0
        self._gap: float | None = None
        self._asked: float | None = None
        self._patience = FIRST_ASK
        self._advance(now)

    def add(self, index: int, letter: Arrived, now: float) -> bool:
        """Take a letter; False where it is known already or comes after it was given up."""
        self.heard = now
        self.count = max(self.count, index + 1)
        new = not self._here(index)
        if new:
            self.letters[index] = letter
        self._advance(now)
        return new

    def announced(self, count: int, closed: bool, over: bool, now: float) -> None:
        """Take the sender's count of letters so far, and whether the call is complete."""
        self.heard = now
        self.count = max(self.count, count)
        self.closed, self.over = self.closed or closed, self.over or over
        self._advance(now)

    @property
    def upto(self) -> int:
        """Number of the first letter that has not come."""
        return self._upto

    @property
    def complete(self) -> bool:
        """Whether nothing more can come: the end is known or was cut off, and every letter has come or is given up."""
        return (self.closed or self.cut) and self._upto >= self.count

    def ready(self) -> list[tuple[int, Arrived]]:
        """Letters whose turn it is, in order; each is handed out once."""
        out = []
        while self._handed < self._upto:
            i = self._handed
            if i not in self.lost and i not in self.played:
                out.append((i, self.letters[i]))
            self._handed += 1
        return out

    def missing(self) -> Ranges:
        """Gaps below what the sender is known to have sent, the first ones where there are many."""
        return ranges_of((i for i in range(self._upto, self.count) if not self._here(i)), MOST_RANGES)

    def ask(self, now: float) -> Ranges:
        """The gaps that are to be asked for now; nothing while it is too early."""
        if self._gap is None or self._asked is None or now < self._asked:
            return ()
        self._patience = min(2 * self._patience, LONGEST_ASK)
        self._asked = now + self._patience
        return self.missing()

    def give_up(self, now: float, patience: float) -> bool:
        """Whether gaps are given up now: the sender was silent so long [s], or a gap was asked for in vain twice as long."""
        silent = now - self.heard > patience
        if self.complete or not (silent or (self._gap is not None and now - self._gap > 2 * patience)):
            return False
        self.cut = self.cut or (silent and not self.closed)
        self.lost.update(i for i in range(self._upto, self.count) if not self._here(i))
        self._advance(now)
        return True

    def _here(self, index: int) -> bool:
        return index in self.letters or index in self.played or index in self.lost

    def _advance(self, now: float) -> None:
        before = self._upto
        while self._here(self._upto):
            self._upto += 1
        if self._upto >= self.count:
            self._gap = self._asked = None
        elif self._gap is None or self._upto > before:
            self._gap, self._patience = now, FIRST_ASK
            self._asked = now + self._patience
