# ruff: noqa: E501 - robot files stand in the text as they are
from __future__ import annotations

import json

import numpy as np
import pytest

from carpal.errors import ModelError
from carpal.model import Body, Joint, Model
from carpal.model.readers.reading import read_text
from carpal.model.readers.safe_xml import parse
from carpal.model.writers.mjcf_extras import extras_of, restore

MODEL = Model(
    "m", (Body("a", None, Joint("j", "revolute")), Body("b", "a", Joint("k", "prismatic"))), q_home=np.array([1.0, 2.0])
)


def test_a_file_without_extras_is_left_alone():
    assert restore(MODEL, extras_of(parse("<mujoco/>", "x"), "x"), "x") is MODEL


def test_names_order_and_numbers_come_back():
    back = restore(
        MODEL,
        {"model": {"tool": "A", "order": ["A", "b"]}, "bodies": {"a": {"name": "A", "v_max": 3.0}, "gone": {}}},
        "x",
    )
    assert [(body.name, body.parent) for body in back.bodies] == [("A", None), ("b", "A")]
    assert (back.tool, back.v_max.tolist(), back.q_home.tolist()) == ("A", [3.0, np.inf], [1.0, 2.0])


def test_a_different_order_moves_q_home_along():
    two = Model(
        "m",
        (Body("a", None, Joint("j", "revolute")), Body("b", None, Joint("k", "prismatic"))),
        q_home=np.array([1.0, 2.0]),
    )
    back = restore(two, {"model": {"order": ["b", "a"]}, "bodies": {}}, "x")
    assert back.joint_names == ("k", "j")
    assert back.q_home.tolist() == [2.0, 1.0]


@pytest.mark.parametrize(
    ("model", "bodies"),
    [
        ([1], {}), ("x", {}), ({"order": 3}, {}), ({"order": [[]]}, {}), ({"tool_axis": "up"}, {}), ({"tool_axis": [10**400, 0, 0]}, {}),
        ({"notes": 3}, {}), ({"tool": []}, {}),
        ({}, [1]), ({}, {"a": 3}), ({}, {"a": {"v_max": "fast"}}), ({}, {"a": {"v_max": 10**400}}), ({}, {"a": {"chain": 3}}),
        ({}, {"a": {"chain": [{}]}}), ({}, {"a": {"chain": [{"X_JB": [1] * 12}]}}), ({}, {"a": {"chain": [{}] * 9}}),
        ({}, {"a": {"free": True}}), ({}, {"a": {"inner": True}}), ({}, {"a": {"inertia": 3}}), ({}, {"a": {"name": []}}),
        ({}, {"a": {"joint": 3}}), ({}, {"a": {"name": "b"}}), ({}, {"b": {"inner": True}, "a": {"free": 1}}),
    ],
)  # fmt: skip
def test_nonsense_is_refused_with_a_sentence_or_ignored(model, bodies):
    data = (("carpal_model", model), ("carpal_bodies", bodies))
    texts = "".join(f"<text name='{name}' data='{json.dumps(value)}'/>" for name, value in data)
    body = "<body name='a'><joint/><geom size='1'/><body name='b'><joint/><geom size='1'/></body></body>"
    sentence = "x.xml"
    try:
        read = read_text(f"<mujoco><custom>{texts}</custom><worldbody>{body}</worldbody></mujoco>", name="x.xml")
    except ModelError as error:
        sentence = str(error)
    else:
        assert read.nv >= 1
    assert "x.xml" in sentence
    assert "beyond this reader" not in sentence


def test_text_that_is_no_json():
    with pytest.raises(ModelError, match="custom text 'carpal_model' of 'x' is not the JSON"):
        extras_of(parse("<mujoco><custom><text name='carpal_model' data='{'/></custom></mujoco>", "x"), "x")
