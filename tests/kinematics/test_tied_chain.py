"""Which joints of a chain are tied, and what belongs to them."""

from __future__ import annotations

import numpy as np
import pytest
from constrained_models import five_bar, four_bar, mimic_arm

from carpal.errors import InputError
from carpal.kinematics.tied_chain import satisfied_home, satisfied_start, tied_chain, tied_groups


def test_only_what_moves_the_frame_counts():
    arm = mimic_arm()
    assert tied_chain(arm) is None
    assert tied_chain(arm, "finger2").names == ("finger2",)
    assert [sorted(group) for group in tied_groups(mimic_arm(True))] == [["finger1", "finger2"], ["j2", "j5"]]
    ties = tied_chain(mimic_arm(True))
    assert ties.names == ("j2", "j5") and ties.free.tolist() == [1, 2, 3, 4, 6]
    assert ties.checked.tolist() == [[4, 4]] and ties.moved.tolist() == [0, 1, 2, 3, 4, 5]


def test_a_loop_ties_both_of_its_sides():
    ties = tied_chain(five_bar())
    assert ties.names == ("left", "left_coupler") and ties.free.tolist() == [1, 3]
    assert ties.checked[:, 0].tolist() == [1, 3]


def test_starts_are_made_to_satisfy_the_constraints():
    model = four_bar().replace(q_home=np.array([0.4, 0.0, 1.2]))
    assert np.allclose(satisfied_home(model), four_bar().q_home, atol=1e-10)
    assert np.allclose(satisfied_start(model, [0.4, -0.1, 1.0]), four_bar().q_home, atol=1e-10)
    far = five_bar()
    q = np.array(far.q_home)
    q[0], q[2] = 0.0, np.pi
    with pytest.raises(InputError, match="q0 of model 'five-bar' cannot be used: loop 'pin' is open by"):
        satisfied_start(far, q)
