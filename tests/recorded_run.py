"""A made-up run for the recording's tests, and a program that records until it is killed."""

from __future__ import annotations

import sys
import time

import numpy as np
from random_models import random_state, random_tree

from carpal.engines import Contact, Recorder


def fill(recorder: Recorder, rows: int, pause: float = 0.0) -> Recorder:
    """Add seeded rows, some with contacts and events."""
    rng = np.random.default_rng(3)
    for i in range(rows):
        q, v, u = random_state(recorder.model, rng)
        contacts = [Contact("body_0", "", "sliding", q[:3] if len(q) > 2 else (0, 0, 0), (0, 0, 1), 1e-3, (1, 2, 3))]
        events = [{"name": "touch", "text": f"row {i}", "value": float(i)}] if i % 7 == 0 else []
        ledger = {"kinetic": 1.0 + i, "potential": -1.0 * i, "work_in": 0.25 * i, "dissipated": 0.25 * i}
        recorder.add(1e-3 * i, q, v, u, ledger, contacts * (i % 3), events)
        if pause:
            time.sleep(pause)
    return recorder


if __name__ == "__main__":
    fill(Recorder(random_tree(5), {"seed": 5}, sys.argv[1], part_rows=20), 10**9, pause=1e-4)
