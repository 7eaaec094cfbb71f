"""Options of `sign`."""

from __future__ import annotations

from dataclasses import dataclass

from carpal.tasks import option


@dataclass(frozen=True)
class SignOptions:
    """What can be chosen."""

    text: str = option("CIAO", "What to spell; spaces are pauses.")
    robot: str = option(
        "parloma", "Who signs: parloma, cuhk, or a driver file that ends in .toml.", offered=("parloma", "cuhk")
    )
    arm: str = option(
        "", "Another arm than the driver's: a catalogue name or a robot file.", offered=("", "sia5", "srs7", "sawyer")
    )
    alphabet: str = option("italian", "Name of an alphabet, or a file that ends in .toml.", offered=("italian",))
    behaviour: str = option("careful", "What is allowed: a name, or a file that ends in .toml.", offered=("careful",))
    engine: str = option("rigid", "What moves the robot.", choices=("rigid", "modal", "mujoco"))
    touch: float = option(
        0.0, "Force of the receiver on the index fingertip.", unit="N", at_least=0.0, slider=(0.0, 2.0)
    )
    dt: float = option(1e-3, "Time step.", unit="s", above=0.0)
