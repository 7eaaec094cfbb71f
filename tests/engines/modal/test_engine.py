"""The modal engine from outside: refusals, same bits one by one or together, recordings that can be checked."""

import modal_scenes as scenes
import numpy as np
import pytest

from carpal.engines import ModalEngine, Recording, Staged, Surface, simulate
from carpal.errors import CarpalError
from carpal.model import Body, Box, Joint, Model, Plane, Scene, Sphere, State
from carpal.spatial import Inertia


def _two_balls(gap):
    scene = Scene("two balls")
    scene.add_object("one", Sphere(0.05), mass=0.1, pose=[0, 0, 0.05])
    scene.add_object("two", Sphere(0.05), mass=0.1, pose=[0.1 + gap, 0, 0.05])
    return scene.add_fixed("floor", Plane())


def test_bodies_that_overlap_at_the_start_are_refused():
    scene = _two_balls(-0.01)
    engine = ModalEngine(scene.build())
    with pytest.raises(CarpalError, match=r"shapes 'one' and 'two' overlap by 0.01 m at the start"):
        engine.step(scene.start(), np.zeros(12))
    scene = _two_balls(0.0)
    assert ModalEngine(scene.build()).step(scene.start(), np.zeros(12)).time == 1e-3


def test_a_joint_that_moves_no_mass_is_refused():
    model = Model("ghost", (Body("ghost", None, Joint("ghost", "free"), Inertia.nothing()),))
    with pytest.raises(CarpalError, match="joint 'ghost' of model 'ghost' moves no mass"):
        ModalEngine(model)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"dt": 0.0}, "dt must be"),
        ({"law": "newton"}, "unknown collision law 'newton'"),
        ({"several": "both"}, "unknown law of several collisions"),
        ({"stiffness": -1.0}, "stiffness must be"),
        ({"damping": [1.0, 2.0]}, "damping must be"),
        ({"stiffness": np.ones(6)}, "free and ball joints have no servo"),
        ({"target": [0.0]}, "target of the servo must be 6"),
        ({"most_contacts": 0}, "most_contacts must be"),
        ({"threshold": -1.0}, "threshold must be a finite speed above zero"),
    ],
)
def test_bad_options_get_one_sentence(options, text):
    with pytest.raises(CarpalError, match=text):
        ModalEngine(scenes.thrown_ball(1.0).build(), **options)


def test_bad_numbers_and_staged_controls_are_refused():
    scene = scenes.block()
    engine, state = ModalEngine(scene.build()), scene.start()
    with pytest.raises(CarpalError, match="finite"):
        engine.step(state, np.full(6, np.nan))
    with pytest.raises(CarpalError, match="needs 6 numbers"):
        engine.step(state, np.zeros(5))
    with pytest.raises(CarpalError, match="holds u"):
        engine.step(state, Staged(np.zeros(6), np.zeros(6), np.zeros(6)))
    with pytest.raises(CarpalError, match="steps must be"):
        engine.run(state, None, -1)
    with pytest.raises(CarpalError, match="most_contacts = 2"):
        ModalEngine(scene.build(), most_contacts=2).step(state, np.zeros(6))


def test_worlds_one_by_one_together_and_by_threads_have_the_same_bits():
    scene = scenes.block(push=(1.0, 0.5))
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.1, restitution=0.5))
    q = np.tile(scene.start().q, (4, 1))
    q[:, 2] += [0.0, 0.01, 0.02, 0.001]
    alone = [engine.run(State(0.0, row, np.zeros(6)), None, 60).state for row in q]
    for threads in (1, 2):
        many = ModalEngine(scene.build(), surface=Surface(mu=0.1, restitution=0.5), threads=threads)
        together = many.run(State(0.0, q, np.zeros((4, 6))), None, 60).state
        assert np.array_equal(together.q, [state.q for state in alone])
        assert np.array_equal(together.v, [state.v for state in alone])
    halves = engine.run(engine.run(State(0.0, q[1], np.zeros(6)), None, 30).state, None, 30).state
    assert np.allclose(halves.q, alone[1].q, atol=1e-12)


def test_a_recording_is_checked_saved_and_read_back(tmp_path):
    scene = scenes.thrown_ball(1.0, height=0.01)
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.4, restitution=0.3))
    recording = simulate(engine, scene.start(), duration=0.15, every=5)
    assert recording.check(), recording.check().status
    assert recording.metadata["engine"] == "modal"
    loaded = Recording.load(recording.save(tmp_path / "run.parquet"))
    assert loaded.check().worst == recording.check().worst
    assert loaded.modes().num_rows == recording.modes().num_rows > 0
    broken = dict(recording.certificates)
    recording.certificates["cone"] = broken["cone"] + 1e-3
    assert not recording.check()
    assert np.abs(recording.energy["residual"]).max() < 1e-4  # of 0.49 J; first order where a gap closes slowly


def test_a_servo_follows_a_moving_target():
    model, home = scenes.cross_fingers(2, gravity=0.0)
    model = model.replace(shapes=())
    goal = home.copy()
    goal[0] = 0.3
    engine = ModalEngine(model, target=lambda time: (goal, np.zeros(model.nv)), stiffness=3.0, damping=0.05)
    state = State.home(model)
    for _ in range(1000):
        state = engine.step(state, np.zeros(model.nv))
    assert abs(state.q[0] - 0.3) < 1e-3


def test_a_target_runs_on_at_its_rate_within_a_run():
    model, home = scenes.cross_fingers(2, gravity=0.0)
    model, rate = model.replace(shapes=()), np.full(18 - 6, 0.5)
    rate[-6:] = 0.0
    engine = ModalEngine(model, target=lambda time: (home + time * rate, rate), stiffness=3.0, damping=0.05)
    one = state = State.home(model)
    for _ in range(20):
        state = engine.step(state, np.zeros(model.nv))
    assert np.allclose(engine.run(one, None, 20).state.q, state.q, atol=1e-12)


def test_the_accurate_scheme_says_what_it_is():
    scene = scenes.thrown_ball(1.0)
    assert ModalEngine(scene.build(), accurate=True).integrator == "event-driven extrapolation"
    assert "ModalEngine" in repr(ModalEngine(scene.build()))


@pytest.mark.parametrize("accurate", [False, True])
@pytest.mark.parametrize("scene", ["hand", "blocks"])
def test_what_an_earlier_call_left_in_the_scratch_does_not_matter(scene, accurate):
    """Fresh memory is mostly zero and hides what is read before it is written; here all of it is NaN."""
    from carpal._core import batch

    if scene == "hand":
        model, target = scenes.cross_fingers(3)
        engine = ModalEngine(model, surface=Surface(mu=0.6), target=target, accurate=accurate, **scenes.HAND_GAINS)
        state = State.home(model)
    else:
        several = Scene("blocks").add_fixed("floor", Plane())
        for k in range(3):
            pose, twist = [0.3 * k, 0, 0.05 + 1e-3 * k], [0.5, 0.2, 0, 0, 0, 3.0 + k]
            several.add_object(f"b{k}", Box((0.1, 0.1, 0.1)), mass=0.5, pose=pose, twist=twist)
        engine, state = ModalEngine(several.build(), surface=Surface(mu=0.3), accurate=accurate), several.start()
    first = engine.run(state, None, 60).state
    for array in batch._room(engine.model, engine.scratch):
        array.fill(np.nan)
    again = engine.run(state, None, 60).state
    assert np.array_equal(first.q, again.q) and np.array_equal(first.v, again.v)
