"""Frames of a motor board: found in any pieces and through noise, never with a wrong byte."""

import numpy as np

from carpal.labs.sign.board.frames import (
    ASK,
    SENSED,
    SET,
    Frame,
    FrameReader,
    Sensed,
    cycle_time,
    frame_bytes,
    pack_values,
    unpack_values,
)


def test_any_pieces_and_noise():
    rng = np.random.default_rng(0)
    frames = [Frame(SET, i, rng.bytes(int(rng.integers(0, 200)))) for i in range(200)]
    stream = b"".join(rng.bytes(int(rng.integers(0, 5))).replace(b"\xa5", b"") + frame_bytes(f) for f in frames)
    reader, found, at = FrameReader(), [], 0
    while at < len(stream):
        n = int(rng.integers(1, 60))
        found += reader.feed(stream[at : at + n])
        at += n
    assert found == frames


def test_no_altered_frame_is_taken():
    good = frame_bytes(Frame(SET, 7, pack_values([0.1, -0.2, 0.3])))
    for at in range(len(good)):
        for bit in range(8):
            bad = bytearray(good)
            bad[at] ^= 1 << bit
            # a length that became longer may wait for more: what follows completes it, and must not be lost for good
            reader = FrameReader()
            found = list(reader.feed(bytes(bad) + bytes(1100) + frame_bytes(Frame(ASK, 1))))
            assert found == [Frame(ASK, 1)]


def test_values():
    rows = unpack_values(pack_values([1.0, 2.0], [3.0, 4.5]), 2)
    assert rows == [(1.0, 2.0), (3.0, 4.5)] and unpack_values(bytes(5), 1) is None


def test_sensor_values_come_back():
    sent = Sensed(np.array([0.5, -0.25]), np.array([1.0, 2.0]), True, np.array([25.0, 40.0]), False)
    found = Sensed.from_payload(sent.payload(), 2)
    assert np.array_equal(found.position, sent.position) and np.array_equal(found.load, sent.load)
    assert found.holding and not found.measured and np.array_equal(found.temperature, sent.temperature)
    assert Sensed.from_payload(sent.payload(), 3) is None and Sensed.from_payload(b"", 2) is None
    assert Sensed.from_payload(sent.payload()[:-1] + b"\x09", 2) is None


def test_a_cycle_takes_the_time_of_its_bytes():
    for motors in (1, 13, 20, 64):
        sensed = Sensed(*(np.zeros(motors) for _ in range(2)), False, np.zeros(motors)).payload()
        sizes = [
            len(frame_bytes(Frame(SET, 1, pack_values(np.zeros(motors))))),
            len(frame_bytes(Frame(SENSED, 1, sensed))),
        ]
        assert cycle_time(motors, 115_200) == sum(sizes) * 10 / 115_200
    assert 0.029 < cycle_time(20, 115_200) < 0.030
