"""Option groups: one option per field, in place, handed over as one object; players and addresses by their options."""

import inspect

import pytest
import typer
from typer.testing import CliRunner

from carpal.errors import InputError
from carpal.labs.sign.link.players import LoggingPlayer
from carpal.labs.sign.option_groups import LinkOptions, PlayerOptions, with_groups


def command(name: str, link: LinkOptions, player: PlayerOptions, count: int = 1) -> None:
    """Print what was given."""
    print(name, link.room, link.listen, link.token_file, player.alphabet, player.fast, count)


def test_fields_become_options_in_place():
    names = list(inspect.signature(with_groups(command)).parameters)
    assert names[:3] == ["name", "room", "listen"] and names[-2:] == ["fast", "count"]
    app = typer.Typer()
    app.command()(with_groups(command))
    words = ["a", "--room", "b", "--listen", "tcp/1", "--listen", "tcp/2", "--fast", "--count", "3", "--alphabet", "x"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert done.output.split("\n")[0] == "a b ['tcp/1', 'tcp/2'] None x True 3"
    assert CliRunner().invoke(app, ["a", "--rom", "b"]).exit_code == 2


def test_players():
    logged = PlayerOptions().player("none")
    assert isinstance(logged, LoggingPlayer) and logged.alphabet == "italian"
    with pytest.raises(InputError, match="--fast is for a simulated board"):
        PlayerOptions(board="/dev/ttyACM0", fast=True).player("parloma")


def test_a_link_is_closed_when_its_token_is_refused(tmp_path):
    pytest.importorskip("zenoh")
    secret = tmp_path / "token"
    secret.write_text("short")
    secret.chmod(0o600)
    with pytest.raises(InputError, match="must have"):
        LinkOptions(listen=["tcp/127.0.0.1:0"], token_file=secret).open(listens=True)
