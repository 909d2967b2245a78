"""Functions of one sample, and the shape of a sample."""

from __future__ import annotations

import edutorch as torch

F = torch.nn.functional
W = torch.linspace(-1, 1, 12, dtype=torch.float64).reshape(3, 4)
K = torch.linspace(-1, 1, 18, dtype=torch.float64).reshape(2, 1, 3, 3)

__all__ = ["CASES"]

CASES = [
    (lambda x: x.sum(), (3, 4)), (lambda x: x.sum(0), (3, 4)), (lambda x: x.sum(-1), (3, 4)),
    (lambda x: x.mean((0, 1), keepdim=True), (3, 4)), (lambda x: x.var(1), (3, 4)),
    (lambda x: x.std(), (3, 4)), (lambda x: x.amax(0), (3, 4)), (lambda x: x.max(), (3, 4)),
    (lambda x: tuple(x.max(1)), (3, 4)), (lambda x: x.argmin(1), (3, 4)),
    (lambda x: x.argmax(), (3, 4)), (lambda x: x.prod(), (3,)), (lambda x: x.prod(0), (3, 4)),
    (lambda x: x.norm(dim=1), (3, 4)), (lambda x: x.norm(), (3, 4)),
    (lambda x: x.logsumexp(1), (3, 4)), (lambda x: x.cumsum(0), (3, 4)),
    (lambda x: x.cumprod(-1), (3, 4)), (lambda x: x.softmax(-1), (3, 4)),
    (lambda x: x.log_softmax(0), (3, 4)), (lambda x: x.flip(0), (3, 4)),
    (lambda x: x.t(), (3, 4)), (lambda x: x.T, (3, 4)), (lambda x: x.permute(2, 0, 1), (2, 3, 4)),
    (lambda x: x.transpose(0, -1), (2, 3, 4)), (lambda x: x.reshape(-1), (3, 4)),
    (lambda x: x.view(4, 3), (3, 4)), (lambda x: x.t().reshape(2, 6), (3, 4)),
    (lambda x: x.unsqueeze(1), (3, 4)), (lambda x: x[:, None], (3,)), (lambda x: x[None, 1:], (3,)),
    (lambda x: x.squeeze(), (1, 3, 1)), (lambda x: x.squeeze(0), (1, 3)), (lambda x: x[1], (3, 4)),
    (lambda x: x[..., 1], (3, 4)), (lambda x: x[:, ::2], (3, 4)), (lambda x: x.expand(2, 3), (3,)),
    (lambda x: x.expand(2, -1, 4), (3, 1)), (lambda x: x.chunk(2), (4, 3)),
    (lambda x: x.unbind(1), (2, 3)), (lambda x: torch.cat([x, W]), (2, 4)),
    (lambda x: torch.stack([x, W], -1), (3, 4)), (lambda x: torch.stack([x, x], 0), (3,)),
    (lambda x: x @ W, (2, 3)), (lambda x: x @ W, (3,)), (lambda x: W @ x, (4,)),
    (lambda x: W @ x, (2, 4, 5)), (lambda x: x @ x, (3, 3)), (lambda x: x @ x, (2, 3, 3)),
    (lambda x: x.dot(x), (3,)), (lambda x: torch.outer(x, W[0]), (3,)), (lambda x: W.mv(x), (4,)),
    (lambda x: torch.mm(x, W), (2, 3)), (lambda x: torch.bmm(x, x), (2, 3, 3)),
    (lambda x: torch.addmm(W, x, W[:, :4], beta=2, alpha=3), (3, 3)),
    (lambda x: F.linear(x, W), (4,)), (lambda x: F.linear(W, x), (2, 4)),
    (lambda x: F.linear(x, W, x[:3]), (4,)), (lambda x: F.linear(W, x, x[:, 0]), (2, 4)),
    (lambda x: F.linear(x, W, W[:2, :3]), (2, 4)),  # a bias that is a matrix
    (lambda x: F.linear(x, W, x[:, :, :1]), (2, 2, 4)),
    (lambda x: F.linear(x, W, x.sum()), (2, 4)), (lambda x: F.linear(W, W, x), (3, 1)),
    (lambda x: torch.einsum("ij,kj->ik", x, W), (2, 4)), (lambda x: x.where(x > 0.5, W), (3, 4)),
    (lambda x: torch.where(x > 0.5, 1.0, x), (3, 4)), (lambda x: x.clamp(0.3, 0.6), (3, 4)),
    (lambda x: x.masked_fill(x > 0.5, 0.0), (3, 4)), (lambda x: x + W, (4,)), (lambda x: W * x, ()),
    (lambda x: x.float() * W, ()), (lambda x: torch.ones(2) * x, ()), (lambda x: x > 0.5, (3,)),
    (lambda x: x.lerp(W, 0.3), (3, 4)), (lambda x: x.pow(W), (3, 4)), (lambda x: 2**x, (3,)),
    (lambda x: x.gather(1, torch.tensor([[0, 1], [1, 0]])), (2, 3)),
    (lambda x: W.gather(1, (x * 0).long()), (3, 2)), (lambda x: x.sort()[0], (2, 5)),
    (lambda x: x.topk(2)[0], (2, 5)), (lambda x: x.tril(), (3, 3)), (lambda x: x.diagonal(), (3, 3)),
    (lambda x: torch.linalg.inv(x), (3, 3)), (lambda x: torch.linalg.det(x), (3, 3)),
    (lambda x: F.conv2d(x, K), (2, 1, 5, 5)), (lambda x: F.conv2d(x, K), (1, 5, 5)),
    (lambda x: F.conv2d(K, x), (3, 1, 2, 2)), (lambda x: F.conv2d(x, x[:, :, :2, :2]), (2, 2, 5, 5)),
    (lambda x: F.max_pool2d(x, 2), (2, 4, 4)), (lambda x: F.avg_pool2d(x, 2), (1, 2, 4, 4)),
    (lambda x: F.adaptive_avg_pool2d(x, 1), (2, 4, 4)), (lambda x: F.layer_norm(x, (4,)), (3, 4)),
    (lambda x: F.layer_norm(W, (4,), x, x), (4,)), (lambda x: F.mse_loss(x, W), (3, 4)),
    (lambda x: F.l1_loss(x, W, reduction="sum"), (3, 4)), (lambda x: F.gelu(x), (3,)),
    (lambda x: F.huber_loss(x, W, reduction="none"), (3, 4)), (lambda x: F.glu(x), (3, 4)),
    (lambda x: F.cross_entropy(x, torch.tensor([1, 0])), (2, 3)), (lambda x: F.relu(x), (3,)),
    (lambda x: F.pad(x, (1, 1)), (2, 3)), (lambda x: x.roll(1, 0), (3,)), (lambda x: x.repeat(2, 1), (2, 2)),
    (lambda x: x.clone().mul_(2), (3,)), (lambda x: x.to(torch.float32), (3,)), (lambda x: x.abs().sqrt(), (3,)),
    (lambda x: F.softplus(x), (3,)),
    (lambda x: F.scaled_dot_product_attention(x, x, x), (2, 3, 4)), (lambda x: x[torch.tensor([1, 0])] + x, (2,)),
]  # fmt: skip
