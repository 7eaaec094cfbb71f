"""`carpal sign send`, `receive`, `call` and `demo`: letters over a network link, and the robots that show them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from carpal.cli import AsJson, print_result
from carpal.errors import CarpalError, InputError
from carpal.labs.sign.option_groups import (
    AlphabetName,
    BehaviourName,
    LinkOptions,
    PlayerOptions,
    RobotName,
    with_groups,
)

State = Annotated[Path | None, typer.Option(help="Folder for the journal of what was played.")]


def _journal(state: Path | None, room: str, name: str) -> Any:
    from carpal.labs.sign.link.journal import PlayedJournal, default_journal_folder
    from carpal.labs.sign.link.messages import check_names

    check_names(room=room, receiver=name)
    return PlayedJournal((state or default_journal_folder()) / f"{room}-{name}.jsonl")


MOST_REPEATS = 3
"""Times that a text is sent again after its end because a receiver asks for it."""


def _wrong_token(refused: dict[str, int]) -> str:
    """A sentence where messages came that another token, or another room, sealed."""
    count = refused.get("unauthenticated", 0)
    return (
        f" {count} messages did not fit this token and room: the other end has another token or room." if count else ""
    )


@with_groups
def send_command(
    link: LinkOptions,
    text: Annotated[str, typer.Argument(help="What to spell; not with --landmarks.", metavar="TEXT")] = "",
    landmarks: Annotated[Path | None, typer.Option(help="Send what is read from a file of landmarks instead.")] = None,
    axes: Annotated[str, typer.Option(help="Of the landmarks: receiver, or camera.")] = "receiver",
    alphabet: AlphabetName = "italian",
    receivers: Annotated[int, typer.Option(help="Begin when so many receivers are there.", min=1)] = 1,
    wait: Annotated[float, typer.Option(help="[s] to wait for them.", min=0.0)] = 10.0,
    pace: Annotated[float, typer.Option(help="[s] between two letters.", min=0.0)] = 0.0,
    keep: Annotated[
        float,
        typer.Option(help="[s] to keep the text for a receiver that is gone and comes back.", min=10.0, max=3600.0),
    ] = 10.0,
    name: Annotated[str, typer.Option(help="Name of this end.")] = "signer",
    as_json: AsJson = False,
) -> None:
    """Send a text, or the letters that are read from landmarks, to all receivers of a room, and report who has shown it.

    Example: carpal sign send "CIAO"     or: carpal sign send --landmarks word.jsonl
    """
    from carpal.labs.sign.files.alphabet import read_alphabet
    from carpal.labs.sign.link.sender import LinkSender

    known = read_alphabet(alphabet)
    if (landmarks is None) == (not text):
        raise InputError("give a text to send, or a file by --landmarks.")
    text = text if landmarks is None else _read_letters(landmarks, axes, known.name)
    letters = known.spell(text)
    line, token = link.open(listens=True)
    with line, LinkSender(line, token, room=link.room, name=name, alphabet=known.name, patience=keep).start() as sender:
        there = sender.wait_for(receivers, wait)
        result = sender.send(letters, pace=pace) if there else None
        for _ in range(MOST_REPEATS):
            if result is None or not any(word == "again" for _, word in sender.take_requests()):
                break
            result = sender.send(letters, pace=pace)
        refused = dict(sender.refusals.counts + line.refusals.counts)
    if result is None:
        status = f"{len(sender.receivers)} of {receivers} receivers came within {wait:g} s; nothing was sent."
        status += _wrong_token(refused)
        answer: dict[str, Any] = {
            "ok": False,
            "status": status,
            "text": text,
            "letters": list(letters),
            "receivers": [],
        }
        print_result(answer, status, as_json)
        raise typer.Exit(1)
    rows = [
        {"name": r.name, "robot": r.robot, "arrived": r.arrived, "played": r.played, "finished": r.finished,
         "missing": [list(pair) for pair in r.missing]}
        for r in result.receivers
    ]  # fmt: skip
    answer = {
        "ok": result.ok, "status": result.status, "text": text, "letters": list(letters), "receivers": rows,
        "refused": refused,
    }  # fmt: skip
    print_result(answer, "\n".join([result.status, *(f"  {row}" for row in result.receivers)]), as_json)
    raise typer.Exit(0 if result.ok else 1)


def _read_letters(file: Path, axes: str, alphabet: str) -> str:
    """Text read from a file of landmarks; refused if a sign is no letter, because the gap would go unnoticed."""
    from carpal.labs.sign.link.outcome import written
    from carpal.labs.sign.reading.recognition import sign_recogniser
    from carpal.labs.sign.reading.sign_cutting import cut_signs
    from carpal.perception import read_landmark_file

    rows = read_landmark_file(file, axes=axes)
    signs = rows.signs() if rows.sign is not None else [rows.points[a:b] for a, b in cut_signs(rows.points)]
    letters = [reading.letter for reading in sign_recogniser(alphabet).recognise_many(signs)]
    unread = ", ".join(str(i + 1) for i, letter in enumerate(letters) if letter is None)
    if unread or not letters:
        raise InputError(f"sign {unread or '1'} of {len(letters)} in '{file}' is read as no letter; nothing was sent.")
    return written([letter for letter in letters if letter])


@with_groups
def receive_command(
    link: LinkOptions,
    hand: PlayerOptions,
    robot: RobotName = "parloma",
    name: Annotated[str, typer.Option(help="Name of this end; the robot's by default.")] = "",
    calls: Annotated[int, typer.Option(help="End after so many calls; 0 goes on until Ctrl-C.", min=0)] = 0,
    state: State = None,
    requests: Annotated[
        bool,
        typer.Option(
            "--requests", help='Read what to ask the signer for from stdin: "again", "slower" or "stop", one a line.'
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Receive letters and show them on a robot hand; a restarted receiver resumes where it was.

    Example: carpal sign receive --robot parloma
    """
    from carpal.labs.sign.link.receiver import LinkReceiver

    player, room = hand.player(robot), link.room
    name = name or player.robot
    journal = _journal(state, room, name)
    line, token = link.open(listens=False)
    rows: list[dict[str, Any]] = []
    with line, LinkReceiver(line, token, player, room=room, name=name, journal=journal).start() as receiver:
        if not as_json:
            print(f"{name} receives in room '{room}'; Ctrl-C ends it.", flush=True)
        if requests:
            threading.Thread(target=_pass_requests, args=(receiver,), daemon=True).start()
        warned = False
        try:
            while not calls or len(rows) < calls:
                outcome = receiver.wait(1.0)
                if not warned and (wrong := _wrong_token(receiver.refusals.counts)):
                    warned = True
                    print(f"carpal:{wrong}", file=sys.stderr, flush=True)
                if outcome is None:
                    continue
                rows.append(_outcome_row(outcome))
                if not as_json:
                    print(f"{outcome.status} {outcome.latency}.", flush=True)
        except KeyboardInterrupt:
            if calls:
                raise
    ok = bool(rows) and all(row["ok"] for row in rows)
    refused = dict(receiver.refusals.counts + line.refusals.counts)
    status = f"{sum(row['ok'] for row in rows)} of {len(rows)} calls were complete; {receiver.refusals}"
    print_result(
        {"ok": ok, "status": status, "name": name, "robot": player.robot, "calls": rows, "refused": refused},
        status,
        as_json,
    )
    raise typer.Exit(0 if ok else 1)


def _pass_requests(receiver: Any) -> None:
    """Words of stdin to the signer; what is no request is said and left out."""
    for line in sys.stdin:
        try:
            receiver.request(line.strip())
        except CarpalError as problem:
            print(f"carpal: {problem}", file=sys.stderr, flush=True)


def _outcome_row(outcome: Any) -> dict[str, Any]:
    return {
        "ok": outcome.ok, "status": outcome.status, "text": outcome.text, "from": outcome.sender,
        "missing": [list(pair) for pair in outcome.missing], "cut": outcome.cut,
        "discarded": [{"index": i, "letter": x, "reason": why} for i, x, why in outcome.discarded],
        "latency_ms_p50": outcome.latency.p50_ms, "latency_ms_p99": outcome.latency.p99_ms,
    }  # fmt: skip


@with_groups
def call_command(
    link: LinkOptions,
    hand: PlayerOptions,
    texts: Annotated[
        list[str] | None, typer.Argument(help="What to sign, a text for each turn; lines of stdin by default.")
    ] = None,
    robot: RobotName = "none",
    answer: Annotated[bool, typer.Option("--answer", help="Wait for the other end, which begins.")] = False,
    name: Annotated[str, typer.Option(help="Name of this end; caller or answerer by default.")] = "",
    wait: Annotated[float, typer.Option(help="[s] to wait for the other end.", min=0.0)] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Call: two ends sign in turns; one waits with --answer, the other begins. An empty line hangs up.

    Example: carpal sign call --answer --robot parloma     and elsewhere: carpal sign call
    """
    from carpal.labs.sign.files.alphabet import read_alphabet
    from carpal.labs.sign.link.phone_call import PhoneCall

    known, room = read_alphabet(hand.alphabet), link.room
    for text in texts or ():
        known.spell(text)
    player = hand.player(robot)
    line, token = link.open(listens=answer)
    said = _turns(texts, as_json)
    rows: list[dict[str, Any]] = []
    status = "hung up."
    name = name or ("answerer" if answer else "caller")
    with line, PhoneCall(line, token, player, name=name, first=not answer, room=room) as end:
        if not end.connected(wait):
            raise InputError(f"no other end joined room '{room}' within {wait:g} s.")
        while True:
            if end.has_turn:
                letters = next(said, None)
                if letters is None:
                    end.hang_up()
                    break
                try:
                    spelt = known.spell(letters)
                except InputError as problem:  # a typing mistake must not end a conversation
                    print(f"carpal: {problem}", file=sys.stderr)
                    continue
                result = end.say(spelt)
                rows.append({"said": letters, "ok": result.ok, "status": result.status})
                if not result.finished:
                    status = result.status
                    break
            else:
                heard = end.listen()
                if heard is None or not heard.letters:
                    status = "the other end is gone." if heard is None else heard.status
                    break
                rows.append({"heard": heard.text, **_outcome_row(heard)})
                if not as_json:
                    print(f"{heard.sender}: {heard.text}", flush=True)
    ok = bool(rows) and all(row["ok"] for row in rows) and "gone" not in status
    status = f"{len(rows)} turns; {status}"
    print_result({"ok": ok, "status": status, "turns": rows, "latency_ms_p99": _worst(rows)}, status, as_json)
    raise typer.Exit(0 if ok else 1)


def demo_command(
    text: Annotated[str, typer.Argument(help="What the simulated person signs.", metavar="TEXT")] = "CIAO",
    robot: Annotated[
        list[str] | None, typer.Option(help="A receiving robot; may be repeated. Default parloma and cuhk.")
    ] = None,
    alphabet: AlphabetName = "italian",
    behaviour: BehaviourName = "careful",
    seed: Annotated[int, typer.Option(help="Of the person, of the cameras and their noise.", min=0)] = 0,
    noise_mm: Annotated[float, typer.Option(help="Noise of the landmarks [mm].", min=0.0, max=100.0)] = 5.0,
    as_json: AsJson = False,
) -> None:
    """The telephone in one process: a simulated signer is read, sent, shown by robots, and read from their hands.

    Example: carpal sign demo "CIAO"     and in the browser: carpal studio --page telephone
    """
    from carpal.labs.sign.demo import TelephoneDemo
    from carpal.labs.sign.files.alphabet import read_alphabet

    read_alphabet(alphabet).spell(text)
    robots, noise = robot or ("parloma", "cuhk"), 1e-3 * noise_mm
    result = TelephoneDemo(robots, alphabet=alphabet, behaviour=behaviour, seed=seed, noise=noise).run(text)
    lines = [result.status, "letter  read  " + "  ".join(f"{name}: shown, read" for name in result.outcomes)]
    for row in result.letters:
        cells = (
            f"{row.shown.get(n, '') or '-'}, {row.seen.get(n, '') or '-'}".ljust(len(n) + 13) for n in result.outcomes
        )
        lines.append(f"{row.letter:<7} {row.read or '-':<5} " + "  ".join(cells))
    lines += [f"{name}: {outcome.latency}" for name, outcome in result.outcomes.items()]
    print_result(result.to_dict(), "\n".join(lines), as_json)
    raise typer.Exit(0 if result.ok else 1)


def _worst(rows: list[dict[str, Any]]) -> float:
    return max((float(row["latency_ms_p99"]) for row in rows if "latency_ms_p99" in row), default=0.0)


def _turns(texts: list[str] | None, quiet: bool) -> Iterator[str]:
    """What this end signs, turn by turn; ends with the texts, an empty line, or the end of stdin."""
    if texts:
        yield from texts
        return
    while True:
        if not quiet and sys.stdin.isatty():
            print("> ", end="", flush=True)
        text = sys.stdin.readline().strip()
        if not text:
            return
        yield text


def add_sign_link_commands(group: typer.Typer) -> None:
    """The telephone's verbs of `carpal sign`."""
    group.command("send")(send_command)
    group.command("receive")(receive_command)
    group.command("call")(call_command)
    group.command("demo")(demo_command)
