"""A worker process of a campaign: `python -m carpal.tasks.campaigns.case_worker` reads JSON lines and answers each with one.

First line in: `{"task": name, "path": [...]}`. Then `{"cases": [[number, options, seed], ...]}`, answered by `{"rows": [...]}`,
or `{"error": text}` where the task itself cannot be found. It ends when its input ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import IO, Any

from carpal.errors import CarpalError
from carpal.tasks.campaigns.case_scores import score_cases


def answer(task: str, line: str) -> dict[str, Any]:
    """The answer to one line."""
    try:
        return {"rows": score_cases(task, json.loads(line)["cases"])}
    except CarpalError as problem:
        return {"error": str(problem)}


def serve(lines: IO[str], out: IO[str]) -> None:
    """Answer until the input ends."""
    begin = json.loads(lines.readline())
    sys.path[:] = begin["path"]
    for line in lines:
        out.write(json.dumps(answer(begin["task"], line)) + "\n")
        out.flush()


def main() -> None:
    """Serve on the standard streams; what a task prints goes to stderr instead."""
    with contextlib.suppress(BrokenPipeError), os.fdopen(os.dup(1), "w") as out:  # nobody listens any more: end quietly
        os.dup2(2, 1)
        serve(sys.stdin, out)


if __name__ == "__main__":
    main()
