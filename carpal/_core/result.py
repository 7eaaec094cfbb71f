"""`Result`, the base of every result: truthy when `ok`, printed as its status, with a short repr."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

MAX_STATUS = 160
"""Characters of the status in a repr."""


class Result:
    """Has `ok` (one per item of a batch) and `status`; `bool()` is whether all items are ok, `print()` shows the status."""

    __slots__ = ()

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "__repr__" not in cls.__dict__:  # set here, or `dataclass` would write one that prints every array
            cls.__repr__ = Result.__repr__  # type: ignore[method-assign]

    if TYPE_CHECKING:  # fields of some results and properties of others

        @property
        def ok(self) -> Any:
            """Whether it succeeded."""

        @property
        def status(self) -> str:
            """One sentence."""

    def __bool__(self) -> bool:
        return bool(np.all(self.ok))

    def __str__(self) -> str:
        return self.status

    def _repr_html_(self) -> str:
        from carpal._core.result_html import result_html

        return result_html(self)

    def plot(self, file: str | os.PathLike[str] | None = None) -> Any:
        """A matplotlib figure of it, also written to `file` where one is given; one sentence where there is nothing to draw."""
        from carpal._core.drawers import drawer

        return drawer("plot")(self, file)

    def __repr__(self) -> str:
        ok = np.asarray(self.ok)
        count = str(bool(ok)) if ok.ndim == 0 else f"{int(ok.sum())} of {ok.size}"
        status = " ".join(self.status.split())
        if len(status) > MAX_STATUS:
            status = status[: MAX_STATUS - 3] + "..."
        return f"{type(self).__name__}(ok={count}, status={status!r})"


def status_of_batch(ok: np.ndarray, what: str, otherwise: str, explain: Callable[[tuple[int, ...]], str]) -> str:
    """How many items of a batch are ok and why the first other failed; of a single item, its explanation.

    Args:
        ok: (*batch).
        what: what the ok ones are: "targets solved".
        otherwise: name of the first other: "the first unsolved".
        explain: a sentence about the item at an index.
    """
    ok = np.asarray(ok)
    if ok.ndim == 0:
        return explain(())
    text = f"{int(ok.sum())} of {ok.size} {what}"
    if ok.all():
        return text + "."
    first = tuple(int(i) for i in np.argwhere(~ok)[0])
    return f"{text}; {otherwise}, {first}: {explain(first)}"
