"""`PlanOptions`: one object for all planning functions; keywords override its fields; bad values are named."""

import dataclasses
import typing

import numpy as np
import pytest
from planner_inputs import scene_checker, scene_pairs

from carpal.errors import CarpalError, InputError, UnknownNameError
from carpal.planning import PlanOptions, plan, plan_each, relay_payload, shorten_path
from carpal.planning.planners.plan_options import PlanKeywords, merged_options

pytestmark = pytest.mark.xdist_group("planners")


def test_keywords_and_fields_are_the_same_words():
    assert list(typing.get_type_hints(PlanKeywords)) == [field.name for field in dataclasses.fields(PlanOptions)]


def test_keywords_override_fields_and_the_rest_stays():
    base = PlanOptions(planner="est", margin=0.01, max_samples=50)
    changed = merged_options(base, {"margin": 0.02})
    assert (changed.planner, changed.margin, changed.max_samples) == ("est", 0.02, 50)
    assert merged_options(base, {}) is base and base.margin == 0.01
    assert merged_options(None, {"planner": "sbl"}).resolution == PlanOptions().resolution
    with pytest.raises(dataclasses.FrozenInstanceError):
        base.margin = 1.0


def test_the_payload_chooses_the_planner_and_the_direction_of_growth():
    assert PlanOptions().settings().planner == "rrt_connect" and not PlanOptions().settings().forward
    carrying = PlanOptions(payload=relay_payload()).settings(with_payload=True)
    assert carrying.planner == "sbl" and not carrying.forward
    assert PlanOptions(planner="est").settings(with_payload=True).forward
    with pytest.raises(InputError, match="SBL needs both"):
        PlanOptions(forward=True).settings(with_payload=True)


BAD = [
    ({"planner": "prm"}, "rrt_connect"),
    ({"planner": "sbl", "forward": True}, "SBL needs both"),
    ({"resolution": 0.0}, "resolution must be a number above zero"),
    ({"max_samples": 0.5}, "max_samples must be a whole number"),
    ({"neighbourhood": 2.0}, "at most 1"),
    ({"gain": -1.0}, "gain must be a number above zero"),
    ({"payload": "relay"}, "must be a Payload"),
]


@pytest.mark.parametrize(("fields", "says"), BAD, ids=[row[1] for row in BAD])
def test_bad_values_are_refused_when_the_options_are_made(fields, says):
    with pytest.raises(CarpalError, match=says):
        PlanOptions(**fields)


def test_plan_plan_each_and_shorten_path_take_the_same_object():
    starts, goals = (q[:3] for q in scene_pairs())
    options = PlanOptions(planner="est", simplify=False, resolution=0.03)
    each = plan_each(scene_checker(), starts, goals, options=options, seed=np.arange(3))
    for i in range(3):
        alone = plan(scene_checker(), starts[i], goals[i], options=options, seed=i)
        words = plan(scene_checker(), starts[i], goals[i], planner="est", simplify=False, resolution=0.03, seed=i)
        assert np.array_equal(alone.path, each[i].path) and np.array_equal(alone.path, words.path)
        assert alone.planner == "est" and alone.resolution == 0.03
        short = shorten_path(scene_checker(), alone.path, options=options)
        assert short and short.resolution == 0.03 and short.cost <= alone.cost * (1 + 1e-12)
        assert shorten_path(scene_checker(), alone.path, options=options, resolution=0.01).resolution == 0.01


def test_a_proof_of_many_is_the_proof_of_each():
    starts, goals = (q[:4] for q in scene_pairs())
    many = plan_each(scene_checker(), starts, goals, proof=True)
    for i, result in enumerate(many):
        alone = plan(scene_checker(), starts[i], goals[i], proof=True)
        assert result.proven and np.array_equal(result.path, alone.path) and result.status == alone.status


def test_what_is_no_option_is_named():
    start, goal = (q[0] for q in scene_pairs())
    with pytest.raises(UnknownNameError, match="unknown option 'resolutions'; did you mean 'resolution'"):
        plan(scene_checker(), start, goal, resolutions=0.1)
    with pytest.raises(InputError, match="options must be a PlanOptions; got dict"):
        plan(scene_checker(), start, goal, options={"planner": "sbl"})
    with pytest.raises(UnknownNameError, match="unknown option 'planner'"):
        shorten_path(scene_checker(), [start, goal], planner="sbl")
    with pytest.raises(InputError, match="takes no payload"):
        shorten_path(scene_checker(), [start, goal], options=PlanOptions(payload=relay_payload()))
