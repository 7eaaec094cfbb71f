"""Groups of command-line options that `send`, `receive` and `call` share.

A parameter annotated with one of these data classes stands for one option per field; see `with_groups`.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from carpal.errors import InputError

AlphabetName = Annotated[str, typer.Option("--alphabet", help="Name of an alphabet, or a file that ends in .toml.")]
RobotName = Annotated[
    str,
    typer.Option("--robot", help="parloma, cuhk, a driver file that ends in .toml, or none to only write the letters."),
]
BehaviourName = Annotated[
    str, typer.Option("--behaviour", help="What is allowed: a name, or a file that ends in .toml.")
]


@dataclass(frozen=True)
class LinkOptions:
    """Room, addresses and secrets of one end of the link."""

    room: Annotated[str, typer.Option(help="Name of the room in which the ends meet.")] = "sign"
    listen: Annotated[list[str] | None, typer.Option(help="Address to listen on, tcp/HOST:PORT or tls/HOST:PORT.")] = (
        None
    )
    connect: Annotated[list[str] | None, typer.Option(help="Address of the end that listens; may be repeated.")] = None
    router: Annotated[str, typer.Option(help="Address of a zenohd router to go through instead.")] = ""
    token_file: Annotated[
        Path | None, typer.Option(help="File (mode 0600) with the room's token; created automatically on this machine.")
    ] = None
    certificate: Annotated[str, typer.Option(help="Certificate (PEM) of the end that listens on tls/.")] = ""
    key: Annotated[str, typer.Option(help="Private key (PEM) of the end that listens on tls/.")] = ""
    authority: Annotated[
        str, typer.Option(help="Certificate (PEM) of the authority that signed the listening end's.")
    ] = ""

    def open(self, *, listens: bool) -> tuple[Any, str]:
        """Transport and token; without an address this end listens on, or connects to, the default one of this machine."""
        from carpal.labs.sign.link.token_file import link_token
        from carpal.labs.sign.link.zenoh_transport import ADDRESS, TlsFiles, ZenohTransport

        listen, connect = self.listen, self.connect
        if not (listen or connect or self.router):
            listen, connect = ([ADDRESS], []) if listens else ([], [ADDRESS])
        tls = TlsFiles(self.certificate, self.key, self.authority)
        line = ZenohTransport(self.room, listen=listen or (), connect=connect or (), router=self.router, tls=tls)
        try:
            return line, link_token(self.token_file, loopback=line.local)
        except InputError:
            line.close()
            raise


@dataclass(frozen=True)
class PlayerOptions:
    """How a robot shows received letters."""

    arm: Annotated[str, typer.Option(help="Another arm than the driver's; none puts the hand on a stand.")] = ""
    alphabet: AlphabetName = "italian"
    behaviour: BehaviourName = "careful"
    board: Annotated[
        str,
        typer.Option(help="simulated, the serial device of a motor board, or a servo bus's calibration file (.toml)."),
    ] = "simulated"
    baud: Annotated[int, typer.Option(help="Of the serial line to the board.")] = 1_000_000
    open_loop: Annotated[
        bool, typer.Option("--open-loop", help="Drive a board that does not measure where its motors stand.")
    ] = False
    fast: Annotated[
        bool, typer.Option("--fast", help="Play a simulated board's letters without waiting for their time.")
    ] = False

    def player(self, robot: str) -> Any:
        """The player of a robot; "none" only logs letters."""
        from carpal.labs.sign.board.hand_player import HandPlayer
        from carpal.labs.sign.board.ports import SerialPort
        from carpal.labs.sign.files.alphabet import read_alphabet
        from carpal.labs.sign.files.calibration import read_calibration
        from carpal.labs.sign.link.players import LoggingPlayer

        known = read_alphabet(self.alphabet)
        if robot == "none":
            return LoggingPlayer("none", known.name)
        if self.fast and self.board != "simulated":
            raise InputError("--fast is for a simulated board; a real one needs its time.")
        port: Any = None
        if self.board.endswith(".toml"):
            port = read_calibration(self.board)
        elif self.board != "simulated":
            port = SerialPort(self.board, self.baud)
        return HandPlayer(
            robot,
            arm=self.arm,
            alphabet=self.alphabet,
            behaviour=self.behaviour,
            port=port,
            open_loop=self.open_loop,
            real_time=not self.fast,
        )


def with_groups(function: Callable[..., None]) -> Callable[..., None]:
    """A command whose data-class parameters are expanded into one option per field."""
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(function).parameters.values():
        kind = hints[parameter.name]
        if not dataclasses.is_dataclass(kind):
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=kind))
            continue
        groups[parameter.name] = kind
        own = get_type_hints(kind, include_extras=True)
        parameters += [
            inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=f.default, annotation=own[f.name])
            for f in dataclasses.fields(kind)
        ]

    @functools.wraps(function)
    def command(**given: Any) -> None:
        made = {
            name: kind(**{f.name: given.pop(f.name) for f in dataclasses.fields(kind)}) for name, kind in groups.items()
        }
        function(**given, **made)

    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command
