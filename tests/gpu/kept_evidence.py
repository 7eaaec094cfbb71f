"""What a machine with a CUDA device measured, read where there is none; whether it is of these kernels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gpu.evidence_folders import evidence_hash

FOLDER = Path(__file__).parents[2] / "docs" / "evidence"


def kept_evidence(name: str) -> dict[str, Any]:
    """The file `docs/evidence/NAME.json`."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def skip_when_stale(evidence: dict[str, Any], places: tuple[str, ...], program: str) -> None:
    """Say that the kernels have changed since, and what to run."""
    now = evidence_hash(places)
    if evidence["kernels_hash"] != now:
        pytest.skip(
            f"GPU evidence is stale: measured on kernels {evidence['kernels_hash']}, they are now {now}; "
            f"run tests/gpu/{program}.py on a machine with a CUDA device"
        )
