"""The certificate of a step or run by names: the largest residual of each kind; bounds are in `engines/checking.py`."""

from __future__ import annotations

from carpal.engines.modal.kernels.certificate import (
    C_CONE,
    C_CONSTRAINT_GAP,
    C_DIRECTION,
    C_DRIFT,
    C_ENERGY,
    C_GAP_FORCE,
    C_OVERLAP,
)
from carpal.engines.modal.kernels.ledger import CERTIFIED
from carpal.spatial import Array

COLUMNS = {
    "gap_force": C_GAP_FORCE,
    "cone": C_CONE,
    "direction": C_DIRECTION,
    "overlap": C_OVERLAP,
    "drift": C_DRIFT,
    "energy": C_ENERGY,
    "constraint_gap": C_CONSTRAINT_GAP,
}


def certificate_of(ledger: Array) -> dict[str, float]:
    """The certificate of one world's ledger."""
    return {name: float(ledger[..., CERTIFIED + column]) for name, column in COLUMNS.items()}
