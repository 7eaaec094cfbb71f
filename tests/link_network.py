"""A network in virtual time that drops, delays and repeats messages, and the ends that meet in it."""

from __future__ import annotations

import heapq
import itertools
import threading

import numpy as np

from carpal.labs.sign import LinkReceiver, LinkSender, LoggingPlayer
from carpal.labs.sign.link.messages import decode
from carpal.labs.sign.link.seal import HEAD, Opener
from carpal.labs.sign.link.transport import ANSWERS, LETTERS

TOKEN = "a token for tests only"
BEGIN = 1_700_000_000_000_000_000


def kind_of(data):
    """The kind of a sealed message, for whoever has the token."""
    return decode(Opener(TOKEN, "sign")._decrypted(data[:HEAD], data[HEAD:])).kind


class VirtualNetwork:
    """Every subscriber's copy of every message has a fate of its own.

    Args:
        drop, delay, repeat: shares of the copies.
        longest: [s] of a delay.
    """

    def __init__(self, seed=0, drop=0.0, delay=0.0, repeat=0.0, longest=0.5):
        self.rng = np.random.default_rng(seed)
        self.drop, self.delay, self.repeat, self.longest = drop, delay, repeat, longest
        self.now = 0.0
        self.cut = False
        self.fates = {"dropped": 0, "delayed": 0, "repeated": 0, "all": 0}
        self.seen = []
        self._handlers = {LETTERS: [], ANSWERS: []}
        self._waiting, self._order = [], itertools.count()

    def clock(self):
        return BEGIN + int(1e9 * self.now)

    def timer(self):
        return self.now

    def publish(self, topic, data):
        self.seen.append((topic, data))
        for handler in self._handlers[topic]:
            drop, late, twice = self.rng.random(3) < (self.drop, self.delay, self.repeat)
            self.fates["all"] += 1
            self.fates["dropped"] += drop or self.cut
            if drop or self.cut:
                continue
            self.fates["delayed"] += late
            self.fates["repeated"] += twice
            for _ in range(1 + twice):
                wait = 0.001 + (self.longest * self.rng.random() if late else 0.0)
                heapq.heappush(self._waiting, (self.now + wait, next(self._order), handler, data))

    def subscribe(self, topic, handler):
        self._handlers[topic].append(handler)

    def unsubscribe(self, handler):
        for rows in self._handlers.values():
            rows[:] = [row for row in rows if row != handler]

    def close(self):
        pass

    def step(self, ends, dt=0.01):
        """Let time pass: deliver, tick, play."""
        self.now += dt
        while self._waiting and self._waiting[0][0] <= self.now:
            _, _, handler, data = heapq.heappop(self._waiting)
            handler(data)
        for end in ends:
            end.tick()
            if isinstance(end, LinkReceiver):
                while end.play_next():
                    pass

    def sender(self, **options):
        return LinkSender(self, TOKEN, clock=self.clock, timer=self.timer, **options)

    def receiver(self, name="one", player=None, **options):
        player = player or LoggingPlayer()
        return LinkReceiver(self, TOKEN, player, name=name, clock=self.clock, timer=self.timer, **options)


class FaultyLine:
    """A transport that drops, delays and repeats what is published through it, in real time."""

    def __init__(self, line, seed, share=0.2, longest=0.1):
        self._line, self._rng, self._share, self._longest = line, np.random.default_rng(seed), share, longest
        self._lock = threading.Lock()

    def publish(self, topic, data):
        with self._lock:
            drop, late, twice = self._rng.random(3) < self._share
            wait = self._longest * self._rng.random()
        if drop:
            return
        for _ in range(1 + twice):
            if late:
                threading.Timer(wait, self._line.publish, (topic, data)).start()
            else:
                self._line.publish(topic, data)

    def subscribe(self, topic, handler):
        self._line.subscribe(topic, handler)

    def close(self):
        self._line.close()


def spell(network, sender, receivers, text, *, per_step=1, patience=120.0):
    """Send a text letter by letter and go on until every receiver has ended the call."""
    for receiver in receivers:
        receiver.announce()
    for begin in range(0, len(text), per_step):
        for letter in text[begin : begin + per_step]:
            sender.put(letter)
        network.step([sender, *receivers])
    sender.end()
    end = network.now + patience
    while network.now < end and not all(receiver.outcomes for receiver in receivers):
        network.step([sender, *receivers])
    return [next(iter(receiver.outcomes.values()), None) for receiver in receivers]
