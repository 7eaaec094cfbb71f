"""`carpal sign send`, `receive` and `call` as programs: letters come, bad input is one line and exit status 2."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from carpal.cli.command_line import main

pytestmark = pytest.mark.xdist_group("link")
ROOT = Path(__file__).parents[3]


@pytest.fixture
def line(tmp_path, monkeypatch):
    """An address that is free, and a place for token and journals."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("CARPAL_LINK_TOKEN", raising=False)
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        return f"tcp/127.0.0.1:{there.getsockname()[1]}"


def program(*words):
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    begin = [sys.executable, "-m", "carpal.cli.command_line", "sign", *words, "--json"]
    return subprocess.Popen(begin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def output_of(one):
    out, err = one.communicate(timeout=120)
    return one.returncode, json.loads(out), err


def test_send_and_two_receivers(line, capsys, tmp_path):
    ends = [
        program("receive", "--robot", "none", "--name", f"r{i}", "--connect", line, "--calls", "1") for i in range(2)
    ]
    assert main(["sign", "send", "Ciao È", "--listen", line, "--receivers", "2", "--wait", "60", "--json"]) == 0
    sent = json.loads(capsys.readouterr().out)
    assert (
        sent["ok"] and sent["letters"] == list("CIAO E") and {row["name"] for row in sent["receivers"]} == {"r0", "r1"}
    )
    for end in ends:
        status, heard, _ = output_of(end)
        assert status == 0 and heard["calls"][0]["text"] == "CIAO E" and heard["calls"][0]["latency_ms_p99"] > 0
    assert (tmp_path / "carpal" / "sign_link_token").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in (tmp_path / "carpal" / "sign_played").glob("*.jsonl")) == [
        "sign-r0.jsonl",
        "sign-r1.jsonl",
    ]


@pytest.mark.full
def test_a_robot_killed_in_the_middle_of_a_word_goes_on(line, tmp_path):
    words = ("receive", "--robot", "parloma", "--fast", "--connect", line, "--calls", "1")
    journal = tmp_path / "carpal" / "sign_played" / "sign-parloma.jsonl"
    sending, first = program("send", "ARRIVEDERCI", "--listen", line, "--wait", "120"), program(*words)
    while not journal.exists() or journal.read_text().count("\n") < 3:
        time.sleep(0.01)
    first.send_signal(signal.SIGKILL)
    assert first.wait() == -signal.SIGKILL
    kept = journal.read_text().count("\n")
    first.communicate()
    status, heard, err = output_of(program(*words))
    assert status == 0, err
    assert 3 <= kept < 11 and heard["calls"][0]["text"] == "ARRIVEDERCI" and not heard["calls"][0]["missing"]
    status, sent, err = output_of(sending)
    assert status == 0 and sent["receivers"][0]["played"] == 11, (sent, err)


def test_a_call(line):
    answering = program("call", "GRAZIE", "A PRESTO", "--answer", "--listen", line)
    calling = program("call", "CIAO", "COME STAI", "--connect", line)
    for end, heard in ((calling, ["GRAZIE", "A PRESTO"]), (answering, ["CIAO", "COME STAI"])):
        status, result, err = output_of(end)
        assert status == 0, err
        assert [turn["heard"] for turn in result["turns"] if "heard" in turn] == heard


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["send", "C1AO"], "'1' is not in the alphabet 'italian'"),
        (["send", "CIAO", "--alphabet", "itallian"], "did you mean 'italian'"),
        (["send", "CIAO", "--listen", "here"], "an address is written tcp/HOST:PORT"),
        (["send", "CIAO", "--listen", "tcp/0.0.0.0:7460"], "leaves this machine: use tls/"),
        (["send", "CIAO", "--token-file", "missing"], "'missing' cannot be read"),
        (["send", "CIAO", "--room", "a b"], "a room is named by up to 64"),
        (["receive", "--robot", "parlma"], "did you mean 'parloma'"),
        (["receive", "--robot", "none", "--name", "../x"], "letters, digits, dots and dashes"),
        (["receive", "--alphabet", "klingon", "--robot", "none"], "unknown alphabet 'klingon'"),
        (["receive", "--board", "/dev/nothing"], "cannot be opened"),
        (["receive", "--board", "/dev/nothing", "--fast"], "--fast is for a simulated board"),
        (["call", "CIAO", "--wait", "0.1"], "no other end joined room 'sign'"),
        (["call", "C1AO"], "'1' is not in the alphabet"),
        (["demo", "C1AO"], "'1' is not in the alphabet"),
        (["demo", "CIAO", "--robot", "parlma"], "did you mean 'parloma'"),
        (["demo", "CIAO", "--alphabet", "klingon"], "unknown alphabet 'klingon'"),
    ],
)
def test_bad_input_is_one_line(line, words, sentence, capsys):
    given = (
        words
        if "--listen" in words or words[0] == "demo"
        else [*words, "--listen" if words[0] == "send" else "--connect", line]
    )
    assert main(["sign", *given]) == 2
    err = capsys.readouterr().err
    assert sentence in err and len(err.strip().splitlines()) == 1 and "Traceback" not in err


def test_letters_that_are_read_from_landmarks_are_sent(line, tmp_path, capsys):
    from carpal.labs.sign import SimulatedSigner, word_frames

    def film(name, points):
        rows = ({"time": i / 30, "points": frame.tolist()} for i, frame in enumerate(points))
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(tmp_path / name)

    word = film("word.jsonl", word_frames(SimulatedSigner(3), "CIAO"))
    end = program("receive", "--robot", "none", "--connect", line, "--calls", "1")
    assert main(["sign", "send", "--landmarks", word, "--listen", line, "--wait", "60"]) == 0
    assert output_of(end)[1]["calls"][0]["text"] == "CIAO"
    capsys.readouterr()
    blob = film("blob.jsonl", np.random.default_rng(0).normal(0, 0.05, (24, 21, 3)))
    for words in (["--landmarks", blob], [], ["CIAO", "--landmarks", word]):
        assert main(["sign", "send", *words, "--listen", line]) == 2
        assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_the_demo(capsys):
    assert main(["sign", "demo", "CIAO", "--robot", "parloma", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["recognised"]["parloma"] == result["letters"] == list("CIAO") and len(result) == 10
    assert main(["sign", "demo", "CIAO", "--robot", "parloma", "--noise-mm", "60"]) in (1, 2)  # too much noise to read
    assert "Traceback" not in capsys.readouterr().err


def test_a_port_in_use_and_nobody_there(line, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", int(line.rpartition(":")[2])))
        taken.listen()
        assert main(["sign", "send", "CIAO", "--listen", line]) == 2
        assert f"the address {line} is in use; choose another port" in capsys.readouterr().err
    assert main(["sign", "send", "CIAO", "--listen", line, "--wait", "0.2"]) == 1
    assert "0 of 1 receivers came within 0.2 s; nothing was sent." in capsys.readouterr().out
