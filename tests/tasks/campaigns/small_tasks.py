"""Tasks that take no time, for tests of campaigns: workers find them on the path that the parent hands on."""

import os
import signal
import time
from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.tasks import Score, Task, option
from carpal.tasks.reach.task import Reach


class Coin(Task):
    """A number from the options and the seed; nothing is simulated."""

    name = "coin"

    @dataclass(frozen=True)
    class Options:
        """What varies."""

        x: float = option(0.0, "A number.")
        y: float = option(0.0, "Another, not below zero.", at_least=0.0)
        word: str = option("a", "A text.", choices=("a", "b"))
        engine: str = option("one", "Which way to work it out.", choices=("one", "two"))
        slow: float = option(0.0, "Takes this long.", unit="s")
        bad: str = option("", "What goes wrong at seed 3: raise, kill or hang.")

    def check(self):
        pass

    def score_stepwise(self, seed):
        o = self.options
        if o.slow:
            end = time.perf_counter() + o.slow
            while time.perf_counter() < end:
                pass
        if seed == 3 and o.bad:
            if o.bad == "raise":
                raise RuntimeError("a defect")
            if o.bad == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(1000)
        value = float(np.random.default_rng([seed, 1]).normal() + o.x)
        limit = 0.5 if o.engine == "two" else 0.0
        ok = value > limit
        why = "heads." if ok else f"tails by {limit - value:.3f}."
        return Score(ok, why, {"value": value, "twice": 2 * value, "pair": [value, o.y]})

    def run(self, seed=0, out=None, progress=False):
        raise InputError("nothing is simulated.")

    scene = engine = reset = policy = score = None
    duration = 0.0


class Refused(Reach):
    """A short motion that really runs, and a score that fails odd seeds, for one of three reasons."""

    name = "refused"

    score_compiled = Task.score_compiled

    def score(self, recording):
        return self.score_stepwise(int(recording.metadata["seed"]))

    def score_stepwise(self, seed):
        return Score(seed % 2 == 0, f"seed {seed} was refused: {'abc'[(seed // 2) % 3] if seed < 60 else 'a'}")
