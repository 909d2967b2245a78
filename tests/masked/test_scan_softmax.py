"""Functions along a dimension of what a mask shows."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def scans_and_shares(torch):
    x = torch.tensor([[3.0, -1.0, 2.0], [0.5, 4.0, 1.0]], dtype=torch.float64)
    mask, found = torch.tensor([[True, False, True], [False, True, True]]), []
    for name in ("cumsum", "cumprod", "softmax", "log_softmax", "softmin"):
        for dim in (0, -1):
            leaf = x.clone().requires_grad_()
            y = getattr(torch.masked, name)(leaf, dim, mask=mask)
            shown = torch.where(mask, y, torch.zeros_like(y))
            found += [y, torch.autograd.grad((shown * shown).sum(), leaf)]
        found.append(getattr(torch.masked, name)(x, 0, dtype=torch.float32))
        found.append(attempt(lambda n=name: getattr(torch.masked, n)(x, 3, mask=mask)))
    return found


@programs.add
def normalized(torch):
    x = torch.tensor([[3.0, -1.0, 4.0], [0.5, 4.0, 1.0]], requires_grad=True)
    mask = torch.tensor([[True, False, True], [False, False, False]])
    y = torch.masked.normalize(x, 2, 1, mask=mask)
    return [y, torch.autograd.grad((y * x).sum(), x), torch.masked.normalize(x, 1, 0)]


@programs.add
def sums_of_exponentials(torch):
    x, z = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.0, 5.0, -1.0])
    mask, other = torch.tensor([True, False, False]), torch.tensor([True, True, False])
    add = torch.masked.logaddexp
    return [
        add(x, z), add(x, z, input_mask=mask), add(x, z, other_mask=other),
        add(x, z, input_mask=mask, other_mask=other, dtype=torch.float64),
        attempt(lambda: add(x.to_sparse(), z)),
    ]  # fmt: skip


test_along = programs.test()
