"""`carpal sign read` and `watch`: letters from frames of real hands, recorded or as a camera sees them."""

from __future__ import annotations

import dataclasses
import time as clocks
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from carpal._core.progress import Bar
from carpal.cli import AsJson, Out, print_result
from carpal.errors import InputError
from carpal.labs.sign.option_groups import LinkOptions, with_groups

Reader = Annotated[
    str, typer.Option(help="An alphabet with a reader of frames or of whole signs (asl; italian), or a trained file.")
]


def read_command(
    file: Annotated[Path, typer.Argument(help="Image landmarks, .npz with 'landmarks' (frames, 21, 3).")],
    alphabet: Annotated[str, typer.Option(help="asl, or a frame reader that `carpal sign train` wrote.")] = "asl",
    as_json: AsJson = False,
) -> None:
    """Read one letter, or none, from every frame of recorded image landmarks; where the file has letters, how many are right.

    Example: carpal sign read hands.npz --alphabet asl --json
    """
    import numpy as np

    from carpal.labs.sign.reading.frame_reader import frame_reader
    from carpal.labs.sign.reading.recordings import read_recordings

    reader = frame_reader(alphabet)
    if file.suffix != ".npz":
        raise InputError(f"frames are read from a file that ends in .npz; got '{file.name}'.")
    recorded = read_recordings(file)
    found = reader.read(recorded.points)
    none = sum(letter is None for letter in found.letters)
    result: dict[str, Any] = {
        "ok": found.ok, "status": found.status, "frames": len(found.letters), "none": none, "letters": list(found.letters),
        "confidence": [round(float(value), 4) for value in found.confidence],
    }  # fmt: skip
    lines = [found.status]
    if recorded.letters is not None:
        read = np.array([letter or "" for letter in found.letters])
        right = read == recorded.letters
        table = {name: float(right[recorded.letters == name].mean()) for name in recorded.names}
        wrong = float(((read != "") & ~right).mean())
        result |= {"accuracy": float(right.mean()), "wrong": wrong, "per_letter": table}
        lines.append(
            f"{100 * right.mean():.1f} % right, {100 * wrong:.1f} % wrong, {100 * none / len(read):.1f} % none."
        )
        lines.append(", ".join(f"{name} {100 * share:.0f} %" for name, share in table.items()))
    else:
        lines.append("".join(letter or "." for letter in found.letters))
    print_result(result, "\n".join(lines), as_json)
    raise typer.Exit(0 if found.ok else 1)


def train_on_recordings(source: str, alphabet: str, given: dict[str, Any], as_json: bool, out: Path | None) -> None:
    """Train a frame reader, and say how much of each fifth of the recordings it reads that it was not trained on."""
    from carpal.labs.sign.files.alphabet import read_alphabet
    from carpal.labs.sign.reading.frame_reader import frame_reader, known_frame_readers
    from carpal.labs.sign.reading.frame_training import FrameRecipe, train_frame_reader
    from carpal.labs.sign.reading.recordings import read_recordings

    changes = {word: value for word, value in given.items() if value is not None}
    recipe = dataclasses.replace(FrameRecipe(), **changes)
    known, recorded = read_alphabet(alphabet), read_recordings(source)
    with Bar(1, "training", shown=not as_json) as bar:
        found = train_frame_reader(recorded, known, recipe, bar.to)
    packaged = frame_reader(known.name).digest if known.name in known_frame_readers() else None
    same = None if packaged is None else found.digest == packaged
    status = (
        f"learnt {len(found.names)} letters from {len(recorded.points)} recorded frames, digest {found.digest[:12]}"
    )
    status += "" if same is None else f", {'the same as' if same else 'other than'} the package's"
    result: dict[str, Any] = {
        "ok": True, "status": f"{status}.", "letters": list(found.names), "digest": found.digest, "same_as_package": same,
        "temperature": found.temperature, "recipe": dict(found.recipe),
    }  # fmt: skip
    lines = [result["status"]]
    if out is not None:
        result["file"] = str(found.save(out / f"{known.name}.npz"))
        lines.append(f"file: {result['file']}")
    print_result(result, "\n".join(lines), as_json)


@with_groups
def watch_command(
    link: LinkOptions,
    model: Annotated[str, typer.Option(help="Path of MediaPipe's hand_landmarker.task (docs/telephone.md).")] = "",
    camera: Annotated[str, typer.Option(help="Number of a camera, a video file, or a .npz of image landmarks.")] = "0",
    hand: Annotated[str, typer.Option(help="right or left.")] = "right",
    frames: Annotated[int, typer.Option(help="Number of images to read.")] = 300,
    reader: Reader = "italian",
    send: Annotated[
        bool, typer.Option("--send", help="Send every letter to the room's receivers as it is read.")
    ] = False,
    name: Annotated[str, typer.Option(help="Name of this end, with --send.")] = "signer",
    wait: Annotated[float, typer.Option(help="[s] to wait for a receiver, with --send.", min=0.0)] = 10.0,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Read letters from a camera or a video, frame by frame where the reader can; with --out the landmarks are kept.

    Example: carpal sign watch --model hand_landmarker.task --camera 0 --reader asl --send
    """
    from carpal.labs.sign.reading.frame_reader import known_frame_readers

    if not 1 <= frames <= 100_000:
        raise InputError(f"--frames must be from 1 to 100000; got {frames}.")
    if reader in known_frame_readers() or camera.endswith(".npz"):
        return _watch_frames(link, _stream(model, camera, hand, frames), reader, send, name, wait, as_json)
    if send:
        choices = ", ".join(known_frame_readers())
        raise InputError(f"--send needs a reader of single frames; '{reader}' reads whole signs. Choices: {choices}.")
    return _watch_signs(model, camera, hand, frames, reader, as_json, out)


def _stream(model: str, camera: str, hand: str, frames: int) -> Iterator[tuple[float, Any]]:
    """Time and image landmarks or None, from a camera, a video or a recording at 30 frames a second."""
    import itertools

    import numpy as np

    from carpal.labs.sign.reading.recordings import read_recordings
    from carpal.perception import CameraTracker, camera_landmarks

    if camera.endswith(".npz"):
        points = read_recordings(camera).points[:frames]
        yield from ((k / 30.0, None if np.isnan(p).any() else p) for k, p in enumerate(points))
        return
    tracker = CameraTracker(model, hand)
    try:
        device = int(camera) if camera.isdigit() else camera
        yield from itertools.islice(camera_landmarks(tracker, device, image_landmarks=True), frames)
    finally:
        tracker.close()


def _watch_frames(
    link: LinkOptions, stream: Iterator[tuple[float, Any]], reader: str, send: bool, name: str, wait: float, as_json: bool
) -> None:  # fmt: skip
    import contextlib

    from carpal.labs.sign.link.outcome import written
    from carpal.labs.sign.link.sender import LinkSender
    from carpal.labs.sign.reading.frame_reader import frame_reader
    from carpal.labs.sign.reading.live_letters import LiveLetters

    live = LiveLetters(frame_reader(reader))
    letters: list[str] = []
    rows: list[dict[str, Any]] = []
    seen = 0
    with contextlib.ExitStack() as stack:
        sender = None
        if send:
            line, token = link.open(listens=True)
            stack.enter_context(line)
            alphabet = Path(reader).stem
            sender = stack.enter_context(LinkSender(line, token, room=link.room, name=name, alphabet=alphabet).start())
            if not sender.wait_for(1, wait):
                raise InputError(f"no receiver came within {wait:g} s; nothing was sent.")
        delays = []
        for at, points in stream:
            seen += points is not None
            begun = clocks.perf_counter()
            letter = live.feed(at, points)
            delays.append(clocks.perf_counter() - begun)
            if letter is None:
                continue
            letters.append(letter)
            rows.append({"letter": letter, "time": at})
            if sender is not None:
                sender.put(letter)
            if not as_json:
                print(letter, end="", flush=True)
        result = None
        if sender is not None and letters:
            sender.end()
            result = sender.settled()
    text = written(letters) if letters else ""
    status = f"{len(letters)} letters in {live.frames} frames, {live.frames - seen} without a hand: '{text}'."
    ok = bool(letters) and (result is None or result.ok)
    answer: dict[str, Any] = {
        "ok": ok, "status": status if result is None else f"{status} {result.status}", "text": text, "letters": rows,
        "frames": live.frames, "no_hand": live.frames - seen, "frame_ms": 1e3 * max(delays, default=0.0), "sent": send,
    }  # fmt: skip
    print_result(answer, f"\n{answer['status']}", as_json)
    raise typer.Exit(0 if ok else 1)


def _watch_signs(model: str, camera: str, hand: str, frames: int, reader: str, as_json: bool, out: Path | None) -> None:
    import itertools

    import numpy as np

    from carpal.labs.sign.reading_commands import print_letters
    from carpal.perception import CameraTracker, camera_landmarks, landmark_line

    if frames > 3000:
        raise InputError(f"whole signs are read from at most 3000 images at a time; got --frames {frames}.")
    tracker = CameraTracker(model, hand)
    device = int(camera) if camera.isdigit() else camera
    seen = [(t, p) for t, p in itertools.islice(camera_landmarks(tracker, device), frames) if p is not None]
    tracker.close()
    if not seen:
        raise InputError(f"no hand was seen in what camera '{camera}' showed.")
    files = {}
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        files["landmarks"] = str(out / "landmarks.jsonl")
        (out / "landmarks.jsonl").write_text("".join(landmark_line(t, p) + "\n" for t, p in seen))
    print_letters(np.array([p for _, p in seen]), None, reader, as_json, files)


def add_frame_commands(group: typer.Typer) -> None:
    """The verbs for real hands."""
    group.command("read")(read_command)
    group.command("watch")(watch_command)
