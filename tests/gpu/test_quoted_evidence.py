"""Figures of GPUs that the README quotes are those of the evidence, or say that they are of earlier kernels."""

import json
import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from gpu.evidence_folders import CATCH, ENGINES, MODAL, ROOT, SPINE, evidence_hash
from gpu.kept_evidence import kept_evidence

README = (ROOT.parent / "README.md").read_text(encoding="utf-8")
OLD = "measured on earlier kernels"


class Quote(NamedTuple):
    """A row of the README, its evidence, the kernels that it is of, the figure in it, and where in the row it stands."""

    row: str
    evidence: str
    kernels: tuple[str, ...]
    figure: Callable[[dict[str, Any]], float]
    pattern: str


QUOTES = (
    Quote("forward kinematics of Sawyer", "gpu_spine", SPINE, lambda e: e["speed_sawyer_seconds_with_transfers"]["fk"],
          r"a million in ([\d.]+) s"),
    Quote("RK4 steps of Sawyer", "gpu_engines", ENGINES,
          lambda e: e["speed_sawyer_rk4_with_transfers"]["world_steps_per_second_cuda"], r"([\d.e]+) a second"),
    Quote("complete catches", "gpu_catch", CATCH,
          lambda e: max(row["catches_per_second"] for row in e["speed"] if row["device"] == "cuda"), r"\| (\d+) a second"),
    Quote("modal steps of a three-fingered hand", "gpu_modal", MODAL, lambda e: max(e["speed"].values()), r"([\d.e]+) a second"),
)  # fmt: skip


def faults(readme: str, quote: Quote, evidence: dict[str, Any], current: str) -> list[str]:
    """What is wrong with a quoted row."""
    rows = [line for line in readme.splitlines() if line.startswith(f"| {quote.row}")]
    found = re.search(quote.pattern, rows[0]) if len(rows) == 1 else None
    if found is None:
        return [f"{len(rows)} rows '{quote.row}', none with a figure"]
    wrong = []
    if not math.isclose(float(found[1]), quote.figure(evidence), rel_tol=0.1):
        wrong.append(f"'{quote.row}' quotes {found[1]}, measured was {quote.figure(evidence):.3g}")
    if evidence["kernels_hash"] != current and OLD not in rows[0]:
        wrong.append(f"'{quote.row}' is not said to be {OLD}")
    return wrong


@pytest.mark.parametrize("quote", QUOTES, ids=lambda quote: quote.evidence)
def test_the_readme_quotes_what_was_measured(quote):
    assert faults(README, quote, kept_evidence(quote.evidence), evidence_hash(quote.kernels)) == []


def test_a_wrong_or_an_old_figure_is_noticed():
    quote = QUOTES[0]
    evidence = json.loads(json.dumps(kept_evidence(quote.evidence)))
    assert len(faults(README.replace("a million in", "a million in 9"), quote, evidence, evidence["kernels_hash"])) == 1
    now_old = faults(README.replace(OLD, ""), quote, evidence, "another")
    assert now_old == [f"'{quote.row}' is not said to be {OLD}"]
