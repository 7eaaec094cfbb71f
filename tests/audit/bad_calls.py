"""Audit: bad calls of every public callable. Only Carpal errors or right answers may come back.

    python tests/audit/bad_calls.py --calls 20000 --seed 11 --out out/bad_calls.json

Every public function and class of the package is called with arguments that fit its annotations, all but one, which is
replaced by something bad: NaN, infinity, a complex number, text, None, an object, a wrong shape, a huge count. A raw exception
where Carpal should have named the argument, a hang, and NaN or a complex number that is taken without a word are faults.
"""

from __future__ import annotations

import argparse
import collections
import importlib
import inspect
import json
import os
import random
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import CarpalError

ROOT = Path(__file__).parents[2]
PATIENCE = 8
LEFT_OUT = {  # they serve pages, start processes or wait for people; their commands have tests of their own
    "run", "main", "app", "view", "Studio", "ServedPage", "serve", "SignReceiver", "SignSender", "Execution", "call",
}  # fmt: skip


class Hang(BaseException):
    """A call that did not end."""


def public_callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function and class once, by its first public name."""
    seen: set[int] = set()
    for stub in sorted((ROOT / "carpal").rglob("__init__.pyi")):
        package = ".".join(stub.parent.relative_to(ROOT).parts)
        module = importlib.import_module(package)
        for name in module.__all__:
            thing = getattr(module, name)
            is_error = inspect.isclass(thing) and issubclass(thing, BaseException)
            result = inspect.isclass(thing) and any(cls.__name__ == "Result" for cls in thing.__mro__)
            if not (inspect.isfunction(thing) or inspect.isclass(thing)) or id(thing) in seen or is_error or result:
                continue  # results are made by the package; aliases of types are no calls
            if name in LEFT_OUT or getattr(thing, "_is_protocol", False) or inspect.isabstract(thing):
                continue
            seen.add(id(thing))
            yield f"{package}.{name}", thing


def fitting(rng: random.Random, name: str, annotation: str) -> Any:
    """A value that may fit a parameter, from its name and annotation."""
    import carpal

    draw = np.random.default_rng(rng.randrange(2**32))
    by_name = {
        "q": lambda: draw.uniform(-0.5, 0.5, 7), "v": lambda: draw.uniform(-0.5, 0.5, 7),
        "vdot": lambda: draw.uniform(-0.5, 0.5, 7), "tau": lambda: draw.uniform(-0.5, 0.5, 7),
        "X": lambda: np.eye(4), "X_WT": lambda: np.eye(4), "R": lambda: np.eye(3), "target": lambda: np.eye(4),
        "frame": lambda: None, "device": lambda: "cpu", "seed": lambda: 3, "p": lambda: draw.uniform(-1, 1, 3),
    }  # fmt: skip
    if name in by_name:
        return by_name[name]()
    kinds: list[tuple[str, Callable[[], Any]]] = [
        ("Model", lambda: carpal.load("sawyer")),
        ("Scene", lambda: carpal.Scene("s").add_robot("sawyer")),
        ("State", lambda: carpal.Scene("s").add_robot("sawyer").start()),
        ("Shape", lambda: carpal.model.Box((0.1, 0.1, 0.1))),
        ("ArrayLike", lambda: draw.uniform(-1, 1, rng.choice([3, 3, 6, 7]))),
        ("Array", lambda: draw.uniform(-1, 1, rng.choice([3, 6, 7]))),
        ("float", lambda: rng.uniform(0.05, 0.9)),
        ("int", lambda: rng.choice([1, 2, 3])),
        ("bool", lambda: rng.random() < 0.5),
        ("Path", lambda: "missing/file.xml"),
        ("str", lambda: "sawyer"),
    ]
    return next((make() for word, make in kinds if word in annotation), None)


def bad_values(rng: random.Random) -> tuple[str, Any]:
    """Something that no parameter should take without a word."""
    return rng.choice([
        ("nan", float("nan")), ("nan array", np.full(7, np.nan)), ("nan 3", np.full(3, np.nan)), ("inf", float("inf")),
        ("complex", 1.0 + 2.0j), ("complex array", np.ones(3) * 1j), ("text", "sawyr"), ("none", None), ("object", object()),
        ("dict", {"a": 1}), ("huge", 10**30), ("negative", -5), ("empty", np.zeros(0)), ("ragged", [[1.0], [1.0, 2.0]]),
        ("wrong shape", np.zeros((2, 5))), ("bytes", b"\x00\xff"), ("function", print), ("set", {1, 2}), ("type", int),
    ])  # fmt: skip


NUMPY_KINDS = (np.int64(2), np.int32(1), np.float32(0.5))


def one_call(rng: random.Random, function: Callable[..., Any]) -> tuple[str, str, str]:
    """(outcome, which argument and value, what was raised) of one bad call."""
    try:
        parameters = [p for p in inspect.signature(function).parameters.values() if p.kind not in (p.VAR_KEYWORD,)]
    except (TypeError, ValueError):
        return "no signature", "", ""
    if not parameters:
        return "nothing to pass", "", ""
    chosen = [p for p in parameters if p.default is p.empty or rng.random() < 0.3]
    victim = rng.choice(parameters)
    chosen = [p for p in parameters if p in chosen or p is victim]
    kind, value = bad_values(rng)
    args, named = [], {}
    for p in chosen:
        given = value if p is victim else fitting(rng, p.name, str(p.annotation))
        by_place = p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty
        if by_place or p.kind in (p.VAR_POSITIONAL, p.POSITIONAL_ONLY):
            args.append(given)
        else:
            named[p.name] = given
    what = f"{victim.name}: {kind}"
    signal.alarm(PATIENCE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = function(*args, **named)
    except CarpalError:
        return "refused", what, ""
    except Hang:
        return "hang", what, ""
    except Exception as problem:
        import traceback

        inside = [f for f in traceback.extract_tb(problem.__traceback__) if "carpal" in f.filename]
        where = f"{Path(inside[-1].filename).name}:{inside[-1].lineno}" if inside else ""
        return "raw", what, f"{type(problem).__name__}: {str(problem)[:120]} ({where})"
    except SystemExit as problem:
        return "raw", what, f"SystemExit {problem.code}"
    finally:
        signal.alarm(0)
    if isinstance(answer, CarpalError):  # a function that makes the error
        return "refused", what, ""
    if kind.startswith(("nan", "complex")) and not (callable(answer) and not isinstance(answer, type)):
        return "taken", what, str(type(answer).__name__)
    return "answered", what, ""


def audit(calls: int, seed: int, only: str = "") -> dict[str, Any]:
    """Outcomes of bad calls, spread evenly over all public callables."""
    rng = random.Random(seed)
    things = [(name, thing) for name, thing in public_callables() if only in name]
    counts: collections.Counter[str] = collections.Counter()
    faults: dict[str, list[str]] = {}

    def ring(*_: Any) -> None:
        raise Hang

    signal.signal(signal.SIGALRM, ring)
    for i in range(calls):
        name, thing = things[i % len(things)]
        outcome, what, raised = one_call(rng, thing)
        counts[outcome] += 1
        if outcome in ("raw", "hang", "taken"):
            faults.setdefault(f"{name}", []).append(f"{outcome} {what} {raised}")
    return {"callables": len(things), "calls": calls, "seed": seed, "outcomes": dict(counts), "faults": faults}


def main() -> None:
    """Run the audit in a folder of its own and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--only", default="", help="callables whose name contains this")
    parser.add_argument("--out", default="out/bad_calls.json")
    said = parser.parse_args()
    out = Path(said.out).resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        found = audit(said.calls, said.seed, said.only)
    out.write_text(json.dumps(found, indent=1))
    print(found["callables"], "callables", found["outcomes"], file=sys.stderr)


if __name__ == "__main__":
    main()
