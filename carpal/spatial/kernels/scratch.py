"""Vectors and matrices kept in a scratch array, indexed [slot, item, component]."""

from carpal._core.compile import leaf


@leaf
def get_vector(scratch, slot, item, column):
    """Three numbers."""
    return scratch[slot, item, column], scratch[slot, item, column + 1], scratch[slot, item, column + 2]


@leaf
def put_vector(scratch, slot, item, column, a):
    """Store three numbers."""
    scratch[slot, item, column] = a[0]
    scratch[slot, item, column + 1] = a[1]
    scratch[slot, item, column + 2] = a[2]


@leaf
def add_vector(scratch, slot, item, column, a):
    """Add three numbers to what is stored."""
    scratch[slot, item, column] += a[0]
    scratch[slot, item, column + 1] += a[1]
    scratch[slot, item, column + 2] += a[2]


@leaf
def get_matrix(scratch, slot, item, column):
    """Nine numbers."""
    return (
        scratch[slot, item, column], scratch[slot, item, column + 1], scratch[slot, item, column + 2],
        scratch[slot, item, column + 3], scratch[slot, item, column + 4], scratch[slot, item, column + 5],
        scratch[slot, item, column + 6], scratch[slot, item, column + 7], scratch[slot, item, column + 8],
    )  # fmt: skip


@leaf
def put_matrix(scratch, slot, item, column, R):
    """Store nine numbers."""
    for i in range(9):
        scratch[slot, item, column + i] = R[i]


@leaf
def get_symmetric(scratch, slot, item, column):
    """Six numbers."""
    return (
        scratch[slot, item, column], scratch[slot, item, column + 1], scratch[slot, item, column + 2],
        scratch[slot, item, column + 3], scratch[slot, item, column + 4], scratch[slot, item, column + 5],
    )  # fmt: skip


@leaf
def put_symmetric(scratch, slot, item, column, S):
    """Store six numbers."""
    for i in range(6):
        scratch[slot, item, column + i] = S[i]


@leaf
def add_symmetric(scratch, slot, item, column, S):
    """Add six numbers to what is stored."""
    for i in range(6):
        scratch[slot, item, column + i] += S[i]


@leaf
def add_matrix(scratch, slot, item, column, R):
    """Add nine numbers to what is stored."""
    for i in range(9):
        scratch[slot, item, column + i] += R[i]
