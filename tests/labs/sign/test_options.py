"""Options that make no sense are refused in one sentence."""

import pytest

from carpal.errors import CarpalError
from carpal.labs.sign.options import SignOptions
from carpal.tasks import make_task

WRONG = [
    ({"engine": "bullet"}, "rigid, modal, mujoco"),
    ({"touch": -1.0}, "touch must be 0 or above"),
    ({"dt": 0.0}, "dt must be above 0"),
    ({"dt": float("nan")}, "finite"),
    ({"alphabt": "italian"}, "alphabet"),
]


@pytest.mark.parametrize(("options", "reason"), WRONG, ids=str)
def test_one_clear_sentence(options, reason):
    with pytest.raises(CarpalError, match=reason):
        make_task("sign", **options)


def test_defaults_are_in_the_package():
    from carpal.labs.sign.files.tables import known_files

    chosen = SignOptions()
    assert chosen.robot in known_files("robots") and chosen.alphabet in known_files("alphabets")
