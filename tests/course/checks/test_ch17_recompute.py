from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch17_recompute import _Block, recompute
from edutorch.utils.checkpoint import checkpoint
from tests.course.solutions import ch17


def test_graph_of_a_block_is_seen_as_long_as_it_is_kept():
    block = _Block(torch.ones(2, 2, requires_grad=True), torch.ones(2))
    y = block(torch.ones(1, 2))
    assert block.alive() == 1
    del y
    assert block.alive() == 0
    with torch.no_grad():
        block(torch.ones(1, 2))
    assert block.calls == [True, False]
    assert block.alive() == 0


def test_solution_needs_no_more_than_the_librarys_checkpoint():
    weight, bias = torch.ones(3, 2), torch.zeros(2)
    results = []
    for run in (
        ch17.recompute,
        lambda block, x: checkpoint(block, x, use_reentrant=True),
    ):
        block = _Block(weight.clone().requires_grad_(), bias.clone().requires_grad_())
        x = torch.ones(4, 3, requires_grad=True)
        y = run(block, x)
        kept = block.alive()
        y.backward(torch.ones(4, 2))
        grads = (x.grad, block.weight.grad, block.bias.grad)
        results.append((kept, block.calls, [g.tolist() for g in grads]))
    assert results[0] == results[1]


def unused_gradient(block, x):
    class Again(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return block(x)

        @staticmethod
        def backward(ctx, g):
            x = ctx.saved_tensors[0].detach().requires_grad_()
            with torch.enable_grad():
                block(x).sum().backward()
            return x.grad

    return Again.apply(x)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda block, x: block(x), "kept after forward"),
        (lambda block, x: block(x).detach(), "no history"),
        (unused_gradient, "incoming gradient is not used"),
        (
            lambda block, x: checkpoint(block, x, use_reentrant=False),
            "calls checkpoint",
        ),
    ],
)
def test_recomputing_that_is_none_is_refused_with_its_cause(answer, words):
    with pytest.raises(CheckFailed) as failure:
        recompute(answer)
    assert words in str(failure.value)
