"""Messages between a sender and its receivers: six kinds, each field checked.

A message is JSON with exactly the fields of its kind. It holds the sender's name and random run mark, a number and a time; these
are authenticated by the seal around it (seal.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from carpal.errors import InputError

MOST_BYTES = 4096
"""Of a sealed message; anything longer is refused unread."""
MOST_LETTERS = 100_000
"""Of one call."""
MOST_RANGES = 64
"""Gaps that one answer names; more are asked for when these are filled."""

REQUESTS = ("again", "slower", "stop")
"""What a receiver may ask the signer for."""

Ranges = tuple[tuple[int, int], ...]
"""Gaps as (first, last), both included, ascending."""


class Refused(Exception):  # noqa: N818 - a refused message is no program error
    """A message that is ignored: a reason of one or two words, and details."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail


@dataclass(frozen=True)
class Message:
    """One message, opened and checked.

    Args:
        kind: letter, count, who, here, state or request.
        sender: name of who sent it.
        run: 16 hex digits that the sender's program drew when it started.
        number: of the message, rising from 0 in each run.
        time: [ns] since 1970 when it was sealed.
        body: fields of its kind.
    """

    kind: str
    sender: str
    run: str
    number: int
    time: int
    body: Mapping[str, Any]


def _whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _pattern(form: str) -> Callable[[Any], bool]:
    known = re.compile(form)
    return lambda value: isinstance(value, str) and known.fullmatch(value) is not None


def _truth(value: Any) -> bool:
    return type(value) is bool


def _letter(value: Any) -> bool:
    if not isinstance(value, str) or not 1 <= len(value) <= 32:
        return False
    return value == " " or (value.isprintable() and not any(c.isspace() for c in value))


def _ranges(value: Any) -> bool:
    if not isinstance(value, list) or len(value) > MOST_RANGES:
        return False
    end = -2
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2 or not all(_index(i) for i in pair):
            return False
        if pair[0] <= end + 1 or pair[1] < pair[0]:  # neighbouring gaps would be one
            return False
        end = pair[1]
    return True


_index, _count, _time = _whole(0, MOST_LETTERS - 1), _whole(0, MOST_LETTERS), _whole(0, 2**63 - 1)
_name, _mark = _pattern(r"[^\W_][\w.-]{0,63}"), _pattern(r"[0-9a-f]{16}")

FIELDS: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {
    # from the signer: one letter; `born` [ns] is when it was given to the line, `time` when this copy was sealed
    "letter": {"call": _mark, "index": _index, "letter": _letter, "alphabet": _name, "born": _time},
    # how many letters the call has so far, whether that is all, and whether the other side may sign now
    "count": {"call": _mark, "count": _count, "closed": _truth, "over": _truth},
    "who": {},
    # from a receiver: that it is there
    "here": {"robot": _name, "alphabet": _name},
    # and how far it is: all letters before `upto` have come, `played` of them were shown, `missing` is asked for again, `lost` is
    # given up, `closed` says that it is through with the call
    "state": {
        "call": _mark, "upto": _count, "played": _count, "missing": _ranges, "lost": _ranges, "closed": _truth,
    },
    # and what it asks the signer for
    "request": {"word": lambda value: isinstance(value, str) and value in REQUESTS},
}  # fmt: skip
HEAD: Mapping[str, Callable[[Any], bool]] = {
    "kind": lambda value: isinstance(value, str) and value in FIELDS,
    "sender": _name,
    "run": _mark,
    "number": _whole(0, 2**53),
    "time": _time,
}


def check_names(**names: str) -> None:
    """Refuse names of rooms, ends or alphabets that a message could not carry."""
    for what, given in names.items():
        if not _name(given):
            raise InputError(f"a {what} is named by up to 64 letters, digits, dots and dashes; got {given!r:.80}.")


def encode(message: Message) -> bytes:
    """The bytes of a message, without a seal."""
    head = {name: getattr(message, name) for name in HEAD}
    return json.dumps({**head, **message.body}, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()


def decode(data: bytes) -> Message:
    """The message of some bytes; `Refused` as invalid where a field is missing, foreign, or out of its range."""
    try:
        given = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Refused("invalid", "it is not JSON") from None
    if not isinstance(given, dict):
        raise Refused("invalid", "it is not a table of fields")
    for name, right in HEAD.items():
        if not right(given.get(name)):
            raise Refused("invalid", f"'{name}' is {given.get(name)!r:.60}")
    fields = FIELDS[given["kind"]]
    foreign = [name for name in given if name not in HEAD and name not in fields]
    if foreign:
        raise Refused("invalid", f"a message of kind '{given['kind']}' has no field {foreign[0]!r:.60}")
    for name, right in fields.items():
        if not right(given.get(name)):
            raise Refused("invalid", f"'{name}' of a message of kind '{given['kind']}' is {given.get(name)!r:.60}")
    head = {name: given[name] for name in HEAD}
    return Message(**head, body={name: given[name] for name in fields})


def ranges_of(indices: Iterable[int], most: int = MOST_RANGES) -> Ranges:
    """Ascending indices as gaps (first, last), the first `most` of them."""
    out: list[list[int]] = []
    for i in indices:
        if out and i == out[-1][1] + 1:
            out[-1][1] = i
        elif len(out) == most:
            break
        else:
            out.append([i, i])
    return tuple((a, b) for a, b in out)


def ranges_text(ranges: Iterable[Iterable[int]]) -> str:
    """For people, who count from 1: `4, 7-9`."""
    return ", ".join(f"{a + 1}" if a == b else f"{a + 1}-{b + 1}" for a, b in ranges)
