"""The notebooks' code runs, and the committed notebooks are those of their scripts, small and without errors."""

import importlib.util
import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "examples" / "notebooks"
spec = importlib.util.spec_from_file_location("make_notebooks", FOLDER / "make_notebooks.py")
maker = importlib.util.module_from_spec(spec)
spec.loader.exec_module(maker)
LARGEST = 300_000


def test_there_are_five():
    assert len(maker.NOTEBOOKS) == 5


@pytest.mark.parametrize("name", maker.NOTEBOOKS)
def test_a_notebook_is_its_script_executed(name):
    path = FOLDER / f"{name}.ipynb"
    kept = json.loads(path.read_text())
    assert kept["nbformat"] == 4 and path.stat().st_size < LARGEST
    cells = maker.cells_of(FOLDER / f"{name}.py")
    assert [(c["cell_type"], "".join(c["source"])) for c in kept["cells"]] == cells, "run make_notebooks.py"
    code = [cell for cell in kept["cells"] if cell["cell_type"] == "code"]
    assert any(cell["outputs"] for cell in code)
    kinds = {kind for cell in code for out in cell["outputs"] for kind in out.get("data", {})}
    assert "image/png" in kinds, "it shows a picture"
    now = [cell for cell in maker.execute(cells) if cell["cell_type"] == "code"]
    for before, after in zip(code, now, strict=True):
        assert [out["output_type"] for out in before["outputs"]] == [out["output_type"] for out in after["outputs"]]
