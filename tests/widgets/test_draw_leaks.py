"""The picture of LeakFinder."""

from __future__ import annotations

from edutorch.widgets.draw_leaks import draw_leaks
from tests.widgets.samples import leaks, texts


def test_picture_shows_growth_lines_and_the_change():
    picture = draw_leaks(leaks(), "note")
    words = "\n".join(texts(picture))
    assert "(note)" in words
    assert "losses.append(loss.item())" in words
    assert "Surviving graph nodes (thick line: total): at most 200" in words
    lines = [s for kind, s in picture.shapes if kind == "line"]
    assert len([s for s in lines if len(s["points"]) == 40]) == 4  # two in each chart


def test_picture_of_nothing_is_drawn():
    keys = ("steps", "bytes", "nodes", "lines", "answers")
    data = leaks() | {key: [] for key in keys}
    data["title"] = "nothing grows in 0 steps"
    assert "nothing grows" in texts(draw_leaks(data))[0]


def test_picture_of_endless_names_stays_within_its_width():
    data = leaks()
    data["lines"][0]["src"]["text"] = "x" * 10_000
    data["answers"][0]["name"] = "<b>" * 10_000
    assert all(len(text) < 200 for text in texts(draw_leaks(data)))
