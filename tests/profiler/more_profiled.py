"""Ten more programs for profiles, and single calls, one operation each."""

from __future__ import annotations

__all__ = ["CALLS", "MORE", "operands"]


def autoencoder(torch):
    """Convolutions down and up, trained with Adam."""
    nn = torch.nn
    model = nn.Sequential(
        nn.Conv2d(1, 4, 3, stride=2, padding=1), nn.ReLU(),
        nn.ConvTranspose2d(4, 1, 2, stride=2), nn.Sigmoid(),
    )  # fmt: skip
    optimizer = torch.optim.Adam(model.parameters())
    x = torch.rand(4, 1, 8, 8)

    def step():
        loss = nn.functional.mse_loss(model(x), x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def gru(torch):
    """A classifier of sequences."""
    nn = torch.nn
    table, layer = nn.Embedding(9, 4), nn.GRU(4, 5, batch_first=True)
    head = nn.Linear(5, 3)
    x, y = torch.randint(0, 9, (2, 6)), torch.tensor([0, 2])

    def step():
        _, h = layer(table(x))
        nn.functional.cross_entropy(head(h[-1]), y).backward()

    return step


def norms(torch):
    """Norms of groups and instances, and pools."""
    nn = torch.nn
    model = nn.Sequential(
        nn.GroupNorm(2, 4), nn.InstanceNorm2d(4), nn.SiLU(), nn.AvgPool2d(2),
        nn.AdaptiveAvgPool2d(1),
    )  # fmt: skip
    x = torch.randn(2, 4, 8, 8, requires_grad=True)

    def step():
        model(x).sum().backward()

    return step


def indexing(torch):
    """Masks, lists of indices, gather."""
    rows = torch.zeros(3, 1, dtype=torch.long)

    def step():
        x = torch.arange(12.0).view(3, 4).requires_grad_()
        mask = x.detach() > 4
        y = torch.where(mask, x, torch.zeros(()))
        z = x[mask].sum() + x[1].sum() + x.gather(1, rows).sum()
        (y.masked_fill(mask, 0).sum() + z).backward()

    return step


def linear_algebra(torch):
    """Solving, inverting, contracting."""
    a = torch.randn(3, 3) + 4 * torch.eye(3)

    def step():
        torch.linalg.solve(a, torch.ones(3, 1))
        torch.linalg.inv(a)
        torch.einsum("ij,jk->ik", a, a)
        torch.linalg.norm(a)
        a.trace()
        a.diagonal().sum()
        torch.outer(a[0], a[1])

    return step


def custom_function(torch):
    """An operation of the user's."""

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    def step():
        Double.apply(torch.ones(3, requires_grad=True)).sum().backward()

    return step


def checkpointed(torch):
    """Activations that are computed again."""
    run = torch.utils.checkpoint.checkpoint
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Tanh())
    x = torch.ones(2, 3, requires_grad=True)

    def step():
        run(model, x, use_reentrant=False).sum().backward()

    return step


def sampling(torch):
    """Random tensors, new and in place."""

    def step():
        torch.rand(3)
        torch.randn(2, 2)
        torch.randperm(5)
        torch.multinomial(torch.ones(4), 2)
        torch.bernoulli(torch.full((3,), 0.5))
        torch.nn.functional.dropout(torch.ones(4), 0.5)
        torch.empty(3).uniform_()
        torch.zeros(3).normal_()

    return step


def losses(torch):
    """Losses that are made of several operations."""
    f = torch.nn.functional
    x = torch.randn(4, 3, requires_grad=True)
    y, t = torch.randn(4, 3), torch.tensor([0, 1, 2, 0])

    def step():
        p, q = f.log_softmax(x, 1), f.softmax(y, 1)
        total = f.kl_div(p, q, reduction="sum") + f.nll_loss(p, t)
        total = total + f.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y))
        total = total + f.cosine_similarity(x, y).mean()
        (total + f.margin_ranking_loss(x[0], y[0], y[1])).backward()

    return step


def blocks_of_batches(torch):
    """A loop over batches with momentum."""
    model = torch.nn.Linear(3, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

    def step():
        for i in range(2):
            with torch.profiler.record_function(f"batch {i}"):
                optimizer.zero_grad(set_to_none=False)
                model(torch.ones(1, 3)).mean().backward()
                optimizer.step()

    return step


MORE = {
    f.__name__: f
    for f in (
        autoencoder, gru, norms, indexing, linear_algebra, custom_function,
        checkpointed, sampling, losses, blocks_of_batches,
    )
}  # fmt: skip


def operands(torch):
    """What the calls name."""
    a = torch.arange(9.0).reshape(3, 3) / 9 + torch.eye(3)
    return {
        "torch": torch, "F": torch.nn.functional, "a": a, "v": torch.ones(3),
        "i": torch.tensor([[0, 1, 2], [2, 1, 0], [0, 0, 1]]),
        "s": a @ a.T + torch.eye(3), "p": torch.full((3, 3), 0.3),
        "c": torch.arange(32.0).reshape(1, 2, 4, 4), "w": torch.ones(2, 2, 2, 2),
    }  # fmt: skip


CALLS = """
torch.linalg.inv(a) | torch.linalg.slogdet(a) | torch.linalg.svd(a)
| torch.linalg.qr(a) | torch.linalg.eigh(s) | torch.linalg.cholesky(s)
| torch.linalg.norm(a) | torch.linalg.matrix_norm(a) | torch.linalg.vector_norm(a)
| torch.linalg.pinv(a) | torch.linalg.matrix_power(a, 3) | torch.linalg.eigvalsh(s)
| torch.linalg.svdvals(a) | torch.linalg.matrix_rank(a)
| torch.linalg.multi_dot([a,a,a]) | torch.linalg.cond(a) | torch.linalg.lu(a)
| torch.linalg.eig(a) | torch.inverse(a) | torch.det(a) | torch.logdet(s)
| torch.norm(a) | torch.einsum("ij,jk->ik", a, a) | torch.outer(v, v) | torch.dot(v, v)
| torch.matmul(a, a) | torch.kron(a, a) | torch.tensordot(a, a) | torch.trace(a)
| torch.diagonal(a) | torch.tril(a) | torch.cumsum(a, 0) | torch.cumprod(a, 0)
| torch.logsumexp(a, 0) | torch.var(a) | torch.std(a) | torch.var_mean(a)
| torch.median(a) | torch.sort(a) | torch.topk(a, 2) | torch.unique(a)
| torch.argsort(a) | torch.flip(a, [0]) | torch.roll(a, 1) | torch.gather(a, 0, i)
| torch.scatter(a, 0, i, a) | torch.index_select(a, 0, i[0]) | torch.where(a > 0, a, s)
| torch.masked_select(a, a > 0) | torch.nonzero(a) | torch.clamp(a, 0, 1)
| torch.lerp(a, s, 0.5) | torch.addcmul(a, a, s) | torch.bernoulli(p)
| torch.multinomial(p, 2) | torch.randperm(5) | torch.cdist(a, s) | torch.split(a, 1)
| torch.chunk(a, 2) | torch.unbind(a) | torch.stack([a, a]) | torch.hstack([a, a])
| torch.vstack([a, a]) | a.repeat(2, 1) | a.expand(2, 3, 3)
| torch.meshgrid(v, v, indexing="ij") | torch.repeat_interleave(a, 2)
| F.embedding(i, a) | F.relu(a) | F.gelu(a) | F.silu(a) | F.elu(a) | F.leaky_relu(a)
| F.softplus(a) | F.hardtanh(a) | F.softmax(a, 1) | F.log_softmax(a, 1)
| F.layer_norm(a, (3,)) | F.group_norm(c, 1) | F.instance_norm(c)
| F.batch_norm(c, None, None, training=True) | F.conv2d(c, w) | F.conv_transpose2d(c, w)
| F.max_pool2d(c, 2) | F.avg_pool2d(c, 2) | F.adaptive_avg_pool2d(c, 1)
| F.pad(c, (1, 1)) | F.pixel_shuffle(torch.ones(1, 4, 2, 2), 2) | F.dropout(a)
| F.binary_cross_entropy(p, p)
| F.binary_cross_entropy_with_logits(a, p) | F.cross_entropy(a, i[0])
| F.nll_loss(a, i[0]) | F.cosine_similarity(a, s) | F.pairwise_distance(a, s)
| F.margin_ranking_loss(v, v, v) | F.hinge_embedding_loss(v, v)
| F.cosine_embedding_loss(a, s, v) | F.triplet_margin_loss(a, s, p)
| F.multi_margin_loss(a, i[0]) | F.soft_margin_loss(v, v) | F.poisson_nll_loss(a, p)
| F.multilabel_soft_margin_loss(a, p) | F.glu(torch.ones(2, 4))
| F.bilinear(a, a, torch.ones(2, 3, 3)) | F.linear(a, a) | a[0] | a[:, 1:] | a[i]
| a[a > 0] | a.double() | a.to(torch.float64) | a.clone() | a.detach() | a.contiguous()
| a.view(-1) | a.flatten() | a.t() | torch.fft.fft(v) | torch.fft.rfft(v) | torch.cov(a)
| torch.corrcoef(a) | torch.histc(a) | torch.bincount(i[0]) | torch.allclose(a, a)
| torch.isclose(a, a) | torch.isnan(a) | torch.isfinite(a) | torch.allclose(a, s)
| torch.zeros(2) | torch.ones_like(a) | torch.full_like(a, 2.0) | torch.eye(3)
| torch.linspace(0, 1, 3) | torch.logspace(0, 1, 3) | torch.empty(2) | torch.rand(2)
| torch.randn(2) | torch.randint(0, 3, (2,)) | torch.rand_like(a) | torch.add(a, 1)
| a + 1 | a - 1 | 1 - a | a * 2 | a / 2 | 2 / a | a ** 2 | a @ a | -a | abs(a) | a == s
| a > 0 | a // 2 | a % 2 | ~(a > 0) | torch.all(a > 0) | torch.any(a > 0) | torch.max(a)
| torch.max(a, 0) | torch.min(a) | torch.amax(a, 0) | torch.argmax(a) | torch.sum(a)
| torch.mean(a) | torch.prod(a) | torch.exp(a) | torch.sigmoid(a) | torch.square(a)
| torch.rsqrt(p) | torch.count_nonzero(a) | torch.cummax(a, 0)
| torch.searchsorted(v, v) | torch.cartesian_prod(v, v) | torch.combinations(v)
| torch.block_diag(a, a) | torch.diff(v) | torch.trapezoid(v) | torch.nan_to_num(a)
| torch.logaddexp(a, a) | torch.hypot(a, a) | torch.heaviside(a, a)
| torch.maximum(a, s) | torch.take(a, i) | torch.take_along_dim(a, i, 0)
| torch.addr(a, v, v) | torch.baddbmm(c[0], c[0], c[0])
| torch.cross(a, a, dim=1) | torch.dist(a, s) | torch.renorm(a, 2, 0, 1)
| torch.bitwise_and(i, i) | torch.quantile(v, 0.5) | torch.nanmean(a) | torch.nansum(a)
| torch.mode(a) | torch.kthvalue(a, 1) | torch.unsqueeze(a, 0)
| torch.permute(a, (1, 0)) | torch.transpose(a, 0, 1) | torch.cat([a, a])
| torch.dstack([a, a]) | torch.rot90(a) | torch.index_fill(a, 0, i[0], 1.0)
| torch.index_add(a, 0, i[0], a) | torch.masked_fill(a, a > 0, 1.0)
| torch.select(a, 0, 1) | torch.tensor_split(a, 3)
"""
