"""Functions of 16-bit and complex numbers, and their gradients.

Where PyTorch rounds 16-bit numbers at every step, results may be nearer to those of
double precision than PyTorch's are.
"""

from __future__ import annotations

import random

from tests.fuzz.double_precision import excuse

__all__ = ["excuses", "program"]

excuses = excuse

HALVES = ["float16", "bfloat16"]
COMPLEX = ["complex64", "complex128"]
SHAPES = ["()", "(3,)", "(2, 3)", "(4, 3)", "(2, 2, 3)", "(1, 4)"]

# Of numbers of any kind; `x` and `y` have one shape.
ANY = """x + y|x * y|x / (y + 3)|x - 2 * y|x * 0.3|x / 0.7|-x|x.sum()|x.mean()|x.sum(-1)
x.exp()|x.sin()|x.cosh()|x.tanh()|x.sigmoid()|x.square()|(x * x).sum(0)|abs(x)
x.cumsum(-1)|x.reshape(-1).dot(y.reshape(-1))
torch.addcmul(x, x, y, value=0.5)|torch.add(x, y, alpha=0.5)|torch.lerp(x, y, 0.3)
F.linear(x.reshape(-1), torch.stack([y.reshape(-1), x.reshape(-1)]))
torch.cat([x.reshape(-1), y.reshape(-1)])|torch.where(x.real > 0, x, y)|x.reshape(-1).flip(0)
x.expand(2, *x.shape).sum(0)|torch.linalg.vector_norm(x)|x.std()|x.var()|x.conj() * y
torch.einsum('...i,...i->...', x.reshape(1, -1), y.reshape(1, -1))""".replace("\n", "|")
# Of real numbers alone.
REAL = """F.softplus(x)|F.silu(x)|F.gelu(x)|F.gelu(x, approximate='tanh')|F.elu(x)|F.mish(x)
F.logsigmoid(x)|F.hardswish(x)|F.leaky_relu(x, 0.3)|F.celu(x, 1.3)|F.softshrink(x, 0.2)
F.smooth_l1_loss(x, y.detach())|F.huber_loss(x, y.detach())|F.mse_loss(x, y.detach())
F.softmax(x, -1)|x.clamp(-0.5, 0.5)|x.relu()|torch.maximum(x, y)
torch.logaddexp(x, y)|torch.atan2(x, y + 3)|torch.hypot(x, y + 3)|torch.erf(x)|x.amax(-1)
x.logcumsumexp(-1)|F.normalize(x + 3, dim=-1)|x // 0.3
x.sort(-1).values
(x + 3).log()|(x + 3).sqrt()|(x + 3).rsqrt()|x.expm1()|x.atan()|(x + 3) ** 1.5
x.reshape(-1).scatter_add(0, torch.zeros(x.numel(), dtype=int), y.reshape(-1))
x.logsumexp(-1)|x.logsumexp(0, True)|F.binary_cross_entropy_with_logits(x, y.detach().sigmoid())
F.binary_cross_entropy_with_logits(x, y.detach(), x.detach(), reduction='sum', pos_weight=y.detach())
F.dropout(x, 0.5)|x.cumprod(-1)|torch.cdist(x.reshape(1, -1).float(), y.reshape(1, -1).float())
F.kl_div(x.log_softmax(-1), y.detach().softmax(-1), reduction='sum')
torch.outer(x.reshape(-1), y.reshape(-1))|torch.kron(x.reshape(-1), y.reshape(-1))|x.prod()
x.reshape(-1, 1) @ y.reshape(1, -1)|x.reshape(1, -1) @ y.reshape(-1, 1)|torch.trapezoid(x.reshape(-1))
F.layer_norm(x.reshape(1, -1), (x.numel(),), eps=0.1)|F.rms_norm(x.reshape(1, -1), (x.numel(),), eps=0.1)
F.cosine_similarity(x.reshape(1, -1), y.reshape(1, -1) + 2)|F.glu(torch.stack([x, y]), 0)|x.renorm(2, 0, 1.0) if x.ndim > 1 else x
F.conv1d(x.reshape(1, 1, -1), y.reshape(1, 1, -1))|F.conv_transpose1d(x.reshape(1, 1, -1), y.reshape(1, 1, -1))
F.scaled_dot_product_attention(x.reshape(1, -1, 1), y.reshape(1, -1, 1), x.reshape(1, -1, 1))
F.grid_sample(x.reshape(1, 1, 1, -1), y.reshape(1, -1, 1, 1).expand(-1, -1, -1, 2) * 0.5, align_corners=False)
F.grid_sample(x.reshape(1, 1, 1, -1), y.reshape(1, -1, 1, 1).expand(-1, -1, -1, 2) * 0.5, mode='bicubic', align_corners=True)
F.adaptive_avg_pool3d(x.reshape(1, 1, 1, 1, -1), 1)|F.interpolate(x.reshape(1, 1, -1), size=5, mode='linear')
F.interpolate(x.reshape(1, 1, 1, 1, -1), size=(2, 2, 5), mode='trilinear')|F.avg_pool1d(x.reshape(1, 1, -1), 1)
F.fold(x.reshape(1, 1, -1).expand(1, 4, -1), (2, x.numel() + 1), 2)""".replace(
    "\n", "|"
)
# Of complex numbers alone.
UNREAL = """x.real * y.imag|torch.view_as_real(x)|x.angle()|x.sgn()|x.mH if x.ndim > 1 else x
(x + 4).log()|(x + 4).sqrt()|(x + 4) ** 1.5|(x + 4) ** y|(x + 4).reciprocal()|x.tan() * 0.1
torch.fft.fft(x.reshape(-1))|torch.outer(x.reshape(-1), y.reshape(-1))|torch.fft.ifft(x.reshape(-1))|x.acosh()|(x * 0.1).asin()
torch.vdot(x.reshape(-1), y.reshape(-1))|x * y.real|x.abs() * y|x.cumprod(-1)|x.sinc()
x.reshape(1, -1) @ y.reshape(-1, 1)|torch.linalg.cholesky(x.reshape(-1, 1) @ x.reshape(1, -1).conj()
 + 3 * torch.eye(x.numel()))|torch.linalg.inv(torch.diag(x.reshape(-1) + 4))|torch.polar(abs(x), y.real)
torch.linalg.det(torch.diag(x.reshape(-1)) + 1)|torch.kron(x.reshape(-1), y.reshape(-1))
F.conv1d(x.reshape(1, 1, -1), y.reshape(1, 1, -1))|torch.complex(x.real, y.imag)|x.prod()|torch.cosh(x) / 2"""
FUNCTIONS = {
    True: (ANY + "|" + REAL).split("|"),
    False: (ANY + "|" + UNREAL.replace("\n +", " +").replace("\n", "|")).split("|"),
}


def program(rng: random.Random) -> str:
    """A program of one function; of most, with the gradients of its operands."""
    half = rng.random() < 0.5
    dtype, shape = rng.choice(HALVES if half else COMPLEX), rng.choice(SHAPES)
    lines = [f"{name} = {operand(rng, dtype, shape)}" for name in "xy"]
    lines.append(f"z = {rng.choice(FUNCTIONS[half])}")
    if rng.random() < 0.3:
        return "\n".join([*lines, "result = z"])
    lines.append("w = (torch.arange(z.numel()) % 3 - 0.5).reshape(z.shape)")
    loss = "(torch.view_as_real(z).sum(-1) if z.is_complex() else z).double() * w"
    lines.append(
        f"result = z, torch.autograd.grad(({loss}).sum(), (x, y), allow_unused=True)"
    )
    return "\n".join(lines)


def operand(rng: random.Random, dtype: str, shape: str) -> str:
    """A leaf that asks for gradients."""
    values = drawn(rng, shape)
    if dtype.startswith("complex"):
        values = f"{values} + 1j * {drawn(rng, shape, 1000)}"
    return f"torch.tensor({values}, dtype=torch.{dtype}, requires_grad=True)"


def drawn(rng: random.Random, shape: str, first: int = 0) -> str:
    """Normal numbers; with other first seeds these are never the same."""
    seed = rng.randrange(first, first + 1000)
    return f"np.random.default_rng({seed}).standard_normal({shape})"
