"""Many free bodies without any robot, and one that bounces: closed forms against the modal engine."""

import many_body_scenes as scenes
import numpy as np
import pytest
from modal_scenes import GRAVITY, thrown_ball

from carpal.engines import ModalEngine, Surface, simulate


def run_carried(count, duration):
    scene = scenes.carried_box(count)
    model = scene.build()
    u = np.zeros(model.nv)
    u[:2] = scenes.FORCE
    return simulate(ModalEngine(model, surface=Surface(mu=0.5)), scene.start(), lambda t, s: u, duration=duration)


def check_carried(count, duration, figure):
    run = run_carried(count, duration)
    a, t = scenes.carried_acceleration(count), run.time[:, None]
    plate = np.abs(run.q[:, :2] - a * t**2 / 2).max()
    balls = max(
        np.abs(run.q[:, 7 + 7 * i : 9 + 7 * i] - run.q[0, 7 + 7 * i : 9 + 7 * i] - a * t**2 / 4).max()
        for i in range(count**2)
    )
    name = f"box on {count**2} rolling balls, {duration:g} s:"
    figure(f"{name} plate off the closed form [m]", plate, 1e-12)
    figure(f"{name} balls off the closed form [m]", balls, 1e-12)
    assert run.check()


def test_a_box_carried_by_nine_rolling_balls(figure):
    check_carried(3, 0.2, figure)


@pytest.mark.full
def test_a_box_carried_by_twenty_five_rolling_balls(figure):
    """Later the plate's weight leaves the rear balls, and without load they need not follow: the closed form ends."""
    check_carried(5, 0.5, figure)


def check_bouncing(count, duration, figure, e=0.8):
    scene = scenes.bouncing_balls(count)
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.3, restitution=e))
    run = simulate(engine, scene.start(), duration=duration)
    z, v = scenes.bounced(scenes.heights(count), e, run.time[-1])
    n = count**2
    name = f"{n} bouncing balls, e = {e:g}, {duration:g} s:"
    off = np.abs(run.q[-1].reshape(n, 7)[:, 2] - scenes.RADIUS - z).max()
    figure(f"{name} heights off the closed form [m]", off, 1e-5, note="g dt^2 / 2 = 4.9e-6 for a hit at a step's end")
    figure(f"{name} speeds off the closed form [m/s]", np.abs(run.v[-1].reshape(n, 6)[:, 2] - v).max(), 1e-3)


def test_nine_bouncing_balls(figure):
    check_bouncing(3, 0.7, figure)


@pytest.mark.full
def test_forty_nine_bouncing_balls(figure):
    check_bouncing(7, 1.0, figure)


def bounce(e, height=0.2):
    scene = thrown_ball(0.0, height=height, radius=0.05, mass=0.3)
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.3, restitution=e))
    wanted = np.sqrt(2 * height / GRAVITY) * (1 + e) / (1 - e) if e < 1 else 3.0
    run = simulate(engine, scene.start(), duration=1.1 * wanted + 0.02)
    return run, wanted


def check_accumulation(e, figure):
    run, wanted = bounce(e)
    at = run.time[np.flatnonzero(np.abs(run.v[:, 2]) > 1e-3)[-1] + 1]
    figure(f"bouncing, e = {e:g}: time until rest off its closed form [of it]", abs(at / wanted - 1), 0.01)
    energy = GRAVITY * (run.q[:, 2] - 0.05) + run.v[:, 2] ** 2 / 2
    figure(f"bouncing, e = {e:g}: energy gained in a step [J/kg]", np.diff(energy).max(), 1e-12)
    figure(f"bouncing, e = {e:g}: deepest [m]", 0.05 - run.q[:, 2].min(), 1e-9)


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_bounces_accumulate(e, figure):
    check_accumulation(e, figure)


@pytest.mark.full
@pytest.mark.parametrize("e", [0.1, 0.3, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99])
def test_bounces_accumulate_full_range(e, figure):
    check_accumulation(e, figure)


@pytest.mark.full
def test_a_perfect_ball_bounces_for_ever(figure):
    run, _ = bounce(1.0)
    energy = GRAVITY * (run.q[:, 2] - 0.05) + run.v[:, 2] ** 2 / 2
    figure("bouncing, e = 1, 3 s: energy off [of it]", np.abs(energy / energy[0] - 1).max(), 1e-12)
