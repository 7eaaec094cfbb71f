"""Task: scene, engine, start, policy, duration and score; command line, studio, campaigns and report are generated from it."""

from __future__ import annotations

import abc
import contextlib
import json
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from carpal._core.folder_lock import folder_lock
from carpal._core.result import Result
from carpal._core.work_clock import compile_seconds
from carpal.errors import CarpalError, DeviceError, InputError, RecordingError
from carpal.tasks.options import options_as_dict, read_options

if TYPE_CHECKING:
    from carpal.engines import Engine, Recording, Staged
    from carpal.model import Scene, State
    from carpal.spatial import Array
    from carpal.tasks.appendix import Appendix, Curves
    from carpal.tasks.learning.lesson import Lesson
    from carpal.tasks.marks import Mark, MovingMark


@dataclass(frozen=True)
class Score(Result):
    """The score of a run.

    Args:
        ok: whether the task was done.
        status: one sentence.
        numbers: name (with its unit at the end, as in `error_m`) to a number or a list of numbers.
        published: rows (what, published value, ours, unit).
    """

    ok: bool
    status: str
    numbers: dict[str, Any] = field(default_factory=dict)
    published: list[tuple[str, float, float, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ok", bool(self.ok))  # a NumPy bool is no bool


@dataclass(frozen=True, eq=False)
class TaskResult(Result):
    """One run of a task: its score, what happened, how long it took and how much of that went into compiling [s]."""

    score: Score
    recording: Recording
    seconds: float
    task: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    command: str = ""
    compiling: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether the task was done."""
        return self.score.ok

    @property
    def status(self) -> str:
        """One sentence."""
        return self.score.status

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the run."""
        return self.recording.interrupted

    def to_dict(self) -> dict[str, Any]:
        """Everything but the recording, as strict JSON holds it."""
        return {
            "ok": self.ok, "status": self.status, "task": self.task, "seed": self.seed, "options": self.options,
            "numbers": plain_numbers(self.score.numbers), "published": [list(row) for row in self.score.published],
            "seconds": self.seconds, "command": self.command,
        }  # fmt: skip


class Task(abc.ABC):
    """A question with a score. Subclass it, declare `Options`, fill in five methods (docs/tasks.md).

    Example:
        >>> result = carpal.tasks.make_task("reach", target=(0.5, 0.2, 0.4)).run(seed=1)
        >>> print(result)
    """

    name: ClassVar[str] = "task"
    about: ClassVar[str] = ""
    example: ClassVar[str] = ""
    devices: ClassVar[tuple[str, ...]] = ("cpu",)
    """Where a campaign may run it: a task with a compiled run loop also names "cuda" and overrides `score_compiled`."""

    world_bytes: ClassVar[int] = 1
    """GPU memory of one case [bytes]."""

    view: ClassVar[tuple[tuple[float, float, float], tuple[float, float, float]] | None] = None
    """Eye and target of the first camera [m]; None: the whole motion is in view."""

    number_groups: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """How a report groups the score's numbers: title of a group to its names, each with the words to show ("" for its own)."""

    option_groups: ClassVar[dict[str, tuple[str, ...]]] = {}
    """Title to options that a page folds away under it; the others stand on top."""

    @dataclass(frozen=True)
    class Options:
        """The task's options; see `carpal.tasks.option`."""

    def __init__(self, **options: Any) -> None:
        self.options: Any = read_options(self.Options, options, self.name)

    @abc.abstractmethod
    def scene(self) -> Scene:
        """The scene."""

    @abc.abstractmethod
    def engine(self) -> Engine:
        """The engine that moves it."""

    @abc.abstractmethod
    def reset(self, rng: np.random.Generator) -> State:
        """The initial state; everything random is drawn from `rng`."""

    @abc.abstractmethod
    def policy(self) -> Callable[[float, State], Array | Staged] | None:
        """What drives it: `policy(time, state) -> u`, created for every run."""

    @property
    @abc.abstractmethod
    def duration(self) -> float:
        """Duration of a run [s]."""

    @abc.abstractmethod
    def score(self, recording: Recording) -> Score:
        """The score of a recorded run."""

    def check(self) -> None:
        """Raise `InputError` if the options do not fit together; called before any work starts."""
        self.scene()

    def check_once(self) -> None:
        """`check`, the first time."""
        if not getattr(self, "_options_checked", False):
            self.check()
            self._options_checked = True

    def run(self, seed: int = 0, out: str | os.PathLike[str] | None = None, progress: bool = False) -> TaskResult:
        """Check the options, run once and score it; a run that breaks a bound of its engine is not ok.

        Args:
            seed: same seed, same bits.
            out: a folder; `recording.parquet` and `result.json` of an earlier run in it are replaced. While it runs, the
                parts of the recording are in its sub-folder `parts`; after a crash they are still there.
            progress: show a bar on stderr for runs of over two seconds.
        """
        self.check_once()
        if out is None:
            return self._run(seed, None, progress)
        with folder_lock(out, again=True):
            return self._run(seed, Path(out), progress)

    def _run(self, seed: int, out: Path | None, progress: bool) -> TaskResult:
        from carpal.engines import remove_recording

        started, compiled = time.perf_counter(), compile_seconds()
        parts = None if out is None else out / "parts"
        if parts is not None:
            remove_recording(parts)
        recording = self.record(whole_number("seed", seed), parts, progress)
        seconds, compiling = time.perf_counter() - started, compile_seconds() - compiled
        score = (
            Score(False, recording.status) if recording.interrupted else kept_bounds(self.score(recording), recording)
        )
        result = TaskResult(
            score, recording, seconds, self.name, options_as_dict(self.options), seed, self.command(seed), compiling
        )
        if out is not None:
            _keep(out, result)
        return result

    def record(self, seed: int, parts: Path | None, progress: bool) -> Recording:
        """One run, recorded; a task whose runs are very long may do it in another way than step by step."""
        from carpal.engines import simulate

        engine, state, policy = self.begin(seed)
        settings = {"task": self.name, **options_as_dict(self.options)}
        recording = simulate(
            engine, state, policy, self.duration, seed=seed, out=parts, options=settings, progress=progress
        )
        self.end(recording, engine)
        return recording

    def begin(self, seed: int) -> tuple[Engine, State, Callable[[float, State], Array | Staged] | None]:
        """Engine, state and policy of a run; a task that draws more from its seed than the state does it here."""
        return self.engine(), self.reset(np.random.default_rng(seed)), self.policy()

    def end(self, recording: Recording, engine: Engine) -> None:  # noqa: B027 - most tasks have nothing to keep
        """Called when a run has ended, before its score: what only the engine knows may go into the recording's metadata."""

    def score_seeds(self, seeds: Sequence[int], device: str = "cpu") -> list[Score]:
        """Scores of some seeds, in their order: by the compiled run loop where it serves the options, else step by step."""
        return self.score_worlds([(self, seed) for seed in seeds], device)

    @classmethod
    def score_worlds(cls, worlds: Sequence[tuple[Any, int]], device: str = "cpu") -> list[Score]:
        """Scores of worlds, (task, seed) each; the seeds of one task run together.

        A task whose compiled run loop takes different options in one launch overrides this.
        """
        groups: dict[int, list[int]] = {}
        for i, (task, _) in enumerate(worlds):
            groups.setdefault(id(task), []).append(i)
        scores: dict[int, Score] = {}
        for group in groups.values():
            task, seeds = worlds[group[0]][0], [worlds[i][1] for i in group]
            scores |= zip(group, task._score_together(seeds, device), strict=True)
        return [scores[i] for i in range(len(worlds))]

    def _score_together(self, seeds: Sequence[int], device: str) -> list[Score]:
        compiled = type(self).score_compiled is not Task.score_compiled and not self.only_step_by_step
        if not compiled and device == "cpu":
            return [self.score_stepwise(seed) for seed in seeds]
        try:
            self.check_once()
            return self.score_compiled(seeds, device)
        except DeviceError:
            raise
        except CarpalError as problem:
            return [Score(False, str(problem))] * len(seeds)

    def score_stepwise(self, seed: int) -> Score:
        """Score of one seed, run step by step; a `CarpalError` becomes the status of a failed score."""
        try:
            return self.run(seed).score
        except CarpalError as problem:
            return Score(False, str(problem))

    def score_compiled(self, seeds: Sequence[int], device: str) -> list[Score]:
        """Scores of some seeds by the compiled run loop on a device; a task that has such a loop overrides this."""
        raise InputError(f"the task '{self.name}' has no compiled run loop; got device '{device}'.")

    @property
    def only_step_by_step(self) -> str:
        """What in the options the compiled run loop does not support, such as "engine mujoco"; empty if all is supported."""
        return ""

    def appendix(self, recording: Recording) -> Sequence[Appendix]:
        """More for the report of a run, such as published figures beside ours; created only when it is written."""
        return ()

    def first_curves(self, recording: Recording) -> Sequence[Curves]:
        """The three plots beside a report's replay, those that a reader of this task wants first."""
        return ()

    def curves(self, recording: Recording) -> Sequence[Curves]:
        """Curves of a run that the studio offers before the usual ones."""
        return ()

    def resolved(self) -> dict[str, Any]:
        """Values that options stand for which are left to the task, such as an example's own mass; a page shows them."""
        return {}

    def marks(self, recording: Recording | None = None) -> Sequence[Mark]:
        """Targets, and paths of a recorded run, that the studio and replays draw in the scene."""
        return ()

    def moving_marks(self, recording: Recording) -> Sequence[MovingMark]:
        """Forces and words that the studio and replays draw where a recorded run has them."""
        return ()

    def campaign_appendix(self, rows: Sequence[dict[str, Any]]) -> Sequence[Appendix]:
        """More sections for the report of many seeds; `rows` as of `CampaignResult.records`."""
        return ()

    def summary(self, score: Score) -> dict[str, Any]:
        """More keys for the top level of the command line's JSON."""
        return {}

    def lesson(self) -> Lesson | None:
        """The task as an environment of reinforcement learning; None: it has none."""
        return None

    @property
    def seeds_wanted(self) -> int | None:
        """Number of seeds that these options need, such as the points of a grid; None for a single run."""
        return None

    def campaign_summary(self, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """The same for many seeds; `rows` as of `CampaignResult.records`."""
        return {}

    def command(self, seed: int | None = None) -> str:
        """The equivalent command line."""
        words = ["carpal", self.name]
        for f in fields(self.options):
            value = getattr(self.options, f.name)
            if value == f.default:
                continue
            flag = "--" + f.name.replace("_", "-")
            if isinstance(value, bool):
                words.append(flag if value else f"--no-{f.name.replace('_', '-')}")
            else:
                words += [flag, *(map(repr, value) if isinstance(value, tuple) else [str(value)])]
        return " ".join(words + ([] if not seed else ["--seed", str(seed)]))


def kept_bounds(score: Score, recording: Recording) -> Score:
    """The score, not ok where the run breaks a bound of its engine (`Recording.check`)."""
    if not score.ok or recording.ok or recording.interrupted:
        return score
    status = f"{score.status.rstrip('.')}; but the run is not to be trusted: {recording.status}"
    return Score(False, status, score.numbers, score.published)


def whole_number(name: str, value: Any, least: int = 0) -> int:
    """An integer, checked."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InputError(f"{name} must be a whole number, {least} or above; got {value!r}.")
    return int(value)


def plain_numbers(numbers: dict[str, Any]) -> dict[str, Any]:
    """Numbers as strict JSON holds them: what is not finite becomes null."""

    def plain(value: Any) -> Any:
        if isinstance(value, list | tuple | np.ndarray):
            return [plain(inner) for inner in value]
        if isinstance(value, bool | int | np.integer | np.bool_):
            return int(value) if not isinstance(value, bool | np.bool_) else bool(value)
        return float(value) if math.isfinite(value) else None

    return {name: plain(value) for name, value in numbers.items()}


def _keep(out: Path, result: TaskResult) -> None:
    from carpal.engines import remove_recording, write_whole

    result.recording.save(out / "recording.parquet")
    summary = {
        name: value for name, value in result.to_dict().items() if name != "seconds"
    }  # the same run, the same bytes
    try:
        write_whole(out / "result.json", (json.dumps(summary, indent=1, allow_nan=False) + "\n").encode())
    except OSError as problem:
        raise RecordingError(f"'{out / 'result.json'}' was not written: {problem.strerror or problem}.") from None
    remove_recording(out / "parts")
    with contextlib.suppress(OSError):  # it holds other files: it stays
        (out / "parts").rmdir()
