"""A worker process: `python -m carpal.tasks.worker` reads JSON lines and answers each with one.

First line in: `{"task": name, "options": {...}, "path": [...]}`. Then `{"seeds": [...]}`, answered by `{"rows": [...]}` or
`{"error": text}`. It ends when its input ends, so it never outlives the program that started it by more than one answer.
A program of its own, instead of `multiprocessing`, because that would import the user's `__main__` anew.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import traceback
from typing import IO, Any

from carpal.tasks.registry import make_task
from carpal.tasks.task import Score, Task


def row(seed: int, score: Score) -> dict[str, Any]:
    """A score as plain data."""
    numbers = {name: value if isinstance(value, list) else float(value) for name, value in score.numbers.items()}
    return {"seed": seed, "ok": bool(score.ok), "status": score.status, "numbers": numbers}


def answer(task: Task, line: str) -> dict[str, Any]:
    """The answer to one line."""
    try:
        seeds = json.loads(line)["seeds"]
        return {"rows": [row(seed, score) for seed, score in zip(seeds, task.score_seeds(seeds), strict=True)]}
    except Exception:  # a task may raise anything: the parent shows it
        return {"error": traceback.format_exc()}


def serve(lines: IO[str], out: IO[str]) -> None:
    """Answer until the input ends."""
    begin = json.loads(lines.readline())
    sys.path[:] = begin["path"]
    task = make_task(begin["task"], **begin["options"])
    for line in lines:
        out.write(json.dumps(answer(task, line)) + "\n")
        out.flush()


def main() -> None:
    """Serve on the standard streams; what a task prints goes to stderr instead."""
    with contextlib.suppress(BrokenPipeError), os.fdopen(os.dup(1), "w") as out:  # nobody listens any more: end quietly
        os.dup2(2, 1)
        serve(sys.stdin, out)


if __name__ == "__main__":
    main()
