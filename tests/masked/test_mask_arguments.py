"""Masks, dimensions and neutral elements."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def dimensions(torch):
    found = torch.masked._canonical_dim
    return [
        found(None, 3), found((), 2), found(-1, 3), found((2, 0), 3), found(0, 0),
        attempt(lambda: found((0, 0), 2)), attempt(lambda: found(2, 2)),
    ]  # fmt: skip


@programs.add
def dimensions_are_refused_before_masks(torch):
    m, x, mask = torch.masked, torch.ones(2, 2), torch.ones(3) > 0
    functions = m.sum, m.prod, m.logsumexp, m.cumsum, m.softmax, m.mean, m.var
    return [attempt(lambda f=f: f(x, dim=5, mask=mask)) for f in functions]


@programs.add
def masks(torch):
    m, x = torch.masked, torch.zeros(2, 3)
    rows = torch.tensor([[True], [False]])
    return [
        m._input_mask(x, mask=rows), m._output_mask(m.sum, x, 1, mask=rows),
        m._output_mask(m.norm, x, 2, 1, mask=rows, keepdim=True),
        m._output_mask(m.softmax, x, 1, mask=rows),
        attempt(lambda: m._input_mask(x)),
        attempt(lambda: m._input_mask(x, mask=rows.expand(2, 2, 1))),
        attempt(lambda: m._output_mask(1, x, mask=rows)),
    ]  # fmt: skip


@programs.add
def neutral_elements(torch):
    names = ("sum", "prod", "amax", "amin", "logsumexp", "median", "norm", "mean", "x")
    kinds = (torch.float64, torch.int32, torch.uint8, torch.bool)
    neutral = torch.masked._reduction_identity
    return [
        attempt(lambda n=name, k=kind: neutral(n, torch.zeros(1, dtype=k)))
        for name in names
        for kind in kinds
    ] + [neutral("norm", torch.zeros(1), -float("inf"))]


@programs.add
def combined(torch):
    m, x = torch.masked, torch.arange(3.0)
    mask = torch.tensor([True, False, True])
    return [
        m._combine_input_and_mask(m.amax, x, mask),
        m._combine_input_and_mask(m.amax, x, None),
        m._where(mask, x, torch.tensor(7.0)),
    ]


@programs.add
def sparse_tensors_are_refused(torch):
    m, x = torch.masked, torch.eye(2).to_sparse()
    functions = m.cumsum, m.softmax, m.argmax, m.median, m.logsumexp, m.norm
    return [attempt(lambda f=f: f(x, dim=0)) for f in functions]


test_operands = programs.test()
