"""Hashes of compiled sources: what changes them, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from carpal._core import kernel_sources


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small package: _core, and kernels a (imports b), b, c (imports the folder of d)."""
    root = tmp_path / "carpal"
    files = {
        "_core/compile.py": "options = 1\n", "_core/numba_private.py": "",
        "x/kernels/a.py": "from carpal.x.kernels.b import (\n    f,\n)\n", "x/kernels/b.py": "f = 1\n",
        "x/kernels/c.py": "from carpal.y.kernels import d\n", "y/kernels/d.py": "g = 1\n", "y/kernels/__init__.py": "",
    }  # fmt: skip
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.setattr(kernel_sources, "PACKAGE", root)
    return root


def hashes(package: Path) -> dict[str, str]:
    kernel_sources._bytes.cache_clear()
    kernel_sources._imported.cache_clear()
    files = {name: kernel_sources.closure_hash(package / "x" / "kernels" / f"{name}.py") for name in "abc"}
    return files | {"x": kernel_sources.kernels_hash("x"), "all": kernel_sources.kernels_hash()}


@pytest.mark.parametrize(
    ("edited", "changed"),
    [
        ("x/kernels/b.py", {"a", "b", "x", "all"}),
        ("y/kernels/d.py", {"c", "all"}),
        ("x/kernels/a.py", {"a", "x", "all"}),
        ("_core/compile.py", {"a", "b", "c", "x", "all"}),
    ],
)
def test_an_edit_changes_what_depends_on_it(package: Path, edited: str, changed: set[str]) -> None:
    before = hashes(package)
    assert hashes(package) == before
    with (package / edited).open("a") as file:
        file.write("h = 2\n")
    after = hashes(package)
    assert {name for name in before if before[name] != after[name]} == changed


def test_neither_the_place_nor_line_endings_count(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = hashes(package)
    moved = package.parent / "elsewhere" / "carpal"
    moved.parent.mkdir()
    package.rename(moved)
    monkeypatch.setattr(kernel_sources, "PACKAGE", moved)
    (moved / "x" / "kernels" / "b.py").write_bytes(b"f = 1\r\n")
    assert hashes(moved) == before


def test_a_file_outside_the_package_counts_with_what_it_imports(package: Path) -> None:
    outside = package.parent / "test_some.py"
    outside.write_text("from carpal.x.kernels.b import f\n")
    first = kernel_sources.closure_hash(outside)
    (package / "x" / "kernels" / "b.py").write_text("f = 3\n")
    kernel_sources._bytes.cache_clear()
    assert kernel_sources.closure_hash(outside) != first
