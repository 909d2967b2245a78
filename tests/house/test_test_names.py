"""A test's name is a sentence in the present tense: what is tested, a verb, the rest."""

from __future__ import annotations

import ast

import pytest

from tests.house.source_tree import ROOT

# As used in names. Add a verb that is missing; no nouns.
VERBS = frozenset((ROOT / "tests/house/verbs.txt").read_text("utf-8").split())


def is_sentence(name: str) -> bool:
    """Whether a name has at least three words, and a verb after the first."""
    words = name.removeprefix("test_").split("_")
    return len(words) >= 3 and not VERBS.isdisjoint(words[1:])


def test_names_of_tests_are_sentences():
    wrong = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if node.name.startswith("test_") and not is_sentence(node.name):
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}")
    assert not wrong, "name what is tested, a verb and what holds:\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("test_sum_of_nothing_is_zero", True),
        ("test_sums", False),
        ("test_sum_1", False),
        ("test_sum_of_empty_tensors", False),
        ("test_refuses_bad_input", False),
    ],
)
def test_is_sentence_needs_a_subject_and_a_verb(name, holds):
    assert is_sentence(name) is holds
