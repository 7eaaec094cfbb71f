"""The command line: `carpal robots`, `carpal show`, `carpal fk`, and the commands of the files beside this one.

Exit status 0 when the job did what was asked, 1 when it could not be done (out of reach, no path), 2 for bad input, each with
one clear line. `--json` prints one JSON object and
nothing else on stdout. Files named here are read in a capped child process.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from carpal.cli.arm_angle_commands import add_arm_angle_commands
from carpal.cli.arms_commands import add_arms_commands
from carpal.cli.compare_commands import add_compare_commands
from carpal.cli.contact_commands import add_contact_commands
from carpal.cli.examples_commands import add_examples_commands
from carpal.cli.export_commands import add_export_commands
from carpal.cli.help_pages import HelpPages
from carpal.cli.identify_commands import add_identify_commands
from carpal.cli.kinematics_commands import add_kinematics_commands
from carpal.cli.linkage_commands import add_linkage_commands
from carpal.cli.options import JsonOption, OutOption, RobotOptions, add_command, option
from carpal.cli.plan_commands import add_plan_commands
from carpal.cli.simulate_commands import add_simulate_commands
from carpal.cli.so101_commands import add_so101_commands
from carpal.cli.studio_commands import add_studio_commands
from carpal.cli.study_commands import add_study_commands
from carpal.cli.task_commands import add_lab_commands, add_task_commands
from carpal.cli.terminal import join_numbers, not_a_number, print_result
from carpal.cli.view_commands import add_view_commands
from carpal.errors import CarpalError, UnreachableError, unknown_name

app = typer.Typer(
    name="carpal",
    cls=HelpPages,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Robot arms and hands: kinematics, dynamics, contact, planning, simulation. Example: carpal show sawyer",
)


def _print_version(asked: bool) -> None:
    if asked:
        from carpal import __version__

        print(f"carpal {__version__}")
        raise typer.Exit


@app.callback()
def _before_any_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class RobotsOptions(OutOption):
    """Of `carpal robots`."""

    zoo: bool = option(False, "Robots of other packages, with source and licence.", flag="--zoo")


def robots_command(options: RobotsOptions) -> None:
    """List the catalogue, or with --zoo the robots of other packages.

    Example: carpal robots --out out/robots   (also draws all of them into one picture)
    """
    from carpal.model import describe, load, robots, zoo_table

    if options.zoo:
        table = zoo_table()
        there = sum(row["installed"] for row in table)
        status = f'{there} of {len(table)} robots of other packages are there; the others: pip install "carpal[zoo]".'
        lines = [f"{'name':<18}{'source':<20}{'licence':<32}installed"]
        lines += [
            f"{r['name']:<18}{r['source']:<20}{r['licence']:<32}{'yes' if r['installed'] else 'no'}" for r in table
        ]
        print_result({"ok": True, "status": status, "robots": table}, "\n".join([status, *lines]), options.as_json)
        return
    rows = [{"name": name, "about": describe(name)} for name in robots()]
    result: dict[str, Any] = {"ok": True, "status": f"{len(rows)} robots in the catalogue.", "robots": rows}
    lines = [f"{row['name']:<12} {row['about']}" for row in rows]
    if options.out is not None:
        from carpal.report import save_portrait

        path = save_portrait([load(name) for name in robots()], options.out / "robots.png")
        result["picture"] = str(path)
        lines.append(f"picture: {path}")
    print_result(result, "\n".join(lines), options.as_json)


@dataclass(frozen=True, kw_only=True)
class ShowOptions(RobotOptions, OutOption):
    """Of `carpal show`."""

    q: tuple[float, ...] | None = option(None, "Configuration to draw [rad, m]; the home one by default.")


def show_command(options: ShowOptions) -> None:
    """Show a robot as a table; with --out also a picture, the table, its MJCF and its URDF.

    Example: carpal show k10 --option mounting=upside_down --out out/k10
    """
    from carpal.model import model_to_dict

    model, out = options.load(), options.out
    files = {}
    if out is not None:
        from carpal.report import save_robot_picture

        files["picture"] = str(save_robot_picture(model, out / f"{model.name}.png", options.q))
        texts = {"table": (str(model), "txt"), "mjcf": (model.to_mjcf(), "xml")}
        if all(body.joint.kind != "ball" for body in model.bodies):
            texts["urdf"] = (model.to_urdf(), "urdf")
        for name, (text, suffix) in texts.items():
            path = out / f"{model.name}.{suffix}"
            path.write_text(text + "\n")
            files[name] = str(path)
    status = f"{model.name} has {model.nv} freedoms in {len(model.bodies)} bodies."
    text = "\n".join([str(model), *(f"{name}: {path}" for name, path in files.items())])
    print_result({"ok": True, "status": status, "model": model_to_dict(model), "files": files}, text, options.as_json)


@dataclass(frozen=True, kw_only=True)
class FkOptions(RobotOptions, JsonOption):
    """Of `carpal fk`."""

    q: tuple[float, ...] | None = option(None, "Configuration: nq numbers; the home one by default.")
    frame: str | None = option(None, "A frame of the robot; the tool by default.")
    degrees: bool = option(False, "Angles of --q are in degrees.")


def fk_command(options: FkOptions) -> None:
    """Where a frame is at a configuration.

    Example: carpal fk sawyer --q 0 0.5 0 -0.5 0 0 0
    """
    import numpy as np

    from carpal.kinematics import fk
    from carpal.spatial import rotation_vector, wxyz_from_rotation

    model, frame = options.load(), options.frame
    given = np.asarray(model.q_home if options.q is None else options.q)
    if options.degrees and options.q is not None and given.shape == (model.nq,):
        given = given * _radians_where_angle(model)
    X = fk(model, given, frame)
    name = model.tool if frame is None else frame
    p, R = X[:3, 3], X[:3, :3]
    status = f"{name} of {model.name} is at ({p[0]:.6f}, {p[1]:.6f}, {p[2]:.6f}) m."
    rows = "\n".join("  " + "  ".join(f"{value: .6f}" for value in row) for row in X)
    angle = float(np.degrees(np.linalg.norm(rotation_vector(R))))
    text = f"{status}\nX_W{name} (turned by {angle:.3f} deg):\n{rows}"
    result = {
        "ok": True, "status": status, "robot": model.name, "frame": name, "q": given.tolist(), "X_WF": X.tolist(),
        "position_m": p.tolist(), "wxyz": wxyz_from_rotation(R).tolist(),
    }  # fmt: skip
    print_result(result, text, options.as_json)


def _radians_where_angle(model: Any) -> Any:
    import numpy as np

    from carpal.model import NQ

    factors = [[np.pi / 180] if kind == "revolute" else [1.0] * NQ[kind] for kind, _ in model.joint_slices()]
    return np.array([factor for group in factors for factor in group])


add_command(app, "robots", robots_command)
add_command(app, "show", show_command)
add_command(app, "fk", fk_command)
add_examples_commands(app)
add_kinematics_commands(app)
add_arm_angle_commands(app)
add_arms_commands(app)
add_contact_commands(app)
add_linkage_commands(app)
add_plan_commands(app)
add_simulate_commands(app)
add_compare_commands(app)
add_task_commands(app)
add_lab_commands(app)
add_studio_commands(app)
add_view_commands(app)
add_export_commands(app)
add_identify_commands(app)
add_so101_commands(app)
add_study_commands(app)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    words = join_numbers(given)
    try:
        known = [str(command.name) for command in app.registered_commands]
        known += [str(group.name) for group in app.registered_groups]
        if words and not words[0].startswith("-") and words[0] not in known:
            raise unknown_name("command", words[0], known)
        status = app(words, standalone_mode=False)
        sys.stdout.flush()  # a full disk is noticed here
    except (CarpalError, typer.TyperException) as problem:
        say = getattr(problem, "format_message", None)  # typer's own errors name the option only there
        message = not_a_number(given) if "unexpected extra argument" in str(problem) else ""
        message = message or (say() if say else "") or str(problem)
        if "--json" in words:
            print(json.dumps({"ok": False, "status": message}))
        print(f"carpal: {message}", file=sys.stderr)
        return 1 if isinstance(problem, UnreachableError) else 2
    except BrokenPipeError:  # whoever read the output has seen enough
        _drop_output()
        return 141
    except OSError as problem:
        where = f"'{str(problem.filename)[:120]}'" if problem.filename is not None else "the output"
        print(f"carpal: {where} cannot be used: {problem.strerror or problem}.", file=sys.stderr)
        _drop_output()
        return 2
    except (KeyboardInterrupt, typer.Abort):
        if "--json" in words:
            print(json.dumps({"ok": False, "status": "interrupted."}))
        print("carpal: interrupted.", file=sys.stderr)
        return 130
    return status if isinstance(status, int) else 0


def _drop_output() -> None:
    """What is left in the buffer of stdout has nowhere to go: Python would try again, and complain, at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run() -> None:
    """The `carpal` program."""
    sys.exit(main())


if __name__ == "__main__":
    run()
