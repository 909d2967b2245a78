from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.course import check
from tests.course.mistakes import each_is_named
from tests.course.solutions import ch04

SOLUTIONS = {
    "04.1": ch04.first_bad_step,
    "04.2": ch04.clip_hook,
    "04.3": ch04.where_cut,
    "04.4": (ch04.standardize, ch04.loss_of, ch04.step),
}


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0


def names_where(loss, wanted):
    return [step.name for step in loss.backward_steps() if wanted(step)]


def receives(step):
    return not all(torch.isfinite(g).all() for g in step.grad_outputs)


def makes_nan(step):
    return any(g is not None and torch.isnan(g).any() for g in step.grad_inputs)


def every(step):
    return True


def very_first(loss):
    return names_where(loss, every)[0]


def very_last(loss):
    return names_where(loss, every)[-1]


def first_receiver(loss):
    return (names_where(loss, receives) or [None])[0]


def first_nan(loss):
    return (names_where(loss, makes_nan) or [None])[0]


def clamps(limit):
    return lambda g: g.clamp(-limit, limit)


def always_scales(limit):
    return lambda g: g * (limit / g.norm())


def forgets_the_root(limit):
    return lambda g: g * min(1.0, limit / float(g.norm()) ** 2)


def returns_nothing(limit):
    hook = ch04.clip_hook(limit)

    def silent(g):
        hook(g)

    return silent


def in_place(limit):
    def hook(g):
        if g.norm() > limit:
            g *= limit / g.norm()
        return g

    return hook


def looks_at_inputs(model, x):
    for name, layer in model.named_children():
        if name != "0" and not x.requires_grad:
            return name
        x = layer(x)
    return None


def gives_an_index(model, x):
    name = ch04.where_cut(model, x)
    return None if name is None else int(name)


def looks_at_the_end(model, x):
    return None if model(x).requires_grad else "0"


def rows(x):
    return (x - x.mean(dim=1, keepdim=True)) / x.std(dim=1, keepdim=True)


def softmax_twice(model, x, y):
    return nn.functional.cross_entropy(model(x).softmax(dim=1), y)


def summed(model, x, y):
    return nn.functional.cross_entropy(model(x), y, reduction="sum")


def without_history(model, x, y):
    return ch04.loss_of(model, x, y).item()


def cleared_too_late(optimizer, loss):
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()


def never_cleared(optimizer, loss):
    loss.backward()
    optimizer.step()


def three(standardize=ch04.standardize, loss_of=ch04.loss_of, step=ch04.step):
    return standardize, loss_of, step


WRONG = [
    ("04.1", very_first, "first step of all"),
    ("04.1", very_last, "the last step"),
    ("04.1", first_receiver, "RECEIVES it"),
    ("04.1", first_nan, "isnan misses infinities"),
    ("04.2", clamps, "each element was clipped"),
    ("04.2", always_scales, "never scale up"),
    ("04.2", forgets_the_root, "ROOT of the sum"),
    ("04.2", returns_nothing, "is a return missing?"),
    ("04.2", in_place, "changed in place"),
    ("04.3", looks_at_inputs, "one too late"),
    ("04.3", gives_an_index, "a string"),
    ("04.3", looks_at_the_end, "look at every output"),
    ("04.4", three(standardize=rows), "mixes features"),
    ("04.4", three(loss_of=softmax_twice), "softmax was taken twice"),
    ("04.4", three(loss_of=summed), "sum for mean"),
    ("04.4", three(loss_of=without_history), "no history"),
    ("04.4", three(step=cleared_too_late), "cleared before the step"),
    ("04.4", three(step=never_cleared), "still in w.grad"),
]

test_check_of_a_known_mistake_names_it = each_is_named(WRONG)
