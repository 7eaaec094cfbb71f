"""Encryption and authentication of messages: ChaCha20-Poly1305 under a key from the link's token, a recent time, a new number.

Nothing of a message is parsed before it is authenticated, and without the token nothing of it can be read, on this machine as on
the way to another: an observer sees the sender's random run mark, the message's number, and a length that is rounded up. Every
run of a program has a key of its own, from the room's key and its run mark, and the message's number is the nonce, so no nonce
is used twice. Network duplicates and replay attacks are both refused: a letter that is sent again is a new message with its own
number. The key depends on the room, so that a recording of one room is invalid in another.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import struct
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from carpal.errors import InputError
from carpal.labs.sign.link.messages import MOST_BYTES, Message, Refused, decode, encode

MAGIC, VERSION = b"CSL", 2
HEAD = len(MAGIC) + 1 + 8 + 8
"""Bytes before the encrypted message: mark, version, run, number."""
TAG, BLOCK = 16, 128
"""Bytes of the authentication tag; messages are padded to whole blocks, so that their length says little."""
OLDEST = 30.0
"""[s] that a message may be under way, or its clock be wrong."""
WINDOW = 1024
"""Numbers below the newest within which a late message is still distinguished from a repeated one."""
MOST_RUNS = 1024
"""Programs heard within `OLDEST` seconds; more than that are refused."""
LOGGED, KEPT = 5, 200
"""Refusals of one reason that are written to the log, and refusals that are kept for reports."""

log = logging.getLogger("carpal.sign.link")
Clock = Callable[[], int]


def _key(token: str, room: str) -> bytes:
    return hmac.new(token.encode(), b"carpal sign link 2\0" + room.encode(), hashlib.sha256).digest()


def _cipher(key: bytes, run: bytes) -> Any:
    """The cipher of one run of a program."""
    try:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    except ImportError:
        raise InputError("the line is encrypted by the package cryptography: install the extra carpal[link].") from None
    return ChaCha20Poly1305(hmac.new(key, b"run\0" + run, hashlib.sha256).digest())


def _head(run: bytes, number: int) -> bytes:
    return MAGIC + bytes([VERSION]) + run + struct.pack(">Q", number)


class Sealer:
    """Makes one endpoint's messages.

    Args:
        token: the secret that both ends know.
        room: where they meet.
        sender: name of this endpoint.
        clock: [ns] since 1970.
    """

    def __init__(self, token: str, room: str, sender: str, clock: Clock = time.time_ns) -> None:
        self.sender, self.run = sender, secrets.token_hex(8)
        self._cipher = _cipher(_key(token, room), bytes.fromhex(self.run))
        self._clock, self._number = clock, 0

    def seal(self, kind: str, **body: Any) -> bytes:
        """The next message, ready to be sent."""
        message = Message(kind, self.sender, self.run, self._number, self._clock(), body)
        head = _head(bytes.fromhex(self.run), self._number)
        self._number += 1
        data = encode(message)
        data += b" " * (-len(data) % BLOCK)
        return head + bytes(self._cipher.encrypt(head[-12:], data, head))


class Opener:
    """Opens what comes in, or refuses it.

    Args:
        token, room: as of the other end.
        clock: [ns] since 1970.
    """

    def __init__(self, token: str, room: str, clock: Clock = time.time_ns) -> None:
        self._key, self._clock = _key(token, room), clock
        self._begun = clock()
        self._seen: dict[str, list[int]] = {}

    def open(self, data: bytes) -> Message:
        """The message in some bytes; `Refused` with its reason where it must not be acted on."""
        if len(data) > MOST_BYTES:
            raise Refused("oversized", f"{len(data)} bytes; {MOST_BYTES} are the most")
        if len(data) < HEAD + TAG or data[: len(MAGIC)] != MAGIC:
            raise Refused("foreign", f"{len(data)} bytes that are no message of this line")
        if data[len(MAGIC)] != VERSION:
            raise Refused("version", f"version {data[len(MAGIC)]}; this end speaks {VERSION}")
        head = bytes(data[:HEAD])
        message = decode(self._decrypted(head, bytes(data[HEAD:])))
        if _head(bytes.fromhex(message.run), message.number) != head:
            raise Refused("invalid", "its run or number differs from that outside")
        now = self._clock()
        age = (now - message.time) / 1e9
        if abs(age) > OLDEST:
            what = f"{age:.0f} s old" if age > 0 else f"{-age:.0f} s ahead of this clock"
            raise Refused("stale", f"{what}; {OLDEST:g} s are the most")
        if message.time < self._begun:
            # an end that has just begun does not know the numbers of before; what is meant for it will be said again
            raise Refused("stale", f"sealed {(self._begun - message.time) / 1e9:.1f} s before this end began")
        self._new(message, now)
        return message

    def _decrypted(self, head: bytes, data: bytes) -> bytes:
        from cryptography.exceptions import InvalidTag

        try:
            return bytes(_cipher(self._key, head[4:12]).decrypt(head[-12:], data, head))
        except InvalidTag:
            raise Refused(
                "unauthenticated", "its tag does not fit: another token or room, forged, or altered on the way"
            ) from None

    def _new(self, message: Message, now: int) -> None:
        """Refuse a number that was there before; remember it otherwise."""
        seen = self._seen.get(message.run)
        if seen is None:
            if len(self._seen) >= MOST_RUNS:
                # what is older than any fresh message can be cannot be repeated
                horizon = now - int(2e9 * OLDEST)
                self._seen = {run: row for run, row in self._seen.items() if row[2] > horizon}
            if len(self._seen) >= MOST_RUNS:
                raise Refused("crowded", f"more than {MOST_RUNS} programs within {OLDEST:g} s")
            self._seen[message.run] = [message.number, 1, now]
            return
        newest, bits, _ = seen
        ahead = message.number - newest
        if ahead > 0:
            seen[0], seen[1] = message.number, ((bits << ahead) | 1) & ((1 << WINDOW) - 1) if ahead < WINDOW else 1
        elif -ahead >= WINDOW:
            raise Refused("replayed", f"number {message.number} is {-ahead} behind the newest")
        elif bits >> -ahead & 1:
            raise Refused("replayed", f"number {message.number} of {message.sender} came before")
        else:
            seen[1] = bits | 1 << -ahead
        seen[2] = now


class Refusals:
    """What was refused: counted, the first of each reason logged, the last ones kept.

    Args:
        where: name of the endpoint, for the log.
    """

    def __init__(self, where: str) -> None:
        self.where = where
        self.counts: Counter[str] = Counter()
        self.last: deque[tuple[str, str]] = deque(maxlen=KEPT)

    def add(self, refused: Refused) -> None:
        """Count and log one."""
        self.counts[refused.reason] += 1
        self.last.append((refused.reason, refused.detail))
        count = self.counts[refused.reason]
        if count <= LOGGED or count % 1000 == 0:
            log.warning("%s refused a message (%s, number %d): %s", self.where, refused.reason, count, refused.detail)

    def __str__(self) -> str:
        text = ", ".join(f"{count} {reason}" for reason, count in sorted(self.counts.items()))
        return f"{sum(self.counts.values())} messages refused: {text}." if text else "no message refused."
