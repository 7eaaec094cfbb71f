"""Players show the letters of a receiver: the protocol, and a player that only logs them."""

from __future__ import annotations

from typing import Protocol


class Player(Protocol):
    """Shows letters, one after the other.

    `robot` and `alphabet` are names that are sent to other ends.
    """

    robot: str
    alphabet: str

    def play(self, letter: str, index: int) -> str:
        """Show a letter and come back when it is finished; the reason, where it is not shown, or an empty text."""

    def rest(self) -> None:
        """The call is over."""


class LoggingPlayer:
    """Logs letters without a robot, for example to measure latencies.

    Args:
        robot: name that is sent to the other end.
        alphabet: whose letters it takes.
    """

    def __init__(self, robot: str = "none", alphabet: str = "italian") -> None:
        self.robot, self.alphabet = robot, alphabet
        self.letters: list[str] = []

    def play(self, letter: str, index: int) -> str:
        """Write a letter down."""
        self.letters.append(letter)
        return ""

    def rest(self) -> None:
        """Nothing to do."""
