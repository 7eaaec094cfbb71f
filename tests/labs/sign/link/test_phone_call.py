"""A call with turns: both directions intact, nobody signs out of turn, hanging up is heard."""

import socket
import threading

import numpy as np
import pytest
from link_network import TOKEN

from carpal.errors import InputError
from carpal.labs.sign import LoggingPlayer, PhoneCall, ZenohTransport
from carpal.labs.sign.link.transport import InProcess

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def words(count, seed):
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list(LETTERS), rng.integers(2, 10))) for _ in range(count)]


def conversation(line, other, count):
    """Words said and heard at both ends, each in a turn of its own."""
    ours, theirs = words(count, 1), words(count, 2)
    heard = {"anna": [], "bruno": []}
    failed = []

    def answer(end):
        try:
            for word in theirs:
                heard["bruno"].append(end.listen(60).text)
                assert end.say(word)
        except Exception as problem:
            failed.append(problem)

    with (
        PhoneCall(line, TOKEN, LoggingPlayer(), name="anna", first=True) as anna,
        PhoneCall(other, TOKEN, LoggingPlayer(), name="bruno", first=False) as bruno,
    ):
        assert anna.connected(20) and bruno.connected(20)
        thread = threading.Thread(target=answer, args=(bruno,))
        thread.start()
        for word in ours:
            assert anna.say(word)
            heard["anna"].append(anna.listen(60).text)
        thread.join(60)
        anna.hang_up()
        last = bruno.listen(10)
    assert not failed and last.letters == () and str(last) == "anna hung up."
    return sum(a != b for a, b in zip(ours + theirs, heard["bruno"] + heard["anna"], strict=True))


def test_a_call_of_100_words_in_both_directions(figure):
    with InProcess() as line:
        figure("link, a call: words of 100 in each direction that came otherwise", conversation(line, line, 100), 0)


@pytest.mark.xdist_group("link")
def test_the_same_over_zenoh(figure):
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        address = f"tcp/127.0.0.1:{there.getsockname()[1]}"
    with ZenohTransport(listen=[address]) as line, ZenohTransport(connect=[address]) as other:
        wrong = conversation(line, other, 100)
        figure("link, a call over Zenoh: words of 100 in each direction that came otherwise", wrong, 0)


def test_out_of_turn():
    with InProcess() as line, PhoneCall(line, TOKEN, LoggingPlayer(), name="anna", first=True) as anna:
        with pytest.raises(InputError, match="it is anna's turn to sign"):
            anna.listen(1)
        with PhoneCall(line, TOKEN, LoggingPlayer(), name="bruno", first=False) as bruno:
            assert bruno.connected(10) and not bruno.has_turn
            with pytest.raises(InputError, match="it is not bruno's turn"):
                bruno.say("CIAO")
            # who signs all the same is not shown before the own turn is over
            bruno.sender.send("MARE", timeout=0.3)
            assert anna.receiver.player.letters == []
            assert anna.connected(10) and anna.say("CIAO", timeout=10)
            assert anna.receiver.wait(10).text == "MARE"


def test_an_end_that_is_gone_is_noticed(monkeypatch):
    from carpal.labs.sign.link import phone_call

    monkeypatch.setattr(phone_call, "GONE", 0.5)
    with InProcess() as line, PhoneCall(line, TOKEN, LoggingPlayer(), name="anna", first=False) as anna:
        with PhoneCall(line, TOKEN, LoggingPlayer(), name="bruno", first=True):
            assert anna.connected(10)
        assert anna.listen(30) is None
