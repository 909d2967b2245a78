"""Tensors without data, made by every function that makes or fills tensors."""

import pytest

from tests.ops.cases import alike

MADE = "x = torch.zeros(3, 2, device='meta').t(); y = "
TOLD = "; y.shape, y.stride(), str(y.dtype), y.is_meta, y.requires_grad"
CASES = [
    "torch.zeros_like(x)",
    "torch.ones_like(x)",
    "torch.empty_like(x)",
    "torch.full_like(x, 2)",
    "torch.rand_like(x)",
    "torch.randn_like(x)",
    "torch.randint_like(x, 5)",
    "torch.bernoulli(x)",
    "torch.bernoulli(x, 0.5)",
    "torch.normal(x, 1.0)",
    "torch.multinomial(x.abs(), 2)",
    "x.new_zeros(2)",
    "x.new_empty(2, 3)",
    "x.new_full((2,), 1)",
    "x.new_tensor([1.0])",
    "x.new_ones(3)",
    "x.clone().uniform_()",
    "x.clone().normal_()",
    "x.clone().exponential_()",
    "x.clone().cauchy_()",
    "x.clone().log_normal_()",
    "x.clone().geometric_(0.5)",
    "x.clone().random_()",
    "x.clone().bernoulli_(0.5)",
    "x.clone().zero_()",
    "x.clone().fill_(1)",
    "torch.nn.functional.dropout(x)",
    "torch.nn.functional.dropout1d(x)",
    "torch.nn.functional.alpha_dropout(x)",
    "torch.nn.functional.feature_alpha_dropout(x)",
    "torch.nn.functional.rrelu(x, training=True)",
    "torch.nn.functional.gumbel_softmax(x)",
    "torch.rand(2, 3, device='meta')",
    "torch.randn(2, 3, device='meta')",
    "torch.randint(5, (2,), device='meta')",
    "torch.randperm(4, device='meta')",
    "torch.arange(4, device='meta')",
    "torch.linspace(0, 1, 4, device='meta')",
    "torch.logspace(0, 1, 4, device='meta')",
    "torch.eye(3, device='meta')",
    "torch.zeros(2, device='meta')",
    "torch.full((2,), 1, device='meta')",
    "torch.empty_strided((2, 3), (1, 2), device='meta')",
    "torch.empty_permuted((2, 3), (1, 0), device='meta')",
    "torch.as_tensor([1.0], device='meta')",
    "torch.tril_indices(3, 3, device='meta')",
    "torch.hann_window(4, device='meta')",
    "torch.complex(x, x)",
    "torch.polar(x, x)",
    "torch.nn.init.kaiming_uniform_(x.clone())",
    "torch.nn.init.xavier_normal_(x.clone())",
    "torch.nn.init.orthogonal_(x.clone())",
    "torch.nn.init.trunc_normal_(x.clone())",
    "torch.nn.init.sparse_(x.clone(), 0.5)",
    "torch.nn.init.eye_(x.clone())",
    "torch.nn.Dropout()(x)",
    "torch.nn.Linear(2, 3, device='meta').weight",
    "torch.nn.Conv2d(1, 2, 3, device='meta').weight",
    "torch.nn.LSTM(2, 3, device='meta').weight_ih_l0",
    "torch.nn.Embedding(2, 3, device='meta').weight",
]


@pytest.mark.parametrize("case", CASES)
def test_tensors_without_data_are_made_as_by_pytorch(case):
    alike(__file__, MADE + case + TOLD)
