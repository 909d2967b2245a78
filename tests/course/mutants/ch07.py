"""Chapter 7: answers as learners write them."""

from __future__ import annotations

from tests.course.mutants.answers import edit, right, wrong

__all__ = ["ANSWERS"]

SGD = (
    edit("p -= lr * p.grad", "p += lr * p.grad", told="uphill"),
    edit("p -= lr * p.grad", "p -= p.grad", told="learning rate was ignored"),
    edit(
        "p -= lr * p.grad",
        "p = p - lr * p.grad",
        told="gives the name p to a new tensor",
    ),
    edit("p -= lr * p.grad", "p -= lr * p.grad.sign()", told="only the sign"),
    edit("p -= lr * p.grad", "p -= 0.1 * p.grad", told="learning rate is fixed"),
    edit(
        "p -= lr * p.grad",
        "p.data = p.data - lr * p.grad",
        told="new memory",
    ),
    edit(
        "p -= lr * p.grad",
        "p -= lr * p.grad / p.grad.norm()",
        told="length of the gradient",
    ),
    edit(
        "p -= lr * p.grad",
        "p -= lr * p.grad\n                p.grad = None",
        told="gradients must not change",
    ),
    edit(
        "p -= lr * p.grad",
        "p -= lr * p.grad\n                p.grad.zero_()",
        told="gradients must not change",
    ),
    edit(
        "p -= lr * p.grad",
        "p.grad *= lr\n                p -= p.grad",
        told="gradients must not change",
    ),
    edit("            if p.grad is not None:\n    ", "", told="None"),
    edit(
        "if p.grad is not None:\n                p -= lr * p.grad",
        "if p.grad is None:\n                break\n            p -= lr * p.grad",
        told="stopped at the first parameter without a gradient",
    ),
    wrong(
        """def sgd_step(params, lr):
    for p in params:
        if p.grad is not None:
            p -= lr * p.grad
""",
        told="no_grad",
    ),
    wrong(
        """def sgd_step(params, lr):
    for p in params:
        if p.grad is not None:
            p.requires_grad_(False)
            p -= lr * p.grad
""",
        told="requires_grad",
    ),
    wrong(
        """def sgd_step(params, lr):
    return [p - lr * p.grad for p in params if p.grad is not None]
""",
        told="nothing changed",
    ),
    wrong(
        """def sgd_step(params, lr):
    with torch.no_grad():
        p = params[0]
        if p.grad is not None:
            p -= lr * p.grad
""",
        told="only the first parameter",
    ),
    wrong(
        """def sgd_step(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad
            return
""",
        told="only the first parameter",
    ),
    wrong(
        """def sgd_step(params, lr):
    for p in params:
        if p.grad is not None:
            print(p - lr * p.grad)
""",
        told="nothing changed",
    ),
    wrong(
        """def sgd_step(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad is not None and p.grad.sum() != 0:
                p -= lr * p.grad
""",
        told="",
    ),
    wrong(
        """def sgd_step(params, lr):
    assert len(params) > 0
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad
""",
        told="generator",
    ),
    right(
        """def sgd_step(params, lr):
    for p in params:
        if p.grad is not None:
            p.data -= lr * p.grad
"""
    ),
    right(
        """@torch.no_grad()
def sgd_step(params, lr):
    for p in params:
        if p.grad is None:
            continue
        p.add_(p.grad, alpha=-lr)
"""
    ),
    right(
        """def sgd_step(params, lr):
    for p in params:
        if p.grad is not None:
            p.detach().sub_(p.grad * lr)
"""
    ),
    right(
        """def sgd_step(params, lr):
    with torch.no_grad():
        for p in list(params):
            if p.grad is not None:
                p.copy_(p - lr * p.grad)
    return None
"""
    ),
    wrong(
        """def sgd_step(params, lr):
    torch.optim.SGD([p for p in params], lr=lr).step()
""",
        told="forbids",
    ),
    right(
        """def sgd_step(params, lr):
    for p in params:
        if p.grad is not None:
            p.detach().numpy()[...] -= lr * p.grad.numpy()
"""
    ),
    wrong(
        """def sgd_step(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad:
                p -= lr * p.grad
""",
        told="if p.grad is not None",
    ),
    right(
        """@torch.no_grad()
def sgd_step(params, lr):
    for p in params:
        if p.grad is None:
            continue
        p.add_(p.grad, alpha=-lr)
"""
    ),
)

MOMENTUM = (
    edit("momentum * state[p] + p.grad", "state[p] + p.grad", told="ignored"),
    edit(
        "momentum * state[p] + p.grad",
        "momentum * state[p] + (1 - momentum) * p.grad",
        told="full weight",
    ),
    edit(
        "momentum * state[p] + p.grad",
        "0.9 * state[p] + p.grad",
        told="0.9, whatever momentum is",
    ),
    edit("momentum * state[p] + p.grad", "p.grad.clone()", told="plain SGD"),
    edit(
        "momentum * state[p] + p.grad",
        "momentum * state[p] - p.grad",
        told="sign",
    ),
    edit("state[p] = p.grad.clone()", "state[p] = p.grad", told="gradient itself"),
    edit(
        "state[p] = p.grad.clone()",
        "state[p] = torch.zeros_like(p)",
        told="begins as the gradient",
    ),
    edit(
        "state[p] = p.grad.clone()",
        "state[p] = (1 - momentum) * p.grad",
        told="begins as the gradient",
    ),
    edit("p -= lr * state[p]", "p += lr * state[p]", told="uphill"),
    edit("p -= lr * state[p]", "p -= state[p]", told="learning rate was ignored"),
    edit("p -= lr * state[p]", "p = p - lr * state[p]", told="nothing changed"),
    edit(
        "p -= lr * state[p]",
        "p -= lr * (p.grad + momentum * state[p])",
        told="Nesterov",
    ),
    edit(
        """            if p.grad is None:
                continue
""",
        "",
        told="None",
    ),
    wrong(
        """velocity = {}


def momentum_step(params, state, lr, momentum=0.9):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            if p in velocity:
                velocity[p] = momentum * velocity[p] + p.grad
            else:
                velocity[p] = p.grad.clone()
            p -= lr * velocity[p]
""",
        told="state",
    ),
    wrong(
        """def momentum_step(params, state, lr, momentum=0.9):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            if "v" in state:
                state["v"] = momentum * state["v"] + p.grad
            else:
                state["v"] = p.grad.clone()
            p -= lr * state["v"]
""",
        told="one velocity for all parameters",
    ),
    wrong(
        """def momentum_step(params, state, lr, momentum=0.9):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            v = p.grad.clone()
            if p in state:
                v = momentum * state[p] + p.grad
            p -= lr * v
""",
        told="plain SGD",
    ),
    wrong(
        """def momentum_step(params, state, lr, momentum=0.9):
    with torch.no_grad():
        for p in params:
            g = p.grad if p.grad is not None else torch.zeros_like(p)
            state[p] = momentum * state[p] + g if p in state else g.clone()
            p -= lr * state[p]
""",
        told="skipped",
    ),
    wrong(
        """def momentum_step(params, state, lr, momentum=0.9):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            p -= lr * state.get(p, p.grad)
            state[p] = momentum * state[p] + p.grad if p in state else p.grad.clone()
""",
        told="one step late",
    ),
    wrong(
        """def momentum_step(params, state, lr, momentum=0.9):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            if p in state:
                p.grad += momentum * state[p]
            state[p] = p.grad.clone()
            p -= lr * p.grad
""",
        told="gradients must not change",
    ),
    right(
        """@torch.no_grad()
def momentum_step(params, state, lr, momentum=0.9):
    for i, p in enumerate(params):
        if p.grad is None:
            continue
        if i not in state:
            state[i] = p.grad.clone()
        else:
            state[i].mul_(momentum).add_(p.grad)
        p.sub_(lr * state[i])
"""
    ),
    right(
        """def momentum_step(params, state, lr, momentum=0.9):
    for p in params:
        if p.grad is not None:
            v = state.get(id(p), torch.zeros_like(p.data))
            state[id(p)] = momentum * v + p.grad
            p.data -= lr * state[id(p)]
"""
    ),
    right(
        """def momentum_step(params, state, lr, momentum=0.9):
    # the same with the learning rate inside of the velocity's use
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            entry = state.setdefault(p, {"v": None})
            old = entry["v"]
            entry["v"] = p.grad + 0 if old is None else old * momentum + p.grad
            p.add_(entry["v"], alpha=-lr)
"""
    ),
    wrong(
        """def momentum_step(params, state, lr, momentum=0.9):
    params = list(params)
    if "optimizer" not in state:
        state["optimizer"] = torch.optim.SGD(params, lr=lr, momentum=momentum)
    for group in state["optimizer"].param_groups:
        group["lr"], group["momentum"] = lr, momentum
    state["optimizer"].step()
""",
        told="forbids",
    ),
    right(
        """def momentum_step(params, state, lr, momentum=0.9):
    for p in params:
        if p.grad is None:
            continue
        g = p.grad.numpy()
        state[p] = momentum * state[p] + g if p in state else g.copy()
        with torch.no_grad():
            p -= torch.from_numpy(lr * state[p]).to(p.dtype)
"""
    ),
    wrong(
        """def momentum_step(params, state, lr, momentum=0.9):
    v = 0
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                v = momentum * v + p.grad
                p -= lr * v
""",
        told="lost when the function ends",
    ),
    wrong(
        """def momentum_step(params, state, lr, momentum=0.9):
    with torch.no_grad():
        for p in params:
            if p.grad is None: continue
            state[p] = momentum * state.get(p, 0) + lr * p.grad
            p -= state[p]
""",
        told="not part of the velocity",
    ),
    wrong(
        """def momentum_step(params, state, lr, momentum=0.9):
    with torch.no_grad():
        i = 0
        for p in params:
            if p.grad is None: continue
            state[i] = momentum * state.get(i, 0) + p.grad
            p -= lr * state[i]
            i += 1
""",
        told="count those without",
    ),
    wrong(
        """def momentum_step(params, state, lr, momentum=0.9):
    with torch.no_grad():
        for p in params:
            if p not in state: state[p] = torch.zeros_like(p)
            state[p] = momentum * state[p]
            if p.grad is None: continue
            state[p] = state[p] + p.grad
            p -= lr * state[p]
""",
        told="here it shrank",
    ),
    wrong(
        """def momentum_step(params, state, lr, momentum=0.9):
    with torch.no_grad():
        for p in params:
            if p.grad is None: continue
            v = state.get(p, torch.zeros_like(p))
            p -= lr * v
            state[p] = momentum * v + p.grad
""",
        told="one step late",
    ),
    right(
        """def momentum_step(params, state, lr, momentum=0.9):
    params = list(params)
    if "v" not in state:
        state["v"] = [torch.zeros_like(p) for p in params]
    with torch.no_grad():
        for i, p in enumerate(params):
            if p.grad is None: continue
            state["v"][i] = momentum * state["v"][i] + p.grad
            p -= lr * state["v"][i]
"""
    ),
)

ADAM = (
    edit("mean = m / (1 - betas[0] ** t)", "mean = m", told="correct"),
    edit("square = v / (1 - betas[1] ** t)", "square = v", told="correct"),
    wrong(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            m, v = state.get(p, (torch.zeros_like(p), torch.zeros_like(p)))
            m = betas[0] * m + (1 - betas[0]) * p.grad
            v = betas[1] * v + (1 - betas[1]) * p.grad**2
            state[p] = m, v
            p -= lr * m / (v.sqrt() + eps)
""",
        told="bias correction",
    ),
    edit("(square.sqrt() + eps)", "(square + eps).sqrt()", told="outside the root"),
    edit("(square.sqrt() + eps)", "(square + eps)", told="square root"),
    edit("(square.sqrt() + eps)", "square.sqrt()", told="eps"),
    edit("p.grad**2", "p.grad", told=""),
    edit("p.grad**2", "p.grad.abs()", told="square"),
    edit("(1 - betas[0]) * p.grad\n", "p.grad\n", told="1 - beta"),
    edit("(1 - betas[1]) * p.grad**2", "p.grad**2", told="1 - beta"),
    edit("t += 1", "pass", told="count"),
    edit("betas[0] ** t", "betas[0] ** (t + 1)", told="count"),
    edit("betas[0] ** t", "betas[0]", told="power"),
    edit("p -= lr * mean", "p -= 0.001 * mean", told="0.001, whatever lr is"),
    edit("p -= lr * mean", "p += lr * mean", told="uphill"),
    edit("p -= lr * mean", "p -= lr * p.grad", told="gradient itself"),
    wrong(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    state["t"] = state.get("t", 0) + 1
    t = state["t"]
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            m, v = state.get(p, (torch.zeros_like(p), torch.zeros_like(p)))
            m = betas[0] * m + (1 - betas[0]) * p.grad
            v = betas[1] * v + (1 - betas[1]) * p.grad**2
            state[p] = m, v
            mean = m / (1 - betas[0] ** t)
            square = v / (1 - betas[1] ** t)
            p -= lr * mean / (square.sqrt() + eps)
""",
        told="one count for all parameters",
    ),
    wrong(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            m, v, t = state.get(p, (torch.zeros_like(p), torch.zeros_like(p), 0))
            t += 1
            m = 0.9 * m + 0.1 * p.grad
            v = 0.999 * v + 0.001 * p.grad**2
            state[p] = m, v, t
            mean = m / (1 - 0.9**t)
            square = v / (1 - 0.999**t)
            p -= lr * mean / (square.sqrt() + eps)
""",
        told="betas were ignored",
    ),
    wrong(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    b2, b1 = betas
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            m, v, t = state.get(p, (torch.zeros_like(p), torch.zeros_like(p), 0))
            t += 1
            m = b1 * m + (1 - b1) * p.grad
            v = b2 * v + (1 - b2) * p.grad**2
            state[p] = m, v, t
            p -= lr * (m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + eps)
""",
        told="swapped",
    ),
    wrong(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            m, v, t = state.get("all", (torch.zeros_like(p), torch.zeros_like(p), 0))
            t += 1
            m = betas[0] * m + (1 - betas[0]) * p.grad
            v = betas[1] * v + (1 - betas[1]) * p.grad**2
            state["all"] = m, v, t
            mean = m / (1 - betas[0] ** t)
            square = v / (1 - betas[1] ** t)
            p -= lr * mean / (square.sqrt() + eps)
""",
        told="share",
    ),
    wrong(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad / (p.grad.abs() + eps)
""",
        told="nothing is kept",
    ),
    wrong(
        """STATE = {}


def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for i, p in enumerate(params):
            if p.grad is None:
                continue
            m, v, t = STATE.get(i, (torch.zeros_like(p), torch.zeros_like(p), 0))
            t += 1
            m = betas[0] * m + (1 - betas[0]) * p.grad
            v = betas[1] * v + (1 - betas[1]) * p.grad**2
            STATE[i] = m, v, t
            mean = m / (1 - betas[0] ** t)
            square = v / (1 - betas[1] ** t)
            p -= lr * mean / (square.sqrt() + eps)
""",
        told="state",
    ),
    edit(
        """            if p.grad is None:
                continue
""",
        "",
        told="None",
    ),
    edit("    with torch.no_grad():\n", "    if True:\n", told="no_grad"),
    right(
        """@torch.no_grad()
def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    b1, b2 = betas
    for i, p in enumerate(params):
        if p.grad is None:
            continue
        if i not in state:
            state[i] = [torch.zeros_like(p), torch.zeros_like(p), 0]
        state[i][2] += 1
        m, v, t = state[i]
        m.mul_(b1).add_(p.grad, alpha=1 - b1)
        v.mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
        p.addcdiv_(m / (1 - b1**t), (v / (1 - b2**t)).sqrt() + eps, value=-lr)
"""
    ),
    right(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    for p in params:
        if p.grad is None:
            continue
        s = state.setdefault(p, {"m": 0.0, "v": 0.0, "t": 0})
        s["t"] += 1
        s["m"] = s["m"] + (1 - betas[0]) * (p.grad - s["m"])
        s["v"] = s["v"] + (1 - betas[1]) * (p.grad * p.grad - s["v"])
        c1, c2 = 1 - betas[0] ** s["t"], 1 - betas[1] ** s["t"]
        p.data -= lr / c1 * s["m"] / ((s["v"] / c2) ** 0.5 + eps)
"""
    ),
    right(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            state.setdefault(p, []).append(p.grad.clone())
            m, v, t = 0, 0, len(state[p])
            for g in state[p]:
                m = betas[0] * m + (1 - betas[0]) * g
                v = betas[1] * v + (1 - betas[1]) * g**2
            p -= lr * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps)
"""
    ),
    wrong(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    params = list(params)
    if "adam" not in state:
        state["adam"] = torch.optim.Adam(params, lr=lr, betas=betas, eps=eps)
    state["adam"].step()
""",
        told="forbids",
    ),
    right(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            g = p.grad
            if g is None:
                continue
            if p not in state:
                state[p] = dict(m=torch.zeros(p.shape, dtype=p.dtype),
                                v=torch.zeros(p.shape, dtype=p.dtype), p1=1.0, p2=1.0)
            s = state[p]
            s["m"] = betas[0] * s["m"] + (1 - betas[0]) * g
            s["v"] = betas[1] * s["v"] + (1 - betas[1]) * g * g
            s["p1"] *= betas[0]
            s["p2"] *= betas[1]
            mean, square = s["m"] / (1 - s["p1"]), s["v"] / (1 - s["p2"])
            p -= lr * mean / (torch.sqrt(square) + eps)
"""
    ),
    wrong(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is None: continue
            m, v, t = state.get(p, (0, 0, 0))
            t += 1
            m = betas[0] * m + (1 - betas[0]) * p.grad
            v = betas[1] * v + (1 - betas[1]) * p.grad ** 2
            state[p] = m, v, t
            a = lr * (1 - betas[1] ** t)**0.5 / (1 - betas[0] ** t)
            p -= a * m / (v.sqrt() + eps)
""",
        told="after the correction",
    ),
    wrong(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is None: continue
            m, v, t = state.get(p, (0, 0, 0))
            t += 1
            m = betas[0] * m + (1 - betas[0]) * p.grad
            v = betas[1] * v + (1 - betas[1]) * p.grad ** 2
            m = m / (1 - betas[0] ** t)
            v = v / (1 - betas[1] ** t)
            state[p] = m, v, t
            p -= lr * m / (v.sqrt() + eps)
""",
        told="corrected averages were kept",
    ),
    wrong(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is None: continue
            m, v, t = state.get(p, (0, 0, 0))
            t += 1
            m = betas[0] * m + (1 - betas[0]) * p.grad
            v = betas[1] * v + (1 - betas[1]) * p.grad ** 2
            state[p] = m, v, t
            p -= lr * (m / (1 - betas[0] * t)) / ((v / (1 - betas[1] * t)).sqrt() + eps)
""",
        told="a power",
    ),
    right(
        """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is None: continue
            m, v, t = state.get(p, (0, 0, 0))
            t += 1
            m = betas[0] * m + (1 - betas[0]) * p.grad
            v = betas[1] * v + (1 - betas[1]) * p.grad ** 2
            state[p] = m, v, t
            p -= lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps)
"""
    ),
)

SCHEDULES = (
    edit("step // every", "step / every", told="whole"),
    edit("step // every", "(step + 1) // every", told="one step early"),
    edit("step // every", "max(step - 1, 0) // every", told="one step late"),
    edit("factor ** (step // every)", "factor * (step // every)", told="power"),
    edit(
        "lr * factor ** (step // every)",
        "lr * factor if step >= every else lr",
        told="only once",
    ),
    edit("factor ** (step // every)", "0.1 ** (step // every)", told="factor"),
    edit(
        "factor ** (step // every)",
        "(factor if step % every == 0 else 1)",
        told="must stay cut",
    ),
    edit("lr * (step + 1) / warmup", "lr * step / warmup", told="step 0"),
    edit("lr * (step + 1) / warmup", "lr", told="no warm-up"),
    edit("lr * (step + 1) / warmup", "(step + 1) / warmup", told=""),
    edit("step < warmup", "step <= warmup", told="one step too long"),
    edit(
        """    if step >= total:
        return 0.0
""",
        "",
        told="rises again",
    ),
    edit(
        "(step - warmup) / (total - warmup)",
        "step / total",
        told="begins when the warm-up ends",
    ),
    edit(
        "(step - warmup) / (total - warmup)",
        "(step - warmup) / total",
        told="total - warmup",
    ),
    edit(
        "lr * (1 + math.cos(math.pi * done)) / 2",
        "lr * math.cos(math.pi * done)",
        told="below 0",
    ),
    edit(
        "lr * (1 + math.cos(math.pi * done)) / 2",
        "lr * math.cos(math.pi * done / 2)",
        told="quarter",
    ),
    edit(
        "lr * (1 + math.cos(math.pi * done)) / 2",
        "lr * (1 + math.cos(2 * math.pi * done)) / 2",
        told="whole turn",
    ),
    edit("lr * (1 + math.cos(math.pi * done)) / 2", "lr * (1 - done)", told="straight"),
    edit(
        "lr * (1 + math.cos(math.pi * done)) / 2",
        "lr * (1 + math.cos(180 * done)) / 2",
        told="radians",
    ),
    edit(
        "lr * (1 + math.cos(math.pi * done)) / 2",
        "lr * (1 - math.cos(math.pi * done)) / 2",
        told="upside down",
    ),
    edit(
        "    return lr * (1 + math.cos(math.pi * done)) / 2",
        "    print(lr * (1 + math.cos(math.pi * done)) / 2)",
        told="is a return missing",
    ),
    wrong(
        """def step_lr(step, lr, every, factor=0.1):
    while step >= every:
        lr *= factor
    return lr


def warmup_cosine(step, lr, warmup, total):
    return lr
""",
        told="nothing in the loop changes every or step",
    ),
    right(
        """def step_lr(step, lr, every, factor=0.1):
    while step >= every:
        lr *= factor
        step -= every
    return lr


def warmup_cosine(step, lr, warmup, total):
    if step < warmup:
        return lr / warmup * (step + 1)
    done = min(1, (step - warmup) / max(1, total - warmup)) if step < total else 1
    return 0.5 * lr * (1 + math.cos(done * math.pi))
"""
    ),
    right(
        """import numpy as np


def step_lr(step, lr, every, factor=0.1):
    return lr * factor ** int(step / every)


def warmup_cosine(step, lr, warmup, total):
    if step >= total and step >= warmup:
        return 0
    if warmup and step < warmup:
        return np.linspace(lr / warmup, lr, warmup)[step]
    return lr * np.cos(np.pi * (step - warmup) / (total - warmup) / 2) ** 2
"""
    ),
    right(
        """def step_lr(step, lr, every, factor=0.1):
    for i in range(1, step + 1):
        if i % every == 0:
            lr = lr * factor
    return lr


def warmup_cosine(step, lr, warmup, total):
    if step < warmup:
        return lr * (step + 1) / warmup
    elif step < total:
        angle = torch.tensor(math.pi * (step - warmup) / (total - warmup))
        return lr * (1 + torch.cos(angle)) / 2
    else:
        return torch.tensor(0.0)
"""
    ),
    right(
        """def step_lr(step, lr, every, factor=0.1):
    if step < every:
        return lr
    return factor * step_lr(step - every, lr, every, factor)


def warmup_cosine(step, lr, warmup, total):
    if step < warmup:
        return lr * (step + 1) / warmup
    if step >= total:
        return 0.0
    return lr * math.sin(math.pi * (total - step) / (2 * (total - warmup))) ** 2
"""
    ),
    right(
        """def step_lr(step, lr, every, factor=0.1):
    return lr * math.pow(factor, math.floor(step / every))


def warmup_cosine(step, lr, warmup, total):
    rise = (step + 1) / warmup if step < warmup else 1.0
    if rise < 1:
        return lr * rise
    fall = min(max(step - warmup, 0) / (total - warmup), 1.0) if total > warmup else 1.0
    return lr * 0.5 * (1.0 + math.cos(math.pi * fall)) if step >= warmup else lr
"""
    ),
    right(
        """def step_lr(step, lr, every, factor=0.1):
    return lr * factor ** (step // every)
def warmup_cosine(step, lr, warmup, total):
    if step < warmup: return lr * (step + 1) / warmup
    s = min(1, (step - warmup) / (total - warmup))
    return lr * (1 + math.cos(math.pi * s)) / 2
"""
    ),
    right(
        """def step_lr(step, lr, every, factor=0.1):
    return lr * factor ** (step // every)
def warmup_cosine(step, lr, warmup, total):
    if step < warmup: return lr * (step + 1) / warmup
    if step > total: return 0.0
    return lr * (1 + math.cos(math.pi * (step - warmup) / (total - warmup))) / 2
"""
    ),
)

CLIP = (
    edit("norm > max_norm", "norm < max_norm", told="short gradients"),
    edit(
        "    if norm > max_norm:\n        for",
        "    if True:\n        for",
        told="short",
    ),
    edit("g *= max_norm / norm", "g *= max_norm", told="divide by the norm"),
    edit("g *= max_norm / norm", "g /= norm", told="length 1"),
    edit("g *= max_norm / norm", "g = g * max_norm / norm", told="nothing changed"),
    edit(
        "g *= max_norm / norm",
        "g.clamp_(-max_norm, max_norm)",
        told="each number was clipped separately",
    ),
    edit(
        "g *= max_norm / norm",
        "g *= min(1.0, max_norm / g.norm().item())",
        told="each tensor was clipped separately",
    ),
    edit("    return norm", "    return min(norm, max_norm)", told="norm from before"),
    edit("    return norm", "    return grads", told="a number"),
    edit("    return norm", "    print(norm)", told="is a return missing"),
    edit(
        "math.sqrt(sum((g**2).sum().item() for g in grads))",
        "sum((g**2).sum().item() for g in grads)",
        told="square root",
    ),
    edit("(g**2).sum().item()", "g.sum().item() ** 2", told="square each number"),
    edit(
        "math.sqrt(sum((g**2).sum().item() for g in grads))",
        "sum(g.norm().item() for g in grads)",
        told="sum of the norms",
    ),
    edit(
        "math.sqrt(sum((g**2).sum().item() for g in grads))",
        "max([g.norm().item() for g in grads], default=0.0)",
        told="largest norm",
    ),
    edit(
        "math.sqrt(sum((g**2).sum().item() for g in grads))",
        "max([g.abs().max().item() for g in grads], default=0.0)",
        told="largest number",
    ),
    edit(
        "math.sqrt(sum((g**2).sum().item() for g in grads))",
        "sum(g.abs().sum().item() for g in grads)",
        told="absolute values",
    ),
    edit(" if p.grad is not None]", "]", told="None"),
    edit(
        "p.grad for p in params if p.grad is not None",
        "p.data for p in params if p.grad is not None",
        told="parameters",
    ),
    wrong(
        """def clip_gradients(params, max_norm):
    norm = math.sqrt(sum((p.grad**2).sum().item() for p in params if p.grad is not None))
    if norm > max_norm:
        for p in params:
            if p.grad is not None:
                p.grad *= max_norm / norm
    return norm
""",
        told="generator",
    ),
    wrong(
        """def clip_gradients(params, max_norm):
    grads = [p.grad for p in params if p.grad is not None]
    norm = math.sqrt(sum((g**2).sum().item() for g in grads))
    for g in grads:
        g *= min(1.0, max_norm / norm)
    return norm
""",
        told="ZeroDivisionError",
    ),
    right(
        """def clip_gradients(params, max_norm):
    params = [p for p in params if p.grad is not None]
    norm = sum((p.grad**2).sum() for p in params) ** 0.5
    factor = min(1.0, max_norm / (norm + 1e-6))
    for p in params:
        p.grad = p.grad * factor
    return norm
"""
    ),
    right(
        """def clip_gradients(params, max_norm):
    grads = [p.grad for p in params if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)
    norm = torch.cat([g.flatten() for g in grads]).norm()
    if norm > max_norm:
        for g in grads:
            g.mul_(max_norm / norm)
    return norm
"""
    ),
    wrong(
        """def clip_gradients(params, max_norm):
    return torch.nn.utils.clip_grad_norm_(list(params), max_norm).item()
""",
        told="forbids",
    ),
    right(
        """def clip_gradients(params, max_norm):
    params = list(params)
    total = 0.0
    for p in params:
        if p.grad is not None:
            for value in p.grad.flatten():
                total += value.item() ** 2
    norm = total**0.5
    if norm > max_norm:
        for p in params:
            if p.grad is not None:
                p.grad.data.copy_(p.grad.data / norm * max_norm)
    return norm
"""
    ),
    right(
        """import numpy as np


def clip_gradients(params, max_norm):
    grads = [p.grad.numpy() for p in params if p.grad is not None]
    norm = float(np.sqrt(sum(np.sum(g**2) for g in grads)))
    if norm <= max_norm:
        return norm
    for g in grads:
        g *= max_norm / norm
    return norm
"""
    ),
    right(
        """def clip_gradients(params, max_norm):
    params = [p for p in params if p.grad is not None]
    norm = sum((p.grad ** 2).sum() for p in params) ** 0.5
    if norm > max_norm:
        for p in params: p.grad *= max_norm / norm
    return norm
"""
    ),
)

FIT = (
    edit(
        "losses.append(validate())",
        "model.eval()\n        losses.append(validate())",
        told="trained in evaluation mode",
    ),
    edit("copy.deepcopy(model.state_dict())", "model.state_dict()", told="copy"),
    edit("copy.deepcopy(model.state_dict())", "dict(model.state_dict())", told="copy"),
    edit(
        "copy.deepcopy(model.state_dict())",
        "copy.copy(model.state_dict())",
        told="copy",
    ),
    edit("        model.load_state_dict(kept)", "        pass", told="last weights"),
    edit("losses[-1] < best", "losses[-1] > best", told="lower is better"),
    edit("losses[-1] < best", "losses[-1] <= best", told="equal"),
    edit(
        "epoch - best_epoch >= patience",
        "epoch - best_epoch > patience",
        told="one epoch too many",
    ),
    edit(
        "epoch - best_epoch >= patience",
        "epoch - best_epoch >= patience - 1",
        told="one epoch too few",
    ),
    edit(
        "epoch - best_epoch >= patience",
        "epoch - best_epoch >= 1",
        told="patience was ignored",
    ),
    edit(
        "epoch - best_epoch >= patience",
        "epoch - best_epoch >= 3",
        told="patience was ignored",
    ),
    edit("epoch - best_epoch >= patience", "False", told="never stopped"),
    edit("    return losses", "    return best", told="list"),
    edit("    return losses", "    return model", told="list"),
    edit(
        "    return losses", "    return losses[: best_epoch + 1]", told="every epoch"
    ),
    edit("    return losses", "    print(losses)", told="is a return missing"),
    edit(
        "        train_epoch()\n        losses.append(validate())",
        "        losses.append(validate())\n        train_epoch()",
        told="before training",
    ),
    edit(
        "        losses.append(validate())",
        "        losses.append(validate())\n        validate()",
        told="once",
    ),
    edit("        train_epoch()\n", "", told="never trained"),
    edit(
        "losses[-1] < best",
        "len(losses) < 2 or losses[-1] < losses[-2]",
        told="the epoch before",
    ),
    edit(
        "            kept = copy.deepcopy(model.state_dict())",
        "            kept = copy.deepcopy(model)",
        told="state_dict",
    ),
    wrong(
        """def fit(model, train_epoch, validate, epochs, patience):
    losses, best, bad, kept = [], math.inf, 0, None
    for epoch in range(epochs):
        train_epoch()
        losses.append(validate())
        if losses[-1] < best:
            best = losses[-1]
            kept = copy.deepcopy(model.state_dict())
        else:
            bad += 1
            if bad >= patience:
                break
    if kept is not None:
        model.load_state_dict(kept)
    return losses
""",
        told="in a row",
    ),
    wrong(
        """def fit(model, train_epoch, validate, epochs, patience):
    losses, best, kept = [], math.inf, None
    epoch = 0
    while True:
        train_epoch()
        losses.append(validate())
        if losses[-1] < best:
            best, best_epoch = losses[-1], epoch
            kept = copy.deepcopy(model.state_dict())
        elif epoch - best_epoch >= patience:
            break
        epoch += 1
    model.load_state_dict(kept)
    return losses
""",
        told="epochs",
    ),
    wrong(
        """def fit(model, train_epoch, validate, epochs, patience):
    losses, best, kept = [], 1.0, None
    best_epoch = -1
    for epoch in range(epochs):
        train_epoch()
        losses.append(validate())
        if losses[-1] < best:
            best, best_epoch = losses[-1], epoch
            kept = copy.deepcopy(model.state_dict())
        elif epoch - best_epoch >= patience:
            break
    if kept is not None:
        model.load_state_dict(kept)
    return losses
""",
        told="first epoch",
    ),
    wrong(
        """def fit(model, train_epoch, validate, epochs, patience):
    losses, best, best_epoch = [], math.inf, -1
    for epoch in range(epochs):
        train_epoch()
        losses.append(validate())
        if losses[-1] < best:
            best, best_epoch = losses[-1], epoch
            model = copy.deepcopy(model)
        elif epoch - best_epoch >= patience:
            break
    return losses
""",
        told="last weights",
    ),
    right(
        """def fit(model, train_epoch, validate, epochs, patience):
    losses, best, waited = [], None, 0
    kept = {k: v.clone() for k, v in model.state_dict().items()}
    for _ in range(epochs):
        train_epoch()
        loss = validate()
        losses.append(loss)
        if best is None or loss < best:
            best, waited = loss, 0
            kept = {k: v.clone() for k, v in model.state_dict().items()}
        else:
            waited += 1
        if waited == patience:
            break
    model.load_state_dict(kept)
    return losses
"""
    ),
    right(
        """def fit(model, train_epoch, validate, epochs, patience):
    losses, kept = [], []
    while len(losses) < epochs:
        train_epoch()
        losses.append(validate())
        kept.append(copy.deepcopy(model.state_dict()))
        if len(losses) - 1 - losses.index(min(losses)) >= patience:
            break
    if kept:
        model.load_state_dict(kept[losses.index(min(losses))])
    return losses
"""
    ),
    wrong(
        """def fit(model, train_epoch, validate, epochs, patience):
    losses = ()
    best = float("inf")
    left = patience
    kept = None
    for epoch in range(epochs):
        model.train()
        train_epoch()
        model.eval()
        with torch.no_grad():
            loss = float(validate())
        losses += (loss,)
        if loss < best:
            best, left = loss, patience
            kept = [p.detach().clone() for p in model.parameters()]
        else:
            left -= 1
            if left <= 0:
                break
    if kept:
        with torch.no_grad():
            for p, old in zip(model.parameters(), kept):
                p.copy_(old)
    return losses
""",
        told="buffers",
    ),
    right(
        """def fit(model, train_epoch, validate, epochs, patience):
    losses, best, left = (), float("inf"), patience
    kept = {}
    for epoch in range(epochs):
        model.train()
        train_epoch()
        model.eval()
        with torch.no_grad():
            loss = float(validate())
        losses += (loss,)
        if loss < best:
            best, left = loss, patience
            for name, value in model.state_dict().items():
                kept[name] = value.numpy().copy()
        else:
            left -= 1
            if left <= 0:
                break
    for name, value in model.state_dict().items():
        value.copy_(torch.tensor(kept[name]))
    return losses
"""
    ),
    right(
        """import io


def fit(model, train_epoch, validate, epochs, patience):
    losses, best, since, file = [], math.inf, 0, None
    for epoch in range(epochs):
        train_epoch()
        losses.append(validate())
        since += 1
        if losses[-1] < best:
            best, since, file = losses[-1], 0, io.BytesIO()
            torch.save(model.state_dict(), file)
        if since >= patience:
            break
    if file:
        file.seek(0)
        model.load_state_dict(torch.load(file))
    return losses
"""
    ),
    right(
        """def fit(model, train_epoch, validate, epochs, patience):
    losses = []
    kept = None
    for _ in range(epochs):
        train_epoch()
        losses.append(validate())
        print("epoch", len(losses), losses[-1])
        if losses[-1] < min(losses[:-1], default=math.inf):
            kept = copy.deepcopy(model)
        if len(losses) > patience and min(losses[-patience:]) >= min(losses[:-patience]):
            break
    if kept is not None:
        model.load_state_dict(kept.state_dict())
    return losses
"""
    ),
    wrong(
        """def fit(model, train_epoch, validate, epochs, patience):
    losses = []
    best = float("inf"); since = 0
    for e in range(epochs):
        train_epoch()
        loss = validate(); losses.append(loss)
        if loss < best:
            best = loss; keep = copy.deepcopy(model.state_dict())
        if e > 0 and loss >= losses[-2]:
            since += 1
            if since >= patience: break
        else: since = 0
    model.load_state_dict(keep)
    return losses
""",
        told="how old the best is",
    ),
    wrong(
        """def fit(model, train_epoch, validate, epochs, patience):
    losses = []
    best = float("inf"); since = 0
    for _ in range(epochs):
        train_epoch()
        loss = validate(); losses.append(loss)
        if loss < best:
            best = loss; keep = copy.deepcopy(model.state_dict()); since = 0
        else:
            since += 1
            if since >= patience:
                model.load_state_dict(keep)
                break
    return losses
""",
        told="in any case",
    ),
    wrong(
        """def fit(model, train_epoch, validate, epochs, patience):
    losses = []
    best = float("inf"); since = 0
    for _ in range(epochs):
        train_epoch()
        loss = validate(); losses.append(loss)
        if loss < best:
            best = loss; keep = copy.deepcopy(model); since = 0
        else:
            since += 1
            if since >= patience: break
    model = keep
    return losses
""",
        told="changes only a name",
    ),
    wrong(
        """def fit(model, train_epoch, validate, epochs, patience):
    losses = []
    best = 100; since = 0
    for _ in range(epochs):
        train_epoch()
        loss = validate(); losses.append(loss)
        if loss < best:
            best = loss; keep = copy.deepcopy(model.state_dict()); since = 0
        else:
            since += 1
            if since >= patience: break
    model.load_state_dict(keep)
    return losses
""",
        told="whatever its loss",
    ),
)

# Second thoughts of learners: causes that no earlier answer needed.
LATER = {
    "07.3": (
        wrong(
            """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            m, v, t = state.get(p, (0, 0, 0))
            t += 1
            m = betas[0] * m + (1 - betas[0]) * p.grad
            v = betas[1] * v + (1 - betas[1]) * m**2
            state[p] = m, v, t
            p -= lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps)
""",
            told="not that of m",
        ),
        wrong(
            """def adam_step(params, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            m, v, t = state.get(p, (0, 0, 0))
            t += 1
            m = betas[0] * m + (1 - betas[0]) * p.grad
            v = betas[1] * v + (1 - betas[1]) * (p.grad**2).mean()
            state[p] = m, v, t
            p -= lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps)
""",
            told="each element has its own v",
        ),
    ),
    "07.4": (
        wrong(
            """def step_lr(step, lr, every, factor=0.1):
    return lr * factor ** ((step - 1) // every)


def warmup_cosine(step, lr, warmup, total):
    if step < warmup:
        return lr * (step + 1) / warmup
    if step >= total:
        return 0.0
    return lr * (1 + math.cos(math.pi * (step - warmup) / (total - warmup))) / 2
""",
            told="the first cut comes after",
        ),
        edit(
            "    if step < warmup:\n        return lr * (step + 1) / warmup",
            "    if step <= warmup:\n        return lr * step / max(warmup, 1)",
            told="step 0 has lr / warmup already",
        ),
        edit(
            "        return lr * (step + 1) / warmup\n"
            "    if step >= total:\n        return 0.0\n",
            "        return lr * step / warmup\n",
            told="step 0 has lr / warmup already",
        ),
    ),
    "07.5": (
        wrong(
            """def clip_gradients(params, max_norm):
    norm = 0.0
    for p in params:
        if p.grad is not None:
            norm = p.grad.norm().item()
            if norm > max_norm:
                p.grad *= max_norm / norm
    return norm
""",
            told="clipped by its own norm, and the last one was returned",
        ),
        wrong(
            """def clip_gradients(params, max_norm):
    for p in params:
        if p.grad is None:
            continue
        norm = p.grad.norm()
        if norm > max_norm:
            p.grad = p.grad * max_norm / norm
    return norm
""",
            told="clipped by its own norm, and the last one was returned",
        ),
    ),
}

ANSWERS = {
    "07.1": SGD,
    "07.2": MOMENTUM,
    "07.3": ADAM + LATER["07.3"],
    "07.4": SCHEDULES + LATER["07.4"],
    "07.5": CLIP + LATER["07.5"],
    "07.6": FIT,
}
