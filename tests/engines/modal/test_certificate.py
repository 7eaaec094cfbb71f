"""Certificates by name: each residual comes from its own column."""

import numpy as np

from carpal.engines.checking import BOUNDS
from carpal.engines.modal.certificate import COLUMNS, certificate_of
from carpal.engines.modal.kernels.ledger import CERTIFICATE, CERTIFIED, LEDGER_COLUMNS


def test_every_column_has_a_name_and_a_bound():
    assert sorted(COLUMNS.values()) == list(range(CERTIFICATE))
    assert set(COLUMNS) == set(BOUNDS)
    ledger = np.zeros(LEDGER_COLUMNS)
    ledger[CERTIFIED : CERTIFIED + CERTIFICATE] = np.arange(CERTIFICATE)
    assert certificate_of(ledger) == {name: float(column) for name, column in COLUMNS.items()}
