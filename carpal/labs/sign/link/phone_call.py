"""A call between two ends, each sender and receiver, that sign in turns.

The end with the turn signs; its own hand rests meanwhile, and incoming messages wait. A turn ends with the last letter of the
text, announced together with the count of letters, so that the end of a turn cannot be lost.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence

from carpal.errors import InputError
from carpal.labs.sign.link.journal import PlayedJournal
from carpal.labs.sign.link.outcome import CallOutcome, SendResult
from carpal.labs.sign.link.players import Player
from carpal.labs.sign.link.receiver import LinkReceiver
from carpal.labs.sign.link.sender import LinkSender
from carpal.labs.sign.link.transport import Transport

GONE, GOODBYE = 10.0, 3.0
"""[s] of silence after which the other end is gone, and that it has to hear a farewell."""


class PhoneCall:
    """One end of a call.

    Args:
        transport: carries the messages; two ends of a room.
        token: the room's secret.
        player: shows what the other end signs.
        name: of this end; the two must differ.
        first: whether this end begins.
        room: where they meet.
        journal: of what was played.

    Example:
        >>> with PhoneCall(line, token, player, name="anna", first=True) as end:
        ...     end.say("CIAO")
        ...     print(end.listen(60.0))
    """

    def __init__(
        self, transport: Transport, token: str, player: Player, *, name: str, first: bool, room: str = "sign",
        journal: PlayedJournal | None = None,
    ) -> None:  # fmt: skip
        self.name, self._mine = name, first
        self.receiver = LinkReceiver(transport, token, player, room=room, name=name, journal=journal)
        self.sender = LinkSender(transport, token, room=room, name=name, alphabet=player.alphabet)
        self.receiver.own.add(self.sender.run)
        self.receiver.held = first
        # a room's answers reach both ends; this end must not take itself for a receiver
        self.sender.own.add(self.receiver.run)
        self._lock = threading.Lock()

    def __enter__(self) -> PhoneCall:
        self.receiver.start()
        self.sender.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up; a letter that is being shown is finished."""
        self.sender.close()
        self.receiver.close()

    @property
    def has_turn(self) -> bool:
        """Whether this end may sign."""
        return self._mine

    def connected(self, timeout: float) -> bool:
        """Whether the other end is there within so long [s]."""
        return self.sender.wait_for(1, timeout)

    def say(self, letters: Sequence[str], *, timeout: float | None = None) -> SendResult:
        """Sign a text and give the turn away; comes back when the other end has shown it."""
        with self._lock:
            if not self._mine:
                raise InputError(f"it is not {self.name}'s turn to sign; listen first.")
            result = self.sender.send(letters, over=True, timeout=timeout)
            self._mine, self.receiver.held = False, False
            return result

    def hang_up(self) -> None:
        """End the call, in this end's turn."""
        with self._lock:
            if self._mine:
                self.sender.begin()
                self.sender.end()
                self.sender.settled(GOODBYE)

    def listen(self, timeout: float | None = None) -> CallOutcome | None:
        """What the other end signs, when its turn is over; without letters where it hung up, None where it is gone or late."""
        with self._lock:
            if self._mine:
                raise InputError(f"it is {self.name}'s turn to sign; nothing comes until it is over.")
            end = time.monotonic() + (timeout or math.inf)
            outcome = None
            while outcome is None and time.monotonic() < end:
                self.sender.ask_who()  # who answers is still there
                outcome = self.receiver.wait(min(1.0, max(0.0, end - time.monotonic())))
                if outcome is None and not self.sender.heard_within(GONE):
                    return None
            # an end that fell silent in the middle of its turn has lost it
            if outcome is not None and (outcome.over or outcome.cut):
                self._mine, self.receiver.held = True, True
            return outcome
