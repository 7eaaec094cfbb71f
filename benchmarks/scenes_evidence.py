"""What each engine makes of every benchmark scene, as a page: python benchmarks/scenes_evidence.py OUT [--limit 20] [--page FILE]

Resumable: OUT holds one JSON file for each scene; those that are there are not run again.
"""

import argparse
import json
import subprocess
from datetime import date
from pathlib import Path

from carpal.engines import benchmark_scenes, compare
from carpal.errors import CarpalError


def run(out, limit):
    """Compare the engines on every scene that has no file yet."""
    out.mkdir(parents=True, exist_ok=True)
    for name in benchmark_scenes():
        file = out / f"{name}.json"
        if file.exists():
            continue
        try:
            answer = compare(name, limit=limit).to_dict()
        except CarpalError as error:
            answer = {"refused": str(error)}
        file.write_text(json.dumps(answer))
        print(name, answer.get("status", answer.get("refused")), flush=True)


def short(value):
    """Two digits, or a dash."""
    return "-" if value is None else f"{value:.1e}"


def outcome(engine):
    """How an engine's run ended, in a word."""
    if engine["outcome"] == "ran":
        return "ok" if engine["ok"] else "broke a bound"
    at = engine.get("time_s")
    return engine["outcome"] + (f" at {at:.3g} s" if at is not None else " in a step")


def beside(engine):
    """Distance from the reference's path, or its numbers."""
    found = engine.get("reference")
    if found is None:
        return "-"
    if found["largest_distance_m"] is not None:
        return f"{found['largest_distance_m']:.1e} m"
    return "; ".join(f"{value['found']:.4g} ({value['expected']:.4g})" for value in found["values"].values()) or "-"


def rows(out):
    """One line of the table for each scene and engine."""
    for name in benchmark_scenes():
        file = out / f"{name}.json"
        if not file.exists():
            continue
        answer = json.loads(file.read_text())
        for engine, each in answer.get("engines", {}).items():
            share = each.get("certified_share")
            order = each.get("order")
            yield " | ".join([
                f"| `{name}`", engine, outcome(each), "-" if share is None else f"{100 * share:.1f} %", beside(each),
                "-" if order is None else f"{order:.1f}", short(each.get("error_at_dt_m")), short(each.get("energy_gain_J")),
                short(each.get("creep_m_s")), short(each.get("penetration_m")), f"{short(each.get('cost_s_per_s'))} |",
            ])  # fmt: skip
        if "refused" in answer:
            yield f"| `{name}` | - | {answer['refused']} |" + " - |" * 8


def page(out, limit):
    """The page as text."""
    commit = subprocess.run(
        ["git", "log", "-1", "--format=%h"], capture_output=True, text=True, check=False
    ).stdout.strip()
    head = (
        "scene | engine | outcome | certified | from reference | order | error [m] | gain [J] | creep [m/s] | depth [m]"
    )
    head += " | s per s"
    lines = (
        "# 19. The benchmark scenes in every engine", "",
        f"Commit {commit}, {date.today()}; `python benchmarks/scenes_evidence.py OUT --limit {limit:g} --page PAGE`.",
        "Two cores, shared with other work: costs are rough. Steps: modal and MuJoCo 1 ms, penalty 20 µs. References are closed",
        "forms or integrations that use NumPy and SciPy alone ([compare](../compare.md)); where a reference has numbers instead",
        "of a path they stand as found (expected). Order and error: from runs at dt, dt/2 and dt/4.",
        f"An engine that takes longer than {limit:g} s for all its runs is stopped.", "",
        f"| {head} |", "|" + "---|" * 11, *rows(out), "",
    )  # fmt: skip
    return "\n".join(lines)


def main():
    """Run and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit", type=float, default=20.0)
    parser.add_argument("--page", type=Path)
    given = parser.parse_args()
    run(given.out, given.limit)
    if given.page is not None:
        given.page.write_text(page(given.out, given.limit))


if __name__ == "__main__":
    main()
