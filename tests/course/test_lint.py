from __future__ import annotations

import linecache

import pytest

import edutorch as torch
from edutorch.course import CheckFailed, check
from edutorch.course.lint import lint, why_changed

HEAD = "def answer(x, y):\n"


def defined(source, name="answer"):
    """What a cell defines under a name."""
    file = f"<cell {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names = {"torch": torch}
    exec(compile(source, file, "exec"), names)
    return names[name]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "    out = []\n    for a in x:\n        out.append(a)\n        return out\n",
            "line 5: this return ends the loop of line 3 in its first turn",
        ),
        ("    while x:\n        return 3\n", "line 3: this return ends the loop of"),
        ("    x =+ y\n    return x\n", "line 2: `=+` sets x anew; `+=` adds to it"),
        ("    x == y + 1\n    return x\n", "line 2: `x == y + 1` compares"),
        ("    y.backward\n", "line 2: `y.backward` does nothing: to call it, write"),
        ("    x * y\n    return x\n", "line 2: nothing keeps the result of `x * y`"),
        ("    x.detach()\n    return x\n", "`x.detach()` returns a new tensor"),
        ("    def f():\n        x.t()\n    return f\n", "line 3: `x.t()` returns"),
    ],
)
def test_suspicious_line_is_named(body, words):
    assert words in lint(defined(HEAD + body))


@pytest.mark.parametrize(
    "body",
    [
        '    """Words."""\n    return x\n',
        "    for a in x:\n        if a:\n            return a\n    return y\n",
        "    for a in x:\n        if not a:\n            continue\n        return a\n",
        "    while True:\n        if x:\n            return y\n",
        "    x = +y\n    z=-y\n    return x\n",
        "    x.add_(y)\n    y.to(x).float()\n    y.append(x)\n    x.backward()\n    print(x == y)\n",
        "    ...\n",
        "    yield x\n",
    ],
)
def test_usual_line_is_not_named(body):
    assert lint(defined(HEAD + body)) == ""


def test_first_line_is_named_where_there_are_several():
    body = "    x + y\n    for a in x:\n        return a\n"
    assert lint(defined(HEAD + body)).startswith("line 2: ")


def test_methods_and_several_answers_are_looked_at():
    source = (
        "class Answer:\n    @staticmethod\n    def forward(x):\n        x.exp()\n"
        "        return x\n"
    )
    cls = defined(source, "Answer")
    assert lint(cls).startswith("line 4: `x.exp()`")
    assert lint((len, cls)).startswith("line 4: ")


def test_answer_without_readable_source_has_no_suspicious_line():
    assert lint(eval("lambda x: x")) == ""
    assert lint(len) == lint(3) == lint(None) == ""


def test_check_names_the_line_where_no_other_mistake_is_known():
    source = (
        "def strides_of(shape):\n    step, out = 1, []\n"
        "    for n in reversed(shape):\n        out.append(step)\n"
        "        step *= max(n, 1)\n        return tuple(out[::-1])\n"
    )
    with pytest.raises(CheckFailed) as failure:
        check("01.1", defined(source, "strides_of"))
    assert failure.value.mistake == (
        "line 6: this return ends the loop of line 3 in its first turn"
    )


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("    z = x[:]\n    z += y\n", "line 2: `x[:]` copies a list, but of a tensor"),
        ("    z = x.clone()\n    x += y\n", "line 2: the copy is z, which is not used"),
        ("    z = x.clone()\n    x += y\n    return z\n", ""),
        ("    z = x[1:]\n    z += y\n", ""),
        ("    x += y\n    x = x.clone()\n    return x\n", ""),
    ],
)
def test_line_that_was_meant_to_copy_is_named(body, words):
    assert why_changed(defined(HEAD + body)).startswith(words)
    assert bool(why_changed(defined(HEAD + body))) is bool(words)
