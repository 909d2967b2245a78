"""How many samples a block has."""

from types import SimpleNamespace

import pytest

import edutorch as torch
from edutorch.ops.loss.block_size import block_size, block_size_by_aspect


def size(n=64, dtype=torch.float32, **given):
    how = {"batch_chunk_size": None, "chunking_method": "auto", "acc_dtype": None}
    options = SimpleNamespace(**{**how, **given})
    return block_size(options, n, 8, 32, dtype, torch.device("cpu"))


def test_a_size_that_is_given_is_taken_but_not_more_than_there_is():
    assert size(batch_chunk_size=10) == 10
    assert size(n=4, batch_chunk_size=10) == 4


def test_without_a_method_there_is_one_block():
    assert size(chunking_method=None) == 64


def test_scores_of_a_block_take_as_much_memory_as_the_inputs_or_a_part():
    assert block_size_by_aspect(64, 8, 32, "aspect_ratio") == 16
    assert size() == 8
    assert size(dtype=torch.bfloat16) == 16


def test_size_and_method_must_agree():
    with pytest.raises(ValueError, match="give different chunk sizes"):
        size(batch_chunk_size=10, chunking_method="aspect_ratio")


def test_sums_are_formed_in_single_precision_at_most():
    assert size(dtype=torch.float16, acc_dtype=torch.float32) == 16
    with pytest.raises(RuntimeError, match="supports float32 acc_dtype"):
        size(acc_dtype=torch.float64)
