"""Tables of couplings and loops hold what the model says."""

from __future__ import annotations

import numpy as np
from extended_models import extended_model

from carpal.dynamics import constraint_names, constraint_tables
from carpal.model import Coupling


def test_rows_are_named_in_their_order() -> None:
    model = extended_model()
    assert constraint_names(model) == ("coupling 'gear'", "loop 'closing', x", "loop 'closing', y", "loop 'closing', z")


def test_tables_hold_indices_coefficients_and_poses() -> None:
    model = extended_model()
    tables = constraint_tables(model)
    assert tables.couplings.tolist() == [[2, 2, 0, 0]]
    assert tables.polynomials.tolist() == [[0.1, -2.0, 0.5, 0.0, 0.0, 0.2, 0.3]]
    assert tables.loops.tolist() == [[3, 3, 0]]
    assert np.allclose(tables.closings[0, 21:], [0.9, 0, 0])
    fixed = model.replace(couplings=(Coupling("held", "hinge_b", None, (0.4,), 0.1),))
    assert constraint_tables(fixed).couplings.tolist() == [[1, 1, -1, -1]]
