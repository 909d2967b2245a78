"""One line on what was found."""

from __future__ import annotations

from edutorch.inspect.leak_report import title_of


def test_title_tells_leaks_before_what_only_grows():
    rows = [{"state": "leak"}, {"state": "grows"}, {"state": ""}]
    data = {"lines": rows, "step": 20}
    assert title_of(data) == "the graphs of 1 line stay alive from step to step"
    assert title_of(data | {"lines": rows[1:]}).startswith(
        "tensors from 1 line accumulate"
    )
    assert title_of(data | {"lines": rows[2:]}) == "nothing grows in 20 steps"


def test_title_of_few_steps_says_that_it_is_early():
    assert "after 9 steps" in title_of({"lines": [], "step": 3})
