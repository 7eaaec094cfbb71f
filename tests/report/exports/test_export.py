"""`export`: one function for all formats, which says what each cannot carry."""

import importlib.util

import pytest
from export_inputs import moved, recorded

from carpal.engines import OTHER_FILES
from carpal.errors import CarpalError, InputError
from carpal.report import FORMATS, export


def test_endings_of_save_and_export_are_the_same():
    assert tuple(FORMATS) == OTHER_FILES


@pytest.mark.parametrize("ending", list(FORMATS))
def test_every_format_says_what_it_leaves_out(ending, tmp_path):
    done = export(recorded(), tmp_path / "deep" / f"run{ending}")
    assert done and done.path.stat().st_size == done.size > 1000 and done.rows == 40
    assert (ending == ".csv") != ("planes, which have no end" in done.left_out)
    assert all(name in done.status for name in done.left_out)
    assert [path.name for path in done.path.parent.iterdir()] == [f"run{ending}"]  # nothing hidden is left


def test_a_missing_package_is_named_with_its_extra(tmp_path, monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "mcap" else real(name))
    with pytest.raises(CarpalError, match=r'needs the package mcap: pip install "carpal\[mcap\]"'):
        export(recorded(), tmp_path / "run.mcap")


def test_what_is_no_format_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"'.bag' files; the endings are .csv, .mcap"):
        export(recorded(), tmp_path / "run.bag")
    (tmp_path / "file").write_text("")
    for ending in (".csv", ".usdc", ".rrd"):
        with pytest.raises(InputError, match="was not written"):
            export(recorded(), tmp_path / "file" / f"run{ending}")
    with pytest.raises(InputError, match="dt must be a number above zero"):
        export(moved(), tmp_path / "moved.csv", dt=0.0)
