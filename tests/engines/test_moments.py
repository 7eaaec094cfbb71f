"""Contacts and events become plain numbers, and a wrong field is named."""

import json

import numpy as np
import pytest

from carpal.engines import Contact, Event
from carpal.engines.moments import contact, event, plain_contact
from carpal.errors import UnknownNameError


def test_contact_defaults_are_complete():
    assert Contact("a", "b").normal == (0.0, 0.0, 1.0)
    assert json.dumps(Contact("a", "b"))


def test_arrays_become_plain_numbers():
    made = contact(a="x", b="y", point=np.arange(3), depth=np.float32(0.5), force=[1, 2, 3])
    assert made == Contact("x", "y", "", (0.0, 1.0, 2.0), (0.0, 0.0, 1.0), 0.5, (1.0, 2.0, 3.0))
    assert json.dumps(made)
    assert contact(*made) == made


def test_an_event_has_the_rows_time_unless_it_says_another():
    assert event(2.0, {"name": "touch"}) == Event(2.0, "touch")
    assert event(2.0, {"name": "touch", "time": 1.5}).time == 1.5
    assert event(2.0, Event(1.0, "x")) == Event(1.0, "x")


def test_unknown_fields():
    with pytest.raises(UnknownNameError, match="did you mean 'normal'"):
        contact(a="x", b="y", norml=(0, 0, 1))
    with pytest.raises(UnknownNameError, match="did you mean 'text'"):
        event(0.0, {"name": "x", "txt": "y"})


def test_a_plain_contact_stays_as_it_is_and_others_become_plain():
    plain = contact("a", "b", point=np.zeros(3), force=[0, 1, 2], depth=np.float64(0.1))
    assert plain_contact(plain) is plain
    for given in (Contact("a", "b", depth=np.float64(0.1)), Contact("a", "b", force=np.ones(3)), {"a": "a", "b": "b"}):
        made = plain_contact(given)
        assert type(made.depth) is float and all(type(x) is float for x in made.point + made.normal + made.force)
