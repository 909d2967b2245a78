"""Chapter 9: answers as learners write them."""

from __future__ import annotations

from tests.course.mutants.answers import edit, right, wrong

__all__ = ["ANSWERS"]

WHOLE = "max((n + 2 * padding - k) // stride + 1, 0)"


def size(text: str, told: str) -> object:
    """An output size with another formula."""
    return edit(WHOLE, text, told=told)


SIZE = (
    size("(n + 2 * padding - k) // stride + 1", "0 of them"),
    size("(n + 2 * padding - k) // stride", "forgot + 1"),
    size("(n + padding - k) // stride + 1", "both sides"),
    size("max((n + padding - k) // stride + 1, 0)", "both sides"),
    size("round((n + 2 * padding - k) / stride) + 1", "round() may round up"),
    size("max(round((n + 2 * padding - k) / stride) + 1, 0)", "round() may round up"),
    size("max(round((n + 2 * padding - k) / stride + 1), 0)", "round() may round up"),
    size("-(-(n + 2 * padding - k) // stride) + 1", "round down"),
    size("max((n + 2 * padding - k) / stride + 1, 0)", "was not rounded"),
    size("(n + 2 * padding - k) / stride + 1", "was not rounded"),
    size("max(int((n + 2 * padding - k) / stride) + 1, 0)", "cuts towards 0"),
    size("max((n + 2 * padding - k + 1) // stride, 0)", "after the division"),
    size("max(n + 2 * padding - k + 1, 0)", "stride was ignored"),
    size("max((n - k) // stride + 1, 0)", "padding was ignored"),
    size("(n + 2 * padding) // stride", "k was ignored"),
    size("(n - 2 * padding - k) // stride + 1", "wider, not narrower"),
    size("(n + 2 * padding) // stride - k + 1", "after the first window"),
    size("(n + 2 * padding) // k", "side by side"),
    size("8", ""),
    size("float(max((n + 2 * padding - k) // stride + 1, 0))", "not an int"),
    size("torch.tensor(max((n + 2 * padding - k) // stride + 1, 0))", "not an int"),
    size("None", "is a return missing"),
    wrong(
        """def output_size(n, k, stride=1, padding=0):
    count, start = 0, 0
    while start + k < n + 2 * padding:
        count, start = count + 1, start + stride
    return count
""",
        told="may end where",
    ),
    wrong(
        """def output_size(n, k, stride=1, padding=0):
    start, count = 0, 0
    while start + k <= n + 2 * padding:
        count += 1
    return count
""",
        told="nothing in the loop changes k, n, padding or start",
    ),
    right(
        """def output_size(n, k, stride=1, padding=0):
    count, start = 0, 0
    while start + k <= n + 2 * padding:
        count, start = count + 1, start + stride
    return count
"""
    ),
    right(
        """def output_size(n, k, stride=1, padding=0):
    return len(range(0, n + 2 * padding - k + 1, stride))
"""
    ),
    right(
        """import math


def output_size(n, k, stride=1, padding=0):
    if k > n + 2 * padding:
        return 0
    return math.floor((n + 2 * padding - k) / stride + 1)
"""
    ),
    right(
        """import numpy as np


def output_size(n, k, stride=1, padding=0):
    return np.arange(n + 2 * padding)[: n + 2 * padding - k + 1 if k <= n + 2 * padding else 0 : stride].size
"""
    ),
    right(
        """def output_size(n, k, stride=1, padding=0):
    wide = n + 2 * padding
    return sum(1 for start in range(wide) if start % stride == 0 and start + k <= wide)
"""
    ),
    right(
        """def output_size(n, k, stride=1, padding=0):
    room = n + 2 * padding - k
    return 0 if room < 0 else 1 + int(room / stride)
"""
    ),
    wrong(
        """def output_size(n, k):
    return max(n - k + 1, 0)
""",
        told="the parameters are those of the statement",
    ),
    wrong(
        """def output_size(n, k, stride=1, padding=0):
    return str(max((n + 2 * padding - k) // stride + 1, 0))
""",
        told="a text is not a number",
    ),
    wrong(
        """def output_size(n, k, stride=1, padding=0):
    return max((n + 2 * padding - k) // stride, 0) + 1
""",
        told="first + 1, then max(..., 0)",
    ),
    wrong(
        """def output_size(n, k, stride=1, padding=0):
    return abs((n + 2 * padding - k) // stride + 1)
""",
        told="max(..., 0): where none fits, the number is not ",
    ),
    wrong(
        """def output_size(n, k, stride=1, padding=0):
    return (n + 2 * padding - k) // stride + 1 if k < n else 0
""",
        told="a window as large as the image fits once, and pa",
    ),
    wrong(
        """def output_size(n, k, stride=1, padding=0):
    return max(n + 2 * padding - k // stride + 1, 0)
""",
        told="brackets are missing",
    ),
    right(
        """def output_size(n, k, stride=1, padding=0):
    return len(range(0, n + 2 * padding - k + 1, stride))
"""
    ),
    right(
        """def output_size(n, k, stride=1, padding=0):
    count, start = 0, 0
    while start + k <= n + 2 * padding:
        count, start = count + 1, start + stride
    return count
"""
    ),
)

LOOPS = (
    right(
        """def conv2d_loops(x, w, stride=1, padding=0):
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    rows, columns = output_size(height, u, stride, padding), output_size(width, v, stride, padding)
    y = torch.zeros(n, k, rows, columns)
    for a in range(n):
        for b in range(k):
            for i in range(rows):
                for j in range(columns):
                    for d in range(c):
                        for p in range(u):
                            for q in range(v):
                                row, column = i * stride + p - padding, j * stride + q - padding
                                if 0 <= row < height and 0 <= column < width:
                                    y[a, b, i, j] += x[a, d, row, column] * w[b, d, p, q]
    return y
"""
    ),
    edit("* w).sum", "* w.flip((2, 3))).sum", told="flipped"),
    edit("(window * w).sum", "(window * w).mean", told="not averaged"),
    edit("(window * w).sum((2, 3, 4))", "(window * w).sum((3, 4))", told="raised"),
    edit(
        "(window * w).sum((2, 3, 4))",
        "(window * w).sum((3, 4)).mean(2)",
        told="do not average",
    ),
    edit(
        "(window * w).sum((2, 3, 4))",
        "(window * w)[:, :, 0].sum((2, 3))",
        told="first channel",
    ),
    edit("i * stride, j * stride", "i, j", told="begins at i · stride"),
    edit("u, stride, padding)", "u, 1, padding)", told=""),
    edit("stride, padding)\n", "stride)\n", told="missing in the size of the output"),
    edit(
        "output_size(width, v, stride, padding)",
        "rows",
        told="both come from the height",
    ),
    edit(
        "output_size(height, u, stride, padding)",
        "output_size(width, v, stride, padding)",
        told="both come from the width",
    ),
    edit("output_size(width, v,", "output_size(width, u,", told="the kernel's width v"),
    edit(
        "output_size(height, u,", "output_size(height, v,", told="the kernel's height u"
    ),
    wrong(
        """def conv2d_loops(x, w, stride=1, padding=0):
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    rows, columns = (height - u) // stride + 1, (width - v) // stride + 1
    y = torch.zeros(n, k, rows, columns)
    for i in range(rows):
        for j in range(columns):
            top, left = i * stride, j * stride
            part = x[:, None, :, top : top + u, left : left + v]
            y[:, :, i, j] = (part * w).sum((2, 3, 4))
    return y
""",
        told="the padding was ignored",
    ),
    wrong(
        """def conv2d_loops(x, w, stride=1, padding=0):
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    x = torch.nn.functional.pad(x, (padding, padding, padding, padding))
    size = (height + 2 * padding - u) // stride + 1
    y = torch.zeros(n, k, size, size)
    for i in range(size):
        for j in range(size):
            top, left = i * stride, j * stride
            part = x[:, None, :, top : top + u, left : left + v]
            y[:, :, i, j] = (part * w).sum((2, 3, 4))
    return y
""",
        told="both come from the height",
    ),
    edit("    n, c, height", "    stride = 1\n    n, c, height", told="stride was"),
    edit("    n, c, height", "    padding = 0\n    n, c, height", told="padding was"),
    edit(
        "wide[:, :, padding : padding + height, padding : padding + width] = x",
        "wide[:, :, :height, :width] = x",
        told="not only at the end",
    ),
    edit(
        "wide[:, :, padding : padding + height, padding : padding + width] = x",
        "wide[:, :, 2 * padding :, 2 * padding :] = x",
        told="not only before",
    ),
    edit("torch.zeros(n, c,", "torch.ones(n, c,", told="the border is 0, not 1"),
    edit("wide = torch.zeros", "wide = torch.empty", told="never set"),
    edit("range(rows)", "range(rows - 1)", told="last row of outputs"),
    edit(
        "        for j in range(columns):\n",
        "        for j in range(columns):\n            if i + 1 == rows or j + 1 == columns:\n                continue\n",
        told="are missing",
    ),
    edit("    return y", "    return y.permute(0, 2, 3, 1)", told="k is last"),
    edit("    return y", "    return y.transpose(0, 1)", told="k is first"),
    edit("    return y", "    return y.mT", told="output were swapped"),
    edit("    return y", "    return y.numpy()", told="not in a tensor"),
    edit("    return y", "    return y.tolist()", told="not in a tensor"),
    edit("    return y", "    return y.double()", told="dtype"),
    edit("    return y", "    x.zero_()\n    return y", told="argument was changed"),
    edit("    return y", "    print(y.shape)", told="is a return missing"),
    edit("* w).sum", "* w[:1]).sum", told="the first"),
    edit("y[:, :, i, j] =", "y[0, :, i, j] =", told="raised"),
    edit("_, u, v = w.shape", "_, v, u = w.shape", told=""),
    wrong(
        """def conv2d_loops(x, w, stride=1, padding=0):
    return torch.nn.functional.conv2d(x, w, stride=stride, padding=padding)
""",
        told="calls conv2d",
    ),
    wrong(
        """def conv2d_loops(x, w, stride=1, padding=0):
    layer = torch.nn.Conv2d(x.shape[1], len(w), w.shape[2:], stride, padding, bias=False)
    layer.weight.data = w
    return layer(x).detach()
""",
        told="conv2d was called",
    ),
    wrong(
        """def conv2d_loops(x, w, stride=1, padding=0):
    x = torch.nn.functional.pad(x, (padding,) * 4)
    rows, columns = x.shape[2] - w.shape[2] + 1, x.shape[3] - w.shape[3] + 1
    y = torch.zeros(len(x), len(w), rows, columns)
    for i in range(0, rows, stride):
        for j in range(0, columns, stride):
            part = x[:, None, :, i : i + w.shape[2], j : j + w.shape[3]]
            y[:, :, i, j] = (part * w).sum((2, 3, 4))
    return y
""",
        told="output pixel i is at i",
    ),
    wrong(
        """def conv2d_loops(x, w, stride=1, padding=0):
    x = torch.nn.functional.pad(x, (padding,) * 4, mode="replicate")
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    y = torch.zeros(n, k, (height - u) // stride + 1, (width - v) // stride + 1)
    for i in range(y.shape[2]):
        for j in range(y.shape[3]):
            part = x[:, None, :, i * stride : i * stride + u, j * stride : j * stride + v]
            y[:, :, i, j] = (part * w).sum((2, 3, 4))
    return y
""",
        told="outermost pixels were repeated",
    ),
    wrong(
        """def conv2d_loops(x, w, stride=1, padding=0):
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    rows, columns = output_size(height, u, stride, padding), output_size(width, v, stride, padding)
    y = torch.zeros(n, k, rows, columns)
    for a in range(n):
        for b in range(k):
            for i in range(rows):
                for j in range(columns):
                    for d in range(c):
                        for p in range(u):
                            for q in range(v):
                                row, column = i * stride + p - padding, j * stride + q - padding
                                y[a, b, i, j] += x[a, d, row, column] * w[b, d, p, q]
    return y
""",
        told="",
    ),
    right(
        """def conv2d_loops(x, w, stride=1, padding=0):
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    rows, columns = output_size(height, u, stride, padding), output_size(width, v, stride, padding)
    y = torch.zeros(n, k, rows, columns)
    for i in range(rows):
        for j in range(columns):
            for p in range(u):
                for q in range(v):
                    row, column = i * stride + p - padding, j * stride + q - padding
                    if 0 <= row < height and 0 <= column < width:
                        y[:, :, i, j] += x[:, :, row, column] @ w[:, :, p, q].T
    return y
"""
    ),
    right(
        """def conv2d_loops(x, w, stride=1, padding=0):
    x = torch.nn.functional.pad(x, (padding, padding, padding, padding))
    u, v = w.shape[2:]
    rows = []
    for i in range(0, x.shape[2] - u + 1, stride):
        row = []
        for j in range(0, x.shape[3] - v + 1, stride):
            row.append(x[:, :, i : i + u, j : j + v].flatten(1) @ w.flatten(1).T)
        rows.append(torch.stack(row, dim=2))
    return torch.stack(rows, dim=2)
"""
    ),
    right(
        """import numpy as np


def conv2d_loops(x, w, stride=1, padding=0):
    a, b = x.numpy(), w.numpy()
    a = np.pad(a, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    u, v = b.shape[2:]
    rows = (a.shape[2] - u) // stride + 1
    columns = (a.shape[3] - v) // stride + 1
    y = np.zeros((len(a), len(b), rows, columns), dtype=np.float32)
    for i in range(rows):
        for j in range(columns):
            part = a[:, :, i * stride : i * stride + u, j * stride : j * stride + v]
            y[:, :, i, j] = np.tensordot(part, b, ((1, 2, 3), (1, 2, 3)))
    return torch.from_numpy(y)
"""
    ),
    right(
        """def conv2d_loops(x, w, stride=1, padding=0):
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    border = torch.zeros(n, c, height, padding)
    x = torch.cat([border, x, border], dim=3)
    border = torch.zeros(n, c, padding, width + 2 * padding)
    x = torch.cat([border, x, border], dim=2)
    y = torch.empty(n, k, (x.shape[2] - u) // stride + 1, (x.shape[3] - v) // stride + 1)
    for i in range(y.shape[2]):
        for j in range(y.shape[3]):
            part = x[:, :, stride * i :, stride * j :][:, :, :u, :v]
            y[:, :, i, j] = torch.einsum("ncuv,kcuv->nk", part, w)
    return y
"""
    ),
    right(
        """def conv2d_loops(x, w, stride=1, padding=0):
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    wide = x.new_zeros(n, c, height + 2 * padding, width + 2 * padding)
    wide[:, :, padding : padding + height, padding : padding + width] = x
    images = []
    for image in wide:
        maps = []
        for kernel in w:
            maps.append(
                [
                    [
                        (image[:, i : i + u, j : j + v] * kernel).sum().item()
                        for j in range(0, wide.shape[3] - v + 1, stride)
                    ]
                    for i in range(0, wide.shape[2] - u + 1, stride)
                ]
            )
        images.append(maps)
    return torch.tensor(images)
"""
    ),
    wrong(
        """def conv2d_loops(x, w, stride=1, padding=0):
    n, c, h, wid = x.shape
    k, _, u, v = w.shape
    p = torch.zeros(n, c, h + 2 * padding, wid + 2 * padding, dtype=x.dtype)
    p[:, :, padding:-padding, padding:-padding] = x
    H = (h + 2 * padding - u) // stride + 1
    W = (wid + 2 * padding - v) // stride + 1
    rows = []
    for i in range(H):
        for j in range(W):
            win = p[:, None, :, i*stride:i*stride+u, j*stride:j*stride+v]
            rows.append((win * w).sum((2, 3, 4)))
    return torch.stack(rows, -1).reshape(n, k, H, W)
""",
        told="p:-p",
    ),
    wrong(
        """def conv2d_loops(x, w, stride=1, padding=0):
    x = torch.nn.functional.pad(x, (padding,) * 4)
    n, c, h, wid = x.shape
    k, _, u, v = w.shape
    H = (h - u) // stride + 1
    W = (wid - u) // stride + 1
    out = torch.zeros(n, k, H, W, dtype=x.dtype)
    for a in range(n):
        for b in range(k):
            for i in range(H):
                for j in range(W):
                    out[a, b, i, j] = (x[a, :, i*stride:i*stride+u, j*stride:j*stride+u] * w[b]).sum()
    return out
""",
        told="kernel's width",
    ),
    wrong(
        """def conv2d_loops(x, w, stride=1, padding=0):
    x = torch.nn.functional.pad(x, (padding, padding))
    n, c, h, wid = x.shape
    k, _, u, v = w.shape
    H = (h - u) // stride + 1
    W = (wid - v) // stride + 1
    out = torch.zeros(n, k, H, W, dtype=x.dtype)
    for a in range(n):
        for b in range(k):
            for i in range(H):
                for j in range(W):
                    out[a, b, i, j] = (x[a, :, i*stride:i*stride+u, j*stride:j*stride+v] * w[b]).sum()
    return out
""",
        told="F.pad takes",
    ),
    wrong(
        """def conv2d_loops(x, w, stride=1, padding=0):
    return torch.tensor([[[[27.0, 37.0], [57.0, 67.0]]]])""",
        told="the result is always the same",
    ),
    wrong(
        """def conv2d_loops(x, w, stride=1, padding=0):
    n, c, h, wd = x.shape
    K, _, u, v = w.shape
    wide = torch.zeros(n, c, h + 2 * padding, wd + 2 * padding)
    wide[:, :, padding:padding + h, padding:padding + wd] = x
    rows = output_size(h, u, stride, padding)
    cols = output_size(wd, v, stride, padding)
    y = torch.zeros(n, K, rows, cols)
    for i in range(rows):
        for j in range(cols):
            win = wide[:, :, i * stride:i * stride + u, j * stride:j * stride + v]
            y[:, :, i, j] = (win.unsqueeze(1) * w).sum((2, 3, 4)).abs()
    return y
""",
        told="the sign was lost",
    ),
    wrong(
        """def conv2d_loops(x, w, stride=1, padding=0):
    n, c, h, wd = x.shape
    K, _, u, v = w.shape
    wide = torch.zeros(n, c, h + 2 * padding, wd + 2 * padding)
    wide[:, :, padding:padding + h, padding:padding + wd] = x
    rows = output_size(h, u, stride, padding)
    cols = output_size(wd, v, stride, padding)
    y = torch.zeros(n, K, rows, cols)
    for i in range(rows):
        for j in range(cols):
            win = wide[:, :, i * stride:i * stride + u, j * stride:j * stride + v]
            y[:, :, i, j] = (win.unsqueeze(1) * w).sum((2, 3, 4))
    return y.squeeze()
""",
        told="a dimension of size 1 is missing",
    ),
    right(
        """def conv2d_loops(x, w, stride=1, padding=0):
    n, c, h, wd = x.shape
    K, _, u, v = w.shape
    wide = torch.zeros(n, c, h + 2 * padding, wd + 2 * padding)
    wide[:, :, padding:padding + h, padding:padding + wd] = x
    rows = output_size(h, u, stride, padding)
    cols = output_size(wd, v, stride, padding)
    y = torch.zeros(n, K, rows, cols)
    for b in range(n):
        for k in range(K):
            for i in range(rows):
                for j in range(cols):
                    s = 0.0
                    for ch in range(c):
                        for a in range(u):
                            for e in range(v):
                                s += wide[b, ch, i * stride + a, j * stride + e].item() * w[k, ch, a, e].item()
                    y[b, k, i, j] = s
    return y
"""
    ),
    right(
        """def conv2d_loops(x, w, stride=1, padding=0):
    n, c, h, wd = x.shape
    K, _, u, v = w.shape
    wide = torch.zeros(n, c, h + 2 * padding, wd + 2 * padding)
    wide[:, :, padding:padding + h, padding:padding + wd] = x
    rows = output_size(h, u, stride, padding)
    cols = output_size(wd, v, stride, padding)
    import numpy as np
    a, b = wide.numpy(), w.numpy()
    y = np.zeros((n, K, rows, cols), dtype=a.dtype)
    for i, j in np.ndindex(rows, cols):
        y[:, :, i, j] = np.tensordot(a[:, :, i*stride:i*stride+u, j*stride:j*stride+v], b, ((1,2,3),(1,2,3)))
    return torch.from_numpy(y)
"""
    ),
)

COLUMNS = (
    edit("w.reshape(k, -1)", "w.flip((2, 3)).reshape(k, -1)", told="flipped"),
    edit("w.reshape(k, -1)", "w.mean(1).reshape(k, -1)", told="raised"),
    edit("    n, c, height", "    stride = 1\n    n, c, height", told="stride was"),
    edit("    n, c, height", "    padding = 0\n    n, c, height", told="padding was"),
    edit("i + stride * rows, stride)", "i + rows)", told=""),
    edit("dim=2)  # (n, c", "dim=1)  # (n, c", told="the same order"),
    edit("dim=2)  # (n, c, u v", "dim=-1)  # (n, c, u v", told=""),
    edit(
        "wide[:, :, padding : padding + height, padding : padding + width] = x",
        "wide[:, :, :height, :width] = x",
        told="not only at the end",
    ),
    edit("torch.zeros(n, c,", "torch.ones(n, c,", told="the border is 0, not 1"),
    edit("@ cols)", "@ cols / (c * u * v))", told="not averaged"),
    edit(
        ".reshape(n, k, rows, columns)",
        ".reshape(n, k, rows, columns).numpy()",
        told="not in a tensor",
    ),
    edit(
        ".reshape(n, k, rows, columns)",
        ".reshape(n, k, rows, columns).mT",
        told="output were swapped",
    ),
    edit(".reshape(n, k, rows, columns)", "", told="shape"),
    edit(
        ".reshape(n, k, rows, columns)",
        ".reshape(n, rows, columns, k)",
        told="shape",
    ),
    edit("    return (w", "    (w", told="is a return missing"),
    edit("    return (w", "    x *= 2\n    return (w", told="argument was changed"),
    wrong("conv2d_im2col = conv2d_loops\n", told="a larger image takes more steps"),
    wrong(
        """def conv2d_im2col(x, w, stride=1, padding=0):
    cols = torch.nn.functional.unfold(x, w.shape[2:], padding=padding, stride=stride)
    rows = output_size(x.shape[2], w.shape[2], stride, padding)
    return (w.flatten(1) @ cols).unflatten(2, (rows, -1))
""",
        told="calls unfold",
    ),
    wrong(
        """def conv2d_im2col(x, w, stride=1, padding=0):
    return torch.conv2d(x, w, stride=stride, padding=padding)
""",
        told="calls conv2d",
    ),
    wrong(
        """def conv2d_im2col(x, w, stride=1, padding=0):
    x = torch.nn.functional.pad(x, (padding,) * 4)
    u, v = w.shape[2:]
    columns = []
    for i in range(0, x.shape[2] - u + 1, stride):
        for j in range(0, x.shape[3] - v + 1, stride):
            columns.append(x[:, :, i : i + u, j : j + v].flatten(1))
    y = w.flatten(1) @ torch.stack(columns, dim=2)
    return y.unflatten(2, (len(range(0, x.shape[2] - u + 1, stride)), -1))
""",
        told="a larger image takes more steps",
    ),
    wrong(
        """import numpy as np


def conv2d_im2col(x, w, stride=1, padding=0):
    a = np.pad(x.numpy(), ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    u, v = w.shape[2:]
    down = range(0, a.shape[2] - u + 1, stride)
    across = range(0, a.shape[3] - v + 1, stride)
    columns = [a[:, :, i : i + u, j : j + v].reshape(len(a), -1) for i in down for j in across]
    y = w.flatten(1).numpy() @ np.stack(columns, axis=2)
    return torch.from_numpy(y.reshape(len(a), len(w), len(down), len(across)))
""",
        told="a larger image takes more steps",
    ),
    wrong(
        """def conv2d_im2col(x, w, stride=1, padding=0):
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    wide = torch.nn.functional.pad(x, (padding,) * 4)
    rows, columns = output_size(height, u, stride, padding), output_size(width, v, stride, padding)
    y = 0
    for i in range(u):
        for j in range(v):
            part = wide[:, :, i : i + rows, j : j + columns]
            y = y + torch.einsum("ncij,kc->nkij", part, w[:, :, i, j])
    return y
""",
        told="begins at i · stride",
    ),
    right(
        """def conv2d_im2col(x, w, stride=1, padding=0):
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    wide = torch.nn.functional.pad(x, (padding,) * 4)
    rows, columns = output_size(height, u, stride, padding), output_size(width, v, stride, padding)
    y = torch.zeros(n, k, rows, columns)
    for i in range(u):
        for j in range(v):
            part = wide[:, :, i::stride, j::stride][:, :, :rows, :columns]
            y += torch.einsum("ncij,kc->nkij", part, w[:, :, i, j])
    return y
"""
    ),
    right(
        """def conv2d_im2col(x, w, stride=1, padding=0):
    x = torch.nn.functional.pad(x, (padding,) * 4)
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    rows, columns = (height - u) // stride + 1, (width - v) // stride + 1
    a, b, d, e = x.stride()
    windows = x.as_strided((n, rows, columns, c, u, v), (a, d * stride, e * stride, b, d, e))
    return (windows.reshape(n, rows, columns, -1) @ w.flatten(1).T).permute(0, 3, 1, 2)
"""
    ),
    right(
        """import numpy as np


def conv2d_im2col(x, w, stride=1, padding=0):
    a = np.pad(x.numpy(), ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    parts = np.lib.stride_tricks.sliding_window_view(a, tuple(w.shape[2:]), axis=(2, 3))
    parts = parts[:, :, ::stride, ::stride]
    return torch.from_numpy(np.einsum("ncijuv,kcuv->nkij", parts, w.numpy()))
"""
    ),
    right(
        """def conv2d_im2col(x, w, stride=1, padding=0):
    x = torch.nn.functional.pad(x, (padding,) * 4)
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    top = torch.arange(0, height - u + 1, stride)
    left = torch.arange(0, width - v + 1, stride)
    down = top[:, None] + torch.arange(u)  # (rows, u)
    across = left[:, None] + torch.arange(v)  # (columns, v)
    windows = x[:, :, down[:, None, :, None], across[None, :, None, :]]
    return torch.einsum("ncijuv,kcuv->nkij", windows, w)
"""
    ),
    right(
        """def conv2d_im2col(x, w, stride=1, padding=0):
    n, c, height, width = x.shape
    k, _, u, v = w.shape
    wide = torch.zeros(n, c, height + 2 * padding, width + 2 * padding)
    wide[:, :, padding : padding + height, padding : padding + width] = x
    rows, columns = output_size(height, u, stride, padding), output_size(width, v, stride, padding)
    cols = torch.zeros(n, c, u, v, rows, columns)
    for i in range(u):
        for j in range(v):
            cols[:, :, i, j] = wide[:, :, i : i + stride * rows : stride, j : j + stride * columns : stride]
    return torch.matmul(w.view(k, -1), cols.view(n, c * u * v, -1)).view(n, k, rows, columns)
"""
    ),
    wrong(
        """def conv2d_im2col(x, w, stride=1, padding=0):
    x = torch.nn.functional.pad(x, (padding,) * 4)
    n, c, h, wid = x.shape
    k, _, u, v = w.shape
    H = (h - u) // stride + 1
    W = (wid - v) // stride + 1
    cols = []
    for i in range(u):
        for j in range(v):
            cols.append(x[:, :, i::stride, j::stride].reshape(n, c, -1))
    m = torch.stack(cols, 2).reshape(n, c*u*v, H*W)
    return (w.reshape(k, -1) @ m).reshape(n, k, H, W)
""",
        told="after the last window",
    ),
    wrong(
        """def conv2d_im2col(x, w, stride=1, padding=0):
    x = torch.nn.functional.pad(x, (padding,) * 4)
    n, c, h, wid = x.shape
    k, _, u, v = w.shape
    H = (h - u) // stride + 1
    W = (wid - v) // stride + 1
    cols = []
    for i in range(u):
        for j in range(v):
            cols.append(x[:, :, i:i + stride*(H-1)+1:stride, j:j+stride*(W-1)+1:stride].reshape(n, c, H*W))
    m = torch.stack(cols, 2).reshape(c*u*v, n*H*W)
    return (w.reshape(k, -1) @ m).reshape(n, k, H, W)
""",
        told="does not move the images",
    ),
    right(
        """def conv2d_im2col(x, w, stride=1, padding=0):
    n, c, h, wd = x.shape
    K, _, u, v = w.shape
    wide = torch.zeros(n, c, h + 2 * padding, wd + 2 * padding)
    wide[:, :, padding:padding + h, padding:padding + wd] = x
    rows = output_size(h, u, stride, padding)
    cols = output_size(wd, v, stride, padding)
    y = 0
    for i in range(u):
        for j in range(v):
            part = wide[:, :, i:i + (rows - 1) * stride + 1:stride, j:j + (cols - 1) * stride + 1:stride]
            y = y + torch.einsum('ncij,kc->nkij', part, w[:, :, i, j])
    return y
"""
    ),
    right(
        """def conv2d_im2col(x, w, stride=1, padding=0):
    n, c, h, wd = x.shape
    K, _, u, v = w.shape
    wide = torch.zeros(n, c, h + 2 * padding, wd + 2 * padding)
    wide[:, :, padding:padding + h, padding:padding + wd] = x
    rows = output_size(h, u, stride, padding)
    cols = output_size(wd, v, stride, padding)
    import numpy as np
    from numpy.lib.stride_tricks import sliding_window_view as s
    win = s(wide.numpy(), (u, v), axis=(2, 3))[:, :, ::stride, ::stride]
    cols_ = win.transpose(0, 2, 3, 1, 4, 5).reshape(n, rows * cols, -1)
    y = cols_ @ w.numpy().reshape(K, -1).T
    return torch.from_numpy(np.ascontiguousarray(y.transpose(0, 2, 1)).reshape(n, K, rows, cols))
"""
    ),
)

POOL = (
    edit(" * g[:, :, i : i + 1, j : j + 1]", " * 1.0", told="incoming gradient"),
    edit("] += share", "] = share", told="overwrote"),
    edit(
        "            gx[:, :, down, across] += share",
        "            old = gx[:, :, down, across]\n"
        "            won = won.reshape(old.shape)\n"
        "            gx[:, :, down, across] = torch.where(won, share, old)",
        told="= for +=",
    ),
    edit("slice(i * stride, i * stride + k)", "slice(i * k, i * k + k)", told="raised"),
    edit(
        "            down =",
        "            if (i + 1) * k > x.shape[2] or (j + 1) * k > x.shape[3]:\n"
        "                continue\n            stride = k\n            down =",
        told="",
    ),
    edit(".argmax(dim=2)", ".argmin(dim=2)", told="not the smallest"),
    edit(
        "x[:, :, down, across].flatten(2)",
        "x[:, :, down, across].abs().flatten(2)",
        told="furthest from 0",
    ),
    edit(
        "x[:, :, down, across].flatten(2)",
        "x[:, :, down, across].mT.flatten(2)",
        told="window was transposed",
    ),
    edit(
        "torch.arange(k * k) == first.unsqueeze(2)",
        "x[:, :, down, across].flatten(2) == x[:, :, down, across].flatten(2).amax(2, keepdim=True)",
        told="not all of them",
    ),
    edit(
        "torch.arange(k * k) == first.unsqueeze(2)",
        "torch.ones(*first.shape, k * k) / (k * k)",
        told="average pooling",
    ),
    edit(
        "torch.arange(k * k) == first.unsqueeze(2)",
        "torch.ones(*first.shape, k * k)",
        told="not the whole window",
    ),
    edit(
        "x[:, :, down, across].flatten(2).argmax(dim=2)",
        "k * k - 1 - x[:, :, down, across].flatten(2).flip(2).argmax(dim=2)",
        told="not the last",
    ),
    edit(
        "x[:, :, down, across].flatten(2)",
        "x[:, :1, down, across].expand(-1, x.shape[1], -1, -1).flatten(2)",
        told="first channel's",
    ),
    edit(
        "x[:, :, down, across].flatten(2)",
        "x[:1, :, down, across].expand(len(x), -1, -1, -1).flatten(2)",
        told="first image's",
    ),
    edit(
        "* g[:, :, i : i + 1, j : j + 1]",
        "* g[:, :, i : i + 1, j : j + 1] * x[:, :, down, across]",
        told="not multiplied by x",
    ),
    edit("    return gx", "    return gx.numpy()", told="not in a tensor"),
    edit("    return gx", "    None", told="is a return missing"),
    edit("gx = torch.zeros(x.shape)", "gx = x.clone()", told="not with x"),
    edit("gx = torch.zeros(x.shape)", "gx = x\n    gx.zero_()", told="argument was"),
    edit("gx = torch.zeros(x.shape)", "gx = torch.zeros(g.shape)", told="raised"),
    wrong(
        """def max_pool_backward(g, x, k, stride):
    x = x.clone().requires_grad_()
    torch.nn.functional.max_pool2d(x, k, stride).backward(g)
    return x.grad
""",
        told="calls max_pool2d",
    ),
    wrong(
        """def max_pool_backward(g, x, k, stride):
    gx = torch.zeros(x.shape)
    for i in range(g.shape[2]):
        for j in range(g.shape[3]):
            best, at = 0.0, None
            for p in range(k):
                for q in range(k):
                    if x[0, 0, i * stride + p, j * stride + q] > best:
                        best, at = x[0, 0, i * stride + p, j * stride + q], (p, q)
            if at:
                gx[:1, :1, i * stride + at[0], j * stride + at[1]] += g[:1, :1, i, j]
    return gx
""",
        told="",
    ),
    wrong(
        """def max_pool_backward(g, x, k, stride):
    gx = torch.zeros(x.shape)
    for n in range(g.shape[0]):
        for c in range(g.shape[1]):
            for i in range(g.shape[2]):
                for j in range(g.shape[3]):
                    window = x[n, c, i * stride : i * stride + k, j * stride : j * stride + k]
                    at = window.argmax().item()
                    if window.max() > 0:
                        gx[n, c, i * stride + at // k, j * stride + at % k] += g[n, c, i, j]
    return gx
""",
        told="may be negative",
    ),
    wrong(
        """def max_pool_backward(g, x, k, stride):
    gx = torch.zeros(x.shape)
    i = j = 0
    window = x[:, :, :k, :k].flatten(2)
    won = torch.arange(k * k) == window.argmax(2).unsqueeze(2)
    gx[:, :, :k, :k] += won.reshape(*window.shape[:2], k, k) * g[:, :, :1, :1]
    return gx
""",
        told="",
    ),
    right(
        """def max_pool_backward(g, x, k, stride):
    gx = torch.zeros(x.shape)
    for n in range(g.shape[0]):
        for c in range(g.shape[1]):
            for i in range(g.shape[2]):
                for j in range(g.shape[3]):
                    window = x[n, c, i * stride : i * stride + k, j * stride : j * stride + k]
                    at = window.argmax().item()
                    gx[n, c, i * stride + at // k, j * stride + at % k] += g[n, c, i, j]
    return gx
"""
    ),
    right(
        """import numpy as np


def max_pool_backward(g, x, k, stride):
    a, b = x.numpy(), g.numpy()
    out = np.zeros_like(a)
    for n, c, i, j in np.ndindex(*b.shape):
        window = a[n, c, i * stride : i * stride + k, j * stride : j * stride + k]
        p, q = np.unravel_index(window.argmax(), window.shape)
        out[n, c, i * stride + p, j * stride + q] += b[n, c, i, j]
    return torch.tensor(out)
"""
    ),
    right(
        """def max_pool_backward(g, x, k, stride):
    gx = torch.zeros_like(x)
    for i in range(g.shape[2]):
        for j in range(g.shape[3]):
            best, at = torch.full(g.shape[:2], -torch.inf), torch.zeros(g.shape[:2]).long()
            for place in range(k * k):
                here = x[:, :, i * stride + place // k, j * stride + place % k]
                at = torch.where(here > best, place, at)
                best = torch.maximum(best, here)
            for place in range(k * k):
                gx[:, :, i * stride + place // k, j * stride + place % k] += (at == place) * g[:, :, i, j]
    return gx
"""
    ),
    right(
        """def max_pool_backward(g, x, k, stride):
    n, c, h, w = x.shape
    flat = torch.zeros(n, c, h * w)
    for i in range(g.shape[2]):
        for j in range(g.shape[3]):
            at = x[:, :, i * stride : i * stride + k, j * stride : j * stride + k].flatten(2).argmax(2)
            place = (i * stride + at // k) * w + j * stride + at % k
            flat.scatter_add_(2, place.unsqueeze(2), g[:, :, i, j].unsqueeze(2))
    return flat.reshape(x.shape)
"""
    ),
    right(
        """def max_pool_backward(g, x, k, stride):
    windows = x.unfold(2, k, stride).unfold(3, k, stride).flatten(4)
    won = torch.nn.functional.one_hot(windows.argmax(4), k * k) * g.unsqueeze(4)
    gx = torch.zeros(x.shape)
    rows, columns = g.shape[2:]
    for p in range(k):
        for q in range(k):
            gx[:, :, p : p + stride * rows : stride, q : q + stride * columns : stride][
                :, :, :rows, :columns
            ] += won[..., p * k + q]
    return gx
"""
    ),
    wrong(
        """def max_pool_backward(g, x, k, stride):
    out = torch.zeros_like(x)
    n, c, H, W = g.shape
    for a in range(n):
        for b in range(c):
            for i in range(H):
                for j in range(W):
                    best = 0; p, q = i*stride, j*stride
                    for u in range(k):
                        for v in range(k):
                            val = x[a, b, i*stride+u, j*stride+v].item()
                            if val > best: best = val; p, q = i*stride+u, j*stride+v
                    out[a, b, p, q] += g[a, b, i, j]
    return out
""",
        told="begin the search with 0",
    ),
    wrong(
        """def max_pool_backward(g, x, k, stride):
    out = torch.zeros_like(x)
    n, c, H, W = g.shape
    for a in range(n):
        for b in range(c):
            for i in range(H):
                for j in range(W):
                    win = x[a, b, i*stride:i*stride+k, j*stride:j*stride+k]
                    p = win.flatten().argmax().item()
                    out[a, b, p // k, p % k] += g[a, b, i, j]
    return out
""",
        told="position inside the window",
    ),
    wrong(
        """def max_pool_backward(g, x, k, stride):
    gx = torch.zeros_like(x)
    n, c, h, w = x.shape
    for b in range(n):
        for ch in range(c):
            for i in range(g.shape[2]):
                for j in range(g.shape[3]):
                    win = x[b, ch, i*stride:i*stride+k, j*stride:j*stride+k]
                    at = int(win.argmax())
                    gx[b, ch, i*stride + at % k, j*stride + at // k] += g[b, ch, i, j]
    return gx
""",
        told="a flat place p is in row p // k and column p % k",
    ),
    wrong(
        """def max_pool_backward(g, x, k, stride):
    gx = torch.zeros_like(x)
    n, c, h, w = x.shape
    for b in range(n):
        for ch in range(c):
            for i in range(g.shape[2]):
                for j in range(g.shape[3]):
                    win = x[b, ch, i*k:i*k+k, j*k:j*k+k]
                    at = int(win.argmax())
                    gx[b, ch, i*k + at // k, j*k + at % k] += g[b, ch, i, j]
    return gx
""",
        told="window i begins at i · stride, not at i · k",
    ),
    wrong(
        """def max_pool_backward(g, x, k, stride):
    gx = torch.zeros_like(x)
    n, c, h, w = x.shape
    for b in range(1):
        for ch in range(c):
            for i in range(g.shape[2]):
                for j in range(g.shape[3]):
                    win = x[b, ch, i*stride:i*stride+k, j*stride:j*stride+k]
                    at = int(win.argmax())
                    gx[b, ch, i*stride + at // k, j*stride + at % k] += g[b, ch, i, j]
    return gx
""",
        told="only the first image got a gradient",
    ),
    wrong(
        """def max_pool_backward(g, x, k, stride):
    x = x.clone().requires_grad_()
    y = torch.stack([torch.stack([x[:, :, i*stride:i*stride+k, j*stride:j*stride+k].amax((2, 3)) for j in range(g.shape[3])], -1) for i in range(g.shape[2])], 2)
    (y * g).sum().backward()
    return x.grad
""",
        told="backward does what you",
    ),
    wrong(
        """def max_pool_backward(g, x, k, stride):
    return torch.tensor([[[[0.0, 10.0], [0.0, 0.0]]]])
""",
        told="the result is always the same",
    ),
    right(
        """def max_pool_backward(g, x, k, stride):
    gx = torch.zeros_like(x)
    n, c, h, w = x.shape
    for b in range(n):
        for ch in range(c):
            for i in range(g.shape[2]):
                for j in range(g.shape[3]):
                    win = x[b, ch, i*stride:i*stride+k, j*stride:j*stride+k]
                    at = int(win.argmax())
                    gx[b, ch, i*stride + at // k, j*stride + at % k] += g[b, ch, i, j]
    return gx
"""
    ),
    right(
        """def max_pool_backward(g, x, k, stride):
    import numpy as np
    a, gy = x.numpy(), g.numpy()
    gx = np.zeros_like(a)
    for b, c, i, j in np.ndindex(*gy.shape):
        win = a[b, c, i*stride:i*stride+k, j*stride:j*stride+k]
        r, q = np.unravel_index(win.argmax(), win.shape)
        gx[b, c, i*stride+r, j*stride+q] += gy[b, c, i, j]
    return torch.from_numpy(gx)
"""
    ),
)

NORM = (
    edit("    if training:", "    if True:", told="RUNNING statistics"),
    edit("    if training:", "    if not training:", told="swapped"),
    edit(
        "        mean = x.mean((0, 2, 3))\n        var = x.var((0, 2, 3), unbiased=False)\n"
        "        unbiased = x.var((0, 2, 3), unbiased=True)\n"
        "        running_mean.mul_(1 - momentum).add_(momentum * mean)",
        "        unbiased = x.var((0, 2, 3), unbiased=True)\n"
        "        running_mean.mul_(1 - momentum).add_(momentum * x.mean((0, 2, 3)))",
        told="not the updated",
    ),
    edit("unbiased=False", "unbiased=True", told="biased variance"),
    edit("unbiased=True", "unbiased=False", told="UNBIASED"),
    edit("torch.sqrt(var + eps)", "(var + eps)", told="square root"),
    edit("torch.sqrt(var + eps)", "(torch.sqrt(var) + eps)", told="under the root"),
    edit("torch.sqrt(var + eps)", "torch.sqrt(var)", told="eps was ignored"),
    edit("torch.sqrt(var + eps)", "torch.sqrt(var + 1e-5)", told="eps was ignored"),
    edit("(x - mean) / torch.sqrt(var + eps)", "x - mean", told="nothing is divided"),
    edit("(x - mean)", "x", told="not subtracted"),
    edit("1 - momentum).add_(momentum", "momentum).add_((1 - momentum)", told="NEW"),
    edit("1 - momentum).add_(momentum", "0.9).add_(0.1", told="momentum was ignored"),
    edit("running_mean.mul_(1 - momentum).add_", "running_mean.add_", told="1 - mom"),
    edit(
        "running_mean.mul_(1 - momentum).add_(momentum * mean)",
        "running_mean.copy_(mean)",
        told="replaced",
    ),
    edit(
        "running_mean.mul_(1 - momentum).add_(momentum * mean)",
        "running_mean = (1 - momentum) * running_mean + momentum * mean",
        told="in place",
    ),
    edit(
        "        running_var.mul_(1 - momentum).add_(momentum * unbiased)\n",
        "",
        told="running_var",
    ),
    edit("momentum * unbiased)", "momentum * unbiased.sqrt())", told="not a standard"),
    edit("momentum * unbiased)", "momentum * mean)", told="got the mean"),
    edit("(0, 2, 3)", "(2, 3)", told="raised"),
    edit("(0, 2, 3)", "(0, 1, 2, 3)", told="for all channels"),
    *(
        wrong(
            f"""def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    mean, var = running_mean.reshape(-1, 1, 1), running_var.reshape(-1, 1, 1)
    if training:
        mean = x.mean({axes}, keepdim=True)
        var = x.var({axes}, unbiased=False, keepdim=True)
        running_mean.mul_(1 - momentum).add_(momentum * x.mean((0, 2, 3)))
        running_var.mul_(1 - momentum).add_(momentum * x.var((0, 2, 3)))
    return (x - mean) / torch.sqrt(var + eps)
""",
            told=told,
        )
        for axes, told in (
            ("0", "one number per channel, over n, h and w"),
            ("(0, 1)", "one for each pixel"),
            ("(0, 2)", "one for each column"),
            ("(0, 3)", "one for each row"),
            ("1", "statistics over the channels"),
            ("(1, 2, 3)", "one for each image"),
            ("(2, 3)", "statistics of each image"),
        )
    ),
    edit("(0, 2, 3)", "0", told="keeps its shape"),
    wrong(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    layer = torch.nn.BatchNorm2d(len(running_mean), eps, momentum, affine=False)
    layer.running_mean, layer.running_var = running_mean, running_var
    return layer.train(training)(x)
""",
        told="batch_norm was called",
    ),
    wrong(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if training:
        running_mean.mul_(1 - momentum).add_(momentum * x.mean((0, 2, 3)))
        running_var.mul_(1 - momentum).add_(momentum * x.var((0, 2, 3)))
        rows = x.transpose(0, 1).reshape(1, x.shape[1], -1)
        y = torch.nn.functional.instance_norm(rows, eps=eps)
        return y.reshape(x.transpose(0, 1).shape).transpose(0, 1)
    mean, var = running_mean.reshape(-1, 1, 1), running_var.reshape(-1, 1, 1)
    return (x - mean) / torch.sqrt(var + eps)
""",
        told="calls instance_norm",
    ),
    wrong(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    mean, var = running_mean, running_var
    if training:
        mean, var = x.mean((0, 2, 3)), x.var((0, 2, 3), unbiased=False)
        running_mean.mul_(1 - momentum).add_(momentum * mean)
        running_var.mul_(1 - momentum).add_(momentum * x.var((0, 2, 3)))
    x -= mean.reshape(-1, 1, 1)
    x /= torch.sqrt(var.reshape(-1, 1, 1) + eps)
    return x
""",
        told="an argument was changed in place",
    ),
    edit(
        "    return (x - mean)",
        "    x -= mean\n    x /= torch.sqrt(var + eps)\n    return x\n    return (x - mean)",
        told="argument was changed",
    ),
    edit(
        "    return (x - mean) / torch.sqrt(var + eps)",
        "    return ((x - mean) / torch.sqrt(var + eps)).numpy()",
        told="not in a tensor",
    ),
    edit("    return (x", "    (x", told="is a return missing"),
    edit(
        "    return (x - mean) / torch.sqrt(var + eps)",
        "    return (x - mean) / torch.sqrt(var + eps), running_mean, running_var",
        told="not a number or a tensor",
    ),
    edit(
        "    mean = mean.reshape",
        "    if not training:\n"
        "        running_mean.mul_(1 - momentum).add_(momentum * x.mean((0, 2, 3)))\n"
        "    mean = mean.reshape",
    ),
    wrong(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    return torch.nn.functional.batch_norm(
        x, running_mean, running_var, training=training, momentum=momentum, eps=eps
    )
""",
        told="calls batch_norm",
    ),
    wrong(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    mean, var = running_mean, running_var
    if training:
        mean, var = x.mean(0), x.var(0, unbiased=False)
        running_mean.mul_(1 - momentum).add_(momentum * x.mean((0, 2, 3)))
        running_var.mul_(1 - momentum).add_(momentum * x.var((0, 2, 3)))
        return (x - mean) / torch.sqrt(var + eps)
    return (x - mean.reshape(1, -1, 1, 1)) / torch.sqrt(var.reshape(1, -1, 1, 1) + eps)
""",
        told="one number per channel",
    ),
    wrong(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    mean = x.mean((0, 2, 3))
    var = x.var((0, 2, 3), unbiased=False)
    running_mean.mul_(1 - momentum).add_(momentum * mean)
    running_var.mul_(1 - momentum).add_(momentum * x.var((0, 2, 3)))
    if not training:
        mean, var = running_mean, running_var
    return (x - mean.view(1, -1, 1, 1)) / torch.sqrt(var.view(1, -1, 1, 1) + eps)
""",
        told="evaluation changes nothing",
    ),
    wrong(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1):
    mean, var = running_mean, running_var
    if training:
        mean, var = x.mean((0, 2, 3)), x.var((0, 2, 3), unbiased=False)
        running_mean.mul_(1 - momentum).add_(momentum * mean)
        running_var.mul_(1 - momentum).add_(momentum * x.var((0, 2, 3)))
    return (x - mean.view(1, -1, 1, 1)) / torch.sqrt(var.view(1, -1, 1, 1) + 1e-5)
""",
        told="unexpected keyword argument 'eps'",
    ),
    right(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if training:
        count = x.numel() / x.shape[1]
        mean = x.sum((0, 2, 3), keepdim=True) / count
        var = ((x - mean) ** 2).sum((0, 2, 3), keepdim=True) / count
        running_mean.copy_(running_mean + momentum * (mean.flatten() - running_mean))
        running_var[:] = (1 - momentum) * running_var + momentum * var.flatten() * count / (count - 1)
    else:
        mean = running_mean[None, :, None, None]
        var = running_var[None, :, None, None]
    return (x - mean) * (var + eps) ** -0.5
"""
    ),
    right(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    y = torch.empty_like(x)
    for c in range(x.shape[1]):
        mean, var = running_mean[c].clone(), running_var[c].clone()
        if training:
            mean, var = x[:, c].mean(), x[:, c].var(unbiased=False)
            running_mean[c] = (1 - momentum) * running_mean[c] + momentum * mean
            running_var[c] = (1 - momentum) * running_var[c] + momentum * x[:, c].var()
        y[:, c] = (x[:, c] - mean) / (var + eps).sqrt()
    return y
"""
    ),
    right(
        """import numpy as np


def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    a, mean, var = x.numpy(), running_mean.numpy(), running_var.numpy()
    if training:
        new, spread = a.mean((0, 2, 3)), a.var((0, 2, 3))
        mean += momentum * (new - mean)
        var += momentum * (a.var((0, 2, 3), ddof=1) - var)
        mean, var = new, spread
    y = (a - mean.reshape(1, -1, 1, 1)) / np.sqrt(var.reshape(1, -1, 1, 1) + eps)
    return torch.from_numpy(y.astype(a.dtype))
"""
    ),
    right(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    channels = x.transpose(0, 1).flatten(1)  # (c, n h w)
    if not training:
        mean, var = running_mean, running_var
    else:
        var, mean = torch.var_mean(channels, dim=1, correction=0)
        with torch.no_grad():
            running_mean.lerp_(mean, momentum)
            running_var.lerp_(channels.var(1), momentum)
    y = (channels - mean[:, None]) / torch.sqrt(var[:, None] + eps)
    return y.reshape(x.shape[1], x.shape[0], *x.shape[2:]).transpose(0, 1)
"""
    ),
    right(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    mean, var = running_mean.reshape(1, -1, 1, 1), running_var.reshape(1, -1, 1, 1)
    if training:
        mean = x.mean(dim=(0, 2, 3), keepdim=True)
        var = x.var(dim=(0, 2, 3), keepdim=True, unbiased=False)
        n = x.shape[0] * x.shape[2] * x.shape[3]
        running_mean *= 1 - momentum
        running_mean += momentum * mean.squeeze()
        running_var *= 1 - momentum
        running_var += momentum * var.squeeze() * n / (n - 1)
    return (x - mean) / (var + eps).sqrt()
"""
    ),
    wrong(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if training:
        mean = x.mean((0, 2, 3)); var = x.var((0, 2, 3), correction=0)
        running_mean += momentum * (mean - running_mean)
        running_var += momentum * (x.var((0, 2, 3)) - running_var)
    else:
        mean, var = running_mean, running_var
    return (x - mean) / (var + eps).sqrt()
""",
        told="shape (c, 1, 1)",
    ),
    wrong(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if training:
        mean = x.mean((0, 2, 3)); var = x.var((0, 2, 3), correction=0)
        n = x.shape[0]
        running_mean += momentum * (mean - running_mean)
        running_var += momentum * (var * n / (n - 1) - running_var)
    else:
        mean, var = running_mean, running_var
    return (x - mean[None, :, None, None]) / torch.sqrt(var[None, :, None, None] + eps)
""",
        told="not only n",
    ),
    right(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if training:
        mean = x.mean((0, 2, 3))
        var = x.var((0, 2, 3), unbiased=False)
        running_mean[:] = (1 - momentum) * running_mean + momentum * mean
        running_var.mul_(1 - momentum).add_(momentum * x.var((0, 2, 3)))
    else:
        mean, var = running_mean, running_var
    return (x - mean.reshape(1, -1, 1, 1)) / (var.reshape(1, -1, 1, 1) + eps).sqrt()
"""
    ),
    right(
        """def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
    if training:
        mean = x.mean((0, 2, 3))
        var = x.var((0, 2, 3), unbiased=False)
        running_mean.lerp_(mean, momentum)
        running_var.copy_((1 - momentum) * running_var + momentum * x.var((0, 2, 3)))
    else:
        mean, var = running_mean, running_var
    return (x - mean.reshape(1, -1, 1, 1)) / (var.reshape(1, -1, 1, 1) + eps).sqrt()
"""
    ),
)

ANSWERS = {
    "09.1": SIZE,
    "09.2": LOOPS,
    "09.3": COLUMNS,
    "09.4": POOL,
    "09.5": NORM,
}
