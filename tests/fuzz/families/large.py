"""Operations on tensors so large that compiled kernels and threads compute them.

Operands lie in memory in several ways: transposed, with gaps, reversed, repeated, behind
an offset. Sizes are near the thresholds from which other code computes.
"""

from __future__ import annotations

import random
from typing import Any

from tests.fuzz.differences import difference
from tests.fuzz.double_precision import excuse
from tests.fuzz.families.transforms import ROUNDINGS, distance
from tests.fuzz.outcomes import Outcome, outcome
from tests.oracle import torch

__all__ = ["SCALE", "excuses", "program"]

SCALE = 20  # long sums, in single precision

# Of two tensors `x` and `y` of one shape (n, m), and a vector `v` of length m.
FUNCTIONS = """x + y|x * y|x / (y.abs() + 1)|x - 2 * y|torch.where(x > 0, x, y)|x.maximum(y)|x + v|x * v
x * x.T.reshape(x.shape)|x.T + y.T|x.sum()|x.sum(0)|x.sum(1)|x.mean(0)|x.mean()|x.var(0)|x.std(1)|torch.var_mean(x, 1)[1]
x.amax(0)|x.amax(1)|x.max(1)[0]|x.min(0)[1]|x.argmax(1)|x.argmin()|x.norm()|x.norm(dim=0)|x.norm(1, dim=1)
x.norm(3)|x.prod(0)|x.tanh().prod(1)|x.logsumexp(0)|x.logsumexp(1)|x.cumsum(0)|x.cumsum(1)|x.tanh().cumprod(1)
x.cummax(1)[0]|x.logcumsumexp(1)|x.median(1)[0]|x.median()|x.sort(1)[0]|x.sort(0)[1]|x.argsort(dim=1, stable=True)
x.reshape(-1).sort()[0]|x.topk(5, 1)[0]|x.topk(3, 0, False)[0]|x.kthvalue(3, 1)[0]|x.mode(1)[0]|x.detach().unique()
x.exp()|x.sin()|x.cos()|x.tanh()|x.sigmoid()|x.square()|x.abs()|x.sign()|x.erf()|(x.abs() + 1).log()|x.expm1()
(x.abs() + .1).sqrt()|(x.abs() + .1).rsqrt()|x ** 3|x ** 2|(x.abs() + 1) ** 1.5|x.atan()|x.floor()|x.round()
F.relu(x)|F.gelu(x)|F.gelu(x, approximate='tanh')|F.silu(x)|F.mish(x)|F.softplus(x)|F.elu(x)|F.leaky_relu(x, .1)
F.hardswish(x)|F.hardtanh(x)|F.logsigmoid(x)|F.softsign(x)|F.selu(x)|F.relu6(x)|F.glu(x[:, :10])|x.clamp(-.5, .7)
F.prelu(x, v[:1])|F.softshrink(x)|F.threshold(x, .1, 2)|F.softmax(x, 0)|F.softmax(x, 1)|F.log_softmax(x, 1)
F.log_softmax(x, 0)|F.layer_norm(x, (m,))|F.layer_norm(x, (m,), v, v)|F.rms_norm(x, (m,), v)|F.normalize(x, dim=0)
F.batch_norm(x, None, None, training=True)|F.batch_norm(x, None, None, v, v, training=True)
F.batch_norm(x, v.detach(), v.detach().abs(), v, v)|F.group_norm(x[None], 1)|F.group_norm(x[:, :4].reshape(1, 4, -1), 2)
F.instance_norm(x[None])|x @ y.T|x.T @ y|x @ v|v @ y.T|x @ x.T|torch.mm(x.T, y)|torch.outer(v, v)|torch.addmm(x[:1], x[:, :n] if n < m else x @ x.T, y)
F.linear(x, y[:7], None)|F.linear(x, y[:7], x[0, :7])|torch.bmm(x[None].expand(3, n, m), y.T[None].expand(3, m, n))
torch.einsum('ij,ij->i', x, y)|torch.einsum('ij,kj->ki', x, y)|x.mv(v)|torch.dot(x.reshape(-1), y.reshape(-1))|torch.kron(x[:2, :3].contiguous(), y)
F.mse_loss(x, y)|F.l1_loss(x, y)|F.smooth_l1_loss(x, y)|F.huber_loss(x, y, delta=.5)|F.cross_entropy(x, i % m)
F.cross_entropy(x, y.softmax(1))|F.cross_entropy(x, i % m, v.detach().abs(), label_smoothing=.1)|F.cross_entropy(x[None], (i[:m] % n)[None] if n >= m else (torch.arange(m) % n)[None])
F.nll_loss(x, i % m, reduction='none')|F.binary_cross_entropy_with_logits(x, y.sigmoid())|F.kl_div(x, y, log_target=True)
F.binary_cross_entropy(x.sigmoid(), y.sigmoid())|F.cosine_similarity(x, y)|F.cosine_similarity(x, y, 0)|F.pairwise_distance(x, y)
torch.cdist(x[:60], y[:50])|torch.cdist(x[:40], y[:40], 1.)|F.cosine_embedding_loss(x, y, (i % 2) * 2 - 1)|F.triplet_margin_loss(x, y, y.flip(0))
F.conv1d(x[None], y[:5, None, :3].expand(5, n, 3))|F.conv1d(x[:, None], v[None, None, :3], v[:1])|F.conv1d(x[None], y[:, None, :3], groups=n)
F.conv2d(x[None, None], y[:6, :9].reshape(6, 1, 3, 3), padding=1)|F.conv2d(x[None, None].expand(2, 4, n, m), y[:4, :36].reshape(-1, 4, 3, 3) if m > 36 else y[:4, :4].reshape(-1, 4, 1, 1))
F.conv2d(x[None, None].repeat(1, 8, 1, 1), y[:8, :9].reshape(-1, 1, 3, 3), groups=8, stride=2)|F.conv2d(x[None, None], y[None, None, :2, :5], dilation=2)
F.conv2d(x[None, None].repeat(2, 6, 1, 1), y.reshape(-1)[:48].reshape(8, 6, 1, 1), v[:8])|F.conv2d(x[None, None].repeat(2, 16, 1, 1), y.reshape(-1)[:2304].reshape(16, 16, 3, 3), padding=1)
F.conv_transpose2d(x[None, None], y[None, None, :3, :3], stride=2)|F.conv_transpose1d(x[:, None], y[None, :2, :3])|F.conv3d(x[None, None, None], y[:1, :8].reshape(1, 1, 1, 2, 4))
F.max_pool2d(x[None, None], 2)|F.max_pool2d(x[None, None], 3, 2, 1)|F.max_pool2d(x[None, None], 3, 1, 1, 1, True)|F.avg_pool2d(x[None, None], 3, 2, 1)|F.max_pool1d(x[None], 2)
F.adaptive_avg_pool2d(x[None, None], 5)|F.adaptive_max_pool2d(x[None, None], (3, 4))|F.lp_pool2d(x[None, None], 2, 3)|F.avg_pool1d(x[None], 3, 1)
F.interpolate(x[None, None], scale_factor=2)|F.interpolate(x[None, None], size=(37, 41), mode='bilinear')|F.interpolate(x[None, None], size=(23, 59), mode='bicubic')|F.interpolate(x[None, None], size=(23, 29), mode='bilinear', antialias=True)
F.grid_sample(x[None, None], torch.stack([x, y], -1)[None] * .5, align_corners=False)|F.grid_sample(x[None, None], torch.stack([x, y], -1)[None], 'bicubic', 'border', True)
F.pad(x[None], (2, 3), 'reflect')|F.pad(x, (1, 2, 3, -1))|F.pad(x[None, None], (2, 2, 1, 3), 'circular')|F.unfold(x[None, None], 3, stride=2)|F.pixel_shuffle(x[None, :4, None, :], 2)
x[i % n]|x[:, i % m]|x[i % n, i % m]|x.index_select(1, i % m)|x.gather(0, (x > 0).long())|x.gather(1, (y * 3).long() % m)
x.scatter_add(0, (y * 3).long() % n, y)|x.scatter(1, torch.arange(m).flip(0).expand(n, m), y)|x.index_add(0, i % n, y)|x.index_put((i % n, i % m), v[0], accumulate=True)
x.scatter_reduce(0, (y * 3).long() % n, y, 'amax')|x.scatter_reduce(1, (y * 3).long() % m, y, 'mean')|x.masked_select(y > 0)|x[y > 0]|x.masked_fill(y > 0, 2)
x.masked_scatter(y > 0, y)|x.take((y * 50).long().abs() % x.numel())|x.nonzero()|torch.bucketize(x.detach(), v.detach().sort()[0])|torch.searchsorted(v.detach().sort()[0], x.detach())
F.embedding(i, x)|F.embedding(i, x, padding_idx=1, max_norm=None)|F.embedding_bag(i[:10].reshape(-1, 2), x)|F.one_hot(i % m)
x.flip(0)|x.roll(3, 1)|x.rot90()|x.tril()|x.triu(2)|x.diagonal(1)|x.trace()|x.repeat(2, 1)|x.repeat_interleave(2, 0)|torch.cat([x, y], 1)|torch.stack([x, y], 1)
x.T.contiguous()|x.unfold(0, 3, 2)|x.diff(dim=0)|x.histc(10, -2, 2)|x.expand(2, n, m).sum(0)|torch.cat([x.T, y.T], 1)|x.unflatten(1, (-1, m)).sum(1)
x.lerp(y, .3)|torch.addcmul(x, x, y)|torch.addcdiv(x, x, y.abs() + 1)|x.atan2(y)|x.hypot(y)|x.logaddexp(y)|x.fmod(.7)|x.remainder(.7)|x // .7|x.copysign(y)
x.clone().mul_(y)|x.clone().add_(v)|x.clone().T.add_(y.T)|x.clone().exp_()|x.clone().relu_()|x.clone().clamp_(-1, 1)|x.clone().copy_(y.flip(1))|x.clone().index_fill_(0, i % n, 2.)
torch.fft.rfft(x).abs()|torch.fft.fft2(x).real|x.double().sum().to(x.dtype)|x.half().float()|x.bfloat16().float()|x.to(torch.float64)|x.long()|x > y|x == y|(x > 0).sum(0)|(x > 0).all(1)
F.scaled_dot_product_attention(x[None, None], y[None, None], x[None, None])|F.scaled_dot_product_attention(x[None, None], y[None, None], x[None, None], is_causal=True)|F.multilabel_soft_margin_loss(x, (y > 0).float())
F.dropout(x, 0.)|F.local_response_norm(x[None, None], 3)|x.renorm(2, 0, 1.)|x.cov()|x.nansum()|x.nanmean(0)|x.count_nonzero(1)|x.aminmax(dim=1)[1]|x.quantile(.3, 1) if x.dtype in (torch.float32, torch.float64) else x
torch.trapezoid(x)|torch.bernoulli(x.sigmoid() * 0)|x.addr(x[:, 0], v)|torch.block_diag(x[:3], y[:2])|torch.linalg.vector_norm(x, 3, 1)|x.dist(y)|x.frac()|x.digamma()|(x.abs() + 1).lgamma()|x.sinc()|x.logit(1e-3)"""
SIZES = (
    "(100, 100)",
    "(101, 99)",
    "(100, 101)",
    "(20, 512)",
    "(513, 20)",
    "(64, 157)",
    "(33, 311)",
    "(160, 64)",
    "(10, 1100)",
)
WAYS = (
    "{}", "{}", "{}.T.contiguous().T", "{}.repeat(1, 2)[:, ::2]", "{}.repeat(2, 1)[::2]",
    "{}.repeat(2, 2)[1:n + 1, 3:m + 3]", "{}.flip(0)", "{}[:1].expand(n, m)", "{}[:, :1].expand(n, m)",
    "torch.cat([v[:3], {}.reshape(-1)])[3:].view(n, m)",
)  # fmt: skip
DTYPES = ("float32",) * 5 + ("float64", "bfloat16", "float16")
ROUNDING = {"float32": 2e-7, "float64": 4e-16, "float16": 1e-3, "bfloat16": 8e-3}


def program(rng: random.Random) -> str:
    """A function of two large tensors, mostly with gradients."""
    dtype, size = rng.choice(DTYPES), rng.choice(SIZES)
    functions = FUNCTIONS.replace("\n", "|").split("|")
    x, y = (rng.choice(WAYS).format(name) for name in "ab")
    seed = rng.randrange(1000)
    lines = [
        f"rng = np.random.default_rng({seed}); n, m = {size}; i = torch.arange(n)",
        f"a, b, v = (torch.tensor(rng.standard_normal(s)).to(torch.{dtype})"
        ".requires_grad_() for s in ((n, m), (n, m), m))",
        f"x, y = {x}, {y}",
        f"z = {rng.choice(functions)}",
    ]
    if rng.random() < 0.3:
        return "\n".join([*lines, "result = [z]"])
    weights = rng.choice(
        ["(torch.arange(z.numel()) % 7 - 2.5).reshape(z.shape).to(z.dtype)",
         "(torch.arange(z.numel()) % 7 - 2.5).reshape(z.T.shape).T.to(z.dtype) if z.ndim == 2 else z.detach()",
         "torch.ones(()).to(z.dtype).expand(z.shape)"]
    )  # fmt: skip
    lines.append(
        f"g = torch.autograd.grad(z, (a, b, v), {weights}, allow_unused=True) "
        "if z.requires_grad else ()"
    )
    return "\n".join([*lines, "result = [z, g]"])


def excuses(expected: Outcome, got: Outcome, text: str) -> str:
    """The kinds of difference that count for nothing, as a regular expression.

    Values may differ as PyTorch's own do when roundings move numbers on the way, or be
    as near to those of double precision.
    """
    if got.error is not None or expected.error is not None:
        return ""
    dtype = text.partition(".to(torch.")[2].partition(")")[0]
    moved = outcome(rounded(text, ROUNDING[dtype]), torch, {})
    if explained(expected.value, got.value, moved.value):
        return "value"
    return excuse(expected, got, text)


def rounded(text: str, step: float) -> str:
    """The program with numbers that a relative step moves up or down.

    These are the numbers drawn, each element of the operands, each of the gradient that
    arrives, and each of the operands' gradients before they are added up.
    """
    signs = f"{step!r} * np.random.default_rng(1).choice([-1., 1.], "
    drawn, lines = "rng.standard_normal(s)", []
    for line in text.splitlines():
        lines.append(line.replace(drawn, f"{drawn} * (1 + {signs}s))"))
        if line.startswith("x, y = "):
            lines += [
                f"S = lambda t: t * (1 + torch.tensor({signs}t.shape))).to(t.dtype)",
                "H = lambda t: t.requires_grad and t.register_hook(S)",
                "x, y = S(x), S(y); H(x); H(y)",
            ]
        elif line.startswith("z = "):
            lines.append("H(z)")
    return "\n".join(lines)


def explained(expected: Any, got: Any, moved: Any) -> bool:
    """Whether each tensor is right, or as near as PyTorch's is to one that was moved."""
    lists = [v for v in (expected, got, moved) if isinstance(v, list)]
    if len(lists) == 3 and len(expected) == len(got) == len(moved):
        return all(map(explained, *lists))
    if not difference(Outcome(expected), Outcome(got), SCALE)[0]:
        return True
    return distance(expected, got) <= ROUNDINGS * distance(expected, moved)
