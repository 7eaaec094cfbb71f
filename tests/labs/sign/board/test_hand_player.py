"""A robot at the end of the line: letters come through its board, limits are kept here, forged messages move nothing."""

import functools

import numpy as np
import pytest
from link_network import TOKEN, VirtualNetwork, spell
from sign_robots import HandInMuJoCo, signer

from carpal.errors import DeviceError
from carpal.labs.sign import HandPlayer
from carpal.labs.sign.board import frame_line
from carpal.labs.sign.board.faulty_board import KINDS_OF_FAULT, LINE_FAULTS, MOTOR_FAULTS, FaultyBoard, LossyPort
from carpal.labs.sign.board.ports import MemoryPort
from carpal.labs.sign.board.simulated_board import PERIOD, SimulatedBoard
from carpal.labs.sign.link.seal import Sealer


@functools.cache
def player(robot):
    return HandPlayer(signer(robot))


def board():
    return player("parloma").line.port.board


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
    assert who.begin()
    assert [who.play("A", 0), who.play("B", 1)] == [
        "the robot is stopped: the serial device is gone: Input/output error."
    ] * 2
    who.rest()
    with pytest.raises(DeviceError, match="motors where this robot needs"):
        HandPlayer(signer("parloma"), port=MemoryPort(SimulatedBoard([0], [1], [1], [0])))


class KillError(BaseException):
    """The process ends here."""


class Mortal(MemoryPort):
    """A port through which the process is killed at its n-th frame."""

    left = 10**9

    def write(self, data):
        self.left -= 1
        if self.left < 0:
            raise KillError
        super().write(data)


def killed_and_restarted(count, seed):
    """A board after so many kills at random moments: each new process finds the motors where the last one left them."""
    rng, base = np.random.default_rng(seed), player("parloma").simulated()
    there = SimulatedBoard(base.low, base.high, base.speed, base.position, base._load)
    for _ in range(count):
        port = Mortal(there)
        port.left = int(rng.integers(20, 500))
        try:
            who = HandPlayer(signer("parloma"), port=port)
            for i, letter in enumerate(rng.choice(list("ABCDEFGHIKLOPQRSTUVWXYZ"), 12)):
                assert who.play(str(letter), i) == ""
        except KillError:
            pass
        there.idle(1.0)  # the watchdog
        if rng.random() < 0.5:  # and somebody moves the wrist and the thumb a little
            moved = there.position + rng.uniform(-0.02, 0.02, len(base.low)) * (base.speed > 1)
            there.position = np.clip(moved, base.low, base.high)
    assert HandPlayer(signer("parloma"), port=MemoryPort(there)).begin()
    return there


@pytest.mark.parametrize(("count", "seed"), [(3, 0), pytest.param(50, 1, marks=pytest.mark.full)])
def test_a_killed_process_begins_where_it_left_the_motors(count, seed, figure):
    """Recomputed from the board's log alone: speeds by differences, collisions by MuJoCo."""
    there, ready = killed_and_restarted(count, seed), signer("parloma")
    goals, at = (np.array([row[k] for row in there.log]) for k in (1, 2))
    limits = ready.behaviour.speed * there.speed
    # the first set-point after a start is one period from where the motors stood, not from the last set-point
    step = np.minimum(np.abs(np.diff(goals, axis=0)), np.abs(goals[1:] - at[:-1]))
    figure("fastest set-point after a kill, share of the limit", (step / PERIOD / limits).max(), 1.001)
    n = ready.mounted.arm.nq
    rows = goals[:: max(1, len(goals) // 3000)]
    q = ready.mounted.configuration(rows[:, :n], ready.hand.joints(rows[:, n:]))
    other = HandInMuJoCo(ready.mounted.model)
    assert sum(other.touching(row) for row in q) == 0


def test_a_robot_left_anywhere_goes_to_its_start_or_says_why_not():
    rng, base, ready = np.random.default_rng(4), player("parloma").simulated(), signer("parloma")
    n = ready.mounted.arm.nq
    for _ in range(4):
        x = rng.uniform(base.low, base.high)
        x[n:] = np.clip(ready.mover.rest, base.low[n:], base.high[n:])
        there = SimulatedBoard(base.low, base.high, base.speed, x, base._load)
        who = HandPlayer(ready, port=MemoryPort(there))
        if who.begin():
            assert np.abs(there.position - who.stream.x).max() < 1e-2
        else:
            assert there.moved == 0 and ("freed by hand" in who.fault or "no collision-free path" in who.fault)


@pytest.mark.parametrize("kind", KINDS_OF_FAULT)
def test_every_fault_of_a_board_stops_the_hand_with_a_sentence(kind, monkeypatch):
    monkeypatch.setattr(frame_line, "ANSWER", 0.01)
    base, ready = player("parloma").simulated(), signer("parloma")
    motor = base.low.size - 2  # a finger's tendon, which pulls when the fault begins
    there = FaultyBoard.of(base, kind, 38, motor)
    who = HandPlayer(ready, port=MemoryPort(there))
    said = who.play("C", 0)
    assert said.startswith("the robot is stopped: ") and said.count(".") >= 1 and not who.letters
    assert who.play("A", 1) == said and there.accepted <= (6 if kind == "motor slips" else 2)
    assert there.position.tolist() == there._goal.tolist() or kind in LINE_FAULTS or kind in MOTOR_FAULTS


def test_500_newton_is_never_a_letter_and_a_repaired_board_goes_on():
    base = player("parloma").simulated()
    there = FaultyBoard.of(base, "load is 500 N", 30, len(base.low) - 1)
    who = HandPlayer(signer("parloma"), port=MemoryPort(there))
    assert "bears 500 N or N m, 200 allowed" in who.play("A", 0) and not who.letters
    assert not who.reconnect() and "bears 500 N" in who.fault
    there.kind = "load is not a number"
    there.after = 10**9
    assert who.reconnect() and who.play("A", 0) == "" and [shown.letter for shown in who.letters] == ["A"]


def test_slower_and_smaller_boards_bound_the_set_points():
    base, ready = player("parloma").simulated(), signer("parloma")
    slow = SimulatedBoard(base.low, base.high, 0.1 * base.speed, base.position)
    who = HandPlayer(ready, port=MemoryPort(slow))
    assert who.play("C", 0) == ""
    goals = np.array([row[1] for row in slow.log])
    assert (np.abs(np.diff(goals, axis=0)) / PERIOD / slow.speed).max() < 1.0001
    low, high = base.low.copy(), base.high.copy()
    high[-1] = 0.5 * high[-1]
    small = SimulatedBoard(low, high, base.speed, np.clip(base.position, low, high))
    who = HandPlayer(ready, port=MemoryPort(small))
    assert "leaves the board's range of motor" in who.play("A", 0) and not who.letters


def test_lost_and_changed_bytes_move_nothing_wrongly(monkeypatch):
    monkeypatch.setattr(frame_line, "ANSWER", 0.002)
    monkeypatch.setattr(frame_line, "TRIES", 12)
    base, ready = player("parloma").simulated(), signer("parloma")
    there = SimulatedBoard(base.low, base.high, base.speed, base.position)
    lossy = HandPlayer(ready, port=LossyPort(there, np.random.default_rng(2), 0.2))
    clean = HandPlayer(ready, port=MemoryPort(SimulatedBoard(base.low, base.high, base.speed, base.position)))
    for who in (lossy, clean):
        assert [who.play(letter, i) for i, letter in enumerate("CI")] == ["", ""]
    again = clean.line.port.board
    assert len(there.log) == len(again.log)
    assert np.allclose([row[1] for row in there.log], [row[1] for row in again.log], atol=1e-6)
