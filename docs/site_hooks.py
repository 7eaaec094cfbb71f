"""What mkdocs adds to the pages of this folder: reference pages from the docstrings, the examples and CONTRIBUTING.md.

The reference lists what each room's `__init__.pyi` lists, so it has no list of its own.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ROOMS = (
    "spatial", "model", "kinematics", "dynamics", "contact", "engines", "control", "planning", "perception", "tasks",
    "report", "viewer",
)  # fmt: skip
PUBLIC = re.compile(r"^from (\.[\w.]*) import (\w+) as (\w+)$", re.MULTILINE)
OUTSIDE = re.compile(r"\]\(\.\./(?:\.\./)?(examples/[\w./]+|CONTRIBUTING\.md|README\.md)\)")


def public_names(room: str) -> list[tuple[str, str]]:
    """(name, where it is defined) of everything that a room, "" for the package itself, offers."""
    package = ".".join(["carpal", room]) if room else "carpal"
    text = (ROOT / package.replace(".", "/") / "__init__.pyi").read_text()
    return sorted({(name, f"{package}{module.rstrip('.')}.{inner}") for module, inner, name in PUBLIC.findall(text)})


def reference_page(room: str) -> str:
    """The Markdown of one room's page."""
    package = f"carpal.{room}"
    first = re.match(r'"""(.*?)"""', (ROOT / "carpal" / room / "__init__.py").read_text(), re.DOTALL)
    lines = [f"# {package}", "", first[1].strip() if first else "", ""]
    for name, place in public_names(room):
        file = ROOT / (place.rpartition(".")[0].replace(".", "/") + ".py")
        if not file.exists() or not re.search(rf"^(def|class) {name}\b|^{name} *[:=]", file.read_text(), re.MULTILINE):
            continue  # a module that the room offers as such, or several names made in one line
        lines += [f"::: {place}", "    options:", f"      heading: {name}", ""]
    return "\n".join(lines)


def on_config(config: Any) -> Any:
    """Put the reference and the evidence at the end of the navigation."""
    evidence = sorted((ROOT / "docs" / "evidence").glob("*.md"))
    config.nav += [
        {"Reference": [{f"carpal.{room}": f"reference/{room}.md"} for room in ROOMS]},
        {"Evidence": [f"evidence/{path.name}" for path in evidence]},
    ]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made here."""
    from mkdocs.structure.files import File

    pages = {f"reference/{room}.md": reference_page(room) for room in ROOMS}
    for path in sorted((ROOT / "examples").rglob("*")):
        if path.suffix in (".py", ".toml", ".xml") and "notebooks" not in path.parts:
            kind = {".py": "python", ".toml": "toml", ".xml": "xml"}[path.suffix]
            place = path.relative_to(ROOT).as_posix()
            pages[f"{place}.md"] = f"# {place}\n\n```{kind}\n{path.read_text()}```\n"
    pages["CONTRIBUTING.md"] = (ROOT / "CONTRIBUTING.md").read_text().replace("](docs/", "](")
    for place, content in pages.items():
        files.append(File.generated(config, place, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Let links to files beside this folder point at the pages made of them."""
    depth = page.file.src_uri.count("/")
    up = "../" * depth

    def inside(match: re.Match[str]) -> str:
        place = match[1]
        return f"]({up}{place if place.endswith('.md') else place + '.md'})"

    return OUTSIDE.sub(inside, markdown)
