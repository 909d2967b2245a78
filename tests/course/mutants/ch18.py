"""Chapter 18: answers as learners write them."""

from __future__ import annotations

from tests.course.mutants.answers import edit, right, wrong

__all__ = ["ANSWERS"]

SCATTER_HEAD = "def scatter(x, count):\n"
SCATTER = (
    edit("-(-len(x) // count)", "len(x) // count", told="rounded down"),
    edit("-(-len(x) // count)", "count", told="count is how many parts"),
    edit("-(-len(x) // count)", "1", told="each row is a part of its own"),
    edit("-(-len(x) // count)", "len(x)", told="the batch is not cut"),
    edit("range(0, len(x), size)", "range(size, len(x), size)", told="first part"),
    edit("range(0, len(x), size)", "range(0, len(x) - size, size)", told="last part"),
    edit("x[i : i + size]", "x[:size]"),
    edit("x[i : i + size]", "x", told="not all of it"),
    edit("return [", "[", told="is a return missing"),
    edit("x[i : i + size] for", "x[i : i + size].tolist() for", told="not a list of"),
    wrong(
        SCATTER_HEAD + "    size = len(x) // count\n"
        "    return [x[i * size : (i + 1) * size] for i in range(count)]\n",
        told="rounded down: the last rows are in no part",
    ),
    wrong(
        SCATTER_HEAD + "    return [x[i::count] for i in range(count)]\n",
        told="round the size of a part up",
    ),
    wrong(
        SCATTER_HEAD + "    return list(torch.tensor_split(x, count))\n",
        told="round the size of a part up",
    ),
    wrong(
        SCATTER_HEAD + "    size = -(-len(x) // count)\n"
        "    return [x[i * size : (i + 1) * size] for i in range(count)]\n",
        told="empty parts are left out",
    ),
    wrong(
        SCATTER_HEAD + "    return list(x.chunk(count))[::-1]\n",
    ),
    wrong(SCATTER_HEAD + "    return list(x.flip(0).chunk(count))\n", told="order"),
    wrong(SCATTER_HEAD + "    return x\n", told="not a list of tensors"),
    wrong(SCATTER_HEAD + "    return [x]\n", told="the batch is not cut"),
    wrong(SCATTER_HEAD + "    return [x] * count\n", told="whole batch"),
    right(SCATTER_HEAD + "    return list(x.chunk(count))\n"),
    right(SCATTER_HEAD + "    return x.chunk(count)\n"),
    right(SCATTER_HEAD + "    return list(x.split((len(x) + count - 1) // count))\n"),
    right(
        SCATTER_HEAD + "    parts, size = [], (len(x) - 1) // count + 1\n"
        "    while len(x):\n"
        "        parts.append(x[:size].clone())\n"
        "        x = x[size:]\n"
        "    return parts\n"
    ),
    right(
        "import math\n\n\n" + SCATTER_HEAD + "    size = math.ceil(len(x) / count)\n"
        "    parts = [x[r * size : (r + 1) * size] for r in range(count)]\n"
        "    return [part for part in parts if len(part)]\n"
    ),
)

REDUCE_HEAD = "def reduce_gradients(gradients, rows):\n"
REDUCE = (
    edit("gradient * count", "gradient", told="nothing was multiplied"),
    edit(
        "gradient * count", "gradient / count", told="divide and multiply are swapped"
    ),
    edit(" / sum(rows)", "", told="not divided by the number of rows"),
    edit(" / sum(rows)", " / len(rows)", told="not by the number of replicas"),
    edit(" / sum(rows)", " / rows[-1]", told="not of the last"),
    edit(" / sum(rows)", " / max(rows)", told="not of the longest"),
    edit("return total", "total", told="is a return missing"),
    edit("total = total + gradient", "total = gradient"),
    edit("total + gradient", "total - gradient", told="the sign is wrong"),
    edit("zip(gradients, rows,", "zip(gradients, rows[::-1],", told="same order"),
    edit("sum(rows)", "sum(rows) / len(rows)", told="taken twice"),
    edit(
        "return total / sum(rows)",
        "return (total / sum(rows)).numpy()",
        told="not in a tensor",
    ),
    wrong(REDUCE_HEAD + "    return sum(gradients)\n", told="that is the sum"),
    wrong(
        REDUCE_HEAD + "    return sum(gradients) / len(gradients)\n",
        told="weight each by its rows",
    ),
    wrong(
        REDUCE_HEAD + "    return torch.stack(gradients).mean(dim=0)\n",
        told="weight each by its rows",
    ),
    wrong(REDUCE_HEAD + "    return gradients[0].clone()\n", told="of one replica"),
    wrong(
        REDUCE_HEAD + "    if len(gradients) == 1:\n"
        "        return gradients[0]\n"
        "    return sum(g * n for g, n in zip(gradients, rows)) / sum(rows)\n",
        told="y = x is another name for x",
    ),
    wrong(
        REDUCE_HEAD + "    total = gradients[0]\n"
        "    total *= rows[0]\n"
        "    for g, n in zip(gradients[1:], rows[1:]):\n"
        "        total += g * n\n"
        "    return total / sum(rows)\n",
        told="an argument was changed in place",
    ),
    wrong(
        REDUCE_HEAD + "    whole = sum(g * n for g, n in zip(gradients, rows))\n"
        "    return gradients[0].copy_(whole / sum(rows))\n",
        told="an argument was changed in place",
    ),
    wrong(
        REDUCE_HEAD + "    whole = sum(g * n for g, n in zip(gradients, rows))\n"
        "    return whole / sum(rows) / len(rows)\n",
        told="the mean is taken twice",
    ),
    wrong(
        REDUCE_HEAD + "    total = torch.zeros_like(gradients[0])\n"
        "    for i in range(1, len(rows)):\n"
        "        total += gradients[i] * rows[i]\n"
        "    return total / sum(rows)\n",
        told="one replica is missing",
    ),
    wrong(
        REDUCE_HEAD + "    for g, n in zip(gradients, rows):\n"
        "        g *= n\n"
        "    return sum(gradients) / sum(rows)\n",
        told="changed",
    ),
    right(
        REDUCE_HEAD
        + "    return sum(g * n for g, n in zip(gradients, rows)) / sum(rows)\n"
    ),
    right(
        REDUCE_HEAD + "    shares = [n / sum(rows) for n in rows]\n"
        "    return sum(g * share for g, share in zip(gradients, shares))\n"
    ),
    right(
        REDUCE_HEAD + "    total = torch.zeros_like(gradients[0])\n"
        "    for i in range(len(rows)):\n"
        "        total += gradients[i] * rows[i]\n"
        "    return total / sum(rows)\n"
    ),
    right(
        REDUCE_HEAD + "    weighed = [n * g for g, n in zip(gradients, rows)]\n"
        "    return torch.stack(weighed).sum(dim=0) / sum(rows)\n"
    ),
    right(
        REDUCE_HEAD
        + "    each = [g for g, n in zip(gradients, rows) for _ in range(n)]"
        "\n    return torch.stack(each).mean(dim=0)\n"
    ),
)

RING_HEAD = "def ring_all_reduce(values):\n"
RING = (
    edit("to = (rank + 1) % n", "to = (rank - 1) % n", told="not r - 1"),
    edit("+= before[rank]", "= before[rank]", told="they do not replace"),
    edit("table[to][chunk] = before", "table[to][chunk] += before", told="add nothing"),
    edit("(rank + n - step)", "(rank + n - 1 - step)", told="which is complete there"),
    edit("(rank + n - step)", "(rank + n + 1 - step)", told="which is complete there"),
    edit("(rank - step)", "(rank + 1 - step)", told="rank r sends chunk r"),
    edit("(rank - step)", "(rank - 1 - step)", told="rank r sends chunk r"),
    edit("range(2 * (n - 1))", "range(n - 1)", told="second half is missing"),
    edit(
        "tables.append([list(row) for row in table])",
        "tables.append(table)",
        told="every step shows the final table",
    ),
    edit("return tables", "return tables[-1]", told="only the last table"),
    edit("return tables", "tables", told="is a return missing"),
    edit(
        "        tables.append([list(row) for row in table])\n",
        "        tables.append(before)\n",
        told="begins with the table after the first step",
    ),
    edit("if step < n - 1:", "if step < n:"),
    wrong(
        RING_HEAD + "    sums = [sum(column) for column in zip(*values)]\n"
        "    n = len(values)\n"
        "    return [[sums] * n for _ in range(2 * (n - 1))]\n",
        told="every step shows the final table",
    ),
    wrong(
        RING_HEAD + "    n, tables = len(values), []\n"
        "    table = [list(row) for row in values]\n"
        "    for step in range(n - 1):\n"
        "        before = [list(row) for row in table]\n"
        "        for r in range(n):\n"
        "            c = (r + step) % n\n"
        "            table[(r + 1) % n][c] += before[r][c]\n"
        "        tables.append([list(row) for row in table])\n"
        "    for step in range(n - 1):\n"
        "        before = [list(row) for row in table]\n"
        "        for r in range(n):\n"
        "            c = (r + 1 + step) % n\n"
        "            table[(r + 1) % n][c] = before[r][c]\n"
        "        tables.append([list(row) for row in table])\n"
        "    return tables\n",
        told="DOWN by one",
    ),
    wrong(
        RING_HEAD + "    n, tables = len(values), []\n"
        "    for step in range(2 * (n - 1)):\n"
        "        tables.append(values)\n"
        "        for r in range(n):\n"
        "            values[(r + 1) % n][(r - step) % n] += values[r][(r - step) % n]\n"
        "    return tables\n",
        told="changed",
    ),
    wrong(
        RING_HEAD + "    return [[list(c) for c in zip(*t)] for t in good(values)]\n"
        "\n\ndef good(values):\n"
        "    n, tables = len(values), []\n"
        "    table = [list(row) for row in values]\n"
        "    for step in range(2 * (n - 1)):\n"
        "        before = [list(row) for row in table]\n"
        "        for r in range(n):\n"
        "            to, late = (r + 1) % n, step >= n - 1\n"
        "            c = (r - step + (n if late else 0)) % n\n"
        "            table[to][c] = before[r][c] + (0 if late else before[to][c])\n"
        "        tables.append([list(row) for row in table])\n"
        "    return tables\n",
        told="a row for each rank",
    ),
    right(
        RING_HEAD + "    n, tables = len(values), []\n"
        "    table = [list(row) for row in values]\n"
        "    for step in range(2 * (n - 1)):\n"
        "        before = [list(row) for row in table]\n"
        "        for r in range(n):\n"
        "            to, late = (r + 1) % n, step >= n - 1\n"
        "            c = (r - step + (n if late else 0)) % n\n"
        "            table[to][c] = before[r][c] + (0 if late else before[to][c])\n"
        "        tables.append([list(row) for row in table])\n"
        "    return tables\n"
    ),
    right(
        "import copy\n\n\n" + RING_HEAD + "    n = len(values)\n"
        "    tables, now = [], copy.deepcopy(values)\n"
        "    for step in range(n - 1):\n"
        "        sent = [now[r][(r - step) % n] for r in range(n)]\n"
        "        for r in range(n):\n"
        "            now[(r + 1) % n][(r - step) % n] += sent[r]\n"
        "        tables.append(copy.deepcopy(now))\n"
        "    for step in range(n - 1):\n"
        "        sent = [now[r][(r + 1 - step) % n] for r in range(n)]\n"
        "        for r in range(n):\n"
        "            now[(r + 1) % n][(r + 1 - step) % n] = sent[r]\n"
        "        tables.append(copy.deepcopy(now))\n"
        "    return tables\n"
    ),
    right(
        "import numpy as np\n\n\n" + RING_HEAD + "    n = len(values)\n"
        "    now, ranks = np.array(values), np.arange(n)\n"
        "    to, tables = (ranks + 1) % n, []\n"
        "    for step in range(n - 1):\n"
        "        c = (ranks - step) % n\n"
        "        now[to, c] += now[ranks, c].copy()\n"
        "        tables.append(now.tolist())\n"
        "    for step in range(n - 1):\n"
        "        c = (ranks + 1 - step) % n\n"
        "        now[to, c] = now[ranks, c].copy()\n"
        "        tables.append(now.tolist())\n"
        "    return tables\n"
    ),
    right(
        "import edutorch as torch\n\n\n" + RING_HEAD + "    n = len(values)\n"
        "    now, tables = torch.tensor(values), []\n"
        "    for step in range(2 * n - 2):\n"
        "        old = now.clone()\n"
        "        for r in range(n):\n"
        "            c = (r - step) % n if step < n - 1 else (r + n - step) % n\n"
        "            kept = old[(r + 1) % n, c] if step < n - 1 else 0\n"
        "            now[(r + 1) % n, c] = old[r, c] + kept\n"
        "        tables.append(now.tolist())\n"
        "    return tables\n"
    ),
    right(
        RING_HEAD + "    n, tables = len(values), [values]\n"
        "    for step in range(2 * (n - 1)):\n"
        "        old = tables[-1]\n"
        "        new = [list(row) for row in old]\n"
        "        for to in range(n):\n"
        "            r = (to - 1) % n\n"
        "            if step < n - 1:\n"
        "                new[to][(r - step) % n] += old[r][(r - step) % n]\n"
        "            else:\n"
        "                new[to][(r - step) % n] = old[r][(r - step) % n]\n"
        "        tables.append(new)\n"
        "    return tables[1:]\n"
    ),
)

STATISTICS_HEAD = "def batch_statistics(parts):\n"
MEAN_LINES = (
    "    rows = sum(len(p) for p in parts)\n"
    "    mean = sum(p.sum(dim=0) for p in parts) / rows\n"
)
STATISTICS = (
    edit(
        "sum(part.sum(dim=0) for part in parts) / rows",
        "sum(part.mean(dim=0) for part in parts) / len(parts)",
        told="the mean of means",
    ),
    edit(
        "sum(part.sum(dim=0) for part in parts) / rows",
        "parts[0].mean(dim=0)",
        told="mean of one part",
    ),
    edit("in parts) / rows\n    var", "in parts)\n    var", told="that is the sum"),
    edit(
        "in parts) / rows\n    var", "in parts) / len(parts)\n    var", told="of parts"
    ),
    edit(
        "sum(((part - mean) ** 2).sum(dim=0) for part in parts) / rows",
        "sum(p.var(dim=0, correction=0) for p in parts) / len(parts)",
        told="the mean of variances",
    ),
    edit(
        "sum(((part - mean) ** 2).sum(dim=0) for part in parts) / rows",
        "sum(p.var(dim=0, correction=0) * len(p) for p in parts) / rows",
        told="weighted variances",
    ),
    edit(
        "in parts) / rows\n    return",
        "in parts) / (rows - 1)\n    return",
        told="not by rows - 1",
    ),
    edit("in parts) / rows\n    return", "in parts)\n    return", told="not divided"),
    edit(
        "in parts) / rows\n    return",
        "in parts) / len(parts)\n    return",
        told="by the number of parts",
    ),
    edit("(part - mean) ** 2", "part ** 2", told="is not subtracted"),
    edit("((part - mean) ** 2)", "(part - mean)", told="without a square"),
    edit("return mean, var", "return mean, var.sqrt()", told="standard deviation"),
    edit("return mean, var", "mean, var", told="mean, var"),
    edit("return mean, var", "return mean", told="mean, var"),
    edit("return mean, var", "return var, mean"),
    edit(
        "    var = sum(((part - mean) ** 2)",
        "    for part in parts:\n        part -= mean\n    var = sum((part**2)",
        told="an argument was changed in place",
    ),
    edit(
        "return mean, var",
        "parts.clear()\n    return mean, var",
        told="an argument was changed in place",
    ),
    edit(
        "return mean, var",
        "return parts[0][0].copy_(mean), var",
        told="an argument was changed in place",
    ),
    wrong(
        STATISTICS_HEAD
        + MEAN_LINES
        + "    return mean, sum((p * p).sum(dim=0) for p in parts) / rows - mean\n",
        told="not its square",
    ),
    wrong(
        STATISTICS_HEAD
        + MEAN_LINES
        + "    return mean, sum((p.mean(dim=0) - mean) ** 2 for p in parts) / "
        "len(parts)\n",
        told="variance of the parts' means",
    ),
    wrong(
        STATISTICS_HEAD
        + MEAN_LINES
        + "    return mean, parts[0].var(dim=0, correction=0)\n",
        told="variance is that of one part",
    ),
    right(
        STATISTICS_HEAD + "    whole = torch.cat(parts)\n"
        "    return whole.mean(dim=0), whole.var(dim=0, correction=0)\n"
    ),
    right(
        STATISTICS_HEAD
        + MEAN_LINES
        + "    square = sum((p * p).sum(dim=0) for p in parts) / rows\n"
        "    return mean, square - mean**2\n"
    ),
    right(
        STATISTICS_HEAD
        + MEAN_LINES
        + "    inside = sum(p.var(dim=0, correction=0) * len(p) for p in parts)\n"
        "    apart = sum((p.mean(dim=0) - mean) ** 2 * len(p) for p in parts)\n"
        "    return [mean, (inside + apart) / rows]\n"
    ),
    right(
        STATISTICS_HEAD + "    whole = torch.cat(parts)\n"
        "    mean = whole.mean(dim=0)\n"
        "    return mean, ((whole - mean) ** 2).mean(dim=0)\n"
    ),
    right(
        STATISTICS_HEAD + "    n, s = 0, torch.zeros(parts[0].shape[1])\n"
        "    for p in parts:\n"
        "        n, s = n + p.shape[0], s + p.sum(dim=0)\n"
        "    q = torch.zeros(parts[0].shape[1])\n"
        "    for p in parts:\n"
        "        q = q + (p - s / n).pow(2).sum(dim=0)\n"
        "    return s / n, q / n\n"
    ),
)

TWO = "def two(x, w):\n    return x.detach().numpy(), w.detach().numpy()\n\n\n"
CLASS = TWO + "class Correlate(torch.autograd.Function):\n    @staticmethod\n"
FORWARD = (
    "    def forward(ctx, x, w):\n"
    "        ctx.save_for_backward(x, w)\n"
    "        y = signal.correlate(*two(x, w), mode='valid')\n"
    "        return torch.from_numpy(y)\n\n    @staticmethod\n"
)
CORRELATE = (
    edit("y = signal.correlate(", "y = signal.convolve(", told="flips w"),
    edit(
        'w.detach().numpy(), mode="valid")',
        'w.detach().numpy(), mode="full")',
        told="mode valid",
    ),
    edit(
        'w.detach().numpy(), mode="valid")',
        'w.detach().numpy(), mode="same")',
        told="mode valid",
    ),
    edit("dx = signal.convolve(", "dx = signal.correlate(", told="with w as it is"),
    edit(
        'dx = signal.convolve(g, w, mode="full")',
        'dx = signal.convolve(g, w, mode="same")',
        told="each of the shape of its input",
    ),
    edit(
        'dx = signal.convolve(g, w, mode="full")',
        'dx = signal.convolve(g, w, mode="valid")',
        told="each of the shape of its input",
    ),
    edit("dw = signal.correlate(", "dw = signal.convolve(", told="flips it"),
    edit(
        'signal.correlate(x, g, mode="valid")',
        'signal.correlate(x, g, mode="full")',
        told="valid",
    ),
    edit(
        'signal.correlate(x, g, mode="valid")',
        'signal.correlate(x, g, mode="same")',
        told="valid",
    ),
    edit(
        "        g = g.detach().numpy()\n",
        "        g = 1 + 0 * g.detach().numpy()\n",
        told="the incoming gradient g is missing",
    ),
    edit(
        "torch.from_numpy(dx), torch.from_numpy(dw)",
        "torch.from_numpy(dw), torch.from_numpy(dx)",
        told="invalid gradient at index 0",
    ),
    edit(
        "return torch.from_numpy(dx), torch.from_numpy(dw)",
        "return -torch.from_numpy(dx), torch.from_numpy(dw)",
        told="sign is wrong",
    ),
    edit(
        "return torch.from_numpy(dx), torch.from_numpy(dw)",
        "return torch.from_numpy(dx), -torch.from_numpy(dw)",
        told="sign is wrong",
    ),
    edit(
        "return torch.from_numpy(dx), torch.from_numpy(dw)",
        "return torch.from_numpy(dx), None",
        told="of w is missing",
    ),
    edit(
        "return torch.from_numpy(dx), torch.from_numpy(dw)",
        "return None, torch.from_numpy(dw)",
        told="of x is missing",
    ),
    edit(
        "return torch.from_numpy(dx), torch.from_numpy(dw)",
        "return torch.from_numpy(dx), torch.from_numpy(dw / len(g))",
        told="that is a mean",
    ),
    edit("    @staticmethod\n    def forward", "    def forward", told="no self"),
    edit("        return torch.from_numpy(y)\n", "        return y\n"),
    right(
        CLASS + FORWARD + "    def backward(ctx, g):\n"
        "        x, w = ctx.saved_tensors\n"
        "        dx = signal.fftconvolve(g.detach().numpy(), w.detach().numpy(), mode='full')\n"
        "        dw = signal.correlate(x.detach().numpy(), g.detach().numpy(), mode='valid')\n"
        "        return torch.from_numpy(dx), torch.from_numpy(dw)\n"
    ),
    right(
        CLASS + FORWARD + "    def backward(ctx, g):\n"
        "        x, w = ctx.saved_tensors\n"
        "        x, w = x.detach(), w.detach()\n"
        "        dx, dw = torch.zeros_like(x), torch.zeros_like(w)\n"
        "        for i in range(len(g)):\n"
        "            for k in range(len(w)):\n"
        "                dx[i + k] += g[i] * w[k]\n"
        "                dw[k] += g[i] * x[i + k]\n"
        "        return dx, dw\n"
    ),
    right(
        "import numpy as np\n\n\n" + CLASS + FORWARD + "    def backward(ctx, g):\n"
        "        x, w = (t.detach().numpy() for t in ctx.saved_tensors)\n"
        "        dx = np.convolve(g.detach().numpy(), w)\n"
        "        dw = np.correlate(x, g.detach().numpy(), 'valid')\n"
        "        return torch.tensor(dx), torch.tensor(dw)\n"
    ),
    right(
        CLASS + FORWARD + "    def backward(ctx, g):\n"
        "        x, w = (t.detach().numpy() for t in ctx.saved_tensors)\n"
        "        g = g.detach().numpy()\n"
        "        dx = signal.correlate(g, w[::-1], mode='full')\n"
        "        dw = signal.convolve(x, g[::-1], mode='valid')\n"
        "        return torch.from_numpy(dx), torch.from_numpy(dw)\n"
    ),
    right(
        CLASS + "    def forward(ctx, x, w):\n"
        "        ctx.save_for_backward(x, w)\n"
        "        return x.unfold(0, len(w), 1) @ w\n\n"
        "    @staticmethod\n"
        "    def backward(ctx, g):\n"
        "        x, w = ctx.saved_tensors\n"
        "        dx = torch.zeros_like(x)\n"
        "        for k in range(len(w)):\n"
        "            dx[k : k + len(g)] += g * w[k]\n"
        "        return dx, x.unfold(0, len(g), 1) @ g\n"
    ),
)

BUCKETS_HEAD = "def buckets(nbytes, limit):\n"
BUCKETS = (
    edit("[0] * len(nbytes)", "torch.zeros(len(nbytes))", told="dtype=torch.int64"),
    edit("0, 0\n", "0.0, 0\n", told="begins as 0.0"),
    edit(
        "numbers[i] = bucket",
        "numbers[i] = bucket\n        nbytes[i] = 0",
        told="an argument was changed in place",
    ),
    edit("reversed(range(len(nbytes)))", "range(len(nbytes))", told="last parameter"),
    edit("> limit", ">= limit", told="exactly full"),
    edit("held + nbytes[i] > limit", "held >= limit", told="test before you add"),
    edit("held > 0 and ", "", told="an empty bucket is sent"),
    edit("[0] * len(nbytes), 0, 0", "[0] * len(nbytes), 1, 0", told="from 0"),
    edit("        held += nbytes[i]\n", "", told="everything is in one bucket"),
    edit("bucket, held = bucket + 1, 0", "bucket, held = bucket, 0", told="in one"),
    edit("return numbers", "return numbers[::-1]", told="belongs to parameter i"),
    edit("return numbers", "numbers", told="is a return missing"),
    edit("return numbers", "return [bucket - n for n in numbers]", told="as they are"),
    edit("        numbers[i] = bucket\n", "", told="in one bucket"),
    edit(
        "            bucket, held = bucket + 1, 0\n        numbers[i] = bucket\n"
        "        held += nbytes[i]\n",
        "            bucket, held = bucket + 1, 0\n        else:\n"
        "            held += nbytes[i]\n        numbers[i] = bucket\n",
        told="is not counted in it",
    ),
    wrong(
        BUCKETS_HEAD + "    return list(range(len(nbytes)))[::-1]\n",
        told="its own bucket",
    ),
    wrong(BUCKETS_HEAD + "    return [0] * len(nbytes)\n", told="everything is in one"),
    wrong(
        BUCKETS_HEAD
        + "    return [sum(nbytes[i + 1 :]) // limit for i in range(len(nbytes))]\n",
        told="cut a gradient into pieces",
    ),
    wrong(
        "import numpy as np\n\n\n"
        + BUCKETS_HEAD
        + "    ends = np.cumsum(nbytes[::-1])\n"
        "    return ((ends - 1) // limit)[::-1].tolist()\n",
        told="cut a gradient into pieces",
    ),
    wrong(
        BUCKETS_HEAD + "    numbers, bucket, held = [0] * len(nbytes), 0, 0\n"
        "    for i in reversed(range(len(nbytes))):\n"
        "        held += nbytes[i]\n"
        "        if held > limit:\n"
        "            bucket, held = bucket + 1, 0\n"
        "        numbers[i] = bucket\n"
        "    return numbers\n",
        told="is not counted in it",
    ),
    wrong(
        BUCKETS_HEAD + "    return [sum(nbytes[i:]) for i in range(len(nbytes))]\n",
        told="not which bucket",
    ),
    wrong(
        BUCKETS_HEAD + "    numbers, bucket, held = [], 0, 0\n"
        "    for size in nbytes[::-1]:\n"
        "        if held and held + size > limit:\n"
        "            bucket, held = bucket + 1, 0\n"
        "        held += size\n"
        "        numbers.append(bucket)\n"
        "    return numbers\n",
        told="belongs to parameter i",
    ),
    right(
        BUCKETS_HEAD + "    numbers, bucket, held = [], 0, 0\n"
        "    for size in nbytes[::-1]:\n"
        "        if held and held + size > limit:\n"
        "            bucket, held = bucket + 1, 0\n"
        "        held += size\n"
        "        numbers.append(bucket)\n"
        "    return numbers[::-1]\n"
    ),
    right(
        BUCKETS_HEAD + "    groups = [[]]\n"
        "    for i in range(len(nbytes) - 1, -1, -1):\n"
        "        used = sum(nbytes[j] for j in groups[-1])\n"
        "        if groups[-1] and used + nbytes[i] > limit:\n"
        "            groups.append([])\n"
        "        groups[-1].append(i)\n"
        "    where = {i: b for b, group in enumerate(groups) for i in group}\n"
        "    return [where[i] for i in range(len(nbytes))]\n"
    ),
    right(
        BUCKETS_HEAD + "    out, b, room = [None] * len(nbytes), -1, -1\n"
        "    for i in reversed(range(len(nbytes))):\n"
        "        if nbytes[i] > room:\n"
        "            b, room = b + 1, limit\n"
        "        out[i] = b\n"
        "        room -= nbytes[i]\n"
        "    return out\n"
    ),
    right(
        BUCKETS_HEAD + "    out, b, held = [], 0, 0\n"
        "    for n in reversed(nbytes):\n"
        "        if held != 0 and not held + n <= limit:\n"
        "            b += 1\n"
        "            held = 0\n"
        "        out.insert(0, b)\n"
        "        held = held + n\n"
        "    return out\n"
    ),
    right(
        BUCKETS_HEAD + "    def place(i, held, b):\n"
        "        if i < 0:\n"
        "            return []\n"
        "        if held and held + nbytes[i] > limit:\n"
        "            held, b = 0, b + 1\n"
        "        return [*place(i - 1, held + nbytes[i], b), b]\n\n"
        "    return place(len(nbytes) - 1, 0, 0)\n"
    ),
)

RANK_HEAD = "def rank_rows(n, count, rank, epoch, drop_last):\n"
ORDER = (
    "    order = list(range(n))\n"
    "    if epoch is not None:\n"
    "        g = torch.Generator().manual_seed(epoch)\n"
    "        order = torch.randperm(n, generator=g).tolist()\n"
)
STRIDE = "[order[i % n] for i in range(rank, total, count)]"
RANKS = (
    edit(
        "generator = torch.Generator().manual_seed(epoch)\n"
        "        order = torch.randperm(n, generator=generator)",
        "torch.manual_seed(epoch)\n        order = torch.randperm(n)",
        told="seeds what everything else draws from",
    ),
    edit(
        "generator = torch.Generator().manual_seed(epoch)",
        "generator = torch.manual_seed(epoch)",
        told="the global generator was changed",
    ),
    edit("randperm(n, generator=generator)", "randperm(n)", told="without generator="),
    edit(STRIDE, f"torch.tensor({STRIDE}).float()", told="not integers"),
    edit(STRIDE, "order[rank::count]", told="fill up to a multiple"),
    edit(STRIDE, "(order + order)[rank:total:count]", told="more than once"),
    edit(
        STRIDE,
        "(order[:total] if drop_last else order + order[: count - n % count])"
        "[rank::count]",
        told="needs no filling up",
    ),
    edit(
        STRIDE,
        "[order[i % n] for i in range(rank * total // count, (rank + 1) * total // "
        "count)]",
        told="not a block of rows",
    ),
    edit(STRIDE, "[i % n for i in range(rank, total, count)]", told="not shuffled"),
    edit(STRIDE, "[order[i % n] for i in range(total)]", told="has all rows"),
    edit(STRIDE, "[order[i % n] for i in range(0, total, count)]", told="of rank 0"),
    edit(
        STRIDE,
        "[order[i % n] for i in range((rank - 1) % count, total, count)]",
        told="ranks count from 0",
    ),
    edit(
        STRIDE,
        "[[order[i % n] for i in range(r, total, count)] for r in range(count)]",
        told="only this rank's",
    ),
    edit(
        STRIDE,
        "[order[min(i, n - 1)] for i in range(rank, total, count)]",
    ),
    edit(
        STRIDE,
        "[order[i if i < n else 0] for i in range(rank, total, count)]",
        told="not with row 0 alone",
    ),
    edit(
        STRIDE,
        "[order[i] if i < n else (i - n) % n for i in range(rank, total, count)]",
        told="the order's first rows, not with rows 0",
    ),
    edit(" if drop_last else -(-n // count) * count", "", told="no row is dropped"),
    edit("n // count * count if drop_last else ", "", told="drop_last is not looked"),
    edit("n // count * count if", "n if", told="equally many"),
    edit("n // count * count if", "(n // count - 1) * count if", told="left over"),
    edit("-(-n // count) * count", "(n // count + 1) * count", told="needs no filling"),
    edit("if epoch is not None:", "if epoch:", told="epoch 0"),
    edit("if epoch is not None:", "if True:", told="RuntimeError"),
    edit("manual_seed(epoch)", "manual_seed(0)", told="order of its own"),
    edit("manual_seed(epoch)", "manual_seed(epoch + rank)", told="depend on the rank"),
    edit(", generator=generator)", ")"),
    edit("return [", "[", told="is a return missing"),
    wrong(
        RANK_HEAD + "    from edutorch.utils.data import DistributedSampler\n"
        "    sampler = DistributedSampler(\n"
        "        range(n), count, rank, epoch is not None, 0, drop_last\n"
        "    )\n"
        "    sampler.set_epoch(epoch or 0)\n"
        "    return list(sampler)\n",
        told="DistributedSampler",
    ),
    wrong(
        RANK_HEAD + "    total = n // count * count if drop_last else "
        "-(-n // count) * count\n"
        "    own = [i % n for i in range(rank, total, count)]\n"
        "    if epoch is not None:\n"
        "        g = torch.Generator().manual_seed(epoch)\n"
        "        own = [own[i] for i in torch.randperm(len(own), generator=g)]\n"
        "    return own\n",
        told="before the ranks take theirs",
    ),
    wrong(
        RANK_HEAD + "    total = n // count * count if drop_last else "
        "-(-n // count) * count\n"
        "    order = [i % n for i in range(total)]\n"
        "    if epoch is not None:\n"
        "        g = torch.Generator().manual_seed(epoch)\n"
        "        order = [order[i] for i in torch.randperm(total, generator=g)]\n"
        "    return order[rank::count]\n",
        told="shuffle first",
    ),
    wrong(
        RANK_HEAD + ORDER + "    over = -n % count\n"
        "    order = order[: n - n % count] if drop_last else order + order[n - over :]\n"
        "    return order[rank::count]\n",
        told="with the FIRST rows",
    ),
    right(
        RANK_HEAD + ORDER + "    if drop_last:\n"
        "        order = order[: n - n % count]\n"
        "    while len(order) % count:\n"
        "        order.append(order[len(order) - n])\n"
        "    return order[rank::count]\n"
    ),
    right(
        RANK_HEAD + ORDER + "    if drop_last:\n"
        "        return order[: n // count * count][rank::count]\n"
        "    missing = -n % count\n"
        "    return (order + (order * count)[:missing])[rank::count]\n"
    ),
    right(
        RANK_HEAD + "    order = list(range(n))\n"
        "    if epoch is not None:\n"
        "        with torch.random.fork_rng():\n"
        "            torch.manual_seed(epoch)\n"
        "            order = torch.randperm(n).tolist()\n"
        "    total = n // count * count if drop_last else -(-n // count) * count\n"
        "    return " + STRIDE + "\n"
    ),
    right(
        RANK_HEAD + "    order = torch.arange(n)\n"
        "    if epoch is not None:\n"
        "        g = torch.Generator()\n"
        "        g.manual_seed(epoch)\n"
        "        order = torch.randperm(n, generator=g)\n"
        "    each = n // count if drop_last else -(-n // count)\n"
        "    return order[(torch.arange(each) * count + rank) % n].tolist()\n"
    ),
    right(
        "import math\nfrom itertools import cycle, islice\n\n\n"
        + RANK_HEAD
        + ORDER
        + "    each = math.floor(n / count) if drop_last else math.ceil(n / count)\n"
        "    whole = list(islice(cycle(order), each * count))\n"
        "    return [row for i, row in enumerate(whole) if i % count == rank]\n"
    ),
    right(
        "import numpy as np\n\n\n"
        + RANK_HEAD
        + ORDER
        + "    each = n // count + (0 if drop_last else n % count > 0)\n"
        "    return np.resize(order, (each, count))[:, rank].tolist()\n"
    ),
)

BUTTERFLY_HEAD = "def butterfly_all_reduce(values):\n"
COPY = "        old = [list(row) for row in now]\n"
WINGS = (
    "    n, tables = len(values), []\n"
    "    now = [list(row) for row in values]\n"
    "    for step in range(n.bit_length() - 1):\n"
)
ADD = (
    "            now[r] = [a + b for a, b in zip(old[r], old[p])]\n"
    "        tables.append([list(row) for row in now])\n"
    "    return tables\n"
)
EACH = "        for r in range(n):\n"
BUTTERFLY = (
    edit("rank ^ distance", "(rank + distance) % len(values)", told="two ranks"),
    edit("rank ^ distance", "rank - distance", told="two ranks"),
    edit("rank ^ distance", "rank ^ 1", told="1, 2, 4, ..."),
    edit("rank ^ distance", "rank ^ 2 ^ len(tables)", told="2 ** s"),
    edit("rank ^ distance", "rank ^ len(tables)", told="1, 2, 4, ..."),
    edit("rank ^ distance", "rank ^ 2 * len(tables)", told="1, 2, 4, ..."),
    edit("rank ^ distance", "len(values) - 1 - rank", told="the rank opposite"),
    edit("rank ^ distance", "rank + distance", told="IndexError"),
    edit("a + b", "b", told="it does not replace"),
    edit("a + b", "(a + b) / 2", told="that is the mean"),
    edit("        distance *= 2", "        distance += 1", told="1, 2, 4"),
    edit("tables.append(table)", "tables = table", told="only the last"),
    edit("        tables.append(table)\n", "", told=""),
    edit("return tables", "return table", told="only the last table"),
    edit("return tables", "return [values, *tables]", told="is not asked for"),
    edit("return tables", "return [values, *tables][:-1]", told="not before it"),
    edit("return tables", "return tables[:-1]", told="missing at the end"),
    edit("return tables", "return [table for _ in tables]", told="the final table"),
    edit("    return tables", "    tables", told="is a return missing"),
    edit("< len(values):", "< len(values) // 2:", told="missing at the end"),
    wrong(
        BUTTERFLY_HEAD
        + WINGS
        + EACH
        + "            p = r ^ (1 << step)\n"
        + ADD.replace("old", "now"),
        told="BEFORE the step",
    ),
    wrong(
        BUTTERFLY_HEAD
        + WINGS
        + COPY
        + EACH
        + "            p = r ^ (n >> step + 1)\n"
        + ADD,
        told="not 4, 2, 1",
    ),
    wrong(
        BUTTERFLY_HEAD + WINGS + COPY + EACH + "            p = r ^ (1 << step)\n"
        "            if p < r:\n                continue\n" + ADD,
        told="not only the one with the smaller number",
    ),
    wrong(
        BUTTERFLY_HEAD
        + WINGS
        + COPY
        + EACH
        + "            p = r ^ (1 << step)\n"
        + ADD.replace("[list(row) for row in now]", "now"),
        told="the final table",
    ),
    wrong(
        BUTTERFLY_HEAD
        + WINGS.replace("n.bit_length() - 1", "n - 1")
        + COPY
        + EACH
        + "            p = (r ^ (1 << step)) % n\n"
        + ADD,
        told="log2(n) steps",
    ),
    wrong(
        BUTTERFLY_HEAD
        + WINGS.replace("[list(row) for row in values]", "values")
        + COPY
        + EACH
        + "            p = r ^ (1 << step)\n"
        + ADD,
        told="changed in place",
    ),
    wrong(
        BUTTERFLY_HEAD + "    n, sums = len(values), [sum(c) for c in zip(*values)]\n"
        "    return [[list(sums) for _ in range(n)] for _ in range(n.bit_length() - 1)]"
        "\n",
        told="the final table",
    ),
    right(
        BUTTERFLY_HEAD + WINGS + COPY + EACH + "            p = r ^ (1 << step)\n" + ADD
    ),
    right(
        "import numpy as np\n\n\n"
        + BUTTERFLY_HEAD
        + "    now, tables = np.array(values), []\n"
        "    for step in range(int(np.log2(len(now)))):\n"
        "        now = now + now[np.arange(len(now)) ^ 2**step]\n"
        "        tables.append(now.tolist())\n"
        "    return tables\n"
    ),
    right(
        BUTTERFLY_HEAD + "    now, tables, d = torch.tensor(values), [], 1\n"
        "    while d < len(now):\n"
        "        pairs = now.reshape(-1, 2, d, now.shape[1])\n"
        "        both = pairs.sum(dim=1, keepdim=True)\n"
        "        now = both.expand_as(pairs).reshape(now.shape)\n"
        "        tables.append(now)\n"
        "        d *= 2\n"
        "    return tables\n"
    ),
    right(
        "import copy\n\n\n"
        + BUTTERFLY_HEAD
        + "    now, tables, d = copy.deepcopy(values), [], 1\n"
        "    while d < len(values):\n"
        "        for r in range(len(values)):\n"
        "            if r % (2 * d) < d:\n"
        "                both = [a + b for a, b in zip(now[r], now[r + d])]\n"
        "                now[r], now[r + d] = both, list(both)\n"
        "        tables.append(copy.deepcopy(now))\n"
        "        d = d * 2\n"
        "    return tables\n"
    ),
    right(
        BUTTERFLY_HEAD + "    tables = []\n"
        "    size = 2\n"
        "    while size <= len(values):\n"
        "        table = []\n"
        "        for r in range(len(values)):\n"
        "            first = r // size * size\n"
        "            group = values[first : first + size]\n"
        "            table.append([sum(column) for column in zip(*group)])\n"
        "        tables.append(table)\n"
        "        size *= 2\n"
        "    return tables\n"
    ),
)

ANSWERS = {
    "18.1": SCATTER,
    "18.2": REDUCE,
    "18.3": RING,
    "18.4": STATISTICS,
    "18.5": CORRELATE,
    "18.6": BUCKETS,
    "18.7": RANKS,
    "18.8": BUTTERFLY,
}
