"""A worker process of a campaign: `python -m carpal.tasks.campaigns.case_worker` reads JSON lines and answers each with one.

First line in: `{"task": name, "path": [...]}`, answered by `{"ready": true}`, or `{"error": text}` where there is no such task.
Then `{"cases": [[number, options, seed], ...]}`, answered by `{"rows": [...]}`. It ends when its input ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import IO, Any

from carpal.errors import CarpalError
from carpal.tasks.campaigns.case_rows import case_rows
from carpal.tasks.registry import task_class


def serve(lines: IO[str], out: IO[str]) -> None:
    """Answer until the input ends."""
    begin = json.loads(lines.readline())
    sys.path[:] = begin["path"]
    try:
        task_class(begin["task"])
    except CarpalError as problem:
        _send(out, {"error": str(problem)})
        return
    _send(out, {"ready": True})
    for line in lines:
        _send(out, {"rows": case_rows(begin["task"], json.loads(line)["cases"])})


def _send(out: IO[str], message: dict[str, Any]) -> None:
    out.write(json.dumps(message) + "\n")
    out.flush()


def main() -> None:
    """Serve on the standard streams; what a task prints goes to stderr instead."""
    with contextlib.suppress(BrokenPipeError), os.fdopen(os.dup(1), "w") as out:  # the reader has gone: end quietly
        os.dup2(2, 1)
        serve(sys.stdin, out)


if __name__ == "__main__":
    main()
