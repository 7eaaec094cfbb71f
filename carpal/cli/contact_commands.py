"""`carpal collide`: whether a scene touches itself, where and how deep, and whether a motion is free."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from carpal.cli.options import JsonOption, add_command, argument, option
from carpal.cli.terminal import load_scene, print_result
from carpal.errors import InputError


@dataclass(frozen=True, kw_only=True)
class SceneOptions:
    """Of commands about one scene and what collides in it."""

    scene: Path = argument("A scene as TOML (see `Scene.from_toml`), or a robot: a catalogue name or a file.")
    margin: float = option(0.0, "Pairs at most this near [m] count as touching.")
    hold: list[str] | None = option(None, "OBJECT=BODY: the object is carried by the body; may be repeated.")
    exclude: list[str] | None = option(None, "A,B: contact of these two does not count; may be repeated.")
    tool: str | None = option(None, "The frame that is the robot's tool; a TOML file names its own.")

    def load(self) -> Any:
        """The scene."""
        return load_scene(self.scene, self.tool)

    @property
    def collision_options(self) -> dict[str, Any]:
        """`held` and `exclude` as the library takes them."""
        return {
            "held": dict(two_names(text, "=", "--hold", "OBJECT=BODY") for text in self.hold or []),
            "exclude": [two_names(text, ",", "--exclude", "A,B") for text in self.exclude or []],
        }


@dataclass(frozen=True, kw_only=True)
class CollideOptions(SceneOptions, JsonOption):
    """Of `carpal collide`."""

    q: tuple[float, ...] | None = option(None, "Configuration: nq numbers; where the scene begins by default.")
    to: tuple[float, ...] | None = option(None, "Also sweep to this configuration: nq numbers.")
    resolution: float | None = option(None, "Sweep in steps of this approach [m]; conservatively by default.")


def collide_command(options: CollideOptions) -> None:
    """Say whether shapes of a scene touch, which two are nearest, and how deep they are.

    Example: carpal collide examples/scenes/cell.toml --q 0 0.5 0 -0.5 0 0 0 --json
    """
    import numpy as np

    from carpal.contact import collides, distance, sweep

    made, more = options.load(), options.collision_options
    here = np.array(made.build().q_home if options.q is None else options.q)
    hit, near = collides(made, here, margin=options.margin, **more), distance(made, here, **more)
    names = near.names()
    answer: dict[str, Any] = {
        "ok": True, "status": near.status, "scene": made.name, "collides": bool(hit),
        "pair": None if names is None else list(names), "distance_m": float(near.distance),
        "depth_m": float(near.depth), "p_WA": near.p_WA.tolist(), "p_WB": near.p_WB.tolist(),
        "n_AB_W": near.n_AB_W.tolist(), "pairs": len(near.tables.pairs), "q": here.tolist(),
    }  # fmt: skip
    lines = [f"{'touching' if hit else 'free'}: {near.status}"]
    if options.to is not None:
        way = sweep(made, here, np.array(options.to), resolution=options.resolution, **more)
        met = way.names()
        answer["sweep"] = {
            "free": bool(way), "status": way.status, "pair": None if met is None else list(met),
            "at": float(way.at), "distance_m": float(way.distance), "checks": int(way.checks),
        }  # fmt: skip
        lines.append(way.status)
    elif options.resolution is not None:
        raise InputError("--resolution belongs to a sweep: give --to as well.")
    print_result(answer, "\n".join(lines), options.as_json)


def two_names(text: str, between: str, option: str, form: str) -> tuple[str, str]:
    """The two parts of an option such as OBJECT=BODY."""
    first, found, second = text.partition(between)
    if not found or not first.strip() or not second.strip():
        raise InputError(f"{option} takes {form}; got '{text}'.")
    return first.strip(), second.strip()


def add_contact_commands(app: typer.Typer) -> None:
    """Register this file's commands."""
    add_command(app, "collide", collide_command)
