"""`carpal sign train`, `recognise`, `exam`, `touch`: JSON, files, exit status, one clear line for bad input."""

import json

import numpy as np
import pytest

from carpal.cli.command_line import main
from carpal.labs.sign import SimulatedSigner, human_signs, read_alphabet, word_frames
from carpal.perception import SENSORS, glove_sensors, landmark_line, write_glove_file, write_landmark_file


def _output(capsys):
    return json.loads(capsys.readouterr().out)


def test_train_writes_a_file_that_recognise_reads(tmp_path, capsys):
    assert main(["sign", "train", "--signs", "1500", "--epochs", "2", "--json", "--out", str(tmp_path)]) == 0
    output = _output(capsys)
    assert (
        output["ok"]
        and len(output["letters"]) == 26
        and output["same_as_package"] is False
        and output["recipe"]["signs"] == 1500
    )
    frames = SimulatedSigner(1).frames("B")
    path = write_landmark_file(tmp_path / "b.csv", [frames])
    assert main(["sign", "recognise", str(path), "--reader", output["file"], "--json"]) in (0, 1)
    assert len(_output(capsys)["letters"]) == 1


def test_a_word_is_read_from_a_file(tmp_path, capsys):
    frames = word_frames(SimulatedSigner(5), "CIAO")
    path = tmp_path / "w.jsonl"
    path.write_text("\n".join(landmark_line(k / 30, frame) for k, frame in enumerate(frames)))
    assert main(["sign", "recognise", str(path), "--json"]) == 0
    output = _output(capsys)
    assert output["ok"] and output["text"] == "CIAO" and all(row["confidence"] > 0.5 for row in output["letters"])
    assert main(["sign", "recognise", str(path)]) == 0
    assert "read as 'CIAO'" in capsys.readouterr().out


def test_letters_are_read_from_a_glove_file(tmp_path, capsys):
    source = human_signs(read_alphabet())
    sensors = glove_sensors(np.repeat(source.channels[source.names.index("L")][None], 24, 0))
    path = write_glove_file(tmp_path / "g.csv", np.arange(24) / 30, np.stack([sensors[name] for name in SENSORS], -1))
    assert main(["sign", "recognise", str(path), "--glove", "forward", "--json"]) == 0
    assert _output(capsys)["text"] == "L"
    assert main(["sign", "recognise", str(path), "--glove", "sideways"]) == 2
    assert "unknown palm direction 'sideways'" in capsys.readouterr().err


def test_watch_says_what_is_missing(tmp_path, capsys):
    assert main(["sign", "watch", "--model", str(tmp_path / "no.task"), "--frames", "0"]) == 2
    assert "--frames must be from 1 to 100000" in capsys.readouterr().err
    assert main(["sign", "watch", "--model", str(tmp_path / "no.task")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_watch_reads_a_video_through_a_tracker(tmp_path, capsys, monkeypatch):
    """A tracker that stands in for MediaPipe's finds the same hand in every image of a video that is really decoded."""
    cv2 = pytest.importorskip("cv2")
    video = cv2.VideoWriter(str(tmp_path / "v.avi"), cv2.VideoWriter_fourcc(*"MJPG"), 30.0, (64, 48))
    for _ in range(24):
        video.write(np.full((48, 64, 3), 128, np.uint8))
    video.release()
    signed = iter(SimulatedSigner(5).frames("L"))

    class Tracker:
        def __init__(self, model, hand):
            pass

        def landmarks(self, image, time):
            assert image.shape == (48, 64, 3) and 0 <= time < 0.8
            return next(signed)

        def close(self):
            pass

    monkeypatch.setattr("carpal.perception.CameraTracker", Tracker)
    words = ["sign", "watch", "--model", "x", "--camera", str(tmp_path / "v.avi"), "--json", "--out", str(tmp_path)]
    assert main(words) == 0
    output = _output(capsys)
    assert output["text"] == "L" and len((tmp_path / "landmarks.jsonl").read_text().splitlines()) == 24


def test_exam_of_one_signer(capsys):
    assert main(["sign", "exam", "--signers", "1", "--json"]) == 0
    output = _output(capsys)
    assert (
        output["accuracy"] >= 0.95
        and set(output["none_of_these"]) == {"random", "half-way", "palm", "moving"}
        and len(output["letters"]) == 26
    )


@pytest.mark.full
def test_touch_tells_pairs_and_draws(tmp_path, capsys):
    assert main(["sign", "touch", "--clearer", "u", "--tries", "4", "--json", "--out", str(tmp_path)]) == 0
    output = _output(capsys)
    assert (
        output["worst"][0]["letters"] == ["U", "V"]
        and len(output["worst"]) == 10
        and output["clearer"][0]["letter"] == "U"
    )
    assert np.shape(output["confusion"]) == (26, 26) and (tmp_path / "touch_parloma.png").stat().st_size > 20_000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["exam", "--alphabet", "klingon"], "unknown alphabet 'klingon'"),
        (["exam", "--robot", "sawyr"], "unknown recogniser 'italian_sawyr'"),
        (["exam", "--signers", "0"], "signers must be from 1"),
        (["train", "--signs", "5"], "at least 1250 signs"),
        (["train", "--alphabet", "klingon"], "unknown alphabet 'klingon'"),
        (["recognise", "none.jsonl"], "cannot be read"),
        (["recognise", "none.mp4"], "ending of a landmark file"),
        (["touch", "--pairs", "0"], "--pairs must be 1 or more"),
        (["touch", "--robot", "nobody"], "unknown robot 'nobody'"),
    ],
)
def test_bad_input_is_one_line_and_status_2(words, said, capsys):
    assert main(["sign", *words]) == 2
    output = capsys.readouterr()
    assert said in output.err and output.err.count("\n") == 1 and not output.out


def test_landmarks_with_nan_or_20_points(tmp_path, capsys):
    frame = SimulatedSigner(1).frames("B", frames=1)[0]
    holed = np.where(frame == frame[3, 1], np.nan, frame)
    for points, said in ((frame[:20], "21 points of 3 coordinates; got 20"), (holed, "must be finite; 'thumb_ip'")):
        (tmp_path / "x.jsonl").write_text(json.dumps({"time": 0.0, "points": points.tolist()}))
        assert main(["sign", "recognise", str(tmp_path / "x.jsonl")]) == 2
        assert said in capsys.readouterr().err
