"""The book's API reference: every public name, and links that lead somewhere."""

from __future__ import annotations

import html
import importlib
import json
import re
import sys

import pytest

import edutorch
from tests.house.source_tree import ROOT, modules

BOOK = str(ROOT / "book")


@pytest.fixture(scope="module")
def book():
    """The modules of the book, imported as by a script that is started there."""
    names = ("docstrings", "operations", "reference", "reference_pages", "signatures")
    sys.path.insert(0, BOOK)
    found = {name: importlib.import_module(name) for name in names}
    sys.path.remove(BOOK)
    return found


@pytest.fixture(scope="module")
def pages(book):
    """The text of each page by its namespace."""
    spaces = [s for group in book["reference"].NAMESPACES.values() for s in group]
    return {space: book["reference_pages"].page(space) for space in spaces}


@pytest.fixture(scope="module")
def anchors(pages):
    """Where links to each page may lead."""
    return {space: set(_anchors(text)) for space, text in pages.items()}


def _anchors(text):
    return re.findall(r'\bid="([^"]+)"', text)


def test_reference_has_every_public_name_of_every_namespace(book, anchors):
    missing = [
        f"{space}.{name}"
        for space in anchors.keys() - {"torch.Tensor"}
        for name in book["reference"].module_of(space).__all__
        if not name.startswith("_") and f"{space}.{name}" not in anchors[space]
    ]
    missing += [
        f"torch.Tensor.{name}"
        for name in dir(edutorch.Tensor)
        if not name.startswith("_")
        and f"torch.Tensor.{name}" not in anchors["torch.Tensor"]
    ]
    assert not missing


def test_reference_has_the_methods_that_classes_add_to_their_bases(anchors):
    methods = {
        "torch.nn": ("Module.parameters", "Module.to", "RNNBase.flatten_parameters"),
        "torch.optim": ("Optimizer.step", "Optimizer.zero_grad"),
        "torch.distributions": ("Distribution.sample", "Bernoulli.probs"),
    }
    for space, names in methods.items():
        assert {f"{space}.{name}" for name in names} <= anchors[space]
    assert "torch.nn.Linear.forward" not in anchors["torch.nn"]


def test_reference_has_every_package_that_programs_import(book):
    listed = {s for group in book["reference"].NAMESPACES.values() for s in group}
    packages = {m.name.split(".")[1] for m in modules() if "." in m.name}
    shown = {space.split(".")[1] for space in listed if "." in space}
    internal = set(book["reference"].INTERNAL)
    missing = packages - shown - internal - {"__main__", "_version"}
    assert not missing, f"neither a namespace nor internal: {missing}"
    assert not internal & shown
    assert internal <= packages


def test_reference_tells_no_name_twice(pages):
    for space, text in pages.items():
        found = _anchors(text)
        assert len(found) == len(set(found)), space


def test_links_of_the_reference_lead_somewhere(book, pages, anchors):
    operations = set(book["operations"].places().values())
    dead = [
        f"{space}: {link}"
        for space, text in pages.items()
        for link in set(re.findall(r'href="([^"]+)"', text))
        if not _leads(link, space, anchors, operations)
    ]
    assert not dead


def _leads(link, space, anchors, operations):
    file, _, place = link.partition("#")
    if file == "../operations.html":
        return place in operations
    if file.startswith("../_static/sources/"):
        lines = _lines(file.removeprefix("../_static/sources/"))
        return 0 < int(place.removeprefix("line-")) <= lines
    target = file.removesuffix(".html") or space
    return target in anchors and (not place or place in anchors[target])


def _lines(page):
    path = ROOT / page.removesuffix(".html")
    return len(path.read_text(encoding="utf-8").splitlines())


def test_lines_of_the_reference_are_those_of_the_names(book):
    for space in ("torch", "torch.nn", "torch.optim"):
        for entry in book["reference"].entries(space):
            if entry.kind == "class" and entry.file:
                text = (ROOT / entry.file).read_text(encoding="utf-8").splitlines()
                line = text[entry.line - 1]
                assert line.startswith("class ") or entry.name in line, entry.full


def entry(text, name):
    """The HTML of one entry."""
    at = text.index(f' id="{name}"')
    return text[at : text.index("</dd></dl>", at)]


def test_entry_shows_signature_formulas_example_and_links(pages):
    shown = entry(pages["torch.nn"], "torch.nn.Linear")
    plain = html.unescape(re.sub("<[^>]+>", "", shown))
    assert "class torch.nn.Linear(\n    in_features: int,\n" in plain
    assert "    bias: bool = True,\n" in plain
    assert "\ny = x Wᵀ + b\n" in plain
    assert r'data-latex="y = x\,W^{\top} + b"' in shown
    assert "Shapes: (*, in_features) -> (*, out_features)\n" in plain
    assert "\n>>> import edutorch as torch\n" in plain
    assert '"../_static/sources/edutorch/nn/modules/linear.py.html#line-' in shown


def test_methods_that_are_functions_lead_to_them(pages):
    shown = entry(pages["torch.Tensor"], "torch.Tensor.mul")
    assert 'The same as <a href="torch.html#torch.mul">torch.mul</a>.' in shown
    assert "../operations.html#line-ops-pointwise-arithmetic-" in shown


def test_search_knows_the_names_of_pages(book, tmp_path):
    book["reference_pages"].write(tmp_path / "reference")
    text = (tmp_path / "reference" / "names.json").read_text()
    names = {space: dict(found) for space, found in json.loads(text).items()}
    assert names["torch.nn"]["torch.nn.Linear"] == "class"
    assert names["torch.Tensor"]["torch.Tensor.add"] == "method"
    assert "torch.nn.modules" not in names  # all of it is that of `torch.nn`
    index = (tmp_path / "reference" / "index.md").read_text()
    assert all(f"\n{space}\n" in index for space in names)


def test_prose_is_paragraphs_lists_and_programs(book):
    prose = book["docstrings"].prose
    assert prose(["a*b and", "`c<d` of <n>"]) == (
        "<p>a*b and\n<code>c&lt;d</code> of &lt;n&gt;</p>"
    )
    assert prose(["Two:", "- one", "- two"]) == (
        "<p>Two:</p>\n<ul><li>one</li><li>two</li></ul>"
    )
    assert "highlight-python" in prose(["    f(x)"])
    assert "highlight-pycon" in prose(["    >>> f(x)"])


def test_wrapped_gives_each_argument_of_a_long_call_its_line(book):
    wrapped = book["signatures"].wrapped
    assert wrapped("f(a, b) -> T") == "f(a, b) -> T"
    long = "f(first: dict[str, int], *, second: tuple[int, ...] = (1, 2)) -> "
    assert wrapped(f"{long}{'T' * 20}").splitlines() == [
        "f(",
        "    first: dict[str, int],",
        "    *,",
        "    second: tuple[int, ...] = (1, 2),",
        f") -> {'T' * 20}",
    ]


def test_items_join_lines_and_keep_what_has_no_name(book):
    lines = ["x: one", "    two", "only words"]
    assert book["docstrings"].items(lines) == [("x", "one two"), ("", "only words")]


def test_sections_keep_examples_and_prose_apart(book):
    told = book["docstrings"].sections(
        "Sum.\n\nExample:\n    >>> f(\n    ...     1)\n    2\n\nMore of it.\n"
    )
    assert told["Example"] == [">>> f(", "...     1)", "2"]
    assert told[""] == ["Sum.", "", "More of it."]
