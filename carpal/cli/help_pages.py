"""Help pages: commands in panels with their whole first sentence, the same on a terminal and in a pipe."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

PANELS = {
    "Robots": (
        "robots", "show", "view", "fk", "ik", "workspace", "arm-angle", "arms", "mountings", "linkage", "finger",
    ),
    "Motion": ("plan", "simulate", "compare"),
    "Contact": ("collide",),
    "Tasks": (),
    "Studies and reports": ("study", "report", "studio", "examples"),
}  # fmt: skip
"""Panels of `carpal --help` in their order; a command that is not named is a task or a lab's."""


class HelpPages(TyperGroup):
    """A group of commands whose help goes to stdout, also when no command is given."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Without any word, the help."""
        return super().parse_args(ctx, args or ["--help"])

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Names with the first sentence of their help, uncut; wrapped where the terminal is narrow."""
        names = [name for name, command in self.commands.items() if not command.hidden]
        panels = {"Commands": names} if ctx.parent else panels_of(names)
        for title, members in panels.items():
            with formatter.section(title):
                formatter.write_dl([(name, first_line(self.commands[name].help or "")) for name in members])


def panels_of(names: list[str]) -> dict[str, list[str]]:
    """Commands of the program by panel."""
    placed = {name for members in PANELS.values() for name in members}
    found = {title: [name for name in members if name in names] for title, members in PANELS.items()}
    found["Tasks"] += [name for name in names if name not in placed]
    return {title: members for title, members in found.items() if members}


def first_line(text: str) -> str:
    """The first paragraph in one line, without an example that stands in it."""
    return " ".join(text.partition("\n\n")[0].partition("Example:")[0].split())
