"""What labs register, and the names of the tasks.

A lab is a package with a file `lab.py` that holds `LAB`. The labs of Carpal are the packages inside `carpal.labs`; other
packages add theirs by an entry point of the group "carpal.labs" that names such a module. Command line, reports and
viewer know labs only through this file.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import pkgutil
from dataclasses import dataclass, field
from typing import Any

from carpal.errors import CarpalError, unknown_name
from carpal.tasks.task import Task

LABS_PACKAGE = "carpal.labs"
ENTRY_POINTS = "carpal.labs"


@dataclass(frozen=True)
class Lab:
    """What a lab offers, each as "module:name", so that nothing is imported before it is used.

    Args:
        name: of the lab and of its task.
        task: a class derived from `Task`.
        commands: a function `add_commands(app)` that adds commands of its own to the command line.
        own_command: the lab's `commands` also hold the command of its task; otherwise it is generated from the options.
        pages: pages of the studio by name: functions `open_page(folder, *, host, port)`.
        panel: a class whose instances add to the studio's page of tasks: `Panel(server, task_class, page_panel)`.
    """

    name: str
    task: str | None = None
    commands: str | None = None
    own_command: bool = False
    pages: dict[str, str] = field(default_factory=dict)
    panel: str | None = None


REACH = Lab(name="reach", task="carpal.tasks.reach.task:Reach")


@functools.cache
def labs() -> dict[str, Lab]:
    """Every registered lab by its name."""
    package = importlib.import_module(LABS_PACKAGE)
    modules = [f"{LABS_PACKAGE}.{found.name}.lab" for found in pkgutil.iter_modules(package.__path__) if found.ispkg]
    modules += [point.module for point in importlib.metadata.entry_points(group=ENTRY_POINTS)]
    found = [importlib.import_module(module).LAB for module in modules]
    return {lab.name: lab for lab in sorted([*found, REACH], key=lambda lab: lab.name)}


def load_door(where: str) -> Any:
    """The object that a lab registered as "module:name"."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)


def tasks() -> tuple[str, ...]:
    """Names that `make_task` and the command line know."""
    return tuple(name for name, lab in labs().items() if lab.task)


def task_class(name: str) -> type[Task]:
    """The class of a task: a name from `tasks()`, or "module:Class" of your own."""
    lab = labs().get(name)
    where = lab.task if lab is not None and lab.task else name
    if ":" not in where:
        raise unknown_name("task", name, tasks())
    try:
        found = load_door(where)
    except (ImportError, AttributeError, ValueError) as problem:
        raise CarpalError(f"the task '{name}' cannot be imported: {problem}.") from None
    if not (isinstance(found, type) and issubclass(found, Task)):
        raise CarpalError(f"'{name}' is no task: it must be a class derived from carpal.tasks.Task.")
    return found


def make_task(name: str, **options: Any) -> Task:
    """A task with its options.

    Example:
        >>> carpal.tasks.make_task("reach", robot="sawyer", duration=3.0)
    """
    return task_class(name)(**options)
