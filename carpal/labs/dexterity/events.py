"""Events of a run: each change of a contact's mode, by finger, and each hit."""

from __future__ import annotations

from typing import Any, NamedTuple

from carpal.labs.dexterity.outcome import Outcome
from carpal.labs.dexterity.robot import FINGERS

TOUCHING = "touching"
"""What a contact is called where the engine knows no modes."""


class ModeEvent(NamedTuple):
    """A contact (its finger) goes from one mode to another at a time [s]."""

    time: float
    contact: str
    before: str
    after: str

    def to_dict(self) -> dict[str, Any]:
        """As in the command line's JSON."""
        return {"time": self.time, "contact": self.contact, "from": self.before, "to": self.after}


def mode_events(outcome: Outcome) -> list[ModeEvent]:
    """Changes of modes in order of time; a hit that ends apart is "free" to "hit" at its own time."""
    modes = outcome.contacts.mode
    out = []
    for row in range(1, len(modes)):
        for i, finger in enumerate(FINGERS):
            before, after = (str(mode) or TOUCHING for mode in (modes[row - 1, i], modes[row, i]))
            if before != after:
                out.append(ModeEvent(float(outcome.time[row]), finger, before, after))
    out += [ModeEvent(hit.time, hit.finger, "free", "hit") for hit in outcome.hits]
    return sorted(out, key=lambda event: event.time)
