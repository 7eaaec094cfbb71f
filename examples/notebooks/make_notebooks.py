"""Write and execute the notebooks of this folder: `python examples/notebooks/make_notebooks.py [name ...]`.

Each is written from the script of its name, whose cells begin with a line of percent signs, as editors know them. Code runs in
one namespace, as in Jupyter, and the last expression of a cell is shown by its `_repr_png_`, `_repr_html_` or text. A page and a
replay are left out, so that the files stay small.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MOST = 40_000
"""Characters of an HTML output that are kept."""

NOTEBOOKS = tuple(sorted(path.stem for path in HERE.glob("[0-9]_*.py")))


def cells_of(path: Path) -> list[tuple[str, str]]:
    """(kind, text) of the cells of a script with `# %%` lines; kind is "code" or "markdown"."""
    found = []
    for part in path.read_text(encoding="utf-8").split("# %%")[1:]:
        head, _, text = part.partition("\n")
        if "[markdown]" in head:
            lines = [line.removeprefix("#").removeprefix(" ") for line in text.strip().splitlines()]
            found.append(("markdown", "\n".join(lines)))
        else:
            found.append(("code", text.strip()))
    return found


def execute(cells: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """The cells as nbformat 4 has them, code executed in order."""
    space: dict[str, Any] = {"__name__": "__main__"}
    made, count = [], 0
    for number, (kind, source) in enumerate(cells):
        lines = source.splitlines(keepends=True)
        if kind == "markdown":
            made.append({"cell_type": "markdown", "id": f"cell-{number}", "metadata": {}, "source": lines})
            continue
        count += 1
        made.append({
            "cell_type": "code", "id": f"cell-{number}", "metadata": {}, "execution_count": count, "source": lines,
            "outputs": _run(source, space, count),
        })  # fmt: skip
    return made


def _run(source: str, space: dict[str, Any], count: int) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), space)
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), space) if last is not None else None
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        outputs.append(
            {"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": _shown(value)}
        )
    return outputs


def _shown(value: Any) -> dict[str, Any]:
    """What a notebook would show of a value, kept small."""
    data: dict[str, Any] = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_png_"):
        data["image/png"] = base64.b64encode(value._repr_png_()).decode()
    elif hasattr(value, "_repr_html_"):
        text = value._repr_html_()
        if text is not None and len(text) < MOST and "<iframe" not in text:
            data["text/html"] = text.splitlines(keepends=True)
    return data


def write(name: str) -> Path:
    """Execute one notebook and write it."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {
        "cells": execute(cells_of(HERE / f"{name}.py")), "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4, "nbformat_minor": 5,
    }  # fmt: skip
    path = HERE / f"{name}.ipynb"
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    for name in sys.argv[1:] or NOTEBOOKS:
        path = write(name)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
