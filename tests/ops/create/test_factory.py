"""Arguments that all creation functions share."""

import pytest

import edutorch
from tests.ops.cases import alike, refused

CASES = [
    "torch.zeros(2, 0, 3).shape",
    "torch.ones(ints.shape).shape",
    "torch.zeros(np.int64(2), np.int32(3)).shape",
]

REFUSED = [
    "torch.zeros(range(2))",
    "torch.zeros(size=2)",
    "torch.rand(size=torch.tensor(2))",
    "singles.new_ones(size=2)",
    "torch.ones(None)",
]


@pytest.mark.parametrize("case", CASES)
def test_sizes_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_sizes_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_made_in_inference_mode_are_inference_tensors():
    with edutorch.inference_mode():
        assert edutorch.zeros(1).is_inference()
    assert not edutorch.zeros(1).is_inference()


LAYOUTS = [
    "torch.zeros(2, 3, layout=None).stride()",
    "torch.ones(2, layout=None)",
    "torch.full((2,), 3, layout=None)",
    "torch.rand(2, layout=None).shape",
    "torch.zeros(2, 3, layout=torch.sparse_csr).layout is torch.sparse_csr",
    "torch.zeros_like(singles, layout=torch.sparse_coo).layout is torch.sparse_coo",
    "torch.zeros_like(singles, layout=torch.sparse_csr).to_dense()",
    "torch.zeros_like(singles.to_sparse(), layout=torch.strided)",
    "torch.full_like(singles.to_sparse(), 2, layout=torch.strided)",
    "torch.tril_indices(2, 2, pin_memory=False, requires_grad=False)",
    "torch.rand_like(torch.ones(2, device='meta'), device='cpu').add(1).shape",
    "torch.tensor(__import__('decimal').Decimal(1), dtype=torch.float64)",
    "torch.ones(1).new_tensor([__import__('fractions').Fraction(1, 2)])",
]
REFUSED = [
    "torch.zeros(2, layout='a')",
    "torch.ones(2, layout='a')",
    "torch.rand(2, layout='a')",
    "torch.zeros(2, layout=torch.sparse_csr)",
    "torch.full((), 1, layout=torch.sparse_coo)",
    "torch.zeros(2, requires_grad=1)",
    "torch.full((2,), 1.0, requires_grad=1)",
    "torch.full((2,), 1, requires_grad=True)",
    "torch.empty(2, memory_format=torch.preserve_format)",
    "torch.tril_indices(2, 2, requires_grad=True)",
    "torch.ones_like(singles, layout='a')",
]


@pytest.mark.parametrize("case", LAYOUTS)
def test_layouts_are_those_of_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_options_of_other_types_are_refused(case):
    refused(__file__, case)


@pytest.mark.parametrize(
    ("call", "kernel"),
    [
        (lambda **options: edutorch.rand(2, **options), "uniform_"),
        (lambda **options: edutorch.randn(2, **options), "normal_"),
        (lambda **options: edutorch.randint(2, (2,), **options), "random_.from"),
        (lambda **options: edutorch.randperm(2, **options), "randperm.generator_out"),
        (lambda **options: edutorch.arange(2, **options), "arange.start_out"),
        (lambda **options: edutorch.linspace(0, 1, 2, **options), "linspace.out"),
        (lambda **options: edutorch.eye(2, **options), "eye.m_out"),
        (lambda **options: edutorch.tril_indices(2, 2, **options), "tril_indices"),
        (
            lambda **options: edutorch.ones_like(edutorch.ones(2), **options),
            "empty_strided",
        ),
    ],
)
def test_dense_kernels_refuse_sparse_layouts(call, kernel):
    words = f"Could not run 'aten::{kernel}' with arguments from the 'SparseCPU'"
    with pytest.raises(NotImplementedError, match=words):
        call(layout=edutorch.sparse_coo)
