"""Assembly at the start of the stroke: the described angles choose the assembly mode, and a miss is said in millimetres."""

from dataclasses import replace

import numpy as np
import pytest
from linkage_inputs import linkage

from carpal.errors import ModelError
from carpal.model.linkage.assembly import assembled, described_poses
from carpal.model.linkage.closure import closure_of
from carpal.model.linkage.dyads import plan_of


def with_angles(made, **angles):
    return replace(made, bars=tuple(replace(bar, angle=angles.get(bar.name, bar.angle)) for bar in made.bars))


def test_described_poses_hold_together_where_the_tree_goes():
    closure = closure_of(linkage("crank_slider"))
    poses = described_poses(closure)
    assert np.allclose(closure.place(poses, 1, closure.pins[1][1]), closure.place(poses, 2, closure.pins[1][3]))
    assert np.allclose(poses[3, :2], (0.1, 0.006))  # the block, 0.08 along its guide


def test_the_described_angles_choose_the_assembly_mode():
    made = linkage("crank_slider")
    signs = []
    for rod, block in ((-0.2, 0.08), (np.pi, -0.12)):
        other = with_angles(made, rod=rod)
        other = replace(other, slides=(replace(made.slides[0], travel=block),))
        closure = closure_of(other)
        poses, sides = assembled(closure, plan_of(closure))
        signs.append(sides[1])
        assert abs(np.angle(np.exp(1j * (poses[2, 2] - rod)))) < 0.2
    assert signs == [1.0, -1.0]


def test_whole_turns_are_kept_as_described():
    made = with_angles(linkage("crossed_finger"), rod=2 * np.pi, middle=-2 * np.pi + 0.4)
    poses, _ = assembled(closure_of(made), plan_of(closure_of(made)))
    assert abs(poses[made.index["rod"], 2] - 2 * np.pi) < 0.5 and poses[made.index["middle"], 2] < -5
    assert np.abs(closure_of(made).residual(poses, np.array(0.027))).max() < 1e-15


def test_a_miss_is_said_in_millimetres():
    made = linkage("crank_slider")
    bars = [replace(bar, points={"B": (0, 0), "C": (0.005, 0)}) if bar.name == "rod" else bar for bar in made.bars]
    miss = 1000 * (abs(0.03 * np.sin(np.radians(25)) - 0.006) - 0.005)
    with pytest.raises(ModelError, match=rf"bars 'rod' and 'block' miss by {miss:.4g} mm"):
        replace(made, bars=tuple(bars)).curve()
