"""Plans with a payload: free by MuJoCo for every angle of their sets, same bits again, ends known, sentences for failures."""

import json

import numpy as np
import pytest
from payload_scenes import questions, recheck, relay_scene, rover_scene

from carpal.cli.command_line import main
from carpal.contact import collision_checker
from carpal.errors import InputError
from carpal.planning import Payload, follow_payload, plan, plan_each, prepare_payload, relay_payload

pytestmark = [pytest.mark.xdist_group("planners"), pytest.mark.full]
PLANNERS = ("rrt_connect", "est", "sbl")


@pytest.fixture(scope="module")
def solved():
    """The first questions that have an answer, with it."""
    scene = relay_scene()
    starts, goals, angles = questions(scene, 40)
    found = plan_each(scene, starts, goals, angle=angles, seed=np.arange(40), max_samples=3000)
    return scene, starts, goals, angles, found


def test_plans_are_free_by_mujoco_for_every_angle(solved, figure):
    scene, starts, goals, _, found = solved
    good = [i for i, result in enumerate(found) if result.ok]
    assert len(good) >= 10
    deepest, samples, checks = 0.0, 0, 0
    bent = sorted(good, key=lambda i: -len(found[i].path))[:3] + good[:3]
    for i in bent:
        result = found[i]
        assert np.array_equal(result.path[0], starts[i]) and np.array_equal(result.path[-1], goals[i])
        assert result.proven and result.angles.known and result.angles.settled.width <= scene.payload.known
        tally = recheck(scene, result.angles)
        assert not tally.overlaps, f"question {i}: {tally}"
        deepest, samples, checks = max(deepest, tally.deepest), samples + tally.samples, checks + tally.checks
    figure(
        "six plans with a payload: overlap by MuJoCo and Coal for every angle of the set, 1 mm and 0.2 degrees [m]", deepest, 0.0,
        note=f"{checks:,} checks, which prove {samples:,} samples",
    )  # fmt: skip


def test_same_seed_same_bits(solved):
    scene, starts, goals, angles, found = solved
    i = max((k for k, result in enumerate(found) if result.ok), key=lambda k: found[k].samples)
    again = plan(scene, starts[i], goals[i], angle=angles[i], seed=i, max_samples=3000)
    assert np.array_equal(again.path, found[i].path) and again.checks == found[i].checks
    assert again.cost <= again.cost_found * (1 + 1e-12) and again.deletions_left >= 0
    assert np.array_equal(again.angles.states, found[i].angles.states)


@pytest.mark.parametrize("planner", PLANNERS)
def test_every_planner_finds_paths_that_hold(solved, planner):
    scene, starts, goals, angles, found = solved
    some = [i for i, result in enumerate(found) if result.ok and result.samples > 0][:2] + [
        i for i, result in enumerate(found) if result.ok and result.samples == 0
    ][:2]
    results = [
        plan(scene, starts[i], goals[i], angle=angles[i], planner=planner, max_samples=3000, seed=3) for i in some
    ]
    assert sum(result.ok for result in results) >= 2
    for result in results:
        if result.ok:
            assert follow_payload(scene, result.path, result.grasp).known
            motion = result.trajectory()
            q, _, _ = motion.sample(motion.duration / 50)
            legs = np.stack([np.linspace(a, b, 2001) for a, b in zip(result.path[:-1], result.path[1:], strict=True)])
            apart = np.abs(legs.reshape(-1, 5)[None] - q[:, None]).max(axis=-1).min(axis=1)
            assert apart.max() < 2e-3, "with a payload the motion stays on the planned edges"


def test_what_fails_says_why(solved):
    scene, starts, goals, angles, found = solved
    lost = next(i for i, result in enumerate(found) if not result.ok or len(result.path) > 2)
    with pytest.raises(InputError, match="not free for every angle of the payload"):
        follow_payload(scene, [starts[lost], goals[lost]], (float(angles[lost]), 0.02))
    free = next(i for i, result in enumerate(found) if result.ok and len(result.path) == 2)
    stubborn = relay_scene().payload.replace(known=1e-3)
    result = plan(rover_scene(), starts[free], goals[free], payload=stubborn, angle=angles[free], max_samples=5)
    assert not result.ok and "no path found" in result.status
    picky = prepare_payload(rover_scene(), stubborn)
    with pytest.raises(InputError, match="not known at the end"):
        follow_payload(picky, found[free].path, found[free].grasp)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"angle": np.nan}, "angle must be finite"),
        ({"angle": [0.0, 1.0]}, "one number or 1"),
        ({"spread": -0.1}, "zero or above"),
        ({"payload": relay_payload()}, "this scene is prepared"),
        ({"scene": collision_checker(rover_scene())}, "has no payload"),
        ({"scene": rover_scene(), "payload": relay_payload(shapes=())}, "no shapes"),
        ({"scene": rover_scene(), "payload": "relay"}, "must be a Payload"),
        ({"scene": rover_scene(), "payload": relay_payload(name=["arm", "base"][0])}, None),
        ({"start": np.full(5, np.nan)}, "not finite"),
    ],
)
def test_bad_input_is_one_sentence(change, words):
    starts, goals, angles = questions(relay_scene(), 2)
    given = {"scene": relay_scene(), "start": starts[0], "goal": goals[0], "angle": float(angles[0]), "max_samples": 5}
    given |= change
    if given["scene"].__class__.__name__ == "CollisionChecker":
        given["payload"] = relay_payload()
    if words is None:
        plan(given.pop("scene"), given.pop("start"), given.pop("goal"), **given)
        return
    with pytest.raises(InputError, match=words):
        plan(given.pop("scene"), given.pop("start"), given.pop("goal"), **given)


def test_the_start_may_touch_for_one_angle_only(solved):
    scene, starts, goals, angles, _ = solved
    for i in range(len(starts)):
        result = plan(scene, starts[i], goals[i], angle=angles[i], spread=3.0, max_samples=5)
        if not result.ok and result.status.startswith("the start touches"):
            assert "'relay' may have there" in result.status
            return
    pytest.fail("with every angle possible some start should touch")


def test_the_command_reads_the_payload_of_a_scene(solved, tmp_path, capsys):
    _, starts, goals, angles, found = solved
    i = next(k for k, result in enumerate(found) if result.ok)
    scene = rover_scene()
    scene.payload = {"kind": "relay", "angle": float(angles[i])}
    (tmp_path / "s.toml").write_text(scene.to_toml())
    words = ["plan", str(tmp_path / "s.toml"), "--start", *map(str, starts[i]), "--goal", *map(str, goals[i])]
    status = main([*words, "--seed", str(i), "--max-samples", "3000", "--json", "--out", str(tmp_path / "out")])
    answer = json.loads(capsys.readouterr().out)
    assert status == 0 and answer["proven"] and answer["payload"]["samples"] > 1
    page = (tmp_path / "out" / "payload.html").read_text()
    assert "relay" in page and page.count('"states"') > 1
    scene.payload = {"kind": "brick"}
    (tmp_path / "s.toml").write_text(scene.to_toml())
    assert main(words) == 2 and "brick" in capsys.readouterr().err


def test_a_payload_without_weight_on_it_is_refused():
    scene = rover_scene()
    scene.gravity = np.zeros(3)
    with pytest.raises(InputError, match="gravity is zero"):
        plan(scene, np.zeros(5), np.zeros(5), payload=relay_payload())
    assert isinstance(relay_scene().payload, Payload)
