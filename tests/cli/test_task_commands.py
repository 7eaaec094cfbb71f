"""The tasks on the command line: one sentence, one JSON object, the right exit status, and nothing lost."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import typer
from stand_in_tasks import Dice

from carpal.cli.command_line import main
from carpal.cli.task_commands import run_task, task_command
from carpal.engines import Recording
from carpal.errors import CarpalError
from carpal.tasks import campaign, make_task
from carpal.tasks.campaigns.store import CaseStore

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "carpal.cli.command_line"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def run(capsys, *words):
    status = main(list(words))
    out, err = capsys.readouterr()
    # with a cold cache the first kernel says that it is being compiled
    return status, out, "".join(line for line in err.splitlines(keepends=True) if "compiling kernels" not in line)


def test_reach_says_one_sentence(capsys):
    status, out, err = run(capsys, "reach", "--target", "0.6", "-0.1", "0.3", "--duration", "3")
    assert (status, err) == (0, "")
    assert out.splitlines()[0].startswith("reached (0.6, -0.1, 0.3) m within ")
    assert "position_error_m" in out


def test_json_is_exactly_one_object_and_the_same_as_in_python(capsys):
    status, out, err = run(capsys, "reach", "--seed", "3", "--spread", "0.1", "--json")
    answer = json.loads(out)
    assert (status, err, out.count("\n")) == (0, "", 1)
    assert answer["ok"] is True and answer["task"] == "reach" and answer["seed"] == 3
    assert answer["options"]["spread"] == 0.1 and answer["command"] == "carpal reach --spread 0.1 --seed 3"
    result = make_task("reach", spread=0.1).run(3)
    assert answer["numbers"] == result.score.numbers and answer["status"] == result.status


def test_out_holds_recording_result_and_report(capsys, tmp_path):
    status, out, _ = run(capsys, "reach", "--out", str(tmp_path / "a"), "--json")
    answer = json.loads(out)
    assert status == 0 and set(answer["files"]) == {"recording", "result", "report"}
    recording = Recording.load(answer["files"]["recording"])
    assert recording.ok and recording.metadata["options"]["task"] == "reach"
    assert json.loads(Path(answer["files"]["result"]).read_text())["numbers"] == answer["numbers"]
    assert Path(answer["files"]["report"]).read_text().startswith("<!doctype html>")
    run(capsys, "reach", "--out", str(tmp_path / "b"))
    for name in ("recording.parquet", "result.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_miss_is_status_1_with_its_sentence(capsys):
    status, out, err = run(capsys, "reach", "--duration", "0.3")
    assert (status, err) == (1, "") and out.startswith("missed (0.5, 0.2, 0.4) m by ")
    status, out, _ = run(capsys, "reach", "--duration", "0.3", "--json")
    answer = json.loads(out)
    assert status == 1 and answer["ok"] is False and answer["numbers"]["settling_time_s"] is None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--robot", "swyer"], "unknown robot 'swyer'; did you mean 'sawyer'?"),
        (["--engine", "mujoko"], "unknown engine 'mujoko'; did you mean 'mujoco'?"),
        (["--target", "3", "0", "0"], "out of reach by 1.89 m for certain"),
        (["--target", "1", "nan", "0"], "target must be a finite number [m]; got 'nan'"),
        (["--target", "1", "2"], "target needs 3 numbers; got 2"),
        (["--target", "a", "b", "c"], ""),
        (["--target", "here"], "target must be a finite number [m]; got 'here'"),
        (["--duration", "-1"], "duration must be above 0 [s]; got -1"),
        (["--duration", "inf"], "duration must be a finite number [s]; got 'inf'"),
        (["--stiffness", "0"], "stiffness must be above 0"),
        (["--spread", "-0.1"], "spread must be 0 or above"),
        (["--dt", "9"], "dt must not be longer than the duration"),
        (["--robot", "k10"], "--inertia assumed"),
        (["--seed", "-1"], "--seed must be a whole number, 0 or above"),
        (["--seed", "x"], "--seed"),
        (["--seeds", "0"], "--seeds must be a whole number, 1 or above; got 0"),
        (["--seeds", "3", "--processes", "0"], "processes must be a whole number, 1 or above"),
        (["--processes", "2"], "--processes is for --seeds"),
        (["--device", "cuda"], "--device is for --seeds"),
        (["--cluster", "local:2"], "--cluster is for --seeds"),
        (["--seeds", "2", "--device", "gpu"], "cpu, cuda"),
        (["--seeds", "2", "--cluster", "local:0"], "local:N"),
        (["--seeds", "3", "--target", "3", "0", "0"], "out of reach"),
        (["--tagret", "1", "2", "3"], "--tagret"),
    ],
)
def test_bad_options_are_one_line_and_status_2(capsys, words, sentence):
    wanted = 1 if sentence.startswith("out of reach") else 2  # that is no bad input: it cannot be done
    status, out, err = run(capsys, "reach", *words)
    assert (status, out) == (wanted, "")
    assert sentence in err and len(err.strip().splitlines()) == 1
    status, out, _ = run(capsys, "reach", *words, "--json")
    assert status == wanted and json.loads(out)["ok"] is False


def test_an_unknown_task(capsys):
    status, out, err = run(capsys, "reech")
    assert (status, out) == (2, "") and "unknown command 'reech'; did you mean 'reach'?" in err


def test_an_out_that_cannot_be_used(capsys, tmp_path):
    (tmp_path / "file").write_text("")
    for words in ([], ["--seeds", "2"]):
        status, out, err = run(capsys, "reach", "--out", str(tmp_path / "file" / "x"), *words)
        assert (status, out) == (2, "") and len(err.strip().splitlines()) == 1, err


def test_a_full_disk_is_one_sentence_and_the_parts_are_kept(tmp_path):
    code = f"""
import resource, sys
from carpal.cli.command_line import main
main(["reach", "--duration", "0.05", "--json"])  # compiled kernels are written to the disk before it is full
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
sys.exit(main(["reach", "--out", {str(tmp_path)!r}]))
"""
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "recording.parquet' was not written, the disk or the allowed file size is full" in done.stderr
    assert len(Recording.load(tmp_path / "parts")) == 3001


def test_seeds_are_summarised_as_numbers(capsys, tmp_path):
    words = ["reach", "--duration", "0.5", "--seed", "5", "--seeds", "6", "--out", str(tmp_path), "--json"]
    status, out, err = run(capsys, *words)
    answer = json.loads(out)
    assert (status, err) == (1, "") and answer["seeds"] == [5, 6, 7, 8, 9, 10] and answer["succeeded"] == 0
    assert "--seed 5 --seeds 6" in Path(answer["files"]["report"]).read_text()
    table = pq.read_table(tmp_path / "cases.parquet")
    error = table.column("position_error_m").to_numpy()
    assert answer["numbers"]["position_error_m"]["greatest"] == error.max()
    assert error[2] == make_task("reach", duration=0.5).run(7).score.numbers["position_error_m"]


def journal_rows(out):
    try:
        with CaseStore(out, None, reading=True) as store:
            return store.count()
    except CarpalError:
        return 0  # not there yet


def wait_for_rows(out, rows, child):
    limit = time.monotonic() + 300
    while time.monotonic() < limit and child.poll() is None:
        if journal_rows(out) >= rows:
            return
        time.sleep(0.005)


@pytest.mark.full
def test_200_seeds_killed_and_resumed_give_the_same_table(tmp_path, figure):
    words = [*PROGRAM, "reach", "--duration", "2.6", "--spread", "0.3", "--seeds", "200", "--json", "--out"]
    whole = subprocess.run([*words, tmp_path / "whole"], env=ENVIRONMENT, capture_output=True, text=True)
    assert whole.returncode in (0, 1) and len(json.loads(whole.stdout)["seeds"]) == 200, whole.stderr
    done = []
    for rows in (8, 80):
        child = subprocess.Popen([*words, tmp_path / "cut"], env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        wait_for_rows(tmp_path / "cut", rows, child)
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        done.append(journal_rows(tmp_path / "cut"))
    assert 8 <= done[0] < done[1] < 200
    again = subprocess.run([*words, tmp_path / "cut"], env=ENVIRONMENT, capture_output=True, text=True)
    assert again.returncode == whole.returncode
    same = (tmp_path / "cut" / "cases.parquet").read_bytes() == (tmp_path / "whole" / "cases.parquet").read_bytes()
    assert json.loads(again.stdout)["numbers"] == json.loads(whole.stdout)["numbers"]
    figure("reach --seeds 200 killed twice and resumed: tables that differ", int(not same), 0)


def test_ctrl_c_ends_a_run_cleanly_with_what_was_recorded(tmp_path):
    words = [*PROGRAM, "reach", "--duration", "600", "--json", "--out", tmp_path]
    child = subprocess.Popen(words, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    limit = time.monotonic() + 300
    while not list(tmp_path.glob("parts/part-*")) and time.monotonic() < limit:
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    answer = json.loads(out)
    assert child.returncode == 130 and answer["ok"] is False and answer["status"].startswith("interrupted at ")
    assert "Traceback" not in err
    recording = Recording.load(answer["files"]["recording"])
    assert recording.interrupted and len(recording) >= 1000
    assert np.isfinite(recording.q).all()


def test_ctrl_c_ends_seeds_cleanly(tmp_path):
    words = [*PROGRAM, "reach", "--seeds", "100000", "--json", "--out", tmp_path]
    child = subprocess.Popen(words, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_rows(tmp_path, 8, child)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    answer = json.loads(out)
    assert child.returncode == 130 and answer["status"].startswith("interrupted with "), err
    assert answer["finished"] >= 8 and "Traceback" not in err


def test_a_killed_run_keeps_its_parts(tmp_path):
    child = subprocess.Popen(
        [*PROGRAM, "reach", "--duration", "600", "--json", "--out", tmp_path],
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
    )
    limit = time.monotonic() + 300
    while len(list(tmp_path.glob("parts/part-*"))) < 2 and time.monotonic() < limit:
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    kept = Recording.load(tmp_path / "parts")
    assert len(kept) >= 2000 and "cut off" in kept.status


def test_a_bar_is_shown_on_a_terminal(tmp_path):
    ours, theirs = pty.openpty()
    environment = {**ENVIRONMENT, "TERM": "xterm", "COLUMNS": "100"}
    words = [*PROGRAM, "reach", "--seeds", "100000", "--out", str(tmp_path)]
    child = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    seen, limit = b"", time.monotonic() + 300
    while b"/100000" not in seen and time.monotonic() < limit:
        seen += os.read(ours, 65536)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    os.close(ours)
    assert b"reach" in seen and b"/100000" in seen
    assert out.startswith("interrupted with ") and "/100000" not in out


def test_any_task_gets_its_options(capsys, tmp_path):
    app = typer.Typer()
    app.command("dice")(task_command("stand_in_tasks:Dice", Dice))
    app.command("other")(lambda: None)
    words = ["dice", "--sides", "8", "--loaded", "--point", "1,2,3", "--seeds", "4", "--json"]
    assert app(words, standalone_mode=False) in (0, 1)
    answer = json.loads(capsys.readouterr().out)
    assert (
        answer["options"]["sides"] == 8
        and answer["options"]["loaded"] is True
        and answer["options"]["point"] == [1, 2, 3]
    )
    rows = campaign("stand_in_tasks:Dice", {"sides": 8}, seeds=4).rows
    assert answer["succeeded"] == sum(row["ok"] for row in rows)


def test_seeds_without_json_show_a_summary(capsys):
    assert run_task("stand_in_tasks:Dice", {}, seeds=3) in (0, 1)
    out = capsys.readouterr().out
    assert "first" in out and "median" in out
