"""`carpal sign play TEXT` and `carpal sign letters`: spell a text, and show an alphabet on a hand."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from carpal.cli import COMMON, AsJson, HelpPages, Out, print_result, run_task, task_command
from carpal.labs.sign.board_commands import add_board_commands
from carpal.labs.sign.frame_commands import add_frame_commands
from carpal.labs.sign.link_commands import add_sign_link_commands
from carpal.labs.sign.reading_commands import add_sign_reading_commands
from carpal.labs.sign.stroke_commands import add_stroke_commands
from carpal.tasks import task_class

Text = Annotated[
    str, typer.Argument(help="What to spell; spaces are pauses, [NAME] is a sign with a name.", metavar="TEXT")
]


def play_command() -> Any:
    """The task's own command, its text as a word of its own."""
    plain = task_command("sign", task_class("sign"))
    rest = [p for p in inspect.signature(plain).parameters.values() if p.name != "text"]

    def command(text: str, **given: Any) -> None:
        common = {word: given.pop(word) for word in COMMON}
        options = {word: value for word, value in given.items() if value is not None}
        raise typer.Exit(run_task("sign", {"text": text, **options}, **common))

    first = inspect.Parameter("text", inspect.Parameter.KEYWORD_ONLY, annotation=Text)
    command.__signature__ = inspect.Signature([first, *rest])  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in (first, *rest)}
    return command


def letters_command(
    robot: Annotated[str, typer.Option(help="parloma, cuhk, or a driver file that ends in .toml.")] = "parloma",
    alphabet: Annotated[str, typer.Option(help="Name of an alphabet, or a file that ends in .toml.")] = "italian",
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """How a hand shows an alphabet: every letter's distances and misfits; with --out also a picture of all handshapes.

    Example: carpal sign letters --robot cuhk --out out/letters
    """
    import numpy as np

    from carpal.labs.sign.files.alphabet import read_alphabet
    from carpal.labs.sign.hand.letters import letters_of, nearest_letters
    from carpal.labs.sign.hand.sign_hand import sign_hand

    hand, known = sign_hand(robot), read_alphabet(alphabet)
    shown, refused = letters_of(hand, known)
    rows = [
        {
            "letter": name, "palm": one.letter.right.palm, "motion": one.letter.right.motion,
            "min_distance_mm": 1e3 * one.distance, "misfit_deg": float(np.degrees(one.misfit)),
            "moved_deg": float(np.degrees(one.moved)), "gap_mm": None if np.isnan(one.gap) else 1e3 * one.gap,
        }
        for name, one in shown.items()
    ]  # fmt: skip
    a, b, away = nearest_letters(shown, hand)
    status = f"{len(shown)} of {len(known.letters)} letters of '{known.name}' on '{hand.driver.hand}'"
    if len(shown) > 1 and a:
        status += f"; {a} and {b} are most alike, {np.degrees(away):.0f} deg at one joint"
    result: dict[str, Any] = {
        "ok": not refused, "status": f"{status}.", "robot": robot, "alphabet": known.name, "letters": rows,
        "discarded": [{"letter": name, "reason": reason} for name, reason in refused.items()],
    }  # fmt: skip
    lines = [result["status"], f"{known.about}", "letter  palm     motion  nearest parts  farthest joint  moved aside"]
    for row in rows:
        lines.append(
            f"{row['letter']:<7} {row['palm']:<8} {row['motion'] or '-':<7} {row['min_distance_mm']:8.1f} mm "
            f"{row['misfit_deg']:10.0f} deg {row['moved_deg']:9.0f} deg"
            + ("" if row["gap_mm"] is None else f"   fingertips that meet: {row['gap_mm']:.1f} mm apart")
        )
    lines += [f"{name}: discarded, {reason}" for name, reason in refused.items()]
    if out is not None:
        from carpal.labs.sign.hand.pictures import save_alphabet_picture

        result["picture"] = str(save_alphabet_picture(hand, known, shown, out / f"letters_{hand.driver.name}.png"))
        lines.append(f"picture: {result['picture']}")
    print_result(result, "\n".join(lines), as_json)
    raise typer.Exit(0 if result["ok"] else 1)


def add_commands(app: typer.Typer) -> None:
    """`carpal sign` with its verbs."""
    group = typer.Typer(
        cls=HelpPages,
        rich_markup_mode=None,
        help='Spell texts by a manual alphabet. Example: carpal sign play "CIAO"',
    )
    kind = task_class("sign")
    group.command("play", help=f"{kind.about}\n\nExample: {kind.example}")(play_command())
    group.command("letters")(letters_command)
    add_sign_link_commands(group)
    add_sign_reading_commands(group)
    add_frame_commands(group)
    add_board_commands(group)
    add_stroke_commands(group)
    app.add_typer(group, name="sign")
