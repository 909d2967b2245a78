from __future__ import annotations

import edutorch as torch
from edutorch import nn
from tests.course.mistakes import each_is_named
from tests.course.solutions import ch05


def untouched(model):
    return model


def by_outputs(model):
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, nn.Linear):
                module.weight.normal_(0, (2 / module.out_features) ** 0.5)
    return model


def never_stops(model, kind):
    seen, _ = ch05.watch(model, kind)
    return seen, lambda: None


def sees_less(model, kind):
    _, remove = ch05.watch(model, kind)
    return {}, remove


WRONG = [
    ("05.3", untouched, "no weight was changed"),
    ("05.3", by_outputs, "follows from the outputs"),
    ("05.5", never_stops, "it still watches"),
    ("05.5", sees_less, "the names are not those"),
]

test_mistakes = each_is_named(WRONG)
