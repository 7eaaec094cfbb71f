"""Surfaces of a scene in MuJoCo, against closed forms: slopes, bounces, springs; and which pair has which numbers."""

import numpy as np
import pytest

from carpal.engines import MuJoCoEngine, Surface, engine_for, simulate
from carpal.model import Box, Plane, Scene, Sphere

G, SLOPE = 9.81, np.radians(20)


def _slope(*between, **values):
    scene = Scene("slope", gravity=(G * np.sin(SLOPE), 0, -G * np.cos(SLOPE))).add_fixed("floor", Plane())
    scene.add_object("box", Box((0.1, 0.1, 0.1)), mass=0.5, pose=[0, 0, 0.05])
    return scene.add_surface(*between, **values)


def _ball(height, **values):
    scene = Scene("ball").add_object("ball", Sphere(0.05), mass=0.3, pose=[0, 0, 0.05 + height])
    return scene.add_fixed("floor", Plane()).add_surface(**values)


def _run(scene, duration):
    ready = engine_for(scene, "mujoco")
    return simulate(ready.engine, ready.state, duration=duration)


@pytest.mark.parametrize("mu", [0.0, 0.2, 0.3, 0.5])
def test_a_block_slides_down_a_slope_or_stays(mu):
    slides = max(0.0, 0.5 * G * (np.sin(SLOPE) - mu * np.cos(SLOPE)) * 0.5**2)
    assert _run(_slope(mu=mu), 0.5).q[-1][0] == pytest.approx(slides, abs=5e-5)


@pytest.mark.parametrize("e", [0.0, 0.3, 0.6, 0.9, 1.0])
def test_a_ball_bounces_with_its_restitution(e):
    v = _run(_ball(0.5, restitution=e), 0.45).v[:, 2]
    lowest = int(np.argmin(v))
    assert -v[lowest:].max() / v[lowest] == pytest.approx(e, abs=0.02)


def test_rolling_friction_slows_a_ball_that_rolls():
    """Without slip the torque d f_n slows it by 5/7 d g / R."""
    for rolling in (0.0, 2e-3):
        scene = Scene("ball").add_fixed("floor", Plane())
        twist = [1.0, 0, 0, 0, 1.0 / 0.05, 0]
        scene.add_object("ball", Sphere(0.05), mass=0.3, pose=[0, 0, 0.05], twist=twist)
        v = _run(scene.add_surface(mu=0.8, rolling=rolling), 0.5).v
        slowed = (v[100, 0] - v[-1, 0]) / 0.4
        assert slowed == pytest.approx(5 / 7 * rolling * G / 0.05, abs=0.03)


def test_a_compliant_contact_is_a_spring():
    """Without damping the ball swings about its weight's depth with the spring's period."""
    done = _run(_ball(0.0, compliance=1e-3, restitution=1.0), 0.4)
    depth = 0.05 - done.q[:, 2]
    period = 2 * np.pi * np.sqrt(0.3 * 1e-3)
    still = 1e-3 * 0.3 * G
    assert depth == pytest.approx(still * (1 - np.cos(2 * np.pi * done.time / period)), abs=0.02 * still)


def test_a_box_stands_on_four_springs():
    box = Scene("pad").add_object("box", Box((0.1, 0.1, 0.1)), mass=1.0, pose=[0, 0, 0.05]).add_fixed("floor", Plane())
    assert 0.05 - _run(box.add_surface(compliance=1e-4), 1.0).q[-1][2] == pytest.approx(G / 4e4, rel=1e-3)


def test_named_pairs_have_their_own_numbers():
    scene = _slope(mu=0.0).add_surface("box", "floor", mu=0.5)
    assert _run(scene, 0.3).q[-1][0] == pytest.approx(0.0, abs=2e-5)
    model = scene.build()
    engine = MuJoCoEngine(
        model, surface=Surface(0.2, tip="soft", torsion=0.01), surfaces={"box": Surface(tip="frictionless")}
    )
    assert engine.compiled.npair == 1 and engine.compiled.pair_dim.tolist() == [1]
    assert (
        set(engine.compiled.geom_condim.tolist()) == {4} and engine.options["surfaces"]["box"]["tip"] == "frictionless"
    )
    assert MuJoCoEngine(model).compiled.npair == 0, "without surfaces MuJoCo keeps its own numbers"


def test_what_the_step_cannot_follow_is_named():
    with pytest.warns(UserWarning, match="compliance 1e-08 m/N of .* is too stiff for steps of 0.001 s"):
        MuJoCoEngine(_ball(0.0, mu=0.1).build(), surface=Surface(compliance=1e-8))
    assert "is too stiff" in engine_for(_ball(0.0, compliance=1e-8), "mujoco").notes[0]
