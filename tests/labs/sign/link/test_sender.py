"""The signing end: who is there, what is sent again, and who does not answer any more."""

import time

import pytest
from link_network import TOKEN, VirtualNetwork, kind_of, spell

from carpal.errors import CarpalError, InputError
from carpal.labs.sign import LinkReceiver, LinkSender, LoggingPlayer, PlayedJournal
from carpal.labs.sign.link.seal import Sealer
from carpal.labs.sign.link.transport import LETTERS, InProcess


def test_eight_receivers_in_one_program():
    with InProcess() as line, LinkSender(line, TOKEN).start() as sender:
        ends = [LinkReceiver(line, TOKEN, LoggingPlayer(f"robot{i}"), name=f"r{i}").start() for i in range(8)]
        assert sender.wait_for(8, 10) and len(sender.receivers) == 8
        result = sender.send("BUONGIORNO")
        assert result and {r.robot for r in result.receivers} == {f"robot{i}" for i in range(8)}
        for end in ends:
            assert end.wait(10).text == "BUONGIORNO"
            end.close()


def test_nobody_and_nothing():
    with InProcess() as line, LinkSender(line, TOKEN).start() as sender:
        assert not sender.wait_for(1, 0.3)
        with pytest.raises(InputError, match="no letter to send"):
            sender.send("")
        for what in (sender.end, sender.result):
            with pytest.raises(InputError, match="send a letter first"):
                what()
    with pytest.raises(InputError, match="a room is named by up to 64 letters"):
        LinkSender(VirtualNetwork(), TOKEN, room="a/b")


def test_without_loss_nothing_is_sent_twice():
    network = VirtualNetwork()
    sender, ends = network.sender(), [network.receiver(f"r{i}") for i in range(4)]
    spell(network, sender, ends, "ARRIVEDERCI" * 20)
    assert sum(topic == LETTERS and kind_of(data) == "letter" for topic, data in network.seen) == 220


def test_a_receiver_that_is_gone_holds_nobody_up():
    network = VirtualNetwork()
    sender, stays, goes = network.sender(patience=2.0), network.receiver("stays"), network.receiver("goes")
    for end in (stays, goes):
        end.announce()
    for letter in "CI":
        sender.put(letter)
        network.step([sender, stays, goes])
    network.step([sender, stays, goes], 0.1)
    network.unsubscribe(goes.handle)
    for letter in "AO":
        sender.put(letter)
        network.step([sender, stays])
    sender.end()
    for _ in range(300):
        network.step([sender, stays])
    result = sender.settled(0.0)
    assert (
        not result
        and "1 of 2 receivers have shown all of them; goes (none): 2 shown, silent since letter 2." in str(result)
    )


def test_who_comes_late_gets_everything():
    network = VirtualNetwork()
    sender = network.sender()
    for letter in "CIA":
        sender.put(letter)
    late = network.receiver("late")
    late.announce()
    for _ in range(30):
        network.step([sender, late])
    sender.put("O")
    sender.end()
    for _ in range(30):
        network.step([sender, late])
    assert late.player.letters == list("CIAO") and sender.result()


def test_answers_are_checked_as_letters_are():
    network = VirtualNetwork()
    sender = network.sender()
    eve = Sealer("the token of somebody else", "sign", "eve", network.clock)
    sender.handle(eve.seal("here", robot="x", alphabet="italian"))
    sender.handle(Sealer(TOKEN, "sign", "anna", network.clock).seal("who"))
    assert sender.receivers == () and sender.refusals.counts == {"unauthenticated": 1, "misplaced": 1}


def test_two_receivers_of_one_name_are_numbered():
    network = VirtualNetwork()
    sender, ends = network.sender(), [network.receiver("anna"), network.receiver("anna")]
    outcomes = spell(network, sender, ends, "CIAO")
    assert sender.receivers == ("anna", "anna (2)") and [outcome.text for outcome in outcomes] == ["CIAO", "CIAO"]
    for _ in range(100):
        network.step([sender, *ends])
    assert all(row.finished for row in sender.result().receivers)


def test_a_restarted_receiver_takes_its_own_name_back():
    network = VirtualNetwork()
    sender, first = network.sender(), network.receiver("anna")
    first.announce()
    network.step([sender, first])
    first.close()  # and never heard of again
    second = network.receiver("anna")
    second.announce()
    for _ in range(150):
        network.step([sender, second])
    assert sender.receivers == ("anna",)
    assert spell(network, sender, [second], "CIAO")[0].text == "CIAO"
    for _ in range(100):
        network.step([sender, second])
    assert sender.result().receivers[0].finished


@pytest.mark.parametrize(("word", "text"), [("stop", "CIA"), ("again", "CIA CIAO"), ("slower", "CIAO")])
def test_receivers_ask_for_what_they_need(word, text):
    class Asking(LoggingPlayer):
        def play(self, letter, index):
            if index == 2:
                self.end.request(word)
            return super().play(letter, index)

    player = Asking()
    with (
        InProcess() as line, LinkSender(line, TOKEN).start() as sender,
        LinkReceiver(line, TOKEN, player, name="anna") as end,
    ):  # fmt: skip
        player.end = end.start()
        assert sender.wait_for(1, 10)
        begun = time.monotonic()
        sender.send("CIAO", pace=1.0)
        said, seconds = end.wait(10).text, time.monotonic() - begun
    assert said == text and (word != "slower" or seconds > 4.0)
    with pytest.raises(CarpalError, match="request 'louder'"):
        end.request("louder")


def test_a_text_is_kept_for_a_receiver_that_comes_back_late():
    network = VirtualNetwork()
    sender = network.sender(patience=600.0)
    journal = PlayedJournal()
    first = network.receiver("anna", journal=journal)
    first.announce()
    for letter in "BUONGIORNO":
        sender.put(letter)
    for _ in range(3):
        network.step([sender, first])
    sender.end()
    first.close()
    for _ in range(3000):  # half a minute without it
        network.step([sender])
    late = network.receiver("anna", journal=journal)
    late.announce()
    for _ in range(300):
        network.step([sender, late])
    (outcome,) = late.outcomes.values()
    assert outcome.text == "BUONGIORNO" and sender.result().receivers[0].finished
