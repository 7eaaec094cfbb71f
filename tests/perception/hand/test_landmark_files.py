"""Landmark files: every digit comes back, both forms, and every kind of damage is reported with its line."""

import json

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign import SimulatedSigner
from carpal.perception import landmark_line, parse_landmark_line, read_landmark_file, write_landmark_file
from carpal.perception.hand.landmarks import to_camera

PERSON = SimulatedSigner(1)
SIGNS = [PERSON.frames("C", frames=4), PERSON.frames("I", frames=3)]


@pytest.mark.parametrize("ending", [".jsonl", ".csv"])
def test_both_forms_keep_every_digit(tmp_path, ending):
    path = write_landmark_file(tmp_path / f"a{ending}", SIGNS)
    rows = read_landmark_file(path)
    back = rows.signs()
    assert len(back) == 2 and all(np.array_equal(a, b) for a, b in zip(back, SIGNS, strict=True))
    assert np.allclose(np.diff(rows.time), 1 / 30) and list(rows.sign) == [0, 0, 0, 0, 1, 1, 1]


def test_a_stream_line_by_line_and_files_without_signs(tmp_path):
    lines = [landmark_line(k / 30, frame) for k, frame in enumerate(SIGNS[0])]
    time, points, sign = parse_landmark_line(lines[2])
    assert time == 2 / 30 and np.array_equal(points, SIGNS[0][2]) and sign is None
    (tmp_path / "b.jsonl").write_text("\n".join(lines))
    rows = read_landmark_file(tmp_path / "b.jsonl")
    assert rows.sign is None and len(rows.signs()) == 1 and rows.signs()[0].shape == (4, 21, 3)


def test_cameras_and_left_hands(tmp_path):
    left = to_camera(SIGNS[0] * [1, -1, 1])
    path = write_landmark_file(tmp_path / "c.csv", [left])
    assert np.allclose(read_landmark_file(path, axes="camera", hand="left").points, SIGNS[0], atol=1e-15)
    for changes, said in (({"axes": "camra"}, "did you mean 'camera'"), ({"hand": "both"}, "valid: right, left")):
        with pytest.raises(CarpalError, match=said):
            read_landmark_file(path, **changes)


GOOD = json.loads(landmark_line(0.1, SIGNS[0][0]))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON object"),
        ("[1]", "is no JSON object"),
        ("[" * 5000, "is no JSON object"),
        (json.dumps(GOOD | {"points": GOOD["points"][:20]}), "needs 21 points of 3 coordinates; got 20"),
        (json.dumps(GOOD | {"points": "x"}), "needs 21 points"),
        (json.dumps(GOOD | {"points": [[float("nan")] * 3] * 21}), "must be finite; 'wrist'"),
        (json.dumps(GOOD | {"time": float("nan")}), "time of line 1 .* must be a finite number; got nan"),
        (json.dumps(GOOD | {"sign": 1.5}), "sign of line 1 .* must be a whole number"),
        (json.dumps(GOOD | {"pionts": 1}), "did you mean 'points'"),
        ("x" * 30_000, "has 30000 characters"),
        ("", "has no frames"),
    ],
)
def test_a_damaged_line_is_reported(tmp_path, text, said):
    path = tmp_path / "d.jsonl"
    path.write_text(text)
    with pytest.raises(CarpalError, match=said) as caught:
        read_landmark_file(path)
    assert "\n" not in str(caught.value)


def test_damaged_files_are_reported(tmp_path):
    table = write_landmark_file(tmp_path / "e.csv", SIGNS).read_text().splitlines()
    for text, said in (
        ("\n".join([table[0].replace("wrist_x", "wrst_x"), *table[1:]]), "no column wrist_x"),
        ("\n".join([*table[:3], table[3].replace("0,", "zero,", 1)]), "line 4 of .* does not hold a number"),
        ("\n".join([*table, table[1]]), "frame 8 of .* is not later"),
    ):
        (tmp_path / "f.csv").write_text(text)
        with pytest.raises(CarpalError, match=said):
            read_landmark_file(tmp_path / "f.csv")
    mixed = [landmark_line(0, SIGNS[0][0], 1), landmark_line(1, SIGNS[0][1])]
    (tmp_path / "g.jsonl").write_text("\n".join(mixed))
    with pytest.raises(CarpalError, match="of some frames and not of others"):
        read_landmark_file(tmp_path / "g.jsonl")
    for path, said in (("nothing.csv", "cannot be read"), ("a.txt", "ending of a landmark file")):
        with pytest.raises(CarpalError, match=said):
            read_landmark_file(tmp_path / path)
    with pytest.raises(CarpalError, match="ending of a landmark file"):
        write_landmark_file(tmp_path / "a.txt", SIGNS)
    (tmp_path / "h.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CarpalError, match="not UTF-8"):
        read_landmark_file(tmp_path / "h.csv")
