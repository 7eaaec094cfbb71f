"""Runs of `dexterity` that several tests share, and made-up recordings for tests that run no engine."""

from __future__ import annotations

import functools
from types import SimpleNamespace

import numpy as np

from carpal.engines import Contact, simulate
from carpal.labs.dexterity import Example, HandEngine, changed, make_setting, read_example
from carpal.labs.dexterity.outcome import Outcome
from carpal.labs.dexterity.scene import Setting


def run(example: Example, engine: str = "modal") -> Outcome:
    """An example, run and ready to be measured."""
    setting = make_setting(example)
    if engine == "penalty":
        from carpal.labs.dexterity.penalty_hand import PenaltyHand

        return Outcome(setting, simulate(PenaltyHand(setting), setting.start(), duration=example.duration))
    return Outcome(setting, simulate(HandEngine(setting, engine), setting.start(), duration=example.duration))


@functools.lru_cache(maxsize=32)
def run_number(number: int, engine: str = "modal") -> Outcome:
    """One of the ten."""
    return run(read_example(number), engine)


def setting_of(number: int, **changes) -> Setting:
    """An example's setting, with entries changed ("surface__friction" for "surface.friction")."""
    example = read_example(number)
    return make_setting(changed(example, {k.replace("__", "."): v for k, v in changes.items()}) if changes else example)


def made_up(setting: Setting, q, v=None, contacts=None, dt: float = 1e-3) -> Outcome:
    """An outcome of rows that nobody simulated: q (rows, 22), v (rows, 21), contacts by row."""
    q = np.asarray(q, float)
    rows = len(q)
    model = setting.scene.build()
    recording = SimpleNamespace(
        time=dt * np.arange(rows), q=q, v=np.zeros((rows, model.nv)) if v is None else np.asarray(v, float),
        contacts=[()] * rows if contacts is None else contacts, model=model, certificates={}, metadata={},
        energy={"residual": np.zeros(rows)},
    )  # fmt: skip
    return Outcome(setting, recording)


def touch(finger: str, mode: str = "sticking", force=(1.0, 0, 0), point=(0, 0, 0), normal=(1.0, 0, 0)) -> Contact:
    """A contact of a fingertip with the object; the force is on the object."""
    return Contact(f"hand/{finger}_link_3", "object", mode, tuple(point), tuple(normal), 0.0, tuple(force))
