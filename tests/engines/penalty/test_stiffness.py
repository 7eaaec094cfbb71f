"""Joints as stiff as the step allows: the stable step is the margin times dt, whatever the mechanism."""

import numpy as np
import pytest
import setup_inputs as setup
from linkage_inputs import linkage

from carpal.engines import ContactLaw, PenaltyEngine, mechanism_of, softened, stiffened
from carpal.engines.penalty.sampling import without_drives
from carpal.errors import InputError
from carpal.model import Body, Joint, Model, Plane, Scene, Sphere
from carpal.spatial import Inertia


@pytest.mark.parametrize("name", ["mixed", "six_bar_finger", "crank_slider"])
def test_the_stable_step_is_the_margin_times_dt(name, figure):
    bare = mechanism_of(setup.mixed_tree()).mechanism if name == "mixed" else linkage(name).mechanism()
    bare = without_drives(bare)  # their gains count on top
    for dt, margin, ratio in ((2e-5, 2.0, 0.1), (1e-4, 1.5, 0.5)):
        made = PenaltyEngine(stiffened(bare, dt, margin=margin, damping_ratio=ratio), dt=dt)
        off = abs(made.stable_step / (margin * dt) - 1)
        figure(f"{name} at {dt:g} s: stable step against margin times dt, relative", off, 1e-3)


def test_it_is_really_stable_and_really_near_the_limit():
    engine = setup.free_engine(linkage("crank_slider").mechanism(), 1e-4)
    assert engine.worst_gap(engine.run(engine.start(), steps=5000, command=[0.5]).state)[0] < 1e-4
    hard = PenaltyEngine(engine.mechanism, dt=2.3e-4, check_step=False)
    from carpal.errors import DivergedError

    with pytest.raises(DivergedError):
        hard.run(hard.start(), steps=20_000, command=[0.5])


def test_friction_slips_over_as_much_speed_as_the_step_asks():
    inertia = Inertia(0.05, [0, 0, 0], 1e-5 * np.eye(3))
    model = Model("m", (Body("a", None, Joint("a", "revolute", friction=0.3), inertia),))
    made = stiffened(mechanism_of(model).mechanism, 1e-4)
    assert made.friction[0].slip_speed == pytest.approx(0.3 * 1e-4 / 1e-5)
    engine = PenaltyEngine(made, dt=1e-4)
    v = np.r_[0, 0, 0, 0, 0, 1.0]
    end = engine.run(engine.start().replace(v=v), steps=2000).state
    assert abs(end.v[5]) < 1e-3
    slow = Model("m", (Body("a", None, Joint("a", "revolute", friction=1e-6), inertia),))
    assert stiffened(mechanism_of(slow).mechanism, 1e-4).friction[0].slip_speed == 0.01


def test_contacts_are_softened_only_where_the_step_asks():
    scene = Scene("s").add_object("ball", Sphere(0.01), mass=0.002, pose=[0, 0, 0.05]).add_fixed("floor", Plane())
    mechanism = mechanism_of(scene).mechanism
    assert softened(ContactLaw(), mechanism, 1e-6) == ContactLaw()
    law = softened(ContactLaw(), mechanism, 2e-4)
    assert law.stiffness < 1e9 and law.friction == 0.5
    engine = PenaltyEngine(mechanism, dt=2e-4, contact=law)
    assert engine.stable_step == pytest.approx(4e-4, rel=1e-6)


def test_point_masses_are_refused_with_the_reason():
    model = Model("m", (Body("tip", None, Joint("a", "revolute"), Inertia.point(0.07, [0.05, 0, 0])),))
    with pytest.raises(InputError, match="the weight of body 'tip' would open it by"):
        stiffened(mechanism_of(model).mechanism, 2e-5)


def test_without_joints_nothing_changes_and_bad_numbers_are_refused():
    loose = mechanism_of(Scene("s").add_object("ball", Sphere(0.01), mass=1.0)).mechanism
    assert stiffened(loose, 1e-4).joints == ()
    for more in ({"margin": 0.5}, {"damping_ratio": -1.0}):
        with pytest.raises(InputError, match="margin must be 1 or above"):
            stiffened(loose, 1e-4, **more)
    with pytest.raises(InputError, match="dt must be"):
        stiffened(loose, 0.0)
