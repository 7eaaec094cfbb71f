"""The corrected pulley kinematics (E8), and gains whose poles are where they are said to be."""

import numpy as np
import pytest

from carpal.errors import CarpalError, InputError
from carpal.labs.mount import loop_table, pid_gains, pulley_angles, pulley_torques, table_position


def test_angles_and_positions_are_inverse_and_work_is_kept() -> None:
    rng = np.random.default_rng(0)
    p, force, r = rng.normal(size=(50, 2)), rng.normal(size=(50, 2)), 0.03
    assert np.allclose(table_position(pulley_angles(p, r), r), p, rtol=1e-14)
    work = (force * p).sum(axis=1)
    assert np.allclose((pulley_torques(force, r) * pulley_angles(p, r)).sum(axis=1), work, rtol=1e-12)
    # the printed inverse (4.37), r A^-1 p, is off by r^2 / 2
    A = np.array([[-1.0, 1.0], [1.0, 1.0]])
    assert np.allclose(r * np.linalg.solve(A, p.T).T, r**2 / 2 * pulley_angles(p, r), rtol=1e-12)


def test_the_gains_put_all_poles_on_one_place() -> None:
    gains = pid_gains(20.7, 25.0)
    poles = np.roots([20.7, gains.kd, gains.kp, gains.ki])
    assert np.allclose(poles, -25.0, rtol=1e-4)  # a triple root is soft
    assert "kp" in str(gains)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="mass"):
        pid_gains(0.0, 1.0)
    with pytest.raises(InputError, match="bandwidth"):
        pid_gains(1.0, np.nan)
    with pytest.raises(CarpalError, match="position"):
        loop_table(pid_gains(1.0, 1.0), dt=0.1, feedback="radar")
