"""Messages: what is written is read, and every field that is wrong is refused."""

import json

import pytest

from carpal.labs.sign.link.messages import MOST_BYTES, Message, Refused, decode, encode, ranges_of, ranges_text

LETTER = {"call": "0" * 16, "index": 3, "letter": "C", "alphabet": "italian", "born": 5}
STATE = {"call": "f" * 16, "upto": 4, "played": 2, "missing": [[4, 6], [8, 8]], "lost": [], "closed": False}


def message(kind="letter", body=None, **head):
    return Message(kind, **{"sender": "anna", "run": "a" * 16, "number": 1, "time": 10} | head, body=body or LETTER)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("letter", LETTER), ("letter", LETTER | {"letter": "È"}), ("letter", LETTER | {"letter": " "}), ("state", STATE),
        ("who", {}),
        ("here", {"robot": "parloma", "alphabet": "italian"}),
        ("count", {"call": "0" * 16, "count": 7, "closed": True, "over": False}),
    ],
)  # fmt: skip
def test_what_is_written_is_read(kind, body):
    there = message(kind, body or {"x": 1}) if kind != "who" else Message("who", "anna", "a" * 16, 1, 10, {})
    assert decode(encode(there)) == there


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "dance"), ("kind", ["letter"]), ("sender", "../etc"), ("sender", ""), ("run", "xyz"),
        ("number", -1), ("number", True), ("number", 1.0),
        ("time", "now"), ("index", -1), ("index", 10**6), ("letter", ""), ("letter", "A B"), ("letter", "A" * 33),
        ("letter", "\n"), ("alphabet", "a/b"), ("born", None), ("call", "0" * 15), ("extra", 1),
    ],
)  # fmt: skip
def test_a_wrong_field_is_refused(field, value):
    rows = json.loads(encode(message()))
    with pytest.raises(Refused, match="invalid"):
        decode(json.dumps(rows | {field: value}).encode())


@pytest.mark.parametrize(
    "missing",
    [[[3, 2]], [[1, 2], [3, 4]], [[5, 6], [1, 2]], [[0]], [[0, 10**6]], [[i, i] for i in range(0, 400, 2)], "0-4"],
)
def test_wrong_gaps_are_refused(missing):
    rows = json.loads(encode(message("state", STATE)))
    with pytest.raises(Refused, match="missing"):
        decode(json.dumps(rows | {"missing": missing}).encode())


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"3", b"\xff\xfe", b"{", b"[" * 3000, json.dumps({"kind": "who"}).encode()]
)
def test_what_is_no_message_is_refused(data):
    with pytest.raises(Refused, match="invalid"):
        decode(data)


def test_the_largest_answer_fits():
    gaps = [[99_000 + 4 * i, 99_001 + 4 * i] for i in range(64)]
    body = STATE | {"missing": gaps, "lost": gaps}
    assert len(encode(message("state", body, sender="x" * 64))) < MOST_BYTES - 36


def test_gaps():
    assert ranges_of([0, 1, 2, 5, 7, 8]) == ((0, 2), (5, 5), (7, 8))
    assert ranges_of(range(0, 100, 2), 3) == ((0, 0), (2, 2), (4, 4))
    assert ranges_text(((0, 2), (5, 5))) == "1-3, 6" and ranges_text(()) == ""
