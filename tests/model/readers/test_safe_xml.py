from __future__ import annotations

import pytest

from carpal.errors import ModelError
from carpal.model.readers import safe_xml

BOMB = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><robot name="&b;"/>'


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "'x' is empty"),
        (b" \n", "'x' is empty"),
        (b"<robot\0/>", "NUL bytes"),
        (b"<robot name='\xff'/>", "not UTF-8 text: byte 13"),
        (b"a" * (safe_xml.MAX_BYTES + 1), "larger than 32 MB"),
    ],
)
def test_bytes_that_are_no_description(data, sentence):
    with pytest.raises(ModelError, match=sentence):
        safe_xml.checked_text(data, "x")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (BOMB, "<!DOCTYPE> or <!ENTITY>"),
        ("<!DOCTYPE robot><robot/>", "<!DOCTYPE> or <!ENTITY>"),
        ("<robot>", "not well-formed XML"),
        ("<robot/><robot/>", "not well-formed XML"),
        ("<a>" * 201 + "</a>" * 201, "nested deeper than 200"),
        ("<a>" * 100_000, "nested deeper than 200"),
        ('<body pos="0 nan 0"/>', 'pos="0 nan 0" in <body>; finite numbers'),
        ('<mass value="-NaN"/>', "finite numbers"),
        ("<a>\ud800</a>", "not UTF-8"),
    ],
)
def test_xml_that_is_refused(text, sentence):
    with pytest.raises(ModelError, match=sentence):
        safe_xml.parse(text, "x")


def test_the_depth_just_allowed_and_names_that_look_like_numbers():
    assert safe_xml.parse("<a>" * 200 + "</a>" * 200, "x").tag == "a"
    assert safe_xml.parse('<link name="nan" pos="1 2"/>', "x").get("name") == "nan"


def test_too_many_elements(monkeypatch):
    monkeypatch.setattr(safe_xml, "MAX_ELEMENTS", 10)
    with pytest.raises(ModelError, match="more than 10 elements"):
        safe_xml.parse("<a>" + "<b/>" * 10 + "</a>", "x")


def test_a_byte_order_mark_and_an_encoding_declaration_do_no_harm():
    text = safe_xml.checked_text(b"\xef\xbb\xbf<?xml version='1.0' encoding='latin-1'?><robot name='\xc3\xa9'/>", "x")
    assert safe_xml.parse(text, "x").get("name") == "é"


def test_messages_are_one_short_line():
    line = safe_xml.one_line("a\n\tb\x00c " + "d" * 1000 + ".")
    assert line.startswith("a b c d")
    assert len(line) <= 300


def test_files_that_are_no_files(tmp_path):
    with pytest.raises(ModelError, match="no file 'x'"):
        safe_xml.read_text_safely(tmp_path / "x", "x")
    with pytest.raises(ModelError, match="not a plain file"):
        safe_xml.read_text_safely(tmp_path, "x")
    with pytest.raises(ModelError, match=r"cannot be opened|no file"):
        safe_xml.read_text_safely(tmp_path / ("x" * 5000), "x")


def test_text_and_back_keeps_awkward_attributes():
    root = safe_xml.parse('<a name="1 &lt;&amp;&quot;&#10;&#9;é"/>', "x")
    assert safe_xml.parse(safe_xml.to_text(root), "x").get("name") == '1 <&"\n\té'
