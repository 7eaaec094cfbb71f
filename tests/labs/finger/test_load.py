import numpy as np
import pytest
from finger_inputs import random_finger, random_load

from carpal.errors import InputError
from carpal.kinematics import fk, jacobian
from carpal.labs.finger import FingerLoad
from carpal.labs.finger.load import load_rows, load_torques


def test_rows_and_back():
    load = random_load(np.random.default_rng(0))
    row = load.rows()
    assert row.shape == (8,) and np.array_equal(FingerLoad.from_rows(row).rows(), row)
    assert np.array_equal(row[:3], load.torque) and row[3] == load.tension and row[7] == load.tip_moment
    assert not load_rows(None).any() and load_rows(None).shape == (8,)


def test_leading_axes_broadcast():
    load = FingerLoad(torque=np.ones((4, 3)), tension=2.0, tip_across=np.arange(4.0))
    assert load.rows().shape == (4, 8) and (load.rows()[:, 3] == 2).all() and load.rows()[2, 6] == 2


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"tension": -1.0}, "a tendon cannot push.*got -1 N"),
        ({"tension": np.nan}, "tension of the load must be finite"),
        ({"tip_force": 1.0}, "tip_force of the load needs 2 numbers"),
        ({"torque": (1, 2)}, "torque of the load needs 3"),
        ({"tip_moment": "x"}, "must be real numbers"),
    ],
)  # fmt: skip
def test_bad_loads(parts, words):
    with pytest.raises(InputError, match=words):
        FingerLoad(**parts)


def test_parts_that_do_not_fit():
    with pytest.raises(InputError, match=r"do not fit together: torque \(3,\), tension \(4,\)"):
        FingerLoad(tension=np.ones(4), tip_across=np.ones(3)).rows()
    with pytest.raises(InputError, match="must be a FingerLoad"):
        load_rows(3.0)
    with pytest.raises(InputError, match="8 numbers"):
        FingerLoad.from_rows(np.zeros(7))


def test_load_torques_are_the_jacobians(figure):
    """The tip's force and moment by the chain's Jacobian."""
    rng = np.random.default_rng(12)
    worst = 0.0
    for _ in range(30):
        finger, load, q = random_finger(rng), random_load(rng), rng.uniform(-np.pi, np.pi, 3)
        J, R = jacobian(finger.chain, q), fk(finger.chain, q)[:3, :3]
        force = np.array([*load.tip_force, 0.0]) + R @ np.array([float(load.tip_across), 0.0, 0.0])
        expected = load.torque + finger.tendon_arm * load.tension + J[:3].T @ force - J[5] * float(load.tip_moment)
        worst = max(worst, np.abs(load_torques(finger, q, load.rows()) - expected).max())
    figure("finger: torques of loads beside the Jacobian's [N m]", worst, 1e-14)
