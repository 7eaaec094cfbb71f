"""The pairs of shapes that a query checks: what the rules of `carpal.model.contact_rules` leave, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from carpal.model import Model, PlacedShape, contact_matrix, need_model


def pairs_that_may_touch(
    model: Model, shapes: Sequence[PlacedShape], rows: Sequence[int], exclude: Iterable[object] = ()
) -> np.ndarray:
    """Pairs (n, 2) of indices of `shapes` that are left after all filters.

    Args:
        model: whose joints, masks, exclusions and contact pairs count.
        shapes: the shapes in question, moving ones first.
        rows: the row of the moving body that carries each shape; 0 where it stands still.
        exclude: further pairs of names that do not count.
    """
    need_model(model, "pairs_that_may_touch")
    if not shapes:
        return np.zeros((0, 2), np.int64)
    may = contact_matrix(model, shapes, rows, exclusions=model.exclusions, further=exclude)
    return np.argwhere(np.triu(may, 1)).astype(np.int64)
