"""Effect of the assumed numbers of surfaces in MuJoCo and penalty at -20 / +20 %: python benchmarks/surface_effects.py"""

import numpy as np

from carpal.engines import contact_spring, engine_for, simulate
from carpal.engines.mujoco import contact_surfaces
from carpal.model import Box, Plane, Scene, Sphere


def returned(e):
    """Share of the speed with which a ball dropped by 0.5 m comes back, and its deepest place [mm]."""
    scene = Scene("ball").add_object("ball", Sphere(0.05), mass=0.3, pose=[0, 0, 0.55]).add_fixed("floor", Plane())
    ready = engine_for(scene.add_surface(restitution=e), "mujoco")
    done = simulate(ready.engine, ready.state, duration=0.45)
    v = done.v[:, 2]
    lowest = int(np.argmin(v))
    return -v[lowest:].max() / v[lowest], 1e3 * (0.05 - done.q[:, 2].min())


def stuck(**surface):
    """Creep [m/s] of a block on 20 degrees with friction 0.5, and its depth [um]."""
    a = np.radians(20)
    scene = Scene("slope", gravity=(9.81 * np.sin(a), 0, -9.81 * np.cos(a))).add_fixed("floor", Plane())
    scene.add_object("box", Box((0.1, 0.1, 0.1)), mass=0.5, pose=[0, 0, 0.05]).add_surface(mu=0.5, **surface)
    ready = engine_for(scene, "mujoco")
    done = simulate(ready.engine, ready.state, duration=1.0)
    return (done.q[-1, 0] - done.q[500, 0]) / 0.5, 1e6 * (0.05 - done.q[-1, 2])


def numbers():
    """Everything that is looked at."""
    return [*returned(0.5), *returned(0.0), *stuck(), *stuck(compliance=1e-5)]


def main():
    """Print the table."""
    names = [
        "e 0.5",
        "deep [mm]",
        "e 0",
        "deep [mm]",
        "creep [m/s]",
        "depth [um]",
        "creep, C = 1e-5",
        "depth, C = 1e-5",
    ]
    print(f"{'':28}", "  ".join(f"{name:>15}" for name in names))
    print(f"{'as assumed':28}", "  ".join(f"{x:15.4g}" for x in numbers()))
    places = [(contact_surfaces, "BOUNCE"), (contact_surfaces, "MOST_DAMPING"), (contact_surfaces, "SHARED"),
              (contact_surfaces, "IMPRATIO"), (contact_spring, "LEAST_RESTITUTION")]  # fmt: skip
    for module, name in places:
        was = getattr(module, name)
        for share in (0.8, 1.2):
            setattr(module, name, was * share)
            print(f"{name + f' x {share:g}':28}", "  ".join(f"{x:15.4g}" for x in numbers()), flush=True)
        setattr(module, name, was)
    was = contact_surfaces.IMPEDANCE
    for share in (0.8, 1.2):
        contact_surfaces.IMPEDANCE = 1 - (1 - was) * share
        print(f"{f'1 - IMPEDANCE x {share:g}':28}", "  ".join(f"{x:15.4g}" for x in numbers()), flush=True)


if __name__ == "__main__":
    main()
