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
        "// does not",
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
        told="calls add",
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

MORE_STRIDES = (
    wrong(
        """def strides_of(shape):
    a, b, c = shape
    return (b * c, c, 1)
""",
        told="there are fewer parts than names on the",
    ),
    wrong(
        """_s = []
def strides_of(shape):
    step = 1
    for n in reversed(shape):
        _s.insert(0, step)
        step *= max(n, 1)
    return tuple(_s)
""",
        told="something outside the function is changed,",
    ),
    wrong(
        """def strides_of(shape, out=[]):
    step = 1
    for n in reversed(shape):
        out.insert(0, step)
        step *= max(n, 1)
    return out
""",
        told="something outside the function is changed,",
    ),
    wrong(
        """def strides_of(shape):
    step = 1
    out = []
    for n in reversed(shape):
        out.insert(0, step)
        step *= max(n, 1)
    print(out)
""",
        told="returned None: is a return missing?",
    ),
    wrong(
        """def strides_of(shape):
    step = 1
    out = []
    for n in reversed(shape):
        out.insert(0, step)
        step *= max(n, 1)
    return str(tuple(out))
""",
        told="returned something that is not a number or",
    ),
    wrong(
        """def strides_of(shape):
    import math
    total = math.prod(max(n,1) for n in shape)
    out = []
    for n in shape:
        total = total / max(n, 1)
        out.append(total)
    return tuple(out)
""",
        told="/ gives a float even where nothing is left",
    ),
    wrong(
        """def strides_of(shape):
    step = 1
    out = []
    for n in reversed(shape):
        out.append(step)
        step *= max(n, 1)
        return tuple(out[::-1])
"""
    ),
    wrong(
        """import numpy as np
def strides_of(shape):
    return tuple(s // 8 for s in np.zeros(shape).strides)
"""
    ),
    wrong(
        """def strides_of(shape):
    return tuple(torch.ones(shape).numpy().strides)
"""
    ),
    wrong(
        """def strides_of(shape):
    strides = [1] * len(shape)
    for d in range(len(shape) - 2, 0, -1):
        strides[d] = strides[d + 1] * max(1, shape[d + 1])
    return tuple(strides)
""",
        told="the first stride was never set: the loop",
    ),
    wrong(
        """def strides_of(shape):
    strides = [1] * len(shape)
    for d in range(len(shape) - 1):
        strides[d] = strides[d + 1] * max(1, shape[d + 1])
    return tuple(strides)
"""
    ),
    wrong(
        """def strides_of(shape):
    if not shape:
        return ()
    if 0 in shape:
        return (0,) * len(shape)
    out=[1]
    for n in shape[:0:-1]:
        out.append(out[-1]*n)
    return tuple(out[::-1])
""",
        told="where a size is 0 the strides are not all",
    ),
    wrong(
        """def strides_of(shape):
    out = [1]
    for n in shape[:0:-1]:
        out.insert(0, out[0] * max(n, 1))
    return tuple(out)
"""
    ),
    wrong(
        """def strides_of(shape):
    shape = list(shape)
    shape.pop(0)
    out = [1]
    while shape:
        out.insert(0, out[0] * shape.pop())
    return tuple(out)
""",
        told="raised IndexError",
    ),
    right(
        """import numpy as np
strides_of = lambda shape: tuple(np.int64(np.prod([max(n, 1) for n in shape[d + 1:]], dtype=int)) for d in range(len(shape)))
"""
    ),
    right(
        """from functools import reduce
def strides_of(shape):
    return reduce(lambda acc, n: (acc[0] * max(n, 1) if acc else 1,) + acc if False else acc, shape, ()) if not shape else tuple(reduce(lambda a, n: a * (n or 1), shape[d+1:], 1) for d in range(len(shape)))
"""
    ),
    right(
        """class Strides:
    def __call__(self, shape):
        out = ()
        step = 1
        for n in shape[::-1]:
            out = (step,) + out
            step *= n if n > 0 else 1
        return out
strides_of = Strides()
"""
    ),
    right(
        """from functools import partial
def base(start, shape):
    out = []
    for n in reversed(shape):
        out.append(start)
        start *= max(n, 1)
    return out[::-1]
strides_of = partial(base, 1)
"""
    ),
    right(
        """def strides_of(shape):
    strides = {}
    step = 1
    for d in range(len(shape))[::-1]:
        strides[d] = step
        step *= shape[d] or 1
    return [strides[d] for d in sorted(strides)]
"""
    ),
)

MORE_BROADCAST = (
    wrong(
        """def broadcast_shape(a, b):
    out = []
    n = max(len(a), len(b))
    for i in range(1, n + 1):
        p = a[-i] if i <= len(a) else 1
        q = b[-i] if i <= len(b) else 1
        if p == q: out.insert(0, p)
        elif p == 1: out.insert(0, q)
        elif q == 1: out.insert(0, p)
    return tuple(out)
"""
    ),
    wrong(
        """def broadcast_shape(a, b):
    out = []
    n = max(len(a), len(b))
    for i in range(1, n + 1):
        p = a[-i] if i <= len(a) else 1
        q = b[-i] if i <= len(b) else 1
        if p == q: out.insert(0, p)
        elif p == 1: out.insert(0, q)
        elif q == 1: out.insert(0, p)
        else:
            print("ValueError")
            return None
    return tuple(out)
""",
        told="raise the exception, do not print or",
    ),
    wrong(
        """def broadcast_shape(a, b):
    out = []
    n = max(len(a), len(b))
    for i in range(1, n + 1):
        p = a[-i] if i <= len(a) else 1
        q = b[-i] if i <= len(b) else 1
        if p == q or q == 1: out.insert(0, p)
        elif p == 1: out.insert(0, q)
        else:
            raise "sizes differ"
    return tuple(out)
""",
        told="raise takes an exception, not a text: raise",
    ),
    wrong(
        """def broadcast_shape(a, b):
    out = []
    n = max(len(a), len(b))
    for i in range(1, n + 1):
        p = a[-i] if i <= len(a) else 1
        q = b[-i] if i <= len(b) else 1
        assert p == q or 1 in (p, q)
        out.insert(0, q if p == 1 else p)
    return tuple(out)
""",
        told="assert raises AssertionError: write raise",
    ),
    wrong(
        """def broadcast_shape(a, b):
    n = max(len(a), len(b))
    a = (0,) * (n - len(a)) + tuple(a)
    b = (0,) * (n - len(b)) + tuple(b)
    out = []
    for p, q in zip(a, b):
        if p in (0, 1): out.append(q)
        elif q in (0, 1, p): out.append(p)
        else: raise ValueError
    return tuple(out)
""",
        told="nothing on the left counts as 1, not as 0",
    ),
    wrong(
        """def broadcast_shape(a, b):
    n = max(len(a), len(b))
    a = (1,) * (n - len(a)) + tuple(a)
    b = (1,) * (n - len(b)) + tuple(b)
    out = []
    for p, q in zip(a, b):
        if p and q and p % q and q % p: raise ValueError
        out.append(q if p == 1 else p)
    return tuple(out)
"""
    ),
    wrong(
        """def broadcast_shape(a, b):
    if len(a) != len(b):
        raise ValueError("different number of dimensions")
    out = []
    for p, q in zip(a, b):
        if p != q and 1 not in (p, q): raise ValueError
        out.append(q if p == 1 else p)
    return tuple(out)
""",
        told="a shape may have fewer dimensions than the",
    ),
    wrong(
        """def broadcast_shape(a, b):
    if len(a) > len(b):
        b = (1,) * (len(a) - len(b)) + b
    if len(b) > len(a):
        a = (1,) * (len(b) - len(a)) + a
    shape = ()
    for p, q in zip(a, b):
        if p == 1 or q == 1 or p == q:
            shape += (max(p, q),)
        else:
            raise ValueError
    return shape
""",
        told="size 1 takes the OTHER size, which may be",
    ),
    wrong(
        """def broadcast_shape(a, b):
    try:
        return tuple(torch.broadcast_tensors(torch.empty(a), torch.empty(b))[0].shape)
    except RuntimeError:
        raise ValueError
""",
        told="broadcast_tensors does what you are to write",
    ),
    wrong(
        """import numpy as np
def broadcast_shape(a, b):
    return (np.zeros(a) + np.zeros(b)).shape
""",
        told="so many numbers do not fit into memory: is",
    ),
    wrong(
        """import numpy as np
def broadcast_shape(a, b):
    return np.broadcast(np.empty(a), np.empty(b)).shape
""",
        told="so many numbers do not fit into memory: is",
    ),
    wrong(
        """def broadcast_shape(a, b):
    return (torch.zeros(a) - torch.zeros(b)).shape
""",
        told="so many numbers do not fit into memory: is",
    ),
    wrong(
        """def broadcast_shape(a, b):
    return torch.maximum(torch.zeros(a), torch.zeros(b)).shape
""",
        told="so many numbers do not fit into memory: is",
    ),
    wrong(
        """def broadcast_shape(a, b):
    n = max(len(a), len(b))
    a = (1,) * (n - len(a)) + tuple(a)
    b = (1,) * (n - len(b)) + tuple(b)
    if any(p != q and p > 1 and q > 1 for p, q in zip(a, b)):
        raise ValueError
    return tuple(p if q == 1 else q for p, q in zip(a, b))
"""
    ),
    right(
        """class ShapeError(ValueError):
    pass
def broadcast_shape(a, b):
    out = []
    for i in range(1, max(len(a), len(b)) + 1):
        p, q = (s[-i] if i <= len(s) else 1 for s in (a, b))
        if p != q and 1 not in (p, q): raise ShapeError
        out.append(p + q - 1 if 1 in (p, q) else p)
    out.reverse()
    return out
"""
    ),
    right(
        """broadcast_shape = lambda a, b: (
    () if not a and not b else
    broadcast_shape(a[:-1], b[:-1]) + ((lambda p, q: q if p == 1 else p if q in (1, p) else int("x"))(a[-1] if a else 1, b[-1] if b else 1),)
)
"""
    ),
    right(
        """def broadcast_shape(shape1, shape2):
    x, y = list(shape1)[::-1], list(shape2)[::-1]
    res = []
    for i in range(max(len(x), len(y))):
        try:
            p = x[i]
        except IndexError:
            res.append(y[i]); continue
        try:
            q = y[i]
        except IndexError:
            res.append(p); continue
        if p == q: res.append(p)
        elif p == 1: res.append(q)
        elif q == 1: res.append(p)
        else: raise ValueError(f"Cannot broadcast {shape1} and {shape2}")
    return tuple(res[::-1])
"""
    ),
)

MORE_BUFFERS = (
    right(
        """def same_buffer(a, b):
    return a.untyped_storage() == b.untyped_storage()
"""
    ),
    right(
        """def same_buffer(a, b):
    return id(a.untyped_storage()) == id(b.untyped_storage())
"""
    ),
    wrong(
        """def same_buffer(a, b):
    return a.storage().tolist() == b.storage().tolist()
""",
        told="the storages themselves are to be compared,",
    ),
    wrong(
        """def same_buffer(a, b):
    return a._base is not None or b._base is not None
""",
        told="that a tensor is a view says nothing: a",
    ),
    wrong(
        """def same_buffer(a, b):
    return a._is_view() and b._is_view()
""",
        told="two views are not always of one storage,",
    ),
    wrong(
        """def same_buffer(a, b):
    old = a.flatten()[0].item()
    a.view(-1)[0] = 12345
    r = (b == 12345).any().item()
    a.view(-1)[0] = old
    return r
""",
        told="raised RuntimeError",
    ),
    wrong(
        """def same_buffer(a, b):
    return int(a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr())
""",
        told="expects True or False",
    ),
    wrong(
        """def same_buffer(a, b):
    return a.untyped_storage().data_ptr() - b.untyped_storage().data_ptr()
""",
        told="expects True or False",
    ),
    wrong(
        """def same_buffer(a, b):
    size = a.numel() * a.element_size()
    return a.data_ptr() <= b.data_ptr() < a.data_ptr() + size
""",
        told="data_ptr() is where a tensor's FIRST",
    ),
    wrong(
        """def same_buffer(a, b):
    def inside(a, b):
        return a.data_ptr() <= b.data_ptr() < a.data_ptr() + a.numel() * a.element_size()
    return inside(a, b) or inside(b, a)
""",
        told="two views may use different elements of one",
    ),
    wrong(
        """def same_buffer(a, b):
    return a.numpy().base is b.numpy().base
""",
        told="NumPy's base of two arrays is not their",
    ),
    wrong(
        """def same_buffer(a, b):
    return a.numpy() is b.numpy()
""",
        told="a view is a new object over the same buffer",
    ),
    wrong(
        """def same_buffer(a, b):
    return a.numpy().__array_interface__["data"] == b.numpy().__array_interface__["data"]
""",
        told="data_ptr() is where a tensor's FIRST",
    ),
    wrong(
        """def same_buffer(a, b):
    return a.untyped_storage().data_ptr() == a.untyped_storage().data_ptr()
""",
        told="every answer was the same, whatever the",
    ),
    right(
        """def same_buffer(a, b):
    return torch.tensor(a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr())
"""
    ),
    right(
        """def same_buffer(a, b):
    return not (a.untyped_storage().data_ptr() - b.untyped_storage().data_ptr())
"""
    ),
    right(
        """def same_buffer(a, b):
    ptrs = []
    for t in [a, b]:
        s = t.untyped_storage()
        ptrs.append(s.data_ptr())
    if ptrs[0] == ptrs[1]:
        return True
    else:
        return False
"""
    ),
)

MORE_VIEWS = (
    wrong(
        """def windows(x, k):
    h, w = x.shape
    n = h - k + 1
    return torch.as_strided(x, (n, n, k, k), (w, 1, w, 1))
""",
        told="the count of windows is w - k + 1 as well:",
    ),
    wrong(
        """def windows(x, k):
    h, w = x.shape
    d, r = x.stride()
    return torch.as_strided(x, (h - 1, w - 1, 2, 2), (d, r, d, r))
""",
        told="k is what the caller says, not always 2",
    ),
    wrong(
        """def windows(x, k):
    h, w = x.shape
    d, r = x.stride()
    return torch.as_strided(x, (h - k + 1, w - k, k, k), (d, r, d, r))
""",
        told="the count of windows is w - k + 1 as well:",
    ),
    wrong(
        """def windows(x, k):
    h, w = x.shape
    d, r = x.stride()
    return torch.as_strided(x, (h // k, w // k, k, k), (d * k, r * k, d, r))
""",
        told="windows overlap: these are side by side",
    ),
    wrong(
        """def windows(x, k):
    h, w = x.shape
    d, r = x.stride()
    return torch.as_strided(x, (h, w, k, k), (d, r, d, r))
""",
        told="raised RuntimeError",
    ),
    wrong(
        """def windows(x, k):
    h, w = x.shape
    return torch.as_strided(x, (h - k + 1, w - k + 1, k, k), (h, 1, h, 1))
""",
        told="a row is w numbers long, not h: use",
    ),
    wrong(
        """def windows(x, k):
    h, w = x.shape
    d, r = x.stride()
    return torch.as_strided(x, (h - k + 1, w - k + 1, k, k), (d, r, d, r), 0)
""",
        told="a view may begin later in memory: without",
    ),
    wrong(
        """def windows(x, k):
    h, w = x.shape
    d, r = x.stride()
    return torch.as_strided(x, (h - k + 1, w - k + 1, k, k), (d, r, d, r)).reshape(-1, k, k)
""",
        told="the windows have the shape (rows, columns,",
    ),
    wrong(
        """def windows(x, k):
    h, w = x.shape
    return [[x[i:i+k, j:j+k] for j in range(w - k + 1)] for i in range(h - k + 1)]
""",
        told="the numbers are right, but they are not in",
    ),
    wrong(
        """def windows(x, k):
    h, w = x.shape
    d, r = x.stride()
    return torch.tensor(torch.as_strided(x, (h - k + 1, w - k + 1, k, k), (d, r, d, r)).numpy())
""",
        told="clone, stack and indexing by lists copy",
    ),
    wrong(
        """def windows(x, k):
    h, w = x.shape
    d, r = x.stride()
    x.resize_((h, w))
    return x.unfold(1, k, 1).unfold(0, k, 1)
""",
        told="rows and columns inside a window are swapped",
    ),
    wrong(
        """def windows(x, k):
    return x.unfold(1, k, 1).unfold(0, k, 1)
""",
        told="rows and columns inside a window are swapped",
    ),
    right(
        """def windows(x, k):
    h, w = x.shape
    d, r = x.stride()
    return torch.as_strided(input=x, size=[h - k + 1, w - k + 1, k, k], stride=[d, r, d, r])
"""
    ),
    right(
        """def windows(x, k):
    return x.unfold(-1, k, 1).unfold(-3, k, 1).mT
"""
    ),
    right(
        """import numpy as np
def windows(x, k):
    a = x.numpy()
    h, w = a.shape
    return torch.from_numpy(np.lib.stride_tricks.as_strided(a, (h - k + 1, w - k + 1, k, k), a.strides * 2))
"""
    ),
    right(
        """windows = lambda x, k: x.as_strided((x.size(0) - k + 1, x.size(1) - k + 1, k, k), (x.stride(0), x.stride(1)) * 2)
"""
    ),
)

MORE_STANDARD = (
    wrong(
        """def standardize(x):
    return (x - x.mean(0, keepdim=True)) / x.std(0, keepdim=True)
""",
        told="one mean for all numbers, not one for each",
    ),
    wrong(
        """def standardize(x):
    return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)
""",
        told="one mean for all numbers, not one for each",
    ),
    wrong(
        """def standardize(x):
    y = x / x.std()
    return y - x.mean()
""",
        told="the mean is subtracted first, and then it",
    ),
    wrong(
        """import numpy as np
def standardize(x):
    a = x.numpy()
    return torch.from_numpy((a - a.mean()) / a.std())
""",
        told="std divides by count - 1, as torch's does",
    ),
    wrong(
        """def standardize(x):
    return torch.sub(x, x.mean(), out=x) / x.std()
""",
        told="y = x does not copy, so writing (y[...] =,",
    ),
    wrong(
        """def standardize(x):
    a = x.numpy()
    a -= a.mean()
    a /= a.std(ddof=1)
    return torch.tensor(a)
""",
        told="y = x does not copy, so writing (y[...] =,",
    ),
    wrong(
        """def standardize(x):
    y = torch.tensor(x.tolist())
    return (y - y.mean()) / y.std()
""",
        told="the numbers are right, their dtype is not",
    ),
    wrong(
        """def standardize(x):
    y = x.float()
    return (y - y.mean()) / y.std()
""",
        told="the numbers are right, their dtype is not",
    ),
    wrong(
        """def standardize(x):
    y = x.float()
    y -= y.mean()
    y /= y.std()
    return y
""",
        told="y = x does not copy, so writing (y[...] =,",
    ),
    wrong(
        """def standardize(x):
    y = x.detach()
    y -= y.mean()
    y /= y.std()
    return y
""",
        told="y = x does not copy, so writing (y[...] =,",
    ),
    wrong(
        """def standardize(x):
    y = x.clone()
    y -= y.mean()
    y /= y.std()
    return x
""",
        told="that is the argument itself, unchanged",
    ),
    wrong(
        """def standardize(x):
    y = x.clone()
    y -= y.mean()
    y /= y.std()
""",
        told="returned None: is a return missing?",
    ),
    wrong(
        """def standardize(x):
    d = x - x.mean()
    return d / (d ** 2).mean().sqrt()
""",
        told="std divides by count - 1, as torch's does",
    ),
    wrong(
        """def standardize(x):
    old = x.clone()
    x -= x.mean()
    x /= x.std()
    y = x
    x = old
    return y
""",
        told="y = x does not copy, so writing (y[...] =,",
    ),
    wrong(
        """def standardize(x):
    return torch.nn.functional.layer_norm(x, x.shape)
""",
        told="std divides by count - 1, as torch's does",
    ),
    wrong(
        """def standardize(x):
    return (x - x.mean(), x.std())
""",
        told="returned something that is not a number or",
    ),
    wrong(
        """def standardize(x):
    x = x.flatten()
    return (x - x.mean()) / x.std()
""",
        told="the numbers are right, but flat: the shape",
    ),
    right(
        """import copy
def standardize(x):
    y = copy.deepcopy(x)
    y.sub_(y.mean())
    y.div_(y.std())
    return y
"""
    ),
    right(
        """def standardize(x):
    v = x.flatten().tolist()
    m = sum(v) / len(v)
    s = (sum((a - m) ** 2 for a in v) / (len(v) - 1)) ** 0.5
    return torch.tensor([(a - m) / s for a in v], dtype=x.dtype).reshape(x.shape)
"""
    ),
    right(
        """def careless(x):
    x -= x.mean()
    x /= x.std()
    return x
standardize = lambda x: careless(x.clone())
"""
    ),
    right(
        """def standardize(x):
    y = torch.empty_like(x)
    y.copy_(x)
    y.add_(-x.mean())
    y.mul_(1 / x.std(correction=1))
    return y
"""
    ),
)

# Second thoughts of learners: causes that no earlier answer needed.
LATER = {
    "01.1": (
        wrong(
            """def strides_of(shape):
    strides = [1] * len(shape)
    for i in range(len(shape) - 1, -1, -1):
        strides[i - 1] = strides[i] * shape[i]
    return tuple(strides)
""",
            told="the LAST stride where i is 0",
        ),
        wrong(
            """def strides_of(shape):
    strides = [1]
    for s in shape[1:]:
        strides.insert(0, strides[0] * s)
    return tuple(strides)
""",
            told="begin at the right",
        ),
        wrong(
            """def strides_of(shape):
    total = 1
    for s in shape:
        total *= s
    out = []
    for s in shape:
        total //= s
        out.append(total)
    return tuple(out)
""",
            told="such a case needs its own line",
        ),
        wrong(
            """def strides_of(shape):
    if len(shape) == 0:
        return 1
    out = (1,)
    for s in reversed(shape[1:]):
        out = (out[0] * max(s, 1),) + out
    return out
""",
            told="expected  ()",
        ),
    ),
    "01.2": (
        wrong(
            """def broadcast_shape(a, b):
    n = max(len(a), len(b))
    a = (1,) * (n - len(a)) + tuple(a)
    b = (1,) * (n - len(b)) + tuple(b)
    out = []
    for p, q in zip(a, b):
        if p > 1 and q > 1 and p != q:
            raise ValueError("no")
        out.append(q if p == 1 else p)
    return tuple(out)
""",
            told="it meets only 0 and 1",
        ),
        wrong(
            """def broadcast_shape(a, b):
    n = max(len(a), len(b))
    a = (1,) * (n - len(a)) + tuple(a)
    b = (1,) * (n - len(b)) + tuple(b)
    for p, q in zip(a, b):
        if p != q and 1 not in (p, q):
            raise IndexError("no")
    return tuple(q if p == 1 else p for p, q in zip(a, b))
""",
            told="does not catch IndexError",
        ),
    ),
    "01.3": (
        wrong(
            """def same_buffer(a, b):
    first = a.data_ptr() - a.element_size() * a.storage_offset()
    return first == b.data_ptr() - b.element_size() * b.storage_offset()
""",
            told="an empty view has no first number",
        ),
        wrong(
            """def same_buffer(a, b):
    old = a.clone()
    a += 1
    changed = not torch.equal(old, a)
    return changed
""",
            told="harms the user's data",
        ),
        wrong(
            """def same_buffer(a, b):
    return a.untyped_storage().data_ptr() - b.untyped_storage().data_ptr()
""",
            told="a difference does not",
        ),
    ),
    "01.4": (
        wrong(
            """def windows(x, k):
    h, w = x.shape
    s = x.stride()
    return torch.as_strided(x, (w - k + 1, h - k + 1, k, k), s * 2)
""",
            told="behind the storage",
        ),
        wrong(
            """def windows(x, k):
    h, w = x.shape
    a, b = x.stride()
    return torch.as_strided(x, (h - k + 1, w - k + 1, k, k), (k * a, k * b, a, b))
""",
            told="behind the storage",
        ),
    ),
    "01.5": (
        wrong(
            """def careless(x):
    x -= x.mean()
    x /= x.std()
    return x


def standardize(x):
    y = x[:]
    return careless(y)
""",
            told="of a tensor every slice is a view: x.clone() copies",
        ),
        wrong(
            """def careless(x):
    x -= x.mean()
    x /= x.std()
    return x


def standardize(x):
    y = x.clone()
    return careless(x)
""",
            told="the copy is y, which is not used; x itself is changed",
        ),
        wrong(
            """def careless(x):
    x -= x.mean()
    x /= x.std()
    return x


def standardize(x):
    return careless(x.copy())
""",
            told="clone() copies a tensor",
        ),
        wrong(
            """def standardize(x):
    y = x.clone().float()
    y -= y.mean()
    y /= y.std()
    return y
""",
            told="pass dtype=",
        ),
    ),
}

ANSWERS = {
    "01.1": STRIDES + MORE_STRIDES + LATER["01.1"],
    "01.2": BROADCAST + MORE_BROADCAST + LATER["01.2"],
    "01.3": BUFFERS + MORE_BUFFERS + LATER["01.3"],
    "01.4": VIEWS + MORE_VIEWS + LATER["01.4"],
    "01.5": STANDARD + MORE_STANDARD + LATER["01.5"],
}
