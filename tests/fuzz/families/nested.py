"""Nested tensors of random parts, through one or two functions, with gradients."""

from __future__ import annotations

import random
import re

from tests.fuzz.outcomes import Outcome

__all__ = ["excuses", "program"]

BOTH = (
    "v + 1", "v * v", "v - v", "-v", "v.sin()", "v.relu()", "F.silu(v)", "F.gelu(v)",
    "F.linear(v, w)", "F.linear(v, w, w[:, 0])", "F.softmax(v, -1)", "v.tanh()",
    "F.layer_norm(v, (3,), w[0], w[1])", "v.transpose(1, 2)", "v.unsqueeze(1)",
    "v.unsqueeze(-1)", "v.view({n}, -1, 3, 1)", "torch.cat([v, v * 2], -1)", "v.clone()",
    "v.chunk(3, -1)[1]", "v.select(2, 1)", "v.to(torch.float32)", "v.mT", "v.unsqueeze(0)",
    "v.sum(-1, keepdim=True)", "torch.zeros_like(v)", "v.transpose(0, 1)", "v[0]", "v[9]",
    "v.masked_fill(v > 0, 0.5)", "F.dropout(v, 0.5)", "v.squeeze(0)", "v.sum(0)",
    "v.to_padded_tensor(0.5)", "F.scaled_dot_product_attention(*[v.unsqueeze(1)] * 3)",
)  # fmt: skip
STRIDED = (
    "torch.bmm(v, v.transpose(1, 2))", "v.matmul(v.transpose(-1, -2))", "torch.cat([v, v])",
    "v.narrow(0, 0, 1)", "v == v", "v + w", "v @ w",
)  # fmt: skip
JAGGED = (
    "v.exp()", "v.sigmoid()", "v**2", "1 - v", "v.clamp(-1, 1)", "v + w[0]", "v @ w.T",
    "v * torch.arange({n} * 3.0).reshape({n}, 1, 3)", "v.sum()", "v.sum(1)", "v.mean(1)",
    "v.mean(-1)", "v.amax(1)", "v.prod(1)", "v.sum((0, 1))", "v.narrow(2, 0, 2)",
    "torch.where(v > 0, v, -v)", "v.transpose(1, 2) @ v", "F.log_softmax(v, -1)",
    "v.unflatten(-1, (3, 1))", "v.chunk(2)[0]", "v.select(1, 0)", "v.narrow(1, 0, 1)",
    "v.flatten(1)", "v.max()", "F.elu(v)", "v.sum((1, 2))", "v + torch.ones(1, 1, 3)",
)  # fmt: skip


def program(rng: random.Random) -> str:
    """A program that nests random parts, and asks them and their gradients."""
    jagged = rng.random() < 0.6
    sizes = [rng.randrange(1, 5) for _ in range(rng.randrange(1, 5))]
    values = [
        f"torch.tensor(np.random.default_rng({rng.randrange(1000)}).uniform(-2, 2, "
        f"({size}, 3)), requires_grad=True)" for size in sizes
    ]  # fmt: skip
    layout = "jagged" if jagged else "strided"
    asked = rng.choice(BOTH + (JAGGED if jagged else STRIDED)).format(n=len(sizes))
    end = ""
    if rng.random() < 0.5:
        end = ", torch.autograd.grad(sum((r**2).sum() for r in rows), parts)"
    return "\n".join(
        [
            f"parts, w = [{', '.join(values)}], torch.linspace(-1, 2, 9).reshape(3, 3).double()",
            f"v = torch.nested.as_nested_tensor(parts, layout=torch.{layout})",
            f"y = {asked}",
            "rows = list(y.unbind()) if y.is_nested else [y]",
            f"result = [rows{end}]",
        ]
    )


# How PyTorch says that it lacks a function of nested tensors, or its derivative.
LACKS = (
    r"not implemented|aten[.:]+_\w+_backward|Internal error|INTERNAL ASSERT|Could not run|"
    r"expected self to be a contiguous|_nested_select_backward|has no attribute 'sub'|"
    r"must be contiguous to get buffer|SymIntArrayRef"
)


def excuses(expected: Outcome, *_: object) -> str:
    """The kinds of difference that count for nothing, as a regular expression."""
    return "accepted" if re.search(LACKS, expected.message) else ""
