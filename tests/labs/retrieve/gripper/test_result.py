"""Every outcome reads as one true sentence."""

import numpy as np
import pytest

from carpal.labs.retrieve import GripperResult


@pytest.mark.parametrize(
    ("outcome", "ok", "says"),
    [
        ("reached", True, "met nothing"),
        ("gripped", True, "holds something at 30.0 mm"),
        ("jammed", False, "it met something at 29.0 mm"),
        ("timed out", False, "neither arrived nor stalled"),
    ],
)
def test_sentences(outcome, ok, says):
    numbers = {name: np.array(1.0) for name in ("time", "position", "force", "measured_force", "peak_force", "excess")}
    result = GripperResult(
        outcome=np.array(outcome), estimate=np.array(0.03), place=np.array(0.029), series={}, **numbers
    )
    assert bool(result) is ok and says in str(result) and str(result).endswith(".")
