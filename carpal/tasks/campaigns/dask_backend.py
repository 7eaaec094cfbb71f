"""Cases on a Dask cluster: batches that hide the scheduler's overhead, a bounded number under way, rows as they come."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from carpal.errors import CarpalError, InputError
from carpal.tasks.campaigns.case_rows import case_rows
from carpal.tasks.campaigns.study import Study

BATCH_SECONDS = 1.0
MOST_CASES = 2000
CONNECT_SECONDS = 10.0


def run_on_dask(study: Study, numbers: Iterator[int], address: str) -> Iterator[dict[str, Any] | None]:
    """Rows as they come.

    Args:
        study: what is asked.
        numbers: of the cases to run.
        address: of a scheduler, "tcp://host:8786", or "local:N" for N worker processes here.
    """
    client, cluster = _client(address)
    try:
        yield from _streamed(client, study, numbers)
    except CarpalError:
        raise
    except Exception as problem:  # a cluster can fail in many ways
        first = str(problem).partition("\n")[0]
        raise CarpalError(
            f"the cluster '{address}' went away: {type(problem).__name__}: {first:.120}; finished cases are kept, the same "
            "command resumes."
        ) from None
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def _client(address: str) -> tuple[Any, Any]:
    try:
        from dask.distributed import Client, LocalCluster
    except ImportError:
        raise InputError("--cluster needs Dask: install the extra carpal[cluster].") from None
    try:
        if address.startswith("local:"):
            count = address.removeprefix("local:")
            if not count.isdigit() or not int(count):
                raise InputError(f"a local cluster is written local:N, with N worker processes; got '{address}'.")
            cluster = LocalCluster(
                n_workers=int(count), threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
            )
            return Client(cluster), cluster
        return Client(address, timeout=CONNECT_SECONDS), None
    except (OSError, ValueError, TimeoutError) as problem:
        if isinstance(problem, CarpalError):
            raise
        raise InputError(f"no Dask scheduler answers at '{address}': {problem!s:.120}.") from None


def _streamed(client: Any, study: Study, numbers: Iterator[int]) -> Iterator[dict[str, Any] | None]:
    from dask.distributed import as_completed

    seconds = BATCH_SECONDS  # what a case takes, as far as is known
    waiting = as_completed()
    open_batches = 0

    def submit() -> bool:
        size = max(1, min(MOST_CASES, int(BATCH_SECONDS / max(seconds, 1e-6))))
        batch = [
            (number, case.options, case.seed)
            for number in itertools.islice(numbers, size)
            for case in [study.case(number)]
        ]
        if batch:
            waiting.add(client.submit(case_rows, study.task, batch, pure=False))
        return bool(batch)

    workers = max(1, sum(client.ncores().values()))
    while open_batches < 2 * workers and submit():
        open_batches += 1
    while open_batches:
        rows = next(waiting).result()
        open_batches -= 1
        seconds = 0.5 * seconds + 0.5 * sum(row["seconds"] for row in rows) / len(rows)
        while open_batches < 2 * workers and submit():
            open_batches += 1
        yield from rows
