"""Contacts that know nothing of each other: an island is what hangs together by the trees that contacts share.

The contacts of an island stand in successive rows, so that W and the Newton matrix are blocks on the diagonal, and only these
are filled and factored: the cost of many bodies on a floor grows with their number, not with its third power.
"""

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.contact_table import (
    CONTACT_COLUMNS,
    ISLAND_END,
    ISLAND_FIRST,
    TREE_A,
    TREE_B,
    share_tree,
)


@kernel
def group_contacts(con, labels, slot, count):
    """Bring the contacts of each island together and write to each row where its island begins and ends.

    labels: (trees) is overwritten.
    """
    for tree in range(labels.shape[1]):
        labels[slot, tree] = tree
    for c in range(count):
        a, b = int(con[slot, c, TREE_A]), int(con[slot, c, TREE_B])
        if a >= 0 and b >= 0 and labels[slot, a] != labels[slot, b]:
            low, high = min(labels[slot, a], labels[slot, b]), max(labels[slot, a], labels[slot, b])
            for tree in range(labels.shape[1]):
                if labels[slot, tree] == high:
                    labels[slot, tree] = low
    first = 0
    while first < count:
        label, last = _label(con, labels, slot, first), first + 1
        for c in range(first + 1, count):
            if _label(con, labels, slot, c) == label:
                if c != last:
                    _swap(con, slot, c, last)
                last += 1
        for c in range(first, last):
            con[slot, c, ISLAND_FIRST], con[slot, c, ISLAND_END] = first, last
        first = last


@leaf
def _label(con, labels, slot, c):
    a, b = int(con[slot, c, TREE_A]), int(con[slot, c, TREE_B])
    return labels[slot, a] if a >= 0 else labels[slot, b]


@leaf
def _swap(con, slot, i, j):
    for k in range(CONTACT_COLUMNS):
        con[slot, i, k], con[slot, j, k] = con[slot, j, k], con[slot, i, k]


@leaf
def coupling(W, con, slot, row, column):
    """W of two rows, four to a contact; W holds nothing for contacts that share no tree, where it is zero."""
    c, d = row // 4, column // 4
    if con[slot, c, ISLAND_FIRST] == con[slot, d, ISLAND_FIRST] and share_tree(con, slot, c, d):
        return W[slot, row, column]
    return 0.0
