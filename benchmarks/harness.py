"""Race functions against each other in one process: alternating rounds, medians, ratios."""

from __future__ import annotations

import inspect
import platform
import statistics
import textwrap
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

Contender = Callable[[], object]


def race(
    contenders: dict[str, Contender],
    *,
    rounds: int = 9,
    inner: int = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Median seconds of one call of each; every round runs all of them, so that a noisy moment hits all alike.

    `clock=time.thread_time` counts this thread's processor time: right where nobody starts threads, also on a busy machine.
    """
    for run in contenders.values():
        run()  # compile, warm caches
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, run in contenders.items():
            start = clock()
            for _ in range(inner):
                run()
            times[name].append((clock() - start) / inner)
    return {name: statistics.median(values) for name, values in times.items()}


class Sheet:
    """Collects rows and prints them; saved as Markdown at the end."""

    def __init__(self, title: str) -> None:
        self.lines = [f"# {title}", "", f"Machine: {machine()}. Medians of alternating rounds in one process.", ""]
        self.lines += ["| work | ours | peer | ratio | aim | met |", "|---|---|---|---|---|---|"]
        self.code: list[str] = []
        print("\n".join(self.lines), flush=True)

    def row(self, work: str, seconds: dict[str, float], ours: str, peer: str, aim: float, *, per: int = 1) -> None:
        """One comparison; `aim` is how many times faster (or, below 1, at most how much slower) ours must be."""
        ratio = seconds[peer] / seconds[ours]
        verdict = "yes" if ratio >= aim else "NO"
        line = (
            f"| {work} | {_short(seconds[ours] / per)} | {peer} {_short(seconds[peer] / per)} | "
            f"{ratio:.2f}x | {aim:.3g}x | {verdict} |"
        )
        self.lines.append(line)
        print(line, flush=True)

    def absent(self, peer: str) -> None:
        """A peer that is not installed is said to be absent, never passed over."""
        line = f"| {peer} | - | absent | - | - | not measured |"
        self.lines.append(line)
        print(line, flush=True)

    def show(self, function: Contender) -> None:
        """Keep a peer's loop verbatim, so that a reader can judge its fairness."""
        self.code.append(textwrap.dedent(inspect.getsource(function)))

    def save(self, path: Path) -> None:
        """Write the table and the peers' loops."""
        path.parent.mkdir(parents=True, exist_ok=True)
        body = "\n".join(self.lines)
        path.write_text(f"{body}\n\nThe loops, verbatim:\n\n```python\n" + "\n".join(self.code) + "```\n")
        print(f"saved: {path}")


def _short(seconds: float) -> str:
    return f"{seconds * 1e6:.3f} us" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"


def machine() -> str:
    """Processor and versions."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        cpu = next((x.split(":")[1].strip() for x in info.read_text().splitlines() if x.startswith("model name")), cpu)
    packages = []
    for name in ("numpy", "numba", "pin", "coal", "mujoco", "roboticstoolbox-python"):
        try:
            packages.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            packages.append(f"{name} absent")
    return f"{cpu}, Python {platform.python_version()}, " + ", ".join(packages)
