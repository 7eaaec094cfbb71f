"""One slider for each joint that can be chosen freely; joints that follow from couplings and loops have none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from carpal.model import Model
from carpal.spatial import Array

WIDE = {"revolute": np.pi, "prismatic": 1.0}
"""Half range [rad, m] of a slider where a joint has no limit."""


class JointSliders:
    """Sliders [deg, mm] on a page.

    Args:
        gui: viser's `server.gui`, inside the container that holds them.
        model: whose joints they are.
        act: called with viser's event when a page moves one.
    """

    def __init__(self, gui: Any, model: Model, act: Callable[[Any], None]) -> None:
        self._model = model
        self.handles: dict[str, Any] = {}
        self._columns: dict[str, tuple[int, float]] = {}
        free = set(model.independent_joints)
        for name, (kind, i) in zip(model.joint_names, model.joint_slices(), strict=True):
            if kind not in WIDE or name not in free:
                continue
            unit, word = (180.0 / np.pi, "deg") if kind == "revolute" else (1000.0, "mm")
            low, high = (
                float(unit * (limit if np.isfinite(limit) else sign * WIDE[kind]))
                for limit, sign in ((model.q_min[i], -1.0), (model.q_max[i], 1.0))
            )
            if high > low:
                step = 0.1 if high - low > 5.0 else 0.01
                low, high = round(low, 1 if step == 0.1 else 2), round(high, 1 if step == 0.1 else 2)
                at = float(np.clip(unit * np.asarray(model.q_home)[i], low, high))
                self.handles[name] = gui.add_slider(f"{name} [{word}]", low, high, step, at)
                self._columns[name] = (i, unit)
                self.handles[name].on_update(act)

    def put_into(self, q: Array) -> Array:
        """A copy of q (nq) with the sliders' values in it."""
        out = np.array(q, float)
        for name, handle in self.handles.items():
            i, unit = self._columns[name]
            if (
                abs(float(handle.value) - unit * out[i]) > 0.51 * handle.step
            ):  # a slider rounds; what it rounds to is no move
                out[i] = np.clip(float(handle.value) / unit, self._model.q_min[i], self._model.q_max[i])
        return out

    def follow(self, q: Array) -> None:
        """Show a configuration (nq)."""
        for name, handle in self.handles.items():
            i, unit = self._columns[name]
            value = round(float(np.clip(unit * q[i], handle.min, handle.max)), 2)
            if handle.value != value:
                handle.value = value
