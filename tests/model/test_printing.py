from extended_models import extended_model

import carpal


def test_a_model_prints_as_a_table():
    text = str(carpal.load("sawyer"))
    lines = text.splitlines()
    assert lines[0].startswith("sawyer: nq 7, nv 7, 20.7345 kg, tool 'tool'")
    assert sum("revolute" in line for line in lines) == 7
    j3 = next(line for line in lines if line.startswith("j3"))
    assert j3.split() == ["j3", "revolute", "l3", "l2", "z", "-3.044", "3.044", "1.957", "40", "2.51"]
    assert "source: RethinkRobotics" in text
    widths = {len(line) for line in lines if line.startswith("j") and "revolute" in line}
    assert len(widths) == 1, "columns are aligned"


def test_unknown_masses_and_missing_limits_show():
    text = str(carpal.load("k10"))
    assert "masses unknown" in text
    wrist = next(line for line in text.splitlines() if line.startswith("wrist "))
    assert wrist.split()[-2:] == ["-", "?"]


def test_repr_is_short():
    assert repr(carpal.load("so101_old")) == "<Model 'so101_old': 6 bodies, nq 5, nv 5, tool 'tool'>"


def test_what_stands_beside_the_tree_is_listed():
    lines = str(extended_model()).splitlines()
    assert "couplings: hinge_c follows hinge_a" in lines
    assert "loops: c - world (connect)" in lines
    assert "tendons: pull, cable" in lines
    assert "actuators: servo (position on hinge_a), winch (motor on pull)" in lines
