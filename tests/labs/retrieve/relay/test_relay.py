"""The relay: what is published comes back, its pieces are where they should be, the antenna's sector holds every antenna."""

import dataclasses
import itertools

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from carpal.errors import InputError
from carpal.labs.retrieve import RELAY, relay_pose
from carpal.spatial import rotation_about


def test_published_numbers(figure):
    figure("relay: d / e, away from 4.036", abs(RELAY.d / RELAY.e - 4.036), 1e-3)
    assert (RELAY.mass, RELAY.height, RELAY.hole) == (0.49, 0.52, 0.0254)
    # the lower blade's force with the relay held level, by moments about the upper blade's contacts
    assert RELAY.mass * 9.81 * RELAY.d / RELAY.e == pytest.approx(19.4)
    top = max(shape.shape.points[:, 2].max() for shape in RELAY.pieces(None) if shape.name == "relay_antenna")
    assert top == pytest.approx(0.52)


def test_pieces():
    pieces = {piece.name: piece for piece in RELAY.pieces("relay")}
    assert set(pieces) == {"relay_body", "relay_knob_flap", "relay_knob", "relay_hole_flap", "relay_antenna"}
    flap = pieces["relay_knob_flap"]
    assert flap.X_BS[2, 3] + flap.shape.size[2] / 2 == pytest.approx(RELAY.flap_height)
    assert flap.X_BS[0, 3] + flap.shape.size[0] / 2 == pytest.approx(
        RELAY.grip_point[0] - RELAY.plunger - RELAY.flap_gap
    )
    held = [piece.name for piece in RELAY.pieces("relay", knob_flap=False)]
    assert "relay_knob_flap" not in held and "relay_knob" not in held
    thick = {piece.name: piece for piece in RELAY.pieces("relay", margin=0.002)}["relay_hole_flap"]
    assert thick.shape.size[2] == pytest.approx(RELAY.flap_thickness + 0.004)


def test_every_antenna_is_inside_the_sector(figure):
    hull = ConvexHull(RELAY.antenna_sector())
    foot, long = np.array([*RELAY.antenna, RELAY.body[2]]), RELAY.height - RELAY.body[2]
    worst = -1.0
    for turn, lean, along, side in itertools.product(
        np.linspace(0, 2 * np.pi, 40),
        np.linspace(0, RELAY.antenna_angle, 5),
        np.linspace(0, 1, 6),
        np.linspace(0, 2 * np.pi, 8),
    ):
        axis = rotation_about(np.array([-np.sin(turn), np.cos(turn), 0.0]), lean)[:, 2]
        skin = RELAY.antenna_radius * np.array([np.cos(side), np.sin(side), 0.0])
        point = foot + along * long * axis + skin
        worst = max(worst, (hull.equations[:, :3] @ point + hull.equations[:, 3]).max())
    figure("antennas inside their cone, outside of the sector's hull [m]", worst, 1e-9)


def test_marks_are_on_the_flap_and_free_of_the_knob():
    for point in RELAY.marks.points:
        assert (
            RELAY.body[0] / 2 < point[0] - RELAY.mark_radius
            and point[0] + RELAY.mark_radius < RELAY.body[0] / 2 + RELAY.flap_length
        )
        assert abs(point[1]) + RELAY.mark_radius < RELAY.flap_width / 2
        assert np.linalg.norm(point - RELAY.knob_foot) > RELAY.mark_radius + RELAY.knob[1]
    # the first mark is the one next to the antenna
    away = np.linalg.norm(RELAY.marks.points[:, :2] - np.array(RELAY.antenna), axis=-1)
    assert away.argmin() == 0


def test_inertia_is_of_a_body(figure):
    inertia = RELAY.inertia
    moments = np.linalg.eigvalsh(inertia.about_com)
    assert inertia.mass == 0.49 and moments[0] > 0 and moments[0] + moments[1] >= moments[2]
    assert np.allclose(inertia.com, RELAY.centre_of_mass)
    assert RELAY.flap_height - inertia.com[2] == pytest.approx(RELAY.c)


def test_poses_and_bad_input():
    X = relay_pose(0.5, -0.1, np.pi / 2)
    assert np.allclose(X[:3, 0], [0, 1, 0]) and np.allclose(X[:3, 3], [0.5, -0.1, 0])
    with pytest.raises(InputError, match="x, y and yaw must be finite"):
        relay_pose(np.nan, 0.0, 0.0)
    with pytest.raises(InputError, match="mass of the relay must be finite and above zero"):
        dataclasses.replace(RELAY, mass=0.0)
    with pytest.raises(InputError, match="must lie beyond the body's side"):
        dataclasses.replace(RELAY, e=0.005)
