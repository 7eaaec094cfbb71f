"""The worker's side of the conversation."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

from stand_in_tasks import Dice

from carpal.tasks.worker import answer, serve

TESTS = Path(__file__).parents[1]
BEGIN = {"task": "stand_in_tasks:Dice", "options": {"sides": 8}}


def test_an_answer_for_every_seed():
    told = answer(Dice(sides=8), '{"seeds": [3, 1]}')
    assert [row["seed"] for row in told["rows"]] == [3, 1]
    again = answer(Dice(sides=8), '{"seeds": [1]}')
    assert json.dumps(again["rows"][0]) == json.dumps(told["rows"][1])


def test_a_defect_is_told_whole():
    assert "ZeroDivisionError: a defect of the task" in answer(Dice(trouble="defect"), '{"seeds": [5]}')["error"]


def test_it_serves_until_its_input_ends():
    lines = io.StringIO(json.dumps({**BEGIN, "path": sys.path}) + '\n{"seeds": [0]}\n{"seeds": [1, 2]}\n')
    out = io.StringIO()
    serve(lines, out)
    assert [len(json.loads(line)["rows"]) for line in out.getvalue().splitlines()] == [1, 2]


def test_it_ends_quietly_when_nobody_listens():
    begin = {**BEGIN, "options": {"pause": 0.3}, "path": [str(TESTS), *sys.path]}
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "carpal.tasks.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(TESTS.parent)},
    )  # fmt: skip
    child.stdin.write(json.dumps(begin) + '\n{"seeds": [0]}\n')
    child.stdin.flush()
    child.stdout.close()
    child.stdin.close()
    assert child.stderr.read() == ""
    assert child.wait() == 0


def test_what_a_task_prints_does_not_disturb():
    begin = {**BEGIN, "options": {"trouble": "prints"}, "path": [str(TESTS), *sys.path]}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "carpal.tasks.worker"], input=json.dumps(begin) + '\n{"seeds": [0]}\n',
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(TESTS.parent)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"][0]["seed"] == 0
    assert "a task that prints" in done.stderr
