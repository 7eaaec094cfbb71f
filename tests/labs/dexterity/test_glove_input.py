"""The glove link: rows over UDP are kept, none is lost, bad ones are refused in a sentence, wrenches come back at 200 Hz."""

import contextlib
import socket
import threading
import time

import numpy as np
import pytest
from dexterity_inputs import setting_of

from carpal.errors import CarpalError
from carpal.labs.dexterity.glove_input import JOINTS, GloveInput, GloveLink, udp_port
from carpal.labs.dexterity.options import DexterityOptions
from carpal.perception import SENSORS, GloveMap, glove_line, synthetic_glove, write_glove_file
from carpal.tasks import make_task

GLOVE = GloveMap.read(None, JOINTS)


def send(port, lines, pause=0.0):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        for line in lines:
            link.sendto(line.encode(), ("127.0.0.1", port))
            time.sleep(pause)


def taken(port):
    """Whether another socket listens at a port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


def wait(fact, seconds=5.0):
    end = time.monotonic() + seconds
    while not fact() and time.monotonic() < end:
        time.sleep(0.01)
    assert fact()


def test_rows_that_come_too_fast_are_all_kept(figure):
    link = GloveLink(0, GLOVE)
    stamps, sensors = synthetic_glove(5.0, rate=100)
    send(link.port, [glove_line(t, row) for t, row in zip(stamps, sensors, strict=True)], pause=1e-4)
    wait(lambda: len(link.lines) == len(stamps))
    link.close()
    figure("glove rows lost of 501 that came at once", len(stamps) - len(link.times), 0)
    wanted = GLOVE.targets(dict(zip(SENSORS, sensors.T, strict=True)))
    assert np.abs(np.array(link.targets) - wanted).max() < 1e-15
    assert np.array_equal(link.at(2.5049), link.targets[250])
    assert abs(link.ahead(0.0) - 5.0) < 1e-9


def test_bad_rows_are_refused_and_kept():
    link = GloveLink(0, GLOVE)
    good = glove_line(0.0, np.ones(22))
    send(
        link.port,
        ["time," + ",".join(SENSORS), good, "1,2,3", "0.1" + ",nan" * 22, good, glove_line(0.2, np.zeros(22))],
        0.01,
    )
    wait(lambda: len(link.times) == 2)
    link.close()
    assert len(link.lines) == 5
    assert len(link.refused) == 2
    assert "23 numbers" in link.refused[0]
    assert "finite" in link.refused[1]
    assert link.late == 1


def test_ports():
    assert udp_port("udp:9000", "glove") == 9000
    assert udp_port("file.csv", "glove") is None
    with pytest.raises(CarpalError):
        udp_port("udp:99999", "glove")
    link = GloveLink(0, GLOVE)
    with pytest.raises(CarpalError, match="cannot be opened"):
        GloveLink(link.port, GLOVE)
    link.close()


def test_a_file_is_held_from_row_to_row(tmp_path):
    stamps, sensors = synthetic_glove(0.3)
    path = write_glove_file(tmp_path / "g.csv", stamps, sensors)
    glove = GloveInput(DexterityOptions(glove=str(path)), setting_of(6))
    assert np.array_equal(glove.aim(0.105)[0], glove.rows.targets[10])
    assert np.all(glove.aim(0.105)[1] == 0)
    assert glove.close()["row_count"] == 31


def test_a_run_by_link_repeats_from_its_rows_and_answers(tmp_path, figure):
    """MuJoCo moves it: rows come four times as fast as the simulation runs; the same rows from a file give the same run."""
    stamps, sensors = synthetic_glove(0.3, rate=50, bend=15)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    back = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    back.bind(("127.0.0.1", 0))
    back.settimeout(0.2)
    answers: list[str] = []
    done = threading.Event()

    def hear():
        while not done.is_set():
            try:
                answers.append(back.recv(4096).decode())
            except OSError:
                continue
        with contextlib.suppress(OSError):  # what has arrived and was not heard yet
            while True:
                answers.append(back.recv(4096).decode())

    listener = threading.Thread(target=hear, daemon=True)
    listener.start()
    lines = [glove_line(t, row) for t, row in zip(stamps, sensors, strict=True)]

    def talk():
        wait(lambda: taken(port), 60.0)
        send(port, lines, pause=0.005)

    sender = threading.Thread(target=talk, daemon=True)
    sender.start()
    options = {"example": 9, "engine": "mujoco", "length": 0.3}
    task = make_task(
        "dexterity", **options, glove=f"udp:{port}", feedback=f"udp:{back.getsockname()[1]}", feedback_rate=250.0
    )
    result = task.run(seed=1)
    sender.join()
    done.set()
    listener.join()
    back.close()
    report = result.recording.metadata["glove"]
    assert report["row_count"] == len(lines)
    assert report["rows"] == lines
    assert "none was lost" in report["status"]
    figure("wrenches sent back for each second of the run", report["wrenches_sent"] / 0.3, 200, at_least=True)
    assert len(answers) == report["wrenches_sent"]
    assert all(len(line.split(",")) == 31 for line in answers)
    path = write_glove_file(tmp_path / "g.csv", stamps, sensors)
    again = make_task("dexterity", **options, glove=str(path)).run()
    assert np.array_equal(again.recording.q, result.recording.q)


def test_nobody_sends(monkeypatch):
    monkeypatch.setattr("carpal.labs.dexterity.glove_input.PATIENCE", 0.2)
    with pytest.raises(CarpalError, match="no row of the glove came"):
        make_task("dexterity", example=6, engine="mujoco", glove="udp:0").run()
