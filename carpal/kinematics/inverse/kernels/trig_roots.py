"""All roots of a real trigonometric polynomial at once: Aberth's iteration on z = exp(i x) (Aberth 1973, Ehrlich 1967).

A real trigonometric polynomial of degree n is z^-n times a polynomial of degree 2 n, whose roots on the unit circle are the
real angles. Every root is found, so none on the circle is overlooked. Ours because kernels cannot call an eigenvalue solver.
"""

import math

from carpal._core.compile import kernel

_ITERATIONS = 120


@kernel
def fit_trig(values, spectrum, slot, samples, degree):
    """Fourier coefficients 0 to `degree` into spectrum[slot, k, :] from equidistant values[slot, :samples]."""
    for k in range(degree + 1):
        re, im = 0.0, 0.0
        for j in range(samples):
            x = 2.0 * math.pi * ((k * j) % samples) / samples
            re += values[slot, j] * math.cos(x)
            im -= values[slot, j] * math.sin(x)
        spectrum[slot, k, 0] = re / samples
        spectrum[slot, k, 1] = im / samples


@kernel
def trig_roots(spectrum, roots, slot, degree):
    """All roots z into roots[slot, :, :]; returns how many there are. Coefficients that are only rounding are left out."""
    largest = 0.0
    for k in range(degree + 1):
        largest = max(largest, math.hypot(spectrum[slot, k, 0], spectrum[slot, k, 1]))
    n = degree
    while n > 0 and math.hypot(spectrum[slot, n, 0], spectrum[slot, n, 1]) <= 1e-15 * largest:
        n -= 1
    count = 2 * n
    for j in range(count):
        radius, angle = (0.8 if j % 2 else 1.25), 2.0 * math.pi * j / count + 0.37
        roots[slot, j, 0] = radius * math.cos(angle)
        roots[slot, j, 1] = radius * math.sin(angle)
    for _ in range(_ITERATIONS):
        moved = 0.0
        for j in range(count):
            z = complex(roots[slot, j, 0], roots[slot, j, 1])
            value, slope = complex(0.0, 0.0), complex(0.0, 0.0)
            for k in range(n, -n - 1, -1):
                sign = 1.0 if k >= 0 else -1.0
                slope = slope * z + value
                value = value * z + complex(spectrum[slot, abs(k), 0], sign * spectrum[slot, abs(k), 1])
            if value == 0.0:
                continue
            apart = complex(0.0, 0.0)
            for i in range(count):
                if i != j:
                    gap = z - complex(roots[slot, i, 0], roots[slot, i, 1])
                    apart += 1.0 / gap if gap != 0.0 else complex(0.0, 0.0)
            step = value / (slope - value * apart)
            if not abs(step) < 1e6 * (1.0 + abs(z)):
                step = complex(0.1, 0.1)  # a stationary point: leave it
            z -= step
            roots[slot, j, 0], roots[slot, j, 1] = z.real, z.imag
            moved = max(moved, abs(step) / abs(z))
        if moved < 1e-14:
            break
    return count
