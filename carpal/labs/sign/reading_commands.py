"""`carpal sign train`, `recognise`, `exam` and `touch`: letters read from hands, and how they feel."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

from carpal._core.progress import Bar
from carpal.cli import AsJson, Out, print_result
from carpal.errors import InputError, unknown_name

AlphabetName = Annotated[str, typer.Option(help="Name of an alphabet, or a file that ends in .toml.")]
RobotName = Annotated[str, typer.Option(help="parloma, cuhk, or a driver file that ends in .toml.")]
Reader = Annotated[str, typer.Option(help="italian, or a file that `carpal sign train` wrote.")]


def train_command(
    alphabet: AlphabetName = "italian",
    robot: Annotated[str | None, typer.Option(help="Train on this robot's hand instead of people's.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of everything that is drawn; the package's by default.")] = None,
    signs: Annotated[int | None, typer.Option(help="Simulated signs to learn from.")] = None,
    epochs: Annotated[int | None, typer.Option(help="How often all signs are seen.")] = None,
    recordings: Annotated[
        str, typer.Option(help="Train a reader of single frames on recorded hands: asl_webcam, or a .npz file.")
    ] = "",
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Train a recogniser on simulated hands, or a frame reader on recorded ones; the package's own come from this, bit for bit.

    Example: carpal sign train --out out/recognisers     or: carpal sign train --recordings asl_webcam --alphabet asl
    """
    if recordings:
        from carpal.labs.sign.frame_commands import train_on_recordings

        return train_on_recordings(
            recordings, alphabet, {"seed": seed, "simulated": signs, "epochs": epochs}, as_json, out
        )
    from carpal.labs.sign.reading.recognition import (
        ROBOT_RECIPE,
        known_recognisers,
        save_recogniser,
        sign_recogniser,
        train_sign_recogniser,
    )
    from carpal.labs.sign.reading.training import Recipe

    given = {"seed": seed, "signs": signs, "epochs": epochs}
    changes = {word: value for word, value in given.items() if value is not None}
    recipe = dataclasses.replace(Recipe() if robot is None else ROBOT_RECIPE, **changes)  # type: ignore[arg-type]
    with Bar(1, "training", shown=not as_json) as bar:
        found = train_sign_recogniser(alphabet, robot, recipe, bar.to)
    name = alphabet if robot is None else f"{alphabet}_{robot}"
    packaged = sign_recogniser(alphabet, robot).digest if name in known_recognisers() else None
    same = None if packaged is None else found.digest == packaged
    status = f"learnt {len(found.names)} letters from {recipe.signs} signs, digest {found.digest[:12]}"
    status += "" if same is None else f", {'the same as' if same else 'other than'} the package's"
    result: dict[str, Any] = {
        "ok": True, "status": f"{status}.", "letters": list(found.names), "digest": found.digest, "same_as_package": same,
        "temperature": found.temperature, "recipe": dict(found.recipe),
    }  # fmt: skip
    lines = [result["status"]]
    if out is not None:
        result["file"] = str(save_recogniser(found, out, alphabet, robot))
        lines.append(f"file: {result['file']}")
    print_result(result, "\n".join(lines), as_json)


def recognise_command(
    file: Annotated[
        Path, typer.Argument(help="Landmarks of one hand, .jsonl or .csv (docs/telephone.md); or a glove's rows.")
    ],
    reader: Reader = "italian",
    axes: Annotated[str, typer.Option(help="receiver, or camera (x right, y down, z away).")] = "receiver",
    hand: Annotated[str, typer.Option(help="right or left.")] = "right",
    glove: Annotated[
        str, typer.Option(help="The file holds a glove's rows, worn in this palm direction: forward, ...")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Read letters from landmarks or glove rows; a file that does not number its signs is cut where the fingers rest.

    Example: carpal sign recognise word.jsonl --axes camera
    """
    from carpal.perception import read_landmark_file

    if glove:
        print_letters(*_from_glove(file, glove), reader, as_json)
    rows = read_landmark_file(file, axes=axes, hand=hand)
    print_letters(rows.points, rows.signs() if rows.sign is not None else None, reader, as_json)


def _from_glove(file: Path, palm: str) -> tuple[Any, None]:
    import numpy as np

    from carpal.labs.sign.files.alphabet import read_alphabet
    from carpal.perception import SENSORS, GloveMap, glove_landmarks, read_glove_file

    palms = read_alphabet("italian").palms
    if palm not in palms:
        raise unknown_name("palm direction", palm, palms)
    values = read_glove_file(file, GloveMap(SENSORS, SENSORS, np.eye(len(SENSORS)))).targets
    return glove_landmarks(dict(zip(SENSORS, values.T, strict=True)), palms[palm]), None


def print_letters(
    points: Any, signs: list[Any] | None, reader: str, as_json: bool, files: dict[str, str] | None = None
) -> None:
    """Print what the signs of a stream say, and end with the exit status."""
    from carpal.labs.sign.reading.recognition import sign_recogniser
    from carpal.labs.sign.reading.sign_cutting import cut_signs

    if signs is None:
        signs = [points[a:b] for a, b in cut_signs(points)]
    readings = sign_recogniser(reader).recognise_many(signs)
    text = "".join(reading.letter or "?" for reading in readings)
    unknown = sum(not reading for reading in readings)
    status = f"{len(readings)} signs in {len(points)} frames, read as '{text}', {unknown} of them no letter."
    result = {
        "ok": bool(readings) and not unknown, "status": status, "text": text,
        "letters": [
            {"letter": reading.letter, "confidence": reading.confidence, "frames": reading.frames} for reading in readings
        ],
        **(files or {}),
    }  # fmt: skip
    lines = [status, *(f"  {reading.status}" for reading in readings), *(f"{k}: {v}" for k, v in (files or {}).items())]
    print_result(result, "\n".join(lines), as_json)
    raise typer.Exit(0 if result["ok"] else 1)


def exam_command(
    robot: RobotName = "parloma",
    alphabet: AlphabetName = "italian",
    signers: Annotated[int, typer.Option(help="Simulated people who sign every letter.")] = 10,
    kind: Annotated[
        str, typer.Option(help="Hands of the signers: oblique (not trained on) or anatomical.")
    ] = "oblique",
    frames: Annotated[int, typer.Option(help="Frames of a sign, at 30 a second.")] = 24,
    noise: Annotated[float, typer.Option(help="Standard deviation of landmarks [mm].")] = 5.0,
    seed: Annotated[int, typer.Option(help="Of the first signer.")] = 1000,
    as_json: AsJson = False,
) -> None:
    """Sign every letter, read it, show it on a robot, and read it from there.

    Example: carpal sign exam --robot cuhk --signers 100
    """
    from carpal.labs.sign.reading.exam import examine, none_exam
    from carpal.labs.sign.reading.recognition import sign_recogniser

    eye, robot_eye = sign_recogniser(alphabet), sign_recogniser(alphabet, robot)
    found = examine(
        robot,
        eye,
        robot_eye,
        alphabet=alphabet,
        signers=signers,
        seed=seed,
        kind=kind,
        frames=frames,
        noise=1e-3 * noise,
    )
    none = none_exam(eye, alphabet=alphabet, count=max(30, signers), seed=seed, kind=kind, frames=frames)
    result = {
        "ok": found.ok, "status": found.status, "accuracy": found.accuracy, "read_accuracy": found.read_accuracy,
        "letters": found.per_letter, "none_of_these": none, "signers": found.signers, "robot": found.robot,
        "frames": frames,
    }  # fmt: skip
    shares = ", ".join(f"{name} {100 * share:.1f} %" for name, share in none.items())
    worst = sorted(found.per_letter.items(), key=lambda item: item[1])[:5]
    lines = [found.status, f"none of these: {shares}", "least: " + ", ".join(f"{n} {100 * s:.0f} %" for n, s in worst)]
    print_result(result, "\n".join(lines), as_json)
    raise typer.Exit(0 if found.ok else 1)


def touch_command(
    robot: RobotName = "parloma",
    alphabet: AlphabetName = "italian",
    pairs: Annotated[int, typer.Option(help="Pairs of letters to name, most alike first.")] = 10,
    clearer: Annotated[str, typer.Option(help="Letters to search clearer variants of, separated by commas.")] = "",
    tries: Annotated[int, typer.Option(help="Shapes to try for each of them.")] = 60,
    seed: Annotated[int, typer.Option(help="Of the search.")] = 0,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """How alike letters feel to a palm laid on the robot's hand; with --out also the matrix as a picture.

    Example: carpal sign touch --clearer U,M --out out/touch
    """
    from carpal.labs.sign.files.alphabet import read_alphabet
    from carpal.labs.sign.hand.letters import letters_of
    from carpal.labs.sign.hand.sign_hand import sign_hand
    from carpal.labs.sign.reading.recognition import sign_recogniser
    from carpal.labs.sign.touch.confusion import clearer_variant, touch_matrix

    if pairs < 1:
        raise InputError(f"--pairs must be 1 or more; got {pairs}.")
    hand, known = sign_hand(robot), read_alphabet(alphabet)
    shown, _ = letters_of(hand, known)
    wanted = [name.strip().upper() for name in clearer.split(",") if name.strip()]
    robot_eye = sign_recogniser(alphabet, robot) if wanted else None
    found = touch_matrix(hand, known, shown)
    rows = [{"letters": [a, b], "distance_jnd": away, "confused": share} for a, b, away, share in found.worst(pairs)]
    result: dict[str, Any] = {
        "ok": found.ok, "status": found.status, "names": list(found.names), "worst": rows,
        "distance_jnd": found.distance.tolist(), "confusion": found.confusion.tolist(), "clearer": [],
    }  # fmt: skip
    lines = [found.status, "letters  just noticeable differences  confused"]
    lines += [f"{a} {b:<6} {away:12.2f} {100 * share:21.0f} %" for a, b, away, share in found.worst(pairs)]
    for name in wanted:
        assert robot_eye is not None
        variant = clearer_variant(hand, known, shown, name, robot_eye, seed=seed, tries=tries)
        lines.append(variant.status)
        result["clearer"].append(
            {
                "letter": name, "ok": variant.ok, "status": variant.status, "before_jnd": variant.before,
                "after_jnd": variant.after, "rival": variant.rival, "confidence": variant.confidence,
                "commands": dict(zip(hand.commands, variant.commands.tolist(), strict=True)),
            }
        )  # fmt: skip
    if out is not None:
        from carpal.labs.sign.touch.pictures import save_touch_picture

        title = f"{known.name} alphabet on {hand.driver.hand} as a palm feels it (assumed skin)"
        result["picture"] = str(save_touch_picture(found, title, out / f"touch_{hand.driver.name}.png"))
        lines.append(f"picture: {result['picture']}")
    print_result(result, "\n".join(lines), as_json)
    raise typer.Exit(0 if found.ok else 1)


def add_sign_reading_commands(group: typer.Typer) -> None:
    """The verbs of reading and feeling."""
    group.command("train")(train_command)
    group.command("recognise")(recognise_command)
    group.command("exam")(exam_command)
    group.command("touch")(touch_command)
