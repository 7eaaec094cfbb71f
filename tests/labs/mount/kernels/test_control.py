"""One period of the mount's control: pulses act in their time, the dead joint stops, torques give the wanted motion."""

import numpy as np

from carpal.engines import RigidEngine
from carpal.labs.mount.controller import HoldStill
from carpal.labs.mount.kernels import control as k
from carpal.labs.mount.kernels.table import INTEGRAL
from carpal.model import State
from carpal.tasks import make_task


def policy_of(**options):
    task = make_task("mount", **options)
    return task, HoldStill(task, task.draw(np.random.default_rng(0)))


def test_pulses_act_in_their_time() -> None:
    pulses = np.array([[50.0, 150.0, 0.05, 0.10], [1.0, 0.0, 0.0, np.inf]])
    assert k.external_force(pulses, 0.049, 1e-3) == (1.0, 0.0)
    assert k.external_force(pulses, 0.050, 1e-3) == (51.0, 150.0)
    assert k.external_force(pulses, 0.099, 1e-3) == (51.0, 150.0)
    assert k.external_force(pulses, 0.100, 1e-3) == (1.0, 0.0)


def test_a_free_table_gets_nothing_and_the_arm_its_accelerations() -> None:
    task, policy = policy_of(case=2)
    u = policy(0.0, State.home(task.model))
    for part in u:
        assert not part[:2].any() and np.array_equal(part[2:], task.motion.vdot[0])


def test_a_dead_joint_stops_within_a_period() -> None:
    task, policy = policy_of(case=2, dead_joint=1, dead_time=0.0)
    v = np.r_[0.0, 0.0, 0.5, np.zeros(6)]
    assert policy(0.0, State.home(task.model, v=v)).start[2] == -500.0


def test_torques_give_the_wanted_accelerations_on_the_moving_table() -> None:
    """Hybrid dynamics in the law, plain forward dynamics in the check."""
    task, policy = policy_of(case=3, drive="torque", control="none")
    u = policy(0.0, State.home(task.model))
    vdot, _ = RigidEngine(task.model, dt=1e-3).accelerations(State.home(task.model), u)
    assert np.allclose(vdot[2:], task.motion.vdot[0], atol=1e-9)
    assert np.abs(vdot[:2]).max() > 0.1


def test_measured_joints_come_from_differences() -> None:
    task, policy = policy_of(case=2, control="open", disturbance="measured")
    motion, home = task.motion, State.home(task.model)
    for row in range(3):
        q, v = home.q.copy(), home.v.copy()
        q[2:], v[2:] = motion.q[row], motion.v[row]
        u = policy(row * task.dt, State(row * task.dt, q, v))
        if row == 0:
            assert not np.abs(u.start[:2]).max() > 1e-12  # no difference yet
    assert np.array_equal(u.start[:2], u.end[:2]) and np.abs(u.start[:2]).max() > 1.0


def test_either_pulley_at_its_largest_torque_holds_the_integral() -> None:
    """A shift along (1, 1) loads pulley 6 alone, along (1, -1) pulley 5 alone."""
    for x, y, full in ((0.1, 0.1, 1.0), (0.1, -0.1, 1.0), (1e-6, 1e-6, 0.0)):
        task, policy = policy_of(case=2, control="closed", torque_max=5.0)
        home = State.home(task.model)
        q = home.q.copy()
        q[:2] = x, y
        integrals = []
        for period in range(3):
            policy(period * task.dt, State(period * task.dt, q, home.v))
            integrals.append(policy._scratch.memory[0, :2, INTEGRAL].copy())
        assert policy._scratch.memory[0, 2, 0] == full
        assert np.array_equal(integrals[2], integrals[1]) == bool(full)
