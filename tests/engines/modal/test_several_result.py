"""The result of several collisions says one true sentence."""

import numpy as np
from impact_reference import chain

from carpal.engines import collide_bodies

V = np.array([1.0, 0, 0, 0, 0, 0, 0, 0, 0])


def test_the_sentences():
    hit = collide_bodies(np.eye(9), chain(3), V, 0.0, 1.0, several="sequential")
    assert str(hit) == "2 of 2 contacts took impulses, sequential: the largest 1 N s; 0 J lost." and bool(hit)
    both = collide_bodies(np.eye(9), chain(3), np.stack([V, -V]), 0.0, 0.5)
    assert str(both).startswith("2 of 2 sets of 2 contacts collided, simultaneous;") and both.ok.shape == (2,)
    assert both.mode.tolist() == [["stick", "stick"], ["free", "free"]] and not both.clamped.any()
    assert both.normal_work[0].sum() + both.friction_work[0].sum() == both.energy[0] or np.isclose(
        both.normal_work[0].sum() + both.friction_work[0].sum(), both.energy[0]
    )


def test_a_contact_that_nothing_stops_is_told():
    J = np.zeros((2, 3, 2))
    J[0, 2, 0] = 1.0
    J[1, 2, 0], J[1, 0, 0] = 1e-12, 1.0  # its normal cannot be moved, nearly
    hit = collide_bodies(np.eye(2), J, [-1.0, 0.0], 0.0, 0.0)
    assert hit.u_after[0, 2] >= -1e-9
