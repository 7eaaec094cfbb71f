"""What every task can do, shown on the smallest one: a pendulum let go."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import carpal
from carpal.engines import ENERGY_SHARES, Recording, RigidEngine
from carpal.errors import InputError, PolicyError
from carpal.model import Body, Joint, Model, Scene, State
from carpal.spatial import Inertia
from carpal.tasks import Score, Task, TaskResult, make_task, option
from carpal.tasks.task import plain_numbers

ROD = Model(
    "rod", (Body("link", None, Joint("hinge", "revolute", axis=[0, 1, 0]), Inertia(1.0, [0, 0, -0.5], np.eye(3) / 12)),)
)


class Swing(Task):
    """Let a rod go and see how fast it gets."""

    name = "swing"
    about = "A rod swings."
    example = "carpal swing --angle 1"

    @dataclass(frozen=True)
    class Options:
        angle: float = option(1.0, "Where it starts.", unit="rad")
        spread: float = option(0.0, "How far off at most.", unit="rad", at_least=0.0)
        push: str = option("none", "What the policy does.", choices=("none", "nan", "interrupt"))
        quick: bool = option(False, "Half the time.")
        where: tuple[float, float] = option((0.0, 1.0), "Not used.")

    def scene(self):
        scene = Scene("swing")
        scene.add_robot(ROD, name="rod")
        return scene

    def engine(self):
        return RigidEngine(self.scene().build(), dt=1e-3)

    def reset(self, rng):
        angle = self.options.angle + self.options.spread * rng.uniform(-1, 1)
        return State(0.0, np.array([angle]), np.zeros(1))

    def policy(self):
        def trouble(time, state):
            if time > 0.1 and self.options.push == "interrupt":
                raise KeyboardInterrupt
            return [np.nan if time > 0.1 else 0.0]

        return None if self.options.push == "none" else trouble

    @property
    def duration(self):
        return 0.25 if self.options.quick else 0.5

    def score(self, recording):
        speed = float(np.abs(recording.v).max())
        return Score(np.bool_(speed > 1.0), f"the rod reached {speed:.3g} rad/s.", {"speed": speed, "never_s": np.nan})


def test_a_run_has_a_score_and_a_recording():
    result = Swing(angle=1.5).run()
    assert result and result.ok and str(result) == result.status == result.score.status
    assert len(result.recording) == 501
    assert result.recording.metadata["options"] == {
        "task": "swing", "angle": 1.5, "spread": 0.0, "push": "none", "quick": False, "where": [0.0, 1.0],
    }  # fmt: skip
    # energy: 0.5 I w^2 = m g l (cos q - cos q0), I = 1/12 + 1/4
    q = result.recording.q[:, 0]
    assert np.allclose(result.recording.v[:, 0] ** 2, 2 * 9.81 * 0.5 * (np.cos(q) - np.cos(1.5)) * 3, atol=1e-8)


def test_same_seed_same_bits_other_seed_other_start(tmp_path):
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        Swing(spread=0.1).run(seed, out=tmp_path / name)
    for file in ("recording.parquet", "result.json"):
        a, b, c = ((tmp_path / name / file).read_bytes() for name in "abc")
        assert a == b != c


def test_out_holds_recording_and_result_and_is_replaced(tmp_path):
    Swing().run(out=tmp_path)
    result = Swing(angle=1.4).run(seed=2, out=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["recording.parquet", "result.json"]
    assert np.array_equal(Recording.load(tmp_path / "recording.parquet").q, result.recording.q)
    answer = json.loads((tmp_path / "result.json").read_text())
    assert answer["numbers"]["never_s"] is None and answer["seed"] == 2 and answer["command"] == result.command


def test_a_failing_policy_leaves_its_parts(tmp_path):
    with pytest.raises(PolicyError, match="nan"):
        Swing(push="nan").run(out=tmp_path)
    kept = Recording.load(tmp_path / "parts")
    assert not kept.ok and kept.time[-1] == pytest.approx(0.101)
    assert Swing(angle=1.5).run(out=tmp_path).ok
    assert not (tmp_path / "parts").exists()


def test_a_files_of_others_in_parts_stay(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "mine.txt").write_text("mine")
    Swing().run(out=tmp_path)
    assert [path.name for path in (tmp_path / "parts").iterdir()] == ["mine.txt"]


def test_ctrl_c_is_a_result_that_is_not_ok(tmp_path):
    result = Swing(push="interrupt").run(out=tmp_path)
    assert result.interrupted and not result and result.status.startswith("interrupted at 0.101 s")
    assert Recording.load(tmp_path / "recording.parquet").interrupted


def test_seeds_are_scored_step_by_step_and_an_error_is_a_failed_score():
    scores = Swing(spread=0.5).score_seeds([0, 1])
    assert scores[0].numbers != scores[1].numbers
    assert scores[1].numbers["speed"] == Swing(spread=0.5).run(1).score.numbers["speed"]
    (bad,) = Swing(push="nan").score_seeds([0])
    assert not bad and "controls must be finite" in str(bad)


def test_the_command_that_does_the_same():
    assert Swing().command() == "carpal swing"
    assert Swing(angle=0.1, quick=True, where=(1e-3, -2)).command(7) == (
        "carpal swing --angle 0.1 --quick --where 0.001 -2.0 --seed 7"
    )


@pytest.mark.parametrize("seed", [-1, 1.5, "x", True, None])
def test_a_seed_that_is_none(seed):
    with pytest.raises(InputError, match="seed must be a whole number"):
        Swing().run(seed)


def test_numbers_as_strict_json():
    plain = plain_numbers({"a": np.float64(1.5), "b": np.nan, "c": [1, np.inf], "d": np.arange(2), "e": np.True_})
    assert json.loads(json.dumps(plain, allow_nan=False)) == {
        "a": 1.5,
        "b": None,
        "c": [1, None],
        "d": [0, 1],
        "e": True,
    }


def test_a_result_is_told_as_plain_data():
    result = TaskResult(
        Score(True, "done.", {"x_m": 1.0}, [("speed", 1.0, 1.1, "m/s")]), SimpleNamespace(), 0.1, "swing"
    )
    assert result.to_dict()["published"] == [["speed", 1.0, 1.1, "m/s"]]


def test_the_task_on_the_page_works():
    page = (Path(__file__).parents[2] / "docs" / "tasks.md").read_text()
    (code,) = [block for block in re.findall(r"```python\n(.*?)```", page, re.S) if "class Drop(Task)" in block]
    assert len([line for line in code.splitlines() if line.strip()]) <= 22
    names = {**globals(), "carpal": carpal, "__name__": __name__}
    exec("from __future__ import annotations\n" + code, names)
    result = names["Drop"](duration=0.1).run(seed=1)
    assert result.ok and result.status.startswith("the tool fell ")


def test_a_task_must_be_whole():
    class Half(Task):
        """No methods."""

    with pytest.raises(TypeError, match="abstract"):
        Half()


def test_a_task_may_keep_what_only_its_engine_knows():
    class Kept(Swing):
        def begin(self, seed):
            self.seen = [seed]
            return super().begin(seed)

        def end(self, recording, engine):
            self.seen.append(engine.dt)
            recording.metadata["seen"] = self.seen

    assert Kept().run(3).recording.metadata["seen"] == [3, 1e-3]


def test_run_and_campaigns_check_the_options_as_the_command_line_does():
    for options, sentence in (
        ({"joint_friction": 3.0}, "joint_friction needs drive 'torque'"),
        ({"worn_joint": 9, "drive": "torque"}, "worn_joint must be 1 to 7, or 0 for none; got 9"),
    ):
        task = make_task("mount", **options)
        with pytest.raises(InputError, match=sentence):
            task.run()
        assert not task.score_seeds([0])[0].ok and sentence in task.score_seeds([0])[0].status


def test_options_are_checked_once():
    calls = []

    class Counted(Swing):
        def check(self):
            calls.append(1)

    task = Counted()
    task.run()
    task.run(seed=1)
    assert len(calls) == 1


def test_a_run_that_breaks_a_bound_is_not_done(monkeypatch):
    monkeypatch.setitem(ENERGY_SHARES, ("rigid", "rk4"), -1.0)
    result = Swing().run()
    assert not result.recording.ok
    assert not result and "but the run is not to be trusted" in result.status and "energy residual [J]" in result.status
    assert result.score.numbers
    assert not make_task("reach", duration=0.05).score_seeds([0])[0].ok


def test_compiling_is_counted_apart(monkeypatch):
    """What a report calls computing is the wall time without JIT compilation."""
    from carpal._core import work_clock
    from carpal.tasks import make_task

    spent = [10.0]
    monkeypatch.setattr("carpal.tasks.task.compile_seconds", lambda: spent.__setitem__(0, spent[0] + 1.5) or spent[0])
    result = make_task("reach", duration=0.02, dt=0.01, target=(0.9, 0.2, 0.4)).run()
    assert result.compiling == 1.5 and "compiling" not in result.to_dict()
    assert work_clock.compile_seconds() >= 0.0
