"""The order in memory of the gradients of row-major operands."""

import pytest

from tests.ops.cases import alike

MADE = "x = lambda *n: torch.randn(*n, requires_grad=True); a = [{}]; y = {}"
TOLD = (
    "; g = torch.autograd.grad((y * torch.rand(y.shape)).sum(), a)"
    "; [(v.stride(), v.storage_offset()) for v in g]"
)
CASES = [
    ("x(3, 4), x(4, 5)", "a[0] @ a[1]"),
    ("x(3, 4), x(5, 4)", "a[0] @ a[1].T"),
    ("x(3, 4), x(5, 4)", "a[0] @ a[1].t()"),
    ("x(3, 4), x(5, 4)", "a[0] @ a[1].mT"),
    ("x(3, 4), x(5, 4)", "a[0] @ a[1].permute(1, 0)"),
    ("x(4, 3), x(4, 5)", "a[0].T @ a[1]"),
    ("x(4, 3), x(5, 4)", "torch.mm(a[0].T, a[1].T)"),
    ("x(2, 3, 4), x(5, 4)", "a[0] @ a[1].T"),
    ("x(2, 3, 4), x(2, 5, 4)", "a[0] @ a[1].mT"),
    ("x(2, 4, 3), x(2, 4, 5)", "torch.bmm(a[0].mT, a[1])"),
    ("x(3, 4), x(2, 4, 5)", "a[0] @ a[1]"),
    ("x(4), x(2, 4, 5)", "a[0] @ a[1]"),
    ("x(2, 3, 4), x(4)", "a[0] @ a[1]"),
    ("x(5), x(3, 4), x(5, 4)", "torch.addmm(a[0], a[1], a[2].T)"),
    ("x(5), x(4, 3), x(4, 5)", "torch.addmm(a[0], a[1].T, a[2])"),
    ("x(2, 3, 5), x(2, 3, 4), x(2, 5, 4)", "torch.baddbmm(a[0], a[1], a[2].mT)"),
    ("x(2, 3, 4), x(5, 4), x(5)", "torch.nn.functional.linear(*a)"),
    ("x(8, 3), x(8, 4), x(5, 3, 4)", "torch.nn.functional.bilinear(*a)"),
    ("x(2, 4, 5), x(3, 4, 3)", "torch.nn.functional.conv1d(*a)"),
    ("x(2, 4, 5, 5), x(3, 4, 3, 3), x(3)", "torch.nn.functional.conv2d(*a)"),
    ("x(2, 4, 5, 5, 5), x(3, 4, 3, 3, 3)", "torch.nn.functional.conv3d(*a)"),
    ("x(2, 4, 5, 5), x(4, 3, 3, 3)", "torch.nn.functional.conv_transpose2d(*a)"),
    ("x(2, 3, 4, 5)", "torch.nn.functional.cross_entropy(a[0], torch.ones(2, 4, 5).long())"),
    ("x(2, 3, 4)", "torch.logcumsumexp(a[0], 1)"),
    ("x(2, 3, 4)", "torch.cumprod(a[0], 1)"),
    ("x(2, 3, 4)", "torch.cumprod(a[0] * 0, 1)"),
]  # fmt: skip
VMAPPED = [
    "lambda w, x: torch.nn.functional.linear(x, w)",
    "lambda w, x: torch.nn.functional.linear(x[None], w, w[:, 0])",
    "lambda w, x: x[None] @ w.T",
    "lambda w, x: torch.stack([x, x, x]) @ w.T",
    "lambda w, x: torch.nn.functional.linear(torch.stack([x, x]), w)",
]


@pytest.mark.parametrize(("operands", "call"), CASES)
def test_gradients_are_laid_out_as_pytorch_lays_them_out(operands, call):
    alike(__file__, MADE.format(operands, call) + TOLD)


@pytest.mark.parametrize("function", VMAPPED)
def test_gradients_of_samples_are_row_major(function):
    alike(
        __file__,
        f"f = {function}; w, x = torch.randn(5, 4), torch.randn(3, 4); "
        "g = torch.func.grad(lambda w, x: f(w, x).sum()); "
        "torch.func.vmap(g, (None, 0))(w, x).stride()",
    )
