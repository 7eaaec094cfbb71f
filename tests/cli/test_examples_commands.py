import json
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from carpal.cli import examples_commands
from carpal.cli.command_line import main

ROOT = Path(__file__).parents[2]
SCENE = Path("examples/scenes/cell.toml")


def test_the_files_are_copied_once_and_kept(tmp_path, capsys):
    assert main(["examples", "--out", str(tmp_path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len(answer["files"]) > 30 and all(Path(file).exists() for file in answer["files"])
    assert (tmp_path / SCENE).read_bytes() == (ROOT / SCENE).read_bytes()
    assert main(["examples", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("0 of ")
    (tmp_path / SCENE).write_text("mine")
    assert main(["examples", "--out", str(tmp_path)]) == 2
    assert "cell.toml' is there and differs" in capsys.readouterr().err and (tmp_path / SCENE).read_text() == "mine"
    assert main(["examples", "--out", str(tmp_path), "--replace"]) == 0
    assert (tmp_path / SCENE).read_bytes() == (ROOT / SCENE).read_bytes()


def test_an_installed_package_has_them_in_its_prefix(tmp_path, monkeypatch):
    """Without a repository around the package, the files of pyproject's data-files serve; they are those of the repository."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["data-files"]
    for folder, patterns in data.items():
        for file in (file for pattern in patterns for file in ROOT.glob(pattern)):
            (tmp_path / folder).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, tmp_path / folder / file.name)
    monkeypatch.setattr(examples_commands, "__file__", str(tmp_path / "a" / "b" / "c.py"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert main(["examples", "--out", str(tmp_path / "out")]) == 0
    for name in examples_commands.FOLDERS:
        for file in (ROOT / name).rglob("*.toml"):
            assert (tmp_path / "out" / file.relative_to(ROOT)).read_bytes() == file.read_bytes()


def test_where_there_are_none_it_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(examples_commands, "__file__", str(tmp_path / "a" / "b" / "c.py"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert main(["examples"]) == 2 and "were not installed" in capsys.readouterr().err


@pytest.mark.full
def test_a_wheel_holds_them(tmp_path):
    import subprocess
    import zipfile

    words = ["-m", "pip", "wheel", "--no-deps", "--quiet", "--wheel-dir", str(tmp_path), str(ROOT)]
    subprocess.run([sys.executable, *words], check=True)
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    assert any(name.endswith("share/carpal/examples/scenes/cell.toml") for name in names)
