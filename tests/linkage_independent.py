"""A linkage solved a second time, from its TOML text alone: complex numbers and scipy's fsolve. Imports nothing of carpal."""

import tomllib

import numpy as np
from scipy.optimize import fsolve


class Independent:
    """Closure equations with one complex place and one angle for each moving bar."""

    def __init__(self, text):
        data = tomllib.loads(text)
        self.bars = [bar["name"] for bar in data["bar"] if bar["name"] != "ground"]
        self.points = {f"{bar['name']}.{key}": complex(*xy) for bar in data["bar"] for key, xy in bar["points"].items()}
        self.guess = {bar["name"]: np.radians(bar.get("angle_deg", 0.0)) for bar in data["bar"]}
        self.pins = {pin["name"]: pin["at"] for pin in data["pin"]}
        self.slides = {slide["name"]: slide for slide in data.get("slide", [])}
        self.drive = data["drive"]

    def split(self, x):
        bars = {"ground": (0j, 0.0)}
        for i, name in enumerate(self.bars):
            bars[name] = (complex(x[3 * i], x[3 * i + 1]), x[3 * i + 2])
        return bars

    def at(self, bars, place):
        z, angle = bars[place.split(".")[0]]
        return z + np.exp(1j * angle) * self.points[place]

    def equations(self, x, drive):
        bars, out = self.split(x), []
        for a, b in self.pins.values():
            gap = self.at(bars, a) - self.at(bars, b)
            out += [gap.real, gap.imag]
        for slide in self.slides.values():
            first, second = (self.at(bars, place) for place in slide["along"])
            way = (second - first) / abs(second - first)
            off = (self.at(bars, slide["at"]) - first) / way
            turn = np.exp(1j * (bars[slide["at"].split(".")[0]][1])) / way
            out += [off.imag, np.angle(turn)]
        if "turn" in self.drive:
            a, b = self.pins[self.drive["turn"]]
            out.append(bars[b.split(".")[0]][1] - bars[a.split(".")[0]][1] - drive)
        elif "push" in self.drive:
            a, b = self.drive["push"]
            out.append(abs(self.at(bars, a) - self.at(bars, b)) - drive)
        else:
            slide = self.slides[self.drive["slide"]]
            first, second = (self.at(bars, place) for place in slide["along"])
            out.append(((self.at(bars, slide["at"]) - first) / (second - first) * abs(second - first)).real - drive)
        return np.array(out)

    def follow(self, drives, substeps=20):
        """x (n, 3 bars) at each drive, by small steps from the described angles."""
        x = np.concatenate([[0.0, 0.0, self.guess[name]] for name in self.bars])
        out, now = [], drives[0]
        for drive in drives:
            for value in np.linspace(now, drive, substeps + 1)[1:] if drive != now else [drive]:
                x = self.solve(x, value)
            now = drive
            out.append(x)
        return np.array(out)

    def solve(self, x, drive):
        for _ in range(3):
            x, _, _, message = fsolve(self.equations, x, args=(drive,), full_output=True, xtol=1e-15)
        assert np.abs(self.equations(x, drive)).max() < 1e-12, message
        return x
