"""The receiving end: verifies messages, orders letters, requests missing ones, and hands them to the player one by one.

The robot moves only for a letter of the right alphabet from an authenticated message, in its order, that the player's own rules
allow. A letter that has begun is always finished; incoming letters wait.
"""

from __future__ import annotations

import queue
import threading
import time
from array import array
from collections import deque
from collections.abc import Callable
from typing import Any

from carpal.errors import CarpalError, unknown_name
from carpal.labs.sign.link.incoming import Arrived, IncomingCall
from carpal.labs.sign.link.journal import PlayedJournal
from carpal.labs.sign.link.messages import REQUESTS, Message, Refused, check_names, ranges_of
from carpal.labs.sign.link.outcome import CallOutcome, Latency
from carpal.labs.sign.link.players import Player
from carpal.labs.sign.link.seal import Clock, Opener, Refusals, Sealer, log
from carpal.labs.sign.link.transport import ANSWERS, LETTERS, Ticker, Transport

PATIENCE = 5.0
"""[s] of a signer's silence after which its call is given up."""
ACK_LETTERS, ACK_AFTER, ACK_EVERY = 32, 0.05, 0.5
"""Letters, or [s], after which progress is reported to the sender; and [s] after which it is reported in any case."""
TICK = 0.01
MOST_CALLS, KEPT = 32, 100
"""Calls that wait for their turn, and outcomes that are kept."""


class LinkReceiver:
    """One receiver in a room.

    Args:
        transport: carries the messages.
        token: the room's secret.
        player: shows the letters.
        room, name: where, and who; names are of letters, digits, dots and dashes.
        journal: what was played before; in memory by default.
        patience: [s] of a signer's silence.
        clock, timer: [ns] since 1970, and [s] of a clock that only rises.

    Example:
        >>> with InProcess() as line, LinkReceiver(line, token, LoggingPlayer()).start() as receiver:
        ...     print(receiver.wait(10.0))
    """

    def __init__(
        self, transport: Transport, token: str, player: Player, *, room: str = "sign", name: str = "receiver",
        journal: PlayedJournal | None = None, patience: float = PATIENCE, clock: Clock = time.time_ns,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        check_names(room=room, receiver=name)
        self.room, self.name, self.player = room, name, player
        self.journal = journal or PlayedJournal()
        self.refusals = Refusals(name)
        self.outcomes: dict[str, CallOutcome] = {}
        self.held = False
        self.own: set[str] = set()
        self._transport, self._patience, self._clock, self._timer = transport, patience, clock, timer
        self._sealer, self._opener = Sealer(token, room, name, clock), Opener(token, room, clock)
        self._lock, self._news = threading.RLock(), threading.Condition(threading.Lock())
        self._calls: dict[str, IncomingCall] = {}
        self._ready: dict[str, deque[tuple[int, Arrived]]] = {}
        self._latencies: dict[str, array[int]] = {}
        self._unreported: dict[str, int] = {}
        self._reported: dict[str, float] = {}
        self._done: queue.SimpleQueue[CallOutcome] = queue.SimpleQueue()
        self._ticker: Ticker | None = None
        self._thread: threading.Thread | None = None
        self._ending = self._weary = False
        transport.subscribe(LETTERS, self.handle)

    @property
    def run(self) -> str:
        """The mark of this end's messages."""
        return self._sealer.run

    def start(self) -> LinkReceiver:
        """Begin to listen: a thread for the time, one for the hand."""
        self._ticker = Ticker(self.tick, TICK)
        self._thread = threading.Thread(target=self._play_all, daemon=True, name=f"hand of {self.name}")
        self._thread.start()
        self.announce()
        return self

    def close(self) -> None:
        """Stop listening; the letter that is being shown is finished first."""
        self._ending = True
        with self._news:
            self._news.notify_all()
        if self._ticker is not None:
            self._ticker.stop()
        if self._thread is not None and threading.current_thread() is not self._thread:
            self._thread.join()
        self.journal.close()

    def __enter__(self) -> LinkReceiver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wait(self, timeout: float | None = None) -> CallOutcome | None:
        """The next call that ends; None after so long [s]."""
        try:
            return self._done.get(timeout=timeout)
        except queue.Empty:
            return None

    def announce(self) -> None:
        """Say that this end is there."""
        with self._lock:
            self._publish("here", robot=self.player.robot, alphabet=self.player.alphabet)

    def request(self, word: str) -> None:
        """Ask the signer for something: "again", "slower" or "stop"."""
        if word not in REQUESTS:
            raise unknown_name("request", word, REQUESTS)
        with self._lock:
            self._publish("request", word=word)

    def handle(self, data: bytes) -> None:
        """Something came: act on it, or refuse and log it."""
        with self._lock:
            if self._ending:
                return
            try:
                self._act(self._opener.open(data))
            except Refused as refused:
                self.refusals.add(refused)

    def tick(self) -> None:
        """Periodic work: request gaps, report progress, give up gaps that are not filled."""
        with self._lock:
            now = self._timer()
            for mark, call in list(self._calls.items()):
                if call.give_up(now, self._patience):
                    self.journal.lost(mark, call.lost)
                    self._hand_over(mark)
                    self._settle(mark)
                    continue
                due = ACK_AFTER if self._unreported[mark] else ACK_EVERY
                if call.ask(now) or now - self._reported[mark] >= due:
                    self._report(mark)

    def play_next(self) -> bool:
        """Show the next letter whose turn it is, or go to rest after the last; False where there is nothing to do."""
        with self._lock:
            mark = next(iter(self._calls), None)
            if mark is None and self._weary:
                self._weary, resting = False, True
            elif mark is None or self.held or not self._ready[mark]:
                return False
            else:
                resting = False
        if resting:  # not under the lock: a robot takes seconds, and messages come meanwhile
            try:
                self.player.rest()
            except Exception:
                log.exception("%s failed to go to rest", self.player.robot)
            return True
        assert mark is not None  # or nothing would have been ready
        with self._lock:
            index, (letter, alphabet, _) = self._ready[mark][0]
        reason = self._play(letter, alphabet, index)
        with self._lock:
            self._ready[mark].popleft()
            self._calls[mark].played.add(index)
            self.journal.played(mark, index, letter, reason)
            self._settle(mark)
        return True

    def _play(self, letter: str, alphabet: str, index: int) -> str:
        if alphabet != self.player.alphabet:
            return f"it is of the alphabet '{alphabet}', and this receiver has '{self.player.alphabet}'."
        try:
            return self.player.play(letter, index)
        except CarpalError as problem:
            return str(problem)
        except Exception as problem:  # a mistake of a player must not end the thread that all letters wait for
            log.exception("%s failed to show '%s'", self.player.robot, letter)
            return f"the robot failed: {type(problem).__name__}: {problem}."

    def _play_all(self) -> None:
        while not self._ending:
            if not self.play_next():
                with self._news:
                    self._news.wait(TICK)

    def _act(self, message: Message) -> None:
        if message.run in self.own:
            return
        if message.kind == "who":
            self._publish("here", robot=self.player.robot, alphabet=self.player.alphabet)
        elif message.kind in ("letter", "count"):
            body, now = message.body, self._timer()
            mark = body["call"]
            call = self._call(mark, message.sender, now)
            if call is None:
                self._report_finished(mark)
                return
            if message.kind == "count":
                call.announced(body["count"], body["closed"], body["over"], now)
            elif call.add(body["index"], (body["letter"], body["alphabet"], body["born"]), now):
                self._unreported[mark] += 1
            self._hand_over(mark)
            if self._unreported[mark] >= ACK_LETTERS:
                self._report(mark)
            self._settle(mark)
        else:
            raise Refused("misplaced", f"a message of kind '{message.kind}' to a receiver")

    def _call(self, mark: str, sender: str, now: float) -> IncomingCall | None:
        """The call of a mark, begun where it is new; None where this end is through with it."""
        if mark in self._calls:
            return self._calls[mark]
        before = self.journal.call(mark)
        if before.finished:
            return None
        if len(self._calls) >= MOST_CALLS:
            raise Refused("busy", f"{MOST_CALLS} calls wait already")
        self._calls[mark] = IncomingCall(mark, sender, now, before.done, before.lost)
        self._ready[mark], self._latencies[mark] = deque(), array("q")
        self._unreported[mark], self._reported[mark] = 0, now
        return self._calls[mark]

    def _hand_over(self, mark: str) -> None:
        rows = self._calls[mark].ready()
        if rows:
            now = self._clock()
            self._latencies[mark].extend(max(0, now - arrived[2]) for _, arrived in rows)
            self._ready[mark].extend(rows)
            with self._news:
                self._news.notify_all()

    def _settle(self, mark: str) -> None:
        """Finish a call of which everything has come and was shown."""
        call = self._calls[mark]
        if not call.complete or self._ready[mark]:
            return
        known = self.journal.call(mark)
        texts = {i: arrived[0] for i, arrived in call.letters.items()} | known.letters
        letters = tuple("?" if i in call.lost else texts.get(i, "") for i in range(call.count))
        outcome = CallOutcome(
            mark, call.sender, letters, ranges_of(sorted(call.lost), call.count + 1), call.cut, call.over,
            tuple((i, texts.get(i, ""), why) for i, why in sorted(known.discarded.items())),
            Latency.of(self._latencies[mark]),
        )  # fmt: skip
        self.journal.finished(mark)
        self._report(mark, closed=True)
        for table in (self._calls, self._ready, self._latencies, self._unreported, self._reported):
            table.pop(mark)
        self.outcomes[mark] = outcome
        while len(self.outcomes) > KEPT:
            del self.outcomes[next(iter(self.outcomes))]
        self._weary = not self._calls
        self._done.put(outcome)

    def _report(self, mark: str, closed: bool = False) -> None:
        call = self._calls[mark]
        self._unreported[mark], self._reported[mark] = 0, self._timer()
        played = len(self.journal.call(mark).letters)
        self._publish(
            "state", call=mark, upto=call.upto, played=played, missing=call.missing(), lost=ranges_of(sorted(call.lost)),
            closed=closed,
        )  # fmt: skip

    def _report_finished(self, mark: str) -> None:
        """Answer to a signer who has not heard that this end is through."""
        known, outcome = self.journal.call(mark), self.outcomes.get(mark)
        lost = () if outcome is None else outcome.missing[:64]
        upto = 0 if outcome is None else len(outcome.letters)
        self._publish(
            "state", call=mark, upto=upto, played=len(known.letters), missing=(), lost=lost, closed=True
        )  # fmt: skip

    def _publish(self, kind: str, **body: Any) -> None:
        self._transport.publish(ANSWERS, self._sealer.seal(kind, **body))
