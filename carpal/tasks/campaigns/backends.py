"""Where cases run: processes of this machine, a GPU, or a Dask cluster; one of them, and the table is the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from carpal._core.cpu_pool import available_cores
from carpal.errors import InputError, unknown_name
from carpal.tasks.campaigns.cuda_backend import run_on_cuda
from carpal.tasks.campaigns.dask_backend import run_on_dask
from carpal.tasks.campaigns.process_backend import run_on_processes
from carpal.tasks.campaigns.study import Study
from carpal.tasks.task import whole_number

DEVICES = ("cpu", "cuda")


def checked_backend(processes: int | None, device: str, cluster: str | None) -> int:
    """How many worker processes there are to be; a device that does not exist, or two backends at once, are refused."""
    if device not in DEVICES:
        raise unknown_name("device", device, DEVICES)
    if sum((device != "cpu", cluster is not None, processes is not None)) > 1:
        raise InputError("choose one of processes, device cuda and cluster.")
    return available_cores() if processes is None else whole_number("processes", processes, 1)


def backend_rows(
    study: Study, left: Iterator[int], many: int, processes: int, device: str, cluster: str | None
) -> tuple[Iterator[dict[str, Any] | None], str]:
    """Rows as they come, and the backend's name.

    Args:
        study: what is run.
        left: numbers of the cases to run.
        many: how many those are.
        processes, device, cluster: as `checked_backend` let them pass.
    """
    if cluster is not None:
        return run_on_dask(study, left, cluster), "dask"
    if device == "cuda":
        return run_on_cuda(study, left), "cuda"
    return run_on_processes(study, left, min(processes, many)), "processes"
