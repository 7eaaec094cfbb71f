"""The reference firmware, compiled for this machine with a small stand-in for Arduino, behind a pseudo-terminal."""

import os
import pty
import shutil
import subprocess
import time
import tty
from pathlib import Path

import numpy as np
import pytest

from carpal.errors import DeviceError
from carpal.labs.sign.board.faulty_board import LossyPort
from carpal.labs.sign.board.frame_line import FrameLine
from carpal.labs.sign.board.motor_board import MotorBoard
from carpal.labs.sign.board.ports import SerialPort
from carpal.labs.sign.board.simulated_board import PERIOD

SKETCH = Path(__file__).parents[4] / "docs" / "firmware" / "carpal_pca9685" / "carpal_pca9685.ino"
ARDUINO = """
#pragma once
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <unistd.h>
#include <poll.h>
inline uint32_t millis() { timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000u + t.tv_nsec / 1000000; }
struct SerialStub {
  void begin(uint32_t) {}
  int available() { pollfd p{0, POLLIN, 0}; int n = poll(&p, 1, 50); if (n > 0 && !(p.revents & POLLIN)) _exit(0); return n > 0; }
  int read() { uint8_t c; if (::read(0, &c, 1) != 1) _exit(0); return c; }
  void write(const uint8_t* d, unsigned n) { while (n) { int k = ::write(1, d, n); if (k < 0) _exit(0); d += k; n -= k; } }
};
static SerialStub Serial;
"""
WIRE = """
#pragma once
#include <cstdio>
#include <cstdint>
struct WireStub {
  void begin() {}
  void beginTransmission(uint8_t a) { fprintf(stderr, "%d", a); }
  void write(uint8_t v) { fprintf(stderr, " %d", v); }
  void endTransmission() { fprintf(stderr, "\\n"); fflush(stderr); }
};
static WireStub Wire;
"""
MAIN = '#include "Arduino.h"\n#include "SKETCH"\nint main() { setup(); while (true) loop(); }\n'


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    folder = tmp_path_factory.mktemp("firmware")
    (folder / "Arduino.h").write_text(ARDUINO)
    (folder / "Wire.h").write_text(WIRE)
    (folder / "main.cpp").write_text(MAIN.replace("SKETCH", str(SKETCH)))
    subprocess.run(
        [compiler, "-std=c++17", "-Wall", "-I", folder, "-o", folder / "board", folder / "main.cpp"], check=True
    )
    return folder / "board"


@pytest.fixture
def board(built, tmp_path):
    master, slave = pty.openpty()
    tty.setraw(slave)
    tty.setraw(master)
    with (tmp_path / "i2c").open("w") as log:
        process = subprocess.Popen([built], stdin=master, stdout=master, stderr=log)
        yield os.ttyname(slave), tmp_path / "i2c"
        process.terminate()
        process.wait()
    os.close(slave)
    os.close(master)


def pulses(log, channel):
    """[us] of the pulses that the chip was told for a channel, in order."""
    rows = [[int(word) for word in line.split()] for line in log.read_text().splitlines()]
    return [(row[4] | row[5] << 8) * 1e6 / (4096 * 50) for row in rows if len(row) == 6 and row[1] == 6 + 4 * channel]


def test_set_points_become_pulses(board):
    port, log = board
    end = MotorBoard(SerialPort(port), 3, open_loop=True)
    assert end.low == pytest.approx([0, 0, -0.5]) and end.high == pytest.approx([1.5, 1.5, 0.5])
    assert np.isinf(end.most_load).all()
    end.start()
    assert not pulses(log, 0)  # nothing moves before the first set-point
    for k in range(1, 11):
        sensed = end.set(np.array([0.04, 0.03, 0.02]) * k - [0, 0, 0.5])
    assert sensed.position == pytest.approx([0.4, 0.3, -0.3], abs=1e-6) and not sensed.measured and not sensed.holding
    for channel, wanted in enumerate((600 + 1800 * 0.4 / 1.5, 600 + 1800 * 0.3 / 1.5, 2000 - 1000 * 0.2)):
        assert pulses(log, channel)[-1] == pytest.approx(wanted, abs=1e6 / (4096 * 50))
        assert len(pulses(log, channel)) == 10
    assert "64 254 121" in log.read_text()  # 50 Hz: 25 MHz / 4096 / 50 - 1


def test_without_open_loop_it_is_refused_and_bad_set_points_are_faults(board):
    port, log = board
    with pytest.raises(DeviceError, match="does not measure where its motors stand"):
        MotorBoard(SerialPort(port), 3).start()
    line = FrameLine(SerialPort(port))
    line.about()
    for values, why in (
        ([9, 0, 0], "outside the motors' range"),
        ([np.nan, 0, 0], "not a finite"),
        ([0, 0], "number of set-points"),
    ):
        with pytest.raises(DeviceError, match=why):
            line.set(np.array(values, float))
    assert not pulses(log, 0)


class Serial(LossyPort):
    """A serial line that loses, changes and delays bytes."""

    def __init__(self, path, rng, share):
        self._line = SerialPort(path)
        self._rng, self._share, self._late = rng, share, {"out": b"", "back": b""}

    def write(self, data):
        self._line.write(self._spoilt(data, "out"))

    def read(self, timeout):
        return self._spoilt(self._line.read(timeout), "back")


@pytest.mark.parametrize("cycles", [60, pytest.param(10_000, marks=pytest.mark.full)])
def test_no_wrong_pulse_is_made_on_a_bad_line(board, cycles, monkeypatch, figure):
    from carpal.labs.sign.board import frame_line

    monkeypatch.setattr(frame_line, "ANSWER", 0.03)
    monkeypatch.setattr(frame_line, "TRIES", 25)
    port, log = board
    rng = np.random.default_rng(5)
    end = MotorBoard(Serial(port, np.random.default_rng(6), 0.05), 3, open_loop=True)
    end.start()
    goal, allowed = np.array([0.0, 0.0, -0.5]), []
    for _ in range(cycles):
        goal = np.clip(goal + rng.uniform(-0.05, 0.06, 3), end.low, end.high)
        goal = np.clip(goal, end._last - 0.9 * end.speed * PERIOD, end._last + 0.9 * end.speed * PERIOD)
        sensed = end.set(goal)
        assert sensed.position == pytest.approx(goal, abs=1e-6)
        allowed.append(int((600 + 1800 * np.float32(goal[0]) / 1.5) * 4096 * 50 / 1e6 + 0.5) * 1e6 / (4096 * 50))
    made = pulses(log, 0)
    wrong = sum(min(abs(one - want) for want in allowed) > 5 for one in made)
    figure(
        f"PCA9685 firmware, {cycles} set-points, 5 % of the pieces spoilt: pulses that were never asked for", wrong, 0
    )
    # every set-point was made once, and in its order, however often its frame was repeated
    assert len(made) == cycles and max(abs(a - b) for a, b in zip(made, allowed, strict=True)) <= 5


def test_the_watchdog_is_reported(board):
    line = FrameLine(SerialPort(board[0]))
    line.about()
    assert not line.stop().holding and not line.set(np.array([0.1, 0.1, 0.0])).holding
    time.sleep(0.3)
    assert line.stop().holding and not line.set(np.array([0.1, 0.1, 0.0])).holding
