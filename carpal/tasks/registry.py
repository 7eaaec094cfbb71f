"""Names of the tasks, and how to make one."""

from __future__ import annotations

import importlib
from typing import Any

from carpal.errors import CarpalError, unknown_name
from carpal.tasks.task import Task

_TASKS = {
    "catch": "carpal.tasks.catch.task:Catch",
    "reach": "carpal.tasks.reach.task:Reach",
    "mount": "carpal.tasks.mount.task:Mount",
    "dexterity": "carpal.tasks.dexterity.task:Dexterity",
    "sign": "carpal.tasks.sign.task:Sign",
    "retrieve": "carpal.tasks.retrieve.task:Retrieve",
}


def tasks() -> tuple[str, ...]:
    """Names that `make_task` and the command line know."""
    return tuple(_TASKS)


def task_class(name: str) -> type[Task]:
    """The class of a task: a name from `tasks()`, or "module:Class" of your own."""
    where = _TASKS.get(name, name)
    module, colon, kind = where.partition(":")
    if not colon:
        raise unknown_name("task", name, _TASKS)
    try:
        found = getattr(importlib.import_module(module), kind)
    except (ImportError, AttributeError) as problem:
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
