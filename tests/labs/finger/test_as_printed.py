"""What the printed equations break: shown against the energies that they are said to follow from."""

import numpy as np
import pytest
from finger_inputs import facts_finger

from carpal.errors import InputError
from carpal.labs.finger import finger_acceleration, finger_energy, printed_acceleration, printed_motion, simulate_finger


def test_energy_is_not_kept(figure):
    start = (0.3, 0.2, 0.1)
    printed = printed_motion(facts_finger(), start, duration=2.0)
    right = simulate_finger(facts_finger(), start, duration=2.0)
    note = f"ended after {printed.time[-1]:.3g} s, wound up" if printed.wound_up else "2 s"
    figure(
        "finger as printed: energy gained without dampers or loads, times the energy at the start",
        printed.energy_gained / printed.energy[0],
        0.1,
        at_least=True,
        note=note,
    )
    figure("finger corrected: energy error of the same motion", float(right.energy_error), 1e-8)
    assert printed.wound_up and printed.time[-1] < 0.5 and printed.energy_error > 0.1
    short = printed_motion(facts_finger(), start, duration=0.02, samples=50)
    assert not short.wound_up and short.energy_error > 1e-3 and len(short.time) == 50


def test_dampers_that_drive(figure):
    """(6.30) prints c1 - c2: with c1 < c2 the first phalanx is driven. Springs that even as printed would hold the finger."""
    finger = facts_finger(stiffness=(0.5, 0.06, 0.01), damping=(1e-4, 2e-3, 1e-4), gravity=0.0)
    printed = printed_motion(finger, (0.1, 0.1, 0.1), duration=0.2)
    rises = float(np.diff(printed.energy).max() / printed.energy[0])
    figure(
        "finger as printed: largest rise of the energy from one sample to the next with dampers, c1 < c2",
        rises,
        1e-3,
        at_least=True,
    )
    right = simulate_finger(finger, (0.1, 0.1, 0.1), duration=0.2)
    assert (np.diff(right.energy) < 0).all()


def test_where_the_errata_do_not_matter_both_agree():
    """Straight springs carry nothing at theta = 0, and equal dampers do not show at rest: only the centrifugal part is left."""
    finger = facts_finger()
    v = np.array((3.0, -2.0, 5.0))
    assert np.allclose(
        printed_acceleration(finger, np.zeros(3), v), finger_acceleration(finger, np.zeros(3), v), rtol=1e-9, atol=1e-9
    )


def test_the_residuals_of_the_sheet():
    """What is missing from each equation: (k1 + k2) th1 / 2 + 2 c2 w1, (k2 + k3) th2 / 2, k3 th3 / 2 and X2 for X3."""
    finger = facts_finger(damping=(0.001, 0.003, 0.002))
    q, v = np.array((0.4, -0.7, 0.9)), np.array((2.0, 3.0, -4.0))
    th, w, row = np.cumsum(q), np.cumsum(v), finger.row
    k, c = finger.stiffness, finger.damping
    missing = np.array(
        [
            0.5 * (k[0] + k[1]) * th[0] + 2 * c[1] * w[0],
            0.5 * (k[1] + k[2]) * th[1],
            0.5 * k[2] * th[2] + c[2] * (1 - row[2] / row[1]) * (w[2] - w[1]),
        ]
    )
    M = np.array([[row[0], row[3] * np.cos(th[1] - th[0]), row[4] * np.cos(th[2] - th[0])],
                  [0, row[1], row[5] * np.cos(th[2] - th[1])], [0, 0, row[2]]])  # fmt: skip
    M = M + np.triu(M, 1).T
    gap = M @ np.cumsum(printed_acceleration(finger, q, v) - finger_acceleration(finger, q, v))
    # the third equation's damper is printed with X2: (1 - X3/X2) of it is missing, with the other sign
    missing[2] = 0.5 * k[2] * th[2] + c[2] * (1 - row[2] / row[1]) * (w[2] - w[1])
    assert np.allclose(gap, missing, rtol=0, atol=1e-12)
    assert finger_energy(finger, q, v).sum() > 0


def test_bad_input():
    with pytest.raises(InputError, match="only gravity along -y"):
        printed_acceleration(facts_finger(gravity=(1, 0, 0)), (0, 0, 0), (0, 0, 0))
    with pytest.raises(InputError, match="slack at zero"):
        printed_motion(facts_finger(neutral=0.1), (0, 0, 0))
    with pytest.raises(InputError, match="samples must be"):
        printed_motion(facts_finger(), (0, 0, 0), samples=1)
    with pytest.raises(InputError, match="duration must be"):
        printed_motion(facts_finger(), (0, 0, 0), duration=0)
