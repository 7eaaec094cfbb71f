"""Moves that several test files check: case 3 of Alkire 2020, searched once in a process, and masses on slides."""

import functools
import math

import numpy as np

import carpal
from carpal.model import Body, Joint, Model
from carpal.planning import ReactionMove, least_reaction_move
from carpal.spatial import Inertia

POINT = (0.6, 0.6, 0.6)  # target III of the thesis [m]
DURATION = 1.5
VDOT_MAX = 10.0  # assumed, docs/assumptions.md [rad/s^2]


@functools.lru_cache(maxsize=4)
def case_3(minimise: str = "force", starts: int = 1) -> ReactionMove:
    """Few starts keep the tests quick; the full count is the default of `least_reaction_move`."""
    sawyer = carpal.load("sawyer")
    return least_reaction_move(sawyer, POINT, duration=DURATION, vdot_max=VDOT_MAX, minimise=minimise, starts=starts)


def slides(*masses: float, v_max: float = math.inf) -> Model:
    """A base with slides along x, side by side, each a mass [kg]; the first carries the tool."""
    base = Body("base", None, Joint("mount"), Inertia.point(1.0, (0.0, 0.0, 0.0)))
    made = [
        Body(
            f"slide{i}", "base",
            Joint(f"s{i}", "prismatic", axis=np.array([1.0, 0, 0]), q_min=-2.0, q_max=2.0, v_max=v_max),
            Inertia.point(mass, (0.0, 0.0, 0.0)),
        )
        for i, mass in enumerate(masses)
    ]  # fmt: skip
    return Model(name="slides", bodies=(base, *made), tool="slide0")
