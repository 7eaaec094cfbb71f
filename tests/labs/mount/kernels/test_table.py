"""The table's kernels: the pulley map, drives with faults, sensors with faults, PID."""

import math

import numpy as np

from carpal.labs.mount.kernels import table as k
from carpal.labs.mount.table import drive_table, loop_table, pid_gains


def test_the_map_and_back() -> None:
    for force in ((3.0, -7.0), (0.0, 2.0), (-1.0, 0.0)):
        assert np.allclose(k.table_force(0.02, *k.pulley_torques(0.02, *force)), force, rtol=1e-14)
    assert k.pulley_torques(0.02, 10.0, 0.0) == (-0.1, 0.1)  # +x: pulley 5 backwards, pulley 6 forwards


def test_a_drive_adds_noise_rounds_saturates_and_slips() -> None:
    assert k.driven(drive_table(0.02), 1.234, 5.0) == 1.234
    assert k.driven(drive_table(0.02, step=0.5), 1.234, 0.0) == 1.0
    assert k.driven(drive_table(0.02, largest=1.0), -1.234, 0.0) == -1.0
    assert k.driven(drive_table(0.02, largest=1.0, slip=0.7), 1.234, 0.0) == 0.7
    assert k.driven(drive_table(0.02, noise=0.1), 1.0, 2.0) == 1.2
    assert k.rounded(-0.26, 0.5) == -0.5 and k.rounded(0.3, 0.0) == 0.3


def memories() -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((1, 3, k.MEMORY_COLUMNS)), np.zeros((1, 4, 2))


def test_a_delayed_sensor_gives_past_positions() -> None:
    loop = loop_table(pid_gains(1.0, 1.0), dt=0.1, delay=3)
    memory, history = memories()
    sensed = [k.sensed(loop, memory, history, 0, i, 1, float(i), 0.0, 0) for i in range(10)]
    assert sensed == [0, 0, 0, 0, 1, 2, 3, 4, 5, 6]


def test_a_sensor_with_resolution_and_noise() -> None:
    memory, history = memories()
    rough = loop_table(pid_gains(1.0, 1.0), dt=0.1, step=0.25)
    assert k.sensed(rough, memory, history, 0, 0, 0, 0.9, 0.0, 0) == 1.0
    noisy = loop_table(pid_gains(1.0, 1.0), dt=0.1, noise=0.5)
    sensed = np.array([k.sensed(noisy, memory, history, 9, i, 0, 2.0, 0.0, 0) for i in range(4000)])
    assert abs(sensed.mean() - 2.0) < 0.04 and abs(sensed.std() - 0.5) < 0.02


def test_an_accelerometer_integrates_its_bias() -> None:
    loop = loop_table(pid_gains(1.0, 1.0), dt=0.01, feedback="accelerometer", bias=0.2)
    memory, history = memories()
    sensed = [k.sensed(loop, memory, history, 0, i, 0, 0.0, 0.0, 0) for i in range(101)]
    assert math.isclose(sensed[-1], 0.5 * 0.2 * 1.0**2, rel_tol=1e-9)
    memory, _ = memories()
    clean = loop_table(pid_gains(1.0, 1.0), dt=0.01, feedback="accelerometer")
    speeds = 3.0 * 0.01 * np.arange(101)
    sensed = [k.sensed(clean, memory, history, 0, i, 0, 0.0, speeds[i], 0) for i in range(101)]
    assert math.isclose(sensed[-1], 1.5, rel_tol=1e-9)


def test_the_pid_is_what_its_formula_says() -> None:
    loop = loop_table(pid_gains(2.0, 3.0), dt=0.01)
    memory, _ = memories()
    positions = (0.1, 0.2, 0.2)
    forces = [k.pid(loop, memory, 0, i, p, False, 0) for i, p in enumerate(positions)]
    kp, ki, kd = 54.0, 54.0, 18.0
    assert np.allclose(forces, [-(kp * 0.1 + ki * 0.001), -(kp * 0.2 + ki * 0.003 + kd * 10), -(kp * 0.2 + ki * 0.005)])
    before = memory[0, 0, k.INTEGRAL]
    k.pid(loop, memory, 0, 3, 0.2, True, 0)
    assert memory[0, 0, k.INTEGRAL] == before  # the drive is at its limit
