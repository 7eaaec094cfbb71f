"""5-joint arms: every configuration is found again, from any batch, and nothing else is returned."""

import numpy as np
import pytest
from closed_form_robots import SHAPES, robot
from pointing_checks import pointing_axis, round_trip, targets, wrap

import carpal
from carpal.kinematics import ik_all, random_configurations
from carpal.kinematics.inverse.arm_class import arm_class


def held(figure, what, found, note=""):
    figure(f"{what}: generating configuration not among the solutions", found["lost"], 0, note=note)
    figure(f"{what}: worst distance of the generating configuration [rad]", found["worst"], 1e-6, note=note)
    figure(f"{what}: worst error by forward kinematics [m, rad]", found["miss"], 1e-9, note=note)
    figure(f"{what}: least distance of two solutions [rad]", found["closest"], 1e-8, at_least=True, note=note)
    figure(f"{what}: rows whose limit flag is wrong", found["wrong flag"] + found["not flagged"], 0, note=note)
    figure(f"{what}: rows out of order", found["unsorted"], 0, note=note)


@pytest.mark.parametrize("name", ["k10", "so101_old"])
def test_round_trips(name, figure):
    held(figure, f"ik_all {name}", round_trip(carpal.load(name), 5000, seed=1))


@pytest.mark.full
@pytest.mark.parametrize("name", ["k10", "so101_old"])
def test_a_hundred_thousand_round_trips(name, figure):
    held(figure, f"ik_all {name}, 100,000", round_trip(carpal.load(name), 100_000, seed=2))


def many_robots(shape, robots, count):
    worst = {}
    for seed in range(robots):
        for key, value in round_trip(robot(shape, seed), count, seed).items():
            if key == "closest":
                worst[key] = min(worst.get(key, np.inf), value)
            elif key in ("worst", "miss"):
                worst[key] = max(worst.get(key, 0.0), value)
            else:
                worst[key] = worst.get(key, 0.0) + value
    return worst


@pytest.mark.parametrize("shape", SHAPES)
def test_round_trips_of_random_robots(shape, figure):
    held(figure, f"ik_all {shape}, 8 random robots", many_robots(shape, 8, 50 if "off its line" in shape else 200))


@pytest.mark.full
@pytest.mark.parametrize("shape", SHAPES)
def test_round_trips_of_a_hundred_random_robots(shape, figure):
    count = 100 if "off its line" in shape else 1000
    held(figure, f"ik_all {shape}, 100 random robots", many_robots(shape, 100, count), note=f"{count} each")


@pytest.mark.parametrize("name", ["k10", "so101_old"])
def test_one_equals_many_and_threads_do_not_matter(name):
    model = carpal.load(name)
    p, d = targets(model, random_configurations(model, 60, seed=3))
    many = ik_all(model, (p, 3.7 * d), threads=1)
    assert np.array_equal(many.q, ik_all(model, (p, 3.7 * d), threads=2).q, equal_nan=True)
    for i in range(60):
        one = ik_all(model, (p[i], 3.7 * d[i]))
        slow = ik_all(model, (p[i].tolist(), (3.7 * d[i]).tolist()))
        for single in (one, slow):
            assert np.array_equal(single.q, many.q[i], equal_nan=True)
            assert np.array_equal(single.branch, many.branch[i]) and single.count == many.count[i]
            assert np.array_equal(single.in_limits, many.in_limits[i])
    shaped = ik_all(model, (p.reshape(6, 10, 3), (3.7 * d).reshape(6, 10, 3)))
    assert np.array_equal(shaped.q, many.q.reshape(6, 10, 8, 5), equal_nan=True)
    assert shaped.ok.shape == (6, 10) and len(shaped) == 6


def test_fact_sheet_numbers_of_the_k10(figure):
    """E3: shares of poses with 2, 4, 6, 8 solutions within the limits, and what the right elbow alone would lose."""
    model = carpal.load("k10")
    q = random_configurations(model, 20_000, seed=8)
    result = ik_all(model, targets(model, q))
    wide = ((result.q >= model.q_min - 0.01) & (result.q <= model.q_max + 0.01)).all(-1)
    shares = [100 * float((wide.sum(-1) == n).mean()) for n in (2, 4, 6, 8)]
    for n, share, expected in zip((2, 4, 6, 8), shares, (12.1, 62.3, 6.9, 18.7), strict=True):
        figure(
            f"k10: poses with {n} solutions in limits + 0.01, off from the fact sheet [%]", abs(share - expected), 1.5
        )
    right = (wide & (result.q[..., 2] > 0)).any(-1)
    lost = 100 * float((~right).mean())
    figure(
        "k10: poses that the right-elbow restriction loses, off from 7.5 [%]",
        abs(lost - 7.5),
        0.6,
        note=f"{lost:.2f} %",
    )


def test_the_over_the_shoulder_branch_is_there():
    """E2: 17.9 % of configurations have X = f c2 + e_e s2 < 0, which the printed arcsines cannot return."""
    model = carpal.load("k10")
    q = random_configurations(model, 4000, seed=9)
    X = (0.325 + 0.311 * np.cos(q[:, 2])) * np.cos(q[:, 1]) + 0.0692 * np.sin(q[:, 1])
    assert abs((X < 0).mean() - 0.179) < 0.02
    over = q[X < 0]
    result = ik_all(model, targets(model, over))
    assert (np.nanmin(np.abs(wrap(result.q - over[:, None])).max(-1), axis=1) < 1e-6).all()


def test_roll_is_free_where_the_tool_is_on_the_roll_axis():
    model = robot("planar", 1)
    arm = arm_class(model)
    q = random_configurations(model, 50, seed=4)
    target = targets(model, q)
    roll = arm.axes.columns[4]
    for angle in (None, 0.4, -1.1):
        result = ik_all(model, target, roll=angle)
        assert result.free.name == "roll" and result.free.joint == "joint_4"
        expected = model.q_home[roll] if angle is None else angle
        assert np.allclose(result.free.value, expected)
        used = ~np.isnan(result.q[..., 0])
        assert np.allclose(result.q[used][:, roll], expected)
    assert f"the roll of joint_4 is free, held at {angle:.6g} rad" in result.explain((0,))


def test_pointing_along_the_pan_axis_leaves_roll_free():
    """so101_old's most common use: straight down. Roll moves the tool aside by 8 mm, pan makes up for it."""
    model = carpal.load("so101_old")
    axis = pointing_axis(model)
    down = -np.eye(3)[2]
    for roll in (-2.0, -0.3, 0.0, 1.2, 2.5):
        result = ik_all(model, ((0.06, -0.22, 0.05), down), roll=roll)
        assert result.ok and len(result) in (2, 4)
        X = carpal.fk(model, np.array(list(result)))
        assert np.abs(X[:, :3, 3] - (0.06, -0.22, 0.05)).max() < 1e-12
        assert np.abs(X[:, :3, :3] @ axis - down).max() < 1e-12
        assert np.allclose(np.array(list(result))[:, 4], roll)
    assert ik_all(model, ((0.06, -0.22, 0.05), down)).free.value == 0.0


@pytest.mark.parametrize("tilt", [1e-13, 1e-12, 1e-10, 1e-9, 1.1e-9, 1e-6, 1e-3])
def test_nearly_along_the_pan_axis(tilt):
    """so101_old near its pointing singularity: whatever comes back is right."""
    model = carpal.load("so101_old")
    direction = np.array([0.0, np.sin(tilt), -np.cos(tilt)])
    result = ik_all(model, ((0.0, -0.22, 0.05), direction))
    for q in result:
        p, d = targets(model, q)
        assert np.abs(p - (0.0, -0.22, 0.05)).max() < 1e-9 and np.abs(d - direction).max() < 1.1e-9


@pytest.mark.parametrize("epsilon", [0.0, 1e-13, 1e-12, 1e-9, 1e-6])
def test_singular_poses_of_the_k10(epsilon):
    """Stretched and folded elbow, straight wrist, wrist over the waist: finite, right, and continuous with q0."""
    model = carpal.load("k10")
    e = epsilon
    poses = [
        (0.3, -0.4, e, 0.5, 0.7),  # elbow stretched
        (0.3, -0.4, np.pi - e, 0.5, 0.7),  # folded
        (0.3, -0.4, 1.1, 0.5, e),  # wrist straight: twist means nothing
        (0.3, np.arctan2(-0.636, 0.0692) + np.pi + e, 0.0, 0.2, 0.7),  # wrist over the waist
    ]
    for q in np.array(poses):
        p, d = targets(model, q)
        result = ik_all(model, (p, d), q0=q)
        assert len(result) >= 2 and np.isfinite(result.q[: len(result)]).all()
        got_p, got_d = targets(model, result.q[: len(result)])
        assert np.abs(got_p - p).max() < 1e-9 and np.abs(got_d - d).max() < 1e-9
        # near a fold an angle is only known to the root of the rounding, where two folds meet to its fourth root
        double = q[2] == 0.0
        assert np.abs(wrap(result[0] - q)).max() < (0.05 if double and e else 1e-6)


def test_a_q0_for_every_target():
    model = carpal.load("k10")
    p, d = targets(model, np.array([0.4, -0.5, 0.9, 0.3, 0.8]))
    starts = random_configurations(model, 7, seed=5)
    result = ik_all(model, (p, d), q0=starts)
    assert result.q.shape == (7, 8, 5) and "targets have a solution" in str(result)
    for i, start in enumerate(starts):
        distance = np.linalg.norm(result.q[i] - start, axis=-1)
        assert (np.diff(distance) >= -1e-12).all()
        assert np.array_equal(result[i].q, ik_all(model, (p, d), q0=start).q)
