"""How long a search may go on: a time, a number of samples, or both."""

from __future__ import annotations

from dataclasses import dataclass

from carpal._core.work_clock import work_seconds

SECONDS = 5.0
"""The limit where neither time nor samples are given."""


@dataclass(frozen=True)
class SearchBudget:
    """A search's own sequence is seeded; `seconds` only ends it, `samples` ends it at the same place every time.

    Args:
        seconds: without compiling; None: no limit.
        samples: None: no limit.
        begun: when the search began, of `work_seconds`.
    """

    seconds: float | None
    samples: int | None
    begun: float

    @staticmethod
    def of(seconds: float | None, samples: int | None) -> SearchBudget:
        """Beginning now."""
        if seconds is None and samples is None:
            seconds = SECONDS
        return SearchBudget(seconds, samples, work_seconds())

    @property
    def spent(self) -> float:
        """Seconds so far."""
        return work_seconds() - self.begun

    def out_of_time(self) -> bool:
        """Whether the time is over."""
        return self.seconds is not None and self.spent > self.seconds

    def left(self, samples: int) -> int:
        """Samples that are left after some."""
        return 10**9 if self.samples is None else max(self.samples - samples, 0)
