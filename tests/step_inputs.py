"""Scratch and tables for the tests of the step kernels."""

from __future__ import annotations

import numpy as np
from kernel_inputs import JOINTS, MODEL
from kernel_inputs import v as _v

from carpal.engines.rigid.kernels.hybrid import HYBRID_COLUMNS
from carpal.engines.rigid.kernels.passive import DOF_COLUMNS, FASTEST, PRESCRIBED
from carpal.engines.rigid.kernels.rates import Stage
from carpal.engines.rigid.kernels.tendons import TENDON_COLUMNS

SMOOTH, DT = 0.1, 1e-3
DOFS = np.full((MODEL.nv, DOF_COLUMNS), 0.2)
DOFS[:, FASTEST], DOFS[:, PRESCRIBED] = 1e3, 0.0
U = 0.1 * _v
TENDONS = np.zeros((0, MODEL.nq + MODEL.nv + TENDON_COLUMNS))


def stage(fill: float = np.nan) -> Stage:
    """Two slots full of NaN: a kernel that reads what it did not write shows."""
    widths = [MODEL.nq] * 2 + [MODEL.nv] * 5
    return Stage(*(np.full((2, width), fill) for width in widths), np.full((2, len(JOINTS), HYBRID_COLUMNS), fill))
