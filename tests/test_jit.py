"""The compile options' one home: chunks, threads, refusals, the cache key, and CUDA's absence."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from carpal import _jit
from carpal.errors import DeviceError


class Recorder:
    """An entry in plain Python that remembers its calls."""

    def __init__(self, refused: tuple[int, ...] = ()) -> None:
        self.calls: list[tuple[int, int, int, int]] = []
        self.threads: set[str] = set()
        self.refused = refused
        self.lock = threading.Lock()

    def __call__(self, seen: np.ndarray, start: int, stop: int, stride: int, slot: int) -> int:
        with self.lock:
            self.calls.append((start, stop, stride, slot))
            self.threads.add(threading.current_thread().name)
        seen[start:stop:stride] += 1
        bad = [world for world in self.refused if start <= world < stop]
        return min(bad) + 1 if bad else 0


@pytest.mark.parametrize("worlds", [1, 7, 1000, 1001])
@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("world_seconds", [1e-9, 1e-3, 0.05, 10.0])
def test_every_world_is_run_once(worlds: int, threads: int, world_seconds: float) -> None:
    seen, entry = np.zeros(worlds, int), Recorder()
    assert _jit.run_on_cpu(entry, (seen,), worlds, threads=threads, world_seconds=world_seconds) == 0
    assert (seen == 1).all()
    longest = max(stop - start for start, stop, _, _ in entry.calls)
    assert longest == 1 or longest * world_seconds <= _jit.CHUNK_SECONDS
    assert {slot for *_, slot in entry.calls} <= set(range(threads))


def test_threads_start_only_when_there_is_work_for_them() -> None:
    small, large = Recorder(), Recorder()
    _jit.run_on_cpu(small, (np.zeros(100),), 100, threads=2, world_seconds=1e-6)
    _jit.run_on_cpu(large, (np.zeros(100_000),), 100_000, threads=2, world_seconds=1e-6)
    assert small.threads == {threading.current_thread().name}
    assert all(name.startswith("carpal") for name in large.threads)
    assert {slot for *_, slot in large.calls} == {0, 1}


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_lowest_refused_world_is_told(threads: int) -> None:
    entry = Recorder(refused=(9000, 4321, 70_000))
    worlds = 100_000
    assert _jit.run_on_cpu(entry, (np.zeros(worlds),), worlds, threads=threads, world_seconds=1e-5) == 4322


def test_the_cache_key_changes_with_a_kernel_s_source(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = tmp_path / "dynamics" / "kernels"
    kernels.mkdir(parents=True)
    (tmp_path / "_jit.py").write_text("options = 1\n")
    (kernels / "a.py").write_text("x = 1\n")
    monkeypatch.setattr(_jit, "__file__", str(tmp_path / "_jit.py"))
    first = _jit.kernels_hash()
    assert first == _jit.kernels_hash()
    (kernels / "a.py").write_bytes(b"x = 1\r\n")
    assert _jit.kernels_hash() == first  # line endings do not count
    (kernels / "a.py").write_text("x = 2\n")
    second = _jit.kernels_hash()
    (tmp_path / "_jit.py").write_text("options = 2\n")
    assert len({first, second, _jit.kernels_hash()}) == 3


def test_compile_options_keep_nan_and_division_by_zero() -> None:
    @_jit.kernel
    def divide(a, b):
        return a / b

    assert np.isnan(divide(0.0, 0.0))
    assert divide(1.0, 0.0) == np.inf
    assert _jit.entry(divide.py_func).targetoptions["nogil"]


def test_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARPAL_THREADS", "3")
    assert _jit.cpu_threads() == 3
    monkeypatch.setenv("CARPAL_THREADS", "0")
    assert _jit.cpu_threads() == 1
    monkeypatch.setenv("CARPAL_THREADS", "many")
    plain = _jit.cpu_threads()
    monkeypatch.delenv("CARPAL_THREADS")
    assert plain == _jit.cpu_threads() >= 1


def test_cuda_that_is_not_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = pytest.importorskip("numba.cuda")
    monkeypatch.setattr(cuda, "is_available", lambda: False)
    with pytest.raises(
        DeviceError, match='device="cuda" was asked for, but no CUDA device was found; use device="cpu"'
    ):
        _jit.require_cuda()

    def broken() -> bool:
        raise OSError("driver is broken")

    monkeypatch.setattr(cuda, "is_available", broken)
    with pytest.raises(DeviceError, match='CUDA did not start: driver is broken; use device="cpu"'):
        _jit.run_on_cuda(None, (), (), [], 1)


def test_ctrl_c_ends_every_thread_with_the_chunk_it_is_on():
    finished = []

    def entry(start, stop, stride, slot):
        if slot == 0:
            raise KeyboardInterrupt
        time.sleep(0.02)
        finished.append(start)
        return 0

    with pytest.raises(KeyboardInterrupt):
        _jit.run_on_cpu(entry, (), 1000, threads=2, world_seconds=0.2)  # one world a chunk
    done = len(finished)
    time.sleep(0.2)
    assert len(finished) <= done + 1
    assert done < 400


def test_a_kernel_is_compiled_once_for_all_constants():
    @_jit.kernel
    def kernel(a, b):
        return a + b

    @_jit.kernel
    def caller(a):
        return kernel(a, 1) + kernel(2, a) + kernel(3, 4)

    assert caller(10) == 11 + 12 + 7
    assert len(kernel.part.signatures) == 1
    assert not kernel.signatures, "nobody called it from Python"


def test_direct_gives_the_bits_of_the_entry():
    @_jit.kernel
    def double(x, start, stop, stride, slot):
        for world in range(start, stop, stride):
            x[world] *= 2.0
        return 0

    x = np.ones(3)
    compiled = _jit.direct(double, (x, 0, 3, 1, 0))
    assert np.array_equal(x, [2.0, 2.0, 2.0]), "it was called once"
    assert compiled(x, 1, 3, 1, 0) == 0
    assert np.array_equal(x, [2.0, 4.0, 4.0])
