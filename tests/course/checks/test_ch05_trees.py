from __future__ import annotations

import pytest

from edutorch.course.checks.ch05_trees import _count, _named, _trees
from tests.course.mistakes import each_is_named
from tests.course.solutions import ch05


@pytest.mark.parametrize("what", [what for what, _ in _trees()])
def test_names_expected_are_those_of_named_parameters(what):
    module = dict(_trees())[what]
    expected = list(module.named_parameters(remove_duplicate=False))
    assert [name for name, _ in _named(module)] == [name for name, _ in expected]
    pairs = zip(_named(module), expected, strict=True)
    assert all(p is q for (_, p), (_, q) in pairs)


@pytest.mark.parametrize("what", [what for what, _ in _trees()])
def test_count_expected_is_that_of_parameters(what):
    module = dict(_trees())[what]
    trained = [p.numel() for p in module.parameters() if p.requires_grad]
    assert _count(module) == sum(trained)


WRONG = [
    ("05.2", lambda m, prefix="": ch05.named(m, "x."), "the names are not right"),
    ("05.2", lambda m, prefix="": dict(ch05.named(m)), "a list of pairs"),
    ("05.2", lambda m, prefix="": list(m.named_parameters()), "named_parameters()"),
    ("05.4", lambda m: sum(p.numel() for _, p in ch05.named(m)), "count once"),
    ("05.4", lambda m: None, "is a return missing"),
]

test_mistakes = each_is_named(WRONG)
