"""Writing to memory that an operand shares."""

from __future__ import annotations

import pytest

import edutorch as torch

PART = "unsupported operation: some elements of the input tensor and the written-to"


def base():
    return torch.arange(6.0)


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x[1:].add_(x[:-1]),
        lambda x: x[:3].copy_(x[1:4]),
        lambda x: x.view(2, 3)[:, :3].view(3, 2).mul_(x.view(2, 3).t()),
        lambda x: x.detach()[1:].sub_(x[:-1]),
        lambda x: x.data.view(2, 3).t().add_(x.view(3, 2)),
        lambda x: x.data.view(6, 1).mT.add_(x),
        lambda x: x.__setitem__(slice(1, None), x[:-1]),
        lambda x: torch.add(x[1:], 1, out=x[:-1]),
        lambda x: torch.exp(x[1:], out=x[:-1]),
        lambda x: torch.cumsum(x[1:], 0, out=x[:-1]),
        lambda x: torch.where(x[1:] > 2, x[1:], x[1:], out=x[:-1]),
        lambda x: torch.addmv(x[:2], torch.eye(2), x[2:4], out=x[1:3]),
        lambda x: torch.gather(x, 0, torch.tensor([1, 0]), out=x[:2]),
        lambda x: torch.index_select(x, 0, torch.arange(6), out=x),
        lambda x: torch.linalg.cross(x[:3], x[3:], out=x[:3]),
    ],
)
def test_writing_to_a_part_of_what_is_read_is_refused(change):
    x = base()
    with pytest.raises(RuntimeError, match=PART):
        change(x)
    assert x.tolist() == [0, 1, 2, 3, 4, 5]


def test_writing_to_all_of_what_is_read_and_beside_it_is_not_refused():
    x = base()
    assert x.add_(x).tolist() == [0, 2, 4, 6, 8, 10]
    assert x[:3].sub_(x[3:]).tolist() == [-6, -6, -6]
    assert torch.neg(x, out=x.detach())[3:].tolist() == [-6, -8, -10]
    x[1:3] = x[3:5]
    x[::2].add_(x[1::2])  # nobody looks between gaps
    assert x.tolist() == [0, -6, -14, -6, -18, -10]
    assert torch.mm(torch.eye(2), x[:4].view(2, 2), out=x[2:].view(2, 2)).sum() == -26


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda x: x.index_fill_(0, torch.tensor([0]), 1.0), 1),
        (lambda x: x.masked_fill_(torch.tensor([False, True, False]), 2.0), 2),
        (lambda x: x.fill_(3.0), 3),
        (lambda x: torch.threshold_(x, 0.5, 4.0), 4),
        (lambda x: x.index_fill_(0, torch.tensor([], dtype=torch.int64), 1.0), 0),
    ],
)
def test_what_is_written_to_one_of_the_elements_in_a_place_stays(change, expected):
    x = torch.zeros(1)
    assert change(x.expand(3)).tolist() == [expected] * 3
    assert x.item() == expected


def test_integers_are_finite_and_not_written_by_nan_to_num():
    assert torch.zeros(1, dtype=torch.int64).expand(3).nan_to_num_().tolist() == [0] * 3
    with pytest.raises(RuntimeError, match="more than one element of the written-to"):
        torch.zeros(1).expand(3).nan_to_num_()
    with pytest.raises(TypeError, match="argument 'nan' .position 1. must be float"):
        torch.zeros(1).expand(3).nan_to_num_("a")


def test_conjugates_are_copied_from_where_they_are():
    x = torch.zeros(2, 2, dtype=torch.complex64)
    y = x.conj()
    for source in (x.t(), y.conj().t()):
        with pytest.raises(RuntimeError, match=PART):
            y.copy_(source)
    y.copy_(x)
    y.add_(x.t())  # other functions copy what they read first


def test_conjugates_without_elements_are_written_to():
    x = torch.zeros(1, 0, 3, dtype=torch.complex64)
    assert x.conj().exp_().shape == (1, 0, 3)
    with pytest.raises(RuntimeError, match="more than one element"):
        torch.zeros(1, 3, dtype=torch.complex64).expand(2, 3).conj().exp_()


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
def test_sparse_tensors_are_written_to_by_what_shares_their_values(layout):
    s = torch.eye(2).to_sparse(layout=layout)
    s.detach().add_(s)
    s.detach().mul_(s)
    s.detach().copy_(s)
    assert s.to_dense().tolist() == [[4, 0], [0, 4]]
