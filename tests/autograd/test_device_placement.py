"""Placement of results on GPUs and the meta device."""

from __future__ import annotations

import pytest

import edutorch as torch


def test_results_stand_on_the_books_of_their_gpu_and_views_do_not():
    with torch.cuda.simulate():
        x = torch.ones(1000, device="cuda")
        before = torch.cuda.memory_allocated()
        y = x + 1
        assert torch.cuda.memory_allocated() - before == 4096
        assert y[2:].device == x.device
        assert torch.cuda.memory_allocated() - before == 4096


def test_results_on_meta_have_no_values_and_views_keep_their_place():
    x = torch.empty(4, 6, device="meta")
    second = x.split(2)[1]
    assert second.is_meta and second.storage_offset() == 12
    assert (x + 1).softmax(1).is_meta
    with pytest.raises(NotImplementedError, match="torch.nonzero"):
        x.nonzero()


def test_a_bias_stands_where_the_rows_of_a_layer_are():
    x, w, b = torch.empty(2, 3), torch.empty(4, 3), torch.empty(4)
    y = torch.nn.functional.linear(x.to("meta"), w, b.to("meta"))
    assert y.is_meta and y.shape == (2, 4)
    with pytest.raises(RuntimeError, match="device cpu is not on the expected device"):
        torch.nn.functional.linear(x.to("meta"), w, b)


@pytest.mark.parametrize(
    "change",
    [
        "x.index_add_(0, i, y)",
        "x.index_copy_(0, i, y)",
        "x.masked_scatter_(y > 0, y)",
        "x.addmv_(torch.ones(2, 2, device='meta'), y)",
        "x.__setitem__(0, y[0])",
    ],
)
def test_values_on_meta_do_not_change_a_tensor_on_the_cpu(change):
    x, y = torch.ones(2), torch.ones(2, device="meta")
    i = torch.zeros(2, dtype=torch.int64, device="meta")
    with pytest.raises(RuntimeError):
        eval(change, {"torch": torch, "x": x, "y": y, "i": i})
    assert x.tolist() == [1, 1]
