import math

import pytest

from carpal.errors import InputError, UnknownNameError
from carpal.model import arms
from carpal.model.catalogue.arms_table import TABLE

# an own copy of Prabhu 2018, Table 3.1: model, freedoms, payload [kg], mass [kg]
PRINTED = """
TX60 6 9 51|TX60L 6 5 52|UR5 6 5 18.4|UR3 6 3 11|UR10 6 10 28.9|VS-S2 6 4 34|VS-050 6 4 29|VS-060 6 4 30|MH3BM 6 3 27
MH3F 6 3 27|MH5LS II 6 5 29|GP7 6 7 34|GP8 6 8 32|SIA5F 7 5 30|RS003N 6 3 30|RS005N 6 5 34|RS005L 6 5 37|RC005I 6 5 37
"""


def test_the_table_is_the_printed_one():
    rows = [row.rsplit(" ", 3) for row in PRINTED.strip().replace("\n", "|").split("|")]
    assert [(name, int(dof), float(payload), float(mass)) for name, dof, payload, mass in rows] == [
        (arm.name, arm.dof, arm.payload, arm.mass) for arm in TABLE
    ]


def test_prabhus_query_returns_his_own_choice_alone(figure):
    found = arms(dof=7, payload=(3, 10), max_mass=35)
    assert [arm.name for arm in found] == ["SIA5F"]
    figure("arms that fit dof 7, payload 3 to 10 kg, mass up to 35 kg (SIA5F alone)", len(found), 1)
    figure("rows of Prabhu's Table 3.1 in the package", len(arms()), 18, at_least=True)
    assert found.status == "1 of 18 arms fit dof 7, payload 3 to 10 kg, mass up to 35 kg: Yaskawa SIA5F."


def test_every_filter_against_a_plain_loop():
    for dof in (None, 6, 7, (6, 7)):
        for payload in (None, 5, (3, 4), (4, math.inf)):
            for mass in (None, 28.9, 34):
                low, high = (0, 9) if dof is None else dof if isinstance(dof, tuple) else (dof, dof)
                least, most = (0, 99) if payload is None else payload if isinstance(payload, tuple) else (payload, 99)
                kept = [
                    a.name for a in TABLE
                    if low <= a.dof <= high and least <= a.payload <= most and (mass is None or a.mass <= mass)
                ]  # fmt: skip
                assert sorted(kept) == sorted(a.name for a in arms(dof, payload, mass))


def test_ranks():
    assert arms().arms[0].name == "SIA5F"
    assert [a.name for a in arms(rank="mass")][:2] == ["UR3", "UR5"]
    assert arms(rank="payload").arms[0].name == "UR10"
    ratios = [a.payload_ratio for a in arms(rank="ratio")]
    assert ratios == sorted(ratios, reverse=True)
    assert {a.maker for a in arms(maker="denso")} == {"Denso"}


def test_nothing_fits_says_what_each_requirement_leaves():
    none = arms(dof=7, max_mass=20)
    assert not none
    assert none.status == "none of 18 arms fits dof 7, mass up to 20 kg; alone, 1 fit dof 7; 2 fit mass up to 20 kg."


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"dof": "seven"}, "dof must be a number, zero or above; got 'seven'"),
        ({"payload": (10, 3)}, "payload must have least <= most; got (10, 3)"),
        ({"payload": (1, 2, 3)}, "payload must be a number or (least, most)"),
        ({"max_mass": math.nan}, "max_mass must be a number, zero or above; got nan"),
        ({"max_mass": math.inf}, "max_mass must be a number, zero or above; got inf"),
    ],
)
def test_bad_input(options, sentence):
    with pytest.raises(InputError, match=sentence.replace("(", r"\(").replace(")", r"\)")):
        arms(**options)


def test_unknown_names():
    with pytest.raises(UnknownNameError, match="unknown rank 'weight'"):
        arms(rank="weight")
    with pytest.raises(UnknownNameError, match="did you mean 'Yaskawa'"):
        arms(maker="Yaskwa")
