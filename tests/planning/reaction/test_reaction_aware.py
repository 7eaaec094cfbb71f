"""Reaction-aware motion: it arrives, keeps every limit, rests at both ends, and pushes as little as it says."""

import mujoco
import numpy as np
import pytest
from move_inputs import DURATION, POINT, VDOT_MAX, case_3, slides
from oracle.converters import MuJoCo, Pinocchio

import carpal
from carpal.dynamics import com
from carpal.errors import CarpalError, InputError, ModelError, UnknownNameError, UnreachableError
from carpal.planning import least_reaction_move


def keeps_limits(model, sampled, vdot_max):
    q, v, vdot = sampled
    inside = (q >= model.q_min) & (q <= model.q_max) & (np.abs(v) <= model.v_max) & (np.abs(vdot) <= vdot_max)
    return inside.all()


def differenced_force(model, motion, dt=1e-3):
    """Horizontal mount force by numpy alone: second differences of the centre of mass, error of order dt^2."""
    times = np.arange(dt, motion.duration, dt)
    before, here, after = (com(model, motion.at(times + k * dt)[0]) for k in (-1, 0, 1))
    return model.mass * (before - 2 * here + after)[:, :2] / dt**2


def test_it_arrives_at_rest_within_every_limit(figure):
    move = case_3()
    model = move.model
    assert move.ok and bool(move)
    q, v, vdot = move.sample(1e-3)
    assert q.shape == (1501, 7)
    assert np.array_equal(q[0], model.q_home)
    for ends in (v, vdot):
        assert not ends[0].any() and not ends[-1].any()
    figure(
        "reaction-aware, case 3: tool's miss at the end [m]",
        np.linalg.norm(carpal.fk(model, q[-1])[:3, 3] - POINT),
        1e-6,
    )
    fine = move.best.motion.at(np.linspace(0, DURATION, 15_001))
    over = max(
        (np.abs(fine[1]) / model.v_max).max(), (np.abs(fine[2]) / VDOT_MAX).max(),
        (fine[0] / model.q_max).max(), (fine[0] / model.q_min).max(),
    )  # fmt: skip
    figure("reaction-aware, case 3: largest part of a joint limit used, at 0.1 ms", over, 1.0)


def test_the_peak_is_far_below_the_quintic_s(figure):
    move = case_3()
    figure(
        "reaction-aware, case 3, 1 start: peak mount force below the quintic's [%]",
        100 * move.reduction(),
        60,
        at_least=True,
    )
    assert move.baseline.in_limits and move.timing_only.in_limits and move.posture_only.in_limits
    assert move.peak < move.posture_only.peak < move.baseline_peak
    assert move.peak < move.timing_only.peak < move.baseline_peak
    # what neither way can do: the centre of mass shifts by d in T from rest to rest
    assert move.floor <= move.peak
    for other in move.variants:
        shift = np.linalg.norm((com(move.model, other.q1) - com(move.model, move.model.q_home))[:2])
        assert other.peak_force >= 4 * move.model.mass * shift / DURATION**2


def test_parts_change_only_what_they_say():
    move = case_3()
    assert np.array_equal(move.timing_only.q1, move.baseline.q1)
    q, _, _ = move.timing_only.sample(0.01)
    way = move.baseline.q1 - move.model.q_home
    along = (q - move.model.q_home) @ way / (way @ way)
    assert np.allclose(q, move.model.q_home + along[:, None] * way, atol=1e-12)
    q, _, _ = move.posture_only.sample(0.01)
    s = np.linspace(0, 1, 151)[:, None]
    assert np.allclose(q, (s**3 * (10 - 15 * s + 6 * s**2)) * move.posture_only.q1, atol=1e-12)
    q, _, _ = move.baseline.sample(0.01)
    assert np.allclose(q, (s**3 * (10 - 15 * s + 6 * s**2)) * move.baseline.q1, atol=1e-12)
    for other in move.variants:
        assert other.reached < 1e-9


def test_the_force_is_what_differences_of_the_centre_of_mass_say(figure):
    move, worst = case_3(), 0.0
    for other in move.variants:
        again = np.linalg.norm(differenced_force(move.model, other.motion), axis=1).max()
        worst = max(worst, abs(again - other.peak_force))
    figure("peak mount force of four motions against second differences of the centre of mass [N]", worst, 1e-3)


def test_two_oracles_feel_the_same_force(figure):
    """Pinocchio: the force on the first joint's support. MuJoCo: inverse dynamics of the sampled motion on two held slides."""
    move = case_3()
    model = move.model
    pinocchio, worst = Pinocchio(model), [0.0, 0.0]
    import pinocchio as pin

    carried = _mujoco_on_slides(model)
    for other in move.variants:
        q, v, vdot = other.sample(5e-3)
        _, force = move.force(other, 5e-3)
        for k in range(len(q)):
            pin.centerOfMass(pinocchio.model, pinocchio.data, q[k], v[k], vdot[k])
            felt = pin.computeTotalMass(pinocchio.model) * pinocchio.data.acom[0][:2]
            worst[0] = max(worst[0], np.abs(felt - force[k]).max())
            worst[1] = max(worst[1], np.abs(carried(q[k], v[k], vdot[k]) - force[k]).max())
    figure("mount force of four sampled motions against Pinocchio [N]", worst[0], 1e-9)
    figure("mount force of four sampled motions against MuJoCo's held slides [N]", worst[1], 1e-9)


def _mujoco_on_slides(model):
    """Horizontal force that two slides under the base must supply to stand still."""
    from carpal.model import Body, Joint
    from carpal.spatial import Inertia

    none = Inertia(1e-12, np.zeros(3), 1e-12 * np.eye(3))  # the least that MuJoCo takes
    sleds = (
        Body("sled_x", None, Joint("table_x", "prismatic", axis=np.array([1.0, 0, 0])), none),
        Body("sled_y", "sled_x", Joint("table_y", "prismatic", axis=np.array([0, 1.0, 0])), none),
    )
    import dataclasses

    arm = tuple(dataclasses.replace(b, parent="sled_y") if b.parent is None else b for b in model.bodies)
    robot = MuJoCo(model.replace(bodies=(*sleds, *arm), q_home=None))
    data = robot.data

    def force(q, v, vdot):
        data.qpos[:], data.qvel[:], data.qacc[:] = (np.concatenate([[0.0, 0.0], x]) for x in (q, v, vdot))
        mujoco.mj_inverse(robot.model, data)
        return data.qfrc_inverse[:2].copy()

    return force


def test_displacement_is_minimised_when_asked(figure):
    move = case_3("displacement")
    assert move.ok and keeps_limits(move.model, move.sample(1e-3), VDOT_MAX)
    q, _, _ = move.sample(1e-3)
    shift = np.linalg.norm((com(move.model, q) - com(move.model, move.model.q_home))[:, :2], axis=1).max()
    assert shift == pytest.approx(move.peak, abs=1e-12) and move.peak == move.peak_displacement
    assert move.floor <= move.peak + 1e-12
    figure(
        "reaction-aware, case 3, 1 start: peak table shift below the quintic's [%]",
        100 * move.reduction(),
        60,
        at_least=True,
    )


def test_a_weighted_wrench_spares_the_vertical_force_too(figure):
    """Minimising the horizontal force alone trades it for a vertical one."""
    arm = carpal.load("sawyer")
    move = least_reaction_move(arm, POINT, duration=DURATION, vdot_max=VDOT_MAX, minimise="wrench", starts=2)
    assert move.ok and keeps_limits(arm, move.sample(1e-3), VDOT_MAX)
    level, whole = (np.abs(m.wrench(m.best)[1][:, 2]).max() for m in (case_3(), move))
    figure("reaction-aware, case 3: vertical force beside that of the least horizontal force", whole / level, 0.5)
    assert "weighted mount wrench" in str(move) and move.peak < 0.7 * move.baseline_peak
    force = np.linalg.norm(move.wrench(move.best)[1][:, :3], axis=1).max()
    assert force == pytest.approx(move.peak, rel=1e-9)


def test_two_slides_balance_and_one_cannot():
    move = least_reaction_move(slides(3.0, 6.0), (0.8, 0, 0), duration=1.25, vdot_max=50.0, starts=2)
    assert move.ok and move.peak < 0.01 * move.baseline_peak
    assert move.best.q1 == pytest.approx([0.8, -0.4], abs=1e-2)
    lone = least_reaction_move(slides(3.0), (0.8, 0, 0), duration=1.25, vdot_max=50.0, starts=1)
    assert lone.ok and lone.floor == pytest.approx(4 * 3 * 0.8 / 1.25**2, rel=1e-9)
    assert lone.floor < lone.peak < 1.06 * lone.floor
    assert lone.posture_only.peak == pytest.approx(lone.baseline_peak, rel=1e-9)  # there is no other posture


def test_a_limit_that_binds_is_kept_between_the_search_s_samples():
    """The slide's least push needs its whole speed limit: the fine grid must not see it exceeded."""
    way, time, v_max = 0.8, 1.25, 1.25 * 0.8 / 1.25
    move = least_reaction_move(slides(3.0, v_max=v_max), (way, 0, 0), duration=time, vdot_max=50.0, starts=1)
    _, v, _ = move.best.motion.at(np.linspace(0, time, 12_501))
    assert 0.98 * v_max < np.abs(v).max() <= v_max
    assert 3.0 * v_max / (time - way / v_max) < move.peak < 1.3 * 3.0 * v_max / (time - way / v_max)


@pytest.mark.parametrize("name", ["so101_old", "srs7"])
def test_other_arms_and_points(name):
    model = carpal.load(name, **({} if carpal.load(name).has_inertia else {"inertia": "assumed"}))
    start = 0.5 * (np.maximum(model.q_min, -2.0) + np.minimum(model.q_max, 2.0)) + 0.1
    goal = carpal.fk(model, np.clip(start + 0.4, model.q_min, model.q_max))[:3, 3]
    move = least_reaction_move(model, goal, q0=start, duration=1.2, vdot_max=15.0, starts=1)
    assert move.ok and keeps_limits(model, move.sample(1e-3), 15.0)
    assert np.array_equal(move.sample(1e-3)[0][0], start)
    assert np.linalg.norm(carpal.fk(model, move.best.q1)[:3, 3] - goal) < 1e-6
    assert move.peak <= move.baseline_peak


def test_the_same_seed_gives_the_same_bits():
    a, b = (
        least_reaction_move(slides(3.0, 6.0), (0.5, 0, 0), duration=1.0, vdot_max=9.0, starts=2, seed=4) for _ in "ab"
    )
    assert np.array_equal(a.best.motion.control, b.best.motion.control)


def test_a_goal_at_the_start_is_no_motion():
    model = carpal.load("sawyer")
    move = least_reaction_move(model, carpal.fk(model, model.q_home)[:3, 3], duration=1.0, vdot_max=10.0, starts=1)
    assert move.ok and move.peak < 1e-6 and move.reduction() == pytest.approx(0.0, abs=1.0)


BAD = [
    ({"point": (5, 0, 0)}, UnreachableError, "out of reach"),
    ({"point": (np.nan, 0, 0)}, InputError, r"point\[0\] is nan"),
    ({"point": (1, 2)}, InputError, "point must be 3 real numbers"),
    ({"point": "there"}, InputError, "point must be 3 real numbers"),
    ({"duration": 0.1}, InputError, "too short for the joint limits"),
    ({"duration": 0}, InputError, "duration must be a number of seconds above zero"),
    ({"duration": np.nan}, InputError, "duration must be a number of seconds above zero"),
    ({"duration": "long"}, InputError, "duration must be a number of seconds above zero"),
    ({"minimise": "noise"}, UnknownNameError, "force, displacement"),
    ({"vdot_max": 0.0}, InputError, "vdot_max must be one number above zero or 7 of them"),
    ({"vdot_max": [1.0, 2.0]}, InputError, "vdot_max must be one number above zero or 7 of them"),
    ({"vdot_max": np.nan}, InputError, "vdot_max must be one number above zero or 7 of them"),
    ({"q0": [9.0] * 7}, InputError, r"q0\[0\] = 9 is outside the limits of joint 'j0'"),
    ({"q0": [0.0] * 6}, InputError, "q0 must be 7 real numbers"),
    ({"seed": -1}, InputError, "seed must be a whole number"),
    ({"starts": 0}, InputError, "starts must be a whole number"),
    ({"model": "sawyer"}, InputError, "least_reaction_move needs a Model; got the str"),
]


@pytest.mark.parametrize(("change", "error", "says"), BAD, ids=[str(row[0]) for row in BAD])
def test_bad_input_gets_one_sentence(change, error, says):
    asked = {"model": carpal.load("sawyer"), "point": POINT, "duration": 1.5, "vdot_max": 10.0} | change
    with pytest.raises(error, match=says) as caught:
        least_reaction_move(asked.pop("model"), asked.pop("point"), **asked)
    assert "\n" not in str(caught.value) and isinstance(caught.value, CarpalError)


def test_a_little_too_short_is_said_after_the_search():
    """Full push and brake would need 0.64 s for this slide; 0.6 s passes the first check and fails the search."""
    with pytest.raises(InputError, match=r"no motion was found that keeps the joint limits in 0\.6 s"):
        least_reaction_move(slides(3.0), (0.8, 0, 0), duration=0.6, vdot_max=4 * 0.8 / 0.64**2, starts=1)


def test_a_floating_arm_has_no_mount():
    from random_models import random_chain

    with pytest.raises(ModelError, match="is free"):
        least_reaction_move(random_chain(0, 3, kinds=("free", "revolute")), POINT, duration=1.0)


@pytest.mark.full
@pytest.mark.parametrize("seed", [0, 1])
def test_case_3_in_full(seed, figure):
    model = carpal.load("sawyer")
    move = least_reaction_move(model, POINT, duration=DURATION, vdot_max=VDOT_MAX, seed=seed)
    note = f"{move.baseline_peak:.3f} N quintic, {move.peak:.3f} N found, floor of its posture {move.floor:.3f} N"
    assert move.ok and keeps_limits(model, move.sample(1e-3), VDOT_MAX)
    figure(
        "reaction-aware, case 3, T = 1.5 s: peak mount force below the quintic's [%]",
        100 * move.reduction(),
        60,
        at_least=True,
        note=note,
    )
    figure("the same, timing alone [%]", 100 * move.reduction(move.timing_only), 0, at_least=True)
    figure("the same, posture alone [%]", 100 * move.reduction(move.posture_only), 0, at_least=True)
