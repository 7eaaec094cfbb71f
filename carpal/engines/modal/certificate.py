"""The certificate of a step or run by names: the largest residual of each kind; bounds are in `engines/checking.py`."""

from __future__ import annotations

import numpy as np

from carpal.engines.modal.kernels.ledger import (
    C_CONE,
    C_CONSTRAINT_GAP,
    C_DIRECTION,
    C_DRIFT,
    C_ENERGY,
    C_GAP_FORCE,
    C_LIMIT,
    C_OVERLAP,
    C_RESTITUTION,
    CERTIFICATE,
    CERTIFIED,
)
from carpal.spatial import Array

COLUMNS = {
    "gap_force": C_GAP_FORCE,
    "cone": C_CONE,
    "direction": C_DIRECTION,
    "overlap": C_OVERLAP,
    "drift": C_DRIFT,
    "energy": C_ENERGY,
    "constraint_gap": C_CONSTRAINT_GAP,
    "restitution": C_RESTITUTION,
    "limit": C_LIMIT,
}


def certificate_of(ledger: Array) -> dict[str, float]:
    """The certificate of one world's ledger."""
    return {name: float(ledger[..., CERTIFIED + column]) for name, column in COLUMNS.items()}


def joined_ledgers(first: Array, second: Array) -> Array:
    """The ledger of two runs one after the other: sums, and the worst certificate."""
    joined = first + second
    proofs = slice(CERTIFIED, CERTIFIED + CERTIFICATE)
    joined[..., proofs] = np.maximum(first[..., proofs], second[..., proofs])
    return joined
