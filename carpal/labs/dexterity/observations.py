"""Observations of an example: each a measure of the run, or its ratio to that of a changed run, against its bounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from carpal.labs.dexterity.example_file import Example, Observe, changed
from carpal.labs.dexterity.measures import measured
from carpal.labs.dexterity.outcome import Outcome

Rerun = Callable[[Example], Outcome]


class Observation(NamedTuple):
    """One observation with its number; `ok` where the number keeps its bounds."""

    wanted: Observe
    value: float

    @property
    def ok(self) -> bool:
        """Whether what was to be observed was observed."""
        return self.wanted.holds(self.value)

    def to_dict(self) -> dict[str, Any]:
        """As in the command line's JSON; infinite or missing numbers are null."""
        ends = (self.wanted.at_least, self.wanted.at_most)
        low, high = (end if math.isfinite(end) else None for end in ends)
        return {
            "name": self.wanted.name, "ok": self.ok, "value": self.value if math.isfinite(self.value) else None,
            "at_least": low, "at_most": high, "what": self.wanted.what, "published": self.wanted.published,
        }  # fmt: skip


def observed(outcome: Outcome, rerun: Rerun) -> list[Observation]:
    """All observations of a run.

    Args:
        outcome: the run.
        rerun: runs a changed example, for observations that compare with one.
    """
    example, others = outcome.setting.example, {}
    found = []
    for wanted in example.observations:
        value = measured(outcome, wanted)
        if wanted.beside:
            key = repr(sorted(wanted.beside.items()))
            if key not in others:
                others[key] = rerun(changed(example, wanted.beside))
            other = measured(others[key], wanted)
            value = value / other if other else math.nan
        found.append(Observation(wanted, value))
    return found
