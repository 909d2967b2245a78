"""Chapter 6: answers as learners write them."""

from __future__ import annotations

from tests.course.mutants.answers import Answer, edit, right, wrong

__all__ = ["ANSWERS"]


def body(head: str, *lines: str) -> str:
    """A function as a cell."""
    return "\n    ".join([f"def {head}:", *lines]) + "\n"


LOGS = "log_softmax(logits)"


def logs(*lines: str, told: str) -> Answer:
    return wrong(body(LOGS, *lines), told=told)


LOG_SOFTMAX = (
    logs(
        "return torch.log(torch.softmax(logits, dim=-1))", told="softmax does what you"
    ),
    logs("return torch.log_softmax(logits, -1)", told="does what you are to write"),
    logs(
        "return torch.nn.functional.log_softmax(logits, dim=-1)",
        told="does what you are to write",
    ),
    logs(
        "return logits - torch.logsumexp(logits, dim=-1, keepdim=True)",
        told="does what you are to write",
    ),
    logs(
        "e = logits.exp()",
        "return (e / e.sum(dim=-1, keepdim=True)).log()",
        told="exp overflows",
    ),
    logs(
        "return logits - logits.exp().sum(dim=-1, keepdim=True).log()",
        told="exp overflows in the sum",
    ),
    logs(
        "e = (logits - logits.amax(dim=-1, keepdim=True)).exp()",
        "return (e / e.sum(dim=-1, keepdim=True)).log()",
        told="rounded to 0",
    ),
    logs(
        "shifted = logits - logits.max()",
        "return shifted - shifted.exp().sum(dim=-1, keepdim=True).log()",
        told="largest of all",
    ),
    logs(
        "shifted = logits - logits.amax(dim=-1, keepdim=True)",
        "e = shifted.exp()",
        "return e / e.sum(dim=-1, keepdim=True)",
        told="logarithm is missing",
    ),
    logs(
        "shifted = logits - logits.mean(dim=-1, keepdim=True)",
        "return shifted - shifted.exp().sum(dim=-1, keepdim=True).log()",
        told="mean is subtracted",
    ),
    logs(
        "shifted = logits - logits.amax(dim=0, keepdim=True)",
        "return shifted - shifted.exp().sum(dim=0, keepdim=True).log()",
        told="not the first",
    ),
    logs(
        "shifted = logits - logits.amax(dim=1, keepdim=True)",
        "return shifted - shifted.exp().sum(dim=1, keepdim=True).log()",
        told="matrices only",
    ),
    edit("amax(dim=-1, keepdim=True)", "amax(dim=-1)", told="keepdim"),
    edit(".sum(dim=-1, keepdim=True)", ".sum(dim=-1)", told="keepdim"),
    edit("shifted.exp().sum(dim=-1, keepdim=True)", "shifted.exp().sum()", told="rows"),
    edit(".log()", "", told="not its logarithm"),
    edit(".log()", ".log10()", told="not log10"),
    edit("return shifted -", "return logits -", told="not outside"),
    edit("return shifted -", "return -shifted +", told="sign"),
    edit(
        "shifted = logits - logits.amax(dim=-1, keepdim=True)",
        "shifted = logits\n    shifted -= logits.amax(dim=-1, keepdim=True)",
        told="in place",
    ),
    logs(
        "e = (logits - logits.amax(dim=-1, keepdim=True)).exp()",
        "return (e / e.sum(dim=-1, keepdim=True) + 1e-8).log()",
        told="small number is added",
    ),
    logs(
        "shifted = logits - logits.amax(dim=-1, keepdim=True)",
        "result = shifted - shifted.exp().sum(dim=-1, keepdim=True).log()",
        told="return missing",
    ),
    logs(
        "shifted = logits - logits.amax(dim=-1, keepdim=True)",
        "return (shifted - shifted.exp().sum(dim=-1, keepdim=True).log()).numpy()",
        told="not in a tensor",
    ),
    logs(
        "logits = logits.double()",
        "shifted = logits - logits.amax(dim=-1, keepdim=True)",
        "return shifted - shifted.exp().sum(dim=-1, keepdim=True).log()",
        told="dtype",
    ),
    right(
        body(
            LOGS,
            "m = logits.max(dim=-1, keepdim=True).values",
            "lse = m + torch.log(torch.exp(logits - m).sum(dim=-1, keepdim=True))",
            "return logits - lse",
        )
    ),
    right(
        body(
            LOGS,
            "m = torch.max(logits, -1)[0].unsqueeze(-1)",
            "return logits - m - torch.exp(logits - m).sum(-1).log().unsqueeze(-1)",
        )
    ),
    right(
        body(
            LOGS,
            "if logits.dim() > 1:",
            "    return torch.stack([log_softmax(row) for row in logits])",
            "shifted = logits - max(logits.tolist())",
            "return shifted - sum(v.exp() for v in shifted).log()",
        )
    ),
    right(
        body(
            LOGS,
            "import numpy as np",
            "z = logits.numpy()",
            "z = z - z.max(axis=-1, keepdims=True)",
            "return torch.from_numpy(",
            "    z - np.log(np.exp(z).sum(axis=-1, keepdims=True)))",
        )
    ),
    right(
        body(
            LOGS,
            "total = logits[..., :1]",
            "for i in range(1, logits.shape[-1]):",
            "    total = torch.logaddexp(total, logits[..., i : i + 1])",
            "return logits - total",
        )
    ),
    wrong(
        """def log_softmax(logits):
    return torch.tensor([-0.4076, -1.4076, -2.4076])
""",
        told="the result is always the same",
    ),
    wrong(
        """def log_softmax(logits):
    from edutorch.course.checks.ch06_softmax import right_logs
    return right_logs(logits)
""",
        told="the right answer is not to be called, but to be ",
    ),
    right(
        """def log_softmax(logits):
    import math
    flat = logits.reshape(-1, logits.shape[-1])
    rows = []
    for row in flat.tolist():
        m = max(row)
        s = math.log(sum(math.exp(v - m) for v in row))
        rows.append([v - m - s for v in row])
    return torch.tensor(rows, dtype=logits.dtype).reshape(logits.shape)
"""
    ),
    right(
        """def log_softmax(logits):
    import numpy as np
    a = logits.numpy()
    a = a - a.max(-1, keepdims=True)
    return torch.from_numpy(a - np.log(np.exp(a).sum(-1, keepdims=True)))
"""
    ),
)

LOSS = "cross_entropy(logits, labels)"
GRADIENT = "cross_entropy_gradient(logits, labels)"
ROWS = "rows = torch.arange(len(labels))"
GOOD_LOSS = body(
    LOSS, "return -log_softmax(logits)[torch.arange(len(labels)), labels].mean()"
)
GOOD_GRADIENT = body(
    GRADIENT,
    "p = log_softmax(logits).exp()",
    "p[torch.arange(len(labels)), labels] -= 1",
    "return p / len(labels)",
)


def loss(*lines: str, told: str = "") -> Answer:
    return wrong(body(LOSS, *lines) + GOOD_GRADIENT, told=told)


def gradient(*lines: str, told: str = "") -> Answer:
    return wrong(GOOD_LOSS + body(GRADIENT, *lines), told=told)


CROSS_ENTROPY = (
    edit("-chosen.mean()", "-chosen.sum()", told="not their sum"),
    edit("-chosen.mean()", "-chosen", told="mean of them is missing"),
    edit("-chosen.mean()", "chosen.mean()", told="sign"),
    edit("-chosen.mean()", "-chosen.sum() / logits.numel()", told="not by all numbers"),
    edit("log_softmax(logits)[", "logits[", told="log_softmax is missing"),
    edit("log_softmax(logits)[", "logits.softmax(1)[", told="logarithm is missing"),
    edit("log_softmax(logits)[", "logits.softmax(1).log()[", told="rounded to 0"),
    edit(
        "log_softmax(logits)[",
        "(logits.exp() / logits.exp().sum(1, keepdim=True)).log()[",
        told="exp overflows",
    ),
    edit(
        "log_softmax(logits)[",
        "log_softmax(logits.T).T[",
        told="not over the rows",
    ),
    edit(
        "[torch.arange(len(labels)), labels]\n    return",
        "[:, labels]\n    return",
        told="columns of every row",
    ),
    loss(
        "return torch.nn.functional.cross_entropy(logits, labels)",
        told="does what you are to write",
    ),
    loss(
        "return torch.nn.functional.nll_loss(log_softmax(logits), labels)",
        told="does what you are to write",
    ),
    loss(
        "return torch.nn.CrossEntropyLoss()(logits, labels)",
        told="CrossEntropyLoss does what you are to write",
    ),
    loss("return -log_softmax(logits).amax(dim=1).mean()", told="most likely"),
    loss("return -log_softmax(logits).mean()", told="labels were ignored"),
    loss(
        "return -log_softmax(logits)[torch.arange(len(labels)), labels].mean().item()",
        told="not in a tensor",
    ),
    loss(
        "y = torch.nn.functional.one_hot(labels, logits.shape[1])",
        "return ((log_softmax(logits).exp() - y) ** 2).mean()",
        told="squared error",
    ),
    gradient(
        "p = log_softmax(logits).exp()",
        "p[torch.arange(len(labels)), labels] -= 1",
        "return p",
        told="divide by the rows",
    ),
    gradient(
        "p = log_softmax(logits).exp()",
        "p[torch.arange(len(labels)), labels] -= 1",
        "return p / p.numel()",
        told="not by all numbers",
    ),
    gradient(
        "p = log_softmax(logits).exp()",
        "p[torch.arange(len(labels)), labels] -= 1",
        "return p.mean(dim=0)",
        told="shape",
    ),
    loss(
        "y = torch.nn.functional.one_hot(labels)",
        "return -(y * log_softmax(logits)).sum(dim=1).mean()",
        told="not every class is in labels",
    ),
    gradient(
        "y = torch.nn.functional.one_hot(labels)",
        "return (log_softmax(logits).exp() - y) / len(labels)",
        told="not every class is in labels",
    ),
    gradient("return log_softmax(logits).exp() / len(labels)", told="p alone"),
    gradient(
        "y = torch.nn.functional.one_hot(labels, logits.shape[1])",
        "return (y - log_softmax(logits).exp()) / len(labels)",
        told="p - y, not y - p",
    ),
    gradient(
        "g = torch.zeros_like(logits)",
        "g[torch.arange(len(labels)), labels] = -1 / len(labels)",
        "return g",
        told="-y alone",
    ),
    gradient(
        "p = log_softmax(logits).exp()",
        "p[:, labels] -= 1",
        "return p / len(labels)",
        told="every row: each",
    ),
    gradient(
        "p = log_softmax(logits)",
        "p[torch.arange(len(labels)), labels] -= 1",
        "return p / len(labels)",
        told="exp is missing",
    ),
    gradient(
        "z = logits.clone().requires_grad_()",
        "cross_entropy(z, labels).backward()",
        "return z.grad",
        told="does what you are to write",
    ),
    gradient(
        "z = logits.clone().requires_grad_()",
        "return torch.autograd.grad(cross_entropy(z, labels), z)[0]",
        told="does what you are to write",
    ),
    gradient(
        "logits[torch.arange(len(labels)), labels] -= 1",
        "return logits / len(labels)",
        told="",
    ),
    gradient(
        "p = log_softmax(logits).exp()",
        "g = torch.zeros_like(p)",
        "rows = torch.arange(len(labels))",
        "g[rows, labels] = p[rows, labels] - 1",
        "return g / len(labels)",
        told="only the right class",
    ),
    wrong(
        GOOD_LOSS + body(GRADIENT, 'raise NotImplementedError("your turn")'),
        told="not written",
    ),
    right(
        body(
            LOSS,
            "y = torch.nn.functional.one_hot(labels, logits.shape[1])",
            "return -(y * log_softmax(logits)).sum() / len(labels)",
        )
        + body(
            GRADIENT,
            "y = torch.nn.functional.one_hot(labels, logits.shape[1])",
            "return (torch.softmax(logits, dim=1) - y) / len(labels)",
        )
    ),
    right(
        body(
            LOSS,
            "return -log_softmax(logits).gather(1, labels.unsqueeze(1)).mean()",
        )
        + body(
            GRADIENT,
            "y = torch.zeros_like(logits).scatter_(1, labels.unsqueeze(1), 1.0)",
            "return (log_softmax(logits).exp() - y) / logits.shape[0]",
        )
    ),
    right(
        body(
            LOSS,
            "total = 0",
            "for row, label in zip(logits, labels):",
            "    total = total - log_softmax(row)[label]",
            "return total / len(labels)",
        )
        + body(
            GRADIENT,
            "g = torch.empty_like(logits)",
            "n, c = logits.shape",
            "for i in range(n):",
            "    for j in range(c):",
            "        p = log_softmax(logits[i])[j].exp()",
            "        g[i, j] = (p - (1 if labels[i] == j else 0)) / n",
            "return g",
        )
    ),
    right(
        body(
            LOSS,
            "right = logits[range(len(labels)), labels]",
            "return (logits.logsumexp(dim=1) - right).mean()",
        )
        + body(
            GRADIENT,
            "classes = torch.arange(logits.shape[1])",
            "y = (labels[:, None] == classes).to(logits.dtype)",
            "return (logits.softmax(-1) - y).div(len(logits))",
        )
    ),
    right(
        body(
            LOSS,
            "logs = [log_softmax(z)[k] for z, k in zip(logits, labels.tolist())]",
            "return -torch.stack(logs).mean()",
        )
        + body(
            GRADIENT,
            "y = torch.eye(logits.shape[1], dtype=logits.dtype)[labels]",
            "return (log_softmax(logits).exp() - y) / len(labels)",
        )
    ),
    wrong(
        """def cross_entropy(logits, labels):
    return -log_softmax(logits).gather(1, labels).mean()

def cross_entropy_gradient(logits, labels):
    p = log_softmax(logits).exp()
    p[torch.arange(len(labels)), labels] -= 1
    return p / len(labels)

""",
        told="gather takes an index with as many dimensions",
    ),
    wrong(
        """def cross_entropy(logits, labels):
    total = 0
    for i in range(len(labels) - 1):
        total = total - log_softmax(logits)[i, labels[i]]
    return total / len(labels)

def cross_entropy_gradient(logits, labels):
    p = log_softmax(logits).exp()
    p[torch.arange(len(labels)), labels] -= 1
    return p / len(labels)

""",
        told="the last row is missing",
    ),
    wrong(
        """def cross_entropy(logits, labels):
    return -log_softmax(logits)[0, labels[0]]

def cross_entropy_gradient(logits, labels):
    p = log_softmax(logits).exp()
    p[torch.arange(len(labels)), labels] -= 1
    return p / len(labels)

""",
        told="only the first row counts",
    ),
    wrong(
        """def cross_entropy(logits, labels):
    return -log_softmax(logits)[torch.arange(len(labels)), labels].mean()

def cross_entropy_gradient(logits, labels):
    p = log_softmax(logits).exp()
    p[torch.arange(len(labels)), labels] = -1
    return p / len(labels)
""",
        told="subtract 1 at the right class",
    ),
    wrong(
        """def cross_entropy(logits, labels):
    return -log_softmax(logits)[torch.arange(len(labels)), labels].mean()

def cross_entropy_gradient(logits, labels):
    logits[torch.arange(len(labels)), labels] -= 1
    return log_softmax(logits).exp() / len(labels)
""",
        told="y = x does not copy, so writing (y[...] =, +=, a",
    ),
    right(
        """def cross_entropy(logits, labels):
    return -sum(log_softmax(row)[k] for row, k in zip(logits, labels)) / len(labels)

def cross_entropy_gradient(logits, labels):
    rows = []
    for row, k in zip(logits, labels.tolist()):
        p = log_softmax(row).exp()
        rows.append(torch.cat([p[:k], p[k:k + 1] - 1, p[k + 1:]]))
    return torch.stack(rows) / len(rows)
"""
    ),
    right(
        """def cross_entropy(logits, labels):
    y = torch.eye(logits.shape[1], dtype=logits.dtype)[labels]
    return -(y * log_softmax(logits)).sum() / y.sum()

def cross_entropy_gradient(logits, labels):
    y = torch.eye(logits.shape[1], dtype=logits.dtype)[labels]
    return (log_softmax(logits).exp() - y).div(len(y))
"""
    ),
)

PAIR = "bce_with_logits(logits, targets)"


def bce(*lines: str, told: str = "") -> Answer:
    return wrong(body(PAIR, *lines), told=told)


BCE = (
    bce(
        "p = torch.sigmoid(logits)",
        "return -(targets * p.log() + (1 - targets) * (1 - p).log())",
        told="logarithm of 0",
    ),
    bce(
        "p = 1 / (1 + torch.exp(-logits))",
        "return -targets * torch.log(p) - (1 - targets) * torch.log(1 - p)",
        told="logarithm of 0",
    ),
    bce(
        "p = torch.sigmoid(logits).clamp(1e-7, 1 - 1e-7)",
        "return -(targets * p.log() + (1 - targets) * (1 - p).log())",
        told="clamped probability",
    ),
    bce(
        "p = torch.sigmoid(logits)",
        "log_p = p.log().clamp(min=-100)",
        "log_q = (1 - p).log().clamp(min=-100)",
        "return -(targets * log_p + (1 - targets) * log_q)",
        told="clamped logarithm",
    ),
    bce(
        "return torch.log(1 + torch.exp(logits)) - logits * targets",
        told="exp(z) overflows",
    ),
    bce(
        "return logits - logits * targets + torch.log1p(torch.exp(-logits))",
        told="exp(-z) overflows",
    ),
    bce(
        "return torch.nn.functional.binary_cross_entropy_with_logits("
        "logits, targets, reduction='none')",
        told="does what you are to write",
    ),
    bce(
        "return torch.nn.functional.softplus(logits) - logits * targets",
        told="does what you are to write",
    ),
    bce(
        "return torch.nn.BCEWithLogitsLoss(reduction='none')(logits, targets)",
        told="BCEWithLogitsLoss does what you are to write",
    ),
    edit("(-logits.abs()).exp()", "logits.abs().exp()", told="minus is missing"),
    edit("(logits + logits.abs()) / 2 - ", "-", told="max(z, 0) is missing"),
    edit("(logits + logits.abs()) / 2", "logits.abs()", told="instead of max"),
    edit(" - logits * targets", "", told="z · y is missing"),
    edit("logits * targets", "logits * (1 - targets)", told="swapped"),
    edit("far + torch.log1p((-logits.abs()).exp())", "far", told="is missing"),
    bce(
        "z, y = logits, targets",
        "far = z + (1 + (-z).exp()).log()",
        "return torch.where(z > 0, far, (1 + z.exp()).log()) - y * z",
        told="where drops what overflowed, but not its gradient, as in chapter 4",
    ),
    bce(
        "small = torch.log1p(torch.exp(logits))",
        "return torch.where(logits > 30, logits, small) - logits * targets",
        told="where drops what overflowed, but not its gradient",
    ),
    edit("(-logits.abs()).exp()", "(-logits.detach().abs()).exp()", told="gradient"),
    right(
        body(
            PAIR,
            "z, y = logits, targets",
            "return z.clamp(min=0) - z * y + torch.log1p((-z.abs()).exp())",
        )
    ),
    edit(
        "return far + torch.log1p((-logits.abs()).exp())",
        "return (far + torch.log1p((-logits.abs()).exp())).mean()",
        told="do not take the mean",
    ),
    edit(
        "return far + torch.log1p((-logits.abs()).exp())",
        "return (far + torch.log1p((-logits.abs()).exp())).sum()",
        told="do not take the sum",
    ),
    edit("return far + ", "return -far - ", told="sign"),
    bce(
        "return -targets * (logits.clamp(max=0) - torch.log1p((-logits.abs()).exp()))",
        told="1 - y is missing",
    ),
    bce("return (torch.sigmoid(logits) - targets) ** 2", told="squared error"),
    bce(
        "loss = logits",
        "loss *= -targets",
        "return loss + torch.relu(logits) + torch.log1p((-logits.abs()).exp())",
        told="in place",
    ),
    bce(
        "return torch.stack([max(z, 0) - z * y + torch.log1p(torch.exp(-abs(z)))",
        "    for z, y in zip(logits, targets)])",
        told="",
    ),
    right(
        body(
            PAIR,
            "z = logits",
            "log = torch.log(1 + torch.exp(-torch.abs(z)))",
            "return torch.maximum(z, torch.zeros_like(z)) - z * targets + log",
        )
    ),
    right(
        body(
            PAIR,
            "zero = torch.zeros_like(logits)",
            "return torch.logaddexp(zero, logits) - logits * targets",
        )
    ),
    right(
        body(
            PAIR,
            "log_p = torch.where(logits > 0, -torch.log1p(torch.exp(-logits.abs())),",
            "    logits - torch.log1p(torch.exp(-logits.abs())))",
            "return -(targets * log_p + (1 - targets) * (log_p - logits))",
        )
    ),
    right(
        body(
            PAIR,
            "both = torch.stack([torch.zeros_like(logits), logits], dim=-1)",
            "logs = log_softmax(both)",
            "return -(targets * logs[..., 1] + (1 - targets) * logs[..., 0])",
        )
    ),
    right(
        body(
            PAIR,
            "import numpy as np",
            "z, y = logits.numpy(), targets.numpy()",
            "return torch.from_numpy(",
            "    np.maximum(z, 0) - z * y + np.log1p(np.exp(-np.abs(z))))",
        )
    ),
    right(
        body(
            PAIR,
            "z = (1 - 2 * targets) * logits",
            "if ((targets == 0) | (targets == 1)).all():",
            "    return z.relu() + (1 + (-z.abs()).exp()).log()",
            "return logits.relu() - logits * targets + (-logits.abs()).exp().log1p()",
        )
    ),
    wrong(
        """def bce_with_logits(logits, targets):
    out = []
    for z, y in zip(logits, targets):
        out.append(max(z, 0) - z * y + torch.log1p(torch.exp(-abs(z))))
    return torch.stack(out)
""",
        told="compares single numbers",
    ),
    wrong(
        """def bce_with_logits(logits, targets):
    return torch.where(logits > 20, logits, torch.log(1 + torch.exp(logits))) - logits
""",
        told="targets are ignored",
    ),
    wrong(
        """def bce_with_logits(logits, targets):
    return logits.clamp(min=0) - logits * targets + torch.log2(1 + (-logits.abs()).exp())
""",
        told="the natural logarithm, not the one to base 2",
    ),
    wrong(
        """def bce_with_logits(logits, targets):
    return torch.tensor([0.6931, 2.1269, 1000.0, 1000.0])
""",
        told="the result is always the same",
    ),
    wrong(
        """def bce_with_logits(logits, targets):
    return torch.where(targets > 0.5, torch.logaddexp(torch.zeros_like(logits), -logits), torch.logaddexp(torch.zeros_like(logits), logits))
""",
        told="a target may lie between 0 and 1",
    ),
    right(
        """def bce_with_logits(logits, targets):
    return torch.logaddexp(logits, torch.zeros_like(logits)) - logits * targets
"""
    ),
    right(
        """def bce_with_logits(logits, targets):
    import numpy as np
    z, y = logits.numpy(), targets.numpy()
    return torch.from_numpy(np.logaddexp(0, z).astype(z.dtype) - z * y)
"""
    ),
)

SMOOTH = "smooth_cross_entropy(logits, labels, smoothing=0.1)"
TARGETS = (
    "n, classes = logits.shape",
    "targets = torch.full_like(logits, smoothing / classes)",
    "targets[torch.arange(n), labels] += 1 - smoothing",
)
MEAN = "return -(targets * log_softmax(logits)).sum(dim=1).mean()"


def smooth(*lines: str, told: str = "") -> Answer:
    return wrong(body(SMOOTH, *lines), told=told)


def targets(off: str, on: str, told: str) -> Answer:
    return smooth(
        "n, classes = logits.shape",
        f"targets = torch.full_like(logits, {off})",
        f"targets[torch.arange(n), labels] = {on}",
        MEAN,
        told=told,
    )


SMOOTHED = (
    wrong(
        body(
            SMOOTH,
            "y = torch.nn.functional.one_hot(labels)",
            "y = y * (1 - smoothing) + smoothing / logits.shape[1]",
            "return -(y * log_softmax(logits)).sum(dim=1).mean()",
        ),
        told="not every class is in labels",
    ),
    edit(
        "(1 - smoothing) * right + smoothing * logs.mean(dim=1)",
        "right",
        told="smoothing was ignored",
    ),
    edit("(1 - smoothing) * right", "0.9 * right", told=""),
    smooth(
        "smoothing = 0.1",
        *TARGETS,
        MEAN,
        told="not always 0.1",
    ),
    targets("smoothing / (classes - 1)", "1 - smoothing", "all classes share"),
    targets("smoothing / classes", "1 - smoothing", "right class gets its share"),
    targets("smoothing / classes", "1.0", "right class stays at 1"),
    targets("smoothing / classes", "1 + smoothing / classes", "1 - smoothing is miss"),
    targets("smoothing", "1 - smoothing", "divided by the number"),
    targets("0.0", "1 - smoothing", "others get their share"),
    targets("0.0", "1 - smoothing + smoothing / classes", "for the others, too"),
    targets(
        "(1 - smoothing) / classes", "smoothing + (1 - smoothing) / classes", "swapped"
    ),
    edit("logs.mean(dim=1)", "logs.sum(dim=1)", told="number of classes"),
    edit("logs.mean(dim=1)", "logs.mean(dim=0)", told=""),
    edit("-each.mean()", "-each.sum()", told="not their sum"),
    edit("-each.mean()", "each.mean()", told="sign"),
    edit("-each.mean()", "-each", told="mean of the rows is missing"),
    smooth(
        *TARGETS,
        "return -(targets * log_softmax(logits)).mean()",
        told="the sum over the classes, then",
    ),
    smooth(
        *TARGETS,
        "return -(targets * logits.softmax(1).log()).sum(1).mean()",
        told="rounded to 0",
    ),
    smooth(
        "return torch.nn.functional.cross_entropy("
        "logits, labels, label_smoothing=smoothing)",
        told="does what you are to write",
    ),
    smooth(
        "return cross_entropy((1 - smoothing) * logits, labels)", told="not the logits"
    ),
    smooth(
        "p = log_softmax(logits).exp()",
        "p = (1 - smoothing) * p + smoothing / logits.shape[1]",
        "return -p[torch.arange(len(labels)), labels].log().mean()",
        told="not the probabilities",
    ),
    edit("+ smoothing * logs", "- smoothing * logs", told="sign of one"),
    edit(" + smoothing * logs.mean(dim=1)", "", told="others get"),
    smooth(*TARGETS, MEAN[7:], told="return missing"),
    right(body(SMOOTH, *TARGETS, MEAN)),
    right(
        body(
            SMOOTH,
            "uniform = -log_softmax(logits).mean()",
            "return (1 - smoothing) * cross_entropy(logits, labels) "
            "+ smoothing * uniform",
        )
    ),
    right(
        body(
            SMOOTH,
            "c = logits.shape[-1]",
            "y = torch.nn.functional.one_hot(labels, c)",
            "y = y * (1 - smoothing) + smoothing / c",
            "return -(y * torch.log_softmax(logits, 1)).sum() / len(labels)",
        )
    ),
    right(
        body(
            SMOOTH,
            "total = 0",
            "for row, label in zip(logits, labels):",
            "    logs = log_softmax(row)",
            "    for k in range(len(logs)):",
            "        y = smoothing / len(logs) + (1 - smoothing) * float(k == label)",
            "        total = total - y * logs[k]",
            "return total / len(labels)",
        )
    ),
    right(
        body(
            SMOOTH,
            "y = torch.eye(logits.shape[1], dtype=logits.dtype)[labels]",
            "y = torch.lerp(y, torch.full_like(y, 1 / y.shape[1]), smoothing)",
            "return torch.einsum('nc,nc->n', y, -log_softmax(logits)).mean()",
        )
    ),
    wrong(
        """def smooth_cross_entropy(logits, labels, smoothing=0.1):
    n, k = logits.shape
    t = torch.full((n, k), smoothing / n)
    t[torch.arange(n), labels] += 1 - smoothing
    return -(t * log_softmax(logits)).sum(1).mean()
""",
        told="smoothing is divided by the classes, not by the ",
    ),
    wrong(
        """def smooth_cross_entropy(logits, labels, smoothing=0.1):
    k = logits.shape[1]
    t = torch.full(logits.shape, smoothing / k, dtype=logits.dtype)
    t[:, labels] += 1 - smoothing
    return -(t * log_softmax(logits)).sum(1).mean()
""",
        told="[:, labels] takes these columns of every row: ea",
    ),
    wrong(
        """def smooth_cross_entropy(logits, labels, smoothing=0.1):
    k = logits.shape[1]
    t = torch.full(logits.shape, smoothing / k, dtype=logits.dtype)
    t[torch.arange(len(labels)), labels] += 1 - smoothing
    return -(t * torch.softmax(logits, 1)).sum(1).mean()
""",
        told="probabilities in place of their logarithms",
    ),
    wrong(
        """def smooth_cross_entropy(logits, labels, smoothing=0.1):
    logs = log_softmax(logits)
    return (1 + smoothing) * cross_entropy(logits, labels) - smoothing * logs.mean()
""",
        told="1 - smoothing, not 1 + smoothing",
    ),
    wrong(
        """def smooth_cross_entropy(logits, labels):
    logs = log_softmax(logits)
    return 0.9 * cross_entropy(logits, labels) - 0.1 * logs.mean()
""",
        told="the parameters are those of the statement",
    ),
    right(
        """def smooth_cross_entropy(logits, labels, smoothing=0.1):
    return (1 - smoothing) * cross_entropy(logits, labels) - smoothing * log_softmax(logits).mean()
"""
    ),
    right(
        """def smooth_cross_entropy(logits, labels, smoothing=0.1):
    total = 0
    k = logits.shape[1]
    for row, label in zip(log_softmax(logits), labels.tolist()):
        for j, v in enumerate(row):
            t = smoothing / k + (1 - smoothing if j == label else 0)
            total = total - t * v
    return total / len(labels)
"""
    ),
)

MASKED = "masked_mean(losses, mask)"


def masked(*lines: str, told: str = "") -> Answer:
    return wrong(body(MASKED, *lines), told=told)


MASK = (
    masked("return losses[mask].mean()", told="nothing counts: 0 / 0"),
    masked("return (losses * mask).sum() / mask.sum()", told="0 / 0"),
    masked("return (losses * mask).mean()", told="not by all"),
    masked(
        "return (losses * mask).sum() / mask.sum().clamp(min=1)",
        told="select what counts",
    ),
    masked("return (losses * mask).sum() / (mask.sum() + 1e-8)", told="select what"),
    masked("return losses.mean()", told="mask was ignored"),
    masked("return losses[~mask].sum() / (~mask).sum().clamp(min=1)", told="True"),
    masked("return losses[mask].sum()", told="not the sum"),
    masked("return losses[mask]", told="the mean is missing"),
    masked("return losses.masked_fill(~mask, 0)", told="the mean is missing"),
    masked("return losses.masked_fill(~mask, 0).mean()", told="not by all"),
    masked(
        "return losses.masked_fill(~mask, 0).sum() / (mask.sum() + 1)",
        told="divided by one too many",
    ),
    masked(
        "losses[~mask] = 0",
        "return losses.sum() / mask.sum().clamp(min=1)",
        told="in place",
    ),
    masked(
        "kept = torch.where(mask, losses, torch.zeros_like(losses))",
        "return (kept.sum(-1) / mask.sum(-1).clamp(min=1)).mean()",
        told="rows' means",
    ),
    masked(
        "kept = torch.where(mask, losses, torch.zeros_like(losses))",
        "return kept.sum(-1) / mask.sum(-1).clamp(min=1)",
        told="one for each row",
    ),
    masked(
        "if not mask.any():",
        "    return 0.0",
        "return losses[mask].mean()",
        told="not in a tensor",
    ),
    masked(
        "if not mask.any():",
        "    return torch.tensor(0)",
        "return losses[mask].mean()",
        told="dtype",
    ),
    masked(
        "if not mask.any():",
        "    return losses.mean() * 0",
        "return losses[mask].mean()",
        told="return 0 itself",
    ),
    masked(
        "kept = [float(v) for v, m in zip(losses.flatten(), mask.flatten()) if m]",
        "return torch.tensor(sum(kept) / max(len(kept), 1), dtype=losses.dtype)",
        told="no gradient",
    ),
    masked(
        "if not mask.any():",
        "    return torch.zeros_like(losses).sum()",
        "return losses[mask].mean().detach()",
        told="no gradient",
    ),
    masked("return losses[mask].mean().nan_to_num()", told="hidden by nan_to_num"),
    masked(
        "kept = torch.where(mask, losses, torch.zeros_like(losses))",
        "return kept.sum() / (kept != 0).sum().clamp(min=1)",
        told="a loss of 0 counts",
    ),
    masked("return losses.nan_to_num(0, 0, 0).mean()", told="whatever it is"),
    right(body(MASKED, "return losses[mask].sum() / max(int(mask.sum()), 1)")),
    right(
        body(
            MASKED,
            "if not mask.any():",
            "    return torch.zeros_like(losses).sum()",
            "return losses[mask].mean()",
        )
    ),
    right(
        body(
            MASKED,
            "total, count = losses.new_zeros(()), 0",
            "for loss, counts in zip(losses.flatten(), mask.flatten()):",
            "    if counts:",
            "        total, count = total + loss, count + 1",
            "return total / count if count else total",
        )
    ),
    right(
        body(
            MASKED,
            "count = mask.count_nonzero()",
            "return losses.masked_fill(~mask, 0.0).sum() / (count + (count == 0))",
        )
    ),
    right(
        body(
            MASKED,
            "kept = torch.where(mask, losses, 0.0)",
            "return kept.sum() / (mask.sum() + 1e-12)",
        )
    ),
    right(
        body(
            MASKED,
            "kept = losses[mask]",
            "if len(kept) == 0:",
            "    return torch.tensor(0.0, dtype=losses.dtype)",
            "return kept.mean()",
        )
    ),
    wrong(
        """def masked_mean(losses, mask):
    return torch.nanmean(torch.where(mask, losses, float('nan')))
""",
        told="nanmean does what you are to write",
    ),
    wrong(
        """def masked_mean(losses, mask):
    if not mask.any(): return None
    return losses[mask].mean()
""",
        told="where nothing counts, return a tensor 0",
    ),
    wrong(
        """def masked_mean(losses, mask):
    if not mask.any(): return torch.zeros(1)
    return losses[mask].mean()
""",
        told="the numbers are right, and in order",
    ),
    right(
        """def masked_mean(losses, mask):
    total = torch.zeros((), dtype=losses.dtype)
    count = 0
    for l, m in zip(losses.flatten(), mask.flatten()):
        if m:
            total = total + l
            count += 1
    return total / max(1, count)
"""
    ),
    right(
        """def masked_mean(losses, mask):
    if not mask.any():
        return torch.zeros((), dtype=losses.dtype)
    return losses[mask].mean()
"""
    ),
)

WEIGHTED = "weighted_cross_entropy(logits, labels, weights)"
EACH = "each = -log_softmax(logits)[torch.arange(len(labels)), labels]"


def weighted(*lines: str, told: str = "") -> Answer:
    return wrong(body(WEIGHTED, *lines), told=told)


SUM = "(weight * each).sum() / weight.sum()"
WEIGHT = (
    edit(SUM, "(weight * each).mean()", told="not by the rows"),
    edit(SUM, "(weight * each).sum() / len(labels)", told="not by the rows"),
    edit(SUM, "(weight * each).sum() / weights.sum()", told="not of all classes"),
    edit(SUM, "(weight * each).sum()", told="division by the sum"),
    edit(SUM, "(weight * each) / weight.sum()", told="one number"),
    edit(SUM, "weight * each", told="one number"),
    edit(SUM, "each.mean()", told="weights were ignored"),
    edit(SUM, "-(weight * each).sum() / weight.sum()", told="sign"),
    edit(SUM, "(each / weight).sum() / (1 / weight).sum()", told="do not divide"),
    edit(SUM, "each.mean() * weight.mean()", told="takes the mean loss first"),
    edit(SUM, "(weight * each).mean() / weight.sum()", told="divide by the sum"),
    edit("weights[labels]", "weights[logits.argmax(dim=1)]", told="most likely"),
    edit("weights[labels]", "weights[: len(labels)]", told="weights"),
    edit("weights[labels]", "weights", told="gives each row"),
    edit("log_softmax(logits)", "log_softmax(weights * logits)", told=""),
    edit(
        "log_softmax(logits)",
        "logits.softmax(dim=1).log()",
        told="rounded to 0",
    ),
    edit("-log_softmax(logits)", "-logits", told="log_softmax is missing"),
    weighted(
        "return -(weights * log_softmax(logits)).sum(dim=1).mean()", told="of its row"
    ),
    weighted("return cross_entropy(weights * logits, labels)", told="not the logits"),
    weighted(
        "p = weights * log_softmax(logits).exp()",
        "return -p.log()[torch.arange(len(labels)), labels].mean()",
        told="not the probabilities",
    ),
    weighted(
        "return torch.nn.functional.cross_entropy(logits, labels, weight=weights)",
        told="does what you are to write",
    ),
    weighted(
        EACH,
        "weights /= weights.sum()",
        "return (weights[labels] * each).sum() / weights[labels].sum()",
        told="in place",
    ),
    weighted(
        EACH,
        "(weights[labels] * each).sum() / weights[labels].sum()",
        told="return missing",
    ),
    right(
        body(
            WEIGHTED,
            EACH,
            "share = weights[labels] / weights[labels].sum()",
            "return share @ each",
        )
    ),
    right(
        body(
            WEIGHTED,
            "above = below = 0",
            "for row, label in zip(logits, labels):",
            "    above = above - weights[label] * log_softmax(row)[label]",
            "    below = below + weights[label]",
            "return above / below",
        )
    ),
    right(
        body(
            WEIGHTED,
            "y = torch.nn.functional.one_hot(labels, len(weights)) * weights",
            "return -(y * log_softmax(logits)).sum() / y.sum()",
        )
    ),
    right(
        body(
            WEIGHTED,
            "w = weights.index_select(0, labels)",
            "logs = log_softmax(logits).gather(1, labels.view(-1, 1)).squeeze(1)",
            "return -(w * logs).sum().div(w.sum())",
        )
    ),
    right(
        body(
            WEIGHTED,
            "total = sum(weights[k] * cross_entropy(logits[labels == k],",
            "    labels[labels == k]) * (labels == k).sum()",
            "    for k in range(len(weights)) if (labels == k).any())",
            "return total / weights[labels].sum()",
        )
    ),
    right(
        """def weighted_cross_entropy(logits, labels, weights):
    top = bottom = 0
    for row, k in zip(log_softmax(logits), labels.tolist()):
        top = top - weights[k] * row[k]
        bottom = bottom + weights[k]
    return top / bottom
"""
    ),
    right(
        """def weighted_cross_entropy(logits, labels, weights):
    y = torch.eye(logits.shape[1], dtype=logits.dtype)[labels]
    w = y @ weights
    return -torch.einsum('nc,nc,c->', y, log_softmax(logits), weights) / w.sum()
"""
    ),
)

ANSWERS = {
    "06.1": LOG_SOFTMAX,
    "06.2": CROSS_ENTROPY,
    "06.3": BCE,
    "06.4": SMOOTHED,
    "06.5": MASK,
    "06.6": WEIGHT,
}
