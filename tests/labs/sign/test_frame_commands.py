"""`carpal sign read`, `train --recordings` and `watch`: one letter or null a frame, and letters sent as they are read."""

import json
import threading

import numpy as np
import pytest

from carpal.cli.command_line import main
from carpal.labs.sign import read_recordings
from carpal.labs.sign.reading.frame_features import unit_frames


def output_of(capsys):
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def hands(tmp_path):
    found = read_recordings("asl_webcam")
    rows = np.concatenate([np.flatnonzero(found.letters == letter)[20:50] for letter in "BLV"])
    np.savez(tmp_path / "with.npz", landmarks=found.points[rows], letters=found.letters[rows])
    np.savez(tmp_path / "without.npz", landmarks=found.points[rows].astype(np.float32))
    p = unit_frames(found.points[rows])
    share = np.arange(1, 10)[:, None, None] / 10
    way = [p[29] + share * (p[30] - p[29]), p[59] + share * (p[60] - p[59])]
    film = np.concatenate([p[:30], way[0], p[30:60], way[1], p[60:], np.full((5, 21, 3), np.nan)])
    np.savez(tmp_path / "film.npz", landmarks=film)
    return tmp_path


def test_one_letter_or_null_for_each_frame(hands, capsys):
    assert main(["sign", "read", str(hands / "without.npz"), "--alphabet", "asl", "--json"]) == 0
    said = output_of(capsys)
    assert len(said["letters"]) == said["frames"] == 90 and set(said["letters"]) <= {"B", "L", "V", None}
    assert main(["sign", "read", str(hands / "with.npz"), "--json"]) == 0
    said = output_of(capsys)
    assert said["accuracy"] > 0.9 and said["wrong"] == 0.0 and set(said["per_letter"]) == {"B", "L", "V"}
    assert main(["sign", "read", str(hands / "film.npz"), "--json"]) == 0
    assert output_of(capsys)["letters"][-5:] == [None] * 5


def test_training_on_recordings_writes_a_file_that_reads(hands, capsys):
    words = [
        "sign",
        "train",
        "--recordings",
        str(hands / "with.npz"),
        "--alphabet",
        "asl",
        "--signs",
        "200",
        "--epochs",
        "3",
    ]
    assert main([*words, "--json", "--out", str(hands)]) == 0
    said = output_of(capsys)
    assert said["letters"] == ["B", "L", "V"] and said["same_as_package"] is False
    assert main(["sign", "read", str(hands / "with.npz"), "--alphabet", said["file"], "--json"]) in (0, 1)
    assert set(output_of(capsys)["letters"]) <= {"B", "L", "V", None}


def test_watch_reads_a_recorded_stream_frame_by_frame(hands, capsys):
    assert main(["sign", "watch", "--camera", str(hands / "film.npz"), "--reader", "asl", "--json"]) == 0
    said = output_of(capsys)
    assert said["text"] == "BLV" and said["no_hand"] == 5 and [row["letter"] for row in said["letters"]] == list("BLV")
    assert said["letters"][0]["time"] < 0.5


def test_watch_sends_letters_as_they_are_read(hands, capsys, monkeypatch):
    """The line is in this process; a receiver shows what the stream says."""
    from carpal.labs.sign import LinkReceiver, LoggingPlayer
    from carpal.labs.sign.link.transport import InProcess
    from carpal.labs.sign.option_groups import LinkOptions

    token, line = "a token that both ends know", InProcess()
    monkeypatch.setattr(LinkOptions, "open", lambda self, listens: (line, token))
    player = LoggingPlayer("none", "asl")
    heard = []
    with LinkReceiver(line, token, player, name="anna").start() as receiver:
        listens = threading.Thread(target=lambda: heard.append(receiver.wait(60)))
        listens.start()
        assert main(["sign", "watch", "--camera", str(hands / "film.npz"), "--reader", "asl", "--send", "--json"]) == 0
        listens.join()
    assert output_of(capsys)["text"] == "BLV" and heard[0].text == "BLV"


def test_watch_follows_a_tracker_through_a_video(tmp_path, capsys, monkeypatch):
    """A tracker that stands in for MediaPipe gives recorded image landmarks for the images of a video that is really decoded."""
    cv2 = pytest.importorskip("cv2")
    video = cv2.VideoWriter(str(tmp_path / "v.avi"), cv2.VideoWriter_fourcc(*"MJPG"), 30.0, (64, 48))
    for _ in range(24):
        video.write(np.full((48, 64, 3), 128, np.uint8))
    video.release()
    found = read_recordings("asl_webcam")
    signed = iter(found.points[found.letters == "L"][:24])

    class Tracker:
        def __init__(self, model, hand):
            pass

        def image_landmarks(self, image, time):
            assert image.shape == (48, 64, 3)
            return next(signed)

        def close(self):
            pass

    monkeypatch.setattr("carpal.perception.CameraTracker", Tracker)
    assert (
        main(["sign", "watch", "--model", "x", "--camera", str(tmp_path / "v.avi"), "--reader", "asl", "--json"]) == 0
    )
    assert output_of(capsys)["text"] == "L"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["read", "hands.txt"], "ends in .npz; got 'hands.txt'"),
        (["read", "none.npz"], "cannot be read"),
        (["read", "none.npz", "--alphabet", "klingon"], "unknown frame reader 'klingon'"),
        (["watch", "--send"], "needs a reader of single frames"),
        (["watch", "--camera", "x.npz", "--reader", "asl"], "cannot be read"),
        (["train", "--recordings", "nobody"], "unknown recording 'nobody'"),
    ],
)
def test_bad_input_is_one_line_and_status_2(words, said, capsys):
    assert main(["sign", *words]) == 2
    output = capsys.readouterr()
    assert said in output.err and output.err.count("\n") == 1 and not output.out
