"""Names of the catalogue's robots, and how to build one."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

from carpal.errors import unknown_name
from carpal.model.model import Model

_ROBOTS = {
    "sawyer": "Rethink Sawyer, 7 joints, the maker's figures, head locked (Alkire 2020)",
    "sawyer_dh": "Sawyer by Alkire's Denavit-Hartenberg table, corrected",
    "sia5": "Yaskawa SIA5, 7 joints, public geometry with its elbow offsets",
    "srs7": "Prabhu's ideal 7-joint arm: spherical shoulder, elbow, spherical wrist",
    "k10": "Leutenegger's 5-joint rover arm; mountings upside_down, sideways",
    "catcher_arm": "Yesmunt's 6-joint humanoid arm, hand as a rigid lump",
    "cuhk_hand": "Chan's hand, five fingers of three joints",
    "parloma_hand": "Prabhu's hand, five fingers on tendons and a 3-DOF wrist; sizes assumed",
    "so101": "SO-101 as sold today: 5 joints and a gripper, forward is +x (TheRobotStudio)",
    "so101_old": "SO-101 of an earlier description: 5 joints, the jaw fixed",
}


def robots() -> tuple[str, ...]:
    """Names that `load` knows."""
    return tuple(_ROBOTS)


def describe(name: str) -> str:
    """One line about a robot."""
    if name not in _ROBOTS:
        raise unknown_name("robot", name, _ROBOTS)
    return _ROBOTS[name]


def build(name: str, **options: Any) -> Model:
    """The robot of that name; every option is one of its file's `build` arguments."""
    if name not in _ROBOTS:
        raise unknown_name("robot", name, _ROBOTS)
    module = importlib.import_module(f"carpal.model.catalogue.{name}")
    known = tuple(inspect.signature(module.build).parameters)
    for option in options:
        if option not in known:
            raise unknown_name(f"option of robot '{name}'", option, known)
    model: Model = module.build(**options)
    return model
