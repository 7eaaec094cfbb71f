"""Small tasks for the tests of seeds, workers and the command line: no engine, only a random number per seed."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.tasks import Score, Task, option


class Dice(Task):
    """Roll a die."""

    name = "dice"
    about = "Roll a die."
    example = "carpal dice --sides 6"

    @dataclass(frozen=True)
    class Options:
        sides: int = option(6, "Sides of the die.", above=1)
        pause: float = option(0.0, "Sleep for every seed.", unit="s", at_least=0.0)
        trouble: str = option("none", "What goes wrong at seed 5.", choices=("none", "defect", "killed", "prints"))
        weights: tuple[float, ...] = option((1.0, 2.0), "Not used.")
        loaded: bool = option(False, "Whether it always shows the highest.")
        point: tuple[float, float, float] = option((0.0, 0.0, 0.0), "Not used.", unit="m")

    def scene(self):
        if self.options.sides == 13:
            raise InputError("sides must not be 13: nobody makes such a die.")

    engine = reset = policy = score = None
    duration = 0.0

    def score_stepwise(self, seed):
        time.sleep(self.options.pause)
        if seed == 5 and self.options.trouble == "defect":
            raise ZeroDivisionError("a defect of the task")
        if seed == 5 and self.options.trouble == "killed":
            os.kill(os.getpid(), 9)
        if self.options.trouble == "prints":
            print("a task that prints")
        rolls = np.random.default_rng(seed).integers(1, self.options.sides + 1, 3)
        ok = bool(rolls.sum() < 2.9 * self.options.sides)
        numbers = {"first": rolls[0], "mean": rolls.mean(), "never": np.nan, "rolls": rolls.tolist()}
        return Score(ok, f"rolled {rolls.sum()}.", numbers)


class NotATask:
    """Something else."""
