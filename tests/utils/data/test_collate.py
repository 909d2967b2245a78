"""Collating samples."""

from __future__ import annotations

from collections import OrderedDict, namedtuple

import numpy as np

from tests.programs import Programs, attempt

programs = Programs(__file__)
Point = namedtuple("Point", "x y")  # noqa: PYI024 (users have such)


@programs.add
def samples_of_every_kind(torch):
    collate = torch.utils.data.default_collate
    return [
        collate([1, 2]), collate([1.5, 2]), collate([True, False]), collate(["a", "b"]),
        collate([b"a", b"b"]), collate([torch.ones(2), torch.zeros(2)]),
        collate([np.ones(2, np.float32), np.zeros(2, np.float32)]),
        collate([np.float32(1), np.float32(2)]), collate([np.array(1), np.array(2)]),
        collate([(1, 2.0), (3, 4.0)]), collate([[1, "a"], [2, "b"]]),
        collate([{"a": 1, "b": [1, 2]}, {"a": 2, "b": [3, 4]}]),
    ]  # fmt: skip


@programs.add
def containers_keep_their_form(torch):
    collate = torch.utils.data.default_collate
    point = collate([Point(1, 2.0), Point(3, 4.0)])
    ordered = collate([OrderedDict(b=1, a=2), OrderedDict(b=3, a=4)])
    return [
        type(point).__name__,
        point,
        type(ordered).__name__,
        ordered,
        type(collate([(1,), (2,)])).__name__,
        type(collate([[1], [2]])).__name__,
    ]


@programs.add
def samples_that_do_not_fit_are_refused(torch):
    collate = torch.utils.data.default_collate
    return [
        attempt(lambda: collate([(1, 2), (1,)])),
        attempt(lambda: collate([[1], [1, 2]])),
        attempt(lambda: collate([object()]))[:2],
        attempt(lambda: collate([None, None])),
        attempt(lambda: collate([np.array(["a"]), np.array(["b"])])),
        attempt(lambda: collate([torch.ones(2), torch.ones(3)])),
        attempt(lambda: collate([{"a": 1}, {"b": 1}]))[:2],
    ]


@programs.add
def converting_without_batches(torch):
    convert = torch.utils.data.default_convert
    return [
        convert(np.array([1, 2])), convert(np.float32(3)), convert(3), convert("a"),
        convert([np.ones(1), (np.zeros(1), 2)]), convert({"a": np.ones(1)}),
        type(convert((1, 2))).__name__, type(convert(Point(1, 2))).__name__,
        convert(np.array(["a"])).tolist(),
    ]  # fmt: skip


test_collate = programs.test()
