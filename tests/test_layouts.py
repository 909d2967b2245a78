"""Layouts and memory formats."""

import copy
import pickle

import edutorch as torch


def test_layouts_are_printed_by_name():
    assert repr(torch.sparse_csr) == "torch.sparse_csr"
    assert repr(torch.channels_last) == "torch.channels_last"


def test_layouts_are_one_object_each_also_when_copied():
    for layout in (torch.strided, torch.sparse_bsr, torch.contiguous_format):
        assert copy.deepcopy(layout) is layout
        assert pickle.loads(pickle.dumps(layout)) is layout
    assert isinstance(torch.sparse_coo, torch.layout)
