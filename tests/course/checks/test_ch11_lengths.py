from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course.checks.ch11_lengths import (
    LAST_MISTAKES,
    LOSS_MISTAKES,
    PACK_MISTAKES,
    SIZES_MISTAKES,
    _fresh_outputs,
    _fresh_pack,
    _fresh_scores,
    _last,
    _loss,
    _packed,
    _sizes,
)
from edutorch.course.compare import same_numbers
from edutorch.course.random_cases import draws
from edutorch.nn.utils import rnn
from tests.course.checks.test_ch11 import SOLUTIONS
from tests.course.mistakes import each_is_named


def given(fresh):
    return [fresh(draw) for draw in draws(16, ("float32",))]


def telling(mistaken, right, cases):
    """On how many cases a mistake gives something else."""
    told = 0
    for args in cases:
        try:
            told += not same_numbers(mistaken(*args), right(*args), 1e-6)
        except (IndexError, RuntimeError, ValueError):
            told += 1
    return told


@pytest.mark.parametrize("args", given(_fresh_pack), ids=range(16))
def test_pack_expected_is_that_of_the_library(args):
    packed = rnn.pack_padded_sequence(*args)
    assert _sizes(args[1]) == packed.batch_sizes.tolist()
    assert torch.equal(_packed(*args), packed.data)


@pytest.mark.parametrize("args", given(_fresh_outputs), ids=range(16))
def test_last_expected_is_that_of_indexing(args):
    outputs, lengths = args
    places = torch.tensor(lengths) - 1
    assert torch.equal(_last(*args), outputs[places, torch.arange(len(lengths))])


@pytest.mark.parametrize("args", given(_fresh_scores), ids=range(16))
def test_loss_expected_is_that_of_ignored_targets(args):
    scores, targets, lengths = args
    targets = targets.clone()
    for n, length in enumerate(lengths):
        targets[length:, n] = -100
    want = torch.nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
    assert _loss(*args).item() == pytest.approx(want.item(), rel=1e-5)


@pytest.mark.parametrize("words", {**SIZES_MISTAKES, **PACK_MISTAKES})
def test_mistake_of_packing_differs_on_two_cases(words):
    cases = given(_fresh_pack)
    if words in PACK_MISTAKES:
        assert telling(PACK_MISTAKES[words], _packed, cases) >= 2
    else:
        lengths = [(lengths,) for _, lengths in cases]
        assert telling(SIZES_MISTAKES[words], _sizes, lengths) >= 2


@pytest.mark.parametrize("words", LAST_MISTAKES)
def test_mistake_of_the_last_output_differs_on_two_cases(words):
    assert telling(LAST_MISTAKES[words], _last, given(_fresh_outputs)) >= 2


@pytest.mark.parametrize("words", LOSS_MISTAKES)
def test_mistake_of_a_masked_loss_differs_on_two_cases(words):
    assert telling(LOSS_MISTAKES[words], _loss, given(_fresh_scores)) >= 2


sizes, pack = SOLUTIONS["11.4"]
last, loss = SOLUTIONS["11.5"]
test_mistakes = each_is_named(
    [
        ("11.4", pack, "expects 2 things"),
        ("11.4", (sizes, lambda p, lengths: p.flatten(0, 1)), "padding is still there"),
        (
            "11.5",
            (lambda outputs, lengths: outputs[-1], loss),
            "last step of the batch",
        ),
    ]
)
