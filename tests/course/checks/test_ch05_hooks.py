from __future__ import annotations

from tests.course.mistakes import each_is_named
from tests.course.solutions import ch05


def never_stops(model, kind):
    seen, _ = ch05.watch(model, kind)
    return seen, lambda: None


def sees_less(model, kind):
    _, remove = ch05.watch(model, kind)
    return {}, remove


WRONG = [
    ("05.5", never_stops, "it still watches"),
    ("05.5", sees_less, "the names are not those"),
]

test_mistakes = each_is_named(WRONG)
