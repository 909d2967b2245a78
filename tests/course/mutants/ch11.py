"""Chapter 11: answers as learners write them."""

from __future__ import annotations

from tests.course.mutants.answers import edit, right, wrong

__all__ = ["ANSWERS"]

STEP = "h = torch.tanh(step @ w_x.T + h @ w_h.T + b)"

RNN = (
    edit("h @ w_h.T", "h @ w_h", told="w_h must be transposed"),
    edit("step @ w_x.T", "step @ w_x", told="w_x"),
    edit("torch.tanh(", "(", told="tanh is missing"),
    edit("torch.tanh(", "torch.sigmoid(", told="not sigmoid"),
    edit("torch.tanh(", "torch.relu(", told="not relu"),
    edit(" + b)", ")", told="bias is missing"),
    edit(" + b)", ") + b", told="belongs inside tanh"),
    edit(STEP, "h = torch.tanh(step @ w_x.T + b) + h @ w_h.T", told="whole sum"),
    edit(" + h @ w_h.T", "", told="state does not count"),
    edit("step @ w_x.T + ", "", told="input does not count"),
    edit(
        f"{STEP}\n        states.append(h)",
        f"states.append(h)\n        {STEP}",
        told="before the steps",
    ),
    edit(
        f"{STEP}\n        states.append(h)",
        f"states.append({STEP[4:]})",
        told="not carried on",
    ),
    edit("return torch.stack(states)", "return h", told="only the last state"),
    edit("torch.stack(states)", "torch.cat(states)", told="stack, not cat"),
    edit("torch.stack(states)", "states", told="not in a tensor"),
    edit("torch.stack(states)", "torch.stack(states, dim=1)", told="time comes first"),
    edit("states = []", "states, h = [], torch.zeros_like(h)", told="first h"),
    edit("states = []", "states = [h]", told="shape"),
    edit("for step in x:", "for step in x[1:]:", told="shape"),
    edit("for step in x:", "for step in x.transpose(0, 1):", told="x[t] is the batch"),
    edit("for step in x:", "for step in x.flip(0):", told="read backward"),
    edit("step @ w_x.T", "x[0] @ w_x.T", told="x[0] at every step"),
    edit("        states.append(h)", "    states.append(h)", told="shape"),
    edit("    return torch.stack(states)", "", told="return missing"),
    edit(
        STEP,
        "h.copy_(torch.tanh(step @ w_x.T + h @ w_h.T + b))",
        told="changed in place",
    ),
    wrong(
        """def rnn(x, h, w_x, w_h, b):
    states = []
    for step in x:
        h = step @ w_x.T + h @ w_h.T + b
        states.append(torch.tanh(h))
    return torch.stack(states)
""",
        told="after tanh",
    ),
    wrong(
        """def rnn(x, h, w_x, w_h, b):
    cell = torch.nn.RNN(w_x.shape[1], w_x.shape[0])
    with torch.no_grad():
        cell.weight_ih_l0.copy_(w_x)
        cell.weight_hh_l0.copy_(w_h)
        cell.bias_ih_l0.copy_(b)
        cell.bias_hh_l0.zero_()
    cell.to(x.dtype)
    return cell(x, h.unsqueeze(0))[0]
""",
        told="forbids",
    ),
    wrong(
        """def rnn(x, h, w_x, w_h, b):
    import numpy as np
    x, h, w_x, w_h, b = (v.numpy() for v in (x, h, w_x, w_h, b))
    states = []
    for step in x:
        h = np.tanh(step @ w_x.T + h @ w_h.T + b)
        states.append(h)
    return np.stack(states)
""",
        told="not in a tensor",
    ),
    right(
        """def rnn(x, h, w_x, w_h, b):
    states = torch.empty(len(x), *h.shape, dtype=x.dtype)
    for t in range(len(x)):
        h = torch.tanh(x[t] @ w_x.T + h @ w_h.T + b)
        states[t] = h
    return states
"""
    ),
    right(
        """def rnn(x, h, w_x, w_h, b):
    sums = F.linear(x, w_x, b)
    states = []
    for inside in sums.unbind(0):
        h = (inside + F.linear(h, w_h)).tanh()
        states += [h]
    return torch.stack(states, dim=0)
"""
    ),
    right(
        """def rnn(x, h, w_x, w_h, b):
    import numpy as np
    x, h, w_x, w_h, b = (v.detach().numpy() for v in (x, h, w_x, w_h, b))
    states = []
    for step in x:
        h = np.tanh(step @ w_x.T + h @ w_h.T + b)
        states.append(h)
    return torch.from_numpy(np.stack(states))
"""
    ),
    right(
        """def rnn(x, h, w_x, w_h, b):
    if len(x) == 0:
        return h.new_zeros((0, *h.shape))
    h = torch.tanh(x[0].matmul(w_x.t()) + h.matmul(w_h.t()) + b)
    rest = rnn(x[1:], h, w_x, w_h, b)
    return torch.cat([h.unsqueeze(0), rest])
"""
    ),
    right(
        """def rnn(x, h, w_x, w_h, b):
    both = torch.cat([w_x, w_h], dim=1)
    states = []
    for step in x:
        h = torch.tanh(torch.cat([step, h], dim=1) @ both.T + b)
        states.append(h)
    return torch.stack(states)
"""
    ),
    wrong(
        """def rnn(x, h, w_x, w_h, b):
    states = [h]
    for step in x:
        h = torch.tanh(step @ w_x.T + h @ w_h.T + b)
        states.append(h)
    return torch.stack(states)
""",
        told="first h was given",
    ),
    right(
        """def rnn(x, h, w_x, w_h, b):
    import numpy as np
    X, H, A, B, c = (v.numpy() for v in (x, h, w_x, w_h, b))
    out = np.empty((len(X), *H.shape), dtype=X.dtype)
    for t in range(len(X)):
        H = np.tanh(X[t] @ A.T + H @ B.T + c)
        out[t] = H
    return torch.from_numpy(out)
"""
    ),
    right(
        """def rnn(x, h, w_x, w_h, b):
    y = torch.zeros(x.shape[0], x.shape[1], h.shape[1], dtype=x.dtype)
    pre = torch.einsum('tni,hi->tnh', x, w_x) + b
    for t in range(x.shape[0]):
        y[t] = (pre[t] + torch.einsum('nk,hk->nh', y[t - 1] if t else h, w_h)).tanh()
    return y
"""
    ),
)

INSIDE = "inside = (g[t] + back) * (1 - states[t + 1] ** 2)"

GRADIENT = (
    edit(
        INSIDE,
        "inside = g[t] * (1 - states[t + 1] ** 2) + back",
        told="the slope is for both",
    ),
    edit("back = inside @ w_h", "pass", told="nothing comes back"),
    edit("(g[t] + back)", "g[t]", told="nothing comes back"),
    edit(" * (1 - states[t + 1] ** 2)", "", told="slope of tanh is missing"),
    edit("states[t + 1] ** 2", "states[t + 1]", told="not 1 - h"),
    edit("states[t + 1] ** 2", "states[t + 1].tanh() ** 2", told="after tanh already"),
    edit("(1 - states[t + 1] ** 2)", "(1 - states[t] ** 2)", told="after the step"),
    edit(
        "(1 - states[t + 1] ** 2)",
        "states[t + 1] * (1 - states[t + 1])",
        told="slope of sigmoid",
    ),
    edit("inside.T @ states[t]", "inside.T @ states[t + 1]", told="before the step"),
    edit("inside.T @ states[t]", "states[t].T @ inside", told="gradient is transposed"),
    edit("back = inside @ w_h", "back = inside @ w_h.T", told="not transposed"),
    edit("back = inside @ w_h", "back = inside", told="multiplied by w_h"),
    edit(
        "back = inside @ w_h",
        "back = (g[t] + back) @ w_h",
        told="with the slope in it",
    ),
    edit(
        "total = total + inside.T @ states[t]",
        "total = inside.T @ states[t]",
        told="only one step is left",
    ),
    edit(
        "total = total + inside.T @ states[t]",
        "total = total + inside.T @ states[t] / states.shape[1]",
        told="not its mean",
    ),
    edit("range(len(g) - 1, -1, -1)", "range(len(g))", told="begin with the last"),
    edit("range(len(g) - 1, -1, -1)", "range(len(g) - 1, 0, -1)", told="first step is"),
    edit("range(len(g) - 1, -1, -1)", "range(len(g) - 2, -1, -1)", told="last step is"),
    edit("return total", "return total / len(g)", told="not their mean"),
    edit("return total", "return -total", told="sign"),
    edit("return total", "return back", told=""),
    edit("    return total\n", "", told="return missing"),
    edit(
        "total = torch.zeros_like(w_h)",
        "total = w_h",
        told="",
    ),
    edit(
        "back = torch.zeros_like(states[0])",
        "back, g = torch.zeros_like(states[0]), g * torch.zeros_like(g)",
        told="",
    ),
    wrong(
        """def gradient_of_w(states, g, w_h):
    total = torch.zeros_like(w_h)
    back = g[-1]
    for t in range(len(g) - 1, -1, -1):
        inside = back * (1 - states[t + 1] ** 2)
        total = total + inside.T @ states[t]
        back = inside @ w_h
    return total
""",
        told="only the last g",
    ),
    wrong(
        """def gradient_of_w(states, g, w_h):
    w = w_h.clone().requires_grad_()
    total = 0
    for t in range(len(g)):
        h = states[t] @ w.T
        total = total + (h * g[t]).sum()
    total.backward()
    return w.grad
""",
        told="forbids",
    ),
    wrong(
        """def gradient_of_w(states, g, w_h):
    back = torch.zeros_like(states[0])
    for t in range(len(g) - 1, -1, -1):
        g[t] += back
        inside = g[t] * (1 - states[t + 1] ** 2)
        back = inside @ w_h
    return sum(
        (g[t] * (1 - states[t + 1] ** 2)).T @ states[t] for t in range(len(g))
    )
""",
        told="changed in place",
    ),
    right(
        """def gradient_of_w(states, g, w_h):
    slopes = 1 - states[1:] ** 2
    total, back = 0, 0
    for t in reversed(range(len(g))):
        inside = slopes[t] * (back + g[t])
        total += torch.einsum("ni,nj->ij", inside, states[t])
        back = inside @ w_h
    return total
"""
    ),
    right(
        """def gradient_of_w(states, g, w_h):
    inside = [None] * len(g)
    back = torch.zeros_like(g[0])
    for t in range(len(g) - 1, -1, -1):
        inside[t] = (g[t] + back) * (1 - states[t + 1] * states[t + 1])
        back = inside[t] @ w_h
    return torch.cat(inside).T @ states[:-1].flatten(0, 1)
"""
    ),
    right(
        """def gradient_of_w(states, g, w_h):
    import numpy as np
    s, g, w = (np.asarray(v) for v in (states, g, w_h))
    total, back = np.zeros_like(w), np.zeros_like(s[0])
    for t in range(len(g))[::-1]:
        inside = (g[t] + back) * (1 - s[t + 1] ** 2)
        total += inside.T @ s[t]
        back = inside @ w
    return torch.from_numpy(total)
"""
    ),
    right(
        """def gradient_of_w(states, g, w_h):
    total = torch.zeros_like(w_h)
    for last in range(len(g)):
        back = g[last]
        for t in range(last, -1, -1):
            inside = back * (1 - states[t + 1] ** 2)
            total += inside.T @ states[t]
            back = inside @ w_h
    return total
"""
    ),
    right(
        """def gradient_of_w(states, g, w_h):
    def back_from(t):
        if t == len(g):
            return torch.zeros_like(states[0]), torch.zeros_like(w_h)
        back, total = back_from(t + 1)
        inside = (g[t] + back).mul(1 - states[t + 1].square())
        return inside.matmul(w_h), total + inside.t().matmul(states[t])
    return back_from(0)[1]
"""
    ),
    wrong(
        """def gradient_of_w(states, g, w_h):
    total = torch.zeros_like(w_h)
    back = torch.zeros_like(g[0])
    for t in range(len(g) - 1, -1, -1):
        inside = back * (1 - states[t + 1] ** 2) + g[t]
        total = total + inside.T @ states[t]
        back = inside @ w_h
    return total
""",
        told="add first",
    ),
    wrong(
        """def gradient_of_w(states, g, w_h):
    total = torch.zeros_like(w_h)
    back = torch.zeros_like(states[0])
    for t in reversed(range(len(g))):
        a = (g[t] + back) * (1 - states[t + 1] ** 2)
        total += a.T @ states[t]
        back += a @ w_h
    return total
""",
        told="what goes back replaces what came before",
    ),
    wrong(
        """def gradient_of_w(states, g, w_h):
    return torch.tensor([[0.9375]])
""",
        told="the result is always the same",
    ),
    wrong(
        """def gradient_of_w(states, g, w_h):
    total = torch.zeros_like(w_h)
    back = torch.zeros_like(states[0])
    for t in reversed(range(len(g))):
        a = (g[t] + back) * (1 - states[t + 1] ** 2)
        total += a.T @ states[t]
        back = a * w_h
    return total
""",
        told="the inner sizes differ",
    ),
    right(
        """def gradient_of_w(states, g, w_h):
    import numpy as np
    S, G, W = states.numpy(), g.numpy(), w_h.numpy()
    total, back = np.zeros_like(W), 0
    for t in range(len(G))[::-1]:
        a = (G[t] + back) * (1 - S[t + 1] * S[t + 1])
        total = total + np.einsum('ni,nj->ij', a, S[t])
        back = a @ W
    return torch.from_numpy(total)
"""
    ),
    right(
        """def gradient_of_w(states, g, w_h):
    rest = torch.zeros_like(g[0])
    terms = []
    for h, before, gt in zip(states[1:].flip(0), states[:-1].flip(0), g.flip(0)):
        rest = (gt + rest) * (1 - h * h)
        terms.append(torch.einsum('ni,nj->ij', rest, before))
        rest = rest @ w_h
    return torch.stack(terms).sum(0)
"""
    ),
)

NEW_C = "c = f.sigmoid() * c + i.sigmoid() * g.tanh()"
GATES = "i, f, g, o = "
RETURN = "return o.sigmoid() * c.tanh(), c"

LSTM = (
    edit(GATES, "f, i, g, o = ", told="this is f, i, g, o"),
    edit(GATES, "i, f, o, g = ", told="this is i, f, o, g"),
    edit(GATES, "i, g, f, o = ", told="this is i, g, f, o"),
    edit(RETURN, "return c, o.sigmoid() * c.tanh()", told="h comes first"),
    edit(RETURN, "return o.sigmoid() * c, c", told="tanh(c) is missing"),
    edit(RETURN, "return c.tanh(), c", told="output gate is missing"),
    edit(RETURN, "return o * c.tanh(), c", told="σ is missing in the output gate"),
    edit(RETURN, "return o.sigmoid() * c.tanh()", told="shape"),
    edit(RETURN, "print(o.sigmoid() * c.tanh(), c)", told="return missing"),
    edit(
        RETURN,
        "h = o.sigmoid() * c.tanh()\n    return torch.cat([h, c])",
        told="shape",
    ),
    edit("i.sigmoid() * g.tanh()", "i.sigmoid() * g.sigmoid()", told="not sig"),
    edit("i.sigmoid() * g.tanh()", "i.sigmoid() * g", told="tanh of g is missing"),
    edit("i.sigmoid() * g.tanh()", "g.tanh()", told="input gate is missing"),
    edit("f.sigmoid() * c + i", "c + i", told="forget gate is missing"),
    edit("f.sigmoid() * c + i", "i", told="old c is lost"),
    edit("f.sigmoid() * c + i", "f.sigmoid() * c - i", told="not subtracted"),
    edit("f.sigmoid() * c", "(1 - f.sigmoid()) * c", told="says what stays"),
    edit("i.sigmoid() * g", "(1 - f.sigmoid()) * g", told="not 1 - σ(f)"),
    edit(NEW_C, "c = f * c + i * g.tanh()", told=""),
    edit(" + b)", ")", told="bias is missing"),
    edit(" + h @ w_h.T", "", told="h does not count"),
    edit("h @ w_h.T", "c @ w_h.T", told="not c"),
    edit("chunk(4, dim=1)", "chunk(4, dim=0)", told="raised"),
    edit("x @ w_x.T", "x @ w_x", told="raised"),
    edit("h @ w_h.T", "h @ w_h", told="raised"),
    edit(
        NEW_C,
        "c *= f.sigmoid()\n    c += i.sigmoid() * g.tanh()",
        told="changed in place",
    ),
    edit(
        f"{NEW_C}\n    {RETURN}",
        "new = f.sigmoid() * c + i.sigmoid() * g.tanh()\n"
        "    return o.sigmoid() * c.tanh(), new",
        told="not from the old one",
    ),
    wrong(
        """def lstm_step(x, h, c, w_x, w_h, b):
    sums = x @ w_x.T + h @ w_h.T + b
    i, f, g, o = (sums[:, k::4] for k in range(4))
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c
""",
        told="not every fourth",
    ),
    wrong(
        """def lstm_step(x, h, c, w_x, w_h, b):
    i, f, g, o = (x @ w_x.T + h @ w_h.T + b).chunk(4, dim=1)
    c = f.tanh() * c + i.tanh() * g.tanh()
    return o.tanh() * c.tanh(), c
""",
        told="not tanh",
    ),
    wrong(
        """def lstm_step(x, h, c, w_x, w_h, b):
    return torch.lstm_cell(x, (h, c), w_x, w_h, b, torch.zeros_like(b))
""",
        told="forbids",
    ),
    wrong(
        """def lstm_step(x, h, c, w_x, w_h, b):
    import numpy as np
    x, h, c, w_x, w_h, b = (v.numpy() for v in (x, h, c, w_x, w_h, b))
    def s(v):
        return 1 / (1 + np.exp(-v))
    i, f, g, o = np.split(x @ w_x.T + h @ w_h.T + b, 4, axis=1)
    c = s(f) * c + s(i) * np.tanh(g)
    return s(o) * np.tanh(c), c
""",
        told="not in a tensor",
    ),
    right(
        """def lstm_step(x, h, c, w_x, w_h, b):
    n = h.shape[1]
    sums = F.linear(x, w_x, b) + F.linear(h, w_h)
    i = torch.sigmoid(sums[:, :n])
    f = torch.sigmoid(sums[:, n : 2 * n])
    g = torch.tanh(sums[:, 2 * n : 3 * n])
    o = torch.sigmoid(sums[:, 3 * n :])
    new = f * c + i * g
    return o * torch.tanh(new), new
"""
    ),
    right(
        """def lstm_step(x, h, c, w_x, w_h, b):
    w = torch.cat([w_x, w_h], dim=1)
    i, f, g, o = (torch.cat([x, h], dim=1) @ w.T + b).split(h.shape[1], dim=1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return [o.sigmoid() * c.tanh(), c]
"""
    ),
    right(
        """def lstm_step(x, h, c, w_x, w_h, b):
    def gate(k):
        part = slice(k * h.shape[1], (k + 1) * h.shape[1])
        return x @ w_x[part].T + h @ w_h[part].T + b[part]
    c = gate(1).sigmoid() * c + gate(0).sigmoid() * gate(2).tanh()
    h = gate(3).sigmoid() * c.tanh()
    return h, c
"""
    ),
    right(
        """def lstm_step(x, h, c, w_x, w_h, b):
    import numpy as np
    x, h, c, w_x, w_h, b = (np.asarray(v) for v in (x, h, c, w_x, w_h, b))
    def s(v):
        return 1 / (1 + np.exp(-v))
    i, f, g, o = np.split(x @ w_x.T + h @ w_h.T + b, 4, axis=1)
    c = s(f) * c + s(i) * np.tanh(g)
    return torch.from_numpy(s(o) * np.tanh(c)), torch.from_numpy(c)
"""
    ),
    right(
        """def lstm_step(x, h, c, w_x, w_h, b):
    sums = (x @ w_x.T + h @ w_h.T + b).reshape(len(x), 4, -1)
    i, f, o = sums[:, [0, 1, 3]].sigmoid().unbind(1)
    c = torch.addcmul(f * c, i, sums[:, 2].tanh())
    return o.mul(c.tanh()), c
"""
    ),
    wrong(
        """def lstm_step(x, h, c, w_x, w_h, b):
    i, f, g, o = (x @ w_x.T + h @ w_h.T + b).chunk(4)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c
""",
        told="of the columns",
    ),
    wrong(
        """def lstm_step(x, h, c, w_x, w_h, b):
    i, f, g, o = (x @ w_x.T + h @ w_h.T + b).chunk(4, dim=1)
    c = f.sigmoid() * (c + i.sigmoid() * g.tanh())
    return o.sigmoid() * c.tanh(), c
""",
        told="the forget gate is for the old c only",
    ),
    wrong(
        """def lstm_step(x, h, c, w_x, w_h, b):
    i, f, g, o = (x @ w_x.T + h @ w_h.T + b).chunk(4, dim=1)
    c = (f.sigmoid() * c + i.sigmoid() * g.tanh()).tanh()
    return o.sigmoid() * c, c
""",
        told="tanh is for h only",
    ),
    right(
        """def lstm_step(x, h, c, w_x, w_h, b):
    H = h.shape[1]
    s = torch.nn.functional.linear(x, w_x) + torch.nn.functional.linear(h, w_h, b)
    gate = torch.sigmoid(s)
    new = gate[:, H:2 * H] * c + gate[:, :H] * torch.tanh(s[:, 2 * H:3 * H])
    return [gate[:, 3 * H:] * torch.tanh(new), new]
"""
    ),
    right(
        """def lstm_step(x, h, c, w_x, w_h, b):
    import numpy as np
    X, Hh, C, A, B, d = (v.numpy() for v in (x, h, c, w_x, w_h, b))
    i, f, g, o = np.split(X @ A.T + Hh @ B.T + d, 4, axis=1)
    s = lambda z: 1 / (1 + np.exp(-z))
    C = s(f) * C + s(i) * np.tanh(g)
    return torch.from_numpy(s(o) * np.tanh(C)), torch.from_numpy(C)
"""
    ),
)

SIZES = "[sum(n > t for n in lengths) for t in range(max(lengths))]"
PACK_LINE = "torch.cat([padded[t, :n] for t, n in enumerate(sizes)])"

PACK = (
    edit("n > t for", "n >= t for", told="counted from 0"),
    edit(
        f"return {SIZES}",
        "return [(lengths > t).sum().item() for t in range(max(lengths))]",
        told="not compared element by element",
    ),
    edit(
        f"return {SIZES}",
        "return [sum(n > t for n in lengths) for t in range(lengths.max())]",
        told="the value is a list",
    ),
    edit(PACK_LINE, f"{PACK_LINE}.tolist()", told="not in a tensor"),
    edit("n > t for", "n <= t for", told="not those that have ended"),
    edit("n > t for", "n == t for", told=""),
    edit("n > t for", "n == t + 1 for", told="exactly this length"),
    edit(
        "range(max(lengths))",
        "range(len(lengths))",
        told="as many steps as the longest",
    ),
    edit("range(max(lengths))", "range(min(lengths))", told="end with the shortest"),
    edit("range(max(lengths))", "range(1, max(lengths))", told="first step is missing"),
    edit("range(max(lengths))", "range(max(lengths) + 1)", told="no 0 at the end"),
    edit("range(max(lengths))", "range(max(lengths) - 1)", told="last step is missing"),
    edit(f"return {SIZES}", "return lengths", told="part of the argument"),
    edit(f"return {SIZES}", "return list(lengths)", told="count per step"),
    edit(
        f"return {SIZES}", "return [len(lengths)] * max(lengths)", told="shorter ones"
    ),
    edit(f"return {SIZES}", f"return {SIZES}[::-1]", told="first step comes first"),
    edit(f"return {SIZES}", f"print({SIZES})", told="return missing"),
    edit(
        f"return {SIZES}",
        "sizes = torch.zeros(max(lengths))\n    for n in lengths:\n"
        "        sizes[:n] += 1\n    return sizes",
        told="torch.zeros and torch.empty make floats",
    ),
    edit(
        PACK_LINE,
        "padded.reshape(-1, padded.shape[2])[: sum(lengths)]",
        told="often reshape() make views",
    ),
    edit(
        f"return {SIZES}",
        f"return torch.tensor({SIZES}).float().tolist()",
        told="sum of floats are floats: count with int",
    ),
    edit(PACK_LINE, "padded.flatten(0, 1)", told="padding is still there"),
    edit(
        PACK_LINE,
        "padded.transpose(0, 1).flatten(0, 1)",
        told="padding is still there",
    ),
    edit(
        PACK_LINE,
        "torch.cat([padded[:m, i] for i, m in enumerate(lengths)])",
        told="step by step",
    ),
    edit(
        PACK_LINE,
        "torch.cat([padded[:n, t] for t, n in enumerate(sizes)])",
        told="padded[t]",
    ),
    edit(
        PACK_LINE,
        "torch.cat([padded[t, -n:] for t, n in enumerate(sizes)])",
        told="longest come first",
    ),
    edit(
        PACK_LINE,
        "torch.stack([padded[t, :n] for t, n in enumerate(sizes)])",
        told="raised",
    ),
    edit(
        PACK_LINE,
        "torch.cat([padded[t, :n] for t, n in enumerate(sizes[:-1])])",
        told="last step is missing",
    ),
    edit(PACK_LINE, f"{PACK_LINE}.flatten()", told="shape"),
    edit(PACK_LINE, f"{PACK_LINE}.flip(0)", told=""),
    edit(PACK_LINE, f"{PACK_LINE}.tolist()", told="not in a tensor"),
    edit(
        PACK_LINE,
        "[padded[t, :n] for t, n in enumerate(sizes)]",
        told="not a number or a tensor",
    ),
    edit(
        PACK_LINE,
        "padded.flatten(0, 1)[(padded != 0).any(dim=2).flatten()]",
        told="a 0 can be data",
    ),
    edit(
        f"return {PACK_LINE}",
        "return torch.nn.utils.rnn.pack_padded_sequence(padded, lengths).data",
        told="forbids",
    ),
    edit(f"return {PACK_LINE}", PACK_LINE, told="return missing"),
    right(
        """def batch_sizes(lengths):
    sizes = []
    t = 0
    while any(n > t for n in lengths):
        sizes.append(len([n for n in lengths if n > t]))
        t += 1
    return sizes


def pack(padded, lengths):
    rows = []
    for t in range(max(lengths)):
        for i, n in enumerate(lengths):
            if t < n:
                rows.append(padded[t, i])
    return torch.stack(rows)
"""
    ),
    right(
        """def batch_sizes(lengths):
    steps = torch.arange(max(lengths)).unsqueeze(1)
    return (torch.tensor(lengths) > steps).sum(dim=1)


def pack(padded, lengths):
    steps = torch.arange(len(padded)).unsqueeze(1)
    return padded[steps < torch.tensor(lengths)]
"""
    ),
    right(
        """def batch_sizes(lengths):
    return tuple(sum(1 for n in lengths if t < n) for t in range(lengths[0]))


def pack(padded, lengths):
    return torch.cat([step[:n] for step, n in zip(padded, batch_sizes(lengths))])
"""
    ),
    right(
        """import numpy as np


def batch_sizes(lengths):
    return (np.array(lengths)[None] > np.arange(max(lengths))[:, None]).sum(1).tolist()


def pack(padded, lengths):
    parts = [padded.numpy()[t, :n] for t, n in enumerate(batch_sizes(lengths))]
    return torch.from_numpy(np.concatenate(parts))
"""
    ),
    right(
        """def batch_sizes(lengths):
    sizes = [0] * max(lengths)
    for n in lengths:
        for t in range(n):
            sizes[t] += 1
    return sizes


def pack(padded, lengths):
    total = torch.empty(sum(lengths), padded.shape[2], dtype=padded.dtype)
    at = 0
    for t, n in enumerate(batch_sizes(lengths)):
        total[at : at + n] = padded[t, :n]
        at += n
    return total
"""
    ),
    wrong(
        """def batch_sizes(lengths):
    return [2, 1, 1]

def pack(padded, lengths):
    return torch.cat([padded[t, :n] for t, n in enumerate(batch_sizes(lengths))])
""",
        told="the result is always the same",
    ),
    wrong(
        """def batch_sizes(lengths):
    lengths.sort()
    out = []
    while lengths:
        out.append(len(lengths))
        lengths = [n - 1 for n in lengths if n > 1]
    return out[::-1]

def pack(padded, lengths):
    return torch.cat([padded[t, :n] for t, n in enumerate(batch_sizes(lengths))])
""",
        told="sort() and reverse() change the list itself",
    ),
    right(
        """def batch_sizes(lengths):
    return (torch.tensor(lengths)[None] > torch.arange(max(lengths))[:, None]).sum(1).tolist()

def pack(padded, lengths):
    mask = torch.arange(len(padded))[:, None] < torch.tensor(lengths)[None]
    return padded[mask]
"""
    ),
    right(
        """def batch_sizes(lengths):
    sizes, left = [], list(lengths)
    while left:
        sizes.append(len(left))
        left = [n - 1 for n in left if n > 1]
    return tuple(sizes)

def pack(padded, lengths):
    return torch.stack([padded[t, i] for t in range(max(lengths)) for i, n in enumerate(lengths) if t < n])
"""
    ),
)

LAST_LINE = "torch.stack([outputs[n - 1, i] for i, n in enumerate(lengths)])"
MEAN = "each[valid.flatten()].mean()"

REDUCE = (
    edit(LAST_LINE, "outputs[-1]", told="last step of the batch"),
    edit(LAST_LINE, "outputs[0]", told="first step"),
    edit(LAST_LINE, "outputs[max(lengths) - 1]", told="not the longest"),
    edit(LAST_LINE, "outputs[lengths[0] - 1]", told="first one's"),
    edit(LAST_LINE, "outputs[min(lengths) - 1]", told="not the shortest"),
    edit("outputs[n - 1, i]", "outputs[n, i]", told="step n - 1"),
    edit("outputs[n - 1, i]", "outputs[n - 2, i]", told="n - 2"),
    edit("outputs[n - 1, i]", "outputs[i, n - 1]", told="time comes first"),
    edit("outputs[n - 1, i]", "outputs[:n, i].mean(dim=0)", told="not the mean"),
    edit("outputs[n - 1, i]", "outputs[:n, i].sum(dim=0)", told="not the sum"),
    edit("outputs[n - 1, i]", "outputs[:n, i].amax(dim=0)", told="not the largest"),
    edit(LAST_LINE, "outputs[[n - 1 for n in lengths]]", told="of every sequence"),
    edit(f"return {LAST_LINE}", LAST_LINE, told="return missing"),
    edit(LAST_LINE, f"{LAST_LINE}.tolist()", told="not in a tensor"),
    edit(MEAN, "each.mean()", told="padding counts"),
    edit(MEAN, "(each * valid.flatten()).mean()", told="divide by the valid ones"),
    edit(
        MEAN,
        "(each * valid.flatten()).sum() / len(lengths)",
        told="number of sequences",
    ),
    edit(MEAN, "(each * valid.flatten()).sum() / len(targets)", told="all valid ones"),
    edit(MEAN, "each[valid.flatten()].sum()", told="the sum"),
    edit(MEAN, "each[~valid.flatten()].mean()", told="instead of the data"),
    edit(MEAN, "-each[valid.flatten()].mean()", told="positive"),
    edit(MEAN, "each[valid.flatten()]", told="shape"),
    edit(MEAN, "each[valid.flatten()].mean().item()", told="not in a tensor"),
    edit("steps < torch", "steps <= torch", told="too far"),
    edit("steps < torch", "steps + 1 < torch", told="last valid step"),
    edit("steps < torch.tensor(lengths)", "steps < max(lengths)", told=""),
    edit("targets.flatten()", "targets.T.flatten()", told=""),
    edit(
        f"return {MEAN}",
        "each = each.reshape(targets.shape)\n"
        "    means = [each[:n, i].mean() for i, n in enumerate(lengths)]\n"
        "    return sum(means) / len(means)",
        told="sequences' means",
    ),
    edit(
        f"return {MEAN}",
        "each = each.reshape(targets.shape)\n"
        "    last = [each[n - 1, i] for i, n in enumerate(lengths)]\n"
        "    return torch.stack(last).mean()",
        told="only the last step",
    ),
    wrong(
        """def last_valid(outputs, lengths):
    return torch.stack([outputs[n - 1, i] for i, n in enumerate(lengths)])


def masked_loss(scores, targets, lengths):
    steps = torch.arange(len(targets)).unsqueeze(1)
    valid = steps < torch.tensor(lengths)
    scores = scores * valid.unsqueeze(2)
    return F.cross_entropy(scores.flatten(0, 1), targets.flatten())
""",
        told="scores of 0",
    ),
    wrong(
        """def last_valid(outputs, lengths):
    return torch.stack([outputs[n - 1, i] for i, n in enumerate(lengths)])


def masked_loss(scores, targets, lengths):
    for i, n in enumerate(lengths):
        targets[n:, i] = -100
    return F.cross_entropy(scores.flatten(0, 1), targets.flatten())
""",
        told="changed in place",
    ),
    right(
        """def last_valid(outputs, lengths):
    return outputs[torch.tensor(lengths) - 1, torch.arange(len(lengths))]


def masked_loss(scores, targets, lengths):
    targets = targets.clone()
    for i, n in enumerate(lengths):
        targets[n:, i] = -100
    return F.cross_entropy(scores.flatten(0, 1), targets.flatten())
"""
    ),
    right(
        """def last_valid(outputs, lengths):
    return torch.cat([outputs[n - 1 : n, i] for i, n in enumerate(lengths)])


def masked_loss(scores, targets, lengths):
    total = 0.0
    for i, n in enumerate(lengths):
        total = total + F.cross_entropy(
            scores[:n, i], targets[:n, i], reduction="sum"
        )
    return total / sum(lengths)
"""
    ),
    right(
        """def last_valid(outputs, lengths):
    rows = outputs.new_zeros(outputs.shape[1:])
    for i, n in enumerate(lengths):
        rows[i] = outputs[n - 1, i]
    return rows


def masked_loss(scores, targets, lengths):
    logs = scores.log_softmax(dim=2)
    own = logs.gather(2, targets.unsqueeze(2)).squeeze(2)
    mask = torch.arange(len(own))[:, None] < torch.tensor(lengths)[None]
    return -(own * mask).sum() / mask.sum()
"""
    ),
    right(
        """def last_valid(outputs, lengths):
    index = torch.tensor(lengths).sub(1).reshape(1, -1, 1)
    index = index.expand(1, len(lengths), outputs.shape[2])
    return outputs.gather(0, index)[0]


def masked_loss(scores, targets, lengths):
    pairs = [(scores[:n, i], targets[:n, i]) for i, n in enumerate(lengths)]
    return F.cross_entropy(
        torch.cat([s for s, _ in pairs]), torch.cat([t for _, t in pairs])
    )
"""
    ),
    right(
        """def last_valid(outputs, lengths):
    return torch.stack([outputs[:n, i][-1] for i, n in enumerate(lengths)])


def masked_loss(scores, targets, lengths):
    losses = F.cross_entropy(
        scores.permute(0, 2, 1), targets, reduction="none"
    )
    kept = [losses[t, i] for i, n in enumerate(lengths) for t in range(n)]
    return sum(kept) / len(kept)
"""
    ),
    right(
        """def last_valid(outputs, lengths):
    return outputs[torch.tensor(lengths) - 1, torch.arange(len(lengths))]

def masked_loss(scores, targets, lengths):
    t = targets.clone()
    for i, n in enumerate(lengths):
        t[n:, i] = -100
    return F.cross_entropy(scores.flatten(0, 1), t.flatten())
"""
    ),
    right(
        """def last_valid(outputs, lengths):
    out = torch.empty(outputs.shape[1], outputs.shape[2], dtype=outputs.dtype)
    for i in range(outputs.shape[1]):
        out[i] = outputs[lengths[i] - 1][i]
    return out

def masked_loss(scores, targets, lengths):
    total, count = 0, 0
    for i, n in enumerate(lengths):
        for t in range(n):
            total = total - scores[t, i].log_softmax(0)[targets[t, i]]
            count += 1
    return total / count
"""
    ),
)

SHARES = "(scores / temperature).softmax(dim=0)"
CHOICE = "min((shares.cumsum(dim=0) <= u).sum().item(), len(scores) - 1)"
ZERO = "    if temperature == 0:\n        return scores.argmax().item()\n"

PICK = (
    edit("<= u", "< u", told="must be larger"),
    edit(SHARES, "scores.softmax(dim=0)", told="temperature is ignored"),
    edit(SHARES, "(scores * temperature).softmax(dim=0)", told="this multiplies"),
    edit(SHARES, "scores.softmax(dim=0) / temperature", told="before softmax"),
    edit(SHARES, "(scores - temperature).softmax(dim=0)", told="changes no share"),
    edit(SHARES, "scores / temperature", told="softmax is missing"),
    edit(SHARES, "scores / scores.sum()", told="softmax is missing"),
    edit(
        SHARES,
        "(scores / temperature).exp() / (scores / temperature).exp().sum()",
        told="inf",
    ),
    edit(f"return {CHOICE}", "return scores.argmax().item()", told="u decides"),
    edit(f"return {CHOICE}", "return shares.argmin().item()", told="smallest share"),
    edit(f"return {CHOICE}", f"return {CHOICE} + 1", told="counted from 0"),
    edit(f"return {CHOICE}", f"return max({CHOICE} - 1, 0)", told="one more"),
    edit(f"return {CHOICE}", f"return shares[{CHOICE}].item()", told="share is"),
    edit(f"return {CHOICE}", f"print({CHOICE})", told="return missing"),
    edit(f"return {CHOICE}", "return shares", told="shape"),
    edit(
        f"return {CHOICE}",
        "return (shares > u).int().argmax().item()",
        told="not with a share",
    ),
    edit(
        f"return {CHOICE}",
        "return int(u * len(shares))",
        told="treats all shares as equal",
    ),
    edit(
        f"return {CHOICE}", "return torch.multinomial(shares, 1).item()", told="forbids"
    ),
    edit(
        f"return {CHOICE}",
        "import random\n    return random.choices(range(len(scores)), shares.tolist())[0]",
        told="",
    ),
    edit(ZERO, "", told="special case"),
    edit(ZERO, "    temperature = max(temperature, 1)\n", told=""),
    edit(
        SHARES,
        "scores.div_(temperature).softmax(dim=0)",
        told="changed in place",
    ),
    edit(
        f"return {CHOICE}",
        "return (shares.flip(0).cumsum(dim=0) <= u).sum().item()",
        told="",
    ),
    edit(
        f"return {CHOICE}",
        "order = shares.argsort(descending=True)\n"
        "    place = (shares[order].cumsum(dim=0) <= u).sum().clamp(max=len(scores) - 1)\n"
        "    return order[place].item()",
        told="not with the largest",
    ),
    right(
        """def pick(scores, temperature, u):
    if temperature == 0:
        return int(scores.argmax())
    shares = torch.softmax(scores / temperature, dim=0).tolist()
    total = 0.0
    for i, share in enumerate(shares):
        total += share
        if total > u:
            return i
    return len(shares) - 1
"""
    ),
    right(
        """def pick(scores, temperature, u):
    if temperature == 0:
        return scores.argmax()
    raised = ((scores - scores.max()) / temperature).exp()
    ends = raised.cumsum(dim=0) / raised.sum()
    return (ends > u).int().argmax()
"""
    ),
    right(
        """def pick(scores, temperature, u):
    import numpy as np
    s = scores.numpy().astype(float)
    if temperature == 0:
        return int(np.argmax(s))
    p = np.exp((s - s.max()) / temperature)
    return int(np.searchsorted(np.cumsum(p / p.sum()), u, side="right"))
"""
    ),
    right(
        """def pick(scores, temperature, u):
    if not temperature:
        return max(range(len(scores)), key=lambda i: scores[i].item())
    ends = (scores.double() / temperature).softmax(dim=0).cumsum(dim=0)
    for i in range(len(ends)):
        if u < ends[i]:
            return i
    return len(ends) - 1
"""
    ),
    right(
        """def pick(scores, temperature, u):
    if temperature < 1e-6:
        return torch.argmax(scores).item()
    ends = F.softmax(scores / temperature, dim=-1).cumsum(-1)
    i = 0
    while i < len(scores) - 1 and ends[i].item() <= u:
        i += 1
    return i
"""
    ),
    wrong(
        """def pick(scores, temperature, u):
    shares = (scores / temperature).softmax(0)
    total = 0.0
    for k, s in enumerate(shares.tolist()):
        total += s
        if total > u: return k
""",
        told="special case",
    ),
    wrong(
        """def pick(scores, temperature, u):
    if temperature == 0: return int(scores.argmax())
    return int(((scores).softmax(0) / temperature).cumsum(0).le(u).sum())
""",
        told="before softmax",
    ),
    wrong(
        """def pick(scores, temperature, u):
    if temperature == 0: return scores.argmax().item()
    e = (scores / temperature).exp()
    shares = e / e.sum()
    total = 0.0
    for k, s in enumerate(shares.tolist()):
        total += s
        if total > u: return k
""",
        told="is inf",
    ),
    wrong(
        """def pick(scores, temperature, u):
    if temperature == 0: return scores.argmax().item()
    shares = (scores / temperature).softmax(0)
    for k, s in enumerate(shares.tolist()):
        if s > u: return k
""",
        told="sum of the shares",
    ),
    wrong(
        """def pick(scores, temperature, u):
    if temperature == 0:
        return int(scores.argmax())
    shares = (scores / temperature).softmax(dim=0).tolist()
    i, total = 0, shares[0]
    while total <= u:
        total += shares[i]
    return i
""",
        told="never advances",
    ),
)

LAYERS = {
    "11.1": wrong(
        """def rnn(x, h, w_x, w_h, b):
    layer = torch.nn.RNN(x.shape[2], h.shape[1])
    with torch.no_grad():
        layer.weight_ih_l0.copy_(w_x)
        layer.weight_hh_l0.copy_(w_h)
        layer.bias_ih_l0.copy_(b)
        layer.bias_hh_l0.zero_()
        return layer(x, h[None])[0]
""",
        told="forbids",
    ),
    "11.3": wrong(
        """def lstm_step(x, h, c, w_x, w_h, b):
    cell = torch.nn.LSTMCell(x.shape[1], h.shape[1])
    with torch.no_grad():
        cell.weight_ih.copy_(w_x)
        cell.weight_hh.copy_(w_h)
        cell.bias_ih.copy_(b)
        cell.bias_hh.zero_()
        return cell(x, (h, c))
""",
        told="forbids",
    ),
}

ANSWERS = {
    "11.1": (*RNN, LAYERS["11.1"]),
    "11.2": GRADIENT,
    "11.3": (*LSTM, LAYERS["11.3"]),
    "11.4": PACK,
    "11.5": REDUCE,
    "11.6": PICK,
}
