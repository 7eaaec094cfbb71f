"""Packing: lever arms from centres of mass, the world's row, prescribed twists."""

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import ContactLaw
from carpal.engines.penalty.tables import joints_in_order, mechanism_tables
from carpal.model import Mechanism, PointJoint, PrescribedMotion, SlotJoint


def test_arms_are_taken_from_the_centre_of_mass_and_the_world_is_the_last_row():
    a = inputs.body("a", 2.0, com=(0.1, 0.0, 0.0))
    slot = SlotJoint("slot", None, [1, 2, 3], "a", [[0.0, 0, 0], [1.0, 0, 0]], 7.0, 8.0)
    pin = PointJoint("pin", "a", [0.3, 0, 0], None, [0, 0, 1], 5.0, 6.0)
    mechanism = Mechanism("m", (a,), (slot, pin))
    tables, _ = mechanism_tables(mechanism, ContactLaw())
    assert [joint.name for joint in joints_in_order(mechanism)] == ["pin", "slot"]
    assert tables.elements.points[0] == pytest.approx([0, 1, 0.2, 0, 0, 0, 0, 1, 5, 6])
    assert tables.elements.slots[0] == pytest.approx([1, 0, 1, 2, 3, 0, 2, 7, 8])
    assert tables.elements.corners == pytest.approx(np.array([[-0.1, 0, 0], [0.9, 0, 0]]))
    assert tables.bodies[0, [0, 1, 4, 10]] == pytest.approx([2.0, 0.1, 0.01, 100.0])


def test_a_motions_rows_hold_the_twist_to_the_next():
    poses = np.array([inputs.pose(), inputs.pose((1.0, 0, 0), inputs.about_y(0.5))])
    mechanism = Mechanism("m", (inputs.body(),), prescribed=(PrescribedMotion("body", [0.0, 0.5], poses),))
    tables, _ = mechanism_tables(mechanism, ContactLaw())
    assert tables.motions[0, 8:] == pytest.approx([2.0, 0, 0, 0, 1.0, 0])
    assert tables.bodies[0, 16:].tolist() == [0.0, 2.0]
