"""Chapter 3: answers as learners write them."""

from __future__ import annotations

from tests.course.mutants.answers import edit, right, wrong

__all__ = ["ANSWERS"]

RISE = "(f(x + step) - f(x - step)) / (2 * h)"

NUMERIC = (
    edit(RISE, "(f(x + step) - f(x)) / h", told="only forward"),
    edit(RISE, "(f(x) - f(x - step)) / h", told="only backward"),
    edit(RISE, "(f(x + step) - f(x)) / (2 * h)", told="only one side moves"),
    edit(RISE, "(f(x + step) - f(x - step)) / h", told="twice as large"),
    edit(RISE, "f(x + step) - f(x - step)", told="divide by the distance"),
    edit(RISE, "(f(x + step) - f(x - step)) / 2 * h", told="brackets"),
    edit(RISE, "f(x + step) - f(x - step) / (2 * h)", told=""),
    edit(RISE, "(f(x - step) - f(x + step)) / (2 * h)", told="sign is wrong"),
    edit(RISE, "(f(x + h) - f(x - h)) / (2 * h)", told="all elements move at once"),
    edit("= h\n", "= h * x.reshape(-1)[i]\n", told="not h · x"),
    edit("= h\n", "= 1e-5\n        h = 1e-5\n", told="h was ignored"),
    edit("    return gradient", "    return gradient.flatten()", told="shape of x"),
    edit("    return gradient", "    return gradient.float()", told="dtype is not"),
    edit("    return gradient", "    return gradient.numpy()", told="not in a tensor"),
    edit("    return gradient", "    gradient", told="is a return missing?"),
    edit("torch.zeros(x.shape, dtype=x.dtype)", "torch.zeros(x.shape)", told=""),
    edit("range(x.numel())", "range(len(x))", told="len(x) counts the rows"),
    edit("range(x.numel())", "range(1)", told="only the first element"),
    wrong(
        """def numeric_gradient(f, x, h=1e-5):
    gradient = torch.zeros(x.shape, dtype=x.dtype)
    for i in range(x.numel()):
        x.view(-1)[i] += h
        up = f(x)
        x.view(-1)[i] -= 2 * h
        gradient.view(-1)[i] = (up - f(x)) / (2 * h)
    return gradient
""",
        told="changed in place",
    ),
    wrong(
        """def numeric_gradient(f, x, h=1e-5):
    gradient = torch.zeros(x.shape, dtype=x.dtype)
    moved = x.clone()
    for i in range(x.numel()):
        moved.view(-1)[i] += h
        up = f(moved)
        moved.view(-1)[i] -= 2 * h
        gradient.view(-1)[i] = (up - f(moved)) / (2 * h)
    return gradient
""",
        told="put it back",
    ),
    wrong(
        """def numeric_gradient(f, x, h=1e-5):
    gradient = torch.zeros(x.shape, dtype=x.dtype)
    step = torch.zeros(x.shape, dtype=x.dtype)
    for i in range(x.numel()):
        step.view(-1)[i] = h
        gradient.view(-1)[i] = (f(x + step) - f(x - step)) / (2 * h)
    return gradient
""",
        told="back to 0",
    ),
    wrong(
        """def numeric_gradient(f, x, h=1e-5):
    x = x.clone().requires_grad_()
    f(x).backward()
    return x.grad
""",
        told="forbids",
    ),
    wrong(
        """def numeric_gradient(f, x, h=1e-5):
    return (f(x + h) - f(x - h)) / (2 * h)
""",
        told="one for each element",
    ),
    wrong(
        """def numeric_gradient(f, x, h=1e-5):
    gradient = torch.zeros(x.shape, dtype=x.dtype)
    for i in range(len(x)):
        step = torch.zeros(x.shape, dtype=x.dtype)
        step[i] = h
        gradient[i] = (f(x + step) - f(x - step)) / (2 * h)
    return gradient
""",
        told="a whole row moves",
    ),
    wrong(
        """def numeric_gradient(f, x, h=1e-5):
    flat = x.flatten()
    gradient = torch.zeros(flat.shape, dtype=x.dtype)
    for i in range(len(flat)):
        step = torch.zeros(flat.shape, dtype=x.dtype)
        step[i] = h
        gradient[i] = (f(flat + step) - f(flat - step)) / (2 * h)
    return gradient.view(x.shape)
""",
        told="f gets x in its own shape",
    ),
    right(
        """import itertools


def numeric_gradient(f, x, h=1e-5):
    gradient = torch.zeros_like(x)
    for index in itertools.product(*map(range, x.shape)):
        up, down = x.clone(), x.clone()
        up[index] += h
        down[index] -= h
        gradient[index] = (f(up) - f(down)) / (2 * h)
    return gradient
"""
    ),
    right(
        """def numeric_gradient(f, x, h=1e-5):
    steps = h * torch.eye(x.numel(), dtype=x.dtype)
    slopes = [
        (f(x + s.view(x.shape)) - f(x - s.view(x.shape))).item() / (2 * h)
        for s in steps
    ]
    return torch.tensor(slopes, dtype=x.dtype).view(x.shape)
"""
    ),
    right(
        """import numpy as np


def numeric_gradient(f, x, h=1e-5):
    values = x.numpy().copy()
    gradient = np.zeros(x.shape)
    for index in np.ndindex(*x.shape):
        old = values[index]
        values[index] = old + h
        up = float(f(torch.tensor(values)))
        values[index] = old - h
        down = float(f(torch.tensor(values)))
        values[index] = old
        gradient[index] = (up - down) / (2 * h)
    return torch.tensor(gradient)
"""
    ),
    right(
        """def numeric_gradient(f, x, h=1e-5):
    flat = x.flatten()
    result = torch.empty(flat.shape, dtype=flat.dtype)
    for i in range(len(flat)):
        def moved(by):
            near = flat.clone()
            near[i] = near[i] + by
            return f(near.reshape(x.shape))
        result[i] = 0.5 * (moved(h) - moved(-h)) / h
    return result.reshape(x.shape)
"""
    ),
    right(
        """def numeric_gradient(f, x, h=1e-5):
    with torch.no_grad():
        x = x.detach().clone().contiguous()
        gradient = torch.zeros(x.shape, dtype=x.dtype)
        flat = x.view(-1)
        for i in range(x.numel()):
            old = flat[i].item()
            flat[i] = old + h
            up = f(x)
            flat[i] = old - h
            down = f(x)
            flat[i] = old
            gradient.view(-1)[i] = (up - down) / (2 * h)
    return gradient
"""
    ),
)

LARGER = "torch.maximum(analytic.abs(), numeric.abs()).clamp(min=1e-8)"
LEAF = "leaf = x.detach().clone().requires_grad_()"

ERROR = (
    edit(f"larger = {LARGER}", "larger = 1", told="not relative"),
    edit(f"larger = {LARGER}", "larger = numeric.abs().clamp(min=1e-8)", told="by |n|"),
    edit(
        f"larger = {LARGER}", "larger = analytic.abs().clamp(min=1e-8)", told="by |a|"
    ),
    edit("torch.maximum", "torch.minimum", told="smaller"),
    edit(".clamp(min=1e-8)", ".add(1e-8)", told="adding it"),
    wrong(
        """def gradient_error(f, x, h=1e-5):
    leaf = x.detach().clone().requires_grad_()
    f(leaf).backward()
    worst = 0.0
    numeric = numeric_gradient(f, x.detach(), h)
    for a, n in zip(leaf.grad.flatten().tolist(), numeric.flatten().tolist()):
        error = abs(a - n) / max(abs(a), abs(n), 1e-8)
        if error > worst:
            worst = error
    return worst
""",
        told="pass over it",
    ),
    edit(
        LARGER, "(analytic.abs() + numeric.abs()).clamp(min=1e-8)", told="not by their"
    ),
    edit(
        LARGER,
        "torch.maximum(analytic, numeric).clamp(min=1e-8)",
        told="without their signs",
    ),
    edit(".clamp(min=1e-8)", "", told="0 / 0"),
    edit(".clamp(min=1e-8)", " + 1", told="adding 1"),
    edit(".clamp(min=1e-8)", ".clamp(min=1)", told="by 1 it hides"),
    edit(".max().item()", ".mean().item()", told="not the mean"),
    edit(".max().item()", ".sum().item()", told="not the sum"),
    edit(".max().item()", ".min().item()", told="not the smallest"),
    edit("(analytic - numeric).abs()", "(analytic - numeric)", told="sign hides"),
    edit(
        "return ((analytic - numeric).abs() / larger).max().item()",
        "return ((analytic - numeric).norm() / larger.norm()).item()",
        told="element by element",
    ),
    edit(
        "return ((analytic - numeric).abs() / larger).max().item()",
        "return ((analytic - numeric).abs().max() / larger.max()).item()",
        told="hides the errors of the others",
    ),
    edit(
        "((analytic - numeric).abs() / larger).max().item()",
        "(((analytic - numeric).abs() / larger).max() < 1e-6).item()",
        told="not whether it is small",
    ),
    edit(".max().item()", ".max().item() * 100", told="not a percentage"),
    edit(LEAF, "leaf = x.detach().clone().float().requires_grad_()", told="7 digits"),
    edit(".max().item()", "", told="one number for the whole tensor"),
    edit(
        "numeric = numeric_gradient(f, x.detach(), h)",
        "steps = h * torch.eye(x.numel(), dtype=x.dtype).view(-1, *x.shape)\n"
        "    rises = [f(x.detach() + step) - f(x.detach()) for step in steps]\n"
        "    numeric = torch.stack(rises).view(x.shape) / h",
        told="central difference",
    ),
    edit("x.detach(), h)", "x.detach())", told="h was ignored"),
    edit(
        "(analytic - numeric).abs() / larger",
        "analytic / numeric - 1",
        told="",
    ),
    edit(LEAF, "leaf = x.requires_grad_()", told="x.detach().clone()"),
    wrong(
        """def gradient_error(f, x, h=1e-5):
    x.requires_grad_()
    f(x).backward()
    numeric = numeric_gradient(f, x.detach(), h)
    larger = torch.maximum(x.grad.abs(), numeric.abs()).clamp(min=1e-8)
    return ((x.grad - numeric).abs() / larger).max().item()
""",
        told="x.detach().clone()",
    ),
    wrong(
        """def gradient_error(f, x, h=1e-5):
    leaf = x.detach().requires_grad_()
    f(leaf).backward()
    numeric = numeric_gradient(f, leaf, h)
    worst = 0.0
    for a, n in zip(leaf.grad.flatten().tolist(), numeric.flatten().tolist()):
        worst = max(worst, abs(a - n) / max(abs(a), abs(n), 1e-8))
    return worst
""",
        told="nan",
    ),
    wrong(
        """def gradient_error(f, x, h=1e-5):
    leaf = x.detach().clone().requires_grad_()
    f(leaf).backward()
    numeric = numeric_gradient(f, leaf, h)
    larger = torch.maximum(leaf.grad.abs(), numeric.abs()).clamp(min=1e-8)
    print(((leaf.grad - numeric).abs() / larger).max().item())
""",
        told="is a return missing?",
    ),
    wrong(
        """def gradient_error(f, x, h=1e-5):
    leaf = x.detach().clone()
    f(leaf).backward()
    numeric = numeric_gradient(f, leaf, h)
    larger = torch.maximum(leaf.grad.abs(), numeric.abs()).clamp(min=1e-8)
    return ((leaf.grad - numeric).abs() / larger).max().item()
""",
        told="does not require grad",
    ),
    wrong(
        """def gradient_error(f, x, h=1e-5):
    ok = torch.autograd.gradcheck(f, (x.clone().requires_grad_(),), raise_exception=False)
    return 0.0 if ok else 1.0
""",
        told="forbids",
    ),
    right(
        """def gradient_error(f, x, h=1e-5):
    leaf = x.detach().clone().requires_grad_(True)
    f(leaf).backward()
    a = leaf.grad
    n = numeric_gradient(f, leaf.detach(), h)
    bottom = torch.max(torch.max(a.abs(), n.abs()), torch.full_like(a, 1e-8))
    return (torch.abs(a - n) / bottom).max()
"""
    ),
    right(
        """def gradient_error(f, x, h=1e-5):
    leaf = x.clone().detach().requires_grad_()
    f(leaf).backward()
    a = leaf.grad.numpy()
    n = numeric_gradient(f, x.detach(), h).numpy()
    import numpy as np
    return float(np.max(abs(a - n) / np.maximum(np.maximum(abs(a), abs(n)), 1e-8)))
"""
    ),
    right(
        """import math


def gradient_error(f, x, h=1e-5):
    leaf = torch.clone(x.detach()).requires_grad_()
    a = torch.autograd.grad(f(leaf), leaf)[0].flatten().tolist()
    n = numeric_gradient(f, x.detach(), h).flatten().tolist()
    errors = [abs(p - q) / max(abs(p), abs(q), 1e-8) for p, q in zip(a, n)]
    return math.nan if any(map(math.isnan, errors)) else max(errors)
"""
    ),
    right(
        """def gradient_error(f, x, h=1e-5):
    leaf = x.detach().clone().requires_grad_()
    a, = torch.autograd.grad(f(leaf), leaf)
    with torch.no_grad():
        n = numeric_gradient(f, leaf, h)
        pair = torch.stack([a.abs(), n.abs()])
        size = pair.amax(dim=0)
        size[size < 1e-8] = 1e-8
        return float(((a - n).abs() / size).amax())
"""
    ),
    right(
        """def gradient_error(f, x, h=1e-5):
    a = torch.func.grad(f)(x.detach())
    n = numeric_gradient(f, x.detach(), h)
    size = torch.where(a.abs() > n.abs(), a.abs(), n.abs()).clamp_min(1e-8)
    return ((a - n).abs() / size).max().item()
"""
    ),
)

SUM = (
    wrong("def sum_to(g, shape):\n    return g\n", told="nothing is added up"),
    wrong("def sum_to(g, shape):\n    return g.sum()\n", told="everything"),
    wrong(
        "def sum_to(g, shape):\n    return g.reshape(-1, *shape).sum(0)\n",
        told="reshape mixes",
    ),
    wrong(
        "def sum_to(g, shape):\n    return g.sum().expand(shape)\n",
        told="everything is added up, and repeated",
    ),
    edit(
        "g.sum(dim=0)",
        "g.mean(dim=0)",
        told="",
    ),
    wrong(
        """def sum_to(g, shape):
    while g.dim() > len(shape):
        g = g.mean(dim=0)
    for dim, size in enumerate(shape):
        if size == 1:
            g = g.mean(dim=dim, keepdim=True)
    return g
""",
        told="not the mean",
    ),
    wrong(
        """def sum_to(g, shape):
    while g.dim() > len(shape):
        g = g[0]
    for dim, size in enumerate(shape):
        if size == 1:
            g = g.narrow(dim, 0, 1)
    return g.clone()
""",
        told="first copy",
    ),
    edit(", keepdim=True", "", told=""),
    wrong(
        """def sum_to(g, shape):
    while g.dim() > len(shape):
        g = g.sum(dim=0)
    ones = [i for i, size in enumerate(shape) if size == 1]
    return g.sum(dim=ones) if ones else g
""",
        told="keepdim=True",
    ),
    wrong(
        """def sum_to(g, shape):
    while g.dim() > len(shape):
        g = g.sum(dim=0)
    return g
""",
        told="sizes of 1",
    ),
    wrong(
        """def sum_to(g, shape):
    if g.dim() > len(shape):
        g = g.sum(dim=0)
    for dim, size in enumerate(shape):
        if size == 1:
            g = g.sum(dim=dim, keepdim=True)
    return g
""",
        told="more than one dimension",
    ),
    edit("g.sum(dim=0)", "g.sum(dim=-1)", told="aligned on the right"),
    wrong(
        """def sum_to(g, shape):
    lead = tuple(range(g.dim() - len(shape)))
    g = g.sum(dim=lead, keepdim=True) if lead else g
    for dim, size in enumerate(shape):
        if size == 1:
            g = g.sum(dim=dim + len(lead), keepdim=True)
    return g
""",
        told="no keepdim there",
    ),
    wrong(
        """def sum_to(g, shape):
    g = g.sum(dim=tuple(range(g.dim() - len(shape))))
    for dim, size in enumerate(shape):
        if size == 1 and dim < g.dim():
            g = g.sum(dim=dim, keepdim=True)
    return g
""",
        told="dim=()",
    ),
    wrong("def sum_to(g, shape):\n    return g.sum_to_size(shape)\n", told="forbids"),
    wrong(
        """def sum_to(g, shape):
    start = torch.zeros(shape, dtype=g.dtype, requires_grad=True)
    start.expand(g.shape).backward(g)
    return start.grad
""",
        told="forbids",
    ),
    wrong(
        """def sum_to(g, shape):
    while g.dim() > len(shape):
        g = g.sum(dim=0)
    for dim, size in enumerate(shape):
        if size == 1:
            g = g.sum(dim=dim, keepdim=True)
    return g.tolist()
""",
        told="not in a tensor",
    ),
    wrong(
        """def sum_to(g, shape):
    while g.dim() > len(shape):
        g.sum(dim=0)
    return g
""",
        told="`while g.dim() > len(shape)` stays true",
    ),
    wrong(
        """def sum_to(g, shape):
    while g.dim() > len(shape):
        g = g.sum(dim=0)
    for dim, size in enumerate(shape):
        if size == 1:
            g.sum(dim=dim, keepdim=True)
    return g
""",
        told="returns a new tensor, and nothing keeps it",
    ),
    wrong(
        """def sum_to(g, shape):
    for dim, size in enumerate(shape):
        if size == 1:
            g = g.sum(dim=dim, keepdim=True)
    return g.reshape(shape)
""",
        told="",
    ),
    wrong(
        """def sum_to(g, shape):
    for dim in range(g.dim() - len(shape)):
        g = g.sum(dim=dim)
    for dim, size in enumerate(shape):
        if size == 1:
            g = g.sum(dim=dim, keepdim=True)
    return g
""",
        told="move forward",
    ),
    wrong(
        """def sum_to(g, shape):
    while g.dim() > len(shape):
        g = g.amax(dim=0)
    for dim, size in enumerate(shape):
        if size == 1:
            g = g.amax(dim=dim, keepdim=True)
    return g
""",
        told="",
    ),
    right(
        """def sum_to(g, shape):
    lead = g.dim() - len(shape)
    dims = list(range(lead))
    dims += [lead + i for i, size in enumerate(shape) if size == 1]
    return g.sum(dim=dims).reshape(shape) if dims else g
"""
    ),
    right(
        """def sum_to(g, shape):
    padded = (1,) * (g.dim() - len(shape)) + tuple(shape)
    for dim, (new, old) in enumerate(zip(padded, g.shape)):
        if new != old:
            g = g.sum(dim=dim, keepdim=True)
    return g.reshape(tuple(shape))
"""
    ),
    right(
        """import numpy as np


def sum_to(g, shape):
    values = g.numpy()
    values = values.sum(axis=tuple(range(values.ndim - len(shape))))
    ones = tuple(i for i, size in enumerate(shape) if size == 1)
    return torch.tensor(np.sum(values, axis=ones, keepdims=True))
"""
    ),
    right(
        """def sum_to(g, shape):
    if g.dim() > len(shape):
        return sum_to(g.sum(0), shape)
    for i in range(g.dim()):
        if g.shape[i] != shape[i]:
            return sum_to(g.sum(i, keepdim=True), shape)
    return g.clone()
"""
    ),
    right(
        """def sum_to(g, shape):
    result = g
    extra = result.ndim - len(shape)
    if extra > 0:
        result = torch.sum(result, tuple(range(extra)))
    dims = [d for d in range(len(shape)) if shape[d] == 1 and result.shape[d] > 1]
    if dims:
        result = torch.sum(result, dim=dims, keepdim=True)
    return result if result.shape == tuple(shape) else result.view(shape)
"""
    ),
)

GA, GB = "ga = g @ b.transpose(-2, -1)", "gb = a.transpose(-2, -1) @ g"

MATMUL = (
    edit(GA, "ga = g @ b", told="transpose is missing"),
    edit(GB, "gb = a @ g", told="transpose is missing"),
    edit(GA, "ga = b.transpose(-2, -1) @ g", told="order"),
    edit(GB, "gb = g @ a.transpose(-2, -1)", told="order"),
    edit(GA, "ga = b @ g", told="neither order nor transpose"),
    edit(GB, "gb = g @ a", told="neither order nor transpose"),
    edit(GA, "ga = g @ a.transpose(-2, -1)", told="swapped"),
    edit(GB, "gb = b.transpose(-2, -1) @ g", told="swapped"),
    wrong(
        "def matmul_backward(g, a, b):\n    return b @ g, g @ a\n",
        told="neither order nor transpose",
    ),
    edit(
        "return sum_to(ga, a.shape), sum_to(gb, b.shape)",
        "return sum_to(gb, b.shape), sum_to(ga, a.shape)",
        told="swapped",
    ),
    edit(
        "return sum_to(ga, a.shape), sum_to(gb, b.shape)",
        "return ga, gb",
        told="forgotten un-broadcast",
    ),
    edit("sum_to(ga, a.shape)", "ga", told="forgotten un-broadcast"),
    edit("sum_to(gb, b.shape)", "gb", told="forgotten un-broadcast"),
    edit("b.transpose(-2, -1)", "b.T", told="in a batch"),
    edit(
        "b.transpose(-2, -1)",
        "b.reshape(*b.shape[:-2], b.shape[-1], b.shape[-2])",
        told="reshape does not transpose",
    ),
    edit("a.transpose(-2, -1)", "a.T", told="in a batch"),
    edit(
        GA,
        "g = torch.ones_like(g)\n    ga = g @ b.transpose(-2, -1)",
        told="g, is missing",
    ),
    edit(GA, "ga = g.transpose(-2, -1) @ b.transpose(-2, -1)", told="do not transpose"),
    edit(
        GA,
        "ga = (g @ b.transpose(-2, -1)).transpose(-2, -1)",
        told="product is transposed",
    ),
    edit(GA, "ga = -g @ b.transpose(-2, -1)", told="sign"),
    edit("return sum_to(ga, a.shape), sum_to(gb, b.shape)", "return ga", told="two"),
    edit("    return sum_to(ga, a.shape), sum_to(gb, b.shape)", "", told="return"),
    wrong(
        """def matmul_backward(g, a, b):
    a, b = a.clone().requires_grad_(), b.clone().requires_grad_()
    (a @ b).backward(g)
    return a.grad, b.grad
""",
        told="forbids",
    ),
    wrong(
        "def matmul_backward(g, a, b):\n    return g * b, g * a\n",
        told="element by element",
    ),
    edit("transpose(-2, -1)", "transpose(0, 1)", told="in a batch"),
    right(
        """def matmul_backward(g, a, b):
    return [sum_to(g @ b.mT, a.shape), sum_to(a.mT @ g, b.shape)]
"""
    ),
    right(
        """def matmul_backward(g, a, b):
    ga = torch.einsum("...nm,...km->...nk", g, b)
    gb = torch.einsum("...nk,...nm->...km", a, g)
    return sum_to(ga, tuple(a.shape)), sum_to(gb, tuple(b.shape))
"""
    ),
    right(
        """def matmul_backward(g, a, b):
    ga = torch.matmul(g, b.swapaxes(-1, -2))
    gb = torch.matmul(g.swapaxes(-1, -2), a).swapaxes(-1, -2)
    return sum_to(ga, a.shape), sum_to(gb, b.shape)
"""
    ),
    right(
        """import numpy as np


def matmul_backward(g, a, b):
    ga = g.numpy() @ np.swapaxes(b.numpy(), -1, -2)
    gb = np.swapaxes(a.numpy(), -1, -2) @ g.numpy()
    return sum_to(torch.tensor(ga), a.shape), sum_to(torch.tensor(gb), b.shape)
"""
    ),
    right(
        """def matmul_backward(g, a, b):
    ga = (g.unsqueeze(-2) * b.unsqueeze(-3)).sum(-1)
    gb = (a.unsqueeze(-1) * g.unsqueeze(-2)).sum(-3)
    return sum_to(ga, a.shape), sum_to(gb, b.shape)
"""
    ),
)

SLOPE = "g * s * (1 + x * (1 - s))"
SAVED = "ctx.save_for_backward(x)"
FORWARD = "return x * torch.sigmoid(x)"

SWISH = (
    edit(SLOPE, "s * (1 + x * (1 - s))", told="g, is missing"),
    edit(SLOPE, "g * s", told="second part of the product rule"),
    edit(SLOPE, "g * x * s * (1 - s)", told="first part of the product rule"),
    edit(SLOPE, "g * s * (1 - s)", told="sigmoid alone"),
    edit(SLOPE, "g * 1", told="slope is missing"),
    edit(SLOPE, "g", told="slope is missing"),
    edit(SLOPE, "g * (s + s * (1 - s))", told="x is missing"),
    edit(SLOPE, "g * (s + x * (1 - s))", told="not 1 - s"),
    edit(SLOPE, "g * (s + x * s)", told="not s"),
    edit(SLOPE, "g * s * (1 + x * (1 + s))", told="with a minus"),
    edit(SLOPE, "g * (s - x * s * (1 - s))", told="parts are added"),
    edit(SLOPE, "g * x * s", told="the forward again"),
    edit(SLOPE, "g + s * (1 + x * (1 - s))", told="not multiplied"),
    edit(SLOPE, "-g * s * (1 + x * (1 - s))", told="sign"),
    edit(SLOPE, "(g * s * (1 + x * (1 - s))).sum()", told="shape"),
    edit("return " + SLOPE, SLOPE, told="return"),
    edit("s = torch.sigmoid(x)", "s = torch.sigmoid(x.detach())", told=""),
    edit(
        "(x,) = ctx.saved_tensors",
        "(x,) = ctx.saved_tensors\n        x = x.detach()",
        told="graph is cut",
    ),
    edit(
        "s = torch.sigmoid(x)",
        "s = torch.sigmoid(x)\n        x = torch.tensor(x.detach().numpy())",
        told="",
    ),
    edit(FORWARD, "return torch.sigmoid(x)", told="multiply it by x"),
    edit(FORWARD, "return x / (1 + x.exp())", told="exp(-x)"),
    edit(FORWARD, "return x * torch.tanh(x)", told="tanh"),
    edit(FORWARD, "return x.mul_(torch.sigmoid(x))", told=""),
    edit(FORWARD, "return torch.nn.functional.silu(x)", told="forbids"),
    edit(SAVED, "ctx.save_for_backward(x * torch.sigmoid(x))", told="y was saved"),
    edit(SAVED, "pass", told=""),
    edit("ctx.saved_tensors", "ctx.saved_tensors()", told="without ( )"),
    edit("    @staticmethod\n    def forward", "    def forward", told="staticmethod"),
    wrong(
        """class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(s * (1 + x * (1 - s)))
        return x * s

    @staticmethod
    def backward(ctx, g):
        (slope,) = ctx.saved_tensors
        return g * slope
""",
        told="graph is cut",
    ),
    wrong(
        """class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(x, s)
        return x * s

    @staticmethod
    def backward(ctx, g):
        x, s = ctx.saved_tensors
        return g * s * (1 + x * (1 - s))
""",
        told="s comes from forward",
    ),
    wrong(
        """def Swish(x):
    return x * torch.sigmoid(x)
""",
        told="autograd.Function",
    ),
    right(
        """class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / (1 + torch.exp(-x))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = 1 / (1 + torch.exp(-x))
        return g * (s + x * s * (1 - s))
"""
    ),
    right(
        """class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * torch.sigmoid(x)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * (y + torch.sigmoid(x) * (1 - y))
"""
    ),
    right(
        """class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sigmoid().mul(x)

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors[0]
        s = x.sigmoid()
        return s * g + x * g * s * (1.0 - s)
"""
    ),
    right(
        """class Swish(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * torch.sigmoid(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * s * (1 + x * (1 - s))
"""
    ),
    right(
        """class Sigmoid(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = 1 / (1 + (-x).exp())
        ctx.save_for_backward(s)
        return s

    @staticmethod
    def backward(ctx, g):
        (s,) = ctx.saved_tensors
        return g * s * (1 - s)


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * Sigmoid.apply(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = Sigmoid.apply(x)
        return g * s + g * x * s * (1 - s)
"""
    ),
)

ROWS = (
    "rows = [torch.autograd.grad(slope, x, retain_graph=True)[0] for slope in slopes]"
)
GRADS = """def hessian(f, x):
    x = x.detach().clone().requires_grad_()
    (slopes,) = torch.autograd.grad(f(x), x, create_graph=True)
    if not slopes.requires_grad:
        return torch.zeros(len(x), len(x), dtype=x.dtype)
"""

HESSIAN = (
    edit(
        "x = x.detach().clone().requires_grad_()",
        "x.requires_grad_()",
        told="work on a copy",
    ),
    edit("slope, x, retain_graph=True)[0]", "slope, x, retain_graph=True)", told="[0]"),
    edit("(slopes,) = torch", "slopes = torch", told=""),
    wrong(
        """def hessian(f, x):
    x = x.detach().clone().requires_grad_()
    f(x).backward()
    return x.grad
""",
        told="that is the gradient",
    ),
    wrong(
        """def hessian(f, x):
    x = x.detach().clone().requires_grad_()
    f(x).backward()
    return torch.outer(x.grad, x.grad)
""",
        told="products of slopes",
    ),
    wrong(
        """def hessian(f, x):
    x = x.detach().clone().requires_grad_()
    return torch.stack([torch.autograd.grad(f(x), x)[0] for _ in x])
""",
        told="each row is the gradient itself",
    ),
    wrong(
        """def hessian(f, x):
    def slopes(p):
        p = p.detach().clone().requires_grad_()
        return torch.autograd.grad(f(p), p)[0]

    h = 1e-5
    steps = h * torch.eye(len(x), dtype=x.dtype)
    return torch.stack([(slopes(x + s) - slopes(x - s)) / (2 * h) for s in steps])
""",
        told="only the first digits are right",
    ),
    wrong(
        """def hessian(f, x):
    x = x.detach().clone().requires_grad_()
    (slopes,) = torch.autograd.grad(f(x), x, create_graph=True)
    return torch.stack([torch.autograd.grad(slope, x)[0] for slope in slopes])
""",
        told="retain_graph=True keeps it",
    ),
    edit("torch.stack(rows)", "torch.stack(rows).diag().diag()", told="only the diag"),
    edit("torch.stack(rows)", "torch.stack(rows).diag()", told="no table"),
    wrong(
        GRADS
        + """    rows = []
    for slope in slopes:
        slope.backward(retain_graph=True)
        rows.append(x.grad.clone())
    return torch.stack(rows)
""",
        told="rows add up",
    ),
    wrong(
        """def hessian(f, x):
    x = x.detach().clone().requires_grad_()
    f(x).backward(create_graph=True)
    slopes = x.grad
    if not slopes.requires_grad:
        return torch.zeros(len(x), len(x), dtype=x.dtype)
    rows = []
    for i in range(len(x)):
        slopes[i].backward(retain_graph=True)
        rows.append(x.grad.detach().clone())
    return torch.stack(rows)
""",
        told="",
    ),
    wrong(
        GRADS
        + """    return torch.autograd.grad(slopes.sum(), x)[0]
""",
        told="added up first",
    ),
    wrong(
        GRADS
        + """    row = torch.autograd.grad(slopes.sum(), x)[0]
    return torch.stack([row] * len(x))
""",
        told="sum of slopes",
    ),
    wrong(
        GRADS
        + """    for slope in slopes:
        return torch.autograd.grad(slope, x, retain_graph=True)[0].unsqueeze(0)
""",
        told="only the first row",
    ),
    wrong(
        GRADS
        + """    rows = []
    for slope in slopes:
        if x.grad is not None:
            x.grad.zero_()
        slope.backward(retain_graph=True)
        rows.append(x.grad)
    return torch.stack(rows)
""",
        told="same tensor",
    ),
    edit("create_graph=True", "retain_graph=True", told="treated as constants"),
    edit(", retain_graph=True", "", told="second time"),
    edit("torch.stack(rows)", "torch.stack(rows) / 2", told="half"),
    edit("torch.stack(rows)", "-torch.stack(rows)", told="sign"),
    edit("torch.stack(rows)", "torch.stack(rows).triu()", told="only above"),
    edit("torch.stack(rows)", "torch.stack(rows).tril()", told="only below"),
    edit("torch.stack(rows)", "torch.stack(rows).float()", told="dtype is not"),
    edit("torch.stack(rows)", "torch.stack(rows).numpy()", told="not in a tensor"),
    edit("return torch.stack(rows)", "torch.stack(rows)", told="return"),
    edit(".clone().requires_grad_()", ".clone()", told="does not require grad"),
    edit(
        """    if not slopes.requires_grad:
        return torch.zeros(len(x), len(x), dtype=x.dtype)
""",
        "",
        told="a constant slope has none",
    ),
    wrong(
        """def hessian(f, x):
    return torch.autograd.functional.hessian(f, x)
""",
        told="forbids",
    ),
    wrong(
        """def hessian(f, x):
    return torch.func.hessian(f)(x)
""",
        told="forbids",
    ),
    wrong(
        """def hessian(f, x):
    x = x.detach().clone().requires_grad_()
    rows = []
    for i in range(2):
        (slopes,) = torch.autograd.grad(f(x), x, create_graph=True)
        if not slopes.requires_grad:
            return torch.zeros(len(x), len(x), dtype=x.dtype)
        rows.append(torch.autograd.grad(slopes[i], x)[0])
    return torch.stack(rows)
""",
        told="",
    ),
    right(
        """def hessian(f, x):
    leaf = x.detach().clone().requires_grad_()
    table = torch.zeros(len(x), len(x), dtype=x.dtype)
    slopes, = torch.autograd.grad(f(leaf), leaf, create_graph=True)
    if slopes.requires_grad:
        for i in range(len(x)):
            table[i] = torch.autograd.grad(slopes[i], leaf, retain_graph=True)[0]
    return table
"""
    ),
    right(
        GRADS
        + """    rows = []
    for slope in slopes:
        x.grad = None
        slope.backward(retain_graph=True)
        rows.append(x.grad)
    return torch.stack(rows)
"""
    ),
    right(
        """def hessian(f, x):
    rows = []
    for i in range(x.numel()):
        leaf = x.detach().clone().requires_grad_()
        slope = torch.autograd.grad(f(leaf), leaf, create_graph=True)[0][i]
        if slope.requires_grad:
            rows.append(torch.autograd.grad(slope, leaf)[0])
        else:
            rows.append(torch.zeros_like(x))
    return torch.stack(rows)
"""
    ),
    right(
        GRADS
        + """    rows = []
    for v in torch.eye(len(x), dtype=x.dtype):
        rows.append(torch.autograd.grad(slopes, x, v, retain_graph=True)[0])
    return torch.stack(rows)
"""
    ),
    right(
        GRADS
        + """    eye = torch.eye(len(x), dtype=x.dtype)
    (table,) = torch.autograd.grad(slopes, x, eye, is_grads_batched=True)
    return table
"""
    ),
)

# Second thoughts of learners: causes that no earlier answer needed.
LATER = {
    "03.1": (
        wrong(
            """def numeric_gradient(f, x, h=1e-5):
    out = torch.zeros(x.shape)
    for i in range(x.numel()):
        e = torch.zeros(x.shape)
        e.view(-1)[i] = h
        out.view(-1)[i] = (f(x + e) - f(x - e)) / (2 * h)
    return out
""",
            told="pass dtype=",
        ),
        wrong(
            """def numeric_gradient(f, x, h=1e-5):
    gradient = torch.zeros(x.shape, dtype=x.dtype)
    for i in range(x.numel()):
        up = x
        up[i] += h
        down = x
        down[i] -= h
        gradient[i] = (f(up) - f(down)) / (2 * h)
    return gradient
""",
            told="up and down are one tensor",
        ),
        wrong(
            """def numeric_gradient(f, x, h=1e-5):
    flat = x.flatten()
    gradient = torch.zeros_like(flat)
    for i in range(len(flat)):
        up = flat
        up[i] += h
        down = flat
        down[i] -= h
        gradient[i] = (f(up.view(x.shape)) - f(down.view(x.shape))) / (2 * h)
    return gradient.view(x.shape)
""",
            told="up and down are one tensor",
        ),
        wrong(
            """def numeric_gradient(f, x, h=1e-5):
    x = x.clone()
    flat = x.view(-1)
    gradient = torch.zeros_like(flat)
    for i in range(len(flat)):
        old = flat[i]
        flat[i] = old + h
        up = f(x)
        flat[i] = old - h
        down = f(x)
        flat[i] = old
        gradient[i] = (up - down) / (2 * h)
    return gradient.view(x.shape)
""",
            told="a saved flat[i] is a view",
        ),
    ),
    "03.2": (
        wrong(
            """def gradient_error(f, x, h=1e-5):
    y = x.detach().clone().requires_grad_()
    (a,) = torch.autograd.grad(f(y), y)
    n = numeric_gradient(f, x.detach(), h)
    return ((a - n).abs() / (a.abs() + n.abs() + 1e-8)).max().item()
""",
            told="not by their sum",
        ),
        wrong(
            """def gradient_error(f, x, h=1e-5):
    y = x.detach().clone().requires_grad_()
    (a,) = torch.autograd.grad(f(y), y)
    n = numeric_gradient(f, x.detach(), h)
    return ((a - n).abs() / torch.maximum(a.abs(), n.abs()).clamp(max=1e-8)).max().item()
""",
            told="is at most that",
        ),
        edit(
            LARGER,
            "max(abs(analytic), abs(numeric), 1e-8)",
            told="Python's max compares single numbers",
        ),
    ),
    "03.4": (
        wrong(
            """def matmul_backward(g, a, b):
    return (g @ b.mT).reshape(a.shape), (a.mT @ g).reshape(b.shape)
""",
            told="the same product",
        ),
        wrong(
            """def sum_to(g, shape):
    while g.dim() > len(shape):
        g = g.sum(dim=-1)
    return g


def matmul_backward(g, a, b):
    return sum_to(g @ b.mT, a.shape), sum_to(a.mT @ g, b.shape)
""",
            told="the sum_to that it calls is not",
        ),
        wrong(
            """def sum_to(g, shape):
    return g.mean(dim=5)


def matmul_backward(g, a, b):
    return sum_to(g @ b.mT, a.shape), sum_to(a.mT @ g, b.shape)
""",
            told="begin with sum_to",
        ),
        wrong(
            """def sum_to(g, shape):
    return g


def matmul_backward(g, a, b):
    return sum_to(b @ g, a.shape), sum_to(g @ a, b.shape)
""",
            told="neither order nor transpose",
        ),
    ),
    "03.5": (
        wrong(
            """class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * s + x * s * (1 - s)
""",
            told="a factor of both parts",
        ),
    ),
    "03.6": (
        wrong(
            """def hessian(f, x):
    n = len(x)
    H = torch.zeros(n, n)
    x = x.detach().clone().requires_grad_()
    (s,) = torch.autograd.grad(f(x), x, create_graph=True)
    for i in range(n):
        H[i] = torch.autograd.grad(s[i], x, retain_graph=True, allow_unused=True)[0]
    return H
""",
            told="pass dtype=",
        ),
        wrong(
            """def hessian(f, x):
    x = x.detach().clone().requires_grad_()
    f(x).backward(create_graph=True)
    s = x.grad
    rows = []
    for v in s:
        v.backward(retain_graph=True)
        rows.append(x.grad)
    return torch.stack(rows)
""",
            told="clone() it first",
        ),
        wrong(
            """def hessian(f, x):
    x = x.detach().clone().requires_grad_()
    (g,) = torch.autograd.grad(f(x), x)
    rows = []
    for s in g:
        (row,) = torch.autograd.grad(s, x, retain_graph=True, allow_unused=True)
        rows.append(torch.zeros_like(x) if row is None else row)
    return torch.stack(rows)
""",
            told="a gradient needs create_graph=True",
        ),
    ),
}

ANSWERS = {
    "03.1": NUMERIC + LATER["03.1"],
    "03.2": ERROR + LATER["03.2"],
    "03.3": SUM,
    "03.4": MATMUL + LATER["03.4"],
    "03.5": SWISH + LATER["03.5"],
    "03.6": HESSIAN + LATER["03.6"],
}
