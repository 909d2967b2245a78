"""Pages that show views on their own; tests/browser opens one."""

from __future__ import annotations

import json
import re

import edutorch as torch
from edutorch.widgets import GraphView, TensorCard
from edutorch.widgets.html_page import html_page


def states_of(page):
    text = re.search(r'id="views">(.*?)</script>', page).group(1)
    return json.loads(text)


def test_page_holds_the_state_of_its_views_and_the_bundle_once(tmp_path):
    with GraphView() as view:
        torch.ones(2) * 3
        page = view.export(tmp_path / "graph.html").read_text()
    (state,) = states_of(page)
    assert state["view"] == "graph"
    assert state["frozen"] is True
    assert "_esm" not in state
    assert page.count('"http://www.w3.org/2000/svg"') == 1


def test_page_with_hostile_names_ends_no_element_early():
    name = "</script><script>hacked()</script>"
    with TensorCard(torch.ones(1), name) as card:
        page = html_page([card.page_state()], name)
    assert "hacked()</script>" not in page
    assert states_of(page)[0]["data"]["name"] == name


def test_page_asks_no_other_machine():
    page = html_page([], "empty")
    assert "default-src 'none'" in page
    addresses = re.findall(r"https?://[\w./]+", page)
    assert set(addresses) <= {"http://www.w3.org/2000/svg"}


def test_page_without_views_stays_below_300_kilobytes():
    assert len(html_page([], "empty").encode()) < 300_000
