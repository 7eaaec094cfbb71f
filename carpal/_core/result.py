"""What every answer of the package has in common: true where it is right, printed as one true sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np


class Result:
    """Has `ok` (of a batch: one for each) and `status`; `bool()` asks whether all is ok, `print()` shows the status."""

    __slots__ = ()

    if TYPE_CHECKING:  # fields of some results and properties of others

        @property
        def ok(self) -> Any:
            """Whether it is right."""

        @property
        def status(self) -> str:
            """One true sentence."""

    def __bool__(self) -> bool:
        return bool(np.all(self.ok))

    def __str__(self) -> str:
        return self.status


def status_of_batch(ok: np.ndarray, what: str, otherwise: str, explain: Callable[[tuple[int, ...]], str]) -> str:
    """How many of a batch are ok, and why the first that is not is not; of a batch without dimensions, its explanation.

    Args:
        ok: (*batch).
        what: what those that are ok have or did: "targets solved".
        otherwise: what the first other is called: "the first unsolved".
        explain: a sentence about the one at an index.
    """
    ok = np.asarray(ok)
    if ok.ndim == 0:
        return explain(())
    text = f"{int(ok.sum())} of {ok.size} {what}"
    if ok.all():
        return text + "."
    first = tuple(int(i) for i in np.argwhere(~ok)[0])
    return f"{text}; {otherwise}, {first}: {explain(first)}"
