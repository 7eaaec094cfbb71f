"""Registers: counts survive their bytes, and equal what the makers' packages make of them."""

import pytest

from carpal.control.servos.servo_table import SCS, STS, Register, X


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize(
    "register", [Register(3, 2, 1.0, 15), Register(3, 2, 1.0, 10), Register(3, 4), Register(3, 2), Register(3, 1)]
)
def test_counts_survive_their_bytes(register, order):
    for value in (0, 1, 77, 255, 256, 1000, -1, -77, -1000):
        if register.size == 1 and not 0 <= value < 256:
            continue
        data = bytes(3) + register.bytes_of(value, order)
        assert register.read(data, 0, order) == value and register.read(data[2:], 2, order) == value


def test_bytes_are_those_of_the_makers_packages():
    sdk = pytest.importorskip("scservo_sdk")
    assert STS.speed.bytes_of(-300, "little") == bytes(
        [sdk.SCS_LOBYTE(v := sdk.SCS_TOSCS(-300, 15)), sdk.SCS_HIBYTE(v)]
    )
    sdk.SCS_SETEND(1)
    try:
        assert SCS.goal.bytes_of(700, "big") == bytes([sdk.SCS_LOBYTE(700), sdk.SCS_HIBYTE(700)])
    finally:
        sdk.SCS_SETEND(0)
    pytest.importorskip("dynamixel_sdk")
    from dynamixel_sdk.robotis_def import DXL_HIWORD, DXL_LOBYTE, DXL_LOWORD

    assert X.goal.bytes_of(3000, "little")[0] == DXL_LOBYTE(DXL_LOWORD(3000)) and DXL_HIWORD(3000) == 0


def test_ranges_are_symmetric_about_the_middle():
    for table in (STS, SCS, X):
        assert table.low == pytest.approx(-0.5 * table.span) and table.high == pytest.approx(
            0.5 * table.span - table.unit
        )
        assert table.block == (31 if table is X else 22)


def test_no_byte_of_a_summed_set_point_is_255():
    assert [STS.sendable(v) for v in (255, 256, 511, 2048)] == [254, 256, 510, 2048] and X.sendable(255) == 255
