from __future__ import annotations

import pytest

from edutorch.course.checks.ch17_bytes import (
    FIT_MISTAKES,
    PEAK_MISTAKES,
    _fit,
    _fresh_blocks,
    _fresh_sizes,
    _peak,
)
from edutorch.course.random_cases import draws

DRAWN = [_fresh_sizes(draw) for draw in draws(40, ("float32",))]
BLOCKS = [_fresh_blocks(draw) for draw in draws(60, ("float32",))]


def kept(weights, outputs):
    """The peak, from a dictionary of what is alive."""
    last = len(weights) - 1
    alive = {("w", i): n for i, n in enumerate(weights)}
    alive |= {("o", i): n for i, n in enumerate(outputs)}
    alive["go", last] = outputs[last]
    sums = [sum(alive.values())]
    for i in range(last, -1, -1):
        alive["gw", i] = weights[i]
        if i > 0:
            alive["go", i - 1] = outputs[i - 1]
        sums.append(sum(alive.values()))
        del alive["o", i], alive["go", i]
    return max(sums)


@pytest.mark.parametrize("sizes", DRAWN[:12])
def test_peak_is_that_of_a_list_of_what_is_alive(sizes):
    assert _peak(*sizes) == kept(*sizes)


@pytest.mark.parametrize("words", PEAK_MISTAKES)
def test_mistake_about_the_peak_differs_on_two_cases(words):
    made = PEAK_MISTAKES[words]
    for one in made if isinstance(made, tuple) else (made,):
        assert sum(one(*sizes) != _peak(*sizes) for sizes in DRAWN) >= 2


@pytest.mark.parametrize("case", BLOCKS[:20])
def test_best_fit_is_the_block_that_wastes_least(case):
    free, nbytes = case
    at, size = _fit(free, nbytes)
    assert size % 512 == 0
    assert 0 <= size - nbytes < 512
    left = [block - size for block in free if block >= size]
    assert (free[at] - size == min(left)) if left else at == -1


@pytest.mark.parametrize("words", FIT_MISTAKES)
def test_mistake_about_blocks_differs_on_two_cases(words):
    made = FIT_MISTAKES[words]
    for one in made if isinstance(made, tuple) else (made,):
        assert sum(one(*case) != _fit(*case) for case in BLOCKS) >= 2
