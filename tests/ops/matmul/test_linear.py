"""The affine map of a layer."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.linear(a, q)",
    "F.linear(a, q, r)",
    "F.linear(z, z.detach() * 1j, z[0])",
    "F.linear(torch.stack([z, z]), z)",
    "F.linear(r, q, r)",
    "F.linear(f, torch.ones(2, 3))",
    "F.linear(a[:0], q, r)",
]

SMOOTH = [
    "F.linear(z, z * 1j, z[0])",
    "F.linear(a, q)",
    "F.linear(a, q, r)",
    "F.linear(Q, q, r)",
    "F.linear(r, q, r)",
]

REFUSED = [
    "F.linear(a, a.t())",
    "F.linear(f, q)",
    "F.linear(a, None)",
    "F.linear(a, Q)",
    "F.linear(f, q, r)",
    "F.linear(a, q, f[0])",
    "F.linear(Q.float(), q)",
    "F.linear(Q.float(), q, r)",
]


@pytest.mark.parametrize("case", CASES)
def test_affine_maps_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_affine_maps_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_affine_maps_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


OTHER_NODES = [
    "F.linear(Q, q, r)",
    "F.linear(Q, q)",
    "F.linear(r, q)",
    "F.linear(a, r)",
]


@pytest.mark.parametrize("case", OTHER_NODES)
def test_affine_maps_of_other_shapes_equal_pytorch_but_for_their_node(case):
    alike(__file__, case, nodes=False)
