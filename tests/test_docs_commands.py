"""Every `carpal ...` command of README, docs and help texts exists, takes these options, and names files that are there.

Nothing is run: the command line's parser reads the words, and a task's options are checked by the task's own reader.
"""

from __future__ import annotations

import ast
import functools
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

from carpal.cli.command_line import app
from carpal.cli.terminal import join_numbers
from carpal.tasks import labs, make_task

ROOT = Path(__file__).parent.parent
PAGES = sorted([
    ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("tutorials/*.md"),
    *(ROOT / "studies").glob("*.toml"), *(ROOT / "examples").rglob("*.toml"),
])  # fmt: skip
SUFFIXES = (
    ".toml", ".csv", ".json", ".jsonl", ".obj", ".parquet", ".npz", ".xml", ".urdf", ".mjcf", ".html", ".pem", ".key", ".task",
)  # fmt: skip
OUTPUTS = ("--out", "--record", "--report", "--log")
YOURS = {
    "mine.toml", "hand.csv", "glove.csv", "clicked.json", "ground.obj", "word.jsonl", "hands.npz", "token",
    "hand_landmarker.task", "robot.urdf", "end.pem", "end.key", "ca.pem", "run.parquet",
    "run.mcap", "trajectory.npz", "motion.mcap", "out/thesis", "out/tuned", "study.toml",
}  # fmt: skip
"""Files that a user brings: the page says so. Other files belong under examples/ or studies/."""


class Command(NamedTuple):
    """One command as it stands in a page or a help text."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


def page_commands(path: Path) -> list[Command]:
    """Commands of a page: lines of code blocks, and words in backticks; of a TOML file, its comments."""
    where, text = path.relative_to(ROOT).as_posix(), path.read_text()
    found = []
    if path.suffix == ".toml":
        lines = enumerate(text.splitlines(), start=1)
        return [Command(where, n, line.lstrip("# ")) for n, line in lines if re.match(r"#\s+carpal [a-z]", line)]

    def keep_lines(match: re.Match[str]) -> str:
        first = text.count("\n", 0, match.start()) + 1
        for number, line in enumerate(match.group().splitlines(), start=first):
            if re.match(r"\s*carpal [a-z]", line):
                found.append(Command(where, number, line.strip()))
        return re.sub(r"[^\n]", "", match.group())

    prose = re.sub(r"^```.*?^```", keep_lines, text, flags=re.S | re.M)
    found += inline_commands(where, prose, 1)
    return sorted(found, key=lambda command: command.line)


def inline_commands(where: str, text: str, line: int) -> list[Command]:
    """Commands in backticks; the text's first line has this number."""
    matches = re.finditer(r"(?<!`)`(carpal [a-z][^`]*)`", text)
    return [Command(where, line + text.count("\n", 0, m.start()), " ".join(m.group(1).split())) for m in matches]


@functools.cache
def help_commands() -> tuple[Command, ...]:
    """Commands in the strings of the package: after "Example:", as a task's `example`, and in backticks."""
    found = []
    for path in sorted([*(ROOT / "carpal").rglob("*.py"), *(ROOT / "examples").glob("*.py")]):
        text = path.read_text()
        if "carpal " not in text:
            continue
        where = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found += inline_commands(where, node.value, node.lineno)
                for match in re.finditer(r"Example: (carpal .*)", node.value):
                    number = node.lineno + node.value.count("\n", 0, match.start())
                    found += [
                        Command(where, number, text) for text in re.findall(r"carpal .*?(?=\s{2,}|$)", match.group(1))
                    ]
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "example":
                found.append(Command(where, node.lineno, ast.literal_eval(node.value)))
    return tuple(found)


def words_of(text: str) -> list[str]:
    """The words after `carpal`: comments, brackets of a usage line and what follows a bar are left out."""
    words = shlex.split(text, comments=True)[1:]
    words = words[: words.index("|")] if "|" in words else words
    return join_numbers([word.strip("[]") for word in words])


@functools.cache
def command_line() -> Any:
    """The command line as a tree of commands."""
    return typer.main.get_command(app)


def parse(text: str) -> None:
    """Read a command as the command line would, without running it; raises where it does not fit."""
    words, command = words_of(text), command_line()
    names: list[str] = []
    while hasattr(command, "commands") and words:
        names.append(words.pop(0))
        if names[-1] not in command.commands:
            raise ValueError(f"no command '{names[-1]}'; commands: {', '.join(command.commands)}")
        command = command.commands[names[-1]]
    if not words:  # the command is only mentioned
        return
    valued = {name for option in command.params if not getattr(option, "is_flag", False) for name in option.opts}
    if "[" in text or words[-1] in valued:  # a usage line, or an option that is only mentioned: there are no values
        known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
        unknown = [word for word in words if word.startswith("--") and word.partition("=")[0] not in known]
        if unknown:
            raise ValueError(f"no option {unknown[0]}")
        return
    context = command.make_context(names[-1], list(words))
    if names[-1] in labs() and not labs()[names[-1]].own_command:
        _check_task(names[-1], context.params)


def _check_task(name: str, given: dict[str, Any]) -> None:
    common = ("seed", "seeds", "processes", "device", "cluster", "as_json", "out")
    make_task(name, **{key: value for key, value in given.items() if value is not None and key not in common})


def files_of(text: str) -> Iterator[tuple[str, bool]]:
    """Files and folders that a command names, and whether it writes them."""
    words = words_of(text)
    before = ""
    for word in words:
        option, equals, value = word.partition("=")
        name = value if equals and option.startswith("--") else word
        writes = (option if equals else before) in OUTPUTS
        if writes or name.endswith(SUFFIXES) or name.startswith("out/") or before == "--token-file":
            yield name, writes
        before = word


def missing_files(commands: list[Command], made: list[str]) -> list[str]:
    """Files that are neither in the repository, nor made by an earlier command, nor the user's own."""
    missing, made = [], list(made)
    for command in commands:
        for name, writes in files_of(command.text):
            if writes:
                made.append(name)
            elif not (
                name in YOURS
                or Path(name).stem.isupper()
                or (ROOT / name).exists()
                or any(name == other or name.startswith(other + "/") for other in made)
            ):
                missing.append(f"{command}: '{name}' is not there")
    return missing


def problems_of(commands: list[Command]) -> list[str]:
    """What does not parse."""
    problems = []
    for command in commands:
        try:
            parse(command.text)
        except Exception as error:
            say = getattr(error, "format_message", None)
            problems.append(f"{command}: {say() if say else error}")
    return problems


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_commands_of_a_page(page):
    commands = page_commands(page)
    problems = [*problems_of(commands), *missing_files(commands, [])]
    assert not problems, "\n" + "\n".join(problems)


def test_commands_of_the_help_texts():
    commands = list(help_commands())
    assert len(commands) > 40
    made = [
        name for page in PAGES for command in page_commands(page) for name, writes in files_of(command.text) if writes
    ]
    made += [name for command in commands for name, writes in files_of(command.text) if writes]
    problems = [*problems_of(commands), *missing_files(commands, made)]
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("carpal fly sawyer", "no command 'fly'"),
        ("carpal fk sawyer --qq 1", "No such option"),
        ("carpal fk", ""),
        ("carpal sign play", ""),
        ("carpal ik k10 --point 0.4 -0.1 0.2 --json", ""),
        ("carpal linkage FILE.toml [--forces F]", "no option --forces"),
        ("carpal reach --duration fast", "duration"),
        ("carpal reach --json extra", "unexpected extra argument"),
    ],
)
def test_what_does_not_fit_is_found(text, problem):
    found = "\n".join(problems_of([Command("page.md", 1, text)]))
    assert problem in found and bool(found) == bool(problem)


def test_a_file_must_exist_or_be_made():
    page = [
        Command("page.md", 1, "carpal finger identify out/f/record.csv"),
        Command("page.md", 2, "carpal reach --out out/f"),
    ]
    assert len(missing_files(page, [])) == 1 and not missing_files(page[::-1], [])
    assert missing_files([Command("page.md", 1, "carpal collide there_is_none.toml")], [])
