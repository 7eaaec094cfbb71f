"""The spanning tree: the drive's joint and the digit stay, loops are cut at rods."""

import numpy as np
from linkage_inputs import linkage, loop_driven

from carpal.model.linkage.closure import closure_of
from carpal.model.linkage.tree import branch_sign, branch_value, joint_name, spanning_tree


def test_the_digit_stays_and_rods_are_cut():
    made = linkage("six_bar_finger")
    branches, cut = spanning_tree(made)
    assert [joint_name(made, branch) for branch in branches][:3] == ["knuckle", "joint", "tip_joint"]
    assert len(branches) == 5 and len(cut) == 2 and {kind for kind, _ in cut} == {"pin"}


def test_the_drives_joint_and_slides_stay():
    made = loop_driven()
    assert "tail" in [joint_name(made, branch) for branch in spanning_tree(made)[0]]
    made = linkage("crank_slider")
    branches, cut = spanning_tree(made)
    assert [joint_name(made, branch) for branch in branches][:2] == ["a", "s"] and len(cut) == 1


def test_the_drives_coordinate_is_the_drive():
    made = loop_driven()
    closure, curve = closure_of(made), made.curve()
    branch = next(b for b in spanning_tree(made)[0] if joint_name(made, b) == "tail")
    d = np.linspace(made.drive.start, made.drive.stop, 5)
    assert np.abs(branch_value(closure, branch, curve.poses(d)) - d).max() < 1e-14
    assert branch_sign(closure, branch) in (1.0, -1.0)
