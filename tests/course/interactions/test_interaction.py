"""What all interactions share: the course's own bundle, a picture, a text."""

from __future__ import annotations

from typing import ClassVar

import pytest

from edutorch.course import interactions
from edutorch.course.interactions import Interaction
from edutorch.widgets.bundle import bundle
from edutorch.widgets.svg import Picture

VIEW = "application/vnd.jupyter.widget-view+json"


class Toy(Interaction):
    """One number."""

    kind: ClassVar[str] = "toy"

    def __init__(self, number):
        super().__init__({"number": number})

    def picture(self, note=""):
        return Picture(10, 10, "a toy")

    def text(self):
        return f"a toy with {self.data['number']}"


def test_interaction_is_drawn_by_the_courses_bundle():
    toy = Toy(3)
    assert toy.bundle is bundle("course")
    assert toy.bundle is not bundle()
    assert toy.bundle.packed != bundle().packed
    assert toy.view == "toy"


def test_interaction_shows_the_widget_a_picture_and_words():
    data, _ = Toy(3)._repr_mimebundle_()
    assert VIEW in data
    assert "edutorch-still" in data["image/svg+xml"]
    assert data["text/plain"] == "a toy with 3"


@pytest.mark.parametrize("name", sorted({*interactions.__all__} - {"Interaction"}))
def test_interaction_of_the_course_shows_itself_without_arguments(name):
    made = getattr(interactions, name)()
    data, _ = made._repr_mimebundle_()
    assert {VIEW, "image/svg+xml", "image/png"} <= set(data)
    assert data["text/plain"] == made.text()


def test_interaction_is_exported_with_the_courses_bundle(tmp_path):
    page = interactions.OptimizerRace().export(tmp_path / "race.html")
    text = page.read_text(encoding="utf-8")
    assert "the course has no interaction named" in text
    assert '"view":"optimizer_race"' in text


def test_interaction_watches_nothing():
    toy = Toy(3)
    assert toy.frozen
    assert toy.refresh() == {"number": 3}
    toy.close()
