from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.course import CheckFailed, check
from tests.course.mistakes import each_is_named
from tests.course.solutions import ch05


class Positive(ch05.Linear):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__(inputs, outputs, bias)
        with torch.no_grad():
            self.weight.abs_()


class Library(nn.Linear):
    pass


class Wrapped(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.inner = nn.Dropout(p)

    def forward(self, x):
        return self.inner(x)


class Numpy(ch05.Dropout):
    def forward(self, x):
        return super().forward(x).detach().numpy()


WRONG = [
    ("05.1", Positive, "negative half is missing"),
    ("05.1", Library, "takes over the library's"),
    ("05.1", ch05.Linear(2, 3), "without ( )"),
    ("05.1", ch05.named, "a class of modules"),
    ("05.6", Wrapped, "there is nn.Dropout inside"),
    ("05.6", Numpy, "did not return a tensor"),
]

test_mistakes = each_is_named(WRONG)


def test_learners_random_numbers_stay_as_they_were():
    torch.manual_seed(3)
    before = torch.get_rng_state()
    check("05.6", ch05.Dropout)
    assert torch.equal(torch.get_rng_state(), before)


def test_failure_of_an_answer_without_return_says_so():
    class Silent(ch05.Dropout):
        def forward(self, x):
            super().forward(x)

    with pytest.raises(CheckFailed, match="is a return missing"):
        check("05.6", Silent)
