"""A relay, its stored plan, and the pick-up executed with it, made once; nothing here plans."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import numpy as np

from carpal.labs.retrieve import CyclePlan, RetrieveCycle, RetrieveWorld

RELAY_AT = (0.36, 0.35, -1.24)
FILE = Path(__file__).parent / "data" / "retrieve_plan.json"


@functools.lru_cache(maxsize=1)
def stored() -> CyclePlan:
    """The plan of RELAY_AT by SBL."""
    return CyclePlan.from_dict(json.loads(FILE.read_text()))


def new_cycle(draw: int = 0, **truth) -> RetrieveCycle:
    """A pick-up with the stored plan; a second try would go straight, without a planner."""
    return RetrieveCycle(RetrieveWorld(RELAY_AT, seed=0, draw=draw, **truth), planner="none", plan=stored())


@functools.lru_cache(maxsize=2)
def done_cycle(draw: int = 0) -> RetrieveCycle:
    """A pick-up that was run to its end."""
    cycle = new_cycle(draw)
    cycle.run()
    return cycle


def moved_by(X: np.ndarray, x: float, y: float, z: float = 0.0) -> np.ndarray:
    """A pose moved in the world."""
    out = X.copy()
    out[:3, 3] += [x, y, z]
    return out
