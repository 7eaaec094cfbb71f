"""What the assumed numbers of the telephone's line and simulated board do at -20 / +20 % (docs/assumptions.md)."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from link_network import VirtualNetwork, spell

from carpal.labs.sign import motor_table
from carpal.labs.sign.board import hand_player as player_file
from carpal.labs.sign.board import simulated_board
from carpal.labs.sign.demo import TelephoneDemo
from carpal.labs.sign.link import incoming, outcome, receiver

TEXT = "NEL MEZZO DEL CAMMIN DI NOSTRA VITA "


def line() -> dict[str, float]:
    """Latency [ms] of three receivers over a line that drops, delays and repeats a fifth of everything, 100 letters a second."""
    network = VirtualNetwork(1, drop=0.2, delay=0.2, repeat=0.2)
    found = spell(network, network.sender(), [network.receiver(f"r{i}") for i in range(3)], TEXT * 20)
    values = np.concatenate([one.latency.values_ms for one in found])
    all_of_them = outcome.Latency.of([int(1e6 * v) for v in values])
    return {"median [ms]": all_of_them.p50_ms, "99 % [ms]": all_of_them.p99_ms, "whole": sum(map(bool, found))}


def board(demo: TelephoneDemo) -> dict[str, float]:
    """How far the sensed hand is from what was asked in the middle of the hold, and what is read from it."""
    who = demo.players["parloma"]
    who.board = type(who.board)(player_file.MemoryPort(who.simulated()), len(who.stream.x))
    result = demo.run("CIAOGZ")
    n, away = who.signer.mounted.arm.nq, 0.0
    fingers = [i for i in range(len(who.signer.hand.commands)) if i not in who.signer.hand.wrist]
    span = (who.signer.hand.high - who.signer.hand.low)[fingers]
    for shown in who.letters:
        asked = who.signer.letters[shown.letter].commands[fingers]
        away = max(away, float((np.abs(shown.sensed[shown.shown, n:][fingers] - asked) / span).max()))
    return {"farthest command [% of its range]": 100 * away, "read right [%]": 100 * result.accuracy}


def show(what: str, rows: list[dict[str, float]]) -> None:
    print(what, {key: tuple(round(row[key], 3) for row in rows) for key in rows[0]}, flush=True)


def main() -> None:
    for module, name in ((incoming, "FIRST_ASK"), (incoming, "LONGEST_ASK"), (receiver, "ACK_AFTER")):
        kept, rows = getattr(module, name), []
        for share in (0.8, 1.0, 1.2):
            setattr(module, name, share * kept)
            rows.append(line())
        setattr(module, name, kept)
        show(f"{name} {kept}", rows)
    demo = TelephoneDemo(("parloma",))
    for module, name in ((simulated_board, "LAG"), (motor_table, "TENDON_SPEED")):
        kept, rows = getattr(module, name), []
        for share in (0.8, 1.0, 1.2):
            setattr(module, name, share * kept)
            rows.append(board(demo))
        setattr(module, name, kept)
        show(f"{name} {kept}", rows)


if __name__ == "__main__":
    main()
