"""Rolling: contacts of Montana's equations against the rigid motion itself, holonomy in closed form, refusals."""

import numpy as np
import pytest
from rolling_reference import (
    nearest_on_cylinder,
    nearest_on_ellipsoid,
    nearest_on_plane,
    nearest_on_sphere,
    roll_a_ball,
)
from scipy.spatial.transform import Rotation

from carpal.contact import contact_coordinates, roll
from carpal.errors import CarpalError
from carpal.model import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere
from carpal.spatial import exp_twist, pose

RADIUS = 0.15
BALL = Sphere(RADIUS)
SURFACES = {
    "plane": (Plane(), nearest_on_plane, [0.2, -0.1, 0.0]),
    "cylinder": (Cylinder(0.4, 40.0), nearest_on_cylinder(0.4), [0.4, 0.0, 0.1]),
    "ellipsoid": (Ellipsoid((0.9, 0.5, 0.3)), nearest_on_ellipsoid((0.9, 0.5, 0.3)), [0.0, 0.5, 0.0]),
    "sphere": (Sphere(0.6), nearest_on_sphere(0.6), [0.0, 0.0, 0.6]),
}


def random_rotation(rng):
    return Rotation.random(random_state=rng).as_matrix()


def wandering(rng, *, slip):
    """A smooth arbitrary twist in A's axes: three waves for each component."""
    size = np.array([[slip]] * 3 + [[1.2]] * 3) * rng.normal(size=(6, 3)) / np.sqrt(3)
    rate, phase = rng.uniform(0.3, 2.0, (6, 3)), rng.uniform(0, 2 * np.pi, (6, 3))
    return lambda t: (size * np.sin(rate * t + phase)).sum(axis=1)


def start_on(name, rng):
    """Pose of the ball where it touches at the surface's first point, and contact coordinates."""
    surface, nearest, p = SURFACES[name]
    p = np.array(p)
    n = {"plane": np.array([0, 0, 1.0]), "cylinder": np.array([1.0, 0, 0])}.get(name, p / np.linalg.norm(p))
    X = pose(random_rotation(rng), p + RADIUS * n)
    return surface, nearest, X, contact_coordinates(surface, np.eye(4), BALL, X, p)


def follow_and_compare(name, seed, slip):
    rng = np.random.default_rng(seed)
    surface, nearest, X, first = start_on(name, rng)
    twist = wandering(rng, slip=slip)
    run = roll(surface, BALL, first, twist, dt=2e-3, duration=10.0)
    assert run, run
    rows = np.arange(0, 5001, 500)
    p, R, on_a = roll_a_ball(nearest, RADIUS, X, twist, run.time[rows])
    normal = (p - on_a) / np.linalg.norm(p - on_a, axis=1, keepdims=True)
    on_b = -RADIUS * np.einsum("nji,nj->ni", R, normal)
    off = max(np.abs(run.p_A[rows] - on_a).max(), np.abs(run.p_B[rows] - on_b).max())
    return run, off, max(np.abs(run.X_AB[rows, :3, 3] - p).max(), np.abs(run.X_AB[rows, :3, :3] - R).max())


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("slip", [0.0, 0.2], ids=["rolling", "sliding"])
def test_a_ball_rolled_by_arbitrary_twists_touches_where_geometry_says(name, slip, figure):
    run, off, pose_off = follow_and_compare(name, 1, slip)
    assert run.arc_a[-1] > 0.3 and run.arc_b[-1] > 0.3  # it went somewhere
    figure(f"ball on {name}, 10 s: contact points off the geometric ones, worst [m]", off, 1e-6)
    figure(f"ball on {name}, 10 s: pose off the rigid motion, worst [m, 1]", pose_off, 1e-6)
    if slip == 0.0:
        figure(f"ball on {name}: arc lengths apart in pure rolling [m]", np.abs(run.arc_a - run.arc_b).max(), 1e-12)


@pytest.mark.full
@pytest.mark.parametrize("name", SURFACES)
def test_fifty_arbitrary_motions_each(name, figure):
    runs = [follow_and_compare(name, seed, slip) for seed in range(100, 125) for slip in (0.0, 0.2)]
    offs = [off for _, off, _ in runs]
    changed = sum(np.count_nonzero(np.diff(run.path[:, column])) for run, _, _ in runs for column in (0, 3))
    figure(f"ball on {name}, 50 motions: changes of chart on the path", changed, 50, at_least=True)
    figure(f"ball on {name}, 50 motions of 10 s: contact points off the geometric ones, worst [m]", max(offs), 1e-6)


PAIRS = [
    (a, b)
    for a in (Sphere(0.2), Plane(), Cylinder(0.3, 60.0), Ellipsoid((0.5, 0.35, 0.25)))
    for b in (Sphere(0.25), Plane(), Cylinder(0.2, 60.0), Ellipsoid((0.3, 0.4, 0.2)))
    if {a.kind, b.kind} not in ({"plane"}, {"plane", "cylinder"})
]


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=[f"{b.kind} on {a.kind}" for a, b in PAIRS])
def test_the_motion_of_every_pair_has_the_twist_that_was_asked_for(a, b, figure):
    """The pose follows from the contact coordinates alone; its finite differences must give the twist back."""
    rng = np.random.default_rng(3)
    first = np.array([0, 0.2, 0.3, 0, -0.1, 0.4, 1.0])
    twist = wandering(rng, slip=0.1)
    scale = 0.1 if a.kind == b.kind == "cylinder" else 1.0  # crossed rods must not turn into parallel ones
    dt = 1e-3
    run = roll(a, b, first, lambda t: scale * twist(t), dt=dt, duration=2.0)
    assert run, run
    k = np.arange(2, 1999, 7)
    weights = ((1, -2), (-8, -1), (8, 1), (-1, 2))
    d = sum(w * run.X_AB[k + i] for w, i in weights) / (12 * dt)
    spin = d[:, :3, :3] @ np.swapaxes(run.X_AB[k, :3, :3], 1, 2)
    w = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], -1)
    v = d[:, :3, 3] + np.cross(w, run.p_A[k] - run.X_AB[k, :3, 3])
    wanted = np.array([scale * twist(t) for t in run.time[k]])
    n = run.R_AC[k, :, 2]
    tangential = wanted[:, :3] - n * (n * wanted[:, :3]).sum(-1, keepdims=True)
    off = max(np.abs(v - tangential).max(), np.abs(w - wanted[:, 3:]).max())
    figure(f"{b.kind} on {a.kind}: twist of the integrated motion off the given one", off, 1e-8)


def test_a_ball_rolled_round_a_circle_on_a_plane_is_turned_by_the_closed_form(figure):
    """R(2 pi) = exp(2 pi k), k = (-rho/r, 0, -1): turned by 2 pi sqrt(1 + (rho/r)^2) about a tilted axis."""
    rho = 0.23
    first = contact_coordinates(Plane(), np.eye(4), BALL, pose(p=[rho, 0, RADIUS]), [rho, 0, 0])
    w = lambda t: rho / RADIUS * np.array([0, 0, 0, -np.cos(t), -np.sin(t), 0])  # noqa: E731
    run = roll(Plane(), BALL, first, w, dt=2 * np.pi / 6000, duration=2 * np.pi)
    figure("circle on a plane: the path closes [m]", np.abs(run.p_A[-1] - run.p_A[0]).max(), 1e-10)
    expected = Rotation.from_rotvec(2 * np.pi * np.array([-rho / RADIUS, 0, -1.0])).as_matrix()
    figure("circle on a plane: holonomy off its closed form [1]", np.abs(run.X_AB[-1, :3, :3] - expected).max(), 1e-10)


@pytest.mark.parametrize("alpha", [0.3, 1.0, 1.4])
def test_a_closed_path_on_the_ball_turns_it_by_the_solid_angle(alpha, figure):
    """Round a circle of half angle alpha on the ball: back on the same point, turned by -2 pi (1 - cos alpha)."""
    rho, angle = RADIUS * np.tan(alpha), 2 * np.pi * np.cos(alpha)
    first = contact_coordinates(Plane(), np.eye(4), BALL, pose(p=[rho, 0, RADIUS]), [rho, 0, 0])
    w = lambda t: np.tan(alpha) * np.array([0, 0, 0, -np.cos(t), -np.sin(t), 0])  # noqa: E731
    run = roll(Plane(), BALL, first, w, dt=angle / 6000, duration=angle)
    assert np.abs(run.p_B[-1] - run.p_B[0]).max() < 1e-9
    expected = Rotation.from_rotvec([0, 0, -2 * np.pi * (1 - np.cos(alpha))]).as_matrix()
    off = np.abs(run.X_AB[-1, :3, :3] - expected).max()
    figure("closed path on the ball: turned off the solid angle [1]", off, 1e-10)


def test_an_octant_of_the_ball_turns_it_by_a_right_angle(figure):
    """Three straight pushes of a quarter turn, each to the left of the last: the triangle on the ball holds pi/2."""
    coordinates = contact_coordinates(Plane(), np.eye(4), BALL, pose(p=[0, 0, RADIUS]), [0, 0, 0])
    first, quarter = coordinates, np.pi / 2
    for axis in ([0, 1, 0], [-1, 0, 0], [0, -1, 0]):  # rolling along x, y, -x
        run = roll(Plane(), BALL, first, lambda t, axis=axis: [0, 0, 0, *axis], dt=quarter / 2000, duration=quarter)
        first = run.coordinates[-1]
    assert np.abs(run.p_A[-1] - [0, quarter * RADIUS, 0]).max() < 1e-12
    assert np.abs(run.p_B[-1] - [0, 0, -RADIUS]).max() < 1e-9
    expected = Rotation.from_rotvec([0, 0, -quarter]).as_matrix()
    figure("octant of the ball: turned off a right angle [1]", np.abs(run.X_AB[-1, :3, :3] - expected).max(), 1e-10)


def test_a_ball_rolled_round_a_parallel_of_another_ball(figure):
    """In the frame that turns with the contact the motion is steady: R(2 pi) = exp(2 pi k) again."""
    big, theta = 0.6, 0.8
    n = np.array([np.sin(theta), 0, np.cos(theta)])
    first = contact_coordinates(Sphere(big), np.eye(4), BALL, pose(p=(big + RADIUS) * n), big * n)
    ratio = (big + RADIUS) / RADIUS * np.sin(theta)
    down = lambda t: np.array([np.cos(theta) * np.cos(t), np.cos(theta) * np.sin(t), -np.sin(theta)])  # noqa: E731
    run = roll(
        Sphere(big), BALL, first, lambda t: np.concatenate([np.zeros(3), -ratio * down(t)]),
        dt=2 * np.pi / 8000, duration=2 * np.pi,
    )  # fmt: skip
    figure("parallel of a ball: the path closes [m]", np.abs(run.p_A[-1] - run.p_A[0]).max(), 1e-9)
    expected = Rotation.from_rotvec(2 * np.pi * (-ratio * down(0.0) - [0, 0, 1])).as_matrix()
    figure("parallel of a ball: holonomy off its closed form [1]", np.abs(run.X_AB[-1, :3, :3] - expected).max(), 1e-9)


def test_sliding_leaves_the_ball_s_contact_where_it_is_and_rolling_does_not():
    """E9: pure sliding moves the contact on the plane only; pure rolling moves it on both by the same length."""
    first = contact_coordinates(Plane(), np.eye(4), BALL, pose(p=[0, 0, RADIUS]), [0, 0, 0])
    slide = roll(Plane(), BALL, first, lambda t: [0.3, 0.1, 0, 0, 0, 0], dt=0.01, duration=1.0)
    assert slide.arc_b[-1] == 0.0 and abs(slide.arc_a[-1] - np.hypot(0.3, 0.1)) < 1e-12
    turn = roll(Plane(), BALL, first, lambda t: [0, 0, 0, 0.3, 0.1, 0], dt=0.01, duration=1.0)
    assert abs(turn.arc_a[-1] - RADIUS * np.hypot(0.3, 0.1)) < 1e-12 and abs(turn.arc_b[-1] - turn.arc_a[-1]) < 1e-15


def test_the_error_falls_with_the_fourth_power_of_the_step(figure):
    rng = np.random.default_rng(5)
    surface, _, _, first = start_on("ellipsoid", rng)
    twist = wandering(rng, slip=0.1)
    ends = [roll(surface, BALL, first, twist, dt=dt, duration=2.0).X_AB[-1] for dt in (0.02, 0.01, 0.001)]
    order = np.log2(np.abs(ends[0] - ends[2]).max() / np.abs(ends[1] - ends[2]).max())
    figure("rolling: observed order of the integration", order, 3.7, at_least=True)


def test_a_batch_is_its_members_bit_for_bit_on_any_number_of_threads():
    rng = np.random.default_rng(6)
    surface, _, _, first = start_on("ellipsoid", rng)
    twists = rng.normal(size=(3, 2, 201, 6)) * 0.3
    starts = first + rng.uniform(-0.05, 0.05, (2, 7)) * [0, 1, 1, 0, 1, 1, 1]
    both = roll(surface, BALL, starts, twists, dt=0.01, threads=1)
    assert np.array_equal(both.path, roll(surface, BALL, starts, twists, dt=0.01, threads=3).path)
    for i in range(3):
        for j in range(2):
            assert np.array_equal(both.path[i, j], roll(surface, BALL, starts[j], twists[i, j], dt=0.01).path)


def test_samples_are_the_function_at_half_steps():
    rng = np.random.default_rng(7)
    surface, _, _, first = start_on("sphere", rng)
    twist = wandering(rng, slip=0.1)
    samples = np.array([twist(0.005 * i) for i in range(201)])
    a = roll(surface, BALL, first, twist, dt=0.01, duration=1.0)
    assert np.array_equal(a.path, roll(surface, BALL, first, samples, dt=0.01).path)


def test_a_constant_screw_in_b_s_axes_is_an_exponential(figure):
    """A ball that pivots about its contact: X_AB = X_AB(0) exp(twist of B in B's own axes)."""
    first = contact_coordinates(Plane(), np.eye(4), BALL, pose(p=[0, 0, RADIUS]), [0, 0, 0])
    run = roll(Plane(), BALL, first, lambda t: [0, 0, 0, 0, 0, 1.3], dt=0.01, duration=2.0, axes="b")
    expected = pose(p=[0, 0, RADIUS]) @ exp_twist([0, 0, 0, 0, 0, 1.3], 2.0)
    figure("pivoting ball off its exponential [1]", np.abs(run.X_AB[-1] - expected).max(), 1e-12)


def test_bad_input_is_one_sentence():
    first = contact_coordinates(Plane(), np.eye(4), BALL, pose(p=[0, 0, RADIUS]), [0, 0, 0])
    still = lambda t: np.zeros(6)  # noqa: E731
    good = {"dt": 0.01, "duration": 1.0}
    for shapes, start, twist, options, sentence in (
        ((Box((1, 1, 1)), BALL), first, still, good, "A is a box; contacts can be followed on a sphere"),
        ((Plane(), Capsule(1, 1)), first, still, good, "B is a capsule"),
        ((Plane(), "ball"), first, still, good, "B is a str"),
        ((Plane(), BALL), first, still, good | {"dt": 0.0}, "dt must be above zero"),
        ((Plane(), BALL), first, still, good | {"dt": np.nan}, "dt.* is nan"),
        ((Plane(), BALL), first, still, {"dt": 0.01}, "needs a duration"),
        ((Plane(), BALL), first, still, good | {"duration": -1}, "duration must be from 0"),
        ((Plane(), BALL), first, still, good | {"axes": "world"}, "unknown axes 'world'"),
        ((Plane(), BALL), first, lambda t: np.zeros(5), good, r"twist needs shape \(\*batch, 6\)"),
        ((Plane(), BALL), first, lambda t: [np.nan] * 6, good, "nan"),
        ((Plane(), BALL), first, np.zeros((4, 6)), {"dt": 0.01}, "one at each half step"),
        ((Plane(), BALL), first, np.zeros(6), {"dt": 0.01}, "For a constant twist give a function"),
        ((Plane(), BALL), first, np.zeros((3, 6)), good, "samples have their own"),
        ((Plane(), BALL), first[:6], still, good, r"needs shape \(\*batch, 7\)"),
        ((Plane(), BALL), np.add(first, [3, 0, 0, 0, 0, 0, 0]), still, good, "chart on A, a plane, must be one of"),
        ((Plane(), BALL), np.add(first, [0, 0, 0, 0, 1.5, 0, 0]), still, good, "away from the chart's poles"),
        ((Cylinder(1, 1), BALL), np.add(first, [0, 0, 0.6, 0, 0, 0, 0]), still, good, "must lie within 0.5 m"),
    ):
        with pytest.raises(CarpalError, match=sentence):
            roll(*shapes, start, twist, **options)
