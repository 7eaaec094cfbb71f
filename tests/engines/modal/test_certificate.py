"""Certificates by name: each residual comes from its own column."""

import numpy as np

from carpal.engines.checking import BOUNDS
from carpal.engines.modal.certificate import COLUMNS, certificate_of
from carpal.engines.modal.kernels.books import BOOK_COLUMNS, CERTIFIED
from carpal.engines.modal.kernels.certificate import CERTIFICATE


def test_every_column_has_a_name_and_a_bound():
    assert sorted(COLUMNS.values()) == list(range(CERTIFICATE))
    assert set(COLUMNS) == set(BOUNDS)
    books = np.zeros(BOOK_COLUMNS)
    books[CERTIFIED : CERTIFIED + CERTIFICATE] = np.arange(CERTIFICATE)
    assert certificate_of(books) == {name: float(column) for name, column in COLUMNS.items()}
