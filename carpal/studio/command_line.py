"""The command line: `carpal robots`, `carpal show`, `carpal fk`.

Exit status 0 when the job did what was asked, 2 with one clear line for bad input. `--json` prints one JSON object and
nothing else on stdout. Files named here are read in a capped child process.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from carpal.errors import CarpalError, InputError

app = typer.Typer(
    name="carpal",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Robot arms and hands. Example: carpal show sawyer",
)

Robot = Annotated[str, typer.Argument(help="A catalogue name (see `carpal robots`) or a .urdf, .xml or .mjcf file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Out = Annotated[Path | None, typer.Option(help="Folder for the files that this command writes.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", help="An option of the robot, name=value; may be repeated. Example: mounting=sideways"),
]


def _load(robot: str, options: list[str] | None) -> Any:
    from carpal.model import load

    named = {}
    for option in options or []:
        name, equals, value = option.partition("=")
        if not equals:
            raise InputError(f"--option takes name=value; got '{option}'.")
        named[name] = value
    return load(robot, untrusted=True, **named)


def _numbers(text: str, what: str) -> list[float]:
    try:
        return [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        raise InputError(f"{what} must be numbers separated by commas or spaces; got '{text}'.") from None


def _tell(result: dict[str, Any], text: str, as_json: bool) -> None:
    print(json.dumps(result) if as_json else text)


@app.command("robots")
def robots_command(as_json: AsJson = False, out: Out = None) -> None:
    """List the catalogue.

    Example: carpal robots --out out/robots   (also draws all of them into one picture)
    """
    from carpal.model import describe, load, robots

    rows = [{"name": name, "about": describe(name)} for name in robots()]
    result: dict[str, Any] = {"ok": True, "status": f"{len(rows)} robots in the catalogue.", "robots": rows}
    lines = [f"{row['name']:<12} {row['about']}" for row in rows]
    if out is not None:
        from carpal.studio.pictures import save_portrait

        path = save_portrait([load(name) for name in robots()], out / "robots.png")
        result["picture"] = str(path)
        lines.append(f"picture: {path}")
    _tell(result, "\n".join(lines), as_json)


@app.command("show")
def show_command(
    robot: Robot,
    option: Options = None,
    q: Annotated[str | None, typer.Option(help="Configuration to draw [rad, m]; the home one by default.")] = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Show a robot as a table; with --out also a picture, the table and its MJCF.

    Example: carpal show k10 --option mounting=upside_down --out out/k10
    """
    from carpal.model import model_to_dict

    model = _load(robot, option)
    files = {}
    if out is not None:
        from carpal.studio.pictures import save_robot_picture

        configuration = None if q is None else _numbers(q, "--q")
        files["picture"] = str(save_robot_picture(model, out / f"{model.name}.png", configuration))
        for name, text in (("table", str(model)), ("mjcf", model.to_mjcf())):
            path = out / f"{model.name}.{'txt' if name == 'table' else 'xml'}"
            path.write_text(text + "\n")
            files[name] = str(path)
    status = f"{model.name} has {model.nv} freedoms in {len(model.bodies)} bodies."
    text = "\n".join([str(model), *(f"{name}: {path}" for name, path in files.items())])
    _tell({"ok": True, "status": status, "model": model_to_dict(model), "files": files}, text, as_json)


@app.command("fk")
def fk_command(
    robot: Robot,
    q: Annotated[str | None, typer.Option(help="Configuration: nq numbers; the home one by default.")] = None,
    frame: Annotated[str | None, typer.Option(help="A frame of the robot; the tool by default.")] = None,
    degrees: Annotated[bool, typer.Option(help="Angles of --q are in degrees.")] = False,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Where a frame is at a configuration.

    Example: carpal fk sawyer --q 0 0.5 0 -0.5 0 0 0
    """
    import numpy as np

    from carpal.kinematics import fk
    from carpal.spatial import rotation_vector, wxyz_from_rotation

    model = _load(robot, option)
    given = np.asarray(model.q_home if q is None else _numbers(q, "--q"))
    if degrees and q is not None and given.shape == (model.nq,):
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
    _tell(result, text, as_json)


def _radians_where_angle(model: Any) -> Any:
    import numpy as np

    from carpal.model import NQ

    factors = [[np.pi / 180] if kind == "revolute" else [1.0] * NQ[kind] for kind, _ in model.joint_slices()]
    return np.array([factor for group in factors for factor in group])


def _join_numbers(arguments: list[str]) -> list[str]:
    """`--q 1 -2 3` as `--q=1,-2,3`: option parsers take one word per option and mistake -2 for an option."""
    out: list[str] = []
    i = 0
    while i < len(arguments):
        if arguments[i] == "--q":
            j = i + 1
            while j < len(arguments) and _is_number(arguments[j]):
                j += 1
            if j > i + 1:
                out.append("--q=" + ",".join(arguments[i + 1 : j]))
                i = j
                continue
        out.append(arguments[i])
        i += 1
    return out


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    words = _join_numbers(sys.argv[1:] if arguments is None else list(arguments))
    try:
        app(words, standalone_mode=False)
    except (CarpalError, typer.TyperException) as problem:
        message = str(getattr(problem, "message", problem)) or str(problem)
        if "--json" in words:
            print(json.dumps({"ok": False, "status": message}))
        print(f"carpal: {message}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        print("carpal: interrupted.", file=sys.stderr)
        return 130
    return 0


def run() -> None:
    """The `carpal` program."""
    sys.exit(main())


if __name__ == "__main__":
    run()
