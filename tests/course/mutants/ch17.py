"""Chapter 17: answers as learners write them."""

from __future__ import annotations

from tests.course.mutants.answers import edit, right, wrong

__all__ = ["ANSWERS"]

PEAK_HEAD = "def step_peak(weights, outputs):\n"
PEAK = (
    edit(" + outputs[-1]\n", "\n", told="begins with the gradient of the last output"),
    edit("sum(weights) + sum(outputs)", "sum(outputs)", told="not counted"),
    edit("        held += weights[i]\n", "", told="gradients of the weights are not"),
    edit(
        "        if i > 0:\n            held += outputs[i - 1]\n",
        "        held += outputs[i - 1]\n",
        told="outputs[-1] is the LAST",
    ),
    edit(
        "        if i > 0:\n            held += outputs[i - 1]\n",
        "        held += outputs[i]\n",
        told="of the layer BEFORE",
    ),
    edit("        held -= 2 * outputs[i]\n", "", told="nothing is freed"),
    edit("held -= 2 * outputs[i]", "held -= outputs[i]", told="outputs stay here"),
    edit("- 1]\n        peak = max(peak, held)\n        held -= 2 * outputs[i]\n",
         "- 1]\n        held -= 2 * outputs[i]\n        peak = max(peak, held)\n",
         told="before you free"),
    edit("reversed(range(len(weights)))", "range(len(weights))", told="last layer"),
    edit("    return peak", "    return held", told="when the step has ended"),
    edit("    return peak", "    peak", told="is a return missing"),
    edit(
        "held -= 2 * outputs[i]",
        "held -= 2 * outputs[i] + weights[i]",
        told="until the optimizer has used",
    ),
    wrong(
        PEAK_HEAD + "    return sum(weights) + sum(outputs)\n",
        told="when forward ends",
    ),
    wrong(
        PEAK_HEAD + "    return 2 * sum(weights) + 2 * sum(outputs)\n",
        told="nothing is freed",
    ),
    wrong(PEAK_HEAD + "    return 2 * sum(weights)\n", told="when the step has ended"),
    wrong(
        PEAK_HEAD + "    return max(sum(weights[i:]) + sum(weights) + "
        "sum(outputs[: i + 1]) for i in range(len(weights)))\n",
        told="gradients of the outputs are not counted",
    ),
    wrong(
        PEAK_HEAD + "    held = sum(weights) + sum(outputs) + outputs[-1]\n"
        "    peak = held\n"
        "    for w, o in zip(weights, outputs):\n"
        "        held += w\n"
        "        peak = max(peak, held)\n"
        "        held -= 2 * o\n"
        "    return peak\n",
    ),
    wrong(
        PEAK_HEAD + "    weights.reverse()\n    return 2 * sum(weights)\n",
        told="argument was changed",
    ),
    right(
        PEAK_HEAD + "    n = len(weights)\n"
        "    moments = [sum(weights) + sum(outputs) + outputs[-1]]\n"
        "    for i in range(n):\n"
        "        before = outputs[i - 1] if i else 0\n"
        "        moments.append(sum(weights) + sum(outputs[: i + 1]) + "
        "sum(weights[i:]) + outputs[i] + before)\n"
        "    return max(moments)\n"
    ),
    right(
        PEAK_HEAD + "    base = sum(weights)\n"
        "    best, grads = base + sum(outputs) + outputs[-1], 0\n"
        "    for i in range(len(weights) - 1, -1, -1):\n"
        "        grads += weights[i]\n"
        "        alive = sum(outputs[: i + 1]) + outputs[i]\n"
        "        alive += outputs[i - 1] if i > 0 else 0\n"
        "        best = max(best, base + grads + alive)\n"
        "    return best\n"
    ),
    right(
        PEAK_HEAD + "    weights, outputs = list(weights), list(outputs)\n"
        "    held = peak = sum(weights + outputs + outputs[-1:])\n"
        "    while weights:\n"
        "        held += weights.pop()\n"
        "        out = outputs.pop()\n"
        "        if outputs:\n"
        "            held += outputs[-1]\n"
        "        if held > peak:\n"
        "            peak = held\n"
        "        held -= out + out\n"
        "    return peak\n"
    ),
    right(
        "import numpy as np\n\n\n" + PEAK_HEAD + "    w, o = np.array(weights), "
        "np.array(outputs)\n"
        "    before = np.concatenate([[0], o[:-1]])\n"
        "    grads = w[::-1].cumsum()[::-1]\n"
        "    return int((w.sum() + o.cumsum() + grads + o + before).max())\n"
    ),
    right(
        PEAK_HEAD + "    def down(i, held):\n"
        "        if i < 0:\n"
        "            return 0\n"
        "        held += weights[i] + (outputs[i - 1] if i else 0)\n"
        "        return max(held, down(i - 1, held - 2 * outputs[i]))\n\n"
        "    start = sum(weights) + sum(outputs) + outputs[-1]\n"
        "    return max(start, down(len(weights) - 1, start))\n"
    ),
)  # fmt: skip

FIT_HEAD = "def best_fit(free, nbytes):\n"
SIZE = "(nbytes + 511) // 512 * 512"
BEST = (
    edit(SIZE, "nbytes", told="not rounded"),
    edit(SIZE, "nbytes // 512 * 512", told="round UP"),
    edit(SIZE, "(nbytes // 512 + 1) * 512", told="rounded already"),
    edit(SIZE, "(nbytes + 512) // 512 * 512", told="rounded already"),
    edit(SIZE, "round(nbytes / 512) * 512", told="not to the nearest"),
    edit(SIZE, "(nbytes + 1023) // 1024 * 1024", told="not to 1024"),
    edit(SIZE, "2 ** (nbytes - 1).bit_length()", told="power of two"),
    edit("block >= size", "block > size", told="exactly this size"),
    edit("block < free[best]", "block > free[best]", told="the largest block"),
    edit(
        "block < free[best]",
        "block <= free[best]",
        told="among equal blocks take the first",
    ),
    edit(" and (best < 0 or block < free[best])", " and best < 0", told="first block"),
    edit(" and (best < 0 or block < free[best])", "", told="last block"),
    edit("return best, size", "return best, free[best]", told="not the whole block"),
    edit("return best, size", "return size, best", told="first the index"),
    edit("return best, size", "return best", told="return a pair"),
    edit("    return best, size", "    best, size", told="is a return missing"),
    edit("best = -1", "best = 0", told="block 0 may be too small"),
    wrong(
        FIT_HEAD + f"    size = {SIZE}\n"
        "    fits = [block for block in free if block >= size]\n"
        "    return free.index(min(fits)), size\n",
        told="ValueError",
    ),
    wrong(
        FIT_HEAD + f"    size = {SIZE}\n"
        "    fits = sorted(b for b in free if b >= size)\n"
        "    return (sorted(free).index(fits[0]) if fits else -1), size\n",
        told="place in a sorted list",
    ),
    wrong(
        FIT_HEAD + f"    size = {SIZE}\n"
        "    fits = [i for i, b in enumerate(free) if b >= size]\n"
        "    at = min(fits, key=lambda i: free[i], default=-1)\n"
        "    return at, (free[at] if at >= 0 else size)\n",
        told="not the whole block",
    ),
    wrong(
        FIT_HEAD + f"    size = {SIZE}\n"
        "    fits = [i for i, b in enumerate(free) if b >= size]\n"
        "    at = min(fits, key=lambda i: free[i], default=-1)\n"
        "    return at, (free[at] - size if at >= 0 else size)\n",
        told="what remains",
    ),
    right(
        "import math\n\n\n" + FIT_HEAD + "    size = math.ceil(nbytes / 512) * 512\n"
        "    fits = [(b, i) for i, b in enumerate(free) if b >= size]\n"
        "    return (min(fits)[1] if fits else -1), size\n"
    ),
    right(
        FIT_HEAD + "    size = -(-nbytes // 512) * 512\n"
        "    fits = [b for b in free if b >= size]\n"
        "    return [free.index(min(fits)) if fits else -1, size]\n"
    ),
    right(
        FIT_HEAD + "    size = nbytes\n"
        "    while size % 512:\n"
        "        size += 1\n"
        "    order = sorted(range(len(free)), key=lambda i: free[i])\n"
        "    for i in order:\n"
        "        if free[i] >= size:\n"
        "            return i, size\n"
        "    return -1, size\n"
    ),
    right(
        FIT_HEAD + "    blocks, rest = divmod(nbytes, 512)\n"
        "    size = 512 * (blocks + (rest > 0))\n"
        "    fits = [i for i in range(len(free)) if free[i] >= size]\n"
        "    return min(fits, key=free.__getitem__, default=-1), size\n"
    ),
    right(
        FIT_HEAD + "    size = (nbytes + 511) & ~511\n"
        "    best, rest = -1, float('inf')\n"
        "    for i in range(len(free)):\n"
        "        if 0 <= free[i] - size < rest:\n"
        "            best, rest = i, free[i] - size\n"
        "    return best, size\n"
    ),
)

LEAK_HEAD = "def mean_and_worst(losses):\n"
LEAK = (
    wrong(
        LEAK_HEAD + "    losses = list(losses)\n"
        "    values = [loss.item() for loss in losses]\n"
        "    return sum(values) / len(values), values.index(max(values))\n",
        told="list(losses)",
    ),
    wrong(
        LEAK_HEAD + "    kept = []\n"
        "    for loss in losses:\n"
        "        kept.append(loss)\n"
        "    values = torch.stack(kept).tolist()\n"
        "    return sum(values) / len(values), values.index(max(values))\n",
        told="a list of losses",
    ),
    wrong(
        LEAK_HEAD + "    values = [loss for loss in losses]\n"
        "    mean = sum(values) / len(values)\n"
        "    return mean.item(), max(range(len(values)), key=lambda i: values[i])\n",
        told="a list of losses",
    ),
    edit("total += value", "total += loss", told="a tensor with a history"),
    edit("total += value", "total = total + loss", told="ONE graph of all losses"),
    wrong(
        LEAK_HEAD + "    total, values = 0.0, []\n"
        "    for loss in losses:\n"
        "        total += loss\n"
        "        values.append(loss.item())\n"
        "    return total.item() / len(values), values.index(max(values))\n",
        told="so does their sum",
    ),
    edit("value = loss.item()", "value = loss", told="a tensor with a history"),
    edit(
        "worst, largest = i, value",
        "worst, largest = i, loss",
        told="the largest so far",
    ),
    edit("return total / count", "return total", told="divide by the number"),
    edit("return total / count", "return total / i", told="one too few"),
    edit("return total / count", "return value", told="the last loss"),
    edit("return total / count, worst", "return worst, total / count", told="first the mean"),
    edit("total / count, worst", "total / count, largest", told="not its value"),
    edit("value > largest", "value >= largest", told="among equal losses take the first"),
    edit(
        'float("-inf"), 0\n', 'float("inf"), 0\n', told="below every loss"
    ),
    edit("worst, largest = i, value", "worst, largest = i + 1, value", told="from 0"),
    edit('float("-inf")', "0.0", told="a loss may be below 0"),
    edit('0.0, 0, float("-inf")', "0.0, -1, 0.0", told="a loss may be below 0"),
    edit("value > largest", "abs(value) > abs(largest) or i == 0",
         told="not the farthest from 0"),
    wrong(
        LEAK_HEAD + "    values = [0.0]\n"
        "    for loss in losses:\n"
        "        values.append(loss.item())\n"
        "    worst = values.index(max(values)) - 1\n"
        "    return sum(values) / (len(values) - 1), worst\n",
        told="a loss may be below 0",
    ),
    edit("value > largest", "value < largest", told="below every loss"),
    edit('float("-inf")', "1.0", told="starts below every loss"),
    edit("return total / count, worst", "total / count, worst", told="return missing"),
    edit(
        "        total += value\n        count += 1\n",
        "        total += value\n        count = i\n",
        told="one too few",
    ),
    wrong(
        "KEPT = []\n\n\n" + LEAK_HEAD + "    total, worst, largest, i = 0.0, 0, -1.0, 0\n"
        "    for i, loss in enumerate(losses):\n"
        "        KEPT.append(loss)\n"
        "        total += loss.item()\n"
        "        if loss.item() > largest:\n"
        "            worst, largest = i, loss.item()\n"
        "    return total / (i + 1), worst\n",
        told="still alive",
    ),
    wrong(
        "LAST = [None]\n\n\n" + LEAK_HEAD + "    values = []\n"
        "    for loss in losses:\n"
        "        LAST[0] = loss\n"
        "        values.append(loss.item())\n"
        "    return sum(values) / len(values), values.index(max(values))\n",
        told="outside the function",
    ),
    right(
        LEAK_HEAD + "    values = [loss.item() for loss in losses]\n"
        "    return sum(values) / len(values), values.index(max(values))\n"
    ),
    right(
        LEAK_HEAD + "    values = torch.stack([loss.detach() for loss in losses])\n"
        "    return values.mean().item(), int(values.argmax())\n"
    ),
    right(
        LEAK_HEAD + "    values = list(map(float, losses))\n"
        "    worst = max(range(len(values)), key=values.__getitem__)\n"
        "    return [sum(values) / len(values), worst]\n"
    ),
    right(
        LEAK_HEAD + "    total, most, where = 0.0, None, 0\n"
        "    for i, loss in enumerate(losses):\n"
        "        loss = loss.detach()\n"
        "        total = total + loss\n"
        "        if most is None or loss > most:\n"
        "            most, where = loss, i\n"
        "    return total / (i + 1), where\n"
    ),
    right(
        LEAK_HEAD + "    mean, worst, largest = 0.0, -1, 0.0\n"
        "    for i, loss in enumerate(losses):\n"
        "        value = float(loss.detach())\n"
        "        mean += (value - mean) / (i + 1)\n"
        "        if worst < 0 or value > largest:\n"
        "            worst, largest = i, value\n"
        "    return mean, worst\n"
    ),
    right(
        LEAK_HEAD + "    total, largest, worst, count = 0.0, None, None, 0\n"
        "    for count, loss in enumerate(losses, 1):\n"
        "        value = loss.item()\n"
        "        total += value\n"
        "        if largest is None or value > largest:\n"
        "            largest, worst = value, count - 1\n"
        "    return total / count, worst\n"
    ),
)  # fmt: skip

CLASS = "class Recompute(torch.autograd.Function):\n    @staticmethod\n"
CALL = "def recompute(block, x):\n    return Recompute.apply(block, x)\n\n\n"
AGAIN = (
    wrong("def recompute(block, x):\n    return block(x)\n", told="are kept"),
    wrong(
        "def recompute(block, x):\n    with torch.no_grad():\n        return block(x)\n",
        told="no history",
    ),
    wrong(
        "def recompute(block, x):\n    return block(x.detach())\n", told="are kept"
    ),
    wrong(
        "from edutorch.utils.checkpoint import checkpoint\n\n\n"
        "def recompute(block, x):\n"
        "    return checkpoint(block, x, use_reentrant=False)\n",
        told="calls checkpoint",
    ),
    edit("        with torch.enable_grad():\n            y = ctx.block(x)\n",
         "        y = ctx.block(x)\n", told="enable_grad()"),
    edit("x.detach().requires_grad_()", "x.detach()", told="arrived at x"),
    edit("y.backward(g)", "y.sum().backward()", told="enable_grad() around"),
    edit(
        "            y = ctx.block(x)\n        y.backward(g)\n",
        "            ctx.block(x).sum().backward()\n",
        told="incoming gradient is not used",
    ),
    edit(
        "        x = x.detach().requires_grad_()\n        with torch.enable_grad():\n",
        "        with torch.enable_grad():\n",
        told="arrives twice: detach x",
    ),
    edit("y.backward(g)", "y.backward()", told="single number"),
    edit("return None, x.grad", "return x.grad", told="one gradient for each"),
    edit("return None, x.grad", "return x.grad, None", told="in their order"),
    edit("return None, x.grad", "return None, g", told="not of x"),
    edit("return None, x.grad", "return None, None", told="arrived at x"),
    edit("        return None, x.grad\n", "", told="one gradient for each"),
    edit(
        "        y.backward(g)\n        return None, x.grad\n",
        "        (gx,) = torch.autograd.grad(y, x, g)\n        return None, gx\n",
        told="returns only the gradients it is asked for",
    ),
    edit(
        "        with torch.no_grad():\n            return block(x)\n",
        "        with torch.enable_grad():\n            ctx.y = block(x)\n"
        "        return ctx.y.detach()\n",
        told="are kept",
    ),
    edit(
        "        y.backward(g)\n",
        "        y.backward(g, retain_graph=True)\n        y.backward(g)\n",
        told="twice",
    ),
    edit(
        "            y = ctx.block(x)\n",
        "            ctx.block(x)\n            y = ctx.block(x)\n",
        told="once is enough",
    ),
    edit(
        "            return block(x)\n",
        "            block(x)\n            return block(x)\n",
        told="once is enough",
    ),
    edit("return Recompute.apply(block, x)", "return Recompute.apply(x, block)", told="in their order"),
    edit("return Recompute.apply(block, x)", "Recompute.apply(block, x)", told="return missing"),
    edit("        with torch.no_grad():\n            return block(x)\n",
         "        with torch.no_grad():\n            block(x)\n", told="return missing"),
    right(
        CALL + CLASS + "    def forward(ctx, block, x):\n"
        "        ctx.block = block\n"
        "        ctx.save_for_backward(x)\n"
        "        return block(x)\n\n"
        "    @staticmethod\n"
        "    def backward(ctx, g):\n"
        "        (x,) = ctx.saved_tensors\n"
        "        x = x.detach().clone().requires_grad_(True)\n"
        "        with torch.enable_grad():\n"
        "            ctx.block(x).backward(g)\n"
        "        return None, x.grad\n"
    ),
    right(
        "def recompute(block, x):\n    return Again.apply(x, block)\n\n\n"
        "class Again(torch.autograd.Function):\n    @staticmethod\n"
        "    def forward(ctx, x, block):\n"
        "        ctx.kept = block, x.detach()\n"
        "        return block(x)\n\n"
        "    @staticmethod\n"
        "    def backward(ctx, g):\n"
        "        block, x = ctx.kept\n"
        "        with torch.enable_grad():\n"
        "            x = x.detach().requires_grad_()\n"
        "            y = block(x)\n"
        "            torch.autograd.backward(y, g)\n"
        "        return x.grad, None\n"
    ),
    right(
        CALL + CLASS + "    def forward(ctx, block, x):\n"
        "        ctx.block = block\n"
        "        ctx.save_for_backward(x)\n"
        "        return block(x.detach())\n\n"
        "    @staticmethod\n"
        "    def backward(ctx, g):\n"
        "        x = ctx.saved_tensors[0].detach().requires_grad_()\n"
        "        with torch.enable_grad():\n"
        "            (ctx.block(x) * g).sum().backward()\n"
        "        return None, x.grad\n"
    ),
    right(
        CALL + CLASS + "    def forward(ctx, block, x):\n"
        "        ctx.block, ctx.x = block, x\n"
        "        with torch.no_grad():\n"
        "            y = block(x)\n"
        "        return y\n\n"
        "    @staticmethod\n"
        "    def backward(ctx, g):\n"
        "        x = ctx.x.detach()\n"
        "        x.requires_grad = True\n"
        "        with torch.enable_grad():\n"
        "            y = ctx.block(x)\n"
        "        y.backward(gradient=g)\n"
        "        return None, x.grad\n"
    ),
    right(
        CALL + CLASS + "    def forward(ctx, block, x):\n"
        "        ctx.block = block\n"
        "        ctx.save_for_backward(x)\n"
        "        with torch.no_grad():\n"
        "            return block(x)\n\n"
        "    @staticmethod\n"
        "    def backward(ctx, g):\n"
        "        (x,) = ctx.saved_tensors\n"
        "        torch.set_grad_enabled(True)\n"
        "        leaf = x.detach().requires_grad_()\n"
        "        y = ctx.block(leaf)\n"
        "        y.backward(g)\n"
        "        torch.set_grad_enabled(False)\n"
        "        return None, leaf.grad\n"
    ),
)  # fmt: skip

TRAIN = (
    edit("        losses.append(loss.detach())\n", "        losses.append(loss.item())\n"
         , told="TypeError"),
    edit("losses.append(loss.detach())", "losses.append(loss)", told="a history"),
    edit("        losses.append(loss.detach())\n    return torch.stack(losses).cpu()",
         "        losses.append(loss)\n    return torch.stack(losses).detach().cpu()",
         told="holds all their graphs"),
    edit("        losses.append(loss.detach())\n    return torch.stack(losses).cpu()",
         "        losses.append(loss)\n"
         "    return torch.stack([loss.detach() for loss in losses]).cpu()",
         told="holds all their graphs"),
    wrong(
        "def train_on(device, model, x, y, steps, lr):\n"
        "    model.to(device)\n"
        "    x, y = x.to(device), y.to(device)\n"
        "    optimizer = torch.optim.SGD(model.parameters(), lr=lr)\n"
        "    losses = torch.empty(steps, device=device)\n"
        "    for i in range(steps):\n"
        "        optimizer.zero_grad()\n"
        "        loss = F.cross_entropy(model(x), y)\n"
        "        losses[i] = loss\n"
        "        loss.backward()\n"
        "        optimizer.step()\n"
        "    return losses.detach().cpu()\n",
        told="so does a tensor into which they are written",
    ),
    wrong(
        "def train_on(device, model, x, y, steps, lr):\n    model.to(device)\n"
        "    x, y = x.to(device), y.to(device)\n"
        "    optimizer = torch.optim.SGD(model.parameters(), lr=lr)\n"
        "    losses = torch.zeros(steps, device=device)\n"
        "    for i in range(steps):\n"
        "        optimizer.zero_grad()\n"
        "        loss = F.cross_entropy(model(x), y)\n"
        "        loss.backward()\n"
        "        optimizer.step()\n"
        "        losses[i] = loss\n"
        "    return losses.detach().cpu()\n",
        told="graphs of earlier steps are still alive",
    ),
    edit("losses.append(loss.detach())", "losses.append(loss.detach().cpu())",
         told="fetch each loss alone"),
    edit("return torch.stack(losses).cpu()", "return torch.stack(losses)",
         told="the losses are on cuda:0"),
    edit("return torch.stack(losses).cpu()", "return torch.stack(losses).tolist()",
         told="a list of numbers"),
    edit("return torch.stack(losses).cpu()",
         "return torch.tensor([float(loss) for loss in losses])",
         told="fetch each loss alone"),
    wrong(
        "def train_on(device, model, x, y, steps, lr):\n    model.to(device)\n"
        "    x, y = x.to(device), y.to(device)\n"
        "    optimizer = torch.optim.SGD(model.parameters(), lr=lr)\n"
        "    losses = torch.zeros(steps)\n"
        "    for i in range(steps):\n"
        "        optimizer.zero_grad()\n"
        "        loss = F.cross_entropy(model(x), y)\n"
        "        loss.backward()\n"
        "        optimizer.step()\n"
        "        losses[i] = loss.detach()\n"
        "    return losses\n",
        told="writing into a tensor of the CPU",
    ),
    edit("return torch.stack(losses).cpu()", "return losses[-1].cpu()",
         told="return all"),
    edit("return torch.stack(losses).cpu()", "return torch.stack(losses).mean().cpu()",
         told="not their mean"),
    edit("    x, y = x.to(device), y.to(device)\n", "", told="same device"),
    edit("    model.to(device)\n", "", told="same device"),
    edit("    model.to(device)\n    x, y = x.to(device), y.to(device)\n", "",
         told="ran on the CPU"),
    edit("cross_entropy(model(x), y)", "cross_entropy(model(x), y)\n"
         "        best = min(99.0, float(loss))", told="fetch each loss alone"),
    edit("x, y = x.to(device), y.to(device)", "y = y.to(device)", told="same device"),
    edit("x, y = x.to(device), y.to(device)", "x.to(device), y.to(device)",
         told="x.to(device) is a copy"),
    edit("        optimizer.zero_grad()\n", "", told="zero_grad"),
    edit("        optimizer.step()\n", "", told="nothing is learned"),
    edit("range(steps)", "range(steps + 1)", told="one step more"),
    edit("range(steps)", "range(steps - 1)", told="one step fewer"),
    edit("        losses.append(loss.detach())\n",
         "        losses.append(F.cross_entropy(model(x), y).detach())\n",
         told="BEFORE its step"),
    edit("    return torch.stack(losses).cpu()",
         "    model.to('cpu')\n    return torch.stack(losses).cpu()",
         told="such as the model"),
    edit("        loss.backward()\n", "        loss.backward()\n        print(end='' "
         "if loss.item() else '')\n", told="fetch each loss alone"),
    wrong(
        "def train_on(device, model, x, y, steps, lr):\n"
        "    model.to(device)\n"
        "    optimizer = torch.optim.SGD(model.parameters(), lr=lr)\n"
        "    losses = []\n"
        "    for _ in range(steps):\n"
        "        xd, yd = x.to(device), y.to(device)\n"
        "        optimizer.zero_grad()\n"
        "        loss = F.cross_entropy(model(xd), yd)\n"
        "        loss.backward()\n"
        "        optimizer.step()\n"
        "        losses.append(loss.detach())\n"
        "    return torch.stack(losses).cpu()\n",
        told="in every step",
    ),
    wrong(
        "def train_on(device, model, x, y, steps, lr):\n"
        "    x, y = x.to(device), y.to(device)\n"
        "    losses = []\n"
        "    for _ in range(steps):\n"
        "        model.to(device)\n"
        "        optimizer = torch.optim.SGD(model.parameters(), lr=lr)\n"
        "        loss = F.cross_entropy(model(x), y)\n"
        "        loss.backward()\n"
        "        optimizer.step()\n"
        "        optimizer.zero_grad()\n"
        "        model.to('cpu')\n"
        "        losses.append(loss.detach())\n"
        "    return torch.stack(losses).cpu()\n",
        told="in every step",
    ),
    right(
        "def train_on(device, model, x, y, steps, lr):\n"
        "    model = model.to(device)\n"
        "    x = x.to(device)\n"
        "    y = y.to(device)\n"
        "    losses = torch.zeros(steps, device=device)\n"
        "    optimizer = torch.optim.SGD(model.parameters(), lr)\n"
        "    for i in range(steps):\n"
        "        loss = torch.nn.functional.cross_entropy(model(x), y)\n"
        "        optimizer.zero_grad()\n"
        "        loss.backward()\n"
        "        optimizer.step()\n"
        "        losses[i] = loss.detach()\n"
        "    return losses.to('cpu')\n"
    ),
    right(
        "def train_on(device, model, x, y, steps, lr):\n"
        "    model.cuda(device)\n"
        "    x, y = x.cuda(device), y.cuda(device)\n"
        "    losses = []\n"
        "    for _ in range(steps):\n"
        "        for p in model.parameters():\n"
        "            p.grad = None\n"
        "        loss = F.cross_entropy(model(x), y)\n"
        "        loss.backward()\n"
        "        with torch.no_grad():\n"
        "            for p in model.parameters():\n"
        "                p -= lr * p.grad\n"
        "        losses += [loss.detach()]\n"
        "    return torch.stack(losses).cpu()\n"
    ),
    wrong(
        "def train_on(device, model, x, y, steps, lr):\n"
        "    model.to(device)\n"
        "    x, y = (t.to(device, non_blocking=True) for t in (x, y))\n"
        "    optimizer = torch.optim.SGD(model.parameters(), lr=lr)\n"
        "    losses = []\n"
        "    while len(losses) < steps:\n"
        "        optimizer.zero_grad()\n"
        "        losses.append(F.cross_entropy(model(x), y))\n"
        "        losses[-1].backward()\n"
        "        optimizer.step()\n"
        "    with torch.no_grad():\n"
        "        return torch.stack(losses).cpu()\n",
        told="holds all their graphs",
    ),
    right(
        "def train_on(device, model, x, y, steps, lr):\n"
        "    model.to(device)\n"
        "    x, y = (t.to(device, non_blocking=True) for t in (x, y))\n"
        "    optimizer = torch.optim.SGD(model.parameters(), lr=lr)\n"
        "    losses = []\n"
        "    while len(losses) < steps:\n"
        "        optimizer.zero_grad()\n"
        "        loss = F.cross_entropy(model(x), y)\n"
        "        losses.append(loss.detach().reshape(1))\n"
        "        loss.backward()\n"
        "        optimizer.step()\n"
        "    return torch.cat(losses).cpu()\n"
    ),
    wrong(
        "def train_on(device, model, x, y, steps, lr):\n"
        "    model.to(device)\n"
        "    x, y = (t.to(device) for t in (x, y))\n"
        "    criterion = torch.nn.CrossEntropyLoss()\n"
        "    sgd = torch.optim.SGD(model.parameters(), lr=lr)\n"
        "    losses = []\n"
        "    for step in range(steps):\n"
        "        loss = criterion(model(x), y)\n"
        "        sgd.zero_grad()\n"
        "        loss.backward()\n"
        "        sgd.step()\n"
        "        losses.append(loss)\n"
        "    return torch.stack(losses).detach().cpu()\n",
        told="holds all their graphs",
    ),
    right(
        "def train_on(device, model, x, y, steps, lr):\n"
        "    model.to(device)\n"
        "    x, y = (t.to(device) for t in (x, y))\n"
        "    criterion = torch.nn.CrossEntropyLoss()\n"
        "    sgd = torch.optim.SGD(model.parameters(), lr=lr)\n"
        "    losses = []\n"
        "    for step in range(steps):\n"
        "        loss = criterion(model(x), y)\n"
        "        sgd.zero_grad()\n"
        "        loss.backward()\n"
        "        sgd.step()\n"
        "        losses.append(loss.data)\n"
        "    return torch.stack(losses).cpu()\n"
    ),
    right(
        "def train_on(device, model, x, y, steps, lr):\n"
        "    x, y, model = x.to(device), y.to(device), model.to(device)\n"
        "    opt = torch.optim.SGD(model.parameters(), lr=lr)\n"
        "    all_losses = None\n"
        "    for _ in range(steps):\n"
        "        opt.zero_grad()\n"
        "        loss = F.cross_entropy(model(x), y)\n"
        "        loss.backward()\n"
        "        opt.step()\n"
        "        one = loss.detach().reshape(1)\n"
        "        all_losses = one if all_losses is None else "
        "torch.cat([all_losses, one])\n"
        "    return all_losses.cpu()\n"
    ),
)  # fmt: skip

LOAD = (
    "def block_sum(thread, x, out):\n"
    "    i = thread.block * thread.size + thread.number\n"
    "    thread.shared[thread.number] = x[i] if i < len(x) else 0\n"
    "    yield\n"
)
BLOCKS = (
    edit("x[i] if i < len(x) else 0", "x[i]", told="i < len(x)"),
    edit("else 0\n    yield\n", "else 0\n", told="yield is missing"),
    edit("+ half]\n        yield\n", "+ half]\n", told="yield is missing"),
    edit(
        "            thread.shared[thread.number] += "
        "thread.shared[thread.number + half]\n        yield\n",
        "            thread.shared[thread.number] += "
        "thread.shared[thread.number + half]\n            yield\n",
        told="outside the if",
    ),
    edit("        if thread.number < half:\n            thread.shared[thread.number] +=",
         "        if True:\n            thread.shared[thread.number] +=", told="below half"),
    edit("thread.number < half", "thread.number <= half", told="below half"),
    edit("half > 0", "half > 1", told="round is missing"),
    edit("half = thread.size // 2", "half = thread.size // 4", told="begin with"),
    edit(
        "thread.block * thread.size + thread.number",
        "thread.number",
        told="the first one's numbers",
    ),
    edit("    if thread.number == 0:\n        out", "    if True:\n        out",
         told="only thread 0"),
    edit("out[thread.block] =", "out[0] =", told="the same place"),
    edit("out[thread.block] = thread", "out[thread.block] += thread",
         told="out is set, not added to"),
    edit("thread.number == 0", "thread.number == thread.size",
         told="nothing was written"),
    edit("        half //= 2\n", "        half = half // 2 or 1\n",
         told="what makes it false?"),
    edit(" else 0\n", " else None\n", told="writes no 0"),
    wrong(
        LOAD + "    if thread.number == 0:\n"
        "        total = 0\n"
        "        for k in range(thread.size):\n"
        "            total += thread.shared[k]\n"
        "        out[thread.block] = total\n",
        told="adds everything alone",
    ),
    wrong(
        "def block_sum(thread, x, out):\n"
        "    if thread.number == 0:\n"
        "        start = thread.block * thread.size\n"
        "        total = 0\n"
        "        for k in range(start, min(start + thread.size, len(x))):\n"
        "            total += x[k]\n"
        "        out[thread.block] = total\n",
        told="adds everything alone",
    ),
    wrong(
        "def block_sum(thread, x, out):\n"
        "    i = thread.block * thread.size + thread.number\n"
        "    if i < len(x):\n"
        "        out[thread.block] += x[i]\n",
        told="only thread 0",
    ),
    wrong(LOAD + "    if thread.number == 0:\n"
          "        out[thread.block] = thread.shared[0]\n",
          told="first number"),
    wrong(
        "def block_sum(thread, x, out):\n"
        "    i = thread.block * thread.size + thread.number\n"
        "    half = thread.size // 2\n"
        "    while half > 0:\n"
        "        if thread.number < half and i + half < len(x):\n"
        "            x[i] = x[i] + x[i + half]\n"
        "        yield\n"
        "        half //= 2\n"
        "    if thread.number == 0:\n"
        "        out[thread.block] = x[i]\n",
        told="add in shared memory",
    ),
    right(
        LOAD + "    step = 1\n"
        "    while step < thread.size:\n"
        "        if thread.number % (2 * step) == 0:\n"
        "            thread.shared[thread.number] += "
        "thread.shared[thread.number + step]\n"
        "        yield\n"
        "        step *= 2\n"
        "    if thread.number == 0:\n"
        "        out[thread.block] = thread.shared[0]\n"
    ),
    right(
        LOAD + "    half = thread.size >> 1\n"
        "    while half:\n"
        "        if thread.number < half:\n"
        "            mine = thread.shared[thread.number]\n"
        "            thread.shared[thread.number] = "
        "mine + thread.shared[thread.number + half]\n"
        "        yield\n"
        "        half >>= 1\n"
        "    if not thread.number:\n"
        "        out[thread.block] = thread.shared[thread.number]\n"
    ),
    right(
        "def block_sum(thread, x, out):\n"
        "    k, shared = thread.number, thread.shared\n"
        "    i = k + thread.size * thread.block\n"
        "    shared[k] = 0\n"
        "    if i < len(x):\n"
        "        shared[k] = x[i]\n"
        "    half = thread.size\n"
        "    while half > 1:\n"
        "        half //= 2\n"
        "        yield\n"
        "        if k < half:\n"
        "            shared[k] += shared[k + half]\n"
        "    if k == 0:\n"
        "        out[thread.block] = shared[0]\n"
    ),
    right(
        LOAD + "    for r in range(thread.size.bit_length() - 1):\n"
        "        half = thread.size >> (r + 1)\n"
        "        if thread.number < half:\n"
        "            thread.shared[thread.number] += "
        "thread.shared[thread.number + half]\n"
        "        yield\n"
        "    if thread.number == 0:\n"
        "        out[thread.block] = float(thread.shared[0])\n"
    ),
    right(
        LOAD + "    half = thread.size // 2\n"
        "    while half > 0:\n"
        "        if thread.number < half:\n"
        "            thread.shared[thread.number] += "
        "thread.shared[2 * half - 1 - thread.number]\n"
        "        yield\n"
        "        half //= 2\n"
        "    if thread.number == 0:\n"
        "        out[thread.block] = thread.shared[0]\n"
    ),
)  # fmt: skip

PROGRAM_HEAD = "def program_bytes(program):\n"
ROUNDED = "(nbytes + 511) // 512 * 512"
GROWS = "            held += sizes[name]\n            peak = max(peak, held)\n"
PROGRAM = (
    edit(ROUNDED, "nbytes", told="not rounded"),
    edit(ROUNDED, "nbytes // 512 * 512", told="round UP"),
    edit(ROUNDED, "(nbytes // 512 + 1) * 512", told="rounded already"),
    edit(ROUNDED, "(nbytes + 512) // 512 * 512", told="rounded already"),
    edit(ROUNDED, "round(nbytes / 512) * 512", told="not to the nearest"),
    edit(ROUNDED, "(nbytes + 1023) // 1024 * 1024", told="not to 1024"),
    edit(ROUNDED, "(nbytes + 511) // 512", told="not blocks of 512"),
    edit("        held -= old\n", "", told="nothing is freed"),
    edit("sizes.pop(name, 0)", "sizes.get(name, 0)", told="forget its size, too"),
    edit(
        GROWS + "        held -= old\n",
        "            held += sizes[name]\n"
        "        held -= old\n"
        "        peak = max(peak, held)\n",
        told="AFTER the new one was made",
    ),
    edit(
        "sizes.pop(name, 0)\n",
        "sizes.pop(name, 0)\n        held, old = held - old, 0\n",
        told="AFTER the new one was made",
    ),
    edit(
        "sizes.pop(name, 0)",
        "sizes.pop(name, 0) if nbytes is None else 0",
        told="old tensor is freed when it gets a new one",
    ),
    edit(
        "            peak = max(peak, held)\n        held -= old\n",
        "            peak = max(peak, held)\n            held -= old\n",
        told="del frees",
    ),
    edit("peak = max(peak, held)", "peak += sizes[name]", told="all that was ever"),
    edit("peak = max(peak, held)", "peak = held", told="last peak"),
    edit(
        "peak = max(peak, held)",
        "peak = max(peak, sizes[name])",
        told="the largest tensor",
    ),
    edit("return held, peak", "return peak, held", told="first the bytes at the end"),
    edit("return held, peak", "return held, held", told="before the end"),
    edit("return held, peak", "return peak", told="return a pair"),
    edit("    return held, peak", "    held, peak", told="is a return missing"),
    wrong(
        PROGRAM_HEAD + "    held = peak = 0\n"
        "    sizes = {}\n"
        "    for name, nbytes in program:\n"
        "        held += nbytes - sizes.get(name, 0)\n"
        "        peak = max(peak, held)\n"
        "        sizes[name] = nbytes\n"
        "    return held, peak\n",
        told="TypeError",
    ),
    wrong(
        PROGRAM_HEAD + "    held = peak = 0\n"
        "    sizes = {}\n"
        "    for name, nbytes in program:\n"
        "        old = sizes.pop(name, 0)\n"
        "        sizes[name] = nbytes or 0\n"
        "        held += sizes[name]\n"
        "        peak = max(peak, held)\n"
        "        held -= old\n"
        "    return -(-held // 512) * 512, -(-peak // 512) * 512\n",
        told="not their sum",
    ),
    right(
        PROGRAM_HEAD + "    sizes, moments = {}, [0]\n"
        "    for name, nbytes in program:\n"
        "        new = -(-(nbytes or 0) // 512) * 512\n"
        "        moments.append(sum(sizes.values()) + new)\n"
        "        sizes[name] = new\n"
        "    return sum(sizes.values()), max(moments)\n"
    ),
    right(
        "import math\n\n\n" + PROGRAM_HEAD + "    alive, peak = {}, 0\n"
        "    for name, nbytes in program:\n"
        "        if nbytes is None:\n"
        "            del alive[name]\n"
        "            continue\n"
        "        new = math.ceil(nbytes / 512) * 512\n"
        "        peak = max(peak, sum(alive.values()) + new)\n"
        "        alive[name] = new\n"
        "    return sum(alive.values()), peak\n"
    ),
    right(
        PROGRAM_HEAD + "    names, peak = {}, 0\n"
        "    with torch.cuda.simulate(devices=1, memory='64MB'):\n"
        "        for name, nbytes in program:\n"
        "            names[name] = None if nbytes is None else torch.empty(\n"
        "                nbytes, dtype=torch.uint8, device='cuda'\n"
        "            )\n"
        "        held = torch.cuda.memory_allocated()\n"
        "        peak = torch.cuda.max_memory_allocated()\n"
        "        names.clear()\n"
        "    return held, peak\n"
    ),
    right(
        PROGRAM_HEAD + "    blocks, now, most = {}, 0, 0\n"
        "    for name, nbytes in list(program):\n"
        "        before = blocks.get(name, 0)\n"
        "        blocks[name] = 0\n"
        "        if nbytes is not None:\n"
        "            blocks[name] = (nbytes - 1) // 512 + 1\n"
        "        now += blocks[name]\n"
        "        most = now if now > most else most\n"
        "        now -= before\n"
        "    return [512 * now, 512 * most]\n"
    ),
    right(
        PROGRAM_HEAD + "    def step(rest, sizes, peak):\n"
        "        held = sum(sizes.values())\n"
        "        if not rest:\n"
        "            return held, peak\n"
        "        name, nbytes = rest[0]\n"
        "        new = (nbytes + 511) & ~511 if nbytes is not None else 0\n"
        "        return step(rest[1:], sizes | {name: new}, max(peak, held + new))\n\n"
        "    return step(program, {}, 0)\n"
    ),
)

PIECES_HEAD = "def accumulate(model, x, y, row_bytes, limit):\n"
WEIGHT = " * len(part) / len(x)\n"
LOOP = (
    "    size, total = limit // row_bytes, 0.0\n"
    "    for i in range(0, len(x), size):\n"
    "        a, b = x[i : i + size], y[i : i + size]\n"
)
PIECES = (
    edit("limit // row_bytes", "len(x)", told="the batch is not cut"),
    edit("limit // row_bytes", "-(-limit // row_bytes)", told="bytes down"),
    edit("limit // row_bytes", "limit // row_bytes + 1", told="rows are held at once"),
    edit("limit // row_bytes", "1", told="take that many at once"),
    edit(
        "limit // row_bytes",
        "max(1, limit // row_bytes // 2)",
        told="take that many at once",
    ),
    edit("limit // row_bytes", "limit / row_bytes", told="TypeError"),
    edit(WEIGHT, "\n", told="rows / all rows"),
    edit(WEIGHT, " * size / len(x)\n", told="the last may be shorter"),
    edit(WEIGHT, " / -(-len(x) // size)\n", told="not 1 / pieces"),
    edit(WEIGHT, " * len(part)\n", told="SUM over all rows"),
    edit(WEIGHT, " / len(part)\n", told="not by the piece's"),
    edit(WEIGHT, " / len(x)\n", told="is a mean already"),
    edit(
        "        loss.backward()\n",
        "        model.zero_grad()\n        loss.backward()\n",
        told="zero_grad in the loop",
    ),
    edit("        loss.backward()\n", "", told="rows are held at once"),
    edit("loss.backward()", "loss.backward(retain_graph=True)", told="retain_graph"),
    edit(
        "range(0, len(x), size)",
        "range(0, len(x) - size + 1, size)",
        told="rows are left out",
    ),
    edit("total += loss.item()", "total += loss", told="a tensor, with its graph"),
    edit("total += loss.item()", "total += loss.detach()", told="returned a tensor"),
    wrong(
        PIECES_HEAD
        + LOOP
        + "        loss = F.cross_entropy(model(a), b) * len(a) / len(x)\n"
        "        loss.backward()\n"
        "        total += loss\n"
        "    return total.item()\n",
        told="ONE graph of all losses",
    ),
    wrong(
        PIECES_HEAD + "    losses = []\n"
        "    for a, b in zip(x.split(limit // row_bytes), y.split(limit // row_bytes)):\n"
        "        losses.append(F.cross_entropy(model(a), b) * len(a) / len(x))\n"
        "        losses[-1].backward()\n"
        "    return sum(loss.item() for loss in losses)\n",
        told="a list of losses or of outputs holds them all",
    ),
    wrong(
        PIECES_HEAD + LOOP + "        out = model(a)\n"
        "        loss = F.cross_entropy(out, b) * len(a) / len(x)\n"
        "        loss.backward()\n"
        "        total += loss.item()\n"
        "        model.outputs = getattr(model, 'outputs', []) + [out]\n"
        "    return total\n",
        told="graphs of earlier pieces are still alive",
    ),
    edit("total += loss.item()", "total = loss.item()", told="last piece's part"),
    edit("    return total", "    total", told="returned None"),
    edit("return total", "return total * len(x)", told="sum over all rows"),
    edit("y[i : i + size]", "y", told="batch_size"),
    edit("model(part)", "model(x)", told="batch_size"),
    edit(
        "    return total",
        "    return F.cross_entropy(model(x), y).item()",
        told="rows are held at once",
    ),
    edit(
        "    return total",
        "    with torch.no_grad():\n        return F.cross_entropy(model(x), y).item()",
        told="through the model once",
    ),
    edit(
        "    return total",
        "    with torch.no_grad():\n"
        "        for p in model.parameters():\n"
        "            p -= 0.1 * p.grad\n"
        "    return total",
        told="no step",
    ),
    edit(
        "    return total",
        "    model.zero_grad()\n    return total",
        told="zero_grad comes after",
    ),
    wrong(
        PIECES_HEAD + LOOP + "        total += F.cross_entropy(model(a), b) * len(a)\n"
        "    (total / len(x)).backward()\n"
        "    return total.item() / len(x)\n",
        told="before the next one's forward",
    ),
    wrong(
        PIECES_HEAD + LOOP + "        loss = F.cross_entropy(model(a), b)\n"
        "        (loss * len(a) / len(x)).backward()\n"
        "        total += loss.item()\n"
        "    return total\n",
        told="sum of the pieces' means",
    ),
    wrong(
        PIECES_HEAD + "    losses = []\n"
        "    size = limit // row_bytes\n"
        "    for a, b in zip(x.split(size), y.split(size)):\n"
        "        loss = F.cross_entropy(model(a), b)\n"
        "        (loss * len(a) / len(x)).backward()\n"
        "        losses.append(loss.item())\n"
        "    return sum(losses) / len(losses)\n",
        told="mean of means",
    ),
    right(
        PIECES_HEAD
        + LOOP
        + "        loss = F.cross_entropy(model(a), b, reduction='sum')\n"
        "        (loss / len(x)).backward()\n"
        "        total += loss.item()\n"
        "    return total / len(x)\n"
    ),
    right(
        PIECES_HEAD + LOOP + "        loss = F.cross_entropy(model(a), b)\n"
        "        loss.backward(torch.tensor(len(a) / len(x)))\n"
        "        total += float(loss) * len(a)\n"
        "    return total / len(x)\n"
    ),
    right(
        PIECES_HEAD + "    count = -(-len(x) // (limit // row_bytes))\n"
        "    total = 0.0\n"
        "    for a, b in zip(x.tensor_split(count), y.tensor_split(count)):\n"
        "        loss = F.cross_entropy(model(a), b, reduction='sum') / len(x)\n"
        "        loss.backward()\n"
        "        total += loss.detach().item()\n"
        "    return total\n"
    ),
    right(
        PIECES_HEAD + "    loader = torch.utils.data.DataLoader(\n"
        "        torch.utils.data.TensorDataset(x, y), limit // row_bytes\n"
        "    )\n"
        "    model.zero_grad()\n"
        "    losses = []\n"
        "    for a, b in loader:\n"
        "        loss = nn_loss(model(a), b) / len(x)\n"
        "        loss.backward()\n"
        "        losses.append(loss.item())\n"
        "    return sum(losses)\n\n\n"
        "nn_loss = torch.nn.CrossEntropyLoss(reduction='sum')\n"
    ),
    right(
        PIECES_HEAD
        + LOOP
        + "        total += F.cross_entropy(model(a), b, reduction='sum').item() \\\n"
        "            if not a.numel() else step(model, a, b)\n"
        "    for p in model.parameters():\n"
        "        p.grad /= len(x)\n"
        "    return total / len(x)\n\n\n"
        "def step(model, a, b):\n"
        "    loss = -F.log_softmax(model(a), dim=1)[range(len(b)), b].sum()\n"
        "    loss.backward()\n"
        "    return loss.item()\n"
    ),
)

ANSWERS = {
    "17.1": PEAK,
    "17.2": BEST,
    "17.3": LEAK,
    "17.4": AGAIN,
    "17.5": TRAIN,
    "17.6": BLOCKS,
    "17.7": PROGRAM,
    "17.8": PIECES,
}
