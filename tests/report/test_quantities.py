import pytest

from carpal.report.quantities import is_noise, number, shown, words_and_unit


@pytest.mark.parametrize(
    ("name", "words", "unit"),
    [
        ("largest_error_m", "largest error", "m"),
        ("final_speed_m_s", "final speed", "m/s"),
        ("peak_rate_rad_s", "peak rate", "rad/s"),
        ("gravity_m_s2", "gravity", "m/s²"),
        ("peak_acceleration_rad_s2", "peak acceleration", "rad/s²"),
        ("stiffness_N_m", "stiffness", "N/m"),
        ("peak_torque_Nm", "peak torque", "N m"),
        ("impulse_N_s", "impulse", "N s"),
        ("inertia_kg_m2", "inertia", "kg m²"),
        ("plan_carry_ms", "plan carry", "ms"),
        ("swing_deg", "swing", "deg"),
        ("success_percent", "success", "%"),
        ("letters_per_minute", "letters", "per minute"),
        ("area_in_view_m2", "area in view", "m²"),
        ("volume_m3", "volume", "m³"),
        ("speed_share", "speed share", ""),
        ("axis_W", "axis W", ""),
        ("work_W", "work", "W"),
        ("m", "m", ""),
        ("hit_count", "hit count", ""),
    ],
)
def test_names_end_in_their_unit(name, words, unit):
    assert words_and_unit(name) == (words, unit)


@pytest.mark.parametrize(
    ("name", "value", "text", "unit"),
    [
        ("error_m", 6.06397e-05, "60.64", "µm"),
        ("error_mm", 0.47898180034244203, "0.479", "mm"),
        ("drift_m", -0.20928018, "-0.2093", "m"),
        ("final_speed_m_s", 3.1e-21, "0", "m/s"),
        ("shift_m", [-4.0e-23, -1.2e-22], "0, 0", "m"),
        ("shift_m", [0.0123456, -1e-20], "12.35, 0", "mm"),
        ("speed_share", 0.7481504866655244, "74.82", "%"),
        ("residual_J", 6.98e-12, "6.98", "pJ"),
        ("peak_torque_Nm", [42.193313, 0.44457895], "42.19, 0.4446", "N m"),
        ("gains", [38877.1875, 323976.56], "38877, 323977", ""),
        ("never_s", float("nan"), "unknown", "s"),
        ("caught", True, "yes", ""),
        ("hit_count", 3, "3", ""),
    ],
)
def test_numbers_are_rounded_in_a_unit_that_fits(name, value, text, unit):
    assert shown(name, value)[:2] == (text, unit)


def test_all_digits_are_kept_beside():
    assert shown("error_m", 6.063974941479155e-05).exact == "6.063974941479155e-05 m"


def test_numbers_as_they_are():
    assert number(0.123456789) == "0.123457"
    assert number([1.0, 2.5]) == "1, 2.5"
    assert number(True) == "yes" and number(None) == "-"
    assert number({"a": 1.0}) == "a 1"
    assert "(20 in all)" in number(range(20))


def test_rounding_is_known():
    assert is_noise(1e-15) and is_noise(0.0) and not is_noise(1e-9) and not is_noise("text") and not is_noise(None)
