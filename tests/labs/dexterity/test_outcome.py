"""Outcomes: contacts by finger, grasps, closure, turning and arcs of made-up rows."""

import numpy as np
from dexterity_inputs import made_up, setting_of, touch

from carpal.engines import Contact
from carpal.labs.dexterity.outcome import finger_contacts
from carpal.spatial import rotation_about, wxyz_from_rotation


def test_contacts_by_finger():
    backwards = Contact("object", "hand/ring_link_3", "sliding", (0, 0, 1), (0, 0, 1.0), 0.0, (0, 0, 3.0))
    table = Contact("object", "", "sticking")
    found = finger_contacts([(), (touch("thumb", "rolling", (1, 2, 3)), backwards, table)])
    assert found.touches.tolist() == [[False] * 5, [True, False, False, True, False]]
    assert found.mode[1, 0] == "rolling"
    assert np.allclose(found.force[1, 0], [1, 2, 3])
    assert np.allclose(found.force[1, 3], [0, 0, -3])  # on the object
    assert np.allclose(found.normal[1, 3], [0, 0, -1])
    assert np.isnan(found.force[1, 1]).all()


def test_two_points_of_a_tip_add_up():
    found = finger_contacts([(touch("index", force=(1, 0, 0)), touch("index", force=(0, 1, 0)))])
    assert np.allclose(found.force[0, 1], [1, 1, 0])


def test_closure_of_what_touches():
    setting = setting_of(2)
    q = np.tile(setting.start().q, (3, 1))
    c = q[0, 15:18]
    low = (touch("thumb", point=np.add(c, [0.03, 0, -0.021]), normal=(-1, 0, 0)),)
    high = tuple(touch(f, point=np.add(c, [-0.03, y, 0.021])) for f, y in (("index", 0.022), ("little", -0.022)))
    opposite = tuple(touch(f, point=np.add(c, [-0.03, y, -0.018])) for f, y in (("middle", 0.0105), ("ring", -0.0105)))
    outcome = made_up(setting, q, contacts=[low + high + opposite, low + high, ()])
    assert outcome.closed_at(0)
    assert not outcome.closed_at(1)  # slope 0.042 / 0.06 is above mu = 0.6
    assert not outcome.closed_at(2)
    assert outcome.grasp_at(2) is None
    assert len(outcome.grasp_at(0)) == 5


def test_turning_and_rows():
    setting = setting_of(6)
    q = np.tile(setting.start().q, (11, 1))
    for k in range(11):
        q[k, 18:22] = wxyz_from_rotation(rotation_about((0, 1, 0), 0.1 * k))
    outcome = made_up(setting, q)
    assert np.allclose(outcome.turned, 0.1 * np.arange(11))
    assert outcome.row(0.0042) == 4
    assert outcome.row(np.nan) == 10


def test_arcs_of_a_tip_that_slides_over_a_box(figure):
    setting = setting_of(3)
    q = np.tile(setting.start().q, (21, 1))
    q[:, 15] += np.linspace(0, 0.01, 21)  # the box is drawn over a tip that stands
    outcome = made_up(setting, q, contacts=[(touch("middle"),)] * 21)
    tip, thing = outcome.arcs("middle")
    figure("way on the tip while the box only slides [m]", tip, 1e-12)
    assert abs(thing - 0.01) < 1e-9
    assert outcome.arcs("middle", 0, 10)[1] < 0.0051
