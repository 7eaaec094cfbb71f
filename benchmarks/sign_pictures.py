"""Pictures of all letters on the hands that sign, and the page that shows them: `python benchmarks/sign_pictures.py`.

The four-digit hands come from example-robot-data and MuJoCo Menagerie (CARPAL_ZOO); one that is not there is left out by name.
"""

from __future__ import annotations

import datetime
import subprocess
import sys
from pathlib import Path

from carpal.errors import CarpalError
from carpal.labs.sign import Signer, letters_of, nearest_letters, read_alphabet, sign_hand
from carpal.labs.sign.hand.pictures import save_alphabet_picture

ROOT = Path(__file__).parents[1]
HANDS = (("parloma", "italian", "sign_alphabet"), ("parloma", "asl", "sign_alphabet_parloma_asl"),
         ("cuhk", "italian", "sign_alphabet_cuhk"), ("allegro", "asl", "sign_alphabet_allegro"),
         ("leap", "asl", "sign_alphabet_leap"))  # fmt: skip


def main() -> None:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    lines = [
        "# Sign: letters on hands", "",
        f"Written by `benchmarks/sign_pictures.py` at commit {commit}, {datetime.date.today()}.", "",
        "| hand | alphabet | handshapes | distinguished on a stand | most alike | refused |", "|---|---|---|---|---|---|",
    ]  # fmt: skip
    shown_pictures = []
    for robot, alphabet, name in HANDS:
        try:
            hand = sign_hand(robot)
        except CarpalError as problem:
            print(f"{robot} left out: {problem}", file=sys.stderr)
            continue
        known = read_alphabet(alphabet)
        shown, refused = letters_of(hand, known)
        stand = len(Signer(robot, arm="none", alphabet=alphabet).letters)
        a, b, away = nearest_letters(shown, hand)
        why = "; ".join(f"{letter}: {reason}" for letter, reason in refused.items()) or "none"
        alike = f"{a} and {b}, {57.2958 * away:.0f} deg"
        lines.append(f"| {robot} | {alphabet} | {len(shown)} of {len(known.letters)} | {stand} | {alike} | {why} |")
        path = save_alphabet_picture(hand, known, shown, ROOT / "docs" / "pictures" / f"{name}.png")
        shown_pictures += ["", f"## {robot}, {alphabet}", "", f"![{alphabet} on {robot}](../pictures/{path.name})"]
    (ROOT / "docs" / "evidence" / "24_sign_pictures.md").write_text("\n".join(lines + shown_pictures) + "\n")


if __name__ == "__main__":
    main()
