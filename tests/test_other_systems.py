"""What only Unix has (locks, forks, terminals, limits) is optional: the library and the command line run without it."""

import subprocess
import sys

WITHOUT = """
import os, sys
for name in ("fcntl", "termios", "pty", "tty", "resource", "pwd", "grp"):
    sys.modules[name] = None
del os.fork
import importlib, pkgutil
import carpal
from carpal.cli.command_line import main
names = [m.name for m in pkgutil.walk_packages(carpal.__path__, "carpal.") if ".kernels" not in m.name]
for name in names:
    importlib.import_module(name)
arm = carpal.load("sawyer")
assert carpal.ik(arm, [0.6, 0.2, 0.4]).ok
assert main(["fk", "sawyer", "--q", *"0 0.5 0 -0.5 0 0 0".split()]) == 0
assert main(["reach", "--out", "out"]) == 0
assert main(["reach", "--seeds", "2", "--duration", "3", "--out", "seeds"]) == 0
with open("robot.urdf", "w") as file:
    file.write(arm.to_urdf())
assert main(["show", "robot.urdf"]) == 0
from carpal.labs.retrieve.execution.files import ExecutionFolder
try:
    with ExecutionFolder("execution").held():
        pass
except carpal.errors.InputError as refusal:
    print(len(names), refusal)
"""


def test_library_and_command_line_run_without_what_only_unix_has(tmp_path):
    done = subprocess.run([sys.executable, "-c", WITHOUT], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    count, words = done.stdout.splitlines()[-1].split(" ", 1)
    assert int(count) > 300 and words.startswith("an execution process needs file locks")
