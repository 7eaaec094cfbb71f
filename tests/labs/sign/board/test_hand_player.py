"""A robot at the end of the line: letters come through its board, limits are kept here, forged messages move nothing."""

import functools

import numpy as np
import pytest
from link_network import TOKEN, VirtualNetwork, spell
from sign_robots import signer

from carpal.errors import DeviceError
from carpal.labs.sign import HandPlayer
from carpal.labs.sign.board.ports import MemoryPort
from carpal.labs.sign.board.simulated_board import SimulatedBoard
from carpal.labs.sign.link.seal import Sealer


@functools.cache
def player(robot):
    return HandPlayer(signer(robot))


def board():
    return player("parloma").board._port.board


def test_letters_come_through_the_board():
    who = player("parloma")
    who.letters.clear()
    n = who.signer.mounted.arm.nq
    assert [who.play(letter, i) for i, letter in enumerate("CI O")] == [""] * 4
    assert [shown.letter for shown in who.letters] == ["C", "I", "O"]
    for shown in who.letters:
        fingers = [i for i in range(len(who.signer.hand.commands)) if i not in who.signer.hand.wrist]
        asked = who.signer.letters[shown.letter].commands[fingers]
        assert np.abs(shown.sensed[shown.shown, n:][fingers] - asked).max() < 2e-3
        assert who.configurations(shown.sensed).shape == (len(shown.time), who.signer.mounted.model.nq)
        pulled = shown.sensed[shown.shown, n:][who.signer.hand.tendons] > 1e-3
        assert (shown.load[n:][who.signer.hand.tendons][pulled] > 0.5).all()
    who.rest()
    assert np.abs(board().position[:n] - who.stream.x[:n]).max() < 1e-2


def test_unauthenticated_replayed_altered_and_huge_messages_do_not_move_it():
    who, there = player("parloma"), board()
    network = VirtualNetwork()
    end = network.receiver("hand", who)
    sealer, eve = (
        Sealer(TOKEN, "sign", "anna", network.clock),
        Sealer("the token of somebody else", "sign", "anna", network.clock),
    )
    letter = {"call": "0" * 16, "index": 0, "letter": "A", "alphabet": "italian", "born": 0}
    good = sealer.seal("letter", **letter)
    before, moved = there.position.copy(), there.moved
    for data in (eve.seal("letter", **letter), good[:-3] + b'B"}', bytes(10_000_000), b"A", good + b" "):
        end.handle(data)
        network.step([end])
    assert there.moved == moved and (there.position == before).all()
    assert sum(end.refusals.counts.values()) == 5
    end.handle(good)
    network.step([end])
    assert there.moved > moved
    at, moved = there.position.copy(), there.moved
    for _ in range(5):
        end.handle(good)
        network.step([end])
    assert there.moved == moved and (there.position == at).all() and end.refusals.counts["replayed"] == 5
    who.rest()


@pytest.mark.full
def test_what_the_robot_cannot_show_is_discarded_with_its_reason():
    network = VirtualNetwork()
    sender, end = network.sender(), network.receiver("hand", player("cuhk"))
    (outcome,) = spell(network, sender, [end], "AMO")
    assert [(i, letter) for i, letter, _ in outcome.discarded] == [(1, "M")] and not outcome
    assert "cannot get into it" in outcome.discarded[0][2] and outcome.text == "AMO"


def test_a_board_that_fails_stops_the_robot():
    class Failing(MemoryPort):
        left = 60

        def write(self, data):
            self.left -= 1
            if self.left < 0:
                raise DeviceError("the serial device is gone: Input/output error.")
            super().write(data)

    who = HandPlayer(signer("parloma"), port=Failing(player("parloma").simulated()))
    assert [who.play("A", 0), who.play("B", 1)] == [
        "the robot is stopped: the serial device is gone: Input/output error."
    ] * 2
    who.rest()
    with pytest.raises(DeviceError, match="motors where this robot needs"):
        HandPlayer(signer("parloma"), port=MemoryPort(SimulatedBoard([0], [1], [1], [0])))
