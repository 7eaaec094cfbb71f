from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from carpal.errors import ModelError
from carpal.model.writers.xml_attributes import attributes


def test_every_digit_and_every_character_come_back():
    text = attributes(name='a "b" <c> & d\n', pos=[0.1, 1 / 3, -1e-300], class_="x", nothing=None)
    found = ET.fromstring(f"<e {text}/>").attrib
    assert found["name"] == 'a "b" <c> & d\n'
    assert [float(word) for word in found["pos"].split()] == [0.1, 1 / 3, -1e-300]
    assert found["class"] == "x"
    assert "nothing" not in found


def test_characters_that_xml_cannot_hold_are_one_sentence():
    with pytest.raises(ModelError, match="cannot be written as XML"):
        attributes(name="bell\x07")
