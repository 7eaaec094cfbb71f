"""Joint gaps and actuator values against the engine's own, and against hand-made displacements."""

import numpy as np
import pytest
import setup_inputs as setup
from linkage_inputs import NAMES, linkage

from carpal.engines import actuator_values, joint_gaps
from carpal.engines.penalty.gaps import allowed_gap
from carpal.errors import InputError


@pytest.mark.parametrize("name", NAMES)
def test_the_largest_gap_is_the_engines_own(name, figure):
    made = linkage(name)
    engine = setup.free_engine(made.mechanism())
    state = engine.run(engine.start(), steps=400, command=[made.drive.start]).state
    gaps = joint_gaps(engine.mechanism, state.q)
    own, joint = engine.worst_gap(state)
    figure(f"{name}: largest gap against the engine's own [m]", abs(gaps.max() - own), 1e-15)
    assert engine.mechanism.joints[int(np.argmax(gaps))].name == joint[0] and own > 0
    rows = np.stack([engine.start().q, state.q])
    assert joint_gaps(engine.mechanism, rows).shape == (2, len(engine.mechanism.joints))


def test_a_displaced_body_opens_its_joints_by_as_much():
    engine = setup.free_engine(setup.chain(1))
    q = engine.start().q.copy()
    assert joint_gaps(engine.mechanism, q).max() < 1e-15
    q[:3] += [3e-3, 0, 4e-3]
    assert joint_gaps(engine.mechanism, q) == pytest.approx([5e-3, 5e-3])


@pytest.mark.parametrize("name", NAMES)
def test_actuators_measure_the_drive(name):
    made = linkage(name)
    mechanism = made.mechanism(drive=0.5 * (made.drive.start + made.drive.stop))
    engine = setup.free_engine(mechanism)
    assert actuator_values(mechanism, engine.start().q)[0] == pytest.approx(0.5 * (made.drive.start + made.drive.stop))


def test_a_wrong_shape_is_refused():
    with pytest.raises(InputError, match="needs 7 numbers"):
        joint_gaps(setup.free_engine(setup.chain(1)).mechanism, np.zeros(6))


def test_the_gap_that_is_allowed_is_a_hundredth_of_the_size():
    mechanism = setup.free_engine(setup.chain(3)).mechanism
    reach = np.array([body.X_WB[:3, 3] for body in mechanism.bodies])
    least = 0.01 * np.linalg.norm(np.ptp(reach, axis=0))
    assert least <= allowed_gap(mechanism) < 3 * least
