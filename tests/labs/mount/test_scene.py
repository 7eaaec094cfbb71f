"""The plant: masses, pulleys as mass, cables as springs, gravity along a tilted table."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from carpal.dynamics import mass_matrix
from carpal.engines import simulate
from carpal.labs.mount.robot import Table, arm_model, cables
from carpal.labs.mount.scene import arm_offsets, mount_scene, plant_engine, plant_model
from carpal.model import State

ARM = arm_model("sawyer", Table().gravity)
MASS = 20.7345


def test_masses_are_where_they_belong():
    table = Table(mass=5.0, sled_mass=3.0, pulley_inertia=2e-4, pulley_radius=0.02)
    M = mass_matrix(plant_model(ARM, table, floating=False), np.zeros(9))
    assert M[0, 0] == pytest.approx(MASS + 8.0 + 1.0) and M[1, 1] == pytest.approx(MASS + 5.0 + 1.0)
    assert plant_model(ARM, Table(), floating=True).nv == 13


def test_a_tilted_table_slides(figure):
    table = Table(tilt=0.05)
    model = plant_model(arm_model("sawyer", table.gravity), table, floating=False)
    engine = plant_engine(model, table, ARM, dt=1e-3, prescribed=True)
    end = engine.run(State.home(model), np.zeros(9), 1000).state
    figure("mount: a table tilted by 0.05 rad slides g sin(tilt) / 2 in 1 s, error [m]",
           abs(end.q[0] - 0.5 * 9.81 * np.sin(0.05)), 1e-9)  # fmt: skip
    assert abs(end.q[1]) < 1e-12


def test_elastic_cables_equal_an_independent_integration(figure):
    """The locked arm is a mass M; pulleys with inertia J; scipy integrates the four equations as written by hand."""
    table = Table(pulley_inertia=3e-4, pulley_radius=0.02, stiffness=2e4, cable_damping=15.0, pretension=60.0)
    model = plant_model(ARM, table, floating=False)
    engine = plant_engine(model, table, ARM, dt=2e-4, prescribed=True)
    torque, r, J = np.array([0.4, -0.1]), table.pulley_radius, table.pulley_inertia
    u = np.r_[np.zeros(9), torque]
    recording = simulate(engine, State.home(model), lambda t, s: u, 0.5)

    def rates(t, y):
        p, theta, dp, dtheta = y.reshape(4, 2)
        A = np.array([[-1.0, 1.0], [1.0, 1.0]])
        stretch, speed = r * theta - A.T @ p, r * dtheta - A.T @ dp
        k, d, T0 = table.stiffness / 2, table.cable_damping / 2, table.pretension
        pull = np.maximum(0, T0 + k * stretch + d * speed) - np.maximum(0, T0 - k * stretch - d * speed)
        return np.r_[dp, dtheta, A @ pull / MASS, (torque - r * pull) / J]

    exact = solve_ivp(rates, (0, 0.5), np.zeros(8), rtol=1e-11, atol=1e-13, t_eval=[0.5]).y[:, 0]
    figure(
        "mount: elastic cables against scipy, table position [m]", np.abs(recording.q[-1, :2] - exact[:2]).max(), 1e-8
    )
    figure(
        "mount: elastic cables against scipy, pulley angles [rad]",
        np.abs(recording.q[-1, -2:] - exact[2:4]).max(),
        1e-6,
    )
    tension = engine.tensions(State(0.5, recording.q[-1], recording.v[-1]))
    assert tension.shape == (4,) and len(cables(table)) == 4
    assert np.abs(recording.energy["residual"]).max() < 1e-7


def test_the_arm_comes_after_the_base():
    for floating in (False, True):
        model = plant_model(ARM, Table(), floating=floating)
        first_q, first_v = arm_offsets(floating)
        assert (model.nq - ARM.nq, model.nv - ARM.nv) == (first_q, first_v)
        assert mount_scene(ARM, Table(), floating=floating).build().joint_names == model.joint_names
