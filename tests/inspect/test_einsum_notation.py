"""Sums of products by letters, against plain loops."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from edutorch.inspect.einsum_notation import (
    OpCall,
    contract,
    elementwise,
    product_letters,
    reduced_letters,
)


def by_loops(spec, incoming, local, shape):
    """What a spec describes, one product after another."""
    left, out = spec.split("->")
    letters = left.split(",")
    arrays = [np.asarray(incoming)] + ([] if local is None else [np.asarray(local)])
    result = np.zeros(shape)
    sizes = {}
    for names, array in zip(letters, arrays, strict=False):
        for name, n in zip(names, array.shape, strict=True):
            sizes[name] = max(n, sizes.get(name, 1))
    inner = [name for name in sizes if name not in out]
    for place in np.ndindex(*shape):
        fixed = dict(zip(out, place, strict=True))
        for rest in itertools.product(*(range(sizes[name]) for name in inner)):
            at = fixed | dict(zip(inner, rest, strict=True))
            term = 1.0
            for names, array in zip(letters, arrays, strict=False):
                index = [
                    0 if n == 1 else at[name]
                    for name, n in zip(names, array.shape, strict=True)
                ]
                term *= array[tuple(index)]
            result[place] += term
    return result


@pytest.mark.parametrize(
    ("spec", "g", "local", "shape"),
    [
        ("ab,ab->ab", (2, 3), (2, 3), (2, 3)),
        ("ab,b->b", (2, 3), (3,), (3,)),
        ("ab,ab->aB", (2, 3), (2, 3), (2, 1)),
        ("az,zx->ax", (2, 4), (4, 3), (2, 3)),
        (",->ab", (), None, (2, 3)),
        ("a,->ab", (2,), None, (2, 3)),
        ("aB,->ab", (2, 1), None, (2, 3)),
        ("ba,->ab", (3, 2), None, (2, 3)),
        (",ab->ab", (), (2, 3), (2, 3)),
    ],
)
def test_contraction_equals_plain_loops(spec, g, local, shape):
    rng = np.random.default_rng(1)
    incoming = rng.normal(size=g)
    factor = None if local is None else rng.normal(size=local)
    found = contract(spec, incoming, factor, shape)
    np.testing.assert_allclose(found, by_loops(spec, incoming, factor, shape))


def test_stretched_dimensions_have_letters_of_their_own():
    assert elementwise((2, 3), ()) == ""
    assert elementwise((2, 3), (1, 3)) == "Ab"
    assert elementwise((1, 3), (1, 3)) == "ab"


def test_letters_of_products_and_sums_follow_the_ranks():
    a, b = np.ones((2, 3)), np.ones((4, 3, 2))
    assert product_letters(OpCall("Matmul", [a, b], None, {})) == ("xy", "ayz", "axz")
    assert product_letters(OpCall("Add", [a, a], None, {})) is None
    kept = {"dim": -1, "keepdim": True}
    assert reduced_letters(OpCall("Sum", [b], None, kept)) == ("abc", "abC")
    assert reduced_letters(OpCall("SumAll", [b], None, {})) == ("abc", "")
