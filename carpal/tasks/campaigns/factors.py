"""Factors of a study: what is varied, over which values, and how random ones are drawn.

A *level* factor (grid, list) takes each of its values with each of the others'; a *drawn* one (uniform, normal, hypercube) has
one value in each draw. Latin hypercube: every factor's range is cut into as many equal parts as there are draws, each part is
used once, and the parts are shuffled independently (McKay, Beckman and Conover 1979).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.spatial import Array

LEVELS, DRAWN = ("grid", "list"), ("uniform", "normal", "hypercube")
MEANING = {
    "grid": "[low, high, count]", "list": "[value, ...]", "uniform": "[low, high]", "normal": "[mean, deviation]",
    "hypercube": "[low, high]",
}  # fmt: skip
MOST_LEVELS = 100_000


@dataclass(frozen=True)
class Factor:
    """One thing that is varied.

    Args:
        name: an option of the task.
        kind: grid, list, uniform, normal or hypercube.
        numbers: what `MEANING` says of the kind; a list may also hold texts or truths.
    """

    name: str
    kind: str
    numbers: tuple[Any, ...]

    @classmethod
    def from_data(cls, name: str, data: Any) -> Factor:
        """From a study file: `{grid = [0.0, 0.4, 5]}`, or a plain list."""
        if isinstance(data, list):
            data = {"list": data}
        if not isinstance(data, Mapping) or len(data) != 1:
            ways = ", ".join(f"{{{kind} = {text}}}" for kind, text in MEANING.items())
            raise InputError(f"factor '{name}' must be a list or one of {ways}; got {data!r:.60}.")
        kind, numbers = next(iter(data.items()))
        if kind not in MEANING:
            raise unknown_name(f"kind of factor '{name}'", kind, MEANING)
        if not isinstance(numbers, list):
            raise InputError(f"factor '{name}' needs {kind} = {MEANING[kind]}; got {numbers!r:.60}.")
        factor = cls(name, kind, tuple(numbers))
        factor._check()
        return factor

    def _check(self) -> None:
        wanted = {"grid": 3, "uniform": 2, "normal": 2, "hypercube": 2}.get(self.kind)
        need = f"factor '{self.name}' needs {self.kind} = {MEANING[self.kind]}"
        if self.kind == "list":
            if not self.numbers:
                raise InputError(f"{need} with at least one value; got none.")
            if len(set(map(repr, self.numbers))) != len(self.numbers):
                raise InputError(f"factor '{self.name}' lists a value twice: {list(self.numbers)}.")
            return
        if len(self.numbers) != wanted or not all(_is_finite(x) for x in self.numbers):
            raise InputError(f"{need}, finite numbers; got {list(self.numbers)}.")
        if self.kind == "normal":
            if self.numbers[1] < 0:
                raise InputError(f"{need}, the deviation 0 or above; got {self.numbers[1]}.")
        elif not self.numbers[0] < self.numbers[1]:
            raise InputError(f"{need}, low below high; got {list(self.numbers)}.")
        if self.kind == "grid":
            count = self.numbers[2]
            if not isinstance(count, int) or not 2 <= count <= MOST_LEVELS:
                raise InputError(f"{need}, the count a whole number from 2 to {MOST_LEVELS}; got {count!r}.")

    @property
    def drawn(self) -> bool:
        """Whether it is random."""
        return self.kind in DRAWN

    @property
    def levels(self) -> list[Any]:
        """The values of a grid or list."""
        if self.kind == "list":
            return list(self.numbers)
        low, high, count = self.numbers
        return [float(x) for x in np.linspace(low, high, count)]

    @property
    def extremes(self) -> list[Any]:
        """Values by which a task can be asked if it takes what the factor gives."""
        if self.kind == "list":
            return list(self.numbers)
        if self.kind == "normal":
            return [self.numbers[0]]
        return [float(self.numbers[0]), float(self.numbers[1])]

    def to_data(self) -> dict[str, list[Any]]:
        """As in a study file."""
        return {self.kind: list(self.numbers)}


def drawn_values(factors: tuple[Factor, ...], draws: int, seed: int) -> Array:
    """Values (draws, drawn factors) of the random ones; a factor's own do not depend on which others there are."""
    columns = []
    for factor in factors:
        rng = np.random.default_rng([seed, *factor.name.encode()])
        a, b = factor.numbers[:2]
        if factor.kind == "uniform":
            columns.append(rng.uniform(a, b, draws))
        elif factor.kind == "normal":
            columns.append(rng.normal(a, b, draws))
        else:
            columns.append(a + (b - a) * (rng.permutation(draws) + rng.random(draws)) / draws)
    return np.column_stack(columns) if columns else np.zeros((draws, 0))


def _is_finite(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, int | float) and math.isfinite(value)
