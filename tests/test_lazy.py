"""Lazy packages: names come from the stub, are imported once, and unknown ones are an AttributeError."""

import importlib
import subprocess
import sys

import pytest

import carpal
from carpal._lazy import lazy

PACKAGES = ("carpal", "carpal.spatial", "carpal.model", "carpal.kinematics", "carpal.dynamics")


@pytest.mark.parametrize("name", PACKAGES)
def test_listed_names_are_there(name: str) -> None:
    package = importlib.import_module(name)
    assert package.__all__ == sorted(package.__all__)
    assert set(package.__all__) <= set(dir(package))
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nonsense'"):
        _ = package.nonsense


def test_a_name_is_looked_up_once() -> None:
    first = carpal.fk
    assert vars(carpal)["fk"] is first  # kept in the module: the next access does not reach __getattr__
    assert carpal.errors is importlib.import_module("carpal.errors")  # a submodule, from `from . import errors`


def test_importing_a_kernel_brings_no_other_folder() -> None:
    code = "import sys, carpal.spatial.kernels.vec3; print(*[m for m in sys.modules if m.startswith('carpal')])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == {
        "carpal", "carpal._lazy", "carpal._jit", "carpal._parts", "carpal.errors",
        "carpal.spatial", "carpal.spatial.kernels", "carpal.spatial.kernels.vec3",
    }  # fmt: skip


def test_the_stub_is_the_only_list(tmp_path) -> None:
    (tmp_path / "__init__.pyi").write_text("from .place import thing as thing\nfrom . import part as part\nx: int\n")
    get, names, exported = lazy("nowhere", str(tmp_path / "__init__.py"))
    assert names() == exported == ["part", "thing"]
    with pytest.raises(AttributeError, match="module 'nowhere' has no attribute 'x'"):
        get("x")
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        get("thing")
