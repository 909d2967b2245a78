"""New nested tensors."""

from __future__ import annotations

from tests.nested.shown import shown
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def of_lists(torch):
    n, one = torch.nested, torch.ones
    made = [
        n.nested_tensor([]), n.nested_tensor([1, 2]), n.nested_tensor([[1, 2], [3]]),
        n.nested_tensor([one(2), one(3)], dtype=torch.float64),
        n.nested_tensor([one(2), one(3).double()]), n.nested_tensor([one(2, 3), one(3, 4)]),
        n.nested_tensor([one(2, 3), one(2, 4)], layout=torch.jagged),
        n.as_nested_tensor([one(2), one(3)]), n.as_nested_tensor(one(2, 3)),
        n.as_nested_tensor(one(2, 3), layout=torch.jagged),
    ]  # fmt: skip
    return [shown(m) for m in made]


@programs.add
def of_plain_tensors(torch):
    n, x = torch.nested, torch.arange(16.0).reshape(2, 4, 2)
    begins, sizes = torch.tensor([1, 0]), torch.tensor([2, 3])
    ends, mask = torch.tensor([0, 2, 5]), torch.tensor([[True, False], [True, True]])
    made = [
        n.nested_tensor_from_jagged(torch.arange(10.0).reshape(5, 2), ends),
        n.nested_tensor_from_jagged(torch.arange(5.0), lengths=sizes),
        n.nested_tensor_from_jagged(torch.arange(10.0).reshape(2, 5), ends, jagged_dim=2),
        n.narrow(x, 1, 0, sizes, layout=torch.jagged),
        n.narrow(x, 1, begins, sizes, layout=torch.jagged),
        n.narrow(x, 1, 1, 2, layout=torch.jagged),
        n.narrow(x, 1, begins, sizes, layout=torch.jagged).contiguous(),
        n.masked_select(x[0, :2], mask), n.narrow(x, 0, 0, 1),
    ]  # fmt: skip
    return [[shown(m), m.is_contiguous()] for m in made]


@programs.add
def refused(torch):
    n, one = torch.nested, torch.ones
    return [
        attempt(lambda: n.nested_tensor(one(2))),
        attempt(lambda: n.nested_tensor([one(2), one(2, 2)])),
        attempt(lambda: n.nested_tensor([], layout=torch.jagged)),
        attempt(lambda: n.nested_tensor([one(())], layout=torch.jagged)),
        attempt(lambda: n.nested_tensor([one(2)], layout=torch.sparse_coo)),
        attempt(lambda: n.nested_tensor([torch.arange(2)], requires_grad=True)),
        attempt(lambda: n.nested_tensor([one(2, 3), one(3, 4)], layout=torch.jagged))[
            :2
        ],
        attempt(lambda: n.as_nested_tensor([1, 2])),
        attempt(lambda: n.as_nested_tensor(1)),
        attempt(lambda: n.nested_tensor_from_jagged(one(5))),
        attempt(lambda: n.nested_tensor_from_jagged(1, torch.tensor([0, 2]))),
        attempt(
            lambda: n.nested_tensor_from_jagged(
                one(5), torch.tensor([0, 2]), torch.tensor([1, 2])
            )
        ),
        attempt(lambda: n.narrow(one(2, 4), 1, torch.tensor([1, 0]), 2)),
        attempt(lambda: n.narrow(one(2, 4), 1, 0, 2)),
        attempt(lambda: n.to_padded_tensor(one(2), 0.0))[:2],
    ]


test_making = programs.test()
