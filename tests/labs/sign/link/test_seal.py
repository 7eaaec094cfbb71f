"""Seals: right ones open once; forged, altered, old, repeated, foreign and oversized messages are refused with their reason."""

import logging

import numpy as np
import pytest

from carpal.labs.sign.link.messages import MOST_BYTES, Refused
from carpal.labs.sign.link.seal import HEAD, MOST_RUNS, OLDEST, WINDOW, Opener, Refusals, Sealer

TOKEN = "a token for tests only"


class Clock:
    now = 10**18

    def __call__(self):
        return self.now


@pytest.fixture
def ends():
    clock = Clock()
    return Sealer(TOKEN, "sign", "anna", clock), Opener(TOKEN, "sign", clock), clock


def reason(opener, data):
    with pytest.raises(Refused) as found:
        opener.open(data)
    return found.value.reason


def test_a_right_one_opens_once(ends):
    sealer, opener, _ = ends
    data = sealer.seal("here", robot="parloma", alphabet="italian")
    opened = opener.open(data)
    assert (opened.kind, opened.sender, opened.run, opened.number) == ("here", "anna", sealer.run, 0)
    assert reason(opener, data) == "replayed"


def test_every_altered_bit_is_refused(ends):
    sealer, opener, _ = ends
    data = sealer.seal("who")
    for at in range(len(data)):
        for bit in range(8):
            changed = bytearray(data)
            changed[at] ^= 1 << bit
            assert reason(opener, bytes(changed)) in ("foreign", "version", "unauthenticated")
    assert opener.open(data).kind == "who"


@pytest.mark.parametrize("other", [Sealer("another token of somebody", "sign", "eve"), Sealer(TOKEN, "room2", "anna")])
def test_another_token_or_room_is_unauthenticated(ends, other):
    assert reason(ends[1], other.seal("who")) == "unauthenticated"


def test_nothing_can_be_read_without_the_token(ends):
    """An eavesdropper with every key but the right one: tokens, rooms and run marks that are nearly right."""
    sealer, _, clock = ends
    seen = [
        sealer.seal("letter", call="0" * 16, index=i, letter=x, alphabet="italian", born=0)
        for i, x in enumerate("SEGRETO")
    ]
    assert len({len(data) for data in seen}) == 1
    for word in (b"letter", b"italian", b"anna", b"index", b'"S"'):
        assert not any(word in data for data in seen)
    other = Sealer(TOKEN, "sign", "anna", clock)
    swapped = [bytes.fromhex(other.run).join([data[:4], data[12:]]) for data in seen]
    for token, room in (
        (TOKEN[:-1], "sign"),
        (TOKEN + " ", "sign"),
        (TOKEN.upper(), "sign"),
        ("", "sign"),
        (TOKEN, "sigm"),
        (TOKEN, ""),
    ):
        eve = Opener(token, room, clock)
        assert all(reason(eve, data) == "unauthenticated" for data in seen)
    assert all(reason(Opener(TOKEN, "sign", clock), data) == "unauthenticated" for data in swapped)
    texts = [data[HEAD:] for data in seen]  # no stream is used twice: the difference of two is not that of the messages
    assert len({bytes(a ^ b for a, b in zip(texts[0], text, strict=True))[:40] for text in texts[1:]}) == len(texts) - 1


def test_noise_cut_and_oversized(ends):
    sealer, opener, _ = ends
    data = sealer.seal("who")
    rng = np.random.default_rng(0)
    assert all(reason(opener, data[:n]) in ("foreign", "unauthenticated") for n in range(len(data)))
    assert all(reason(opener, rng.bytes(n)) == "foreign" for n in range(0, 300, 7))
    assert reason(opener, data + bytes(10_000_000)) == "oversized"
    assert reason(opener, data + bytes(MOST_BYTES)) == "oversized"
    assert reason(opener, data[:3] + b"\x01" + data[4:]) == "version"
    assert HEAD == 20


def test_time(ends):
    sealer, opener, clock = ends
    old, ahead, fine = sealer.seal("who"), None, sealer.seal("who")
    clock.now += int(1e9 * (OLDEST + 1))
    assert reason(opener, old) == "stale"
    ahead = sealer.seal("who")
    clock.now -= int(2e9 * (OLDEST + 1))
    assert reason(opener, ahead) == "stale"
    clock.now += int(1e9 * (OLDEST + 2))
    assert opener.open(fine).number == 1


def test_what_was_sealed_before_an_end_began_is_refused(ends):
    sealer, _, clock = ends
    before = sealer.seal("who")
    clock.now += 10**9
    fresh = Opener(TOKEN, "sign", clock)
    assert reason(fresh, before) == "stale" and fresh.open(sealer.seal("who")).number == 1


def test_late_ones_within_the_window_open_once(ends):
    sealer, opener, _ = ends
    rows = [sealer.seal("who") for _ in range(2 * WINDOW)]
    order = np.random.default_rng(1).permutation(WINDOW)
    for i in order:
        assert opener.open(rows[i]).number == i
    assert all(reason(opener, rows[i]) == "replayed" for i in order[::17])
    opener.open(rows[-1])
    assert reason(opener, rows[WINDOW - 1]) == "replayed"  # too far behind to know
    assert opener.open(rows[-2]).number == 2 * WINDOW - 2


def test_refusals_are_counted_and_logged(ends, caplog):
    _, opener, _ = ends
    refusals = Refusals("hand")
    with caplog.at_level(logging.WARNING):
        for _ in range(50):
            try:
                opener.open(b"x" * 20)
            except Refused as refused:
                refusals.add(refused)
    assert refusals.counts == {"foreign": 50} and str(refusals) == "50 messages refused: 50 foreign."
    assert 1 <= len(caplog.records) <= 10 and "hand refused a message (foreign" in caplog.text


def test_the_memory_of_runs_is_longer_than_a_message_can_be_fresh(ends):
    """A crowd of programs 40 s later does not make an end forget whose message it has opened: that could be opened again."""
    sealer, opener, clock = ends
    clock.now += int(1e9 * (OLDEST - 1))
    ahead = sealer.seal("who")  # by a clock that is 29 s ahead: fresh for a minute
    clock.now -= int(1e9 * (OLDEST - 1))
    assert opener.open(ahead).kind == "who"
    clock.now += int(10e9)
    for _ in range(MOST_RUNS - 1):
        opener.open(Sealer(TOKEN, "sign", "crowd", clock).seal("who"))
    clock.now += int(40e9)
    assert reason(opener, Sealer(TOKEN, "sign", "late", clock).seal("who")) == "crowded"
    assert reason(opener, ahead) == "replayed"
