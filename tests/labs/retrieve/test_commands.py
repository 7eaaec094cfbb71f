"""`carpal mountings`: the two mountings compared."""

import json

from carpal.cli import main


def test_the_two_mountings_are_compared(capsys, tmp_path):
    assert main(["mountings", "--step", "0.08", "--json", "--out", str(tmp_path)]) == 0
    answer = json.loads(capsys.readouterr().out)
    down, side = answer["mountings"]["upside_down"], answer["mountings"]["sideways"]
    assert down["area_m2"] > 2 * side["area_m2"]
    assert down["waist_torque_with_relay_Nm"] < 1e-9 < side["waist_torque_Nm"] < side["waist_torque_with_relay_Nm"]
    assert (tmp_path / "k10_mountings.png").exists()
