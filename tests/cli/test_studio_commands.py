import json
import os
import signal
import subprocess
import sys
import urllib.request

import pytest

from carpal.cli.command_line import main
from carpal.report.viser_server import bound_socket


def test_report_writes_one_file(reached, tmp_path, capsys):
    path = reached.recording.save(tmp_path / "run.parquet")
    assert main(["report", str(path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"] and answer["report"] == str(tmp_path / "run.html")
    assert "Reached" in (tmp_path / "run.html").read_text()
    assert main(["report", str(path), "--out", str(tmp_path / "deep" / "r.html"), "--no-replay"]) == 0
    assert (tmp_path / "deep" / "r.html").stat().st_size < 600_000


@pytest.mark.parametrize("content", [None, b"", b"not parquet"])
def test_a_bad_recording_is_one_clear_line(tmp_path, capsys, content):
    path = tmp_path / "run.parquet"
    if content is not None:
        path.write_bytes(content)
    assert main(["report", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.strip().splitlines()) == 1 and "run.parquet" in err


def test_a_port_in_use_is_one_clear_line_and_status_2(tmp_path, capsys):
    with bound_socket("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert main(["studio", "--port", str(port), "--out", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"carpal: port {port} of 127.0.0.1 is in use; choose another with --port, 0 for any.\n"


def test_an_unknown_page_is_one_clear_line_and_status_2(capsys):
    assert main(["studio", "--page", "shape"]) == 2
    out, err = capsys.readouterr()
    said = "carpal: unknown page 'shape'; did you mean 'shapes'? valid: tasks, shapes, retrieve, telephone.\n"
    assert (out, err) == ("", said)


@pytest.mark.parametrize("page", ["tasks", "shapes", "retrieve", pytest.param("telephone", marks=pytest.mark.full)])
def test_the_program_serves_and_ends_cleanly_by_ctrl_c(tmp_path, page):
    words = [
        sys.executable, "-m", "carpal.cli.command_line", "studio", "--page", page, "--port", "0",
        "--out", str(tmp_path / "run"),
    ]  # fmt: skip
    program = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    try:
        url = program.stdout.readline().split()[-1]
        assert url.startswith("http://127.0.0.1:")
        while "Ctrl-C" not in program.stdout.readline():
            pass
        assert b"<html" in urllib.request.urlopen(url, timeout=60).read()[:500]
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=60)
    finally:
        program.kill()
    assert program.returncode == 0, err
    assert out.strip() == "studio: ended."
    assert "Traceback" not in err


def test_an_unknown_first_task_is_one_clear_line_and_status_2(tmp_path, capsys):
    assert main(["studio", "--task", "cach", "--out", str(tmp_path), "--port", "0"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("carpal: unknown task 'cach'; did you mean 'catch'?")
    assert main(["studio", "--task", "catch", "--page", "shapes"]) == 2
    assert capsys.readouterr().err == "carpal: --task is for the page of tasks; the page 'shapes' has none.\n"
