"""`carpal collide`: does a scene touch itself, where, how deep; and is the way to another configuration free."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from carpal.cli.terminal import AsJson, numbers, print_result
from carpal.errors import InputError

SceneFile = Annotated[Path, typer.Argument(help="A scene as TOML; see `Scene.from_toml`.")]


def collide_command(
    scene: SceneFile,
    q: Annotated[str | None, typer.Option(help="Configuration: nq numbers; where the scene begins by default.")] = None,
    to: Annotated[str | None, typer.Option(help="Also sweep to this configuration: nq numbers.")] = None,
    margin: Annotated[float, typer.Option(help="Pairs at most this near [m] count as touching.")] = 0.0,
    resolution: Annotated[
        float | None, typer.Option(help="Sweep in steps of this approach [m]; conservatively by default.")
    ] = None,
    hold: Annotated[
        list[str] | None, typer.Option(help="OBJECT=BODY: the object is carried by the body; may be repeated.")
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(help="A,B: contact of these two does not count; may be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say whether shapes of a scene touch, which two are nearest, and how deep they are.

    Example: carpal collide scene.toml --q 0 0.5 0 -0.5 0 0 0 --json
    """
    import numpy as np

    from carpal.contact import collides, distance, sweep
    from carpal.model import Scene

    if scene.suffix != ".toml":
        raise InputError(f"a scene file ends in .toml; got '{scene}'.")
    made = Scene.from_toml(scene)
    model = made.build()
    options: dict[str, Any] = {
        "held": dict(two_names(text, "=", "--hold", "OBJECT=BODY") for text in hold or []),
        "exclude": [two_names(text, ",", "--exclude", "A,B") for text in exclude or []],
    }
    here = np.array(model.q_home if q is None else numbers(q, "--q"))
    hit, near = collides(made, here, margin=margin, **options), distance(made, here, **options)
    names = near.names()
    answer: dict[str, Any] = {
        "ok": True, "status": near.status, "scene": made.name, "collides": bool(hit),
        "pair": None if names is None else list(names), "distance_m": float(near.distance),
        "depth_m": float(near.depth), "p_WA": near.p_WA.tolist(), "p_WB": near.p_WB.tolist(),
        "n_AB_W": near.n_AB_W.tolist(), "pairs": len(near.tables.pairs), "q": here.tolist(),
    }  # fmt: skip
    lines = [f"{'touching' if hit else 'free'}: {near.status}"]
    if to is not None:
        way = sweep(made, here, np.array(numbers(to, "--to")), resolution=resolution, **options)
        met = way.names()
        answer["sweep"] = {
            "free": bool(way), "status": way.status, "pair": None if met is None else list(met),
            "at": float(way.at), "distance_m": float(way.distance), "looks": int(way.looks),
        }  # fmt: skip
        lines.append(way.status)
    elif resolution is not None:
        raise InputError("--resolution belongs to a sweep: give --to as well.")
    print_result(answer, "\n".join(lines), as_json)


def two_names(text: str, between: str, option: str, form: str) -> tuple[str, str]:
    """The two parts of an option such as OBJECT=BODY."""
    first, found, second = text.partition(between)
    if not found or not first.strip() or not second.strip():
        raise InputError(f"{option} takes {form}; got '{text}'.")
    return first.strip(), second.strip()


def add_contact_commands(app: typer.Typer) -> None:
    """Register this file's commands."""
    app.command("collide")(collide_command)
