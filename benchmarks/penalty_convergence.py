"""Draw how a random tree of 20 bodies in the penalty engine goes to the rigid engine as its joints stiffen and dt shrinks.

python benchmarks/penalty_convergence.py
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "engines" / "penalty")]

import matplotlib as mpl  # noqa: E402 - the path above is needed first

mpl.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from test_tree_convergence import tree_errors  # noqa: E402

SETTINGS = [(1e5, 8e-5), (3e5, 6e-5), (1e6, 4e-5), (3e6, 3e-5), (1e7, 2e-5), (3e7, 1.5e-5), (1e8, 1e-5)]


def main() -> None:
    stiffness = [k for k, _ in SETTINGS]
    figure, axes = plt.subplots(figsize=(6, 4))
    for seed in (4, 5, 6):
        axes.loglog(stiffness, 1e3 * tree_errors(seed, 0.2, SETTINGS), "o-", label=f"tree {seed}")
    axes.loglog(stiffness, [300.0 / k * 1e3 for k in stiffness], "k--", label="1 / k")
    axes.set_xlabel("stiffness of a joint point [N/m]; dt from 80 to 10 us")
    axes.set_ylabel("farthest body from rigid after 0.2 s [mm]")
    axes.legend()
    figure.tight_layout()
    figure.savefig(ROOT / "docs" / "pictures" / "penalty_convergence.png", dpi=110)


if __name__ == "__main__":
    main()
