"""Rules of the house that a machine can check: import order, labs, file length, names, light import, what kernels may hold.

Each rule is one test over all files, which lists every file that breaks it. Whether a part of the library is of use to more
than one lab (rule 1) and whether a kept library would do it (rule 5) is judged by people; `docs/dependencies.md` says how.
"""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "carpal"
LAYERS = (
    "_core", "spatial", "model", "kinematics", "dynamics", "contact", "engines", "control", "planning", "perception", "tasks",
    "report", "viewer", "cli", "labs",
)  # fmt: skip
FRONT_DOOR = "carpal._core.front_door"  # makes the lazy, checked names of every package
LABS = ("catch", "dexterity", "finger", "mount", "retrieve", "sign")
DOORS = ("task", "options", "robot", "controller", "score", "figures")  # of a lab that registers a task
PRIVATE_PARTS = {  # of other packages: a pattern of modules, and the one file that may import them
    r"numba\.core(?!\.event$)\b.+|numba\.cuda\.dispatcher|llvmlite\b.*": "_core/numba_private.py",
    r"websockets\b.*|viser\._.*": "report/viser_server.py",
}
ONE_PLACE = {  # rule 4: one way for each thing; what only one file may import
    r"rich\b.*": "_core/progress.py",
    r"concurrent\.futures|multiprocessing\.pool": "_core/cpu_pool.py",
}
SOURCES = sorted(path for path in PACKAGE.rglob("*.py"))
KERNELS = [path for path in SOURCES if "kernels" in path.parts and path.name != "__init__.py"]
MAX_LINES = 400
MAX_FIELDS, MAX_ARGUMENTS, MAX_KERNEL_LINES = 12, 32, 110
STEPS = {  # functions that read like a table of contents: most lines, most loops inside one another
    "engines/modal/kernels/time_step.py": {"modal_step": (60, 1)},
    "engines/modal/kernels/event_step.py": {"event_step": (60, 3)},  # parts of a step, repeated, on two levels
    "engines/penalty/kernels/trapezoid.py": {"trapezoid_step": (60, 1)},
    "labs/catch/kernels/run.py": {"run_catch": (60, 2), "catch_step": (60, 1)},
}
FORBIDDEN_CALLS = {"zeros", "empty", "ones", "array", "dot", "print", "eye", "copy", "append", "concatenate"}
FORBIDDEN_IN_KERNELS = (
    ast.Raise | ast.Try | ast.Lambda | ast.ListComp | ast.DictComp | ast.With | ast.Yield | ast.Assert
)


def _id(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@functools.cache
def _imports(path: Path) -> list[tuple[str, int, int]]:
    """(module, line, level) of everything imported anywhere in a file, except for type checking only."""
    skipped = {
        id(inner)
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = []
    for node in ast.walk(_tree(path)):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno, 0) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append((node.module or "", node.lineno, node.level))
    return found


def _room(parts: tuple[str, ...]) -> str:
    """The room of a module, given as its path inside the package; each lab is a room of its own."""
    return ".".join(parts[:2]) if parts[0] == "labs" else parts[0]


def _against_the_rules(path: Path, module: str) -> str | None:
    """Why a file of the package may not import a module of the package."""
    relative = path.relative_to(PACKAGE)
    parts = tuple(module.split(".")[1:])
    if not parts or parts[0] not in LAYERS:
        return None
    if len(relative.parts) == 1:
        return None if module == FRONT_DOOR else "files of the root import no room"
    own, other = _room(relative.with_suffix("").parts), _room(parts)
    if LAYERS.index(parts[0]) > LAYERS.index(relative.parts[0]):
        return "against the flow"
    if parts[0] == "labs" and other != own:
        return "a lab imports no other lab"
    inside_kernel = "kernels" in path.parts and "kernels" in parts
    if other not in (own, "_core") and not inside_kernel and module.count(".") != 1:
        return "not through the front door of its room"
    return None


def test_imports_flow_one_way_and_through_the_front_door():
    wrong = []
    for path in SOURCES:
        for module, line, level in _imports(path):
            why = (
                "a relative import"
                if level
                else _against_the_rules(path, module)
                if module.startswith("carpal")
                else None
            )
            if why:
                wrong.append(f"{_id(path)}:{line} imports {module}: {why}")
    assert not wrong, "\n".join(wrong)


def test_the_import_rules_notice_what_they_forbid():
    control, catch = PACKAGE / "control" / "joint.py", PACKAGE / "labs" / "catch" / "task.py"
    assert _against_the_rules(control, "carpal.labs.catch") == "against the flow"
    assert _against_the_rules(control, "carpal.planning") == "against the flow"
    assert _against_the_rules(catch, "carpal.labs.mount") == "a lab imports no other lab"
    assert _against_the_rules(catch, "carpal.engines.rigid.engine") == "not through the front door of its room"
    assert _against_the_rules(PACKAGE / "errors.py", "carpal.model") == "files of the root import no room"
    assert _against_the_rules(catch, "carpal.labs.catch.plan") is None
    assert _against_the_rules(catch, "carpal._core.batch") is None


def test_the_library_names_labs_only_in_the_registry():
    naming = [
        _id(path)
        for path in SOURCES
        if "labs" not in path.relative_to(PACKAGE).parts and re.search(r"carpal\.labs\.\w", path.read_text())
    ]
    assert naming == [], "these name a lab; a lab registers itself in its lab.py"


def test_every_lab_has_the_same_doors():
    assert sorted(path.name for path in (PACKAGE / "labs").iterdir() if (path / "__init__.py").exists()) == list(LABS)
    for lab in LABS:
        folder = PACKAGE / "labs" / lab
        assert (folder / "lab.py").exists(), lab
        registered = re.findall(r"carpal\.labs\.(\w+)\.(\w+):", (folder / "lab.py").read_text())
        assert registered and all(name == lab and (folder / f"{door}.py").exists() for name, door in registered), lab
        if "task" in dict(registered).values():
            assert [door for door in DOORS if not (folder / f"{door}.py").exists()] == [], lab


def test_private_parts_of_libraries_stand_behind_one_file():
    assert _importers(PRIVATE_PARTS) == {home: {home} for home in PRIVATE_PARTS.values()}


def test_progress_bars_and_thread_pools_are_made_in_one_place():
    assert _importers(ONE_PLACE) == {home: {home} for home in ONE_PLACE.values()}


def _importers(homes: dict[str, str]) -> dict[str, set[str]]:
    """For each home: the files that import what its pattern names."""
    return {
        home: {
            path.relative_to(PACKAGE).as_posix()
            for path in SOURCES
            for module, _, _ in _imports(path)
            if re.fullmatch(pattern, module)
        }
        for pattern, home in homes.items()
    }


def test_no_file_is_too_long():
    everything = SOURCES + sorted((ROOT / "tests").rglob("*.py"))
    long = [_id(path) for path in everything if len(path.read_text().splitlines()) > MAX_LINES]
    assert not long


def test_every_exported_name_exists_and_hides_no_module():
    for stub in sorted(PACKAGE.rglob("__init__.pyi")):
        package = ".".join(stub.parent.relative_to(ROOT).parts)
        module = __import__(package, fromlist=["x"])
        modules = set(re.findall(r"from \. import (\w+)", stub.read_text()))
        for name in module.__all__:
            assert getattr(module, name) is not None
            beside = (stub.parent / f"{name}.py").exists() or (stub.parent / name).is_dir()
            assert name in modules or not beside, f"{package}.{name} is a function and a module"


def test_the_public_contract():
    import carpal

    nouns = {"Model", "Scene", "State", "Engine", "Trajectory", "Task", "Recording"}
    engines = {"RigidEngine", "PenaltyEngine", "ModalEngine", "MuJoCoEngine"}
    verbs = {
        "load", "robots", "fk", "jacobian", "ik", "ik_all", "arm_angle", "arm_angle_intervals", "mass_matrix",
        "inverse_dynamics", "forward_dynamics", "com", "mount_wrench", "simulate", "plan", "make_task", "view",
    }  # fmt: skip
    packages = set(LAYERS) - {"_core"} | {"errors"}
    assert set(carpal.__all__) == nouns | engines | verbs | packages
    assert set(dir(carpal)) >= set(carpal.__all__)


def test_sub_packages_are_attributes_of_carpal():
    code = "import carpal; print(carpal.tasks.make_task.__name__, carpal.labs.catch.__name__, carpal.errors.__name__)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["make_task", "carpal.labs.catch", "carpal.errors"]


def test_every_package_is_lazy():
    for path in PACKAGE.rglob("__init__.py"):
        if "kernels" in path.parts:
            assert path.read_text().strip() == "", f"{_id(path)}: kernel packages hold nothing"
        else:
            wanted = [FRONT_DOOR] if path.with_suffix(".pyi").exists() else []
            assert [module for module, _, _ in _imports(path)] == wanted, _id(path)
            assert ast.get_docstring(_tree(path)), f"{_id(path)} says nothing"


def _loaded(code: str) -> set[str]:
    """Top-level packages in memory after some code."""
    code += "; import sys; print(' '.join(sorted({m.split('.')[0] for m in sys.modules})))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return set(said.split())


def test_import_is_light():
    """`import carpal` takes neither numba nor any optional package with it."""
    heavy = {
        "numba", "llvmlite", "mujoco", "matplotlib", "scipy", "trimesh", "typer", "rich", "pinocchio", "pyarrow", "viser",
        "websockets", "playwright", "cv2", "zenoh", "pydantic",
    }  # fmt: skip
    assert not _loaded("import carpal") & heavy


def test_a_kernel_brings_only_numpy_and_numba():
    assert not _loaded("import carpal.dynamics.kernels.aba") & {"mujoco", "matplotlib", "trimesh", "typer", "rich"}


def _kernel_faults(path: Path) -> list[str]:
    """What in a file of kernels would not run on every device."""
    faults = []
    for node in _tree(path).body:
        if not isinstance(node, ast.FunctionDef):
            if not isinstance(node, ast.Import | ast.ImportFrom | ast.Assign | ast.Expr | ast.ClassDef):
                faults.append(f"{_id(path)}:{node.lineno} {type(node).__name__}")
            continue
        where = f"{_id(path)}:{node.lineno} {node.name}"
        decorators = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
        if not decorators or not decorators <= {"kernel", "leaf", "entry"}:
            faults.append(f"{where} is not compiled")
        for inner in ast.walk(node):
            if isinstance(inner, FORBIDDEN_IN_KERNELS):
                faults.append(f"{where}: {type(inner).__name__}")
            if isinstance(inner, ast.FunctionDef) and inner is not node:
                faults.append(f"{where} holds a closure")
            if isinstance(inner, ast.Attribute) and ast.unparse(inner).startswith("np.linalg"):
                faults.append(f"{where}: {ast.unparse(inner)}")
            if isinstance(inner, ast.Call):
                called = ast.unparse(inner.func)
                if called == node.name:
                    faults.append(f"{where} is recursive")
                if called.startswith(("np.", "numpy.")) and called.split(".")[-1] in FORBIDDEN_CALLS:
                    faults.append(f"{where} allocates: {called}")
        if "entry" in decorators and [a.arg for a in node.args.args][-4:] != ["start", "stop", "stride", "slot"]:
            faults.append(f"{where}: an entry ends in start, stop, stride, slot")
    return faults


def test_kernels_hold_only_what_runs_everywhere():
    faults = [fault for path in KERNELS for fault in _kernel_faults(path)]
    assert not faults, "\n".join(faults)


def test_tables_and_arguments_of_kernels_stay_few():
    faults = []
    for path in KERNELS:
        for node in _tree(path).body:
            if isinstance(node, ast.ClassDef) and "NamedTuple" in {ast.unparse(base) for base in node.bases}:
                fields = sum(isinstance(inner, ast.AnnAssign) for inner in node.body)
                if fields > MAX_FIELDS:
                    faults.append(f"{_id(path)}:{node.lineno} {node.name} has {fields} fields")
            if isinstance(node, ast.FunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if len(node.args.args) > MAX_ARGUMENTS or lines > MAX_KERNEL_LINES:
                    faults.append(
                        f"{_id(path)}:{node.lineno} {node.name}: {len(node.args.args)} arguments, {lines} lines"
                    )
    assert not faults, "\n".join(faults)


def test_a_step_reads_like_a_table_of_contents():
    """Few lines; loops over contacts and bodies are stages of their own."""
    for name, steps in STEPS.items():
        functions = {node.name: node for node in _tree(PACKAGE / name).body if isinstance(node, ast.FunctionDef)}
        for step, (most, loops) in steps.items():
            node = functions[step]
            code = (node.end_lineno or 0) - node.body[0].lineno
            assert code <= most, f"{name}: {step} has {code} lines"
            assert _loops_inside(node) <= loops, f"{name}: {step} nests loops"


def _loops_inside(node: ast.AST) -> int:
    """How many loops stand inside one another."""
    inner = [_loops_inside(child) for child in ast.iter_child_nodes(node)]
    return max(inner, default=0) + isinstance(node, ast.For | ast.While)


def test_every_source_file_has_its_test_file():
    without = []
    for path in SOURCES:
        relative = path.relative_to(PACKAGE)
        if relative.name in ("__init__.py", "lab.py"):
            continue  # lists of names, checked above and by tests/tasks/test_registry.py
        if relative.parts[:2] == ("model", "catalogue") and relative.name not in (
            "registry.py",
            "assumed.py",
            "arms_table.py",
        ):
            continue  # data files share one parametrised test: tests/model/catalogue/test_registry.py
        name = relative.stem.removeprefix("_")
        if not (ROOT / "tests" / relative.parent / f"test_{name}.py").exists():
            without.append(_id(path))
    assert not without


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
