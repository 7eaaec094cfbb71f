"""Two campaigns over the same cases: which changed, and whether the difference is significant.

Success: the exact test of McNemar on the cases that changed. Numbers: Wilcoxon's signed-rank test on the pairs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carpal.errors import InputError
from carpal.tasks.campaigns.campaign_run import CampaignResult

CHANCE = 0.05


@dataclass(frozen=True, eq=False)
class Comparison:
    """What two campaigns have in common and where they part.

    Args:
        pairs: cases in both.
        gained, lost: (case of A, case of B) that only B, only A did.
        chance: probability of so uneven a change if nothing had changed.
        numbers: metric to (median of A, median of B, median difference B - A, probability by chance).
    """

    pairs: int
    gained: list[tuple[int, int]]
    lost: list[tuple[int, int]]
    chance: float
    numbers: dict[str, tuple[float, float, float, float]] = field(repr=False)

    @property
    def status(self) -> str:
        """One sentence."""
        if not self.gained and not self.lost:
            return f"the outcome is the same in all {self.pairs} cases that both have."
        counts = (
            f"of {self.pairs} cases that both have, B does {len(self.gained)} that A does not, and A {len(self.lost)} that "
            "B does not"
        )
        verdict = "more than chance explains" if self.chance < CHANCE else "chance explains that"
        return f"{counts}; {verdict} (p = {self.chance:.2g})."

    def __str__(self) -> str:
        return self.status


def compare_campaigns(a: CampaignResult, b: CampaignResult) -> Comparison:
    """Compare two campaigns of the same task case by case.

    Cases are the same when the factors that both studies have, and the seed, are the same; options that differ are what is
    compared.
    """
    from scipy.stats import binomtest, wilcoxon

    if a.study.task != b.study.task:
        raise InputError(f"only campaigns of one task can be compared; got '{a.study.task}' and '{b.study.task}'.")
    shared = [f.name for f in a.study.factors if f.name in {g.name for g in b.study.factors}]
    ours, theirs = _keyed(a, shared), _keyed(b, shared)
    common = [key for key in ours if key in theirs]
    if not common:
        raise InputError("these campaigns have no case in common: their factors, or their seeds, are all different.")
    pairs = [(ours[key], theirs[key]) for key in common]
    gained = [(x["number"], y["number"]) for x, y in pairs if y["ok"] and not x["ok"]]
    lost = [(x["number"], y["number"]) for x, y in pairs if x["ok"] and not y["ok"]]
    changed = len(gained) + len(lost)
    chance = float(binomtest(len(gained), changed, 0.5).pvalue) if changed else 1.0
    numbers = {}
    for name in a.metrics:
        values = np.array([[x["numbers"].get(name), y["numbers"].get(name)] for x, y in pairs], dtype=object)
        there = [i for i, (x, y) in enumerate(values) if isinstance(x, float | int) and isinstance(y, float | int)]
        both = values[there].astype(float).reshape(-1, 2)
        both = both[np.isfinite(both).all(1)]
        if len(both):
            away = both[:, 1] - both[:, 0]
            p = float(wilcoxon(away).pvalue) if np.any(away != 0) else 1.0
            numbers[name] = (float(np.median(both[:, 0])), float(np.median(both[:, 1])), float(np.median(away)), p)
    return Comparison(len(pairs), gained, lost, chance, numbers)


def _keyed(result: CampaignResult, shared: list[str]) -> dict[str, dict[str, Any]]:
    """Rows by what makes a case the same in two studies."""
    out: dict[str, dict[str, Any]] = {}
    for row in result.rows:
        case = result.study.case(row["number"])
        key = json.dumps([{name: case.options[name] for name in shared}, case.seed], sort_keys=True)
        out.setdefault(key, row)
    return out
