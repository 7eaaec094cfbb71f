"""One writer of a folder: the second is refused, whoever it is; the lock ends with its program."""

import signal
import subprocess
import sys

import pytest

from carpal._core.folder_lock import LOCK, folder_lock
from carpal.errors import RecordingError

HOLD = """
import sys, time
from carpal._core.folder_lock import folder_lock
with folder_lock(sys.argv[1]):
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_second_is_refused_until_the_first_has_ended(tmp_path):
    with folder_lock(tmp_path / "out"):
        with pytest.raises(RecordingError, match="being used by another program"), folder_lock(tmp_path / "out"):
            pass
        with folder_lock(tmp_path / "beside"):
            pass
    with folder_lock(tmp_path / "out"):
        assert (tmp_path / "out" / LOCK).exists()
    assert list((tmp_path / "out").iterdir()) == []


def test_a_run_inside_a_command_that_holds_the_folder(tmp_path):
    with folder_lock(tmp_path):
        with folder_lock(tmp_path, again=True):
            pass
        assert (tmp_path / LOCK).exists()
        with pytest.raises(RecordingError), folder_lock(tmp_path):
            pass


def test_a_killed_program_leaves_no_lock(tmp_path):
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout.readline() == "held\n"
        with pytest.raises(RecordingError, match="another program"), folder_lock(tmp_path):
            pass
        program.send_signal(signal.SIGKILL)
        program.wait()
    with folder_lock(tmp_path):
        pass


@pytest.mark.parametrize(
    ("name", "words"), [("a" * 300, "File name too long"), ("file/below", "Not a directory"), ("\0", "cannot be named")]
)
def test_no_folder_is_one_sentence(tmp_path, name, words):
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingError, match=words), folder_lock(tmp_path / name):
        pass
