"""ModalState: a State with a memory of its contacts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from carpal.model import State
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class ModalState(State):
    """A State with the forces and modes of its contacts, from which the next step starts.

    Args:
        memory: (*batch, n) see `engines/modal/kernels/contact_table.py`; None for a new state.
    """

    memory: Array | None = None

    def replace(self, **changes: Any) -> ModalState:
        """A copy with some fields changed; a change of `q` or `v` drops the memory unless `memory` is given."""
        moved = "q" in changes or "v" in changes
        memory = changes.pop("memory", None if moved else self.memory)
        plain = State(self.time, self.q, self.v).replace(**changes)
        return ModalState(plain.time, plain.q, plain.v, memory)
