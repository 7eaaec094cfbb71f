"""Several mechanisms as one: shared bodies once, commands one after the other."""

import numpy as np
import pytest
from linkage_inputs import linkage

from carpal.errors import CarpalError
from carpal.model import MechanismBody, united
from carpal.spatial import Inertia, pose

PALM = MechanismBody("palm", Inertia(0.4, (0, 0, 0), 1e-3 * np.eye(3)))


def digit(name, x, **options):
    return linkage("crossed_finger").mechanism(pose(p=(0, 0, x)), ground=PALM, prefix=f"{name}/", **options)


def test_fingers_share_a_palm():
    hand = united("hand", [digit("index", 0.0), digit("middle", 0.023), digit("ring", 0.046)])
    assert len(hand.bodies) == 1 + 3 * 3 and hand.bodies[0] is PALM
    assert [actuator.command for actuator in hand.actuators] == [0, 1, 2] and hand.commands == 3
    assert len(hand.joints) == 3 * 8 and len(hand.springs) == 3


def test_what_does_not_fit_is_one_sentence():
    with pytest.raises(CarpalError, match="named 'index/proximal'"):
        united("hand", [digit("index", 0.0), digit("index", 0.1)])
    with pytest.raises(CarpalError, match="one world has one"):
        united("hand", [digit("index", 0.0), digit("ring", 0.1, gravity=(0, 0, 0))])
    for bad in ([], [3]):
        with pytest.raises(CarpalError, match="one or more mechanisms"):
            united("hand", bad)
