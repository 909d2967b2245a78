"""Views: shape, strides, offset, whose memory, and history after changes in place."""

from __future__ import annotations

import pytest

import edutorch
from tests.oracle import torch

BASES = {
    "x": lambda lib: lib.arange(24.0).reshape(2, 3, 4),
    "t": lambda lib: lib.arange(24.0).reshape(4, 6).t(),
    "s": lambda lib: lib.arange(24.0).reshape(4, 6)[1:, ::2],
    "one": lambda lib: lib.arange(6.0).reshape(2, 1, 3, 1),
    "e": lambda lib: lib.arange(3.0).expand(4, 3),
    "v": lambda lib: lib.arange(8.0)[2:],
    "z": lambda lib: lib.tensor(3.0),
    "n": lambda lib: lib.zeros(2, 0, 3),
    "i": lambda lib: lib.arange(24.0).reshape(1, 2, 3, 4).to(
        memory_format=lib.channels_last),
    "c": lambda lib: lib.arange(6.0).reshape(2, 3) * (1 + 2j),
}  # fmt: skip

VIEWS = [
    "x.view(6, 4)", "x.view(-1)", "x.view(2, 1, 12)", "x.reshape(4, 6)",
    "x.transpose(0, 2)", "x.permute(2, 0, 1)", "x.movedim(0, -1)", "x.swapaxes(1, 2)",
    "x.mT", "x.mH", "x[0]", "x[:, 1]", "x[..., 1:3]", "x[:, None]", "x[1, 2, 3]",
    "x[:, ::2]", "x[1:, 1:, 1:]", "x[...]", "x[None, ..., None]", "x[0:0]",
    "x.select(1, 2)", "x.narrow(2, 1, 2)", "x.unsqueeze(1)", "x.unsqueeze(-1)",
    "x.flatten()", "x.flatten(1)", "x.unflatten(2, (2, 2))", "x.diagonal(0, 1, 2)",
    "x.diagonal(1, 0, 2)", "x.unfold(2, 2, 1)", "x.unfold(1, 3, 2)",
    "x.as_strided((2, 2), (1, 2), 3)", "x.expand(2, 3, 4)", "x.expand(5, 2, 3, 4)",
    "x.split(2, 2)[1]", "x.chunk(2, 1)[1]", "x.unbind(1)[2]", "x.split([1, 2], 1)[1]",
    "x.tensor_split(3, 2)[1]", "x.hsplit(3)[2]", "x.vsplit(2)[1]", "x.dsplit(2)[1]",
    "x.view(2, 3, 2, 2)", "x.view_as(x)", "x.detach()", "x.data", "x.ravel()",
    "x.squeeze()", "x.t() if x.ndim < 3 else x.transpose(0, 1)", "x.real",
    "x.contiguous()", "x.broadcast_to(2, 2, 3, 4)", "x.view(torch.int32)",
    "x.alias() if hasattr(x, 'alias') else x.view(2, 3, 4)",
    "t.t()", "t.T", "t.H", "t.view(6, 2, 2)", "t.reshape(-1)", "t.reshape(6, 4)",
    "t[1]", "t[:, 1]", "t[::2, 1:]", "t.diagonal()", "t.diagonal(-1)", "t.unsqueeze(1)",
    "t.flatten()", "t.contiguous()", "t.unfold(0, 2, 2)", "t.chunk(4)[2]",
    "t.expand(2, 6, 4)", "t.as_strided((3,), (2,))", "t.clone()", "t * 1",
    "t.unflatten(0, (3, 2))", "t.narrow(0, -2, 1)", "t.select(0, -1)",
    "s.t()", "s[1]", "s[:, 0]", "s[1:, 1:]", "s.flatten()", "s.reshape(9)",
    "s.diagonal()", "s.unsqueeze(0)", "s.view(3, 3, 1)", "s.clone()", "s.contiguous()",
    "s.as_strided((2, 2), (6, 1))", "s.split(2)[1]", "s.unfold(1, 2, 1)", "s.expand(2, 3, 3)",
    "one.squeeze()", "one.squeeze(1)", "one.squeeze(-1)", "one.squeeze((1, 3))",
    "one.squeeze(0)", "one.view(6)", "one.view(2, 3)", "one.expand(2, 5, 3, 4)",
    "one.expand(-1, -1, -1, 2)", "one[:, 0]", "one.permute(3, 2, 1, 0)", "one.mT",
    "one.reshape(3, 2)", "one.flatten(0, 1)", "one.transpose(1, 2)", "one.unsqueeze(2)",
    "e.t()", "e[0]", "e[:, 1:]", "e.reshape(12)", "e.view(2, 2, 3)", "e.contiguous()",
    "e.clone()", "e.unsqueeze(1)", "e.expand(2, 4, 3)", "e.flatten()", "e.diagonal()",
    "v[1:]", "v[::2]", "v[-1]", "v.view(2, 3)", "v.unfold(0, 3, 1)", "v.unfold(0, 2, 3)",
    "v.as_strided((2,), (1,))", "v.as_strided((2,), (1,), 0)", "v.expand(2, 6)",
    "v.unsqueeze(-1)", "v.split(4)[1]", "v.diagonal() if v.ndim > 1 else v[:]", "v.t()",
    "z.view(1)", "z.view(())", "z.expand(2)", "z.unsqueeze(0)", "z[None]", "z[...]", "z.t()",
    "z.reshape(1, 1)", "z.squeeze()", "z.flatten()", "z.as_strided((1,), (1,))",
    "n.view(0, 6)", "n.reshape(3, 0)", "n.flatten()", "n.squeeze()", "n[0]",
    "n.expand(2, 0, 3)",
    "i.permute(0, 2, 3, 1)", "i[0]", "i[:, 1]", "i.flatten(2)", "i.clone()", "i * 2",
    "i.contiguous()", "i.transpose(1, 2)", "i.squeeze(0)", "i.unsqueeze(0)", "i[..., 1:]",
    "torch.empty_like(i)", "torch.zeros_like(t)", "i.to(memory_format=torch.contiguous_format)",
    "c.real", "c.imag", "torch.view_as_real(c)", "torch.view_as_real(c).transpose(0, 1)",
    "c.t()", "c.imag[0]", "c.mT", "torch.view_as_complex(torch.view_as_real(c))",
    "x[0].t()[1:]", "x.transpose(0, 1)[1].unsqueeze(0)", "s.t()[1:].diagonal()",
    "x[:, 1].expand(3, 2, 4)[1:]", "x.view(4, 6)[1:, ::2].t()", "t.unfold(1, 2, 1)[0].t()",
]  # fmt: skip


def facts(lib, expression):
    """Layout of a view, and which bases notice a change through it."""
    names = {name: make(lib) for name, make in BASES.items()}
    view = eval(expression, {"torch": lib, **names})
    described = [tuple(view.shape), view.stride(), view.storage_offset(),
                 view.is_contiguous(), str(view.dtype)]  # fmt: skip
    before = {n: t.clone() for n, t in names.items()}
    if view.numel() and 0 not in view.stride():
        view.fill_(1)
    changed = sorted(n for n, t in names.items() if not lib.equal(t, before[n]))
    return [*described, changed, [t.tolist() for t in names.values()]]


@pytest.mark.parametrize("expression", VIEWS)
def test_views_lie_in_memory_as_pytorch_s(expression):
    assert facts(edutorch, expression) == facts(torch, expression)


CHANGES = [
    "y = x * 1; y[0].mul_(w[0]); y.sum()",
    "y = x * 1; v = y[0]; v.mul_(w[0]); (y * v).sum()",
    "y = x * 1; v = y.t()[1:]; v[0].exp_(); (y + 0).prod()",
    "y = x * 1; v = y.view(-1)[1:].view(5, 1); v[2:].mul_(w.view(-1)[:3, None]); y.sum()",
    "y = x * 1; v = y[:, 1]; u = v[1:]; u.copy_(w[0, :1]); (v * y.sum()).sum()",
    "y = x * 1; v = y[:, :2]; y.mul_(w); v.sum()",
    "y = x * 1; v = y[0]; y.mul_(w); u = v * 2; v.sin_(); (y.sum() * u).sum()",
    "y = x * 1; v = y.diagonal(); v.zero_(); (y * w).sum()",
    "y = x.clone(); y.transpose(0, 1)[1].add_(w[:, 1] * 2); (y ** 2).sum()",
    "y = torch.zeros(2, 3, dtype=torch.float64); y[0] = x[0]; y[:, 1:] *= w[:, 1:]; y.sum()",
    "y = torch.zeros(4, dtype=torch.float64); v = y[1:3]; v += x[0, :2]; (y * y).sum()",
    "y = x * 1; y.view(3, 2)[1].fill_(2.0); (y * w).sum()",
    "y = x * 1; v = y.squeeze().unsqueeze(0); v.pow_(2); (y * w).sum()",
    "y = x * 1; v = y.expand(1, 2, 3)[0]; v.mul_(3); (y * w).sum()",
    "y = x * 1; y[y > 0] = 0; (y * w).sum()",
    "y = x * 1; y[0, :2][1:].mul_(w[0, 2]); (y * w).sum()",
    "y = x * 1; v = y.as_strided((2, 2), (1, 2)); v.mul_(w[:, :2]); (y * w).sum()",
    "y = x * 1; v = y.unfold(1, 2, 2); v.mul_(2); (y * w).sum()",
    "y = x * 1; v = y[0]; u = y[1]; v.mul_(u.clone()); u.mul_(2); y.sum()",
    "y = x * 1; v = y.detach(); y.mul_(w); y.sum()",
]


def gradients(lib, program):
    leaves = [lib.tensor([[1.0, 2.0, -3.0], [0.5, 4.0, 5.0]], dtype=lib.float64)
              for _ in range(2)]  # fmt: skip
    x, w = (t.requires_grad_() for t in (leaves[0], leaves[1]))
    names = {"torch": lib, "x": x, "w": w}
    *statements, last = program.split("; ")
    exec("\n".join(statements), names)
    loss = eval(last, names)
    found = lib.autograd.grad(loss, [x, w], allow_unused=True)
    return loss.item(), [None if g is None else g.tolist() for g in found]


@pytest.mark.parametrize("program", CHANGES)
def test_changes_through_views_have_pytorch_s_gradients(program):
    loss, found = gradients(edutorch, program)
    expected, wanted = gradients(torch, program)
    assert loss == pytest.approx(expected)
    for g, h in zip(found, wanted, strict=True):
        assert (g is None) == (h is None)
        if g is not None:
            for row, wanted_row in zip(g, h, strict=True):
                assert row == pytest.approx(wanted_row)
