"""3-D view of a pick-up: arm, gripper and relay in colour, colliding pairs in red."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.contact import collides
from carpal.model import Model
from carpal.report import SceneView
from carpal.spatial import Array

RED = (229, 62, 62)
VIEW = ((2.1, -2.05, 1.35), (0.15, -0.25, 0.28))
"""Where the first camera is and looks [m]."""
STANDING = (("relay", "ground"), ("relay/relay_knob", "arm/upper_blade"))
HOLDING = (("relay", "ground"), *(("relay", f"arm/{part}") for part in ("upper_blade", "lower_blade", "plunger")))
"""Pairs that may touch: the relay stands on the ground, and the gripper touches what it holds."""
MOST_PAIRS = 12


def colliding_pairs(model: Model, q: Array, *, held: bool = False) -> list[tuple[str, str]]:
    """Every two shapes that touch at a configuration (nq); held: the relay is in the gripper."""
    found: list[tuple[str, str]] = []
    while len(found) < MOST_PAIRS:
        answer = collides(model, q, exclude=[*(HOLDING if held else STANDING), *found])
        if not answer:
            break
        found.append(answer.tables.pair_names(int(answer.pair)))
    return found


class RetrieveView:
    """The scene of a pick-up.

    Args:
        server: a viser server.
        model: `true_model`: five joints, the gripper's slide, the relay as a free body.
    """

    def __init__(self, server: Any, model: Model) -> None:
        self.model = model
        self._server = server
        self._view = SceneView(server, model, np.asarray(model.q_home)[None], view=VIEW)
        self._plain = {name: tuple(node.color) for name, node in self._view.shapes.items()}
        self.red: set[str] = set()

    def show(self, q: Array) -> None:
        """Move everything to a configuration (nq) of the model."""
        self._view.show(q)

    def mark(self, pairs: list[tuple[str, str]]) -> None:
        """Colour the shapes of some pairs red, all others as they are."""
        wanted = {name for pair in pairs for name in pair} - {"ground"}  # which would turn the whole picture red
        with self._server.atomic():
            for name in wanted ^ self.red:
                if name in self._view.shapes:
                    self._view.shapes[name].color = RED if name in wanted else self._plain[name]
        self.red = wanted
