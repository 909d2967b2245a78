"""Layers and losses with random arguments: outputs, gradients, states."""

from __future__ import annotations

import random
import re

from tests.fuzz.double_precision import excuse

__all__ = ["excuses", "program"]

excuses = excuse  # of 16-bit results

SCALE = 5  # of the tolerance: gradients of weights are sums of thousands of products
POOLS = ("MaxPool", "AvgPool", "LPPool", "AdaptiveAvgPool", "AdaptiveMaxPool")
ACTIVATIONS = """ReLU() ReLU6() ELU(0.7) CELU(1.3) SELU() GELU() GELU('tanh') SiLU() Mish()
Hardtanh(-1,2) Hardswish() Hardsigmoid() Softplus(2,3) Softshrink(0.3) Hardshrink(0.4)
Tanhshrink() LeakyReLU(0.2) LogSigmoid() Softsign() Threshold(0.1,-1) GLU(1) PReLU()
Softmax(1) LogSoftmax(1) Softmin(1) RReLU(0.1,0.3) Sigmoid() Tanh() Softmax2d()
Identity() Flatten() Unflatten(1,(2,-1)) Dropout(0.3) Dropout1d(0.4) Dropout2d(0.4) Dropout3d(0.3) AlphaDropout(0.2)
Dropout1d(0.5) FeatureAlphaDropout(0.4)""".split()
LOSSES = """L1Loss MSELoss SmoothL1Loss HuberLoss BCEWithLogitsLoss SoftMarginLoss
PoissonNLLLoss KLDivLoss MultiLabelSoftMarginLoss HingeEmbeddingLoss""".split()


# Losses that are 0 but for roundings, and a layer that mixes orders of memory.
ROUNDINGS = re.compile("Cosine|Triplet|PairwiseDistance|LPPool|GroupNorm|LocalResponse")


def program(rng: random.Random) -> str:
    """A program that builds a layer, runs it and asks for all gradients."""
    kinds = [conv, conv, pool, norm, activation, loss, recurrent, linear, classes]
    layer, size, rest = rng.choice([*kinds, border, resize, pairs, patches])(rng)
    dtype = rng.choice(["float32", "float64", "float64", "bfloat16", "float16"])
    values = f"np.random.default_rng({rng.randrange(1000)}).normal(size=({size}))"
    lies = layout(rng, size, volumes="3d" in layer)
    if "3d" in layer and dtype == "float16":  # convolutions of these are row-major
        lies = ""
    lines = [
        f"m = nn.{layer}.to(torch.{dtype})",
        f"x = torch.tensor({values}, dtype=torch.{dtype}){lies}.requires_grad_()",
        f"y = m(x{rest}); y = y[0] if isinstance(y, tuple) else y",
        "v = torch.arange(y.numel()).double().sin().add(2).reshape(y.shape).to(y.dtype)",
    ]
    chosen = "[x, *m.parameters()]"
    if rng.random() < 0.25 and dtype == "float64" and not ROUNDINGS.search(layer):
        lines += [
            f"g = torch.autograd.grad(y, {chosen}, v, allow_unused=True, create_graph=True)",
            "s = sum((t * t).sum() for t in g if t is not None)",
            f"gs = torch.autograd.grad(s, {chosen}, allow_unused=True)",
            "result = s, [None if t is None else t + 0 for t in gs]",
        ]
        return "\n".join(lines)
    lines.append(f"g = torch.autograd.grad(y, {chosen}, v, allow_unused=True)")
    told = "y, g, list(m.state_dict().items()), str(m)"
    if not rest and not ROUNDINGS.search(layer):  # NumPy's order differs
        told += ", [s for s, n in zip(y.stride(), y.shape) if n > 1 and y.numel()]"
    return "\n".join([*lines, f"result = [{told}]"])


def layout(rng: random.Random, size: str, volumes: bool) -> str:
    """How the input lies in memory: mostly row by row."""
    dims = size.count(",") + 1
    if rng.random() < 0.6 or dims < 2 or size.startswith("0"):
        return ""
    kinds = [
        ".transpose(-1, -2)",
        ".transpose(0, 1)",
        ".T.contiguous().T",
        "[..., ::1]",
    ]
    kinds += [
        ".repeat_interleave(2, -1)[..., ::2]",
        ".flip(0).transpose(0, -1).contiguous().transpose(0, -1)",
    ]
    if dims == 4 + volumes:
        last = "channels_last" + "_3d" * volumes
        kinds += [f".contiguous(memory_format=torch.{last})"] * 4
    return rng.choice(kinds)


def border(rng: random.Random) -> tuple[str, str, str]:
    """Padding of all kinds, now and then by less than nothing."""
    dims, kind = (
        rng.choice([1, 2, 3]),
        rng.choice(["Zero", "Constant", "Reflection", "Replication", "Circular"]),
    )
    # Of circular ones with negative widths PyTorch leaves parts unwritten.
    low = -1 if kind != "Circular" and rng.random() < 0.3 else 0
    width = (
        str(rng.randint(low, 3))
        if rng.random() < 0.4
        else str(tuple(rng.randint(low, 3) for _ in range(2 * dims)))
    )
    value = ", 1.5" if kind == "Constant" else ""
    return (
        f"{kind}Pad{dims}d({width}{value})",
        sizes(rng, dims, rng.choice([1, 2, 3])),
        "",
    )


def resize(rng: random.Random) -> tuple[str, str, str]:
    """Interpolation, by a factor or to a size."""
    dims = rng.choice([1, 2, 2, 3])
    modes = [
        ["nearest", "nearest-exact", "linear"],
        ["nearest", "nearest-exact", "bilinear", "bicubic"],
        ["nearest", "nearest-exact", "trilinear"],
    ]
    mode = rng.choice(modes[dims - 1])
    given = [
        f"scale_factor={rng.choice(['2', '0.5', '1.7', '3', '1.0'])}"
        if rng.random() < 0.5
        else f"size={pair(rng, dims, 1, 9)}"
    ]
    given.append(f"mode='{mode}'")
    if "linear" in mode or "cubic" in mode:
        given.append(f"align_corners={rng.choice(['True', 'False', 'None'])}")
    if "scale" in given[0] and rng.random() < 0.3:
        given.append("recompute_scale_factor=True")
    return f"Upsample({', '.join(given)})", sizes(rng, dims, rng.choice([1, 2, 4])), ""


def pairs(rng: random.Random) -> tuple[str, str, str]:
    """Losses and distances of several tensors."""
    reduction = f"reduction='{rng.choice(['mean', 'sum', 'none'])}'"
    margin = rng.choice(["", ", margin=0.3"])
    # Of one row and its like both distances change alike: gradients are roundings of 0.
    n, c = rng.choice([2, 3, 40]), rng.choice([2, 4])
    size = f"{n}, {c}"
    signs = f"torch.arange({n}) % 2 * 2 - 1"
    other = ", x.detach().flip(0) + 0.1"
    return rng.choice(
        [
            (
                f"TripletMarginLoss({reduction}{margin}, p={rng.choice(['1', '2', '2.5'])}, swap={rng.random() < 0.5})",
                size,
                other + other.replace("0.1", "0.7"),
            ),
            (f"CosineEmbeddingLoss({reduction}{margin})", size, f"{other}, {signs}"),
            (f"MarginRankingLoss({reduction}{margin})", str(n), f"{other}, {signs}"),
            (
                f"GaussianNLLLoss({reduction}, full={rng.random() < 0.5})",
                size,
                f"{other}, torch.ones({size}, dtype=x.dtype) * 0.5",
            ),
            (
                f"MultiLabelMarginLoss({reduction})",
                f"{n}, 4",
                f", torch.tensor([[2, 0, -1, 1]] * {n})",
            ),
            (
                f"TripletMarginWithDistanceLoss({reduction}{margin})",
                size,
                other + other,
            ),
            (
                f"PairwiseDistance({rng.choice(['1', '2', '3', '0.5'])}, keepdim={rng.random() < 0.5})",
                size,
                other,
            ),
            (f"CosineSimilarity({rng.choice([0, 1, -1])})", size, other),
            (f"BCELoss({reduction})", size, ".sigmoid(), torch.ones_like(x).mul(0.3)"),
            (
                f"BCEWithLogitsLoss({reduction}, pos_weight=torch.tensor(1.5))",
                size,
                ", torch.ones_like(x).mul(0.3)",
            ),
            (
                f"PoissonNLLLoss({reduction}, log_input={rng.random() < 0.5}, full={rng.random() < 0.5})",
                size,
                ".abs() + 0.1, torch.ones_like(x) * 3",
            ),
            (
                f"KLDivLoss({reduction.replace('mean', 'batchmean')}, log_target=True)",
                size,
                other,
            ),
            (
                f"SmoothL1Loss({reduction}, beta={rng.choice(['0.0', '0.3', '2'])})",
                size,
                other,
            ),
            (f"HuberLoss({reduction}, delta={rng.choice(['0.3', '2'])})", size, other),
        ]
    )


def patches(rng: random.Random) -> tuple[str, str, str]:
    """Layers that move numbers: folds, shuffles, unpooling; and some kinds of norms."""
    k, s = rng.randint(1, 3), rng.randint(1, 2)
    eps = rng.choice(["", ", eps=0.01"])
    return rng.choice(
        [
            (
                f"Unfold({k}, padding={rng.randint(0, 1)}, stride={s}, dilation={rng.randint(1, 2)})",
                sizes(rng, 2, 2),
                "",
            ),
            ("Fold((4, 5), 2)", "2, 12, 12", ""),
            ("Fold((4, 5), (2, 1), padding=(1, 0), stride=(2, 1))", "4, 15", ""),
            ("PixelShuffle(2)", "2, 8, 3, 2", ""),
            ("PixelUnshuffle(2)", "2, 3, 4, 2", ""),
            ("ChannelShuffle(3)", sizes(rng, 2, 6), ""),
            (f"RMSNorm({rng.choice(['(3, 4)', '4'])}{eps})", "2, 3, 4", ""),
            (f"LayerNorm((3, 4){eps}, bias=False)", "2, 3, 4", ""),
            (
                "FractionalMaxPool2d(2, output_size=3, _random_samples=torch.full((2, 3, 2), 0.4, dtype=x.dtype))".replace(
                    "x.dtype", "torch.float64"
                ),
                "2, 3, 7, 8",
                "",
            ),
            ("Flatten(0, -2)", sizes(rng, 2, 2), ""),
            ("CrossMapLRN2d(3)", "2, 4, 3, 3", ""),
            (
                f"CrossEntropyLoss(ignore_index=1, label_smoothing={rng.choice(['0.0', '0.2'])})",
                "3, 4, 2, 5",
                ", torch.arange(30).reshape(3, 2, 5) % 4",
            ),
            (
                "CrossEntropyLoss(label_smoothing=0.1)",
                "3, 4",
                ", torch.full((3, 4), 0.25, dtype=x.dtype)",
            ),
            (
                "NLLLoss(reduction='sum')",
                "3, 4, 5",
                ", torch.arange(15).reshape(3, 5) % 4",
            ),
            ("MultiheadAttention(4, 2)", "3, 2, 4", ", x, x"),
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
