"""The energy ledger adds up."""

import numpy as np
import pytest

from carpal.engines import LEDGER, Ledger, energy_residual
from carpal.errors import UnknownNameError


def test_a_closed_account_has_no_residual():
    ledger = Ledger()
    ledger.row({"kinetic": 1.0, "potential": 2.0})
    row = ledger.row({"kinetic": 4.0, "potential": 1.0, "work_in": 3.0, "dissipated": 1.0})
    assert row == (4.0, 1.0, 3.0, 1.0, 0.0)


def test_what_nobody_can_account_for_is_the_residual():
    ledger = Ledger()
    ledger.row({"kinetic": 1.0})
    assert ledger.row({"kinetic": 1.5, "work_in": 0.25})[-1] == 0.25
    assert ledger.row({"kinetic": 1.0, "dissipated": 0.25})[-1] == 0.25


def test_an_engines_own_residual_is_kept():
    assert Ledger().row({"residual": 0.125})[-1] == 0.125


def test_rows_and_arrays_agree():
    rng = np.random.default_rng(0)
    kinetic, potential, work_in, dissipated = rng.normal(size=(4, 50))
    ledger = Ledger()
    rows = [
        ledger.row(dict(zip(LEDGER, numbers, strict=False)))
        for numbers in zip(kinetic, potential, work_in, dissipated, strict=True)
    ]
    assert np.allclose([row[-1] for row in rows], energy_residual(kinetic, potential, work_in, dissipated), atol=1e-14)


def test_an_unknown_entry_is_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'kinetic'"):
        Ledger().row({"kinetik": 1.0})
