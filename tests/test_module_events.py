"""Records of module calls."""

from __future__ import annotations

import edutorch as torch
from edutorch import events


def test_module_calls_nest_with_paths(seen):
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
    model(torch.ones(1, 2))
    calls = [events.as_dict(r) for r in seen if r[0] == "mod"]
    assert [(c["what"], c["path"]) for c in calls] == [
        ("enter", ""), ("enter", "0"), ("exit", "0"), ("enter", "1"), ("exit", "1"),
        ("exit", ""),
    ]  # fmt: skip
    assert calls[1]["parent"] == calls[0]["call"]
