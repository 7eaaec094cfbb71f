"""Robot, ball and bin together: assembled exactly, at rest, in both forms alike."""

import numpy as np
import pytest
from catch_inputs import Q_DROP, Q_START, engine, held, moved_digits, wanted

from carpal.dynamics import com, inverse_dynamics
from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.labs.catch import CatcherNumbers, arm_angles, body_pose, catcher, catcher_engine, catcher_tree, digit_values
from carpal.labs.catch.hand_geometry import FINGERS
from carpal.model import load


def test_what_it_is_made_of():
    made = catcher()
    assert len(made.bodies) == 28 and len(made.joints) == 58 and made.commands == 11
    assert (
        abs(sum(body.inertia.mass for body in made.bodies) - (6.668 - 1.4 + 0.12)) < 1e-12
    )  # E19; shoulder link 1 stands
    assert (made.gravity == [0, -9.81, 0]).all()
    assert [body.name for body in made.bodies[:6]][-1] == "palm" and made.bodies[-1].name == "ball"


def test_the_ball_touches_all_of_the_hand_and_the_bin_and_nothing_else_touches():
    made = engine()
    ball = made.mechanism.body_index("ball")
    assert all(ball in pair for pair in made.touching.bodies)
    assert len(made.touching.bodies) == 4 + 4 * 3 + 2 + 5  # palm, heel, rims; phalanges; thumb; bin


def test_it_is_assembled_exactly_and_the_step_is_stable():
    free = catcher_engine(catcher(numbers=CatcherNumbers(stop_stiffness=0.0)))
    assert free.worst_gap(free.start())[0] < 1e-14
    made = engine()
    assert made.worst_gap(made.start())[0] < 2e-5  # the stops' slots have straight pieces
    assert made.stable_step > 1.2 * made.dt
    with pytest.raises(InputError, match="largest stable step"):
        catcher_engine(catcher(), dt=5e-5)


def test_it_holds_its_start_pose_with_the_thesis_gains(figure):
    """Yesmunt 2014, 6.1: the hand moves by less than 5 mm."""
    states, mechanism = held(), engine().mechanism
    q = np.array([state.q for state in states])
    true = body_pose(mechanism, q, "palm")[:, :3, 3]
    measured = fk(load("catcher_arm"), arm_angles(mechanism, q))[:, :3, 3]
    away = np.linalg.norm(true - true[0], axis=-1)
    figure("hold at the start pose: the hand moves [mm]", 1000 * away.max(), 5.0)
    figure(
        "true hand from the hand of the joint angles [mm]", 1000 * np.linalg.norm(true - measured, axis=-1).max(), 0.1
    )
    figure("largest joint gap while holding [um]", 1e6 * max(engine().worst_gap(s)[0] for s in states), 50)


def test_the_sag_is_gravity_over_the_gains():
    """Joint torques of the weight by inverse dynamics of the tree, against P times the angle given way, once at rest."""
    numbers = CatcherNumbers(arm_D=(20, 15, 12, 12, 2, 2))  # so that it comes to rest soon
    made = catcher_engine(catcher(numbers=numbers), numbers)
    state = made.run(made.start(), steps=25_000, command=wanted()).state
    angles = arm_angles(made.mechanism, state.q)
    tree = catcher_tree(numbers=numbers)
    q = np.array(tree.q_home)
    q[:6] = angles
    torque = inverse_dynamics(tree, q, np.zeros(tree.nv), np.zeros(tree.nv))[:6]
    given = np.array(numbers.arm_P) * (Q_START - angles)
    assert np.abs(given - torque).max() < 0.02 * np.abs(torque).max()


@pytest.mark.parametrize(("kind", "bound"), [("step", 90), ("ramp", 70), ("kick", 60)])
def test_the_digits_close_in_time(kind, bound, figure):
    made = engine()
    q = moved_digits(made, held()[-1], wanted(False), wanted(True), kind)
    values = digit_values(made.mechanism, q)
    share = (values[:, :4] - 0.027) / (0.010 - 0.027)
    assert (share[-1] > 0.9).all() and (values[-1, 4] + 0.35) / -0.4 > 0.9
    figure(f"fingers 90 % closed by a {kind} [ms]", 1 + max(np.argmax(share[:, i] > 0.9) for i in range(4)), bound)
    gap = max(made.worst_gap(made.start().replace(q=row))[0] for row in q[::5])
    assert gap < 2e-3


def test_a_ball_falls_into_the_bin_and_rests_there():
    (x, y, z), numbers = CatcherNumbers().bin_rim, CatcherNumbers()
    made = catcher_engine(catcher(ball_position=(x + 0.03, y + 0.1, z), ball_velocity=(0.2, 0, 0.1)), numbers)
    state = made.run(made.start(), steps=60_000, command=wanted()).state
    ball = state.q[-7:-4]
    assert np.abs(ball[[0, 2]] - [x, z]).max() < 0.1 - 0.02
    assert abs(ball[1] - (y - 0.15 + 0.025)) < 1e-3 and np.abs(state.v[-6:-3]).max() < 0.1


def test_many_worlds_are_the_single_one_bit_for_bit():
    made = engine()
    one, many = (made.run(made.start(batch), steps=60, command=wanted(True)).state for batch in ((), (3,)))
    assert np.array_equal(many.q[1], one.q) and np.array_equal(many.v[2], one.v)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"q": [0, 0, 0]}, "q must be 6 finite numbers"),
        ({"q": [np.nan] * 6}, "q must be 6 finite numbers"),
        ({"ball_velocity": (0, 0)}, "ball_velocity must be 3 finite numbers"),
        ({"ball_position": "here"}, "ball_position must be real numbers"),
        ({"numbers": {"friction": 0.2}}, "numbers must be CatcherNumbers; got dict"),
    ],
)
def test_bad_input_is_one_sentence(wrong, words):
    with pytest.raises(InputError, match=words):
        catcher(**wrong)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("q", [None, Q_DROP])
def test_the_tree_stands_where_the_mechanism_does(q, closed):
    made, tree = catcher(q, (0.1, 0.2, 0.3), closed=closed), catcher_tree(q, (0.1, 0.2, 0.3), closed=closed)
    where = {body.name: body.X_WB for body in made.bodies}
    for body in tree.bodies:
        assert np.abs(fk(tree, tree.q_home, body.name) - where[body.name]).max() < 1e-12, body.name


def test_it_weighs_the_same_in_the_same_place():
    made, tree = catcher(), catcher_tree()
    masses = np.array([body.inertia.mass for body in made.bodies])
    centres = np.array([(body.X_WB @ [*body.inertia.com, 1])[:3] for body in made.bodies])
    assert abs(tree.mass - masses.sum()) < 1e-12
    assert np.abs(com(tree, tree.q_home) - masses @ centres / masses.sum()).max() < 1e-4  # rods lie as in mid-stroke


def test_actuator_frames_are_the_actuators_length_apart():
    for closed, length in ((False, 0.027), (True, 0.010)):
        tree = catcher_tree(closed=closed)
        for finger in FINGERS:
            ends = [fk(tree, tree.q_home, f"{finger}/{end}")[:3, 3] for end in "ML"]
            assert abs(np.linalg.norm(ends[1] - ends[0]) - length) < 1e-9
