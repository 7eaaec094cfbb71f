"""The sending end: sends letters, keeps them, repeats those that a receiver misses, and tracks every receiver's progress."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from carpal.errors import InputError
from carpal.labs.sign.link.messages import MOST_LETTERS, Message, Ranges, Refused, check_names
from carpal.labs.sign.link.outcome import ReceiverReport, SendResult
from carpal.labs.sign.link.seal import Clock, Opener, Refusals, Sealer
from carpal.labs.sign.link.transport import ANSWERS, LETTERS, Ticker, Transport

HEARTBEAT, TICK = 0.2, 0.05
"""[s] between announcements of the count of letters; [s] between two timer ticks."""
AGAIN = 0.02
"""[s] within which a letter that several ask for is sent once."""
MOST_AGAIN = 128
"""Letters that one answer makes us send again."""
AHEAD = 512
"""Letters that `send` is ahead of the slowest receiver who is still heard."""
SLOWER, SLOWEST = 1.5, 10.0
"""Times that the pace is slowed down by when a receiver asks for it, and [s] between two letters at most."""
MOST_AGAIN_WORDS = 20
"""Words of one call that are repeated because a receiver asks for it."""
DOUBT = 1.0
"""[s] in which a program that is still there must answer when another one uses its name."""
MOST_REQUESTS = 64
PATIENCE = 10.0
"""[s] of a receiver's silence after which it counts as gone."""


@dataclass
class _Remote:
    robot: str = "?"
    heard: float = 0.0
    upto: int = 0
    played: int = 0
    lost: Ranges = ()
    finished: bool = False
    run: str = ""
    doubted: float = -1.0


@dataclass
class _Call:
    mark: str
    letters: list[tuple[str, int]]
    sent: list[float]
    closed: bool = False
    over: bool = False


class LinkSender:
    """One signer in a room.

    Args:
        transport: carries the messages.
        token: the room's secret.
        room, name: where, and who.
        alphabet: name of the alphabet that the letters are of.
        patience: [s] of a receiver's silence after which it counts as gone.
        clock, timer: [ns] since 1970, and [s] of a clock that only rises.

    Example:
        >>> with InProcess() as line, LinkSender(line, token).start() as sender:
        ...     print(sender.send("CIAO"))
    """

    def __init__(
        self, transport: Transport, token: str, *, room: str = "sign", name: str = "signer", alphabet: str = "italian",
        patience: float = PATIENCE, clock: Clock = time.time_ns, timer: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        check_names(room=room, signer=name, alphabet=alphabet)
        self.room, self.name, self.alphabet = room, name, alphabet
        self.refusals = Refusals(name)
        self.own: set[str] = set()
        self._transport, self._patience, self._clock, self._timer = transport, patience, clock, timer
        self._sealer, self._opener = Sealer(token, room, name, clock), Opener(token, room, clock)
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._remotes: dict[str, _Remote] = {}
        self._call: _Call | None = None
        self._requests: deque[tuple[str, str]] = deque(maxlen=MOST_REQUESTS)
        self._beat = -1e9
        self._ticker: Ticker | None = None
        transport.subscribe(ANSWERS, self.handle)

    @property
    def run(self) -> str:
        """The mark of this end's messages."""
        return self._sealer.run

    @property
    def receivers(self) -> tuple[str, ...]:
        """Names of those who are there."""
        with self._lock:
            return tuple(self._remotes)

    def start(self) -> LinkSender:
        """Begin: a thread for the time."""
        self.ask_who()
        self._ticker = Ticker(self.tick, TICK)
        return self

    def close(self) -> None:
        """End; receivers that miss something will say so."""
        if self._ticker is not None:
            self._ticker.stop()

    def __enter__(self) -> LinkSender:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask_who(self) -> None:
        """Ask who is there."""
        with self._lock:
            self._publish("who")

    def heard_within(self, seconds: float) -> bool:
        """Whether some receiver was heard within so long [s]."""
        with self._lock:
            return any(self._timer() - remote.heard <= seconds for remote in self._remotes.values())

    def wait_for(self, count: int, timeout: float) -> bool:
        """Whether so many receivers are there within so long [s]."""
        end = time.monotonic() + timeout
        while len(self.receivers) < count:
            if time.monotonic() > end:
                return False
            self.ask_who()
            with self._changed:
                self._changed.wait(0.1)
        return True

    def begin(self) -> None:
        """Begin a call; the first letter does that by itself."""
        with self._lock:
            self._call = _Call(secrets.token_hex(8), [], [])
            for remote in self._remotes.values():
                remote.upto, remote.played, remote.lost, remote.finished = 0, 0, (), False

    def put(self, letter: str) -> int:
        """Send the next letter of the call; returns its number."""
        with self._lock:
            if self._call is None or self._call.closed:
                self.begin()
            call = self._call
            assert call is not None  # begun
            index = len(call.letters)
            if index >= MOST_LETTERS:
                raise InputError(f"a call has at most {MOST_LETTERS} letters; end it and begin another.")
            call.letters.append((letter, self._clock()))
            call.sent.append(-1e9)
            self._send(call, index)
            return index

    def end(self, *, over: bool = False) -> None:
        """The call has no more letters; `over` gives the turn to the other side."""
        with self._lock:
            if self._call is None:
                raise InputError("there is no call to end; send a letter first.")
            self._call.closed, self._call.over = True, over
            self._count()

    def send(
        self, letters: Sequence[str], *, pace: float = 0.0, over: bool = False, timeout: float | None = None
    ) -> SendResult:
        """Send a text and wait until everybody who is there has it or is gone.

        Args:
            letters: of the alphabet, " " for pauses.
            pace: [s] between two letters.
            over: whether the other side may sign afterwards.
            timeout: [s] to wait after the last letter; by default as long as receivers are heard.
        """
        if not letters:
            raise InputError("there is no letter to send.")
        left, words = deque(letters), 0
        self.take_requests()
        due = self._timer()
        while left:
            self._let_catch_up(self.put(left.popleft()))
            due += pace
            time.sleep(max(0.0, due - self._timer()))
            for _, word in self.take_requests():
                if word == "stop":
                    left.clear()
                elif word == "slower":
                    pace, due = min(max(pace, 0.5) * SLOWER, SLOWEST), self._timer()
                elif words < MOST_AGAIN_WORDS:
                    words += 1
                    left.extendleft(reversed(self._last_word()))
        self.end(over=over)
        return self.settled(timeout)

    def take_requests(self) -> list[tuple[str, str]]:
        """What receivers have asked for since the last time: (receiver, "again", "slower" or "stop")."""
        with self._lock:
            found = list(self._requests)
            self._requests.clear()
            return found

    def _last_word(self) -> list[str]:
        """What repeats the word that was sent last, or as much of it as was sent, with its pause."""
        with self._lock:
            sent = [] if self._call is None else [letter for letter, _ in self._call.letters]
        paused = bool(sent) and sent[-1] == " "
        while sent and sent[-1] == " ":
            sent.pop()
        word = sent[len(sent) - sent[::-1].index(" ") if " " in sent else 0 :]
        return [*word, " "] if paused else [" ", *word]

    def settled(self, timeout: float | None = None) -> SendResult:
        """Wait until every receiver is through with the call or gone; how it ended."""
        end = None if timeout is None else self._timer() + timeout
        with self._changed:
            while any(not r.finished and not self._gone(r) for r in self._remotes.values()):
                if end is not None and self._timer() > end:
                    break
                self._changed.wait(TICK)
            return self.result()

    def result(self) -> SendResult:
        """What is known now of the last call."""
        with self._lock:
            call = self._call
            if call is None:
                raise InputError("there is no call yet; send a letter first.")
            rows = [
                ReceiverReport(name, r.robot, r.upto, r.played, r.lost, r.finished) for name, r in self._remotes.items()
            ]
            return SendResult(call.mark, tuple(x for x, _ in call.letters), tuple(rows))

    def handle(self, data: bytes) -> None:
        """Something came: act on it, or refuse and log it."""
        with self._lock:
            try:
                self._act(self._opener.open(data))
            except Refused as refused:
                self.refusals.add(refused)

    def tick(self) -> None:
        """Periodic work: announce the count of letters again while a receiver may have missed it."""
        with self._lock:
            self._end_doubts()
            call = self._call
            if call is None or self._timer() - self._beat < HEARTBEAT:
                return
            if not call.closed or not all(r.finished for r in self._remotes.values()):
                self._count()

    def _act(self, message: Message) -> None:
        if message.run in self.own:
            return
        if message.kind not in ("here", "state", "request"):
            raise Refused("misplaced", f"a message of kind '{message.kind}' to a signer")
        name = self._name_of(message)
        body, new = message.body, name not in self._remotes
        remote = self._remotes.setdefault(name, _Remote(run=message.run))
        remote.heard = self._timer()
        if message.kind == "request":
            self._requests.append((name, body["word"]))
            self._changed.notify_all()
            return
        if message.kind == "here":
            remote.robot = body["robot"]
            if self._call is not None:
                self._count()  # who comes in the middle, or comes back, learns that there is a call
        elif self._call is not None and body["call"] == self._call.mark:
            remote.upto, remote.played = max(remote.upto, body["upto"]), max(remote.played, body["played"])
            remote.lost = tuple((a, b) for a, b in body["lost"])
            remote.finished = remote.finished or body["closed"]
            self._repeat(self._call, body["missing"])
        if new and message.kind == "state":
            self._publish("who")
        self._changed.notify_all()

    def _name_of(self, message: Message) -> str:
        """The name under which a receiver is listed: its own, numbered where another program uses the same."""
        own = message.sender
        for name, remote in self._remotes.items():
            if remote.run == message.run:
                return name
        if own not in self._remotes:
            return own
        if self._remotes[own].doubted < 0:  # was it restarted, or are there two? whoever is still there will answer
            self._remotes[own].doubted = self._timer()
            self._publish("who")
        return next(name for k in range(2, len(self._remotes) + 3) if (name := f"{own} ({k})") not in self._remotes)

    def _end_doubts(self) -> None:
        """A receiver that was restarted takes the place of the program that no longer answers."""
        for name, remote in list(self._remotes.items()):
            if remote.doubted < 0 or self._timer() - remote.doubted < DOUBT:
                continue
            after = next((n for n in self._remotes if n.startswith(f"{name} (")), None)
            if remote.heard <= remote.doubted and after is not None:
                self._remotes[name] = self._remotes.pop(after)
            remote.doubted = -1.0

    def _repeat(self, call: _Call, missing: Sequence[Sequence[int]]) -> None:
        now, left = self._timer(), MOST_AGAIN
        for first, last in missing:
            for index in range(first, min(last + 1, len(call.letters), first + left)):
                if now - call.sent[index] >= AGAIN:
                    self._send(call, index)
                    left -= 1

    def _let_catch_up(self, index: int) -> None:
        with self._changed:
            while any(not r.finished and not self._gone(r) and index - r.upto >= AHEAD for r in self._remotes.values()):
                self._changed.wait(TICK)

    def _gone(self, remote: _Remote) -> bool:
        return self._timer() - remote.heard > self._patience

    def _send(self, call: _Call, index: int) -> None:
        letter, born = call.letters[index]
        call.sent[index] = self._timer()
        self._publish("letter", call=call.mark, index=index, letter=letter, alphabet=self.alphabet, born=born)

    def _count(self) -> None:
        call = self._call
        assert call is not None  # checked by the callers
        self._beat = self._timer()
        self._publish("count", call=call.mark, count=len(call.letters), closed=call.closed, over=call.over)

    def _publish(self, kind: str, **body: Any) -> None:
        self._transport.publish(LETTERS, self._sealer.seal(kind, **body))
