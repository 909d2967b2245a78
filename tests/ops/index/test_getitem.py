"""`x[...]` and `x[...] = v`."""

import pytest

import edutorch
import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a[[-1, -1, 1], ..., ...]",
    "a[..., [0, 1], ...]",
    "a[torch.tensor([0, -1]), ..., ...]",
    "a[..., 1, ...]",
    "y = a * 1; y[[0, 0], ..., ...] = 7; y",
    "y = a * 1; y[..., [0], ...] = 7; y",
    "a[np.array(1)]",
    "y = a.half() * 1; y[:] = 1e9; y",
    "y = a.bfloat16() * 1; y[a > 0] = 1e300; y",
    "4 in k",
    "99 in k",
    "k[0] in k",
    "1j in z",
    "a[0]",
    "a[-1]",
    "seq[1:]",
    "seq[:, 1]",
    "seq[:, :, ::2]",
    "seq[0, 0, 0]",
    "seq[..., 0]",
    "a[None]",
    "a[...]",
    "a[:]",
    "a[:, :]",
    "a[..., None, -1]",
    "seq[..., ...]",
    "a[torch.tensor(1)]",
    "a[np.int64(1)]",
    "a[torch.tensor(0):torch.tensor(1)]",
    "s[...]",
    "s[()]",
    "s[None]",
    "a[[0, 1]]",
    "a[[0, 0]]",
    "a[:, [2, 0]]",
    "seq[:, :, [3, 3, 1]]",
    "a[[0, 1], [1, 2]]",
    "seq[[0, 1], :, [1, 2]]",
    "seq[0, :, [1, 2]]",
    "seq[:, torch.tensor([[0, 1], [1, 2]])]",
    "seq[:, torch.tensor([0, 1], dtype=torch.int32), 1:3]",
    "a[a > 0]",
    "a[m]",
    "a[:, torch.tensor([True, False, True])]",
    "seq[torch.tensor([[True, False, True, False], [False, False, True, True]])]",
    "a[[True, False]]",
    "a[True]",
    "a[False]",
    "a[torch.tensor(True)]",
    "a[np.array([1, 0])]",
    "a[range(2)]",
    "a[[[0, 1], [1, 2]]]",
    "a[[0, slice(1, 2)]]",
    "a[[]]",
    "a[torch.tensor([], dtype=torch.long)]",
    "a[torch.tensor([1, 0], dtype=torch.uint8)]",
    "a[torch.tensor([-1, -2])]",
    "[row for row in a]",
    "list(k[0])",
    "(f[1].storage_offset(), f[:, 1:].storage_offset(), f[:, 1].stride(), "
    "f[None].stride())",
    "f[1].data_ptr() - f.data_ptr()",
    "(f[[0]]._is_view(), f[0]._is_view())",
    "f[:, [0, 1]].stride()",
]

# PyTorch builds these of other operations: its nodes have other names.
OTHER_NODES = [
    "y = a.clone(); z = y[0]; z[1] = r[0]; (y, z)",
    "y = a.clone(); z = y[0]; y.mul_(2); (y, z)",
    "y = seq.clone(); z = y.view(8, 5); z[2] = r[1]; w = z[:, 1]; "
    "w.mul_(r[0]); (y, z, w)",
    "y = seq.clone(); z = y.transpose(0, 1)[1]; z.fill_(r[1]); (y, z)",
    "y = seq.clone(); z = y[0]; w = z[1:]; w.add_(r[0]); z.mul_(2); (y, z, w)",
    "y = a.clone(); z = y[0].expand(2, 3); y[0] = 1.0; z",
    "y = torch.zeros(3, dtype=torch.float64); z = y[1:]; z.copy_(r[1:]); (y, z)",
    "y = a.clone(); y[...] = 3.0; y",
    "y = seq.clone(); z = y[1]; z[0] = seq[0, 0]; z[1:, 1] *= 3; y * z",
    "y = a.clone(); z = y[:, 1]; z += z; y",
    "y = r.detach().clone(); z = y[:2]; y.mul_(r); z[0] = 5; y",
    "y = a.clone(); z = y[0]; w = y * 2; z.zero_(); w",
    "y = a.clone(); w = y / 2 - 2 * y; y.zero_(); w",
    "y = a.clone(); w = y * f; y.zero_(); w",
    "y = torch.zeros(4, 3, dtype=torch.float64); y[1] = r; y[2] = y[1] * 2; y",
]

SMOOTH = [
    "seq[0, 1:, None] ** 2",
    "seq[:, [2, 0, 2]] ** 2",
    "seq[[0, 1, 0], :, [1, 2, 1]] ** 2",
    "a[m] ** 2",
    "a[a > 0] ** 2",
]

REFUSED = [
    "y = a.half() * 1; y[:] = 1j",
    "y = a.bfloat16() * 1; y[0, 0] = 1j",
    "a[..., ..., [0, -1]]",
    "a[[0, 1], ..., ..., [0, 1], [0]]",
    "y = f.clone(); y[[0, 1]] = k; y",
    "y = k.clone(); y[torch.tensor([0])] = torch.tensor(7.5); y",
    "y = f.clone(); y[m.byte()] = 3; y",
    "y = f.clone(); y[torch.empty(0, dtype=torch.bool)] = 1; y",
    '"a" in f',
    "None in f",
    "torch.tensor(1.5)[:]",
    "y = torch.zeros(()); y[1:] = 2; y",
    "a[2]",
    "a[-3]",
    "a[0, 3]",
    "a[0, 0, 0]",
    "s[0]",
    "a[::-1]",
    "a[::0]",
    "a[1.5]",
    'a["a"]',
    "a[{1}]",
    "a[0:1.5]",
    "a[torch.tensor(1.0)]",
    "a[torch.tensor([1.0])]",
    "a[[0, 1], [0, 1, 2]]",
    "a[[0, 5]]",
    "a[torch.tensor([-3])]",
    "a[[True, False, True]]",
    "a[torch.tensor([0], dtype=torch.int16)]",
    "y = f.clone(); y[0] = [1, 2]",
    "y = f.clone(); y[0] = np.ones(3)",
    "y = f.clone(); y[0] = r[:2]",
    "y = f.clone(); y[0] = a",
    "y = f.clone(); y[[0, 1]] = r[:2]",
    "y = f.clone(); y[m] = r[:2]",
    'y = f.clone(); y[0] = "a"',
    "y = f.clone(); y[0, 0] = 1j",
    "y = f.clone(); y[5] = 1",
    "y = f.clone(); y[0, 0, 0] = 1",
    "y = e.clone(); y[0, 0] = 300",
    "y = k.int(); y[0, 0] = 2 ** 40",
    "a[0] = 1",
    "a[m] = 1.0",
]


@pytest.mark.parametrize("case", CASES)
def test_indexed_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", OTHER_NODES)
def test_indexed_equal_pytorch_but_for_nodes(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", SMOOTH)
def test_indexed_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_indexed_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


ASSIGNED = [
    "y = f.clone(); y[m] = torch.tensor(7); y",
    "y = k.clone(); y[m] = torch.tensor([7.5]); y",
    "y = f.clone(); y[m] = torch.ones(1, 1, 3); y",
    "y = f.clone(); y[False] = torch.ones(5); y",
    "y = f.clone(); y[True] = torch.tensor(7); y",
    "y = f.clone(); y[np.array(1)] = 5; y",
    "y = m.clone(); y[0] = 1j; y",
    "y = a.clone(); y[0] = 1.0; y",
    "y = a.clone(); y[0] = b[1]; y",
    "y = a.clone(); y[:, 1:] *= 2; y",
    "y = a.clone(); y[0, 1] += r.sum(); y",
    "y = a.clone(); y[y > 0] = 0; y",
    "y = a.clone(); y[m] = r.sum(); y",
    "y = a.clone(); y[m] += 1; y",
    "y = a.clone(); y[[0, 1], [1, 2]] = b[:, 0]; y",
    "y = a.clone(); y[:, [0, 2]] *= r[0]; y",
    "y = a.clone(); y[0][[1, 2]] = 5.0; y",
    "y = a.clone(); y[..., 0] = r[:2]; y",
    "y = a.clone(); y[None] = b; y",
    "y = a.clone(); y[:] = r[0]; y",
    "y = torch.zeros(2, 3, dtype=torch.float64); y[0] = a[0]; y",
    "y = torch.zeros(3); y[0] = r[0]; y",
    "y = f.clone(); y[1:2] = r.detach(); y",
    "y = f.clone(); y[torch.tensor([True, False])] = 3; y",
    "y = f.clone(); y[:, 0] = torch.arange(2); y",
    "y = f.clone(); y[0] = s.detach(); y",
    "y = f.clone(); y[m] = True; y",
    "y = f.clone(); y[0, 0] = 1 + 0j; y",
    "y = k.clone(); y[0] = 1.7; y",
    "y = k.clone(); y[0] = f[0]; y",
    "y = f.clone(); y[[0, 0]] += 1; y",
    "y = f.clone(); y[0:2][1] = 9; y",
    "y = f.clone(); y[:, torch.tensor([0, 1])] = torch.ones(2, 1); y",
    "y = f.clone(); y[torch.tensor(1)] = 4; y",
    "y = f.clone(); y[True] = 4; y",
    "y = f.clone(); y[[]] = 4; y",
    "y = m.clone(); y[0] = 2; y",
    "y = z.clone(); y[0] = 1j; y",
    "y = f.clone(); y[None, 0, ..., 1:] = 7; y",
    "y = e.clone(); y[0, 0] = -1; y",
    "y = f.clone(); y[1:] = y[:1]; y",
]


@pytest.mark.parametrize("case", ASSIGNED)
def test_assigned_equal_pytorch(case):
    alike(__file__, case)


def test_assignment_by_views_of_views_reaches_all_that_look_at_the_memory():
    x = edutorch.zeros(2, 3)
    row, column = x[1], x[:, 2]
    row[2] = 5
    assert column.tolist() == [0, 5] and x[1, 2] == 5
    assert x._version == row._version == column._version == 1


def test_assignment_without_listeners_counts_the_version():
    x = edutorch.zeros(3)
    before = x._version
    x[0] = 1
    x[edutorch.tensor([1])] = 2
    assert x._version == before + 2


def test_failed_assignment_changes_nothing():
    x = edutorch.zeros(3)
    with pytest.raises(IndexError):
        x[edutorch.tensor([0, 7])] = 1
    assert x.tolist() == [0, 0, 0] and x._version == 0


def test_assignment_is_announced_to_listeners():
    seen = []
    x = edutorch.zeros(3)
    listening = edutorch.events.listen("test", seen.append)
    x[0] = 1
    listening.close()
    names = [edutorch.events.as_dict(r).get("name") for r in seen if r[0] == "op"]
    assert "fill" in names


@pytest.mark.filterwarnings("ignore:indexing with dtype torch.uint8")
def test_one_number_is_not_written_by_a_mask_of_bytes_among_other_indices():
    x, mask = torch.zeros(3, 1, 2), torch.tensor([1], dtype=torch.uint8)
    for index in ((0, mask), (slice(None), mask)):
        with pytest.raises(RuntimeError, match="masked_fill_ only supports boolean"):
            x[index] = 1
    x[0, mask] = torch.ones(2)
    assert x.sum() == 2


def test_a_value_is_told_without_its_leading_ones():
    with pytest.raises(RuntimeError, match=r"Tensor sizes: \[2\]"):
        (torch.zeros(4, 3, requires_grad=True) * 1)[...] = torch.ones(1, 2)
