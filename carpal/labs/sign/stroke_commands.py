"""`carpal sign strokes`: a text as touches on a hand (Lorm, Malossi), and letters read from recorded touches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from carpal.cli import AsJson, Out, print_result
from carpal.errors import InputError

if TYPE_CHECKING:
    from carpal.labs.sign.touch.strokes import TouchPath
    from carpal.spatial import Array

HEAD = "time,finger,x,y,z"
MOST_ROWS = 1_000_000


def save_touches(path: TouchPath, file: Path) -> Path:
    """Write touches as rows time [s], finger (0 to 3), x, y, z [m]; a finger that does not touch has no row."""
    import numpy as np

    rows = [
        f"{path.time[k]:.4f},{finger},{x:.6f},{y:.6f},{z:.6f}"
        for k, finger in np.argwhere(np.isfinite(path.points).all(-1))
        for x, y, z in [path.points[k, finger]]
    ]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([HEAD, *rows]) + "\n")
    return file


def read_touches(file: Path) -> TouchPath:
    """Touches from a file of such rows, evenly paced at the rate of strokes."""
    import numpy as np

    from carpal.labs.sign.touch.strokes import FINGERS, RATE, TouchPath
    from carpal.model import file_text

    lines = file_text(file, f"'{file}'", 100_000_000).split()
    if not lines or lines[0] != HEAD:
        raise InputError(f"'{file.name}' must begin with the line {HEAD}.")
    try:
        rows = np.array([[float(word) for word in line.split(",")] for line in lines[1:]], float)
    except ValueError:
        raise InputError(f"'{file.name}' must hold five numbers in every row.") from None
    if rows.ndim != 2 or rows.shape[1] != 5 or not np.isfinite(rows).all() or len(rows) > MOST_ROWS:
        raise InputError(f"'{file.name}' must hold rows of five finite numbers, {MOST_ROWS} at most.")
    at, finger = np.round(rows[:, 0] * RATE).astype(int), rows[:, 1].astype(int)
    if at.min() < 0 or at.max() > MOST_ROWS or finger.min() < 0 or finger.max() >= FINGERS:
        raise InputError(f"'{file.name}' must have times from 0 and fingers from 0 to {FINGERS - 1}.")
    points = np.full((at.max() + 1, FINGERS, 3), np.nan)
    points[at, finger] = rows[:, 2:]
    return TouchPath(np.arange(len(points)) / RATE, points)


def receiving_hand(file: Path | None) -> Array:
    """Landmarks (21, 3) [m] of the receiver's left hand: from a file, or the open hand of the package, mirrored."""
    import numpy as np

    from carpal.labs.sign.hand.sign_hand import sign_hand
    from carpal.labs.sign.reading.robot_landmarks import robot_landmarks
    from carpal.labs.sign.touch.strokes import checked_hand

    if file is None:
        open_hand = sign_hand("parloma")
        return robot_landmarks(open_hand, open_hand.home) * [1, -1, 1]
    try:
        return checked_hand(np.loadtxt(file, delimiter=","))
    except (OSError, ValueError) as problem:
        raise InputError(f"'{file.name}' must hold 21 rows x,y,z of landmarks [m]: {problem}") from None


def strokes_command(
    text: Annotated[str, typer.Argument(help="What to spell; not with --read.", metavar="TEXT")] = "",
    alphabet: Annotated[str, typer.Option(help="lorm, malossi, or a file that ends in .toml.")] = "lorm",
    hand: Annotated[
        Path | None, typer.Option(help="Receiver's hand: 21 rows x,y,z [m], .csv; by default an open hand.")
    ] = None,
    read: Annotated[
        Path | None, typer.Option(help="Read letters from recorded touches, .csv as --out writes them.")
    ] = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Spell a text by touches on the receiver's hand (Lorm, Malossi), or read recorded touches; --out writes touches.csv.

    Example: carpal sign strokes "GUTEN TAG" --alphabet lorm --out out/strokes
    """
    from carpal.labs.sign.files.touch_alphabet import read_touch_alphabet
    from carpal.labs.sign.touch.strokes import read_touch_path, touch_path

    known, there = read_touch_alphabet(alphabet), receiving_hand(hand)
    if bool(text) == (read is not None):
        raise InputError("strokes needs a TEXT to spell, or --read FILE, and not both.")
    result: dict[str, Any] = {"alphabet": known.name}
    if read is not None:
        letters = read_touch_path(known, read_touches(read), there)
        none = sum(letter == "" for letter in letters)
        found = "".join(letter or "?" for letter in letters)
        status = f"{len(letters)} letters and pauses read from '{read.name}', {none} of them none: '{found}'."
        result |= {"ok": bool(letters) and not none, "status": status, "letters": list(letters), "text": found}
        lines = [status]
    else:
        path = touch_path(known, text, there)
        letters = known.spell(text)
        status = f"{len(letters)} letters and pauses of '{known.name}' in {path.time[-1]:.1f} s."
        result |= {"ok": True, "status": status, "letters": list(letters), "duration_s": float(path.time[-1])}
        lines = [status]
        for name in dict.fromkeys(name for name in letters if name != " "):
            one = known.letters[name]
            often = f", {one.times} times" if one.times > 1 else ""
            lines.append(f"{name:<4} {one.how} {' to '.join(one.places)}{often}")
        if out is not None:
            result["file"] = str(save_touches(path, out / "touches.csv"))
            lines.append(f"touches: {result['file']}")
    print_result(result, "\n".join(lines), as_json)
    raise typer.Exit(0 if result["ok"] else 1)


def add_stroke_commands(group: typer.Typer) -> None:
    """`strokes` of `carpal sign`."""
    group.command("strokes")(strokes_command)
