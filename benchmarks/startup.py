"""How long a user waits: `import carpal`, a warm and a cold `carpal fk`, beside `import numba`."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time


def seconds(*words: str, rounds: int = 7, **environment: str) -> float:
    """Median wall time of a command."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, capture_output=True, env={**os.environ, **environment})
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    fk = ("-m", "carpal.cli.command_line", "fk", "sawyer", "--q", "0", "0", "0", "0", "0", "0", "0")
    nothing = seconds("-c", "pass")
    numba = seconds("-c", "import numba")
    seconds(*fk, rounds=1)  # fill the cache
    warm = seconds(*fk)
    with tempfile.TemporaryDirectory() as folder:
        cold = seconds(*fk, rounds=1, CARPAL_CACHE_DIR=folder)
    print("| what | seconds | bound |")
    print("|---|---|---|")
    print(f"| import carpal, less an empty Python | {seconds('-c', 'import carpal') - nothing:.3f} | < 0.3 |")
    print(f"| import numba | {numba:.3f} | - |")
    print(f"| warm `carpal fk`, over import numba | {warm:.3f} = {warm / numba:.2f} x | <= 4 x |")
    print(f"| cold `carpal fk`, compiling | {cold:.1f} | < 60 |")


if __name__ == "__main__":
    main()
