"""A study: one task over factors, seeds and engines; read from a TOML file whose errors name their line.

task = "catch"
seeds = 2                          # how many for each case, or which: [3, 5]
engines = ["penalty", "mujoco"]    # optional
metrics = ["max_position_error_mm"]  # optional; all of them by default
draws = 100                        # of the random factors

[options]
gains = "tuned"

[factors]
x = {grid = [0.0, 0.4, 5]}
speed = {uniform = [5.1, 5.3]}
"""

from __future__ import annotations

import functools
import json
import math
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carpal.errors import CarpalError, InputError, unknown_name
from carpal.model import toml_data
from carpal.spatial import Array
from carpal.tasks.campaigns.factors import Factor, drawn_values
from carpal.tasks.options import options_as_dict
from carpal.tasks.registry import task_class, tasks
from carpal.tasks.task import Task, whole_number

KEYS = ("task", "options", "factors", "seeds", "engines", "metrics", "draws", "draw_seed", "timeout")
MAX_BYTES = 10_000_000
MOST_CASES = 100_000_000


@dataclass(frozen=True)
class Case:
    """One run: its number in the study, its point (the same for all engines and seeds), options and seed."""

    number: int
    point: int
    options: dict[str, Any]
    engine: str
    seed: int


@dataclass(frozen=True)
class Study:
    """One task over factors, seeds and engines. Cases are numbered: engines fastest, then seeds, then draws, then levels.

    Args:
        task: a name from `tasks()`, or "module:Class" of your own.
        options: fixed options of the task.
        factors: what varies.
        seeds: of each point.
        engines: values of the task's option `engine`; empty: its own.
        metrics: numbers of the score that the answers are about; empty: all.
        draws: how many values random factors take.
        draw_seed: of the draws.
        timeout: [s] after which a case counts as hung.
    """

    task: str
    options: dict[str, Any]
    factors: tuple[Factor, ...] = ()
    seeds: tuple[int, ...] = (0,)
    engines: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    draws: int = 1
    draw_seed: int = 0
    timeout: float = 600.0

    @classmethod
    def from_toml(cls, file: str | os.PathLike[str]) -> Study:
        """Read a study file; a mistake is one sentence with its line."""
        path = Path(file)
        if path.suffix != ".toml":
            raise InputError(f"a study file ends in .toml; got '{path}'.")
        data, _ = toml_data(path, MAX_BYTES)
        text = path.read_text("utf-8")
        return cls.from_data(data, _Lines(str(path), text))

    @classmethod
    def from_data(cls, data: dict[str, Any], lines: _Lines | None = None) -> Study:
        """From plain data, as in a study file."""
        lines = lines or _Lines("the study", "")
        for key in data:
            if key not in KEYS:
                raise lines.wrong(unknown_name("key of a study", key, KEYS), key)
        if not isinstance(data.get("task"), str):
            raise lines.wrong(InputError('a study needs task = "NAME".'), "task")
        name = data["task"]
        kind = lines.checked("task", task_class, name)
        options, given = (lines.checked(key, _table, key, data.get(key, {})) for key in ("options", "factors"))
        factors = tuple(lines.checked(f"factors.{key}", Factor.from_data, key, value) for key, value in given.items())
        seeds = lines.checked("seeds", _seeds, data.get("seeds", 1))
        engines, metrics = (lines.checked(key, _texts, key, data.get(key, [])) for key in ("engines", "metrics"))
        draws = lines.checked("draws", whole_number, "draws", data.get("draws", 1), 1)
        draw_seed = lines.checked("draw_seed", whole_number, "draw_seed", data.get("draw_seed", 0))
        timeout = lines.checked("timeout", _seconds, data.get("timeout", 600.0))
        study = cls(name, options, factors, seeds, engines, metrics, draws, draw_seed, timeout)
        study._check(kind, lines)
        if draws > 1 and not study.drawn:
            raise lines.wrong(
                InputError("draws is for random factors (uniform, normal, hypercube); there is none."), "draws"
            )
        return study

    def _check(self, kind: type[Task], lines: _Lines) -> None:
        """Check options, factors and engines with the task."""
        for key, value in self.options.items():
            lines.checked(f"options.{key}", kind, **{key: value})
        for factor in self.factors:
            if factor.name in self.options:
                raise lines.wrong(
                    InputError(f"'{factor.name}' is both an option and a factor."), f"factors.{factor.name}"
                )
            for value in factor.extremes:
                lines.checked(f"factors.{factor.name}", kind, **{factor.name: value})
        for engine in self.engines:
            if "engine" in self.options or any(f.name == "engine" for f in self.factors):
                raise lines.wrong(InputError("the engine is given twice: in engines, and as an option."), "engines")
            lines.checked("engines", kind, engine=engine)
        if len(self) > MOST_CASES:
            raise lines.wrong(
                InputError(f"{len(self)} cases are more than the {MOST_CASES} a study may have."), "factors"
            )

    @functools.cached_property
    def drawn(self) -> tuple[Factor, ...]:
        """The random factors."""
        return tuple(f for f in self.factors if f.drawn)

    @functools.cached_property
    def levelled(self) -> tuple[Factor, ...]:
        """The others."""
        return tuple(f for f in self.factors if not f.drawn)

    @functools.cached_property
    def _draws(self) -> Array:
        return drawn_values(self.drawn, self.draws, self.draw_seed)

    @functools.cached_property
    def _levels(self) -> list[list[Any]]:
        return [factor.levels for factor in self.levelled]

    @property
    def points(self) -> int:
        """How many combinations of factors."""
        return self.draws * math.prod(len(levels) for levels in self._levels)

    def __len__(self) -> int:
        return self.points * len(self.seeds) * max(1, len(self.engines))

    def values(self, point: int) -> dict[str, Any]:
        """The factors' values at a point."""
        level, draw = divmod(point, self.draws)
        out: dict[str, Any] = {}
        for factor, levels in zip(reversed(self.levelled), reversed(self._levels), strict=True):
            level, i = divmod(level, len(levels))
            out[factor.name] = levels[i]
        out |= {factor.name: float(x) for factor, x in zip(self.drawn, self._draws[draw], strict=True)}
        return {factor.name: out[factor.name] for factor in self.factors}

    def case(self, number: int) -> Case:
        """A case by its number."""
        rest, e = divmod(number, max(1, len(self.engines)))
        point, s = divmod(rest, len(self.seeds))
        engine = {"engine": self.engines[e]} if self.engines else {}
        return Case(
            number, point, {**self.options, **self.values(point), **engine}, engine.get("engine", ""), self.seeds[s]
        )

    def to_data(self) -> dict[str, Any]:
        """Plain data that reads back as the same study."""
        counted = self.seeds == tuple(range(len(self.seeds)))  # a million of them are not listed one by one
        return {
            "task": self.task, "options": self.options, "factors": {f.name: f.to_data() for f in self.factors},
            "seeds": len(self.seeds) if counted else list(self.seeds), "engines": list(self.engines),
            "metrics": list(self.metrics), "draws": self.draws, "draw_seed": self.draw_seed, "timeout": self.timeout,
        }  # fmt: skip

    def to_toml(self) -> str:
        """The text of a study file that reads back as the same study; what is as usual is left out."""
        usual = Study(self.task, {}).to_data()
        given = {key: value for key, value in self.to_data().items() if key in ("task", "seeds") or value != usual[key]}
        tables = {key: given.pop(key) for key in ("options", "factors") if key in given}
        lines = [f"{key} = {_toml(value)}" for key, value in given.items()]
        for key, table in tables.items():
            lines += ["", f"[{key}]", *(f"{name} = {_toml(value)}" for name, value in table.items())]
        return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """A value as TOML writes it; texts, numbers, booleans and lists are as in JSON."""
    if value == math.inf:
        return "inf"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


def study_of(task: Study | Task | str | os.PathLike[str], asked: Mapping[str, Any]) -> Study:
    """The study given by a task and the keys of a study file, by a study, or by the path of a study file.

    Args:
        task: what is run.
        asked: keys of a study file, None where nothing is said; for a task alone.
    """
    said = {key: value for key, value in asked.items() if value is not None}
    if isinstance(task, Task):
        name = next((known for known in tasks() if task_class(known) is type(task)), None)
        place = f"{type(task).__module__}:{type(task).__qualname__}"
        return study_of(name or place, said | {"options": options_given(task) | dict(said.get("options", {}))})
    if isinstance(task, str) and not task.endswith(".toml"):
        return Study.from_data({"task": task} | {key: _as_in_a_file(value) for key, value in said.items()})
    if said:
        raise InputError(
            f"{' and '.join(said)} of a study are in the study itself; give them with a task's name instead."
        )
    return task if isinstance(task, Study) else Study.from_toml(task)


def options_given(task: Task) -> dict[str, Any]:
    """The options of a task that are not the defaults, as plain data."""
    defaults, own = options_as_dict(task.Options()), options_as_dict(task.options)
    return {key: value for key, value in own.items() if value != defaults[key]}


def longer_study(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any] | None:
    """Of two studies as plain data that differ in the number of seeds only, the one with more; None if they differ otherwise.

    Only a study without factors can grow: its new seeds are new cases after the old ones.
    """
    if a.get("factors") or {**a, "seeds": 0} != {**b, "seeds": 0}:
        return None
    first, second = (_seeds(study.get("seeds", 1)) for study in (a, b))
    shared = min(len(first), len(second))
    if first[:shared] != second[:shared]:
        return None
    return a if len(first) > shared else b


def _as_in_a_file(value: Any) -> Any:
    """Mappings as tables, sequences as lists."""
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else value


class _Lines:
    """Where things are in a study file."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.lines = name, text.splitlines()

    def of(self, key: str) -> int | None:
        """Line number of a key such as `draws` or `factors.x`."""
        table, _, last = key.rpartition(".")
        inside = ""
        for number, line in enumerate(self.lines, start=1):
            header = re.match(r"\s*\[\s*([^\]]+?)\s*\]", line)
            if header:
                inside = header[1].strip("\"'")
                if inside == key:
                    return number
            found = re.match(r"\s*(\"[^\"]*\"|'[^']*'|[\w.-]+)\s*=", line)
            if found and ".".join(filter(None, [inside, found[1].strip("\"'")])) in (key, f"{table}.{last}".strip(".")):
                return number
        return self.of(table) if table else None

    def wrong(self, problem: CarpalError, key: str) -> CarpalError:
        """The error with its place."""
        number = self.of(key)
        return type(problem)(f"{self.name}, line {number}: {problem}" if number else f"{self.name}: {problem}")

    def checked(self, key: str, function: Any, *given: Any, **named: Any) -> Any:
        """A function's answer; its errors name the line of `key`."""
        try:
            return function(*given, **named)
        except CarpalError as problem:
            raise self.wrong(problem, key) from None


def _table(key: str, data: Any) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise InputError(f"{key} must be a table of names and values; got {data!r:.60}.")
    plain: dict[str, Any] = json.loads(json.dumps(data, default=str))
    return plain


def _texts(key: str, data: Any) -> tuple[str, ...]:
    if not isinstance(data, list) or not all(isinstance(x, str) for x in data) or len(set(data)) != len(data):
        raise InputError(f"{key} must be a list of different texts; got {data!r:.60}.")
    return tuple(data)


def _seeds(data: Any) -> tuple[int, ...]:
    if isinstance(data, list):
        seeds = tuple(whole_number("a seed", seed) for seed in data)
        if not seeds or len(set(seeds)) != len(seeds):
            raise InputError(f"seeds must be how many, or a list of different ones; got {data!r:.60}.")
        return seeds
    return tuple(range(whole_number("seeds", data, 1)))


def _seconds(data: Any) -> float:
    if isinstance(data, bool) or not isinstance(data, int | float) or not data > 0:
        raise InputError(f"timeout must be a time above 0 s; got {data!r:.60}.")
    return float(data)
