"""Chapter 1: answers as learners write them."""

from __future__ import annotations

from tests.course.mutants.answers import Answer, edit, right, wrong

__all__ = ["ANSWERS"]


def strides(expression: str, told: str) -> Answer:
    """A wrong strides_of of one expression."""
    body = f"import math\n\n\ndef strides_of(shape):\n    return {expression}\n"
    return wrong(body, told=told)


STRIDES = (
    edit("max(size, 1)", "size", told="a size of 0 counts as 1"),
    edit("step = 1", "step = 4", told="not bytes"),
    edit("step = 1", "step = 8", told="not bytes"),
    edit(
        "    for size in reversed(shape)",
        "    for size in shape",
        told="not with the first",
    ),
    edit("tuple(reversed(strides))", "tuple(strides)", told="reverse order"),
    edit("tuple(reversed(strides))", "strides.reverse()", told="is a return missing"),
    edit("    return tuple", "    tuple", told="is a return missing"),
    edit(
        "        strides.append(step)\n        step *= max(size, 1)",
        "        step *= max(size, 1)\n        strides.append(step)",
        told="own size",
    ),
    edit("step *= max(size, 1)", "step += max(size, 1)", told="was added to their sum"),
    edit("step *= max(size, 1)", "step = size", told="only the next one"),
    edit("reversed(shape)", "reversed(shape[:-1])", told="left out"),
    strides("tuple(math.prod(shape[:d]) for d in range(len(shape)))", "column order"),
    strides("tuple(math.prod(shape[d:]) for d in range(len(shape)))", "own size"),
    strides("shape", "that is the shape itself"),
    strides("tuple(shape[1:]) + (1,)", "value is not right"),
    strides("tuple(sum(shape[d + 1 :]) or 1 for d in range(len(shape)))", "not added"),
    strides("torch.zeros(shape).stride()", "calls stride"),
    strides("torch.empty(*shape).stride()", "calls stride"),
    strides(
        "(math.prod(shape[1:]), math.prod(shape[2:]), 1)[-len(shape) :]",
        "",
    ),
    strides("(12, 4, 1)", ""),
    strides(
        "tuple(max(math.prod(shape[d + 1 :]), 1) for d in range(len(shape)))",
        "not only a product",
    ),
    strides(
        "tuple(math.prod(shape) / math.prod(shape[: d + 1]) for d in range(len(shape)))",
        "raised ZeroDivisionError",
    ),
    right(
        """def strides_of(shape):
    result = [1] * len(shape)
    for d in range(len(shape) - 2, -1, -1):
        result[d] = result[d + 1] * max(shape[d + 1], 1)
    return result
"""
    ),
    right(
        """from math import prod


def strides_of(shape):
    return tuple(prod(n or 1 for n in shape[d + 1 :]) for d in range(len(shape)))
"""
    ),
    right(
        """def strides_of(shape):
    if not shape:
        return ()
    rest = strides_of(shape[1:])
    step = rest[0] * max(shape[1], 1) if rest else 1
    return (step, *rest)
"""
    ),
    right(
        """import numpy as np


def strides_of(shape):
    sizes = [1 if n == 0 else n for n in shape]
    return np.cumprod([1, *sizes[:0:-1]])[::-1] if sizes else ()
"""
    ),
    right(
        """from itertools import accumulate
from operator import mul


def strides_of(shape):
    steps = list(accumulate((max(n, 1) for n in shape[:0:-1]), mul, initial=1))
    return torch.Size(steps[::-1]) if shape else torch.Size([])
"""
    ),
)

BROADCAST = (
    edit("q if p == 1 else p for", "max(p, q) for", told="may be 0"),
    edit("q if p == 1 else p for", "min(p, q) for", told="no size becomes 1"),
    edit("q if p == 1 else p for", "p for", told="first shape's"),
    edit("q if p == 1 else p for", "q for", told="second shape's"),
    edit("q if p == 1 else p for", "p * q for", told="not an outer product"),
    edit("q if p == 1 else p for", "p if p == 1 else q for", told="other way round"),
    edit(
        "(1,) * (longest - len(a)) + tuple(a)",
        "tuple(a) + (1,) * (longest - len(a))",
        told="raised ValueError",
    ),
    edit("and 1 not in (p, q)", "and 1 not in (p,)", told="raised ValueError"),
    edit("if p != q and 1 not in (p, q)", "if p != q", told="raised ValueError"),
    edit("if p != q and 1 not in (p, q)", "if False", told="did not raise"),
    edit(
        "            raise ValueError(",
        "            return None\n            raise ValueError(",
        told="did not raise",
    ),
    edit("raise ValueError", "raise KeyError", told="raised another exception"),
    wrong(
        "import numpy as np\n\n\ndef broadcast_shape(a, b):\n"
        "    return np.broadcast_shapes(a, b)\n",
        told="np.broadcast_shapes was called",
    ),
    wrong(
        """def broadcast_shape(a, b):
    result = []
    for p, q in zip(a, b):
        if p != q and 1 not in (p, q):
            raise ValueError
        result.append(q if p == 1 else p)
    return tuple(result)
""",
        told="aligned on the left",
    ),
    edit("raise ValueError", "return ValueError", told="did not raise"),
    edit("1 not in (p, q)", "p > 1 and q > 1", told="did not raise"),  # 0 and 3 pass
    edit("    return tuple", "    tuple", told="is a return missing"),
    edit(
        "return tuple(q if p == 1 else p for p, q in zip(a, b, strict=True))",
        "return tuple(q if p == 1 else p for p, q in zip(a, b, strict=True))[::-1]",
        told="reverse order",
    ),
    wrong(
        """def broadcast_shape(a, b):
    result = []
    for p, q in zip(a[::-1], b[::-1]):
        if p != q and 1 not in (p, q):
            raise ValueError
        result.append(q if p == 1 else p)
    return tuple(result[::-1])
""",
        told="longer shape were lost",
    ),
    wrong(
        """def broadcast_shape(a, b):
    longest = max(len(a), len(b))
    a = tuple(a) + (1,) * (longest - len(a))
    b = tuple(b) + (1,) * (longest - len(b))
    for p, q in zip(a, b):
        if p != q and 1 not in (p, q):
            raise ValueError
    return tuple(q if p == 1 else p for p, q in zip(a, b))
""",
        told="on the left",
    ),
    wrong(
        """def broadcast_shape(a, b):
    return torch.broadcast_shapes(a, b)
""",
        told="calls broadcast_shapes",
    ),
    wrong(
        """def broadcast_shape(a, b):
    return (torch.zeros(a) + torch.zeros(b)).shape
""",
        told="calls __add__",
    ),
    wrong(
        """def broadcast_shape(a, b):
    if len(a) < len(b):
        a, b = b, a
    b = (1,) * (len(a) - len(b)) + b
    for p, q in zip(a, b):
        if p != q and q != 1:
            raise ValueError
    return a
""",
        told="raised ValueError",
    ),
    wrong(
        """def broadcast_shape(a, b):
    while len(a) < len(b):
        a = (1,) + a
    result = []
    for p, q in zip(a, b):
        if p != q and 1 not in (p, q):
            raise ValueError
        result.append(q if p == 1 else p)
    return result
""",
        told="raised ValueError",
    ),
    wrong(
        """def broadcast_shape(a, b):
    return tuple(a) + tuple(b)
""",
        told="not concatenated",
    ),
    right(
        """from itertools import zip_longest


def broadcast_shape(a, b):
    result = []
    for p, q in zip_longest(reversed(a), reversed(b), fillvalue=1):
        if p == 1:
            result.append(q)
        elif q in (1, p):
            result.append(p)
        else:
            raise ValueError(f"{a} and {b}")
    return result[::-1]
"""
    ),
    right(
        """import numpy as np


def broadcast_shape(a, b):
    n = max(len(a), len(b))
    both = np.array([(1,) * (n - len(s)) + tuple(s) for s in (a, b)], dtype=int)
    if ((both[0] != both[1]) & (both != 1).all(axis=0)).any():
        raise ValueError("they do not broadcast")
    return np.where(both[0] == 1, both[1], both[0])
"""
    ),
    right(
        """def broadcast_shape(a, b):
    if len(a) < len(b):
        return broadcast_shape(b, a)
    front, back = a[: len(a) - len(b)], a[len(a) - len(b) :]
    for p, q in zip(back, b):
        if not (p == q or p == 1 or q == 1):
            raise ValueError("no")
    return tuple(front) + tuple(p if q == 1 else q for p, q in zip(back, b))
"""
    ),
    right(
        """def broadcast_shape(a, b):
    a, b = list(a), list(b)
    while len(a) < len(b):
        a.insert(0, 1)
    while len(b) < len(a):
        b.insert(0, 1)
    shape = []
    for p, q in zip(a, b):
        assert isinstance(p, int)
        sizes = {p, q} - {1}
        if len(sizes) > 1:
            raise ValueError("sizes differ")
        shape.append(sizes.pop() if sizes else 1)
    return torch.Size(shape)
"""
    ),
    right(
        """def broadcast_shape(a, b):
    def size(shape, d):
        return shape[d] if -d <= len(shape) else 1

    result = ()
    for d in range(-1, -max(len(a), len(b)) - 1, -1):
        p, q = size(a, d), size(b, d)
        if p != q and p != 1 and q != 1:
            raise RuntimeError("sizes differ")
        result = (p if q == 1 else q,) + result
    return result
"""
    ),
)


def buffers(expression: str, told: str) -> Answer:
    """A wrong same_buffer of one expression."""
    body = f"import numpy as np\n\n\ndef same_buffer(a, b):\n    return {expression}\n"
    return wrong(body, told=told)


BUFFERS = (
    buffers("a.data_ptr() == b.data_ptr()", "first element"),
    buffers("a is b", "new object"),
    buffers("id(a) == id(b)", "new object"),
    buffers("a.shape == b.shape", "equal shapes"),
    buffers("np.shares_memory(a.numpy(), b.numpy())", "different elements"),
    buffers("np.may_share_memory(a.numpy(), b.numpy())", "bounds prove nothing"),
    buffers(
        "a.numel() == b.numel() and bool((a.flatten() == b.flatten()).all())",
        "prove nothing",
    ),
    buffers("True", "whatever the tensors"),
    buffers("False", "whatever the tensors"),
    buffers("a.storage_offset() == b.storage_offset()", "equal offsets"),
    buffers("a.untyped_storage() is not b.untyped_storage()", "swapped"),
    buffers(
        "a.untyped_storage().data_ptr() != b.untyped_storage().data_ptr()", "swapped"
    ),
    buffers("a.untyped_storage().nbytes() == b.untyped_storage().nbytes()", "copy"),
    buffers("a.untyped_storage().data_ptr()", "expects True or False"),
    buffers("a._base is b._base", ""),
    buffers("a.stride() == b.stride()", "equal strides"),
    buffers("torch.equal(a, b)", "prove nothing"),
    buffers("'yes'", "expects True or False"),
    edit("    return", "    _ =", told="is a return missing"),
    wrong(
        """def same_buffer(a, b):
    before = b.clone()
    a += 1
    return not torch.equal(b, before)
""",
        told="changed in place",
    ),
    wrong(
        """def same_buffer(a, b):
    before = b.clone()
    a += 1
    changed = not torch.equal(b, before)
    a -= 1
    return changed
""",
        told="",
    ),
    right(
        """def same_buffer(a, b):
    return a.untyped_storage() is b.untyped_storage()
"""
    ),
    right(
        """def same_buffer(a, b):
    def begin(t):
        return t.data_ptr() - t.storage_offset() * t.element_size()

    return begin(a) == begin(b) if a.numel() and b.numel() else (
        a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
    )
"""
    ),
    right(
        """def same_buffer(a, b):
    return a.storage().data_ptr() == b.storage().data_ptr()
"""
    ),
    right(
        """import numpy as np


def same_buffer(a, b):
    places = np.array([t.untyped_storage().data_ptr() for t in (a, b)])
    return places[0] == places[1]
"""
    ),
    right(
        """def same_buffer(a, b):
    return len({t.untyped_storage().data_ptr() for t in (a, b)}) == 1
"""
    ),
)

VIEWS = (
    edit("    down, right = x.stride()", "    down, right = w, 1", told="x.stride()"),
    edit("down, right = x.stride()", "right, down = x.stride()", told="wrong order"),
    edit("(down, right, down, right)", "(down, down, right, right)", told="raised"),
    edit(
        "(down, right, down, right)",
        "(k * down, k * right, down, right)",
        told="raised",
    ),
    edit("(down, right, down, right)", "(down, right, k, 1)", told="not k"),
    edit("(down, right, down, right)", "(down, right, right, down)", told="inside"),
    edit("(h - k + 1, w - k + 1, k, k)", "(h - k, w - k, k, k)", told="+ 1"),
    edit(
        "(h - k + 1, w - k + 1, k, k)", "(k, k, h - k + 1, w - k + 1)", told="swapped"
    ),
    edit("(h - k + 1, w - k + 1, k, k)", "(h // k, w // k, k, k)", told=""),
    edit("(h - k + 1, w - k + 1, k, k)", "(w - k + 1, h - k + 1, k, k)", told="raised"),
    edit(
        "as_strided(x, size, (down, right, down, right))",
        "as_strided(x, size, (down, right, down, right)).clone()",
        told="copied",
    ),
    edit(
        "as_strided(x, size, (down, right, down, right))",
        "as_strided(x, size, (down, right, down, right), 0)",
        told="begin later",
    ),
    edit(
        "    h, w = x.shape",
        "    x = x.contiguous()\n    h, w = x.shape",
        told="contiguous() and",
    ),
    edit("    h, w = x.shape", "    x = x.clone()\n    h, w = x.shape", told="copied"),
    edit("    return", "    _ =", told="is a return missing"),
    edit(
        "as_strided(x, size, (down, right, down, right))",
        "as_strided(x, size, (down, right, down, right)).numpy()",
        told="not in a tensor",
    ),
    edit(
        "as_strided(x, size, (down, right, down, right))",
        "as_strided(x, size, (down, right, down, right)).flatten(0, 1)",
        told="(rows, columns, k, k)",
    ),
    edit(
        "(down, right, down, right))",
        "(down * 4, right * 4, down * 4, right * 4))",
        told="raised",
    ),
    wrong(
        """def windows(x, k):
    h, w = x.shape
    rows = [
        torch.stack([x[i : i + k, j : j + k] for j in range(w - k + 1)])
        for i in range(h - k + 1)
    ]
    return torch.stack(rows)
""",
        told="stack",
    ),
    wrong(
        """def windows(x, k):
    return x.unfold(0, k, k).unfold(1, k, k)
""",
        told="side by side",
    ),
    wrong(
        """import numpy as np


def windows(x, k):
    return np.lib.stride_tricks.sliding_window_view(x.numpy(), (k, k))
""",
        told="not in a tensor",
    ),
    right(
        """def windows(x, k):
    return x.unfold(0, k, 1).unfold(1, k, 1)
"""
    ),
    right(
        """def windows(x, k):
    h, w = x.shape
    down, right = x.stride()
    rows = torch.as_strided(x, (h - k + 1, k, w), (down, down, right))
    a, b, c = rows.stride()
    return torch.as_strided(rows, (h - k + 1, w - k + 1, k, k), (a, c, b, c))
"""
    ),
    right(
        """def windows(x, k):
    size = tuple(n - k + 1 for n in x.shape) + (k, k)
    return x.as_strided(size, x.stride() * 2, x.storage_offset())
"""
    ),
    right(
        """import numpy as np


def windows(x, k):
    return torch.from_numpy(
        np.lib.stride_tricks.sliding_window_view(x.numpy(), (k, k), writeable=True)
    )
"""
    ),
    right(
        """def windows(x, k):
    across = x.unfold(1, k, 1)  # (h, w - k + 1, k)
    both = across.unfold(0, k, 1)  # (h - k + 1, w - k + 1, k, k)
    return both.transpose(2, 3)
"""
    ),
)


def standard(expression: str, told: str) -> Answer:
    """A wrong standardize of one expression."""
    return edit("(x - x.mean()) / x.std()", expression, told=told)


STANDARD = (
    standard("(x - x.mean()) / x.var()", "variance"),
    standard("x - x.mean()", "not divided"),
    standard("(x - x.mean()) / (x.std() + 1e-5)", "nothing is added"),
    standard("(x - x.mean()) / (x.std() + 1e-8)", "nothing is added"),
    standard("x / x.std()", "not subtracted"),
    standard("x - x.mean() / x.std()", "brackets"),
    standard("(x - x.mean()) * x.std()", "multiplied"),
    standard("(x - x.mean()) / x.std(unbiased=False)", "count - 1"),
    standard("(x - x.mean(0)) / x.std(0)", "one mean for all"),
    standard("(x.mean() - x) / x.std()", "sign is wrong"),
    standard("(x - x.min()) / (x.max() - x.min())", "0 to 1"),
    standard("(x - x.median()) / x.std()", "median"),
    standard("x.sub_(x.mean()).div_(x.std())", "changed in place"),
    standard("((x - x.mean()) / x.std()).numpy()", "not in a tensor"),
    standard("((x - x.mean()) / x.std()).tolist()", "not in a tensor"),
    standard("((x - x.mean()) / x.std()).double()", "dtype"),
    standard("((x - x.mean()) / x.std()).round()", ""),
    standard("(x - x.mean()) / x.std() + 1", ""),
    edit(
        "    return", "    x -= x.mean()\n    x /= x.std()\n    return", told="in place"
    ),
    edit("    return (x", "    (x", told="is a return missing"),
    wrong(
        """def standardize(x):
    x -= x.mean()
    x /= x.std()
    return x.clone()
""",
        told="changed in place",
    ),
    wrong(
        """def standardize(x):
    y = x
    y -= y.mean()
    y /= y.std()
    return y
""",
        told="changed in place",
    ),
    wrong(
        """def standardize(x):
    y = x[:]
    y -= y.mean()
    y /= y.std()
    return y
""",
        told="changed in place",
    ),
    wrong(
        """def standardize(x):
    y = x.view(x.shape)
    y -= y.mean()
    return y / y.std()
""",
        told="changed in place",
    ),
    wrong(
        """def standardize(x):
    m, s = x.mean(), x.std()
    x -= m
    y = x / s
    x += m
    return y
""",
        told="changed in place",
    ),
    right(
        """def standardize(x):
    x = x.clone()
    x -= x.mean()
    x /= x.std()
    return x
"""
    ),
    right(
        """def standardize(x):
    centred = x - x.mean()
    return centred / centred.std()
"""
    ),
    right(
        """import numpy as np


def standardize(x):
    array = x.numpy()
    value = (array - array.mean()) / array.std(ddof=1)
    return torch.from_numpy(np.asarray(value, dtype=array.dtype))
"""
    ),
    right(
        """def standardize(x):
    centred = x - x.sum() / x.numel()
    variance = (centred**2).sum() / (x.numel() - 1)
    return centred / variance.sqrt()
"""
    ),
    right(
        """def standardize(x):
    std, mean = torch.std_mean(x)
    return x.sub(mean).div(std)
"""
    ),
)

ANSWERS = {
    "01.1": STRIDES,
    "01.2": BROADCAST,
    "01.3": BUFFERS,
    "01.4": VIEWS,
    "01.5": STANDARD,
}
