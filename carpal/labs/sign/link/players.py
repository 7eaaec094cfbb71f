"""What shows the letters that a receiver hands over: anything with `play`; here the one that only writes them down."""

from __future__ import annotations

from typing import Protocol


class Player(Protocol):
    """Shows letters, one after the other.

    `robot` and `alphabet` are names that other ends are told.
    """

    robot: str
    alphabet: str

    def play(self, letter: str, index: int) -> str:
        """Show a letter and come back when it is finished; the reason, where it is not shown, or an empty text."""

    def rest(self) -> None:
        """The call is over."""


class NotingPlayer:
    """Shows nothing and writes down everything: for latencies, and where there is no robot.

    Args:
        robot: name that the other end is told.
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
