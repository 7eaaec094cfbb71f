"""Run on a machine with a CUDA device, once for each backend: a study's journal, to be compared by `compare_studies.py`.

    PYTHONPATH=.:tests python3 tests/gpu/measure_study.py studies/catch_2000.toml out/cuda cuda
    PYTHONPATH=.:tests python3 tests/gpu/measure_study.py studies/catch_2000.toml out/two processes:2
    PYTHONPATH=.:tests python3 tests/gpu/measure_study.py studies/catch_2000.toml out/dask dask:2

Needs only numpy, numba, numba-cuda (and distributed for Dask): the journal is SQLite, its table is made elsewhere. Ended
at any moment it goes on when started again.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from carpal.tasks.seeds import versions

from carpal.tasks.campaigns.campaign_run import fill_journal
from carpal.tasks.campaigns.store import CaseStore
from carpal.tasks.campaigns.study import Study


def main(file: str, folder: str, backend: str) -> None:
    """Run what is left and say how long it took."""
    study = Study.from_toml(file)
    kind, _, count = backend.partition(":")
    begun = time.perf_counter()
    with CaseStore(Path(folder), {"study": study.to_data(), "versions": versions()}, len(study)) as store:
        before = int(store.finished.sum())
        cluster = f"local:{count}" if kind == "dask" else None
        fill_journal(study, store, int(count or 1), "cuda" if kind == "cuda" else "cpu", cluster, False)
        done = store.counts()
    seconds = time.perf_counter() - begun
    print(f"{backend}: {done[0] - before} cases in {seconds:.1f} s, {done[1]} of {done[0]} succeeded", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:4])
