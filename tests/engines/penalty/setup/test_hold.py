"""The hold test: a held rod sags by its load over P, and its tip drifts by as much."""

import numpy as np
import pytest
import setup_inputs as setup

from carpal.engines import hold_test, mechanism_of
from carpal.errors import InputError
from carpal.model import Body, Joint, Model
from carpal.spatial import Inertia, pose


def test_drift_is_the_arm_times_the_sag(figure):
    engine = setup.tuned_engine(setup.chain(2), 0.004)
    result = hold_test(engine, 1.0)
    assert result and result.bodies == ("rod0", "rod1") and result.actuators == ("j0", "j1")
    # rod1's origin is 0.2 m out on rod0
    expected = 2 * 0.2 * np.sin(0.5 * abs(result.sag[0]))
    figure("held chain: drift of the second rod against its lever [m]", abs(result.drift[-1, 1] - expected), 5e-6)
    assert abs(result.sag[0]) == pytest.approx(0.004, rel=1e-2)
    assert not hold_test(engine, 0.2, allowed_drift=1e-5)
    assert result.to_dict()["sag"] == result.sag.tolist()


def test_angles_across_half_a_turn_are_small_differences():
    inertia = Inertia(0.5, [0.1, 0, 0], 1e-3 * np.eye(3))
    joint = Joint("j", "revolute", X_PJ=pose(p=[0, 0, 0]), axis=[0, 1, 0])
    model = Model("m", (Body("rod", None, joint, inertia),), q_home=np.array([np.pi - 1e-4]))
    engine = setup.tuned_engine(model, 0.01)
    assert np.abs(hold_test(engine, 0.5).away).max() < 0.02


def test_bad_input():
    with pytest.raises(InputError, match="has P = 0, so nothing can hold it; see tune"):
        hold_test(setup.free_engine(mechanism_of(setup.chain(1), drives=True).mechanism))
    with pytest.raises(InputError, match="allowed_drift"):
        hold_test(setup.tuned_engine(setup.chain(1)), allowed_drift=np.nan)
