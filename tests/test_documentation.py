"""The documentation site: every internal link and picture exists, the reference lists what the rooms offer, the site builds."""

import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.glob("*.md"), *DOCS.glob("tutorials/*.md"),
                *DOCS.glob("evidence/*.md")])  # fmt: skip
LINK = re.compile(r"\]\(([^()\s]+)\)")
spec = importlib.util.spec_from_file_location("site_hooks", DOCS / "site_hooks.py")
hooks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hooks)


def prose(page):
    """A page without its code."""
    return re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)


def anchors(page):
    """Of a page's headings, as Markdown makes them."""
    headings = re.findall(r"^#+ +(.*)$", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_internal_links_and_pictures_exist(page):
    broken = []
    for target in LINK.findall(prose(page)):
        place, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = (page.parent / place).resolve() if place else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            broken.append(target)
    assert not broken


def test_a_broken_link_would_be_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# One\n[a](page.md#one) [b](page.md#two) [c](none.md)\n")
    with pytest.raises(AssertionError, match=r"page.md#two', 'none.md"):
        test_internal_links_and_pictures_exist(page)


def test_every_page_has_its_place_in_the_navigation():
    text = (ROOT / "mkdocs.yml").read_text()
    pages = [path.relative_to(DOCS).as_posix() for path in [*DOCS.glob("*.md"), *DOCS.glob("tutorials/*.md")]]
    assert [page for page in pages if not re.search(rf"\s{re.escape(page)}$", text, re.MULTILINE)] == []


def test_the_reference_lists_what_the_rooms_offer():
    for room in hooks.ROOMS:
        offered = set(importlib.import_module(f"carpal.{room}").__all__)
        assert {name for name, _ in hooks.public_names(room)} | {"palette"} >= offered
    page = hooks.reference_page("kinematics")
    assert "::: carpal.kinematics.forward.fk\n" in page


def test_links_out_of_the_folder_lead_to_pages_made_of_the_files():
    class Page:
        class file:
            src_uri = "evidence/verify.md"

    made = hooks.on_page_markdown(
        "[a](../../examples/15_catch.py) [b](../../CONTRIBUTING.md) [c](x.md)", Page, None, None
    )
    assert made == "[a](../examples/15_catch.py.md) [b](../CONTRIBUTING.md) [c](x.md)"


@pytest.mark.full
def test_the_site_builds_without_a_warning_and_without_a_network(tmp_path):
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    html = [path.read_text() for path in tmp_path.rglob("*.html")]
    fetched = [m for text in html for m in re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"', text)]
    assert len(html) > 80 and not [address for address in fetched if "canonical" not in address]
