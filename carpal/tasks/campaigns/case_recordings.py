"""Recordings of some cases of a campaign: the same seed gives the same bits, so a case is run once more and recorded.

A campaign of a million cases keeps rows, not motions. By default some failures are recorded: one of each cause, then a second
of each, up to `MOST`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from carpal._core.progress import Bar
from carpal.errors import CarpalError, InputError, RecordingError, unknown_name
from carpal.tasks.campaigns.store import CaseStore
from carpal.tasks.campaigns.study import Study
from carpal.tasks.registry import make_task
from carpal.tasks.task import whole_number

CHOICES = ("failures", "none")
MOST = 10
"""Recordings that "failures" makes at most."""
FOLDER = "recordings"


def cause_of(status: str) -> str:
    """A sentence with its numbers taken out."""
    return re.sub(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "…", status)


def checked_choice(choice: str | Sequence[int], cases: int, kept: bool) -> str | tuple[int, ...]:
    """The choice of cases to record, checked."""
    if isinstance(choice, str):
        if choice not in CHOICES:
            raise unknown_name("choice of recordings (or a list of case numbers)", choice, CHOICES)
    else:
        numbers = tuple(whole_number("a case to record", number) for number in choice)
        for number in numbers:
            if number >= cases:
                raise InputError(f"there is no case {number} to record: this study has {cases}, from 0 on.")
        if numbers and not kept:
            raise InputError("recordings need a folder: give out.")
        return numbers
    return choice


def case_folder(folder: Path, number: int) -> Path:
    """Where a case's recording is kept."""
    return folder / FOLDER / f"case-{number:08d}"


def recorded(folder: Path) -> dict[int, Path]:
    """The recordings that a campaign's folder holds, by case."""
    found = sorted((folder / FOLDER).glob("case-*/recording.parquet"))
    return {int(path.parent.name.removeprefix("case-")): path for path in found}


def record_cases(
    folder: Path, study: Study, store: CaseStore, choice: str | tuple[int, ...], progress: bool = False
) -> bool:
    """Record what was chosen and is not recorded yet; returns whether Ctrl-C ended it.

    A case that crashed or hung is left out: its cause is in its row, and it would take this program with it.
    """
    chosen = choice if isinstance(choice, tuple) else _failures(store) if choice == "failures" else ()
    there = recorded(folder)
    left = [number for number in chosen if number not in there]
    bar = Bar(len(left), "recordings", shown=progress)
    try:
        with bar:
            for number in left:
                case = study.case(number)
                task = make_task(study.task, **case.options)
                try:
                    task.run(case.seed, out=case_folder(folder, number))
                except RecordingError:  # the disk: the next would fail too
                    raise
                except CarpalError:  # refused before anything moved: its row says why, there is nothing to see
                    pass
                bar.to(bar.done + 1)
    except KeyboardInterrupt:
        return True
    return False


def _failures(store: CaseStore) -> tuple[int, ...]:
    """Cases that failed: one of each cause, then a second of each, up to MOST."""
    kept: dict[str, list[int]] = {}
    for number, status in store.failures():
        of_cause = kept.setdefault(cause_of(status), [])
        if len(of_cause) < MOST:
            of_cause.append(number)
    turns = [numbers[i] for i in range(MOST) for numbers in kept.values() if i < len(numbers)]
    return tuple(turns[:MOST])
