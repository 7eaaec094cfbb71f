"""Cases on a GPU, thousands of worlds a launch, for tasks whose run loop is compiled."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from carpal._core.cuda_launch import require_cuda
from carpal.errors import InputError
from carpal.tasks.campaigns.case_rows import case_rows
from carpal.tasks.campaigns.study import Study
from carpal.tasks.registry import task_class

MOST_WORLDS = 33_792
"""A launch's worlds: 256 for each multiprocessor of an H200; more gained nothing there."""


def run_on_cuda(study: Study, numbers: Iterator[int]) -> Iterator[dict[str, Any] | None]:
    """Rows, a launch's at a time; memory for the worlds is planned from what is free."""
    kind = task_class(study.task)
    if "cuda" not in kind.devices:
        raise InputError(f"the task '{study.task}' has no compiled run loop for a GPU; use device cpu.")
    cuda = require_cuda()
    while True:
        free, _ = cuda.current_context().get_memory_info()
        worlds = max(1, min(MOST_WORLDS, free // 2 // kind.world_bytes))
        batch = [
            (number, case.options, case.seed)
            for number in itertools.islice(numbers, worlds)
            for case in [study.case(number)]
        ]
        if not batch:
            return
        yield from case_rows(study.task, batch, "cuda")
