import numpy as np
import pytest
from finger_inputs import random_load

from carpal.errors import InputError
from carpal.labs.finger import FingerLoad
from carpal.labs.finger.finger_load import load_rows


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
