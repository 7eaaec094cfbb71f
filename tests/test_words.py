"""The field's own words: names and user-visible text hold none of the expressions that this table replaces.

`python tests/test_words.py` lists every place in the repository and the counts per folder.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
CHECKED = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "examples", "studies", "carpal")
THESIS_NUMBERS = ("docs/errata.md", "docs/assumptions.md", "docs/references.md")
"""Pages that cite the theses themselves."""

NAMES = {
    r"(^|_)(told|tells?)(_|$)": "summary, report, print_...",
    r"(^|_)(looks|looked|look(?!_at))(_|$)": "samples, checks",
    r"^(wish|wished)$": "dt_try, requested",
    r"(^|_)books?(_|$)": "ledger",
    r"(^|_)desks?(_|$)": "scratch",
    r"(^|_)anew(_|$)": "again, rebuild",
    r"^Pitch([A-Z]|$)": "Throw",
    r"^(Given|Input|Opened)$": "KernelInput, ReadyEngine",
    r"(^|_)thesis_?[1-5](_|$)": "the author's name",
}
"""Regular expressions of identifiers, and what to write instead."""

TEXT = {
    r"\btold\b": "reported, shown, recognised",
    r"\b(is|are|was|were|be|been|nothing|not) looked (at|for)\b|\blook(s|ed) at\b|\b(many|of) looks\b": "checked, samples",
    r"\bways? (that|on which) [\w ]*touch(es)? nothing\b|\bfree ways?\b": "collision-free path",
    r"\banew\b": "again, rebuilt",
    r"\bwish(es|ed)?\b": "requested, wanted",
    r"\bbooks\b": "ledger",
    r"\bdesks?\b": "controller scratch",
    r"\bkilled and started again\b|\bstarted again,? it\b": "resumable; a restarted run continues",
    r"\b(did|does|do) not come out\b": "did not finish compiling",
    r"\bput into one another\b": "inlined",
    r"\bown bad luck\b|\bstops no other\b": "a failing case becomes one row; the others continue",
    r"\bsomebody else\b": "a listener",
    r"\bmetric of the mass\b": "mass-weighted projection",
    r"\b(is|are) sold for\b": "rated payload",
    r"\b[Tt]rue where (it|they)\b": "truthy when `ok`",
    r"\bby what it took\b": "wall time without JIT compilation",
    r"\b[Tt]hes[ie]s [1-5]\b": "the author and the system, see docs/references.md",
}
"""Regular expressions of text, and what to write instead."""


class Found(NamedTuple):
    """One place: file, line, what stands there and what to write."""

    path: str
    line: int
    words: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: '{self.words}' -> {self.instead}"


def files_of(places: tuple[str, ...]) -> Iterator[Path]:
    """Source and text files under these files and folders; evidence is left as it was measured."""
    for place in places:
        path = ROOT / place
        found = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in found:
            if file.suffix in (".py", ".pyi", ".md", ".toml", ".js", ".html") and "evidence" not in file.parts:
                yield file


def check_file(path: Path) -> list[Found]:
    """Every place in a file that one of the tables names."""
    where, text = path.relative_to(ROOT).as_posix(), path.read_text()
    if path.suffix not in (".py", ".pyi"):
        return check_text(where, text, 1)
    found = []
    names = {(path.stem, 1)}
    for node in ast.walk(ast.parse(text)):
        line = getattr(node, "lineno", 1)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += check_text(where, node.value, line)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add((node.name, line))
        elif isinstance(node, ast.Name):
            names.add((node.id, line))
        elif isinstance(node, ast.Attribute):
            names.add((node.attr, line))
        elif isinstance(node, (ast.arg, ast.keyword)) and node.arg:
            names.add((node.arg, line))
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name.rpartition(".")[2], line))
    for name, line in sorted(names, key=lambda pair: pair[1]):
        found += [Found(where, line, name, instead) for pattern, instead in NAMES.items() if re.search(pattern, name)]
    return found


def check_text(where: str, text: str, line: int) -> list[Found]:
    """Every place in a text whose first line has this number."""
    found = []
    for pattern, instead in TEXT.items():
        if "[ie]s [1-5]" in pattern and where in THESIS_NUMBERS:
            continue
        found += [
            Found(where, line + text.count("\n", 0, match.start()), match.group(), instead)
            for match in re.finditer(pattern, text)
        ]
    return found


@pytest.mark.parametrize("place", CHECKED)
def test_words_of_the_field(place):
    found = [place for path in files_of((place,)) for place in check_file(path)]
    assert not found, "\n" + "\n".join(map(str, found))


def test_the_check_finds_names_and_text(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    path = tmp_path / "desk.py"
    path.write_text(
        '"""Made anew.\n\nAs in thesis 3, 5.7."""\ndef tell_share(books, look_at):\n    return books.left\n'
    )
    lines = {(found.line, found.words) for found in check_file(path)}
    assert lines == {
        (1, "desk"), (1, "anew"), (3, "thesis 3"), (4, "tell_share"), (4, "books"), (5, "books"),
    }  # fmt: skip
    page = tmp_path / "page.md"
    page.write_text("A collision-free path.\nSamples are checked, and the result is told.\n")
    assert [found.line for found in check_file(page)] == [2]


if __name__ == "__main__":
    counts: Counter[str] = Counter()
    for found in (found for path in files_of(CHECKED) for found in check_file(path)):
        print(found)
        parts = found.path.split("/")
        counts[
            "/".join(parts[: 3 if parts[:2] == ["carpal", "labs"] else 2]) if parts[0] == "carpal" else parts[0]
        ] += 1
    print("\n".join(f"{count:6} {folder}" for folder, count in counts.most_common()), f"\n{counts.total():6} in all")
