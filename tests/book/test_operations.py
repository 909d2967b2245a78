"""The book's page of operations lists every op, its formula and its line."""

from __future__ import annotations

import importlib.util
import re
import sys

import pytest

from edutorch.autograd.dispatch import Op
from tests.house.source_tree import ROOT


@pytest.fixture(scope="module")
def book():
    path = ROOT / "book" / "operations.py"
    spec = importlib.util.spec_from_file_location("operations", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["operations"] = module  # its dataclass looks itself up
    sys.path.insert(0, str(path.parent))  # as for a script that is started there
    spec.loader.exec_module(module)
    sys.path.remove(str(path.parent))
    return module


@pytest.fixture(scope="module")
def listed(book):
    return book.entries()


def test_operations_have_formulas(listed):
    bare = [f"{e.file}:{e.line} {e.kind or e.names}" for e in listed if not e.math]
    assert not bare, "no `Math:` in the docstring of:\n" + "\n".join(bare)


def test_operations_are_all_there(book, listed):
    kinds = {e.kind for e in listed}
    assert {"Add", "Mul", "Mm", "Convolution", "Relu", "SparseAddmm"} <= kinds
    assert len(kinds) > 350
    waiting, missing = [Op], []
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            renamed = kind.op_class is not kind  # by `with_torch_name`
            ours = kind.__module__.startswith(("edutorch.ops", "edutorch.nn"))
            told = kind.__name__.startswith("_") or kind.forward is Op.forward
            if ours and not (told or renamed) and kind.__name__ not in kinds:
                missing.append(kind.__name__)
    assert not missing


def test_operations_stand_where_the_page_says(listed):
    for entry in listed:
        text = (ROOT / entry.file).read_text(encoding="utf-8").splitlines()
        names = [entry.kind] if entry.kind else [n.split(".")[-1] for n in entry.names]
        line = text[entry.line - 1]
        names += [n.removesuffix("_copy").strip("_") for n in names]
        assert any(n in line for n in names), f"{entry.file}:{entry.line} is no {names}"


def test_operations_page_shows_both_directions(book):
    page = book.page()
    at = page.index("**Mul** `torch.mul`")
    shown = page[at : at + 900]
    assert "node `MulBackward0`" in shown
    plain = re.sub("<[^>]+>", "", shown)
    assert "\ny = a · b\n∂L/∂a = g · b\n∂L/∂b = g · a\n" in plain
    assert r'data-latex="\frac{\partial L}{\partial a} = g \cdot b"' in shown
    assert "\nShapes: `" in plain
    link = '<a href="_static/sources/edutorch/ops/pointwise/arithmetic.py.html#line-'
    assert link in shown


def test_operations_tell_gradients(listed):
    told = re.compile("∂|gradients|no derivative")
    bare = [e.kind for e in listed if e.node and not told.search(" ".join(e.math))]
    assert not bare, f"neither gradient nor that there is none: {bare}"


def test_operations_hold_every_function_with_a_formula(book, listed):
    shown = {name for e in listed for name in (*e.names, *e.users)}
    missing = {
        f"{space}.{name}"
        for space, name, function in book.public()
        if "Math:" in (function.__doc__ or "")
    } - shown
    assert not missing


def test_operations_name_the_functions_that_run_them(listed):
    users = {e.kind: e.users for e in listed if e.kind}
    assert "torch.conv2d" in users["Convolution"]  # through a function of the file
    assert "torch.mm" in users["Mm"]
    names = {e.kind: e.names for e in listed if e.kind}
    assert "torch.exp_" in names["Exp"]
    assert names["View"] == ("Tensor.view",)


def test_index_leads_to_every_entry_once(book):
    page = book.page()
    places = re.findall(r'<a id="([^"]+)"></a>', page)
    assert len(places) == len(set(places)) == len(book.entries())
    links = re.findall(r'<a href="#([^"]+)">([^<]+)</a>', page)
    assert {place for place, _ in links} <= set(places)
    names = {name for _, name in links}
    assert {"mul", "conv2d", "view", "exp_", "fft", "adaptive_avg_pool2d"} <= names
    assert len(links) > 900


def test_links_lead_to_a_line(book):
    file = "edutorch/ops/pointwise/arithmetic.py"
    text = (ROOT / file).read_text(encoding="utf-8")
    page = book.source_pages.page(file, text)
    for line in range(1, len(text.splitlines()) + 1):
        assert f'<span id="line-{line}">' in page
    assert 'href="../../../../../operations.html"' in page
    assert "http" not in page.split("<body>")[0]


def test_sources_are_written_where_links_lead(book, tmp_path):
    file = "edutorch/ops/aten/dropout.py"
    book.source_pages.write(ROOT, {file}, tmp_path)
    link = book.source_pages.link(file, 12)
    assert link == f'<a href="_static/sources/{file}.html#line-12">{file}, line 12</a>'
    made = tmp_path / "_static" / "sources" / f"{file}.html"
    assert "dropout_" in made.read_text(encoding="utf-8")


def test_operations_are_called_by_functions_of_their_own_file(listed):
    stacks = {e.file: e.names for e in listed if e.kind == "Stack"}
    assert stacks["edutorch/ops/shape/joining.py"][0] == "torch.stack"
    assert all(n == () for f, n in stacks.items() if "autograd" in f)


def test_operations_that_are_composed_have_no_class(listed):
    composed = {name for e in listed if not e.kind for name in e.names}
    assert "torch.tensordot" in composed
    assert "torch.mul" not in composed


def test_sections_of_a_docstring_are_found(book):
    told = book.sections("Sum.\n\nMath: y = Σ x\n      more\nShape: (*) -> ()\n")
    assert told == {"": ["Sum."], "Math": ["y = Σ x", "more"], "Shape": ["(*) -> ()"]}
