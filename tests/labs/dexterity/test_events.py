"""Events: every change of mode once, hits among them in order of time."""

import numpy as np
from dexterity_inputs import made_up, setting_of, touch

from carpal.labs.dexterity.events import mode_events


def test_changes_in_order():
    setting = setting_of(6)
    rows = [(), (touch("index"),), (touch("index", "sliding"), touch("thumb", "")), (touch("thumb", ""),)]
    outcome = made_up(setting, np.tile(setting.start().q, (4, 1)), contacts=rows)
    summary = [event.to_dict() for event in mode_events(outcome)]
    assert [(e["time"], e["contact"], e["from"], e["to"]) for e in summary] == [
        (0.001, "index", "free", "sticking"),
        (0.002, "thumb", "free", "touching"),
        (0.002, "index", "sticking", "sliding"),
        (0.003, "index", "sliding", "free"),
    ]
