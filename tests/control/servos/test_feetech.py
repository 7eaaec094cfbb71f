"""Feetech bus: the order of bytes in a number is the series'."""

import pytest

from carpal.control import FeetechBus, ServoLine, SimulatedServos


@pytest.mark.parametrize(("series", "model"), [("sts", 777), ("scs", 1284)])
def test_series(series, model):
    servos = SimulatedServos(series, {4: 0.25})
    with ServoLine(servos) as line:
        bus = FeetechBus(line.port, series=series)
        assert bus.ping([4]) == {4: model}
        bus.write([4], [-0.25], 1.0)
        bus.read([4])
        counts = round(-0.25 / bus.table.unit) + bus.table.counts // 2
        assert bytes(servos.memory[4][42:44]) == counts.to_bytes(2, "little" if series == "sts" else "big")
