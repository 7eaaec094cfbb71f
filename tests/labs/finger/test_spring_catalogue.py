import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.finger import read_springs

GOOD = '[[spring]]\nname = "A"\nstiffness = 0.02\nlargest_deg = 90\nprice = 2\n'


def test_the_assumed_series():
    shop = read_springs()
    k = np.array([spring.stiffness for spring in shop.springs])
    assert len(k) == 19 and (np.diff(k) > 0).all() and "assumed" in str(shop)
    assert (k[1:] / k[:-1] < 1.3).all() and shop.custom_price > max(spring.price for spring in shop.springs)


def test_a_file_of_ones_own(tmp_path):
    file = tmp_path / "shop.toml"
    file.write_text('title = "shop"\ncurrency = "CHF"\n' + GOOD + GOOD.replace("A", "B").replace("0.02", "0.01"))
    shop = read_springs(file)
    assert [spring.name for spring in shop.springs] == ["B", "A"] and shop.currency == "CHF" and shop.custom_price == 0
    assert shop.springs[0].largest == pytest.approx(np.pi / 2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title = 'x'", "needs springs"),
        (GOOD.replace("stiffness", "stifness"), "did you mean 'stiffness'"),
        (GOOD.replace("price = 2\n", ""), r"\[\[spring\]\] 1 of the TOML text lacks price"),
        (GOOD.replace("0.02", "-1"), "above zero; got -1"),
        (GOOD.replace("price = 2", "price = true"), "price of"),
        (GOOD + GOOD, "2 springs named 'A'"),
        (GOOD.replace('"A"', "3"), "must be a text"),
        ("currancy = 'x'\n" + GOOD, "did you mean 'currency'"),
        ("[[spring]]\n" * 201, "at most 200"),
    ],
)  # fmt: skip
def test_bad_files(text, words):
    with pytest.raises(CarpalError, match=words):
        read_springs(text)
