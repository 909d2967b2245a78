"""DOT through the graphviz package."""

from __future__ import annotations

import shutil
import sys

import pytest

from edutorch.widgets.dot import digraph
from tests.widgets.shared_fixtures import NAMES, fixture

pytest.importorskip("graphviz")


def test_digraph_when_frames_are_open_draws_clusters():
    case = fixture("lenet")
    source = digraph(case["data"], case["expanded"]).source
    assert source.count("subgraph cluster_") == 7
    assert 'label="(features): Sequential"' in source


def test_digraph_when_values_are_older_tells_their_step():
    data = fixture("scalars")["data"]
    old = data | {"step": 12, "recorded_step": 9}
    assert "values and gradients from step 9" in digraph(old).source
    fresh = data | {"step": 12, "recorded_step": 12}
    assert "step 12" in digraph(fresh).source
    assert "from step" not in digraph(fresh).source


def test_digraph_when_names_are_hostile_quotes_them():
    case = fixture("hostile")
    source = digraph(case["data"], case["expanded"]).source
    assert "=<" not in source  # an unquoted label would be read as HTML


def test_digraph_when_names_hold_backslashes_doubles_them():
    data = fixture("scalars")["data"]
    data["nodes"][2]["name"] = "a\\nb"
    assert "a\\\\nb" in digraph(data).source


def test_digraph_when_graphviz_is_missing_tells_what_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    with pytest.raises(ImportError, match="pip install graphviz$"):
        digraph(fixture("scalars")["data"])


@pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz's dot is not installed")
@pytest.mark.parametrize("name", NAMES)
def test_digraph_when_drawn_by_dot_is_an_svg(name):
    case = fixture(name)
    drawn = digraph(case["data"], case["expanded"]).pipe(format="svg", encoding="utf-8")
    assert "<svg" in drawn
    assert "<script" not in drawn
