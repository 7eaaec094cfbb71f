"""Transports carry messages: the protocol, and an in-process transport."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any, Protocol

LETTERS, ANSWERS = "letters", "answers"
"""The two topics of a room: from signers to receivers, and back."""
Handler = Callable[[bytes], None]


class Transport(Protocol):
    """Carries bytes by topic; may lose, delay, repeat and reorder them."""

    def publish(self, topic: str, data: bytes) -> None:
        """Send bytes to everybody who subscribed."""

    def subscribe(self, topic: str, handler: Handler) -> None:
        """Call the handler, from a thread of the transport's, with everything that comes."""

    def close(self) -> None:
        """Stop; handlers are not called any more when this returns."""


class InProcess:
    """Endpoints of one program: everything that is published reaches everybody who subscribed, in order.

    One thread delivers, so that no endpoint is called by itself in the middle of its own work. A message goes to those who had
    subscribed when it was published, however late the thread comes to it.
    """

    def __init__(self) -> None:
        self._handlers: dict[str, tuple[Handler, ...]] = {}
        self._waiting: queue.SimpleQueue[tuple[tuple[Handler, ...], bytes] | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._deliver, daemon=True, name="carpal in-process link")
        self._thread.start()

    def publish(self, topic: str, data: bytes) -> None:
        """Send bytes to everybody who subscribed."""
        self._waiting.put((self._handlers.get(topic, ()), bytes(data)))

    def subscribe(self, topic: str, handler: Handler) -> None:
        """Call the handler with everything that is published from now on."""
        self._handlers[topic] = (*self._handlers.get(topic, ()), handler)

    def close(self) -> None:
        """Stop; what still waits is not delivered."""
        self._closed = True
        self._waiting.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _deliver(self) -> None:
        while (item := self._waiting.get()) is not None:
            handlers, data = item
            for handler in handlers:
                if not self._closed:
                    handler(data)


class Ticker:
    """Calls something again and again from a thread of its own until it is stopped.

    Args:
        what: called without arguments.
        every: [s] between two calls.
    """

    def __init__(self, what: Callable[[], Any], every: float) -> None:
        self._what, self._every, self._stop = what, every, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="carpal link ticker")
        self._thread.start()

    def stop(self) -> None:
        """End it; the call that is under way is finished first."""
        self._stop.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(self._every):
            self._what()
