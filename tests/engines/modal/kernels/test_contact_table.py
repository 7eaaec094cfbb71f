"""Components of a contact: one while it is open or frictionless, three with friction, four with a soft tip."""

import numpy as np

from carpal.engines.modal.kernels.contact_table import (
    CLOSED,
    CONTACT_COLUMNS,
    MU,
    TORSION,
    copy_contact,
    rows_of,
    takes,
)


def test_components_of_each_kind():
    con = np.zeros((1, 2, CONTACT_COLUMNS))
    con[0, 0, MU] = 0.5
    assert rows_of(con, 0, 0) == 1  # no friction until the gap is closed
    con[0, 0, CLOSED] = 1.0
    assert rows_of(con, 0, 0) == 3
    con[0, 0, TORSION] = 0.01
    assert rows_of(con, 0, 0) == 4
    con[0, 0, MU] = con[0, 0, TORSION] = 0.0
    assert rows_of(con, 0, 0) == 1
    assert [takes(1, k) for k in range(4)] == [False, False, True, False]
    assert [takes(3, k) for k in range(4)] == [True, True, True, False]
    assert all(takes(4, k) for k in range(4))
    con[0, 0] = np.arange(CONTACT_COLUMNS)
    copy_contact(con, con, 0, 0, 1)
    assert np.array_equal(con[0, 0], con[0, 1])
