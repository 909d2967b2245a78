"""The package's public names, and what all views have."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

import edutorch as torch
import edutorch.widgets
from edutorch import nn, optim
from edutorch.widgets import (
    ErrorCard,
    GradientView,
    GraphView,
    MemoryView,
    TensorCard,
    live,
)
from edutorch.widgets.watch import open_views


def test_widgets_when_imported_offer_three_views_and_live_controls():
    names = {GradientView.kind, GraphView.kind, MemoryView.kind}
    assert names == {"gradient", "graph", "memory"}
    assert edutorch.widgets.live is live
    assert hasattr(live, "pause")


NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?")
TICK = re.compile(r"(step )?[\d.,]+( (ms|s|B|KB|MB))?")  # of an axis
CUT = re.compile(r"[-\d.e+]*…[-\d.e+]*")  # where words that were too long are cut


def numbers_missing_in_text(view, ticks):
    """Numbers of the picture that the text does not have; ticks are those of axes."""
    shapes = ET.fromstring(view.svg()).iter()
    drawn = ["".join(t.itertext()) for t in shapes if t.tag.endswith("text")]
    drawn = [CUT.sub("", w) for w in drawn if not (ticks and TICK.fullmatch(w))]
    told = set(NUMBER.findall(view.text().replace("×", " ")))
    found = [n for words in drawn for n in NUMBER.findall(words.replace("×", " "))]
    assert found
    return [n for n in found if n not in told]


def test_text_for_screen_readers_has_every_number_of_the_picture():
    charts = open_views(["gradient", "memory", "run", "lanes", "leaks", "timeline"])
    exact = open_views(["graph", "nan", "memory_tree", "stepper"])
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
    optimizer = optim.Adam(model.parameters(), lr=0.05)
    for _ in range(4):
        optimizer.zero_grad()
        scores = model(torch.randn(16, 4))
        nn.functional.cross_entropy(scores, torch.randint(0, 3, (16,))).backward()
        optimizer.step()
    exact.append(TensorCard(model[0].weight, "w"))
    with pytest.raises(RuntimeError) as failure:
        torch.ones(2, 3) @ torch.ones(4, 5)
    exact.append(ErrorCard(failure.value))
    missing = {type(v).__name__: numbers_missing_in_text(v, True) for v in charts}
    missing |= {type(v).__name__: numbers_missing_in_text(v, False) for v in exact}
    for view in [*charts, *exact]:
        view.close()
    assert len(missing) == 12
    assert not any(missing.values()), missing
