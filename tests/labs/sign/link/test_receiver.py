"""The receiving end in virtual time: order kept over a bad line, hostile messages refused, killed and started again."""

import contextlib

import numpy as np
import pytest
from link_network import TOKEN, VirtualNetwork, spell

from carpal.errors import InputError
from carpal.labs.sign import LinkReceiver, LoggingPlayer, PlayedJournal
from carpal.labs.sign.link.messages import Refused
from carpal.labs.sign.link.seal import Opener, Sealer
from carpal.labs.sign.link.transport import LETTERS

TEXT = "NEL MEZZO DEL CAMMIN DI NOSTRA VITA "


def over_a_bad_line(receivers, letters, seed, figure):
    network = VirtualNetwork(seed, drop=0.2, delay=0.2, repeat=0.2)
    sender = network.sender()
    ends = [network.receiver(f"r{i}") for i in range(receivers)]
    text = (TEXT * (letters // len(TEXT) + 1))[:letters]
    outcomes = spell(network, sender, ends, text)
    fates = {what: count / network.fates["all"] for what, count in network.fates.items()}
    assert 0.17 < fates["dropped"] < 0.23 and 0.13 < fates["repeated"] < 0.19 and 0.13 < fates["delayed"] < 0.19
    wrong = sum(outcome is None or outcome.text != text for outcome in outcomes)
    order = sum("".join(end.player.letters) != text for end in ends)
    note = (
        f"{receivers} receivers, {letters} letters; 20 % dropped, 20 % of the rest delayed up to 0.5 s, 20 % repeated"
    )
    figure("link, bad line: receivers without the full text", wrong, 0, note=note)
    figure("link, bad line: receivers with a letter twice or out of order", order, 0, note=note)
    assert all(end.refusals.counts["replayed"] > 0.1 * letters for end in ends)


def test_a_bad_line_loses_nothing(figure):
    over_a_bad_line(3, 400, 1, figure)


@pytest.mark.full
def test_a_bad_line_loses_nothing_of_ten_thousand_letters(figure):
    over_a_bad_line(8, 10_000, 2, figure)


@pytest.mark.parametrize("seed", range(5))
def test_a_signer_that_dies_leaves_its_missing_letters_reported_exactly(seed):
    network = VirtualNetwork(seed, drop=0.2, delay=0.2, repeat=0.2)
    sender = network.sender()
    ends = [network.receiver(f"r{i}") for i in range(4)]
    for letter in TEXT:
        sender.put(letter)
    network.step([sender, *ends])
    network.cut = True  # nothing comes any more, and what was asked for will not
    while not all(end.outcomes for end in ends):
        network.step(ends, 0.1)
    for end in ends:
        outcome = next(iter(end.outcomes.values()))
        missing = {i for a, b in outcome.missing for i in range(a, b + 1)}
        assert outcome.cut and not outcome and missing
        assert outcome.letters == tuple("?" if i in missing else TEXT[i] for i in range(len(outcome.letters)))
        assert "".join(end.player.letters) == outcome.text.replace("?", "")
        assert network.now < 12.0


def test_hostile_messages_are_refused_and_nothing_moves(caplog):
    network = VirtualNetwork()
    end = network.receiver()
    sealer = Sealer(TOKEN, "sign", "anna", network.clock)
    letter = {"call": "0" * 16, "index": 0, "letter": "A", "alphabet": "italian", "born": 0}
    eve = Sealer("the token of somebody else", "sign", "anna", network.clock)
    good = sealer.seal("letter", **letter)
    stale = sealer.seal("letter", **letter | {"call": "1" * 16})
    hostile = {
        "unauthenticated": [eve.seal("letter", **letter), good[:-2] + b"B}", good[:40] + b"\0" + good[41:]],
        "oversized": [bytes(10_000_000), good + bytes(10_000_000)],
        "foreign": [b"", b"GET / HTTP/1.1\r\n\r\n", bytes(64)],
        "version": [good[:3] + b"\x07" + good[4:]],
        "invalid": [sealer.seal("letter", **letter | {"index": -1}), sealer.seal("letter", **letter | {"letter": "rm -rf /"})],
        "misplaced": [sealer.seal("here", robot="x", alphabet="italian")],
    }  # fmt: skip
    for rows in hostile.values():
        for data in rows:
            end.handle(data)
    network.now += 60.0
    end.handle(stale)
    while end.play_next():
        pass
    assert end.player.letters == []
    assert end.refusals.counts == {**{why: len(rows) for why, rows in hostile.items()}, "stale": 1}
    assert all(f"({why}, " in caplog.text for why in (*hostile, "stale"))
    fresh = sealer.seal("letter", **letter)
    for _ in range(3):
        end.handle(fresh)
    assert end.play_next() and not end.play_next()
    assert end.player.letters == ["A"] and end.refusals.counts["replayed"] == 2


def test_a_recorded_call_played_again_does_nothing(tmp_path):
    network = VirtualNetwork()
    sender, end = network.sender(), network.receiver(journal=PlayedJournal(tmp_path / "j.jsonl"))
    spell(network, sender, [end], "CIAO")
    recorded = [data for topic, data in network.seen if topic == LETTERS]
    for data in recorded:
        end.handle(data)
    assert end.player.letters == list("CIAO") and end.refusals.counts == {"replayed": len(recorded)}
    end.close()
    # a new program has seen none of the numbers: what was sealed before it began is refused, and the journal knows the call
    for begun in (None, 0):
        again = network.receiver(journal=PlayedJournal(tmp_path / "j.jsonl"))
        again._opener._begun = again._opener._begun if begun is None else begun
        for data in recorded:
            again.handle(data)
            network.step([again])
        assert again.player.letters == [] and not again.play_next()
        assert (again.refusals.counts["stale"] == len(recorded)) == (begun is None)
        again.journal.close()


def test_killed_in_the_middle_of_a_word_it_goes_on(tmp_path):
    network = VirtualNetwork()
    sender, other = network.sender(), network.receiver("other")
    first = network.receiver("hand", journal=PlayedJournal(tmp_path / "j.jsonl"))
    for end in (first, other):
        end.announce()
    for letter in "ARRIV":
        sender.put(letter)
    network.step([sender, other], 0.02)
    for _ in range(3):
        first.play_next()  # it is on the fourth letter when it dies
    network.unsubscribe(first.handle)
    first.journal.close()
    for letter in "EDE":
        sender.put(letter)
        network.step([sender, other])
    second = network.receiver("hand", journal=PlayedJournal(tmp_path / "j.jsonl"))
    second.announce()
    for letter in "RCI":
        sender.put(letter)
        network.step([sender, other, second])
    sender.end()
    for _ in range(200):
        network.step([sender, other, second])
    assert first.player.letters + second.player.letters == list("ARRIVEDERCI")
    assert next(iter(second.outcomes.values())).text == "ARRIVEDERCI"
    result = sender.result()
    assert result and {r.name: r.played for r in result.receivers} == {"hand": 11, "other": 11}


def test_another_alphabet_a_refusing_robot_and_one_that_fails():
    class Choosy(LoggingPlayer):
        def play(self, letter, index):
            if letter == "X":
                raise InputError("the board does not answer.")
            if letter == "Y":
                raise ZeroDivisionError("a mistake")
            return "it is not allowed." if letter == "B" else super().play(letter, index)

    network = VirtualNetwork()
    sender, ends = (
        network.sender(),
        [network.receiver("a", Choosy()), network.receiver("b", LoggingPlayer(alphabet="other"))],
    )
    one, two = spell(network, sender, ends, "ABCXYA")
    assert one.discarded[:2] == ((1, "B", "it is not allowed."), (3, "X", "the board does not answer."))
    assert one.discarded[2] == (4, "Y", "the robot failed: ZeroDivisionError: a mistake.")
    assert ends[0].player.letters == ["A", "C", "A"] and not one
    assert len(two.discarded) == 6 and ends[1].player.letters == []
    assert "it is of the alphabet 'italian', and this receiver has 'other'" in str(two)


def test_one_call_after_the_other_and_not_too_many():
    network = VirtualNetwork()
    anna, bruno, end = network.sender(name="anna"), network.sender(name="bruno"), network.receiver()
    for pair in zip("CIAO", "MARE", strict=True):
        anna.put(pair[0])
        bruno.put(pair[1])
        network.step([end])
    anna.end()
    bruno.end()
    for _ in range(50):
        network.step([anna, bruno, end])
    assert "".join(end.player.letters) == "CIAOMARE"
    crowd = Sealer(TOKEN, "sign", "crowd", network.clock)
    for i in range(40):
        end.handle(crowd.seal("count", call=f"{i:016x}", count=1, closed=False, over=False))
    assert end.refusals.counts["busy"] == 8


def test_bad_names():
    for name in ("", "a/b", "../x", "x" * 65, "a b"):
        with pytest.raises(InputError, match="named by up to 64 letters"):
            LinkReceiver(VirtualNetwork(), TOKEN, LoggingPlayer(), name=name)


def attacked(count, seed, figure):
    """A line that is listened to and attacked while a text goes over it: what was read, what was shown that was not sent."""
    rng, network = np.random.default_rng(seed), VirtualNetwork()
    sender, end = network.sender(), network.receiver("anna")
    tokens = [TOKEN[:-1], TOKEN.upper(), TOKEN + "x", "", *(f"guess number {i}" for i in range(6))]
    eves = [Opener(token, room, network.clock) for token in tokens for room in ("sign", "")] + [
        Opener(TOKEN, "room2", network.clock)
    ]
    forgers = [Sealer(token, "sign", "signer", network.clock) for token in tokens]
    body = {"call": "0" * 16, "index": 0, "letter": "X", "alphabet": "italian", "born": 0}
    end.announce()
    read = tried = 0
    text = (TEXT * (1 + count // (40 * len(TEXT))))[: max(40, count // 40)]
    for letter in text:
        sender.put(letter)
        network.step([sender, end])
        seen = [data for _, data in network.seen[-4:]]
        for _ in range(40):
            tried += 1
            data, kind = bytearray(seen[rng.integers(len(seen))]), tried % 5
            if kind == 0:
                data[rng.integers(len(data))] ^= 1 << int(rng.integers(8))
            elif kind == 1:
                data = data[: rng.integers(len(data))]
            elif kind == 2:
                data = bytearray(forgers[rng.integers(len(forgers))].seal("letter", **body))
            elif kind == 3:
                data = bytearray(rng.bytes(int(rng.integers(0, 5000))))
            end.handle(bytes(data))  # kind 4: the same again
            sender.handle(bytes(data))
        for eve in eves:
            for data in seen:
                with contextlib.suppress(Refused):
                    read += eve.open(data) is not None
    sender.end()
    for _ in range(2000):
        if end.outcomes:
            break
        network.step([sender, end])
    shown = "".join(end.player.letters)
    figure("link, attacked: messages that were read without the token", read, 0, note=f"{tried} attack messages")
    figure("link, attacked: letters shown that were not sent, or lost", int(shown != text), 0)


def test_an_attacked_line_is_neither_read_nor_moved(figure):
    attacked(2_000, 5, figure)


@pytest.mark.full
def test_an_attacked_line_is_neither_read_nor_moved_by_twenty_thousand(figure):
    attacked(20_000, 6, figure)
