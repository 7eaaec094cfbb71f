"""Closed-form arm-angle kinematics: every branch right, singular poses finite and explained, bad input in one sentence."""

from typing import ClassVar

import numpy as np
import pytest
from srs_robots import iiwa_urdf, random_srs, with_limits

import carpal
from carpal.errors import InputError
from carpal.kinematics import random_configurations, srs_geometry
from carpal.kinematics.redundant.arm_angle7 import solve_arm_angle
from carpal.kinematics.redundant.kernels.srs_pose import OFFSET, elbow_turns
from carpal.kinematics.redundant.srs_class import require_srs

SAMPLE = np.array([0.3, 0.7, -0.4, 1.1, 0.5, -0.8, 0.2])  # facts of Prabhu 2018, section 4


def apart(a, b):
    """Difference of angles, turns aside."""
    return np.abs((a - b + np.pi) % (2 * np.pi) - np.pi)


def solve(model, X, psi=None, q0=None, **options):
    return solve_arm_angle(model, require_srs(model), X, psi, q0, **options)


def round_trip(model, q):
    """Worst distance of the generating configuration and pose error, least distance of solutions, most and least count."""
    X, psi = carpal.fk(model, q), carpal.arm_angle(model, q)
    found = solve(model, X, psi, q)
    there = np.isfinite(found.q[..., 0])
    assert np.array_equal(there.sum(-1), found.count)
    away = np.where(there, apart(found.q, q[:, None]).max(-1), np.inf).min(-1)
    pose = np.abs(carpal.fk(model, np.nan_to_num(found.q)) - X[:, None]).max((-1, -2))[there].max()
    between = apart(found.q[:, :, None], found.q[:, None]).max(-1)
    between[:, np.arange(8), np.arange(8)] = np.inf
    assert apart(carpal.arm_angle(model, np.nan_to_num(found.q)), psi[:, None])[there].max() < 1e-6
    return away.max(), pose, np.nanmin(between), found.count.max(), found.count.min()


def test_the_sample_of_the_fact_sheet(figure):
    model = carpal.load("srs7")
    X = carpal.fk(model, SAMPLE)
    psi = carpal.arm_angle(model, SAMPLE)
    figure(
        "Prabhu 2018, sample: tool position off its printed digits",
        np.abs(X[:3, 3] - (0.547153, 0.003269, 0.548326)).max(),
        5e-7,
    )
    figure("Prabhu 2018, sample: arm angle off its printed digits", abs(psi + 0.270235), 5e-7)
    found = solve(model, X, -0.270235, SAMPLE)
    assert found.count == 8
    by_code = {int(b): q for b, q in zip(found.branch, found.q, strict=True)}
    assert found.branch_name(4) == "elbow +, shoulder +, wrist -"
    figure("Prabhu 2018, sample: branch (1, 1, -1) off q", np.abs(by_code[4] - SAMPLE).max(), 2e-6)
    printed = (-0.06071, 1.7537, -0.25798, -1.1, -0.79801, 0.50106, 1.29621)
    figure("Prabhu 2018, sample: branch (-1, 1, 1) off its printed digits", np.abs(by_code[1] - printed).max(), 1e-5)


@pytest.mark.parametrize("name", ["srs7", "sia5"])
def test_round_trips(name, figure):
    model = carpal.load(name)
    away, pose, between, most, least = round_trip(model, random_configurations(model, 3000, seed=1))
    figure(f"{name}: generating configuration off its solution, 3,000 [rad]", away, 1e-6)
    figure(f"{name}: pose error of all solutions, 3,000", pose, 1e-9)
    assert between > 1e-6
    assert most == least == 8


@pytest.mark.full
@pytest.mark.parametrize("name", ["srs7", "sia5"])
def test_a_hundred_thousand_round_trips(name, figure):
    model = carpal.load(name)
    q = random_configurations(model, 100_000, seed=2)
    worst = np.array([round_trip(model, q[i : i + 10_000]) for i in range(0, len(q), 10_000)])
    figure(f"{name}: generating configuration off its solution, 100,000 [rad]", worst[:, 0].max(), 1e-6)
    figure(f"{name}: pose error of all solutions, 100,000", worst[:, 1].max(), 1e-9)
    figure(f"{name}: least distance between two solutions, 100,000 [rad]", worst[:, 2].min(), 1e-6, at_least=True)
    figure(f"{name}: fewest solutions of a pose, 100,000", worst[:, 4].min(), 8, at_least=True)


def some_robots(count, per_robot, figure):
    worst = []
    for seed in range(count):
        model = random_srs(seed)
        worst.append(round_trip(model, random_configurations(model, per_robot, seed=seed)))
    away, pose, between, _, least = np.array(worst).T
    what = f"{count} random SRS arms, {per_robot:,} configurations each"
    figure(f"{what}: generating configuration off its solution [rad]", away.max(), 1e-6)
    figure(f"{what}: pose error of all solutions", pose.max(), 1e-9)
    figure(f"{what}: least distance between two solutions [rad]", between.min(), 1e-6, at_least=True)
    figure(f"{what}: fewest solutions of a pose", least.min(), 8, at_least=True)


def test_random_robots(figure):
    some_robots(12, 200, figure)


@pytest.mark.full
def test_a_hundred_random_robots(figure):
    some_robots(100, 1000, figure)


def test_an_arm_from_a_urdf(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(iiwa_urdf())
    model = carpal.load(path)
    away, pose, _, _, least = round_trip(model, random_configurations(model, 500, seed=4))
    assert away < 1e-6 and pose < 1e-12 and least == 8


@pytest.mark.parametrize("name", ["srs7", "sia5"])
def test_a_sweep_leaves_the_tool_fixed(name, figure):
    model = carpal.load(name)
    X = carpal.fk(model, random_configurations(model, 20, seed=5))
    psi = np.linspace(-np.pi, np.pi, 361)
    found = solve(model, X[:, None], psi)
    moved = np.abs(carpal.fk(model, found.q) - X[:, None, None]).max()
    figure(f"{name}: a sweep of the arm angle moves the tool by", moved, 1e-10)
    assert apart(carpal.arm_angle(model, found.q), psi[:, None]).max() < 1e-9
    # and it is smooth but where a shoulder or wrist folds through its singularity: no jump of the elbow
    assert apart(found.q[:, 1:, 0, 3], found.q[:, :-1, 0, 3]).max() < 1e-9


def test_order_by_distance_and_branch_codes():
    model = carpal.load("sia5")
    q = random_configurations(model, 50, seed=6)
    found = solve(model, carpal.fk(model, q), carpal.arm_angle(model, q), q)
    away = np.linalg.norm(found.q - q[:, None], axis=-1)
    assert (np.diff(away) >= -1e-12).all()
    assert (away[:, 0] < 1e-6).all()
    plain = solve(model, carpal.fk(model, q), carpal.arm_angle(model, q))
    assert (plain.branch == np.arange(8)).all()
    signs = np.where(plain.branch & 2, -1, 1)
    assert (np.sign(plain.q[..., 1]) == signs).all()


def test_limits_flags_and_turns():
    """Angles come a whole turn away where only that is inside the limits, or nearer to q0 where limits are wide."""
    model = with_limits(carpal.load("srs7"), ((200, 300), *[(-180, 180)] * 5, (-720, 720)))
    q = random_configurations(model, 200, seed=7)
    found = solve(model, carpal.fk(model, q), carpal.arm_angle(model, q), q)
    assert np.abs(found.q[:, 0] - q).max() < 1e-6
    assert found.in_limits[:, 0].all()
    inside = ((found.q >= model.q_min) & (found.q <= model.q_max)).all(-1)
    assert np.array_equal(inside, found.in_limits)
    assert not found.in_limits.all()


def test_at_a_limit_is_inside_it():
    model = carpal.load("sia5")
    rng = np.random.default_rng(8)
    q = random_configurations(model, 300, seed=8)
    q = np.where(rng.random(q.shape) < 0.4, np.where(rng.random(q.shape) < 0.5, model.q_min, model.q_max), q)
    keep = np.abs(np.sin(q[:, [1, 5]])).min(1) > 0.05
    q = q[keep]
    found = solve(model, carpal.fk(model, q), carpal.arm_angle(model, q), q)
    mine = apart(found.q, q[:, None]).max(-1) < 1e-9
    assert mine.any(axis=1).all()
    assert (found.in_limits & mine).any(axis=1).all()
    assert (found.q[found.in_limits] <= model.q_max).all() and (found.q[found.in_limits] >= model.q_min).all()


def test_batch_equals_one_at_a_time_and_threads_do_not_matter():
    model = carpal.load("sia5")
    q = random_configurations(model, 40, seed=9)
    X, psi = carpal.fk(model, q), carpal.arm_angle(model, q)
    many = solve(model, X, psi, q, threads=1)
    assert np.array_equal(many.q, solve(model, X, psi, q, threads=2).q)
    for i in range(40):
        one = solve(model, X[i], psi[i], q[i])
        assert np.array_equal(one.q, many.q[i]) and np.array_equal(one.branch, many.branch[i])
        assert str(one) == str(many[i])
        assert carpal.arm_angle(model, q[i]) == psi[i]
    shaped = solve(model, X.reshape(5, 8, 4, 4), psi.reshape(5, 8), q.reshape(5, 8, 7))
    assert np.array_equal(shaped.q, many.q.reshape(5, 8, 8, 7))


def test_the_short_path_of_single_calls_gives_the_same_bits():
    from concurrent.futures import ThreadPoolExecutor

    from carpal.kinematics.redundant.arm_angle7 import solve_one_pose

    model = carpal.load("sia5")
    q = random_configurations(model, 200, seed=12)
    X, psi = carpal.fk(model, q), carpal.arm_angle(model, q) + 0.3
    many = solve(model, X, psi, q)

    def one(i):
        assert solve_one_pose(model, None, X[i], float(psi[i]), q[i]) is not None
        return carpal.ik_all(model, X[i], arm_angle=float(psi[i]), q0=q[i])

    with ThreadPoolExecutor(8) as pool:
        for i, found in enumerate(pool.map(one, range(len(q)))):
            assert np.array_equal(found.q, many.q[i])
            assert np.array_equal(found.branch, many.branch[i]) and np.array_equal(found.in_limits, many.in_limits[i])
            assert found.count == many.count[i] and found.ok == many.ok[i]
            assert str(found) == many.explain((i,))
            assert np.array_equal(found.target.position, X[i, :3, 3])
    plain = carpal.ik_all(model, X[0], arm_angle=0.3)
    assert np.array_equal(plain.q, solve(model, X[0], 0.3, model.q_home).q)
    for wrong, sentence in ((2 * X[0], "must be a rotation"), (np.nan * X[0], "not finite|last row")):
        with pytest.raises(InputError, match=sentence):
            carpal.ik_all(model, wrong, arm_angle=0.3)
    with pytest.raises(InputError, match="arm_angle must be finite"):
        carpal.ik_all(model, X[0], arm_angle=np.nan)
    with pytest.raises(InputError, match="q0"):
        carpal.ik_all(model, X[0], arm_angle=0.3, q0=np.full(7, np.nan))
    # what is not one plain pose goes the general way
    for call in ((X, 0.1, None), (X[0].tolist(), 0.1, None), (X[0], 1, None), (X[0], 0.1, [0.0] * 7)):
        assert solve_one_pose(model, None, *call) is None


def test_joints_beside_the_arm_stay_at_q0():
    import dataclasses

    model = random_srs(3)
    finger = dataclasses.replace(
        model.bodies[6], name="finger", parent="link7", joint=dataclasses.replace(model.bodies[6].joint, name="grip")
    )
    more = model.replace(bodies=(*model.bodies, finger), q_home=None)
    q = random_configurations(more, 5, seed=1)
    found = solve(more, carpal.fk(more, q), carpal.arm_angle(more, q), q)
    assert found.q.shape == (5, 8, 8)
    assert np.abs(found.q[:, 0] - q).max() < 1e-9
    assert np.array_equal(found.q[..., 7], np.broadcast_to(q[:, None, 7], (5, 8)))


class TestSingular:
    """Poses within 1e-12 of every singular case: finite, explained, and at q0 when they were made from it."""

    CASES: ClassVar = {
        "shoulder": ({1: 0.0}, "axes 1 and 3 are in line"),
        "shoulder turned over": ({1: np.pi}, "axes 1 and 3 are in line"),
        "wrist": ({5: 0.0}, "axes 5 and 7 are in line"),
        "wrist turned over": ({5: np.pi}, "axes 5 and 7 are in line"),
        "stretched elbow": ({3: "stretched"}, "stretched or folded flat"),
        "shoulder and wrist": ({1: 0.0, 5: 0.0}, "axes 5 and 7 are in line"),
        "all in line": ({1: 0.0, 3: "stretched", 5: 0.0}, "axes 1 and 3 are in line"),
        "wrist over the shoulder": ({1: "over", 2: 0.0}, "the wrist is over the first axis"),
    }

    @staticmethod
    def configuration(geometry, case, q):
        """A configuration of the singular kind, in the model's own angles."""
        offset = geometry.numbers[OFFSET : OFFSET + 7]
        q = q.copy()
        for joint, value in case.items():
            if value == "stretched":
                value = 0.0
            elif value == "over":
                t4 = q[3] - offset[3]
                ce, se, _, _ = elbow_turns(geometry.numbers, np.cos(t4), np.sin(t4), 1.0)
                value = -np.arctan2(se, ce)
            q[joint] = value + offset[joint]
        return q

    @pytest.mark.parametrize("case", CASES)
    @pytest.mark.parametrize("name", ["srs7", "sia5", "random"])
    def test_near_and_at(self, name, case, figure):
        model = random_srs(5) if name == "random" else carpal.load(name)
        model = with_limits(model, ((-400, 400),) * 7)
        geometry = srs_geometry(model)
        what, words = self.CASES[case]
        rng = np.random.default_rng(10)
        worst = told = 0.0
        for i in range(40):
            angles = rng.uniform(0.4, 2.7, 7) * rng.choice(
                [-1.0, 1.0], 7
            )  # of the common form: no second singularity near
            q = self.configuration(geometry, what, angles + geometry.numbers[OFFSET : OFFSET + 7])
            X, psi = carpal.fk(model, q), carpal.arm_angle(model, q)
            near = carpal.fk(model, q + 1e-12 * (i % 2) * rng.uniform(-1, 1, 7))
            if (
                i % 4 > 1 and case != "all in line"
            ):  # there 1e-12 m bend the elbow by 4e-6 rad, in a plane that q0 has not
                push = rng.normal(size=3)
                near[:3, 3] += 1e-12 * push / np.linalg.norm(push)
            found = solve(model, near, psi, q)
            assert 1 <= found.count <= 8
            some = found.q[: int(found.count)]
            assert np.isfinite(some).all()
            assert np.abs(carpal.fk(model, some) - near).max() < 4e-10
            distance = apart(some[:, None], some[None]).max(-1) + np.eye(len(some))
            assert distance.min() > 1e-8
            worst = max(worst, np.abs(found.q[0] - q).max())
            told += words in str(found)
            assert np.abs(X - near).max() < 1e-11
        # the elbow's own angle goes with the square root of what is missing to the stretched arm
        figure(f"singular, {name}, {case}: nearest solution off q0 [rad]", worst, 2e-5)
        figure(f"singular, {name}, {case}: explained of 40", told, 40, at_least=True)

    def test_folded_flat_with_equal_links(self):
        """The wrist is in the shoulder: no line, every direction will do; both elbow branches differ."""
        model = carpal.load("srs7")
        q = np.array([0.3, 0.4, -0.2, np.pi, 0.1, 0.9, -0.5])
        X = carpal.fk(model, q)
        for noise in (0.0, 1e-12, 1e-9):
            X[0, 3] += noise
            found = solve(model, X, 0.3, q)
            assert found.count == 8
            assert np.abs(carpal.fk(model, found.q) - X).max() < 1e-10

    def test_a_path_over_the_shoulder_axis_and_through_a_straight_wrist_keeps_its_joints(self):
        """Where the pose leaves something open it is what q0 had: no joint jumps."""
        model = with_limits(carpal.load("srs7"), ((-400, 400),) * 7)
        q = np.array([0.4, 0.6, 0.2, 1.0, -0.7, 0.0, 0.3])
        for _ in range(5):  # the very same singular pose again and again
            found = solve(model, carpal.fk(model, q), carpal.arm_angle(model, q), q)
            assert np.abs(found.q[0] - q).max() < 1e-9
            q = found.q[0]
        bent = np.array([[0.4, 0.6, 0.2, 1.0, -0.7, b, 0.3] for b in np.linspace(0.3, -0.3, 61)])
        last = bent[0]
        for q in bent:
            found = solve(model, carpal.fk(model, q), carpal.arm_angle(model, q), last)
            assert np.abs(found.q[0] - q).max() < 1e-7
            last = found.q[0]


class TestReasons:
    def test_too_far_and_too_near(self):
        model = carpal.load("sia5")
        geometry = srs_geometry(model)
        X = np.eye(4)
        X[:3, :3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]
        X[:3, 3] = 1.0, 0.0, 0.31
        result = solve(model, X)
        missing = 1.0 - 0.145 - sum(geometry.links)
        assert not result and result.count == 0
        assert str(result).startswith(f"out of reach by {missing:.4g} m for certain")
        X[:3, 3] = 0.145, 0.0, 0.31
        assert str(solve(model, X)).startswith(f"too near by {geometry.reach[0]:.4g} m for certain")

    def test_outside_the_limits(self):
        model = carpal.load("sia5")
        q = random_configurations(model, 200, seed=11)
        found = solve(model, carpal.fk(model, q), carpal.arm_angle(model, q) + 1.5)
        outside = np.flatnonzero(~found.ok)
        assert len(outside) > 5
        for i in outside[:20]:
            beyond = np.maximum(model.q_min - found.q[i], found.q[i] - model.q_max).max(axis=1).min()
            assert f"{np.degrees(beyond):.4g} deg beyond its limit" in found.explain((int(i),))


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (2 * np.eye(4), "must be a rotation"),
        (np.diag([1.0, 1.0, -1.0, 1.0]), "reflection"),
        (np.diag([1.0, 1.0, 1.0, 2.0]), "last row of a pose"),
        (np.full((4, 4), np.nan), "not finite"),
        (np.diag([1.0, 1.0, 1.0, np.inf]), "last row of a pose"),
        (np.ones(3), "needs a pose"),
        ((np.ones(3), np.ones(3)), "needs a pose"),
        (np.ones((3, 3, 2)), "a target is a pose"),
        ("there", "real numbers"),
    ],
)
def test_poses_that_make_no_sense(X, sentence):
    model = carpal.load("srs7")
    with pytest.raises(InputError, match=sentence):
        solve(model, X, 0.1)
    if not isinstance(X, tuple | str) and X.shape == (4, 4):
        with pytest.raises(InputError, match=sentence):
            solve(model, np.stack([carpal.fk(model, SAMPLE), X]), 0.1)


@pytest.mark.parametrize(
    ("psi", "q0", "sentence"),
    [
        (np.nan, None, "arm_angle\\[0\\] is nan"),
        ("up", None, "arm_angle must be real numbers"),
        (1j, None, "arm_angle must be real numbers"),
        (0.1, np.zeros(3), "q0 of model 'srs7' needs 7 numbers"),
        (0.1, np.full(7, np.nan), "q0\\[0\\] is nan"),
        (np.zeros(3), np.zeros((2, 7)), "do not fit together"),
        ([[0.1], [0.1, 0.2]], None, "rows differ in length"),
    ],
)
def test_options_that_make_no_sense(psi, q0, sentence):
    model = carpal.load("srs7")
    with pytest.raises(InputError, match=sentence):
        solve(model, carpal.fk(model, SAMPLE), psi, q0)


def test_bad_configurations():
    model = carpal.load("srs7")
    with pytest.raises(InputError, match="q\\[2\\] is nan"):
        carpal.arm_angle(model, [0, 0, np.nan, 0, 0, 0, 0])
    with pytest.raises(InputError, match="needs 7 numbers"):
        carpal.arm_angle(model, np.zeros(6))
