"""Lines that keep objects alive by a name, and how to change them."""

from __future__ import annotations

import linecache

import pytest

from edutorch.inspect.retaining_lines import find_retain_graph, find_retaining_lines

CASES = [
    ("a.append(x)", "a", "container", ".item()", "a.append(x.item())"),
    ("a.append(x / 2)", "a", "container", ".item()", "a.append((x / 2).item())"),
    ("self.a.append(f(x))", "a", "container", ".detach()",
     "self.a.append(f(x).detach())"),
    ("a += [x]", "a", "container", ".item()", "a += [x.item()]"),
    ("a += x", "a", "sum", ".item()", "a += x.item()"),
    ("a = a + x", "a", "sum", ".item()", "a = a + x.item()"),
    ("a = 0.9 * a + 0.1 * x", "a", "sum", ".item()",
     "a = 0.9 * a + (0.1 * x).item()"),
    ("a[k] = x", "a", "container", ".detach()", "a[k] = x.detach()"),
    ('d["a"].append(x)', "a", "container", ".item()", 'd["a"].append(x.item())'),
    ("h, a = cell(x)", "a", "variable", ".detach()", "h, a = cell(x).detach()"),
    ('größe = 1; a.append("é" + x)', "a", "container", ".item()",
     'größe = 1; a.append(("é" + x).item())'),
]  # fmt: skip


def written(text, name="/programs/lines.py"):
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    return [name]


@pytest.mark.parametrize(("text", "name", "kind", "suffix", "mended"), CASES)
def test_line_that_keeps_something_is_found_and_mended(
    text, name, kind, suffix, mended
):
    found = [f for f in find_retaining_lines(name, written(text)) if f.kind == kind]
    assert [f.changed(suffix) for f in found] == [mended]


def test_element_of_what_is_kept_is_mended():
    files = written("a.append((i, x))\nb.append({'loss': x, 'i': i})")
    (pair,) = find_retaining_lines("a", files)
    (table,) = find_retaining_lines("b", files)
    assert pair.changed(".item()", 1) == "a.append((i, x.item()))"
    assert table.changed(".item()", "loss") == "b.append({'loss': x.item(), 'i': i})"


@pytest.mark.parametrize(
    "text",
    [
        "def keep(m, i, o):\n    a.append(o)\nmodel.register_forward_hook(keep)",
        "model.register_forward_hook(lambda m, i, o: a.append(o))",
        "def make(n):\n    def keep(m, i, o):\n        a.append(o)\n    return keep\n"
        "model.register_forward_hook(make(1))",
    ],
)
def test_line_of_a_hook_is_known_as_such(text):
    assert [f.hook for f in find_retaining_lines("a", written(text))] == [True]


def test_file_that_cannot_be_parsed_has_no_lines():
    assert list(find_retaining_lines("a", written("a.append(x"))) == []
    assert find_retain_graph(written("a.append(x")) is None


def test_changed_file_is_read_again():
    assert list(find_retaining_lines("a", written("b.append(x)"))) == []
    assert len(list(find_retaining_lines("a", written("a.append(x)")))) == 1


def test_line_that_retains_graphs_is_found_and_mended():
    files = written("loss.backward(\n    gradient=g, retain_graph=True)")
    place, _ = find_retain_graph(files)
    assert place["line"] == 1
    one = written("loss.backward(g, retain_graph=True)")
    assert find_retain_graph(one)[1] == "loss.backward(g)"
    assert find_retain_graph(written("loss.backward(retain_graph=False)")) is None
