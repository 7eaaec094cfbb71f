"""Nothing tunnels, and the time of the first touch is that of the closed form."""

import numpy as np
import pytest
from collision_scenes import random_rotation

from carpal.contact import first_contact
from carpal.model import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere, TriangleMesh
from carpal.spatial import pose

REST = np.zeros(6)


def thrown_at_a_plate(count: int, seed: int) -> tuple[np.ndarray, ...]:
    """Balls of 5 mm at 20 m/s whose line meets a plate of 1 mm: poses, twists and true times."""
    rng = np.random.default_rng(seed)
    X_WB = pose(np.array([random_rotation(rng) for _ in range(count)]), rng.normal(size=(count, 3)))
    direction = rng.normal(size=(count, 3))
    direction[:, 2] = -np.abs(direction[:, 2]) - 0.3
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    target = np.concatenate([rng.uniform(-0.2, 0.2, (count, 2)), np.full((count, 1), 0.0055)], axis=1)  # ball touches
    time = rng.uniform(0.001, 0.05, count)
    p_B = target - 20 * direction * time[:, None]
    R, p = X_WB[:, :3, :3], X_WB[:, :3, 3]
    start = np.einsum("nij,nj->ni", R, p_B) + p
    V = np.concatenate([20 * np.einsum("nij,nj->ni", R, direction), rng.normal(size=(count, 3)) * 100], axis=1)
    return X_WB, pose(p=start), V, time


def never_passes(count: int, seed: int) -> tuple[int, float]:
    """Step each ball by a step of its own, 0.3 ms (6 mm of way) to 1 s, until the plate is met: how many pass, time error."""
    X_WB, X_WA, V, true = thrown_at_a_plate(count, seed)
    dt = 10 ** np.random.default_rng(seed + 1).uniform(-3.5, 0, count)
    passed, worst = 0, 0.0
    clock, alive = np.zeros(count), np.ones(count, bool)
    while alive.any():
        X = X_WA[alive].copy()
        X[:, :3, 3] += V[alive, :3] * clock[alive, None]
        found = first_contact(Sphere(0.005), X, V[alive], Box((1, 1, 0.001)), X_WB[alive], REST, dt[alive])
        at = np.flatnonzero(alive)
        hit = at[found.hit]
        worst = max([worst, *np.abs(clock[hit] + found.time[found.hit] - true[hit])])
        clock[at[~found.hit]] += dt[at[~found.hit]]
        alive[hit] = False
        gone = alive & (clock > true + 1e-3)
        passed += int(gone.sum())
        alive &= ~gone
    return passed, worst


def test_a_fast_ball_never_passes_a_thin_plate(figure):
    passed, worst = never_passes(300, 11)
    figure("5 mm balls at 20 m/s that pass a 1 mm plate, 300 throws, any step", passed, 0)
    figure(
        "time of that touch against the closed form [s]",
        worst,
        1e-7,
        note="tolerance 1e-7 m at 20 m/s or slower along n",
    )


@pytest.mark.full
def test_many_fast_balls_never_pass_a_thin_plate(figure):
    passed, worst = never_passes(100_000, 12)
    figure("5 mm balls at 20 m/s that pass a 1 mm plate, 100,000 throws, any step", passed, 0)
    figure("time of those touches against the closed form [s]", worst, 1e-7)


def test_two_balls_meet_when_their_centres_are_two_radii_apart():
    v = [1.0, 0.2, 0.0]
    found = first_contact(Sphere(0.1), pose(p=[-2, 0, 0]), [*v, 0, 0, 5], Sphere(0.2), pose(p=[0, 0.3, 0]), REST, 10.0)
    # |(-2 + t, -0.3 + 0.2 t)| = 0.3
    a, b, c = 1.04, -4 - 0.12, 4 + 0.09 - 0.09
    assert abs(found.time - (-b - np.sqrt(b * b - 4 * a * c)) / (2 * a)) < 1e-6
    assert found.hit and 0 <= found.distance <= 1e-7


def test_a_turning_rod_meets_a_plane_when_its_end_comes_down():
    # a rod along x, 0.5 half length with radius 0.05, turns about y at its middle 0.3 above the floor
    X = pose(np.array([[0, 0, 1], [0, 1, 0], [-1.0, 0, 0]]), [0, 0, 0.3])
    found = first_contact(Capsule(0.05, 1.0), X, [0, 0, 0, 0, 2.0, 0], Plane(), np.eye(4), REST, 3.0)
    assert abs(found.time - np.arcsin((0.3 - 0.05) / 0.5) / 2.0) < 1e-6
    assert np.abs(found.n_AB_W - (0, 0, -1)).max() < 1e-9


def test_every_kind_stops_at_a_wall():
    wall = TriangleMesh([[0, -9, -9], [0, 9, -9], [0, 0, 9]], [[0, 1, 2]])
    for shape, half in (
        (Sphere(0.01), 0.01), (Box((0.02, 0.1, 0.1)), 0.01), (Cylinder(0.01, 0.1), 0.01), (Ellipsoid((0.01, 0.1, 0.1)), 0.01),
    ):  # fmt: skip
        found = first_contact(shape, pose(p=[1, 0, 0]), [-100, 0, 0, 0, 0, 0], wall, np.eye(4), REST, 1.0)
        assert found.hit, shape.kind
        assert abs(found.time - (1 - half) / 100) < 1e-6, shape.kind


def test_what_never_meets_is_free_until_the_end():
    away = first_contact(Sphere(0.1), pose(p=[1, 0, 0]), [1, 0, 0, 0, 0, 0], Sphere(0.1), np.eye(4), REST, 5.0)
    assert not away and away.time == 5.0
    past = first_contact(Sphere(0.1), pose(p=[-1, 0.21, 0]), [1, 0, 0, 0, 0, 0], Sphere(0.1), np.eye(4), REST, 5.0)
    assert not past
    inside = first_contact(Sphere(0.1), pose(p=[0.05, 0, 0]), REST, Sphere(0.1), np.eye(4), REST, 5.0)
    assert inside.hit and inside.time == 0 and abs(inside.distance + 0.15) < 1e-12


def test_one_at_a_time_gives_the_bits_of_the_batch():
    X_WB, X_WA, V, _ = thrown_at_a_plate(10, 13)
    batch = first_contact(Sphere(0.005), X_WA, V, Box((1, 1, 0.001)), X_WB, REST, 1.0, threads=2)
    for i in range(10):
        one = first_contact(Sphere(0.005), X_WA[i], V[i], Box((1, 1, 0.001)), X_WB[i], REST, 1.0)
        assert one.time == batch.time[i] and np.array_equal(one.p_WA, batch.p_WA[i])
