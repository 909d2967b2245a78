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
    "4 in ints",
    "99 in ints",
    "ints[0] in ints",
    "1j in complexes",
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
    "scalar[...]",
    "scalar[()]",
    "scalar[None]",
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
    "a[mask]",
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
    "list(ints[0])",
    "(singles[1].storage_offset(), singles[:, 1:].storage_offset(), "
    "singles[:, 1].stride(), singles[None].stride())",
    "singles[1].data_ptr() - singles.data_ptr()",
    "(singles[[0]]._is_view(), singles[0]._is_view())",
    "singles[:, [0, 1]].stride()",
    "a[[1.7, 0]]",
    "a[np.array([1.0, 0.0])]",
    "a[np.array(1.0)]",
    "a[np.array(True)]",
    "a[np.array([1, 0], dtype=np.int8)]",
    "a[torch.Size([1])]",
    "a[torch.Size([1, 2])]",
    "a[[np.array([0, 1])]]",
    "a[[range(2)]]",
    "singles.t()[True].stride()",
    "seq.permute(2, 1, 0)[[0, 1]].stride()",
    "seq.permute(2, 1, 0)[:, [0, 1]].stride()",
    "seq.permute(2, 1, 0)[:, ints.t() % 2].stride()",
    "ints[ints2.t() % 2].stride()",
    "seq.mT[[0, 1]].stride()",
    "y = mask.clone(); y[0] = torch.tensor([1j, 0, 1]); y",
]

# PyTorch builds these of other operations: its nodes have other names.
OTHER_NODES = [
    "y = a.clone(); z = y[0]; z[1] = row[0]; (y, z)",
    "y = a.clone(); z = y[0]; y.mul_(2); (y, z)",
    "y = seq.clone(); z = y.view(8, 5); z[2] = row[1]; w = z[:, 1]; "
    "w.mul_(row[0]); (y, z, w)",
    "y = seq.clone(); z = y.transpose(0, 1)[1]; z.fill_(row[1]); (y, z)",
    "y = seq.clone(); z = y[0]; w = z[1:]; w.add_(row[0]); z.mul_(2); (y, z, w)",
    "y = a.clone(); z = y[0].expand(2, 3); y[0] = 1.0; z",
    "y = torch.zeros(3, dtype=torch.float64); z = y[1:]; z.copy_(row[1:]); (y, z)",
    "y = a.clone(); y[...] = 3.0; y",
    "y = seq.clone(); z = y[1]; z[0] = seq[0, 0]; z[1:, 1] *= 3; y * z",
    "y = a.clone(); z = y[:, 1]; z += z; y",
    "y = row.detach().clone(); z = y[:2]; y.mul_(row); z[0] = 5; y",
    "y = a.clone(); z = y[0]; w = y * 2; z.zero_(); w",
    "y = a.clone(); w = y / 2 - 2 * y; y.zero_(); w",
    "y = a.clone(); w = y * singles; y.zero_(); w",
    "y = torch.zeros(4, 3, dtype=torch.float64); y[1] = row; y[2] = y[1] * 2; y",
]

SMOOTH = [
    "seq[0, 1:, None] ** 2",
    "seq[:, [2, 0, 2]] ** 2",
    "seq[[0, 1, 0], :, [1, 2, 1]] ** 2",
    "a[mask] ** 2",
    "a[a > 0] ** 2",
]

REFUSED = [
    "y = a.half() * 1; y[:] = 1j",
    "y = a.bfloat16() * 1; y[0, 0] = 1j",
    "a[..., ..., [0, -1]]",
    "a[[0, 1], ..., ..., [0, 1], [0]]",
    "y = singles.clone(); y[[0, 1]] = ints; y",
    "y = ints.clone(); y[torch.tensor([0])] = torch.tensor(7.5); y",
    "y = singles.clone(); y[mask.byte()] = 3; y",
    "y = singles.clone(); y[torch.empty(0, dtype=torch.bool)] = 1; y",
    '"a" in singles',
    "None in singles",
    "torch.tensor(1.5)[:]",
    "y = torch.zeros(()); y[1:] = 2; y",
    "a[2]",
    "a[-3]",
    "a[0, 3]",
    "a[0, 0, 0]",
    "scalar[0]",
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
    "y = singles.clone(); y[0] = [1, 2]",
    "y = singles.clone(); y[0] = np.ones(3)",
    "y = singles.clone(); y[0] = row[:2]",
    "y = singles.clone(); y[0] = a",
    "y = singles.clone(); y[[0, 1]] = row[:2]",
    "y = singles.clone(); y[mask] = row[:2]",
    'y = singles.clone(); y[0] = "a"',
    "y = singles.clone(); y[0, 0] = 1j",
    "y = singles.clone(); y[5] = 1",
    "y = singles.clone(); y[0, 0, 0] = 1",
    "y = uint8s.clone(); y[0, 0] = 300",
    "y = ints.int(); y[0, 0] = 2 ** 40",
    "a[0] = 1",
    "a[mask] = 1.0",
    "a[np.bool_(True)]",
    "a[np.float64(1)]",
    "a[[1j]]",
    "a[[float('nan')]]",
    "a[[10**20]]",
    "a[10**20]",
    "a[1, -(10**20)]",
    "scalar[10**20]",
    "scalar[::0]",
    "scalar[1.0:]",
    "scalar[np.bool_(True)]",
    "a[np.array(['a'])]",
    "y = singles.clone(); y[np.array([0, 1], dtype=np.uint8)] = 5",
    "y = singles.clone(); y[mask] = torch.tensor(1j)",
    "y = uint8s.clone(); y[mask] = torch.tensor(300)",
    "y = ints[0] * 0; y[y] = 1",
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
    "y = singles.clone(); y[mask] = torch.tensor(7); y",
    "y = ints.clone(); y[mask] = torch.tensor([7.5]); y",
    "y = singles.clone(); y[mask] = torch.ones(1, 1, 3); y",
    "y = singles.clone(); y[False] = torch.ones(5); y",
    "y = singles.clone(); y[True] = torch.tensor(7); y",
    "y = singles.clone(); y[np.array(1)] = 5; y",
    "y = mask.clone(); y[0] = 1j; y",
    "y = a.clone(); y[0] = 1.0; y",
    "y = a.clone(); y[0] = b[1]; y",
    "y = a.clone(); y[:, 1:] *= 2; y",
    "y = a.clone(); y[0, 1] += row.sum(); y",
    "y = a.clone(); y[y > 0] = 0; y",
    "y = a.clone(); y[mask] = row.sum(); y",
    "y = a.clone(); y[mask] += 1; y",
    "y = a.clone(); y[[0, 1], [1, 2]] = b[:, 0]; y",
    "y = a.clone(); y[:, [0, 2]] *= row[0]; y",
    "y = a.clone(); y[0][[1, 2]] = 5.0; y",
    "y = a.clone(); y[..., 0] = row[:2]; y",
    "y = a.clone(); y[None] = b; y",
    "y = a.clone(); y[:] = row[0]; y",
    "y = torch.zeros(2, 3, dtype=torch.float64); y[0] = a[0]; y",
    "y = torch.zeros(3); y[0] = row[0]; y",
    "y = singles.clone(); y[1:2] = row.detach(); y",
    "y = singles.clone(); y[torch.tensor([True, False])] = 3; y",
    "y = singles.clone(); y[:, 0] = torch.arange(2); y",
    "y = singles.clone(); y[0] = scalar.detach(); y",
    "y = singles.clone(); y[mask] = True; y",
    "y = singles.clone(); y[0, 0] = 1 + 0j; y",
    "y = ints.clone(); y[0] = 1.7; y",
    "y = ints.clone(); y[0] = singles[0]; y",
    "y = singles.clone(); y[[0, 0]] += 1; y",
    "y = singles.clone(); y[0:2][1] = 9; y",
    "y = singles.clone(); y[:, torch.tensor([0, 1])] = torch.ones(2, 1); y",
    "y = singles.clone(); y[torch.tensor(1)] = 4; y",
    "y = singles.clone(); y[True] = 4; y",
    "y = singles.clone(); y[[]] = 4; y",
    "y = mask.clone(); y[0] = 2; y",
    "y = complexes.clone(); y[0] = 1j; y",
    "y = singles.clone(); y[None, 0, ..., 1:] = 7; y",
    "y = uint8s.clone(); y[0, 0] = -1; y",
    "y = singles.clone(); y[1:] = y[:1]; y",
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
    number = torch.tensor(0)
    for index in ((0, mask), (slice(None), mask), (number, mask), (0, mask, ...)):
        with pytest.raises(RuntimeError, match="masked_fill_ only supports boolean"):
            x[index] = 1
    x[0, mask] = torch.ones(2)
    assert x.sum() == 2


@pytest.mark.filterwarnings("ignore:indexing with dtype torch.uint8")
def test_a_mask_of_bytes_fits_the_dimension_at_which_it_stands():
    x, mask = torch.zeros(3, 1, 2), torch.tensor([1], dtype=torch.uint8)
    with pytest.raises(IndexError, match=r"The shape of the mask \[1\] at index 0"):
        x[mask] = 1  # it is as long as the next dimension
    with pytest.raises(IndexError, match=r"indexed tensor \[1, 2\] at index 0"):
        x[0, torch.tensor([1, 1], dtype=torch.uint8)] = 1


def test_value_error_omits_leading_ones():
    with pytest.raises(RuntimeError, match=r"Tensor sizes: \[2\]"):
        (torch.zeros(4, 3, requires_grad=True) * 1)[...] = torch.ones(1, 2)


@pytest.mark.parametrize("number", ["float32(2)", "float16(2)", "bool_(1)"])
def test_numbers_of_numpy_are_written_if_they_are_pythons_or_integers(number):
    refused(__file__, f"torch.zeros(2).__setitem__(0, np.{number})")
    alike(__file__, "y = torch.zeros(2); y[0] = np.float64(2); y[1] = np.uint8(3); y")
