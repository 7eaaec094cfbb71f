"""Leutenegger's comparison of mountings, by independent sums."""

import numpy as np
import pytest

import carpal
from carpal.labs.retrieve.studies.mountings import (
    RELAY_MASS,
    RELAY_OFFSET,
    compare_mountings,
    comparison_sentence,
    save_mountings_picture,
)


@pytest.fixture(scope="module")
def maps():
    return compare_mountings(step=0.05)


def test_the_waist_holds_what_the_weights_say(maps):
    """Torque about the waist's axis from the centre of mass, not from the recursive algorithm."""
    side = maps[1]
    model = carpal.load("k10", mounting="sideways", inertia="assumed")
    q = side.slice.q[side.slice.reachable]
    com = carpal.com(model, q)
    # the waist's axis is world x through (0, 0, 0.4); the base does not turn with it, but its weight is on the axis
    expected = com[:, 1] * model.mass * 9.81
    assert np.allclose(side.torque[side.slice.reachable], expected, atol=1e-9)
    tool = carpal.fk(model, q)
    relay = tool[:, :3, 3] + RELAY_OFFSET * tool[:, :3, 0]
    more = expected + relay[:, 1] * RELAY_MASS * 9.81
    assert np.allclose(side.torque_with_relay[side.slice.reachable], more, atol=1e-9)


def test_upside_down_needs_no_torque_and_reaches_more(maps):
    down, side = (m.numbers for m in maps)
    assert down["waist_torque_with_relay_Nm"] < 1e-9
    assert down["area_m2"] > 2 * side["area_m2"]
    assert down["area_in_view_m2"] <= down["area_ahead_m2"] <= down["area_m2"]


def test_the_hollow_lies_in_front_of_the_rover(maps):
    """Leutenegger's objection: sideways, the unreachable part is right in the camera's view."""
    side = maps[1].slice
    ahead = np.linalg.norm(side.points[..., :2] - (0.437, 0.0), axis=-1) < 0.15
    assert not side.reachable[ahead].any()


def test_one_sentence_and_one_picture(maps, tmp_path):
    assert comparison_sentence(maps).startswith("Mounted upside down the wrist reaches 1.")
    path = save_mountings_picture(maps, tmp_path / "picture.png")
    assert path.stat().st_size > 20_000
