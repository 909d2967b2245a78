"""Functions of a part of a tensor, by a mask or with a masked tensor."""

from __future__ import annotations

import random

__all__ = ["program"]

REDUCTIONS = (
    "sum", "prod", "amax", "amin", "argmax", "argmin", "mean", "median", "norm", "var",
    "std", "logsumexp",
)  # fmt: skip
ALONG = ("cumsum", "cumprod", "softmax", "log_softmax", "softmin", "normalize")
METHODS = (
    "t.sum({d})", "t.mean({d})", "t.amax({d})", "t.std({d})",
    "t + 1", "2 / t", "t * t", "t.exp()", "t > 0", "t[0]", "t.reshape(-1)", "t.unsqueeze(0)",
    "torch.cat([t, t])", "t.softmax(0)", "t.clamp(0, 1)", "t.double()", "t.permute(0)",
    "t.transpose(0, 0)", "torch.where(m, t, t)", "abs(t)", "t.all({d})", "t - x", "x * t",
    "t.to_tensor(7)", "t.get_data()", "t.cumsum(0)", "1 - t", "t @ t", "t.chunk(2)",
)  # fmt: skip


def program(rng: random.Random) -> str:
    """A program that reduces or transforms the elements whose mask is true."""
    seed, shape = rng.randrange(1000), rng.choice(["3", "2, 3", "2, 1, 3", "2, 0"])
    dtype = rng.choice(["float64", "float64", "int64", "int32"])
    floats = dtype.startswith("float")
    grad = ", requires_grad=True" if floats else ""
    values = f"np.random.default_rng({seed}).integers(-4, 5, ({shape},)) / 2"
    mask = rng.choice([shape, shape, "3", "1"])
    lines = [
        f"x = torch.tensor({values}).to(torch.{dtype}){'.requires_grad_()' if grad else ''}",
        f"m = torch.tensor(np.random.default_rng({seed + 1}).random(({mask},)) < 0.6)",
    ]
    dim = rng.choice(["0", "-1", "1", "(0, 1)", "", "5"])
    if rng.random() < 0.35:
        lines.append(
            "t = torch.masked.masked_tensor(x.detach(), m, requires_grad=x.requires_grad)"
        )
        lines.append(f"result = [str({rng.choice(METHODS).format(d=dim)})]")
        return "\n".join(lines)
    name = rng.choice(REDUCTIONS + ALONG)
    told = ["x"]
    if name in ("norm", "normalize"):
        told.append(rng.choice(["2", "1", "3.0", "float('inf')", "-float('inf')"]))
    if dim:
        told.append(f"dim={dim}")
    if name in REDUCTIONS and rng.random() < 0.4:
        told.append("keepdim=True")
    if rng.random() < 0.2 and not grad and name != "logsumexp":
        told.append(f"dtype=torch.{rng.choice(['float64', 'float32', 'int64'])}")
    if rng.random() < 0.85:
        told.append("mask=m")
    lines.append(f"y = torch.masked.{name}({', '.join(told)})")
    end = (
        ", *torch.autograd.grad((y**3).sum(), x)" if grad and rng.random() < 0.5 else ""
    )
    lines.append(f"result = [y{end}]")
    return "\n".join(lines)
