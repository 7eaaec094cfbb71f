"""Rules of the house that a machine can check: import order, file length, names, light import, what kernels may hold."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "carpal"
LAYERS = (
    "spatial", "model", "kinematics", "dynamics", "contact", "engines", "control", "planning", "perception", "tasks", "studio",
)  # fmt: skip
SOURCES = sorted(path for path in PACKAGE.rglob("*.py"))
KERNELS = [path for path in SOURCES if "kernels" in path.parts and path.name != "__init__.py"]
MAX_LINES = 400


def _id(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _imports(path: Path) -> list[tuple[str, int]]:
    """(module, line) of everything imported anywhere in a file, except for type checking only."""
    tree = ast.parse(path.read_text())
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = []
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{_id(path)}:{node.lineno} uses a relative import"
            found.append((node.module or "", node.lineno))
    return found


def _layer(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "carpal" and len(parts) > 1 and parts[1] in LAYERS else None


@pytest.mark.parametrize("path", SOURCES, ids=_id)
def test_imports_flow_one_way_and_through_the_front_door(path):
    relative = path.relative_to(PACKAGE)
    own = relative.parts[0] if len(relative.parts) > 1 else None
    for module, line in _imports(path):
        other = _layer(module)
        if other is None:
            continue
        where = f"{_id(path)}:{line} imports {module}"
        assert own is not None, f"{where}: root files import only each other"
        assert LAYERS.index(other) <= LAYERS.index(own), f"{where}: against the flow"
        inside_kernel = "kernels" in path.parts and ".kernels." in module
        if other != own and not inside_kernel:
            assert module.count(".") == 1, f"{where}: not through its __init__"


@pytest.mark.parametrize("path", SOURCES + sorted((ROOT / "tests").rglob("*.py")), ids=_id)
def test_no_file_is_too_long(path):
    assert len(path.read_text().splitlines()) <= MAX_LINES


@pytest.mark.parametrize("stub", sorted(PACKAGE.rglob("__init__.pyi")), ids=_id)
def test_every_exported_name_exists_and_hides_no_module(stub):
    package = ".".join(stub.parent.relative_to(ROOT).parts)
    module = __import__(package, fromlist=["x"])
    for name in module.__all__:
        assert getattr(module, name) is not None
        if name != "errors":
            assert not (stub.parent / f"{name}.py").exists(), f"{package}.{name} is a function and a module"


def test_the_public_contract():
    import carpal

    assert len(carpal.__all__) <= 20
    for name in (
        "load", "robots", "Model", "fk", "jacobian", "mass_matrix", "inverse_dynamics", "forward_dynamics", "com",
        "mount_wrench", "errors",
    ):  # fmt: skip
        assert name in carpal.__all__


def test_every_package_is_lazy():
    for path in PACKAGE.rglob("__init__.py"):
        if "kernels" in path.parts:
            assert path.read_text().strip() == "", f"{_id(path)}: kernel packages hold nothing"
        else:
            assert [m for m, _ in _imports(path)] == ["carpal._lazy"], _id(path)


def test_import_is_light():
    """`import carpal` takes neither numba nor any optional package with it."""
    code = "import sys, carpal; print(' '.join(sorted({m.split('.')[0] for m in sys.modules})))"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    heavy = {
        "numba", "llvmlite", "mujoco", "matplotlib", "scipy", "trimesh", "typer", "rich", "pinocchio", "pyarrow", "viser",
        "websockets", "playwright", "cv2", "zenoh",
    }  # fmt: skip
    assert not loaded & heavy


def test_a_kernel_brings_only_numpy_and_numba():
    code = "import sys, carpal.dynamics.kernels.aba; print(' '.join(sorted({m.split('.')[0] for m in sys.modules})))"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert not loaded & {"mujoco", "matplotlib", "trimesh", "typer", "rich"}


FORBIDDEN_CALLS = {"zeros", "empty", "ones", "array", "dot", "print", "eye", "copy", "append", "concatenate"}


@pytest.mark.parametrize("path", KERNELS, ids=_id)
def test_kernels_hold_only_what_runs_everywhere(path):
    tree = ast.parse(path.read_text())
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            assert isinstance(node, ast.Import | ast.ImportFrom | ast.Assign | ast.Expr | ast.ClassDef), _id(path)
            continue
        where = f"{_id(path)}:{node.lineno} {node.name}"
        assert node.decorator_list and {d.id for d in node.decorator_list if isinstance(d, ast.Name)} <= {
            "kernel", "leaf", "entry",
        }, f"{where} is not compiled"  # fmt: skip
        for inner in ast.walk(node):
            assert not isinstance(
                inner,
                ast.Raise | ast.Try | ast.Lambda | ast.ListComp | ast.DictComp | ast.With | ast.Yield | ast.Assert,
            ), f"{where}: {type(inner).__name__}"
            if isinstance(inner, ast.FunctionDef) and inner is not node:
                pytest.fail(f"{where} holds a closure")
            if isinstance(inner, ast.Attribute):
                dotted = ast.unparse(inner)
                assert not dotted.startswith("np.linalg"), f"{where}: {dotted}"
            if isinstance(inner, ast.Call):
                called = ast.unparse(inner.func)
                assert called != node.name, f"{where} is recursive"
                if called.startswith(("np.", "numpy.")):
                    assert called.split(".")[-1] not in FORBIDDEN_CALLS, f"{where} allocates: {called}"
        if any(isinstance(d, ast.Name) and d.id == "entry" for d in node.decorator_list):
            assert [a.arg for a in node.args.args][-4:] == ["start", "stop", "stride", "slot"], where
    assert names


@pytest.mark.parametrize("path", [p for p in SOURCES if p.name != "__init__.py"], ids=_id)
def test_every_source_file_has_its_test_file(path):
    relative = path.relative_to(PACKAGE)
    if relative.parts[:2] == ("model", "catalogue") and relative.name not in ("registry.py", "assumed.py"):
        return  # data files share one parametrised test: tests/model/catalogue/test_registry.py
    name = relative.stem.removeprefix("_")
    assert (ROOT / "tests" / relative.parent / f"test_{name}.py").exists(), f"no test for {_id(path)}"


def test_examples_are_numbered_and_short():
    examples = sorted((ROOT / "examples").glob("*.py"))
    assert examples
    for i, path in enumerate(examples, start=1):
        assert path.name.startswith(f"{i:02d}_"), path.name
        assert len(path.read_text().splitlines()) < 60


def test_make_bench_runs_what_says_so():
    said = {path.name for path in (ROOT / "benchmarks").glob("*.py") if "\nmake bench\n" in path.read_text()}
    run = set(re.findall(r"benchmarks/(\w+\.py)", (ROOT / "Makefile").read_text()))
    assert said and said <= run, f"not run by make bench: {sorted(said - run)}"
