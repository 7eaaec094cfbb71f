"""The contact law's numbers are checked one by one."""

import numpy as np
import pytest

from carpal.engines import ContactLaw, Surface, engine_for, run_recorded
from carpal.engines.penalty.contact_law import law_of_surface
from carpal.errors import InputError
from carpal.model import Box, Plane, Scene, Sphere


def test_the_numbers_reach_the_kernels_in_order():
    law = ContactLaw(1.0, 2.0, 0.25, 0.3, 4.0, 5.0, 6.0)
    assert law.numbers.tolist() == [1.0, 2.0, 0.25, 0.3, 4.0, 5.0]
    assert ContactLaw(**law.to_dict()) == law


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("stiffness", 0.0),
        ("damping", -1.0),
        ("separation", 1.5),
        ("friction", np.nan),
        ("slip_speed", 0),
        ("area", "x"),
    ],
)
def test_bad_numbers_are_named(name, value):
    with pytest.raises(InputError, match=f"{name} of a ContactLaw"):
        ContactLaw(**{name: value})


def _run(scene, duration, rows=1000):
    ready = engine_for(scene, "penalty")
    return run_recorded(ready.engine, ready.state, duration, rows=rows)


@pytest.mark.parametrize("mu", [0.2, 0.5])
def test_a_block_slides_down_a_slope_or_stays(mu):
    slope, g = np.radians(20), 9.81
    scene = Scene("slope", gravity=(g * np.sin(slope), 0, -g * np.cos(slope))).add_fixed("floor", Plane())
    scene.add_object("box", Box((0.1, 0.1, 0.1)), mass=0.5, pose=[0, 0, 0.05]).add_surface("box", "floor", mu=mu)
    slides = max(0.0, 0.5 * g * (np.sin(slope) - mu * np.cos(slope)) * 0.5**2)
    assert _run(scene, 0.5).q[-1][0] == pytest.approx(slides, abs=2e-3)  # it tips onto its corners first


@pytest.mark.parametrize("e", [0.0, 0.3, 0.6, 0.9, 1.0])
def test_a_ball_bounces_with_its_restitution(e):
    scene = Scene("ball").add_object("ball", Sphere(0.05), mass=0.3, pose=[0, 0, 0.55]).add_fixed("floor", Plane())
    v = _run(scene.add_surface(restitution=e), 0.45).v[:, 2]
    lowest = int(np.argmin(v))
    assert -v[lowest:].max() / v[lowest] == pytest.approx(e, abs=0.02)


def test_compliance_is_the_inverse_of_stiffness():
    scene = Scene("ball").add_object("ball", Sphere(0.05), mass=0.3, pose=[0, 0, 0.05]).add_fixed("floor", Plane())
    scene.add_surface(compliance=1e-4)
    assert 0.05 - _run(scene, 0.5, 10).q[-1][2] == pytest.approx(1e-4 * 0.3 * 9.81, rel=1e-3)
    with pytest.raises(InputError, match="largest stable step"):
        engine_for(scene, "penalty", surface={"compliance": 1e-12})
    rigid = law_of_surface(ContactLaw(), Surface(mu=0.2), 1e-4, 0.5)
    assert (rigid.stiffness, rigid.friction, rigid.tangential) == (1e9, 0.2, 5e8)
