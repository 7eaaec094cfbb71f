"""One world of a modal engine in its slot, and kernels as plain Python, for tests of single stages without compiling them."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from carpal.engines import ModalEngine
from carpal.engines.modal.entry_call import work_of
from carpal.engines.modal.kernels.arrays import Inputs, Outputs
from carpal.engines.modal.kernels.collisions import resolve_collisions
from carpal.engines.modal.kernels.contact_table import KEPT_COLUMNS
from carpal.engines.modal.kernels.ledger import LEDGER_COLUMNS, TOUCH_COLUMNS
from carpal.engines.modal.kernels.world_io import NEW_STATE, load_world
from carpal.kinematics.kernels.placement import place_world
from carpal.model import State

_plain: dict[int, Any] = {}
_names: dict[int, dict[str, Any]] = {}


def plain(kernel: Any) -> Callable[..., Any]:
    """A kernel as a Python function that calls Python functions all the way down."""
    source = kernel.py_func
    if id(source) not in _plain:
        names = source.__globals__
        if id(names) not in _names:
            copy = _names[id(names)] = dict(names)  # registered before it is filled: modules import each other
            for name, value in names.items():
                if isinstance(value, Dispatcher):
                    copy[name] = plain(value)
        _plain[id(source)] = types.FunctionType(source.__code__, _names[id(names)], source.__name__)
    return _plain[id(source)]


class Slot:
    """A state of an engine loaded into slot 0, with the tables that kernels take."""

    def __init__(self, engine: ModalEngine, state: State, u: np.ndarray | None = None) -> None:
        model, n = engine.model, engine.most_contacts
        memory = np.full((1, KEPT_COLUMNS * n), NEW_STATE)
        u = np.zeros(model.nv) if u is None else u
        self.plant = engine.plant
        self.inputs = Inputs(*(np.array(x, float)[None] for x in (state.q, state.v, u, engine._target(0.0))), memory)
        outputs = (model.nq,), (model.nv,), memory.shape[1:], (LEDGER_COLUMNS,), (3 * n + 1, TOUCH_COLUMNS)
        self.outputs = Outputs(*(np.zeros((1, *shape)) for shape in outputs))
        self.work = work_of(*(np.zeros((1, *shape)) for shape in engine.scratch))
        plain(place_world)(self.work.tables.search.placed, 0)
        self.count: int = plain(load_world)(self.plant, self.work, self.inputs, self.outputs, 0, 0)

    def collide(self, dt: float) -> int:
        """The stage of collisions and free velocities over `dt`; returns its status."""
        ledger, touch = self.outputs.ledger, self.outputs.touch
        return plain(resolve_collisions)(
            self.plant, self.work, self.inputs.u, ledger, touch, dt, False, 100.0, 0, 0, self.count
        )  # fmt: skip

    @property
    def con(self) -> np.ndarray:
        """Contacts in the slot (count, columns)."""
        return self.work.tables.con[0, : self.count]

    @property
    def ledger(self) -> np.ndarray:
        """The world's row of the ledger."""
        return self.outputs.ledger[0]

    def vector(self, name: str) -> np.ndarray:
        """A scratch vector of the slot."""
        return getattr(self.work.vectors, name)[0]
