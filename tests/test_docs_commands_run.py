"""Every command of README and docs is run as it is written, in a clean folder with nothing but `carpal examples` in it.

`make test` runs the quick ones, `make verify` all. What waits for a person, a second machine or a file of the reader's own is
listed with its reason; its words are checked by `test_docs_commands.py`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_docs_commands import PAGES, ROOT, YOURS, Command, command_line, files_of, page_commands, words_of

from carpal.cli.command_line import main

LEFT_OUT = {
    r"carpal (studio|view)\b": "serves a page until Ctrl-C; tests/viewer opens it in a browser",
    r"carpal sign (receive|call|send|watch)\b": "waits for another end or a camera; tests/labs/sign/link connects them",
    r"--glove udp": "waits for a data glove",
    r"carpal compare$": "is only named: it needs a scene",
    r"--device cuda": "needs a GPU; tests/gpu runs it",
    r"--cluster": "needs the extra 'cluster'; tests/tasks/campaigns runs it",
    r"study run studies/catch_controllers": "1,000 throws: docs/evidence/9_catch.md holds its result",
    r"--sensor-noise 1e-5 --seeds 1000": "1,000 runs: docs/evidence/5_mount.md holds its result",
    r"--endurance 3600": "an hour of motion: docs/evidence/5_mount.md holds its result",
}
NOT_DONE = {
    r"catch --as-thesis": "the thesis's settings miss some points",
    r"catch --gains thesis": "its gains miss",
    r"catch .*--vary 1": "some throws are missed",
    r"catch --grid": "some points of the grid may be missed",
    r"reach .*--spread 0.2": "some starts miss",
    r"dexterity .*--(engine mujoco|friction 0.1)": "observations do not hold there: that is what the page shows",
    r"mount .*--law printed": "the printed law does not hold the table",
    r"study run": "a study reports its own rate of success",
    r"arm-angle .*--line": "the band breaks on the way: that is what the page shows",
    r"simulate .*--test step": "the step test may find that a joint does not settle",
    r"collide .*--q": "it says what touches",
}
"""Commands that may end with 1: they say truly that something was not done."""
QUICK = re.compile(
    r"carpal (robots|show|fk|ik|collide|plan|mountings|examples|arm-angle|simulate examples/linkages|reach --(robot|target)|"
    r"mount --case [13] *(--control closed|$))"
)


def runnable(page: Path) -> list[Command]:
    """The commands of a page's code blocks that can be run here."""
    found = []
    for command in page_commands(page):
        words = words_of(command.text)
        mentioned = "[" in command.text or "..." in command.text or not takes_no_more(words)
        files = [name for name, _ in files_of(command.text)]
        yours = any(name in YOURS - {"run.parquet", "study.toml"} or Path(name).stem.isupper() for name in files)
        if not mentioned and not yours and not any(re.search(pattern, command.text) for pattern in LEFT_OUT):
            found.append(command)
    return found


def takes_no_more(words: list[str]) -> bool:
    """Whether the words are a whole command, and not only its name in a sentence."""
    command = command_line()
    words = list(words)
    while hasattr(command, "commands") and words and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    return not hasattr(command, "commands") and not (not words and any(p.required for p in command.params))


def run_page(page: Path, folder: Path, monkeypatch, commands: list[Command]) -> None:
    """Run commands in their order in a folder; each must end with 0, or with 1 where it is listed."""
    monkeypatch.chdir(folder)
    assert main(["examples"]) == 0
    (folder / "study.toml").write_text((folder / "studies" / "reach_duration.toml").read_text())
    wrong = []
    for command in commands:
        if (
            "run.parquet" in command.text
            and "report" in words_of(command.text)[:1]
            and not Path("run.parquet").exists()
        ):
            main(["simulate", "examples/scenes/cell.toml", "--duration", "0.1", "--record", "run.parquet"])
        status = main(words_of(command.text))
        allowed = {0, 1} if any(re.search(pattern, command.text) for pattern in NOT_DONE) else {0}
        if status not in allowed:
            wrong.append(f"{command}: exit status {status}")
        missing = [name for name, writes in files_of(command.text) if writes and not Path(name).exists()]
        wrong += [f"{command}: '{name}' was not written" for name in missing]
    assert not wrong, "\n".join(wrong)


WITH_COMMANDS = [page for page in PAGES if page.suffix == ".md" and runnable(page)]


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_quick_commands_of_a_page(page, tmp_path, monkeypatch):
    commands = [command for command in runnable(page) if QUICK.match(command.text)]
    if not commands:
        pytest.skip("only `make verify` runs its commands")
    run_page(page, tmp_path, monkeypatch, commands)


@pytest.mark.full
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_command_of_a_page(page, tmp_path, monkeypatch):
    run_page(page, tmp_path, monkeypatch, runnable(page))


def python_blocks(page: Path) -> list[str]:
    """The Python of a page."""
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.S | re.M)


BLOCKS = [
    pytest.param(number, marks=[pytest.mark.full] if '"catch"' in block else [])
    for number, block in enumerate(python_blocks(ROOT / "README.md"))
]


@pytest.mark.parametrize("number", BLOCKS)
def test_the_readmes_python_says_what_it_says(number, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    block, names = python_blocks(ROOT / "README.md")[number], {}
    exec(block, names)
    said = capsys.readouterr().out
    for promise in re.findall(r"print\(.*\)  # (.*?)(?: \.\.\.)?$", block, flags=re.M):
        assert promise in said, f"it says '{promise}' and prints: {said}"
    if "page" in names:
        names["page"].close()
        assert (tmp_path / "reach.html").stat().st_size < 3e6


def test_the_first_python_is_short():
    lines = [line for line in python_blocks(ROOT / "README.md")[0].splitlines() if line.strip()]
    assert len(lines) <= 10


def test_pictures_and_links_are_there_and_small():
    text = (ROOT / "README.md").read_text()
    for name in re.findall(r"\]\(([^)#]+)\)", text):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"\(([^)]+\.gif)\)", text):
        assert (ROOT / name).stat().st_size < 600_000, name


def test_most_commands_are_run():
    pages = [page for page in PAGES if page.suffix == ".md"]
    whole = [c for page in pages for c in page_commands(page) if takes_no_more(words_of(c.text))]
    assert sum(len(runnable(page)) for page in pages) > 0.55 * len(whole)
