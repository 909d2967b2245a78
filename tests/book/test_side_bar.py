"""Arrows in the book's side bar are named after the pages that they fold."""

from __future__ import annotations

import pytest

from tests.house.source_tree import script

ITEM = '<li><a class="reference" href="a.html">\n{}\n</a>\n<details{}><summary>'


@pytest.fixture(scope="module")
def side_bar():
    return script("book/side_bar.py")


def test_arrow_is_named_after_the_link_before_it(side_bar):
    item = ITEM.format('R&amp;D "now"', ' open="open"')
    wanted = '<summary aria-label="Pages of R&amp;D &quot;now&quot;">'
    assert side_bar.named(item) == item.replace("<summary>", wanted)


def test_summary_with_words_stays_as_it_is(side_bar):
    text = "<details><summary>The numbers as a table</summary></details>"
    assert side_bar.named(text) == text


def test_function_of_the_theme_is_wrapped(side_bar):
    context = {"generate_toctree_html": lambda kind, depth=1: ITEM.format(kind, "")}
    side_bar.name_arrows(None, "index", "page.html", context, None)
    made = context["generate_toctree_html"]("Reference", depth=2)
    assert '<summary aria-label="Pages of Reference">' in made


def test_page_without_a_side_bar_is_left_alone(side_bar):
    context = {}
    side_bar.name_arrows(None, "index", "page.html", context, None)
    assert context == {}
