"""The examples run, headless, and assert their own ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_example_runs(path, tmp_path):
    done = subprocess.run(
        [sys.executable, path], capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "MPLBACKEND": "Agg"}
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip()
