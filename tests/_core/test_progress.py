"""A bar after two seconds, on stderr, and never for quick things."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from rich.progress import Progress

from carpal._core import progress
from carpal._core.progress import Bar

ROOT = str(Path(__file__).parents[2])


def test_quick_things_show_and_import_nothing():
    code = (
        "import sys; from carpal._core.progress import Bar\n"
        "with Bar(3, 'x', shown=True) as bar: bar.to(1)\n"
        "print('rich' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ROOT}
    )
    assert (done.stdout.strip(), done.stderr) == ("False", "")


def test_it_is_shown_on_a_terminals_stderr_only():
    code = (
        "import time; from carpal._core import progress; progress.QUIET_SECONDS = 0\n"
        "with progress.Bar(40, 'rolling', shown=True) as bar:\n"
        "    for i in range(8): bar.to(5 * i); time.sleep(0.1)\n"
    )
    ours, theirs = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=theirs,
        env={**os.environ, "PYTHONPATH": ROOT, "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    assert done.wait() == 0
    assert b"rolling" in seen and b"35/40" in seen
    assert done.stdout.read() == b""


def test_not_shown_means_not_shown(monkeypatch, capfd):
    monkeypatch.setattr(progress, "QUIET_SECONDS", -1.0)
    for shown in (False, True):  # a test's stderr is no terminal
        with Bar(3, "x", shown=shown) as bar:
            bar.to(2)
        assert capfd.readouterr() == ("", "")


def test_a_fraction_is_shown_as_a_percentage(monkeypatch, capsys):
    monkeypatch.setattr(progress, "QUIET_SECONDS", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with Bar(1, "long work", shown=True) as bar:
        bar.to(0.5)
    heard = capsys.readouterr()
    assert "long work" in heard.err and "50 %" in heard.err and heard.out == ""


def test_ctrl_c_while_the_bar_starts_leaves_stdout_as_it_was(monkeypatch, capsys):
    monkeypatch.setattr(progress, "QUIET_SECONDS", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    start = Progress.start

    def interrupted_start(self):
        start(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "start", interrupted_start)
    stdout = sys.stdout
    with pytest.raises(KeyboardInterrupt), Bar(3, "x", shown=True) as bar:
        bar.to(1)
    assert sys.stdout is stdout
    print("interrupted")
    assert capsys.readouterr().out == "interrupted\n"
