"""What a rolled contact says of itself."""

import numpy as np

from carpal.contact import contact_coordinates, roll
from carpal.model import Cylinder, Plane, Sphere
from carpal.spatial import pose

BALL = Sphere(0.1)


def first():
    return contact_coordinates(Plane(), np.eye(4), BALL, pose(p=[0, 0, 0.1]), [0, 0, 0])


def test_a_followed_contact_is_true_and_says_how_far_it_went():
    run = roll(Plane(), BALL, first(), lambda t: [0, 0, 0, 0, 1.0, 0], dt=0.01, duration=1.0)
    assert run and run.ok and str(run) == "followed the sphere on plane for 1 s: 0.1 m over A and 0.1 m over B."
    assert run.time.shape == (101,) and run.X_AB.shape == (101, 4, 4) and run.coordinates.shape == (101, 7)
    assert np.allclose(run.p_A[-1], [0.1, 0, 0], atol=1e-12) and run.spin.shape == (101,)
    assert np.allclose(run.R_AC[50], np.eye(3))


def test_an_ended_one_is_false_and_says_when_and_why():
    rod = Cylinder(0.2, 1.0)
    start = contact_coordinates(rod, np.eye(4), BALL, pose(p=[0.3, 0, 0.396]), [0.2, 0, 0.396])
    run = roll(rod, BALL, start, lambda t: [0, 0, 0.5, 0, 0, 0], dt=0.01, duration=1.0)
    assert not run and run.status == "stopped at 0.2 s: the contact leaves the side of A, a cylinder."
    assert np.array_equal(run.path[20:], np.repeat(run.path[20:21], 81, 0))
    swapped = contact_coordinates(BALL, pose(p=[0.3, 0, 0.396]), rod, np.eye(4), [0.2, 0, 0.396])
    run = roll(BALL, rod, swapped, lambda t: [0, 0, -0.5, 0, 0, 0], dt=0.01, duration=1.0, axes="b")
    assert run.status == "stopped at 0.2 s: the contact leaves the side of B, a cylinder."
    run = roll(Plane(), Plane(), np.zeros(7), lambda t: [1, 0, 0, 0, 0, 0], dt=0.01, duration=1.0)
    assert "along a line or an area" in run.status
    run = roll(BALL, Plane(), np.zeros(7), lambda t: [0, 0, 0, 0, 1, 0], dt=0.01, duration=3.0, axes="contact")
    assert "give the twist in axes 'a' or 'b'" in run.status
    run = roll(BALL, Plane(), np.zeros(7), lambda t: [0, 0, 0, 0, 90, 0], dt=0.01, duration=3.0)
    assert "use a smaller dt" in run.status


def test_a_batch_counts_and_explains_the_first_that_ended():
    speeds = np.array([0.1, 0.5])
    rod = Cylinder(0.2, 1.0)
    start = contact_coordinates(rod, np.eye(4), BALL, pose(p=[0.3, 0, 0.396]), [0.2, 0, 0.396])
    twist = lambda t: np.stack([np.array([0, 0, s, 0, 0, 0]) for s in speeds])  # noqa: E731
    run = roll(rod, BALL, start, twist, dt=0.01, duration=0.5)
    assert not run and run.ok.tolist() == [True, False]
    assert run.status.startswith("1 of 2 contacts followed for 0.5 s; the first that was not, (1,): stopped at 0.2 s")
    assert roll(rod, BALL, start, twist, dt=0.01, duration=0.1).status == "2 of 2 contacts followed for 0.1 s."
