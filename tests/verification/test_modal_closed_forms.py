"""The modal engine against closed forms: inclines, bowling, blocks, tipping, spinning tips, bouncing, both schemes."""

import modal_scenes as scenes
import numpy as np
import pytest

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels import ledger as columns
from carpal.engines.modal.kernels.contact_modes import IMPACT
from carpal.engines.modal.kernels.ledger import CERTIFICATE
from carpal.model import Box, Cylinder, Plane, Scene, Sphere

G = scenes.GRAVITY


def _certified(ledger):
    return ledger[..., columns.CERTIFIED : columns.CERTIFIED + CERTIFICATE].max()


@pytest.mark.parametrize("accurate", [False, True], ids=["time stepper", "accurate"])
@pytest.mark.parametrize("mu", [0.5, 0.05])
def test_a_ball_on_an_incline_rolls_or_slides(mu, accurate, figure):
    angle = 0.3
    scene = scenes.incline(angle)
    engine = ModalEngine(scene.build(), surface=Surface(mu=mu), accurate=accurate)
    state, ledger, touch = engine.run_with_ledger(scene.start(), None, 500)
    rolls = mu > 2 / 7 * np.tan(angle)
    a = 5 / 7 * G * np.sin(angle) if rolls else G * (np.sin(angle) - mu * np.cos(angle))
    name = f"ball on an incline, {'rolling' if rolls else 'sliding'}, {engine.integrator}"
    figure(f"{name}: way off a t^2/2 after 0.5 s [m]", abs(state.q[0] - a / 8), 1e-9)
    figure(f"{name}: speed [m/s]", abs(state.v[0] - a / 2), 1e-10)
    assert int(touch[0, columns.T_MODE]) == (2 if rolls else 3)
    assert _certified(ledger) < 1e-9


def test_the_boundary_between_rolling_and_sliding_is_at_two_sevenths_of_the_slope():
    angle = 0.3
    scene = scenes.incline(angle)
    for share, mode in ((1 + 1e-6, 2), (1 - 1e-6, 3)):
        mu = share * 2 / 7 * np.tan(angle)
        touch = ModalEngine(scene.build(), surface=Surface(mu=mu)).run_with_ledger(scene.start(), None, 100)[2]
        assert int(touch[0, columns.T_MODE]) == mode


@pytest.mark.parametrize("dt", [4e-3, 1e-3])
def test_a_bowling_ball_slides_and_then_rolls(dt, figure):
    v0, mu = 2.0, 0.2
    rolls = 2 * v0 / (7 * mu * G)
    scene = scenes.thrown_ball(v0)
    engine, state, when = ModalEngine(scene.build(), dt=dt, surface=Surface(mu=mu)), scene.start(), None
    for k in range(round(0.4 / dt)):
        state, _, touch = engine.run_with_ledger(state, None, 1)
        if when is None and int(touch[0, columns.T_MODE]) == 2:
            when = k * dt
    figure(f"bowling ball, {dt:g} s: begins to roll off 2 v0 / (7 mu g) [steps]", abs(when - rolls) / dt, 1.0)
    way = v0 * rolls - 0.5 * mu * G * rolls**2 + 5 / 7 * v0 * (0.4 - rolls)
    figure(f"bowling ball, {dt:g} s: way [m]", abs(state.q[0] - way), 3e-6)
    figure(f"bowling ball, {dt:g} s: final speed [m/s]", abs(state.v[0] - 5 / 7 * v0), 1e-12)


def test_a_block_on_four_corners_sticks_or_slides(figure):
    scene = scenes.block(push=(1.0, 0.5))
    pull = np.hypot(1.0, 0.5)
    state, ledger, touch = ModalEngine(scene.build(), surface=Surface(mu=0.1)).run_with_ledger(scene.start(), None, 500)
    figure("block on four corners, sliding: speed [m/s]", abs(np.hypot(*state.v[:2]) - 0.5 * (pull - 0.1 * G)), 1e-12)
    assert _certified(ledger) < 1e-9
    assert abs(touch[:4, columns.T_FORCE + 2].sum() - G) < 1e-12
    state, ledger, _ = ModalEngine(scene.build(), surface=Surface(mu=0.2)).run_with_ledger(scene.start(), None, 500)
    figure("block on four corners, sticking: moved [m]", np.abs(state.q[:3] - scene.start().q[:3]).max(), 1e-14)


@pytest.mark.parametrize(("mu", "tips"), [(0.3, False), (0.6, True)])
def test_a_tall_box_slides_or_tips(mu, tips, figure):
    """Pulled sideways by g/2 a box 5 cm wide and 10 cm tall slides below mu = 1/2 and tips above it."""
    scene = Scene("tall", gravity=(0.55 * G, 0.0, -G))
    scene.add_object("box", Box((0.05, 0.05, 0.1)), mass=0.2, pose=[0, 0, 0.05])
    scene.add_fixed("floor", Plane())
    engine = ModalEngine(scene.build(), surface=Surface(mu=mu))
    state, ledger, _ = engine.run_with_ledger(scene.start(), None, 20)
    if tips:  # about the lower edge: (g_x h/2 - g b/2) m / I_edge at the first moment
        rate = (0.55 * G * 0.05 - G * 0.025) / ((0.05**2 + 0.1**2) / 12 + 0.05**2 + 0.025**2)
        figure("box that tips: angular speed after 20 ms [of it]", abs(state.v[4] / (rate * 0.02) - 1), 0.02)
    else:
        assert abs(state.v[4]) < 1e-12
        figure("box that slides: speed after 20 ms [m/s]", abs(state.v[0] - (0.55 - mu) * G * 0.02), 1e-12)
    assert _certified(ledger) < 1e-9


def test_a_spinning_soft_tip_stops_when_its_torque_says(figure):
    """A ball that spins about the normal on a soft contact: dw/dt = -torsion m g / I; a hard point never stops it."""
    mass, radius, torsion, spin = 0.2, 0.05, 0.002, 20.0
    scene = Scene("spinning")
    scene.add_object("ball", Sphere(radius), mass=mass, pose=[0, 0, radius], twist=[0, 0, 0, 0, 0, spin])
    scene.add_fixed("floor", Plane())
    rate = torsion * mass * G / (0.4 * mass * radius**2)
    soft = ModalEngine(scene.build(), surface=Surface(mu=0.5, tip="soft", torsion=torsion))
    state = soft.run(scene.start(), None, 500).state
    figure("spinning soft tip: spin after 0.5 s [rad/s]", abs(state.v[5] - (spin - 0.5 * rate)), 1e-9)
    state = soft.run(scene.start(), None, round(spin / rate / 1e-3) + 20).state
    assert abs(state.v[5]) < 1e-12
    hard = ModalEngine(scene.build(), surface=Surface(mu=0.5)).run(scene.start(), None, 500).state
    assert abs(hard.v[5] - spin) < 1e-12


@pytest.mark.parametrize("e", [0.0, 0.3, 0.5, 0.8])
def test_bounces_accumulate_at_the_right_time(e, figure):
    scene = scenes.thrown_ball(0.0, height=0.5)
    engine, state = ModalEngine(scene.build(), surface=Surface(restitution=e)), scene.start()
    ends = np.sqrt(2 * 0.5 / G) * (1 + e) / (1 - e)
    rests = None
    for k in range(round(1.05 * ends / 1e-3)):
        state, _, touch = engine.run_with_ledger(state, None, 1)
        presses = touch[0, columns.T_PAIR] >= 0 and touch[0, columns.T_MODE] != IMPACT
        if rests is None and presses and touch[0, columns.T_FORCE + 2] > 0:
            rests = k * 1e-3
    figure(f"bouncing, e = {e}: time at which it rests [of it]", abs(rests / ends - 1), 0.01)
    assert abs(state.q[2] - 0.1) < 1e-12


def test_an_elastic_ball_bounces_for_ever(figure):
    scene = scenes.thrown_ball(0.0, height=0.2)
    engine = ModalEngine(scene.build(), surface=Surface(restitution=1.0))
    state = engine.run(scene.start(), None, 3000).state
    figure(
        "bouncing, e = 1: energy change in 3 s [of it]",
        abs(sum(engine.energies(state)) / sum(engine.energies(scene.start())) - 1), 1e-9,
    )  # fmt: skip


def test_a_rolling_cylinder_goes_down_with_two_thirds():
    from carpal.spatial import pose, rotation_about

    scene = Scene("roller", gravity=(G * np.sin(0.2), 0.0, -G * np.cos(0.2)))
    lying = pose(rotation_about((1, 0, 0), np.pi / 2), (0, 0, 0.05))
    scene.add_object("roller", Cylinder(0.05, 0.2), mass=0.3, pose=lying)
    scene.add_fixed("floor", Plane())
    state, ledger, _ = ModalEngine(scene.build(), surface=Surface(mu=0.5)).run_with_ledger(scene.start(), None, 300)
    assert abs(state.v[0] - 2 / 3 * G * np.sin(0.2) * 0.3) < 1e-6
    assert _certified(ledger) < 1e-9
