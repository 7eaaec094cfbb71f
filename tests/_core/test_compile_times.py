import gc
import json
import os
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from carpal._core.compile_times import RARE, CompileTimes, part_name


def compiled(module):
    def function():
        """Stands for an entry."""

    function.__module__ = module
    return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=function)})


def run(times, *modules):
    for module in modules:
        times.on_start(compiled(module))
        times.on_start(compiled("carpal.spatial.kernels.rotations"))  # inside: part of it
        times.on_end(compiled("carpal.spatial.kernels.rotations"))
        times.on_end(compiled(module))
    times.write()


def test_the_part_is_named_by_its_place():
    assert part_name(compiled("carpal.engines.penalty.kernels.run").data["dispatcher"]) == "engines.penalty.run"


def test_one_line_and_the_time_of_the_last_run(tmp_path, capsys):
    file = tmp_path / "new" / "compile_seconds.json"
    run(CompileTimes(file, True), "carpal.kinematics.kernels.forward", "carpal.dynamics.kernels.mass")
    assert (
        capsys.readouterr().err == "carpal: compiling kinematics.forward for this machine (once, up to a minute) ...\n"
    )
    kept = json.loads(file.read_text())
    assert set(kept) == {"kinematics.forward", "dynamics.mass"} and "run_seconds" not in kept["dynamics.mass"]
    total = sum(part["seconds"] for part in kept.values())
    assert kept["kinematics.forward"]["run_seconds"] == pytest.approx(total, abs=2e-3)
    kept["kinematics.forward"]["run_seconds"] = 41.3
    file.write_text(json.dumps(kept))
    run(CompileTimes(file, True), "carpal.kinematics.kernels.forward")
    assert "(once, 41 s the last time, with what followed)" in capsys.readouterr().err
    assert json.loads(file.read_text())["dynamics.mass"] == kept["dynamics.mass"]


def test_workers_say_nothing_and_a_strange_file_is_no_harm(tmp_path, capsys):
    for text in ("[1]", "no json", '{"kinematics.forward": 3}'):
        file = tmp_path / "compile_seconds.json"
        file.write_text(text)
        run(CompileTimes(file, False), "carpal.kinematics.kernels.forward")
        assert capsys.readouterr().err == "" and "run_seconds" in file.read_text()


def test_a_folder_that_cannot_be_written(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    run(CompileTimes(tmp_path / "file" / "compile_seconds.json", True), "carpal.kinematics.kernels.forward")
    assert capsys.readouterr().err.count("\n") == 1


def test_nothing_compiled_writes_nothing(tmp_path):
    CompileTimes(tmp_path / "compile_seconds.json", True).write()
    assert list(tmp_path.iterdir()) == []


def test_the_collector_of_cycles_runs_rarely_only_while_something_compiles(tmp_path):
    before, times = gc.get_threshold(), CompileTimes(tmp_path / "compile_seconds.json", False)
    times.on_start(compiled("carpal.kinematics.kernels.forward"))
    assert gc.get_threshold()[0] == RARE
    times.on_start(compiled("carpal.spatial.kernels.rotations"))
    times.on_end(compiled("carpal.spatial.kernels.rotations"))
    assert gc.get_threshold()[0] == RARE
    times.on_end(compiled("carpal.kinematics.kernels.forward"))
    assert gc.get_threshold() == before


ASK = """
import time, sys
import carpal
from carpal.kinematics.kernels import forward
arm = carpal.load("so101")
while time.time() < float(sys.argv[1]): pass
carpal.fk(arm, arm.q_home)
from carpal._core import compile as jit
import numba
entries = [f for f in vars(forward).values() if hasattr(f, "stats")]
print(sum(sum(f.stats.cache_misses.values()) for f in entries), sum(sum(f.stats.cache_hits.values()) for f in entries))
"""


def test_processes_that_begin_together_compile_an_entry_once(tmp_path):
    """As a campaign's workers do: one compiles, the others wait and read its machine code."""
    environment = {**os.environ, "CARPAL_CACHE_DIR": str(tmp_path)}
    words = [sys.executable, "-c", ASK, str(time.time() + 3.0)]
    workers = [subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    counts = [tuple(map(int, worker.communicate()[0].split())) for worker in workers]
    assert sorted(counts) == [(0, 1), (0, 1), (1, 0)]
