"""An SO-101 of simulated servos on a pseudo-terminal: targets reached or refused with the true reason, faults, a pulled cable."""

import contextlib
import threading
import time

import numpy as np
import pytest

import carpal
from carpal.control import Disorder, FeetechBus, ServoLine, SimulatedServos
from carpal.errors import DeviceError, InputError
from carpal.tasks import ServoArm

ARM = carpal.load("so101")
FAST = {"speed": 6.0, "acceleration": 60.0}


@contextlib.contextmanager
def an_arm(start=None, back=None, **options):
    servos = SimulatedServos("sts", dict(enumerate(ARM.q_home if start is None else start, start=1)))
    with ServoLine(servos, back=back) as line:
        bus = FeetechBus(line.port)
        try:
            yield ServoArm(bus, ARM, **{**FAST, **options}), line
        finally:
            bus.close()


def targets(count, seed=3):
    """Half of them where the arm can be, half anywhere around it."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        if k % 2:
            X = carpal.fk(ARM, rng.uniform(0.8 * ARM.q_min, 0.8 * ARM.q_max))
            yield X[:3, 3], X[:3, :3] @ ARM.tool_axis
        else:
            direction = rng.normal(size=3)
            yield rng.uniform((-0.1, -0.4, -0.1), (0.5, 0.4, 0.5)), direction / np.linalg.norm(direction)


def check_targets(count):
    reached = refused = 0
    low, high = np.asarray(ARM.q_min), np.asarray(ARM.q_max)
    with an_arm() as (arm, _):
        for point, direction in targets(count):
            start = arm.read()
            move = arm.move_to(point, direction)
            if move.ok:
                X = carpal.fk(ARM, arm.read())
                assert np.linalg.norm(X[:3, 3] - point) < 0.02 and X[:3, :3] @ ARM.tool_axis @ direction > 0.99
                assert (move.command >= np.minimum(low, start) - 1e-9).all()
                assert (move.command <= np.maximum(high, start) + 1e-9).all()
                reached += 1
                continue
            assert move.status.startswith("not moved: "), move.status
            solutions = carpal.ik_all(ARM, (point, direction), q0=np.clip(start, low, high))
            allowed = [q for q, good in zip(solutions.q, solutions.in_limits, strict=True) if good]
            if allowed:  # then every straight motion goes below the floor
                assert "is the floor" in move.status
                for q in allowed:
                    way = start + np.linspace(0, 1, 200)[:, None] * (q - start)
                    lowest = min(carpal.fk(ARM, way, name)[:, 2, 3].min() for name in (*ARM.frames,))
                    assert lowest < 1e-3
            refused += 1
    assert reached > count / 8 and refused > count / 8 and reached + refused == count


def test_targets_are_reached_or_refused_with_the_true_reason():
    check_targets(12)


@pytest.mark.full
def test_a_thousand_targets():
    check_targets(1000)


def test_it_starts_anywhere_and_keeps_its_speed():
    rng = np.random.default_rng(1)
    for k in range(3):
        start = rng.uniform(ARM.q_min, ARM.q_max) + (0.04 if k == 2 else 0.0)  # also a little beyond a limit
        with an_arm(start, floor=None, speed=3.0) as (arm, _):
            move = arm.move_joints(ARM.q_home)
            assert move.ok, move.status
            assert np.abs(move.command[0] - start).max() < 0.1  # no jump
            speeds = np.abs(np.diff(move.command, axis=0)) / np.diff(move.time)[:, None]
            assert speeds.max() < 3.0 * (1 + 1e-6)  # also after a pause of the machine
            assert np.abs(arm.read() - ARM.q_home).max() < 0.03


def test_a_pulled_cable_in_motion_is_one_sentence():
    with an_arm(speed=1.0) as (arm, line):
        pull = threading.Timer(0.4, line.unplug)
        pull.start()
        move = arm.move_joints([1.0, -0.5, 0.5, 0.3, 0.2, 0.4])
        pull.join()
        assert not move.ok and move.status.startswith("stopped: ") and "\n" not in move.status
        assert len(move.time) and np.abs(move.q[-1]).max() < 0.99  # on the way
        with pytest.raises(DeviceError):
            arm.read()
        again = arm.move_joints(ARM.q_home)
        assert not again and again.status.startswith("not moved: the serial port")


def test_lost_bytes_do_not_move_it_elsewhere():
    with an_arm(back=Disorder(5, 0.05, ("lost",))) as (arm, _):
        goal = np.array([0.5, -0.4, 0.6, 0.2, -0.3, 0.5])
        move = arm.move_joints(goal)
        assert move.ok and np.abs(arm.read() - goal).max() < 0.03
        assert arm.bus.retries > 0


def test_a_stop_holds_it_where_it_is():
    with an_arm(speed=1.0) as (arm, _):
        end = time.monotonic() + 0.5
        move = arm.move_joints([1.5, 0, 0, 0, 0, 0], stopped=lambda: time.monotonic() > end)
        assert not move.ok and "asked to stop" in move.status
        here = arm.read()
        assert 0.0 < here[0] < 1.2
        time.sleep(0.3)
        assert abs(arm.read()[0] - here[0]) < 0.05


def test_signs_offsets_and_ids():
    start = {3: 0.1, 2: -0.2, 1: 0.0, 4: 0.0, 5: 0.0, 6: 0.0}
    with ServoLine(SimulatedServos("sts", start)) as line:
        bus = FeetechBus(line.port)
        arm = ServoArm(
            bus, ARM, {"shoulder_pan": 3, "elbow_flex": 1}, signs={"shoulder_pan": -1.0}, offsets={"shoulder_lift": 0.5}
        )
        assert np.allclose(arm.read(), [-0.1, 0.3, 0, 0, 0, 0], atol=2e-3)
        assert arm.move_joints([0.2, 0.3, 0, 0, 0, 0]).ok
        assert abs(bus.read([3]).position[0] + 0.2) < 0.02
        with pytest.raises(InputError, match="ids name 'elbow', which is no joint"):
            ServoArm(bus, ARM, {"elbow": 1})
        assert "would go" in arm.move_joints([9, 0, 0, 0, 0, 0]).status
        with pytest.raises(InputError, match="6 finite numbers"):
            arm.move_joints([0, 0, np.nan, 0, 0, 0])
        bus.close()
