"""Layers and losses with random arguments: outputs, gradients, states."""

from __future__ import annotations

import random
import re

__all__ = ["program"]

SCALE = 5  # of the tolerance: gradients of weights are sums of thousands of products
POOLS = ("MaxPool", "AvgPool", "LPPool", "AdaptiveAvgPool", "AdaptiveMaxPool")
ACTIVATIONS = """ReLU() ReLU6() ELU(0.7) CELU(1.3) SELU() GELU() GELU('tanh') SiLU() Mish()
Hardtanh(-1,2) Hardswish() Hardsigmoid() Softplus(2,3) Softshrink(0.3) Hardshrink(0.4)
Tanhshrink() LeakyReLU(0.2) LogSigmoid() Softsign() Threshold(0.1,-1) GLU(1) PReLU()
Softmax(1) LogSoftmax(1) Softmin(1) RReLU(0.1,0.3) Sigmoid() Tanh() Softmax2d()
Identity() Flatten() Unflatten(1,(2,-1)) ChannelShuffle(2) Dropout(0.3) AlphaDropout(0.2)
Dropout1d(0.5) FeatureAlphaDropout(0.4)""".split()  # noqa: SIM905
LOSSES = """L1Loss MSELoss SmoothL1Loss HuberLoss BCEWithLogitsLoss SoftMarginLoss
PoissonNLLLoss KLDivLoss MultiLabelSoftMarginLoss HingeEmbeddingLoss""".split()  # noqa: SIM905


def program(rng: random.Random) -> str:
    """A program that builds a layer, runs it and asks for all gradients."""
    kind = rng.choice(
        [conv, conv, pool, norm, activation, loss, recurrent, linear, classes]
    )
    layer, size, rest = kind(rng)
    dtype = rng.choice(["float32", "float64", "float64"])
    seed = rng.randrange(1000)
    values = f"np.random.default_rng({seed}).normal(size=({size}))"
    # Layers over lines and neighbouring channels lay out results of transposed inputs
    # as their own detours by images come out.
    transposed = size.count(",") > 1 and not re.search(r"Pool1d|Response", layer)
    layout = ".transpose(-1, -2)" if transposed and rng.random() < 0.25 else ""
    return "\n".join(
        [
            f"m = nn.{layer}.to(torch.{dtype})",
            f"x = torch.tensor({values}, dtype=torch.{dtype}){layout}.requires_grad_()",
            f"y = m(x{rest}); y = y[0] if isinstance(y, tuple) else y",
            "v = torch.arange(y.numel(), dtype=y.dtype).sin().add(2).reshape(y.shape)",
            "g = torch.autograd.grad(y, [x, *m.parameters()], v, allow_unused=True)",
            "result = [y, g, list(m.state_dict().items()), str(m), y.is_contiguous()]",
        ]
    )


def pair(rng: random.Random, dims: int, low: int, high: int) -> str:
    """A number, or one for each dimension."""
    if rng.random() < 0.6:
        return str(rng.randint(low, high))
    return str(tuple(rng.randint(low, high) for _ in range(dims)))


def sizes(rng: random.Random, dims: int, channels: int) -> str:
    """Sizes of images, now and then without a batch."""
    own = [rng.randint(3, 9) for _ in range(dims)]
    batch = [rng.choice([1, 2, 3, 0 if rng.random() < 0.2 else 4])]
    if rng.random() < 0.15:
        batch = []
    return ", ".join(map(str, [*batch, channels, *own]))


def conv(rng: random.Random) -> tuple[str, str, str]:
    """A convolution, transposed or not."""
    dims = rng.choice([1, 2, 2, 2, 3])
    groups = rng.choice([1, 1, 1, 2, 4])
    channels = groups * rng.choice([1, 2, 4])
    out = groups * rng.choice([1, 2, 3])
    transposed = rng.random() < 0.25
    name = f"Conv{'Transpose' if transposed else ''}{dims}d"
    given = [f"{channels}, {out}, {pair(rng, dims, 1, 4)}",
             f"stride={pair(rng, dims, 1, 3)}", f"groups={groups}"]  # fmt: skip
    if rng.random() < 0.5:
        given.append(f"padding={pair(rng, dims, 0, 2)}")
    if rng.random() < 0.3:
        given.append(f"dilation={pair(rng, dims, 1, 2)}")
    if rng.random() < 0.3:
        given.append("bias=False")
    if rng.random() < 0.2 and not transposed:
        modes = ["zeros", "reflect", "replicate", "circular"]
        given.append(f"padding_mode='{rng.choice(modes)}'")
    return f"{name}({', '.join(given)})", sizes(rng, dims, channels), ""


def pool(rng: random.Random) -> tuple[str, str, str]:
    """A pooling layer."""
    dims, name = rng.choice([1, 2, 2, 3]), rng.choice(POOLS)
    size = sizes(rng, dims, rng.choice([1, 3]))
    if name.startswith("Adaptive"):
        return f"{name}{dims}d({pair(rng, dims, 1, 5)})", size, ""
    given = [pair(rng, dims, 1, 4)]
    if name == "LPPool":
        given.insert(0, rng.choice(["1", "2", "3.5"]))
    if rng.random() < 0.6:
        given.append(f"stride={pair(rng, dims, 1, 3)}")
    if name != "LPPool" and rng.random() < 0.5:
        given.append(f"padding={pair(rng, dims, 0, 2)}")
    if name == "MaxPool" and rng.random() < 0.4:
        given.append(f"dilation={pair(rng, dims, 1, 2)}")
    if name == "AvgPool" and rng.random() < 0.4:
        given.append("count_include_pad=False")
    if rng.random() < 0.3:
        given.append("ceil_mode=True")
    return f"{name}{dims}d({', '.join(given)})", size, ""


def norm(rng: random.Random) -> tuple[str, str, str]:
    """A normalisation, in training and in evaluation."""
    dims, channels = rng.choice([1, 2, 3]), rng.choice([2, 4, 6])
    affine = rng.choice(["", ", affine=False", ", eps=0.1"])
    end = rng.choice(["", "", ".eval()"])
    size = sizes(rng, dims, channels)
    last = int(size.rpartition(",")[2])
    return (
        rng.choice(
            [
                f"BatchNorm{dims}d({channels}{affine}){end}",
                f"BatchNorm{dims}d({channels}, momentum=None){end}",
                f"BatchNorm{dims}d({channels}, track_running_stats=False){end}",
                f"InstanceNorm{dims}d({channels}, affine=True){end}",
                f"GroupNorm(2, {channels}{affine}){end}",
                f"LayerNorm({last}{affine.replace('affine', 'elementwise_affine')})",
                f"RMSNorm({last})",
                f"LocalResponseNorm({rng.randint(1, 4)})",
            ]
        ),
        size,
        "",
    )


def activation(rng: random.Random) -> tuple[str, str, str]:
    """An activation or a dropout, on small and on large tensors."""
    size = rng.choice(["4, 6", "2, 4, 3, 3", "4, 4, 5", "40, 60", "3, 4, 40, 9"])
    return rng.choice(ACTIVATIONS), size, ""


def loss(rng: random.Random) -> tuple[str, str, str]:
    """A loss of two tensors alike in shape."""
    reduction = rng.choice(["mean", "sum", "none"])
    size = rng.choice(["4, 3", "50, 41", "7, 1"])
    target = f", torch.ones({size}, dtype=x.dtype).mul(0.5)"
    return f"{rng.choice(LOSSES)}(reduction='{reduction}')", size, target


def classes(rng: random.Random) -> tuple[str, str, str]:
    """Cross entropy and its kin, with weights and ignored classes."""
    n, c = rng.choice([1, 4, 300]), rng.choice([2, 5, 70])
    given = [f"reduction='{rng.choice(['mean', 'sum', 'none'])}'"]
    if rng.random() < 0.4:
        given.append(f"ignore_index={rng.choice([-100, 0, 1])}")
    if rng.random() < 0.3:
        given.append(f"weight=torch.arange({c}) % 7 + 0.5")
    name = rng.choice(["CrossEntropyLoss", "NLLLoss", "MultiMarginLoss"])
    if name == "MultiMarginLoss":
        given = [g for g in given if "ignore" not in g]
    if name == "CrossEntropyLoss" and rng.random() < 0.4:
        given.append("label_smoothing=0.1")
    return f"{name}({', '.join(given)})", f"{n}, {c}", f", torch.arange({n}) % {c}"


def recurrent(rng: random.Random) -> tuple[str, str, str]:
    """A recurrent layer."""
    given = [f"3, {rng.randint(1, 5)}, num_layers={rng.choice([1, 1, 2])}"]
    if rng.random() < 0.4:
        given.append("batch_first=True")
    if rng.random() < 0.4:
        given.append("bidirectional=True")
    if rng.random() < 0.2:
        given.append("bias=False")
    name = rng.choice(["RNN", "LSTM", "GRU"])
    if name == "LSTM" and rng.random() < 0.2:
        given.append("proj_size=1")
    size = rng.choice(["2, 3, 3", "5, 1, 3", "1, 1, 3", "4, 3", "1, 4, 3"])
    return f"{name}({', '.join(given)})", size, ""


def linear(rng: random.Random) -> tuple[str, str, str]:
    """A linear or bilinear map."""
    bias = rng.choice(["", ", bias=False"])
    size = rng.choice(["3", "2, 3", "2, 4, 3", "0, 3", "1, 3"])
    if rng.random() < 0.2:
        return f"Bilinear(3, 3, 2{bias})", size, ", x"
    return f"Linear(3, {rng.randint(0, 4)}{bias})", size, ""
