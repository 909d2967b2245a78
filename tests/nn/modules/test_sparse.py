"""Embedding layers."""

from __future__ import annotations

import edutorch
from tests.nn.modules.layers import numbers, refused
from tests.programs import Programs, attempt

programs = Programs(__file__)


def look_up(torch, layer, *arguments, **more):
    """Text, weight, result and gradient of a look-up."""
    y = layer(*arguments, **more)
    (y * numbers(torch, *y.shape)).sum().backward()
    return [repr(layer), layer.weight, y, layer.weight.grad]


@programs.add
def rows_are_looked_up(torch):
    nn, i = torch.nn, torch.tensor([[1, 2], [4, 1]])
    return [
        look_up(torch, nn.Embedding(5, 3), i),
        look_up(torch, nn.Embedding(5, 3, padding_idx=1), i),
        look_up(torch, nn.Embedding(5, 3, padding_idx=-1, scale_grad_by_freq=True), i),
        look_up(torch, nn.Embedding(5, 3, max_norm=0.5, norm_type=1.0), i),
    ]


@programs.add
def rows_are_given(torch):
    table = numbers(torch, 4, 2)
    frozen = torch.nn.Embedding.from_pretrained(table)
    free = torch.nn.Embedding.from_pretrained(table, freeze=False, padding_idx=0)
    return [repr(frozen), frozen(torch.tensor([3])), frozen.weight.requires_grad,
            look_up(torch, free, torch.tensor([0, 2])), free.weight is table,
            attempt(lambda: torch.nn.Embedding.from_pretrained(torch.ones(2)))]  # fmt: skip


@programs.add
def bags_are_reduced(torch):
    nn, i = torch.nn, torch.tensor([[1, 2], [4, 1]])
    flat, starts = torch.tensor([1, 2, 4, 1]), torch.tensor([0, 3])
    weights = torch.tensor([[0.5, 1.0], [2.0, -1.0]])
    return [
        look_up(torch, nn.EmbeddingBag(5, 3), i),
        look_up(torch, nn.EmbeddingBag(5, 3, mode="sum"), flat, starts),
        look_up(torch, nn.EmbeddingBag(5, 3, mode="max"), i),
        look_up(torch, nn.EmbeddingBag(5, 3, mode="sum", padding_idx=1), i),
        look_up(torch, nn.EmbeddingBag(5, 3, mode="sum"), i, per_sample_weights=weights),
        look_up(torch, nn.EmbeddingBag(5, 3, include_last_offset=True), flat,
                torch.tensor([0, 1, 4])),
    ]  # fmt: skip


@programs.add
def bags_of_given_rows(torch):
    bag = torch.nn.EmbeddingBag.from_pretrained(numbers(torch, 4, 2), mode="sum")
    return [repr(bag), bag(torch.tensor([[0, 3]])), bag.weight.requires_grad]


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    table = torch.nn.Embedding(3, 2)
    return [
        *refused(torch, (("nn.Embedding(3, 2, padding_idx=3)",),
                         ("nn.Embedding(3, 2, padding_idx=-4)",),
                         ("nn.Embedding(3, 2, _weight=torch.ones(2, 2))",),
                         ("nn.EmbeddingBag(3, 2, padding_idx=5)",))),
        attempt(lambda: table(torch.tensor([3]))),
        attempt(lambda: table(torch.tensor([-1]))),
        attempt(lambda: table(torch.tensor([0.5])))[:2],
    ]  # fmt: skip


@programs.add
def tables_of_another_shape_are_refused(torch):
    table = torch.zeros(3, 3)
    return [
        attempt(lambda: torch.nn.EmbeddingBag(2, 3, _weight=table)),
        attempt(lambda: torch.nn.Embedding(2, 3, _weight=table)),
    ]


test_sparse = programs.test()


def test_a_table_of_whole_numbers_that_is_frozen_is_looked_up():
    table = edutorch.tensor([[1, 2], [3, 4]])
    made = edutorch.nn.Embedding.from_pretrained(table, padding_idx=1)
    assert made(edutorch.tensor([1])).tolist() == [[3, 4]]
    assert not made.weight.requires_grad
