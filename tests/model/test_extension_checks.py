"""Names that are not there, names given twice, couplings that contradict each other."""

from __future__ import annotations

import dataclasses

import pytest
from extended_models import extended_model

from carpal.errors import CarpalError
from carpal.model import Coupling


@pytest.mark.parametrize(
    ("what", "changes", "said"),
    [
        ("visuals", {"body": "d"}, "'d'.*a, b, c"),
        ("loops", {"body_a": "d"}, "body of loop 'closing'"),
        ("loops", {"body_b": "d"}, "body of loop 'closing'"),
        ("couplings", {"follower": "hinge_d"}, "follower of coupling 'gear'"),
        ("couplings", {"leader": "hinge_d"}, "leader of coupling 'gear'"),
        ("tendons", {"joints": {"hinge_d": 1.0}}, "joint of tendon 'pull'"),
        ("actuators", {"joint": "hinge_d"}, "joint of actuator 'servo'"),
        ("actuators", {"joint": None, "tendon": "rope"}, "tendon of actuator 'servo'"),
    ],
)
def test_a_name_that_is_not_there(what: str, changes: dict, said: str) -> None:
    model = extended_model()
    first, *rest = getattr(model, what)
    with pytest.raises(CarpalError, match=said):
        model.replace(**{what: (dataclasses.replace(first, **changes), *rest)})


@pytest.mark.parametrize("what", ["visuals", "couplings", "loops", "tendons", "actuators"])
def test_a_name_may_be_given_once(what: str) -> None:
    model = extended_model()
    with pytest.raises(CarpalError, match=f"two {what} named"):
        model.replace(**{what: 2 * getattr(model, what)})


def test_couplings_may_not_contradict_each_other_or_run_in_a_circle() -> None:
    model = extended_model()
    gear = model.couplings[0]
    with pytest.raises(CarpalError, match="follows two joints, 'hinge_a' and 'hinge_b'"):
        model.replace(couplings=(gear, Coupling("other", "hinge_c", "hinge_b", (0, 1))))
    back = (Coupling("x", "hinge_a", "hinge_b", (0, 1)), Coupling("y", "hinge_b", "hinge_c", (0, 1)))
    with pytest.raises(CarpalError, match="circle: hinge_c -> hinge_a -> hinge_b -> hinge_c"):
        model.replace(couplings=(gear, *back))


def test_a_contact_pair_names_two_shapes() -> None:
    model = extended_model()
    with pytest.raises(CarpalError, match="is two shapes"):
        model.replace(contact_pairs=(("ball_a",),))
    with pytest.raises(CarpalError, match="'ball_x'"):
        model.replace(contact_pairs=(("ball_a", "ball_x"),))
