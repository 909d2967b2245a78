"""Answers to the exercises of chapter 4, as students write them."""

from __future__ import annotations

from tests.course.mutants.answers import Answer, edit, right, wrong

__all__ = ["ANSWERS"]


def step_named(condition: str, told: str = "", give: str = "step.name") -> Answer:
    """A wrong first_bad_step: a loop with another condition or another result."""
    return wrong(
        f"""
def first_bad_step(loss):
    for step in loss.backward_steps():
        gs = [g for g in step.grad_inputs if g is not None]
        if {condition}:
            return {give}
    return None
""",
        told=told,
    )


BAD = "any(not torch.isfinite(g).all() for g in gs)"

STEPS = (
    edit("step.grad_inputs", "step.grad_outputs", told="grad_outputs arrive"),
    edit(
        "not torch.isfinite(g).all()",
        "torch.isnan(g).any()",
        told="isnan misses infinities",
    ),
    edit(
        "not torch.isfinite(g).all()", "torch.isinf(g).any()", told="isinf misses NaN"
    ),
    edit(
        "not torch.isfinite(g).all()",
        "not torch.isfinite(g).any()",
        told="one bad element is enough",
    ),
    edit(
        "not torch.isfinite(g).all()",
        "(torch.isnan(g) | (g == float('inf'))).any()",
        told="may be negative",
    ),
    edit("g is not None and ", "", told="raised TypeError"),
    edit("return step.name\n", "return step.index\n", told="return step.name, not"),
    edit("return step.name\n", "return step\n", told="not a text"),
    edit("return step.name\n", "return step.node\n", told="not a text"),
    edit("return step.name\n", "print(step.name)\n", told="is a return missing?"),
    edit(
        "return step.name\n",
        "return step.name.replace('Backward0', '')\n",
        told="SqrtBackward0, not Sqrt",
    ),
    edit("return None", "return ''", told="for a healthy backward return None"),
    edit("return None", "return 'None'", told="for a healthy backward return None"),
    edit("return None", "return step.name", told="for a healthy backward return None"),
    edit("return None", "return False", told="not a text"),
    edit("    for step in", "    loss.backward()\n    for step in", told="raised"),
    step_named("True", told="first step of all"),
    step_named(
        "gs and not torch.isfinite(gs[0]).all()", told="only the first of grad_inputs"
    ),
    step_named(
        "gs and not all(torch.isfinite(g.flatten()[0]) for g in gs)",
        told="only the first element",
    ),
    step_named(BAD, give="[step.name]", told="not a text"),
    step_named(
        f"{BAD} and any(not torch.isfinite(g).all() for g in step.grad_outputs)",
        told="both were tested",
    ),
    wrong(
        """
def first_bad_step(loss):
    found = None
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if g is not None and not torch.isfinite(g).all():
                found = step.name
    return found
""",
        told="the trouble began earlier",
    ),
    wrong(
        """
def first_bad_step(loss):
    steps = list(loss.backward_steps())
    for i, step in enumerate(steps):
        for g in step.grad_inputs:
            if g is not None and not torch.isfinite(g).all():
                return steps[i + 1].name
""",
        told="the step after it",
    ),
    wrong(
        """
def first_bad_step(loss):
    if torch.isfinite(loss):
        return None
    return next(iter(loss.backward_steps())).name
""",
        told="the loss says nothing about backward",
    ),
    wrong("""
def first_bad_step(loss):
    try:
        with torch.autograd.detect_anomaly():
            loss.backward()
    except RuntimeError as error:
        return str(error).split("'")[1]
"""),
    wrong(
        """
def first_bad_step(loss):
    for step in loss.backward_steps():
        if not torch.isfinite(step.grad_inputs).all():
            return step.name
""",
        told="raised TypeError",
    ),
    right("""
def first_bad_step(loss):
    for step in loss.backward_steps():
        if any(g is not None and not g.isfinite().all() for g in step.grad_inputs):
            return step.name
"""),
    right("""
import math


def first_bad_step(loss):
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if g is None:
                continue
            if not all(math.isfinite(v) for v in g.flatten().tolist()):
                return step.name
    return None
"""),
    right("""
import numpy as np


def first_bad_step(loss):
    names = []
    for step in loss.backward_steps():
        left = [g.numpy() for g in step.grad_inputs if g is not None]
        if not all(np.isfinite(g).all() for g in left):
            names.append(step.name)
    return names[0] if names else None
"""),
    right("""
def first_bad_step(loss):
    def bad(g):
        return g is not None and bool((torch.isnan(g) | torch.isinf(g)).any())

    return next(
        (s.name for s in loss.backward_steps() if any(map(bad, s.grad_inputs))), None
    )
"""),
    right("""
def first_bad_step(loss):
    answer = None
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if answer is None and g is not None and (g - g != 0).any():
                answer = step.name
    return answer
"""),
)


def clip(body: str, told: str = "") -> Answer:
    """A wrong clip_hook of a hook with one expression."""
    return wrong(
        f"def clip_hook(limit):\n    def hook(g):\n        {body}\n\n    return hook\n",
        told=told,
    )


LONG = "if g.norm() > limit else g"

CLIP = (
    clip("return g.clamp(-limit, limit)", "each element was clipped"),
    clip(f"return g.clamp(-limit, limit) {LONG}", "each element was clipped"),
    clip("return g.clamp(max=limit)", "negative elements"),
    clip("return g * (limit / g.norm())", "never scale up"),
    clip("return g * limit / (g.norm() + 1e-6)", "never scale up"),
    clip("return g * (limit / g.norm()) if g.norm() < limit else g", "the wrong ones"),
    clip("return g * max(1.0, limit / g.norm())", "the wrong ones"),
    clip(
        "n = (g * g).sum()\n        return g * (limit / n) if n > limit else g",
        "ROOT of the sum",
    ),
    clip(
        "n = g.abs().max()\n        return g * (limit / n) if n > limit else g",
        "largest element",
    ),
    clip(
        "n = g.max()\n        return g * (limit / n) if n > limit else g",
        "largest element",
    ),
    clip(
        "n = g.abs().sum()\n        return g * (limit / n) if n > limit else g",
        "absolute values",
    ),
    clip(
        "n = (g * g).mean().sqrt()\n        return g * (limit / n) if n > limit else g",
        "not averaged",
    ),
    clip(f"return g / g.norm() {LONG}", "it has length 1 now"),
    clip(f"return g * limit {LONG}", "limit / norm"),
    clip(f"return g * (g.norm() / limit) {LONG}", "not norm / limit"),
    clip(f"return g - limit {LONG}", "do not subtract"),
    clip(f"return torch.zeros_like(g) {LONG}", "not removed"),
    clip("if g.norm() > limit:\n            g = g * (limit / g.norm())", "must RETURN"),
    clip(
        "if g.norm() > limit:\n            g *= limit / g.norm()\n        return g",
        "an argument was changed in place",
    ),
    clip(
        "if g.norm() > limit:\n            g.mul_(limit / g.norm())",
        "an argument was changed in place",
    ),
    clip(
        "n = g.norm(dim=-1, keepdim=True) if g.dim() else g.abs()\n"
        "        return g * (limit / n).clamp(max=1)",
        "each row was clipped separately",
    ),
    clip(
        "return (g * min(1.0, limit / max(float(g.norm()), 1e-12))).numpy()",
        "not in a tensor",
    ),
    clip("return float(g.norm()) if g.norm() > limit else g", ""),
    wrong(
        """
def clip_hook(limit):
    def hook(g):
        return g * (limit / g.norm()) if g.norm() > limit else g
""",
        told="returned no function",
    ),
    wrong(
        """
def clip_hook(limit, g=None):
    return min(limit, 1.0)
""",
        told="returned no function",
    ),
    wrong(
        """
def clip_hook(limit):
    def hook():
        return limit

    return hook
""",
        told="raised TypeError",
    ),
    wrong(
        """
def clip_hook(limit):
    def hook(g):
        return g * (1.0 / g.norm()) if g.norm() > 1.0 else g

    return hook
""",
        told="",
    ),
    wrong(
        """
def clip_hook(limit):
    total = [0.0]

    def hook(g):
        total[0] += float((g * g).sum())
        n = total[0] ** 0.5
        return g * (limit / n) if n > limit else g

    return hook
""",
        told="second call returns a different value",
    ),
    right("""
def clip_hook(limit):
    def hook(g):
        if g.norm() > limit:
            return g * (limit / g.norm())

    return hook
"""),
    right("""
def clip_hook(limit):
    return lambda g: g * (limit / g.norm()).clamp(max=1) if g.any() else g
"""),
    right("""
def clip_hook(limit):
    def hook(g):
        length = (g**2).sum().sqrt().item()
        if length <= limit:
            return g.clone()
        return limit * g / length

    return hook
"""),
    right("""
class clip_hook:
    def __init__(self, limit):
        self.limit = limit

    def __call__(self, g):
        return g * min(1.0, self.limit / max(float(g.norm()), 1e-30))
"""),
    right("""
from functools import partial


def shorten(limit, g):
    n = torch.linalg.vector_norm(g)
    return torch.where(n > limit, g * limit / n, g) if n > 0 else g


def clip_hook(limit):
    return partial(shorten, limit)
"""),
)

CUT = (
    edit(
        "        x = layer(x)\n        if x.grad_fn is None:",
        "        if name != '0' and x.grad_fn is None:",
        told="",
    ),
    wrong(
        """
def where_cut(model, x):
    first = True
    for name, layer in model.named_children():
        if not first and x.grad_fn is None:
            return name
        first, x = False, layer(x)
""",
        told="one too late",
    ),
    edit("x.grad_fn is None", "not x.requires_grad", told="look at grad_fn"),
    edit(
        "            return name\n    return None",
        "            found = name\n    return found",
        told="raised UnboundLocalError",
    ),
    wrong(
        """
def where_cut(model, x):
    found = None
    for name, layer in model.named_children():
        x = layer(x)
        if x.grad_fn is None:
            found = name
    return found
""",
        told="return the first",
    ),
    edit(
        "x = layer(x)\n        if x.grad_fn",
        "y = layer(x)\n        if y.grad_fn",
        told="the output of the one before",
    ),
    edit("return name", "return int(name)", told="not a text"),
    wrong(
        """
def where_cut(model, x):
    for i, layer in enumerate(model):
        x = layer(x)
        if x.grad_fn is None:
            return i
""",
        told="a text, as named_children() gives it",
    ),
    wrong(
        """
def where_cut(model, x):
    for i, layer in enumerate(model):
        x = layer(x)
        if x.grad_fn is None:
            return str(i)
""",
        told="layers may have names",
    ),
    edit("return name", "return layer", told="not a text"),
    edit("return name", "return type(layer).__name__", told="not that of its class"),
    edit("return name", "print(name)", told="is a return missing?"),
    edit("return None", "return ''", told="for a model without a cut return None"),
    edit("return None", "return name", told="for a model without a cut return None"),
    edit("named_children()", "named_modules()", told=""),
    wrong(
        """
def where_cut(model, x):
    return None if model(x).requires_grad else "0"
""",
        told="",
    ),
    wrong(
        """
def where_cut(model, x):
    y = model(x)
    if y.grad_fn is None:
        return list(dict(model.named_children()))[-1]
""",
        told="not only at the end",
    ),
    wrong(
        """
def where_cut(model, x):
    y = model(x)
    if y.requires_grad:
        y.sum().backward()
    for name, layer in model.named_children():
        if any(p.grad is None for p in layer.parameters()):
            return name
""",
        told="a forward is enough",
    ),
    wrong(
        """
def where_cut(model, x):
    y = model(x)
    if y.requires_grad:
        y.sum().backward()
    found = None
    for name, layer in model.named_children():
        if found is None and any(p.grad is None for p in layer.parameters()):
            found = name
    for p in model.parameters():
        p.grad = None
    return found
""",
        told="the one that CUTS comes later",
    ),
    wrong(
        """
def where_cut(model, x):
    found = []
    for name, layer in model.named_children():
        layer.register_forward_hook(
            lambda m, i, y, name=name: found.append(name) if y.grad_fn is None else None
        )
    model(x)
    return found[0] if found else None
""",
        told="a hook: call remove()",
    ),
    wrong(
        """
def where_cut(model, x):
    last = None
    for name, layer in model.named_children():
        x = layer(x)
        if x.grad_fn is None:
            return last or name
        last = name
""",
        told="the layer before it",
    ),
    wrong(
        """
def where_cut(model, x):
    with torch.no_grad():
        for name, layer in model.named_children():
            x = layer(x)
            if x.grad_fn is None:
                return name
""",
        told="the first layer, wherever",
    ),
    wrong(
        """
def where_cut(model, x):
    for name, layer in model.named_children():
        if not all(p.requires_grad for p in layer.parameters()):
            return name
    return None
""",
        told="it always returns None",
    ),
    right("""
def where_cut(model, x):
    for name, layer in model.named_children():
        x = layer(x)
        if x.requires_grad is False or x.is_leaf:
            return name
"""),
    right("""
def where_cut(model, x):
    names = list(dict(model.named_children()))
    outputs = []
    for layer in model:
        x = layer(x)
        outputs.append(x)
    for name, output in zip(names, outputs):
        if not output.grad_fn:
            return name
    return None
"""),
    right("""
def where_cut(model, x):
    found, handles = [], []
    for name, layer in model.named_children():
        def hook(module, inputs, output, name=name):
            if output.grad_fn is None:
                found.append(name)
        handles.append(layer.register_forward_hook(hook))
    model(x)
    for handle in handles:
        handle.remove()
    return found[0] if found else None
"""),
    right("""
def where_cut(model, x):
    def walk(x, rest):
        if not rest:
            return None
        (name, layer), *rest = rest
        y = layer(x)
        return name if y.grad_fn is None else walk(y, rest)

    return walk(x, list(model._modules.items()))
"""),
    right("""
def where_cut(model, x):
    for i in range(len(model)):
        if model[: i + 1](x).grad_fn is None:
            return list(model._modules)[i]
"""),
)

REPAIR = (
    edit(
        "x.mean(dim=0)) / x.std(dim=0)",
        "x.mean(dim=1, keepdim=True)) / x.std(dim=1, keepdim=True)",
        told="mixes features",
    ),
    edit(
        "x.mean(dim=0)) / x.std(dim=0)",
        "x.mean()) / x.std()",
        told="one mean and one deviation",
    ),
    edit("x.std(dim=0)", "x.std()", told="one deviation for all"),
    edit("x.mean(dim=0)", "x.mean()", told="one mean for all"),
    edit("x.std(dim=0)", "x.var(dim=0)", told="not by the variance"),
    edit(" / x.std(dim=0)", "", told="only centred"),
    edit("(x - x.mean(dim=0)) / x", "x / x", told="mean is not subtracted"),
    edit("(x - x.mean(dim=0)) / x", "x - x.mean(dim=0) / x", told="subtract first"),
    edit("(x - x.mean(dim=0)) / x", "(x.mean(dim=0) - x) / x", told="sign is wrong"),
    edit(
        "return (x - x.mean(dim=0)) / x.std(dim=0)",
        "x -= x.mean(dim=0)\n    x /= x.std(dim=0)\n    return x",
        told="an argument was changed in place",
    ),
    edit(
        "return (x - x.mean(dim=0)) / x.std(dim=0)",
        "return (x - x.amin(dim=0)) / (x.amax(dim=0) - x.amin(dim=0))",
        told="to the range 0 to 1",
    ),
    edit(
        "return (x - x.mean(dim=0)) / x.std(dim=0)",
        "return ((x - x.mean(dim=0)) / x.std(dim=0)).numpy()",
        told="not in a tensor",
    ),
    edit(
        "(model(x), y)", "(model(x).softmax(dim=1), y)", told="softmax was taken twice"
    ),
    edit("(model(x), y)", "(model(x), y, reduction='sum')", told="that is a sum"),
    edit(
        "(model(x), y)", "(model(x), y, reduction='none')", told="the mean is missing"
    ),
    edit(
        "cross_entropy(model(x), y)",
        "nll_loss(model(x), y)",
        told="wants logarithms of probabilities",
    ),
    edit(
        "cross_entropy(model(x), y)",
        "nll_loss(model(x).softmax(dim=1), y)",
        told="wants logarithms of probabilities",
    ),
    edit(
        "cross_entropy(model(x), y)",
        "cross_entropy(model(x), y).item()",
        told="no history",
    ),
    edit(
        "cross_entropy(model(x), y)",
        "cross_entropy(model(x).detach(), y)",
        told="no history",
    ),
    edit("cross_entropy(model(x), y)", "cross_entropy(y, model(x))", told="raised"),
    edit(
        "nn.functional.cross_entropy(model(x), y)",
        "(model(x).argmax(dim=1) != y).float().mean()",
        told="it has no slope",
    ),
    edit(
        "cross_entropy(model(x), y)",
        "cross_entropy(model(x).relu(), y)",
        told="relu throws",
    ),
    edit(
        "cross_entropy(model(x), y)",
        "cross_entropy(model(x).argmax(dim=1), y)",
        told="raised",
    ),
    edit(
        "    optimizer.zero_grad()\n    loss.backward()\n",
        "    loss.backward()\n    optimizer.zero_grad()\n",
        told="cleared before the step",
    ),
    edit("    optimizer.zero_grad()\n", "", told="zero_grad is missing"),
    edit("    optimizer.step()\n", "", told="w did not move"),
    edit(
        "    loss.backward()\n    optimizer.step()\n",
        "    optimizer.step()\n    loss.backward()\n",
        told="w did not move",
    ),
    edit("    loss.backward()\n", "", told="w did not move"),
    edit(
        "    optimizer.step()\n",
        "    optimizer.step()\n    optimizer.step()\n",
        told="one step, not two",
    ),
    edit(
        "    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\n",
        "    optimizer.step()\n    optimizer.zero_grad()\n    loss.backward()\n",
        told="backward comes first",
    ),
    edit(
        "    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\n",
        "    optimizer.zero_grad()\n    loss.bakward()\n    optimizer.step()\n",
        told="raised AttributeError",
    ),
    edit(
        "    optimizer.step()\n",
        """
    with torch.no_grad():
        for group in optimizer.param_groups:
            for p in group["params"]:
                p -= group["lr"] * p.grad
""",
        told="knows the momentum",
    ),
    right("""
def standardize(x):
    mean, std = x.mean(0, keepdim=True), x.std(0, correction=0, keepdim=True)
    return (x - mean) / std


def loss_of(model, x, y):
    log_p = model(x).log_softmax(dim=1)
    return -log_p[torch.arange(len(y)), y].mean()


def step(optimizer, loss):
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""),
    right("""
def standardize(x):
    columns = [(c - c.mean()) / (c.std() + 1e-8) for c in x.T]
    return torch.stack(columns, dim=1)


def loss_of(model, x, y):
    return nn.functional.nll_loss(nn.functional.log_softmax(model(x), dim=1), y)


def step(optimizer, loss):
    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad = None
    loss.backward()
    optimizer.step()
"""),
    right("""
def standardize(x):
    return torch.tensor(
        (x.numpy() - x.numpy().mean(axis=0)) / x.numpy().std(axis=0), dtype=x.dtype
    )


def loss_of(model, x, y):
    scores = model(x)
    return nn.CrossEntropyLoss()(scores, y)


def step(optimizer, loss):
    optimizer.zero_grad(set_to_none=False)
    loss.backward()
    optimizer.step()
"""),
    right("""
def standardize(x):
    x = x - torch.mean(x, dim=0)
    return x / torch.sqrt((x * x).sum(dim=0) / (len(x) - 1))


def loss_of(model, x, y):
    p = model(x).softmax(dim=1)
    return -p.gather(1, y[:, None]).log().mean()


def step(optimizer, loss):
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()
"""),
    right("""
def standardize(x):
    y = x.clone()
    y -= y.mean(axis=0)
    y /= y.std(axis=0)
    return y


def loss_of(model, x, y):
    losses = nn.functional.cross_entropy(model(x), y, reduction="none")
    return losses.sum() / len(losses)


def step(optimizer, loss):
    optimizer.zero_grad()
    torch.autograd.backward(loss)
    optimizer.step()
"""),
)


def length(body: str, told: str = "") -> Answer:
    """A wrong safe_length of one expression in q, the sum of squares."""
    return wrong(
        "def safe_length(v):\n    q = (v * v).sum(dim=1)\n" + f"    {body}\n", told=told
    )


EVERY = "the root still sees the 0"
SHORT = "gradient of short rows"

LENGTH = (
    length("return q.sqrt()", EVERY),
    length("return torch.where(q > 0, q.sqrt(), 0)", EVERY),
    length("return torch.where(q == 0, q, q.sqrt())", EVERY),
    length("return q.sqrt().nan_to_num(0)", EVERY),
    length("return q.sqrt() * (q > 0)", EVERY),
    length("return q**0.5", EVERY),
    length("return (q + 1e-12).sqrt()", "row of zeros must have length 0"),
    length("return (q + 1e-10).sqrt()", "row of zeros must have length 0"),
    length("return (q + 1e-4).sqrt()", "what was added changes short rows"),
    length("return (q + 1e-6).sqrt()", "what was added changes short rows"),
    length("return q.clamp(min=1e-4).sqrt()", "smallest length that is allowed"),
    length("return q.clamp(min=1e-12).sqrt()", "row of zeros must have length 0"),
    length("return (q + 1e-13).sqrt()", SHORT),
    length("return q.clamp(min=1e-13).sqrt()", "clamp is flat"),
    length("return q.clamp(min=1e-30).sqrt()", "clamp is flat"),
    length("return q.clamp(min=1e-38).sqrt()", "row of zeros must have length 0"),
    length(
        "return q.masked_fill(q == 0, 1e-12).sqrt()", "row of zeros must have length 0"
    ),
    length("return q", "the square root is missing"),
    length(
        "return torch.where(q == 0, 1, q).sqrt()", "row of zeros must have length 0"
    ),
    length(
        "return torch.where(q == 0, 0, torch.where(q == 0, 1, q))",
        "the square root is missing",
    ),
    length("return q.detach().sqrt()", "no history"),
    length("return torch.tensor([row.item() ** 0.5 for row in q])", "no history"),
    length("return torch.from_numpy(q.detach().numpy() ** 0.5)", "no history"),
    length("with torch.no_grad():\n        return q.sqrt()", "no history"),
    length("return q.sqrt() if q.all() else 0 * q.sqrt()", ""),
    length("return q.sqrt()[:, None]", "a column came out"),
    length("torch.where(q == 0, 0, q.sqrt())", "is a return missing?"),
    length("return (q + 1e-9).sqrt()", "what was added"),
    wrong("def safe_length(v):\n    return v.norm(dim=1)\n", told="calls norm"),
    wrong(
        "def safe_length(v):\n    return torch.linalg.norm(v, dim=1)\n",
        told="calls linalg_norm",
    ),
    wrong(
        "def safe_length(v):\n    return torch.linalg.vector_norm(v, dim=1)\n",
        told="calls vector_norm",
    ),
    wrong(
        "def safe_length(v):\n    return (v * v).sum(dim=0).sqrt()\n",
        told="length of each column",
    ),
    wrong(
        "def safe_length(v):\n    return (v * v).sum().sqrt()\n",
        told="one length for all rows",
    ),
    wrong(
        "def safe_length(v):\n    return v.abs().sum(dim=1)\n",
        told="absolute values are not squares",
    ),
    edit("dim=1", "dim=1, keepdim=True", told="a column came out"),
    edit(
        "torch.where(zero, 0, torch",
        "torch.where(zero, 1, torch",
        told="row of zeros must have length 0",
    ),
    edit("torch.where(zero, 1, q).sqrt()", "q.sqrt()", told=EVERY),
    edit("q == 0", "q < 1e-8", told=""),
    right("""
def safe_length(v):
    q = (v * v).sum(dim=1)
    safe = torch.where(q > 0, q, 1.0)
    return safe.sqrt() * (q > 0)
"""),
    right("""
def safe_length(v):
    return (v * v).sum(dim=1).relu().sqrt()
"""),
    right("""
def safe_length(v):
    q = (v**2).sum(dim=1)
    result = torch.zeros_like(q)
    there = q > 0
    result[there] = q[there].sqrt()
    return result
"""),
    right("""
def safe_length(v):
    rows = []
    for row in v:
        q = (row * row).sum()
        rows.append(q.sqrt() if q > 0 else q)
    return torch.stack(rows)
"""),
    right("""
def safe_length(v):
    q = (v * v).sum(dim=1)
    q.register_hook(lambda g: torch.where(torch.isfinite(g), g, 0))
    return q.sqrt()
"""),
    right("""
class Length(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        n = (v * v).sum(dim=1).sqrt()
        ctx.save_for_backward(v, n)
        return n

    @staticmethod
    def backward(ctx, g):
        v, n = ctx.saved_tensors
        return g[:, None] * v / torch.where(n == 0, 1, n)[:, None]


def safe_length(v):
    return Length.apply(v)
"""),
    right("""
def safe_length(v):
    largest = v.detach().abs().amax(dim=1, keepdim=True)
    largest = torch.where(largest == 0, 1, largest)
    q = ((v / largest) ** 2).sum(dim=1)
    return torch.where(q == 0, 1, q).sqrt() * largest[:, 0] * (q != 0)
"""),
)

MORE_STEPS = (
    wrong(
        """def first_bad_step(loss):
    bad = None
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if g is not None and not torch.isfinite(g).all():
                bad = step.name
    return bad
""",
        told="that is the last bad step; the trouble",
    ),
    wrong(
        """def first_bad_step(loss):
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if g is not None and torch.isnan(g.sum()):
                return step.name
""",
        told="isnan misses infinities",
    ),
    wrong(
        """import numpy as np
def first_bad_step(loss):
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if g is not None and np.isnan(g.numpy()).any() or (g is not None and (g.numpy() == np.inf).any()):
                return step.name
""",
        told="an infinity may be negative",
    ),
    wrong(
        """def first_bad_step(loss):
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if g is not None and not torch.isfinite(g).all():
                return step.name.replace("Backward0", "Backward")
"""
    ),
    wrong(
        """def first_bad_step(loss):
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if g is not None and not torch.isfinite(g).all():
                return step.index, step.name
""",
        told="the second of the things returned is right:",
    ),
    wrong(
        """def first_bad_step(loss):
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if g is not None and not torch.isfinite(g).all():
                return step.name
        return None
""",
        told="it always returns None: is a return missing?",
    ),
    wrong(
        """def first_bad_step(loss):
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if g is None:
                return None
            if not torch.isfinite(g).all():
                return step.name
"""
    ),
    wrong(
        """def first_bad_step(loss):
    return "SqrtBackward0"
""",
        told="the result is always the same: the",
    ),
    wrong(
        """def first_bad_step(loss):
    for step in loss.backward_steps():
        if step.name == "AccumulateGrad":
            continue
        if any(g is not None and torch.isnan(g).any() for g in step.grad_inputs):
            return step.name
""",
        told="isnan misses infinities",
    ),
    wrong(
        """def first_bad_step(loss):
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if g is not None and (g.abs() > 1e6).any():
                return step.name
""",
        told="isinf misses NaN",
    ),
    right(
        """import numpy as np
def first_bad_step(loss):
    return next((s.name for s in loss.backward_steps() if not all(g is None or np.isfinite(g.detach().numpy()).all() for g in s.grad_inputs)), None)
"""
    ),
    right(
        """def first_bad_step(loss):
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if g is None: continue
            bad = (g != g) | (g == float("inf")) | (g == -float("inf"))
            if bad.any().item():
                return step.name
"""
    ),
    right(
        """import math
def first_bad_step(loss):
    steps = list(loss.backward_steps())
    for step in steps:
        gs = [g for g in step.grad_inputs if g is not None]
        for g in gs:
            for v in g.flatten().tolist():
                if math.isnan(v) or math.isinf(v):
                    return step.name
    return None
"""
    ),
    right(
        """bad = lambda g: g is not None and (g * 0 != 0).any()
first_bad_step = lambda loss: next((s.name for s in loss.backward_steps() if any(map(bad, s.grad_inputs))), None)
"""
    ),
)

MORE_CLIP = (
    wrong(
        """def clip_hook(limit):
    return lambda g: g.clamp(-limit, limit)
""",
        told="each element was clipped: that changes the",
    ),
    wrong(
        """def clip_hook(limit):
    def hook(g):
        n = g.abs().max()
        return g * (limit / n) if n > limit else g
    return hook
""",
        told="the largest element is not the length",
    ),
    wrong(
        """def clip_hook(limit):
    return lambda g: g / g.norm() * limit
""",
        told="short gradients stay as they are: never",
    ),
    wrong(
        """def clip_hook(limit):
    def hook(g):
        n = g.norm(dim=-1, keepdim=True)
        return torch.where(n > limit, g * limit / n, g)
    return hook
""",
        told="each row was clipped separately: use the",
    ),
    wrong(
        """def clip_hook(limit):
    def hook(g):
        n = g.norm()
        if n > limit:
            g *= limit / n
        return g
    return hook
""",
        told="y = x does not copy, so writing (y[...] =,",
    ),
    right(
        """def clip_hook(limit):
    def hook(g):
        n = g.norm()
        if n > limit:
            return g * (limit / n)
    return hook
"""
    ),
    wrong(
        """worst = 0
def clip_hook(limit):
    def hook(g):
        global worst
        worst = max(worst, g.norm().item())
        return g * min(1, limit / worst) if worst else g
    return hook
"""
    ),
    wrong(
        """def clip_hook(limit):
    def hook(g):
        return g * min(1.0, limit / (g.norm().item() + 1e-2))
    return hook
""",
        told="nothing is added to the length",
    ),
    wrong(
        """def clip_hook(limit):
    def hook(g):
        return g / max(1.0, g.norm().item())
    return hook
""",
        told="limit is what the caller says, not always 1",
    ),
    wrong(
        """def clip_hook(limit):
    def hook(g):
        n = g.norm()
        return (g.float() * (limit / n)).float() if n > limit else g.float()
    return hook
""",
        told="the numbers are right, their dtype is not",
    ),
    wrong(
        """def clip_hook(limit):
    def hook(g):
        n = (g ** 2).sum()
        return g * (limit / n) if n > limit else g
    return hook
""",
        told="the norm is the ROOT of the sum of squares",
    ),
    wrong(
        """def clip_hook(limit):
    def hook(g):
        n = (g ** 2).mean().sqrt()
        return g * (limit / n) if n > limit else g
    return hook
""",
        told="squares are added, not averaged",
    ),
    wrong(
        """def clip_hook(limit):
    def hook(g):
        n = g.norm()
        return g * (n / limit) if n > limit else g
    return hook
""",
        told="the factor is limit / norm, not norm / limit",
    ),
    wrong(
        """def clip_hook(limit):
    def hook(g):
        n = g.norm()
        return torch.where(n > limit, g * limit / n, g * n / n)
    return hook
""",
        told="nan comes of a division by 0, of an",
    ),
    wrong(
        """import numpy as np
def clip_hook(limit):
    def hook(g):
        a = g.numpy()
        n = np.sqrt((a.astype(float) ** 2).sum())
        return torch.from_numpy(a * a.dtype.type(min(1, limit / n if n else 1)))
    return hook
""",
        told="raised TypeError",
    ),
    right(
        """class clip_hook:
    def __init__(self, limit): self.limit = limit
    def __call__(self, g):
        n = torch.sqrt((g * g).sum())
        return g.clone() if n <= self.limit else self.limit * g / n
"""
    ),
    right(
        """def clip_hook(limit):
    def hook(g):
        n = g.flatten().norm(p=2)
        factor = torch.clamp(limit / n, max=1.0)
        return g if n == 0 else g * factor
    return hook
"""
    ),
    right(
        """def clip_hook(limit):
    def hook(g):
        n = torch.linalg.vector_norm(g)
        return torch.where(n > limit, g * (limit / n), g)
    return hook
"""
    ),
    right(
        """from functools import partial
def shorten(g, limit):
    n = g.pow(2).sum().sqrt().item()
    return g if n <= limit else g.mul(limit / n)
def clip_hook(limit):
    return partial(shorten, limit=limit)
"""
    ),
)

MORE_CUT = (
    wrong(
        """def where_cut(model, x):
    last = None
    for name, layer in model.named_children():
        x = layer(x)
        if x.grad_fn is None:
            last = name
    return last
""",
        told="that is the last layer without history:",
    ),
    wrong(
        """def where_cut(model, x):
    x.requires_grad_()
    for name, layer in model.named_children():
        x = layer(x)
        if x.grad_fn is None:
            return name
""",
        told="requires_grad_ acts in place: work on a",
    ),
    wrong(
        """def where_cut(model, x):
    for name, layer in model.named_children():
        x = layer(x)
        if x.grad_fn is None:
            return name
        x.sum().backward(retain_graph=True)
""",
        told="the model is not as it was",
    ),
    wrong(
        """def where_cut(model, x):
    with torch.no_grad():
        for name, layer in model.named_children():
            x = layer(x)
            if x.grad_fn is None:
                return name
""",
        told="that is the first layer, wherever the cut is",
    ),
    wrong(
        """def where_cut(model, x):
    for name, layer in model.named_children():
        y = layer(x)
        if y.is_leaf and not y.requires_grad:
            return name
        x = y
""",
        told="a new leaf has requires_grad and no",
    ),
    wrong(
        """def where_cut(model, x):
    for i, layer in enumerate(model):
        x = layer(x)
        if x.grad_fn is None:
            return str(i)
""",
        told="layers may have names: take them from",
    ),
    wrong(
        """def where_cut(model, x):
    layers = list(model.named_children())
    x = layers[0][1](x)
    for name, layer in layers[1:]:
        x = layer(x)
        if x.grad_fn is None:
            return name
"""
    ),
    wrong(
        """def where_cut(model, x):
    found = []
    for name, layer in model.named_children():
        layer.register_forward_hook(lambda m, i, o, name=name: found.append(name) if o.grad_fn is None else None)
    model(x)
    return found[0] if found else None
""",
        told="the model is not as it was",
    ),
    wrong(
        """def where_cut(model, x):
    model.eval()
    for name, layer in model.named_children():
        x = layer(x)
        if x.grad_fn is None:
            return name
""",
        told="the model is not as it was",
    ),
    right(
        """def where_cut(model, x):
    model.requires_grad_(True)
    for name, layer in model.named_children():
        x = layer(x)
        if not x.grad_fn:
            return name
    model.zero_grad()
"""
    ),
    right(
        """def where_cut(model, x):
    found, handles = [], []
    for name, layer in model.named_children():
        handles.append(layer.register_forward_hook(lambda m, i, o, name=name: found.append(name) if o.grad_fn is None else None))
    model(x)
    for h in handles: h.remove()
    return found[0] if found else None
"""
    ),
    right(
        """def where_cut(model, x):
    out = x
    for name in model._modules:
        out = model._modules[name](out)
        if not out.grad_fn:
            return name
    return None
"""
    ),
    right(
        """import copy
def where_cut(model, x):
    m = copy.deepcopy(model)
    names = [n for n, _ in m.named_children()]
    for n in names:
        x = getattr(m, n)(x)
        if getattr(x, "grad_fn") is None:
            return n
"""
    ),
)

# Second thoughts of learners: causes that no earlier answer needed.
LATER = {
    "04.1": (
        wrong(
            """def first_bad_step(loss):
    for step in loss.backward_steps():
        for g in step.grad_inputs:
            if g is not None and not torch.isfinite(g).all():
                return step
    return None
""",
            told=".name",
        ),
    ),
    "04.3": (
        wrong(
            """def where_cut(model, x):
    for name, layer in model.named_children():
        x = layer(x)
        if not x.requires_grad:
            x = x.detach()
            return layer
""",
            told="return the name, a string",
        ),
    ),
    "04.4": (
        wrong(
            """def standardize(x):
    return (x - x.mean(dim=0)) / x.std(dim=0)


def loss_of(model, x, y):
    return nn.functional.cross_entropy(model(x).argmax(dim=1), y)


def step(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
            told="cross_entropy takes scores",
        ),
    ),
    "04.5": (
        wrong(
            """def safe_length(v):
    q = (v * v).sum(dim=1)
    y = q.sqrt()
    y[q == 0] = 0
    return y
""",
            told="the numbers that were overwritten",
        ),
    ),
}

ANSWERS = {
    "04.1": STEPS + MORE_STEPS + LATER["04.1"],
    "04.2": CLIP + MORE_CLIP,
    "04.3": CUT + MORE_CUT + LATER["04.3"],
    "04.4": REPAIR + LATER["04.4"],
    "04.5": LENGTH + LATER["04.5"],
}
