import numpy as np
import pytest
from catch_inputs import engine, held, moved_digits, wanted

from carpal.errors import InputError
from carpal.labs.catch import CatcherNumbers, MuJoCoCatcher, arm_angles, body_pose, catcher, finger_angles
from carpal.labs.catch.air_flight import flown_in_air

STILL = np.zeros(11)


def test_it_is_the_same_catcher():
    made, other = (
        catcher(ball_position=(0.1, 0.2, -3.0)),
        MuJoCoCatcher(ball_position=(0.1, 0.2, -3.0), ball_velocity=(0, 3, 4)),
    )
    assert abs(other.model.body_mass.sum() - sum(body.inertia.mass for body in made.bodies)) < 1e-9
    assert np.abs(other.hand_pose - made.bodies[5].X_WB).max() < 1e-9
    assert np.abs(other.arm_angles - np.radians([0, 180, -90, -90, 0, 90])).max() < 1e-12
    assert np.abs(other.ball_position - [0.1, 0.2, -3.0]).max() < 1e-12
    X = other.hand_pose
    assert np.abs(X[:3, :3] @ other.ball_in_hand + X[:3, 3] - other.ball_position).max() < 1e-12
    assert other.model.npair == 23 and other.model.nu == 11
    lengths = other.data.ten_length[:4]
    assert np.abs(lengths - 0.027).max() < 1e-9


def test_hold_and_close_agree_with_the_penalty_plant(figure):
    """The same commands in both: sag of the arm, then the digits by a 20 ms ramp."""
    made, other = engine(), MuJoCoCatcher()
    other.step(wanted(), STILL, 4000)
    before = held()[-1].q
    # both still swing a little at 0.4 s: the comparison is of motions, not of rests
    assert np.abs(other.arm_angles - arm_angles(made.mechanism, before)).max() < 2e-4
    rows = moved_digits(made, held()[-1], wanted(False), wanted(True), "ramp")
    apart, bent = 0.0, 0.0
    first, last = wanted(False), wanted(True)
    for ms in range(len(rows)):
        now, rate = (first + (last - first) * ms / 20, (last - first) / 0.02) if ms < 20 else (last, STILL)
        other.step(now, rate, 10)
        hand = body_pose(made.mechanism, rows[ms], "palm")[:3, 3]
        apart = max(apart, float(np.linalg.norm(other.hand_pose[:3, 3] - hand)))
        angles = finger_angles(made.mechanism, rows[ms])
        bent = max(bent, float(np.abs(other.q[6:18].reshape(4, 3)[:, 0] - angles[:, 0]).max()))
    figure("hand in MuJoCo from the hand of the penalty engine, hold and close [mm]", 1000 * apart, 2.0)
    figure("proximal phalanges apart in both engines while closing [deg]", np.degrees(bent), 6.0)


def test_the_ball_bounces_by_the_same_law(figure):
    """Onto the bin's floor at 5.2 m/s: restitution 0.30, as the penalty law has on a wall."""
    x, y, z = CatcherNumbers().bin_rim
    other = MuJoCoCatcher(ball_position=(x, y - 0.15 + 0.026, z), ball_velocity=(0, -5.2, 0))
    speed = 0.0
    for _ in range(100):
        other.step(wanted(), STILL)
        speed = max(speed, float(other.data.qvel[other.model.joint("ball").dofadr[0] + 1]))
    figure("restitution in MuJoCo off the penalty law's 0.30", abs(speed / 5.2 - 0.30), 0.03)


def test_the_air_brakes_the_ball_as_in_the_penalty_plant(figure):
    numbers = CatcherNumbers(ball_mass=0.02, drag=0.47)
    p, v = np.array([0.1, -0.1, -3.0]), np.array([0.0, 3.7, 3.7])
    other, plain = (
        MuJoCoCatcher(None, p, v, numbers=n) for n in (numbers, CatcherNumbers(ball_mass=0.02))
    )  # fmt: skip
    for made in (other, plain):
        made.step(wanted(), STILL, 3000)
    there, speed = flown_in_air(p, v, numbers.air_rate, 0.3)
    figure("catch in MuJoCo: ball of 20 g in air after 0.3 s against Runge-Kutta [m]",
           np.abs(other.ball_position - there).max(), 3e-4, note="MuJoCo's step is of first order")  # fmt: skip
    np.testing.assert_allclose(other.data.qvel[other._ball : other._ball + 3], speed, atol=1e-3)
    assert np.abs(plain.ball_position - there).max() > 2e-2
    assert other.contact_force == 0.0


def test_the_force_on_a_resting_ball_is_its_weight():
    x, y, z = CatcherNumbers().bin_rim
    other = MuJoCoCatcher(ball_position=(x, y - 0.15 + 0.0251, z))
    other.step(wanted(), STILL, 5000)
    assert abs(other.contact_force - 0.12 * 9.81) < 1e-2


def test_a_given_torque_and_a_limit_act():
    limited = MuJoCoCatcher(numbers=CatcherNumbers(torque_limit=2.0))
    limited.step(wanted(), STILL, 500)
    assert np.abs(limited.data.actuator_force[:6]).max() <= 2.0 + 1e-9
    helped, plain = MuJoCoCatcher(), MuJoCoCatcher()
    helped.step(wanted(), STILL, 200, torque=[3.0, 0, 0, 0, 0, 0])
    plain.step(wanted(), STILL, 200)
    assert helped.arm_angles[0] > plain.arm_angles[0] + 1e-3


@pytest.mark.parametrize("dt", [0.0, -1e-4, 0.01, float("nan")])
def test_bad_steps_are_refused(dt):
    with pytest.raises(InputError, match="dt of the catcher in MuJoCo"):
        MuJoCoCatcher(dt=dt)


def test_bad_commands_are_refused():
    with pytest.raises(InputError, match="11 numbers"):
        MuJoCoCatcher().step([0.0], STILL)
