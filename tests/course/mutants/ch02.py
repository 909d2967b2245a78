"""Chapter 2: answers as learners write them."""

from __future__ import annotations

from tests.course.mutants.answers import Answer, edit, right, wrong

__all__ = ["ANSWERS"]

EXP = "def exp_backward(g, y):\n    return g * y\n"
MUL = "def mul_backward(g, a, b):\n    return g * b, g * a\n"


def mul(expression: str, told: str) -> Answer:
    """A wrong mul_backward of one expression, with a right exp_backward."""
    body = f"def mul_backward(g, a, b):\n    return {expression}\n\n\n{EXP}"
    return wrong(body, told=told)


def exp(expression: str, told: str) -> Answer:
    """A wrong exp_backward of one expression, with a right mul_backward."""
    body = (
        f"import math\n\n\n{MUL}\n\ndef exp_backward(g, y):\n    return {expression}\n"
    )
    return wrong(body, told=told)


RULES = (
    mul("b, a", "forgot the incoming gradient"),
    mul("g * a, g * b", "OTHER factor"),
    mul("g + b, g + a", "multiplied, not added"),
    mul("b, g * a", "the first gradient lacks g"),
    mul("g * b, a", "the second gradient lacks g"),
    mul("g * b, g * b", "both got the gradient of a"),
    mul("g * a, g * a", "both got the gradient of b"),
    mul("g, g", "the rule of a sum"),
    mul("g * a * b, g * a * b", "not its slope"),
    mul("g * b", "shape is not right"),
    mul("g * b + g * a", "shape is not right"),
    mul("g * b, g * a, 1", "length is not right"),
    mul("g * (a + b), g * (a + b)", "do not add them"),
    mul("g * b, -g * a", "no sign changes"),
    mul("a / g, b / g", "do not divide"),
    mul("b / g, a / g", "do not divide"),
    mul("g * (a * b) / a, g * (a * b) / b", "no division is needed"),
    mul("print(g * b, g * a)", "is a return missing"),
    mul("{'a': g * b, 'b': g * a}", "not a number or a tensor"),
    wrong(
        f"def mul_backward(g, a, b):\n    g * b, g * a\n\n\n{EXP}",
        told="is a return missing",
    ),
    wrong(
        f"""def mul_backward(g, a, b):
    a = torch.tensor(a, requires_grad=True)
    b = torch.tensor(b, requires_grad=True)
    (g * a * b).backward()
    return a.grad, b.grad


{EXP}""",
        told="which this exercise forbids",
    ),
    wrong(
        f"def mul_backward(a, b, g=1):\n    return g * b, g * a\n\n\n{EXP}",
        told="value is not right",
    ),
    wrong(
        f"def mul_backward(g, a, b):\n    return 40, 30\n\n\n{EXP}",
        told="value is not right",
    ),
    exp("y", "forgot the incoming gradient"),
    exp("g * math.exp(y)", "do not take exp again"),
    exp("g * math.log(y) * y", "rule of a power"),
    exp("g + y", "multiplied, not added"),
    exp("g * math.log(y)", "without log"),
    exp("g * y * y", "y counts once"),
    exp("g / y", "the rule of the logarithm"),
    exp("g", "g alone is not enough"),
    exp("math.exp(g * y)", "is not the same as"),
    exp("g, y", "shape is not right"),
    exp("y.exp() * g", "raised AttributeError"),
    right(f"def mul_backward(g, a, b):\n    return [b * g, a * g]\n\n\n{EXP}"),
    right(
        f"""def mul_backward(g, a, b):
    slope_a, slope_b = b, a
    return torch.tensor(g * slope_a), torch.tensor(g * slope_b)


{EXP}"""
    ),
    right(
        f"""import numpy as np


def mul_backward(g, a, b):
    return g * np.array([b, a])


{EXP}"""
    ),
    right(
        f"""from math import exp, log


{MUL}

def exp_backward(g, y):
    x = log(y)
    return g * exp(x)
"""
    ),
    right(
        """mul_backward = lambda g, a, b: (g * b, g * a)
exp_backward = lambda g, y: y * g
"""
    ),
)

SEEN = """        if node in seen:
            return
        seen.add(node)
"""

ORDER = (
    edit("return nodes\n", "return nodes[::-1]\n", told="reverse it"),
    edit(SEEN, "", told="more than once"),
    edit("for x in node.inputs:", "for x in node.inputs[:1]:", told="ALL inputs"),
    edit("            visit(x)", "            return visit(x)", told="is missing"),
    edit("    return nodes\n", "", told="is a return missing"),
    edit(
        "        nodes.append(node)", "        nodes.append(node.value)", told="values"
    ),
    edit("if node in seen", "if node.value in seen", told="more than once"),
    edit(
        "        if node in seen:\n            return\n        seen.add(node)",
        "        if node.value in seen:\n            return\n"
        "        seen.add(node.value)",
        told="the same value",
    ),
    edit("    return nodes\n", "    return nodes[:-1]\n", told="it is the last"),
    edit("    return nodes\n", "    return set(nodes)\n", told="not a list"),
    edit("    return nodes\n", "    return root\n", told="that is a node"),
    edit(
        "        nodes.append(node)",
        "        if node.inputs:\n            nodes.append(node)",
        told="leaves are nodes, too",
    ),
    edit(
        "        for x in node.inputs:\n            visit(x)\n        nodes.append(node)",
        "        nodes.append(node)\n        for x in node.inputs:\n            visit(x)",
        told="comes before its input",
    ),
    wrong(
        """def order(root):
    nodes, queue = [], [root]
    while queue:
        node = queue.pop(0)
        if node not in nodes:
            nodes.append(node)
            queue.extend(node.inputs)
    return nodes[::-1]
""",
        told="distance from the root is not enough",
    ),
    wrong(
        """from collections import deque


def order(root):
    seen, queue = {root}, deque([root])
    nodes = []
    while queue:
        node = queue.popleft()
        nodes.insert(0, node)
        for x in node.inputs:
            if x not in seen:
                seen.add(x)
                queue.append(x)
    return nodes
""",
        told="distance from the root is not enough",
    ),
    wrong(
        """def order(root):
    nodes, stack = [], [root]
    while stack:
        node = stack.pop()
        if node not in nodes:
            nodes.append(node)
            stack += node.inputs
    return nodes[::-1]
""",
        told="after its inputs are listed",
    ),
    wrong(
        """def order(root):
    nodes = []

    def visit(node):
        if node not in nodes:
            nodes.append(node)
            for x in node.inputs:
                visit(x)

    visit(root)
    return nodes[::-1]
""",
        told="after its inputs are listed",
    ),
    wrong(
        """seen = set()


def order(root):
    if root in seen:
        return []
    seen.add(root)
    nodes = []
    for x in root.inputs:
        nodes += order(x)
    return [*nodes, root]
""",
        told="begin each call with an empty set",
    ),
    wrong(
        """def order(root, nodes=[]):
    if root not in nodes:
        for x in root.inputs:
            order(x)
        nodes.append(root)
    return nodes
""",
        told="begin each call with an empty set",
    ),
    wrong(
        """def order(root):
    if getattr(root, "seen", False):
        return []
    root.seen = True
    return [n for x in root.inputs for n in order(x)] + [root]
""",
        told="begin each call with an empty set",
    ),
    wrong(
        """def order(root):
    nodes = []

    def visit(node):
        for x in node.inputs:
            visit(x)
        if node not in nodes:
            nodes.append(node)

    visit(root)
    return nodes
""",
        told="return at once from a node that was visited",
    ),
    wrong(
        """def order(root):
    root.grad = 1.0
    return [n for n in dict.fromkeys([*root.inputs, root])]
""",
        told="order has changed",
    ),
    wrong(
        """def order(root):
    if not root.inputs:
        return [root]
    a, b = root.inputs
    return list(dict.fromkeys([*order(a), *order(b), root]))
""",
        told="any number of inputs",
    ),
    wrong(
        """def order(root):
    return [order(x) for x in root.inputs] + [root]
""",
        told="lists inside a list",
    ),
    wrong(
        """def order(root):
    return list(root.inputs) + [root]
""",
        told="is missing",
    ),
    wrong(
        """def order(root):
    yield from root.inputs
    yield root
""",
        told="a generator is not a list",
    ),
    wrong(
        """def order(root):
    nodes = []
    while root.inputs:
        nodes.append(root)
        root = root.inputs[0]
    return nodes
""",
        told="is missing",
    ),
    wrong(
        """def order(root):
    nodes = [root]
    for node in nodes:
        for x in node.inputs:
            if x in nodes:
                nodes.remove(x)
            nodes.insert(0, x)
    return nodes
""",
        told="",
    ),
    wrong(
        """def order(root):
    root.inputs = tuple(root.inputs)[::-1]
    nodes = []

    def visit(node):
        if node not in nodes:
            for x in node.inputs:
                visit(x)
            nodes.append(node)

    visit(root)
    return nodes
""",
        told="the graph itself was changed",
    ),
    wrong(
        """def order(root):
    seen = set()
    seen.add(root)
    return sorted(seen, key=lambda node: node.value)
""",
        told="is missing",
    ),
    wrong(
        """def order(root):
    nodes = []

    def visit(node):
        nodes.append(node.name)
        for x in node.input:
            visit(x)

    visit(root)
    return nodes
""",
        told="raised AttributeError",
    ),
    right(
        """def order(root):
    nodes = []

    def visit(node):
        if node not in nodes:
            for x in node.inputs:
                visit(x)
            nodes.append(node)

    visit(root)
    return nodes
"""
    ),
    right(
        """def order(root):
    users, seen = {}, [root]
    for node in seen:
        for x in node.inputs:
            users[x] = users.get(x, 0) + 1
            if x not in seen:
                seen.append(x)
    nodes, ready = [], [root]
    while ready:
        node = ready.pop()
        nodes.append(node)
        for x in node.inputs:
            users[x] -= 1
            if users[x] == 0:
                ready.append(x)
    return nodes[::-1]
"""
    ),
    right(
        """def order(root, seen=None):
    seen = {} if seen is None else seen
    for x in root.inputs:
        if x not in seen:
            order(x, seen)
    seen[root] = True
    return tuple(seen)
"""
    ),
    right(
        """def order(root):
    done, stack = [], [(root, False)]
    while stack:
        node, ready = stack.pop()
        if node in done:
            continue
        if ready:
            done.append(node)
        else:
            stack.append((node, True))
            stack += [(x, False) for x in node.inputs]
    return done
"""
    ),
    right(
        """def order(root):
    below, found = [root], {id(root)}
    for node in below:
        for x in node.inputs:
            if id(x) not in found:
                found.add(id(x))
                below.append(x)
    nodes = []
    while len(nodes) < len(below):
        for node in below:
            if node not in nodes and all(x in nodes for x in node.inputs):
                nodes.append(node)
    return nodes
"""
    ),
    right(
        """def order(root):
    depths = {}

    def depth(node):
        if node not in depths:
            depths[node] = max([depth(x) + 1 for x in node.inputs], default=0)
        return depths[node]

    depth(root)
    return sorted(depths, key=depths.get)
"""
    ),
)


def walked(body: str, told: str, first: str = "root.grad = 1.0") -> Answer:
    """A wrong backward that walks as the solution does."""
    return wrong(
        f"""def backward(root):
    {first}
    for node in reversed(order(root)):
        for x, slope in zip(node.inputs, node.local):
            {body}
""",
        told=told,
    )


SHARE = "x.grad += node.grad * slope"
BACKWARD = (
    edit("x.grad +=", "x.grad =", told="= for +="),
    edit("    root.grad = 1.0\n", "", told="set the root's to 1 first"),
    edit("root.grad = 1.0", "root.grad = root.value", told="not its value"),
    edit("reversed(order(root))", "order(root)", told="from its END"),
    walked("x.grad += slope", "the user's gradient"),
    walked("x.grad += node.grad", "the local slope"),
    walked("x.grad += node.grad + slope", "multiplied, not added"),
    walked("x.grad += node.grad * x.value", "it is not the input's value"),
    walked("x.grad += node.grad * slope * x.value", "not part of the rule"),
    walked("x.grad += node.value * slope", "not its gradient"),
    walked("x.grad -= node.grad * slope", "not -="),
    walked("x.grad *= node.grad * slope", "only the root has a grad"),
    walked("node.grad += x.grad * slope", "only the root has a grad"),
    walked("grad = x.grad + node.grad * slope", "only the root has a grad"),
    walked("x.grad.append(node.grad * slope)", "raised AttributeError"),
    walked("x.grad += node.grads * slope", "raised AttributeError"),
    walked("x.value += node.grad * slope", "the graph itself was changed"),
    walked(f"{SHARE}\n        return", "from its END"),
    walked(f"{SHARE}\n            break", "not only the first"),
    walked(
        SHARE,
        "only the root's grad begins at 1",
        first="""for node in order(root):
        node.grad = 1.0""",
    ),
    edit("node.local, strict=True", "node.local[::-1]", told="in the wrong order"),
    wrong(
        """def backward(root):
    for node in reversed(order(root)):
        node.grad = 1.0
        for x, slope in zip(node.inputs, node.local):
            x.grad += node.grad * slope
""",
        told="only the root's grad is set to 1",
    ),
    wrong(
        """def backward(root):
    root.grad = 1.0
    for node in order(root)[::-1]:
        for x in set(node.inputs):
            x.grad += node.grad * node.local[node.inputs.index(x)]
""",
        told="gets two shares",
    ),
    wrong(
        """def backward(root):
    root.grad = 1.0
    for node in order(root).reverse():
        for x, slope in zip(node.inputs, node.local):
            x.grad += node.grad * slope
""",
        told="returns None",
    ),
    wrong(
        """def backward(root):
    root.grad = 1.0
    for node in order(root)[::-1]:
        (a, b), (slope_a, slope_b) = node.inputs, node.local
        a.grad += node.grad * slope_a
        b.grad += node.grad * slope_b
""",
        told="any number of inputs",
    ),
    edit("node.grad * slope", "node.grad * node.local[0]", told="slope of the first"),
    wrong(
        """def backward(root):
    for node in reversed(order(root)):
        for x, slope in zip(node.inputs, node.local):
            x.grad += node.grad * slope
    root.grad = 1.0
""",
        told="set it BEFORE the loop",
    ),
    wrong(
        """def backward(root):
    root.grad = 1.0

    def visit(node):
        for x, slope in zip(node.inputs, node.local):
            x.grad += node.grad * slope
            visit(x)

    visit(root)
""",
        told="passes its gradient on only when it is complete",
    ),
    wrong(
        """def backward(root):
    root.grad = 1.0
    queue, seen = [root], [root]
    while queue:
        node = queue.pop(0)
        for x, slope in zip(node.inputs, node.local):
            x.grad += node.grad * slope
            if x not in seen:
                seen.append(x)
                queue.append(x)
""",
        told="distance from the root is not a valid order",
    ),
    wrong(
        """def backward(root, g=1.0):
    root.grad += g
    for x, slope in zip(root.inputs, root.local):
        backward(x, g * slope)
""",
        told="go through order(root) once",
    ),
    wrong(
        """def backward(root):
    root.grad = 1.0
    for x, slope in zip(root.inputs, root.local):
        x.grad += root.grad * slope
""",
        told="through the whole order",
    ),
    wrong(
        """def backward(root):
    grads = {root: 1.0}
    for node in reversed(order(root)):
        for x, slope in zip(node.inputs, node.local):
            grads[x] = grads.get(x, 0.0) + grads[node] * slope
    return grads
""",
        told="every grad is 0 afterwards",
    ),
    wrong(
        """def backward(root):
    root.grad = torch.tensor(1.0)
    for node in reversed(order(root)):
        for x, slope in zip(node.inputs, node.local):
            x.grad += node.grad * slope
""",
        told="is not a number",
    ),
    wrong(
        """nodes_seen = set()


def backward(root):
    root.grad = 1.0
    for node in reversed(order(root)):
        for x, slope in zip(node.inputs, node.local):
            if (node.value, x.value) not in nodes_seen:
                x.grad += node.grad * slope
                nodes_seen.add((node.value, x.value))
""",
        told="value is not right",
    ),
    wrong(
        """called = []


def backward(root):
    root.grad = 1.0 if not called else 0.0
    called.append(root)
    for node in reversed(order(root)):
        for x, slope in zip(node.inputs, node.local):
            x.grad += node.grad * slope
""",
        told="value is not right",
    ),
    right(
        """def backward(root):
    nodes = order(root)
    for node in nodes:
        node.grad = 0
    root.grad = 1
    for node in nodes[::-1]:
        for i in range(len(node.inputs)):
            node.inputs[i].grad = node.inputs[i].grad + node.local[i] * node.grad
"""
    ),
    right(
        """def backward(root):
    grads = {root: 1.0}
    for node in reversed(order(root)):
        node.grad = grads[node]
        for x, slope in zip(node.inputs, node.local):
            grads[x] = grads.get(x, 0.0) + node.grad * slope
"""
    ),
    right(
        """def backward(root):
    nodes = list(order(root))
    root.grad += 1.0
    while nodes:
        node = nodes.pop()
        for x, slope in zip(node.inputs, node.local):
            x.grad += slope * node.grad
    return root
"""
    ),
    right(
        """def backward(root):
    nodes = order(root)
    for node in nodes[::-1]:
        node.grad = 1.0 if node is root else sum(
            user.grad * slope
            for user in nodes
            for x, slope in zip(user.inputs, user.local)
            if x is node
        )
"""
    ),
    right(
        """import numpy as np


def backward(root):
    nodes = order(root)
    place = {node: i for i, node in enumerate(nodes)}
    slopes = np.zeros((len(nodes), len(nodes)))
    for node in nodes:
        for x, slope in zip(node.inputs, node.local):
            slopes[place[x], place[node]] += slope
    last = np.zeros(len(nodes))
    last[-1] = 1.0
    grads = np.linalg.solve(np.eye(len(nodes)) - slopes, last)
    for node, grad in zip(nodes, grads):
        node.grad = float(grad)
"""
    ),
)

LOOP = """    for _ in range(steps):
        loss = (2 * w - 8) ** 2
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
        w.grad = None
"""

DESCEND = (
    edit("        w.grad = None\n", "", told="gradients add up"),
    edit("        w.grad = None\n", "    w.grad = None\n", told="gradients add up"),
    edit("w -= lr", "w += lr", told="uphill"),
    edit("w -= lr * w.grad", "w = w - lr * w.grad", told="makes a new"),
    edit("w -= lr * w.grad", "w -= w.grad", told="lr was ignored"),
    edit("w -= lr * w.grad", "w -= lr", told="value is not right"),
    edit("w -= lr * w.grad", "w -= 0.1 * w.grad", told="not always 0.1"),
    edit("w -= lr * w.grad", "w -= lr * loss", told="not the loss"),
    edit("w -= lr * w.grad", "w -= w.grad / lr", told="divides by"),
    edit("range(steps)", "range(steps - 1)", told="one step too few"),
    edit("range(steps)", "range(steps + 1)", told="one step too many"),
    edit("        w.grad = None\n", "        return w\n", told="only one step"),
    edit(
        "        with torch.no_grad():\n            w -= lr * w.grad",
        "        w -= lr * w.grad",
        told="with torch.no_grad()",
    ),
    edit(
        "        loss.backward()\n        with torch.no_grad():\n            w -=",
        "        with torch.no_grad():\n            loss.backward()\n            w +=",
        told="uphill",
    ),
    edit("** 2", "** 1", told="the square is missing"),
    edit("(2 * w - 8) ** 2", "2 * (w - 4) ** 2", told="value is not right"),
    edit("        loss.backward()\n", "", told="call backward before"),
    edit(
        "        loss.backward()\n        with torch.no_grad():\n"
        "            w -= lr * w.grad\n        w.grad = None\n",
        "        loss.backward()\n        w.grad = None\n        with torch.no_grad():\n"
        "            w -= lr * w.grad\n",
        told="w.grad is reset before it is used",
    ),
    edit(
        "    for _ in range(steps):\n        loss = (2 * w - 8) ** 2\n",
        "    loss = (2 * w - 8) ** 2\n    for _ in range(steps):\n",
        told="again in each step",
    ),
    edit(
        "    for _ in range(steps):\n        loss = (2 * w - 8) ** 2\n"
        "        loss.backward()",
        "    loss = (2 * w - 8) ** 2\n    for _ in range(steps):\n"
        "        loss.backward(retain_graph=True)",
        told="uses the slope of the start",
    ),
    edit(
        "        loss = (2 * w - 8) ** 2\n        loss.backward()\n"
        "        with torch.no_grad():\n            w -= lr * w.grad\n",
        "        with torch.no_grad():\n            loss = (2 * w - 8) ** 2\n"
        "            loss.backward()\n            w -= lr * w.grad\n",
        told="inside no_grad nothing is recorded",
    ),
    edit(
        "        with torch.no_grad():\n            w -= lr * w.grad",
        "        w.requires_grad = False\n        w -= lr * w.grad",
        told="no longer a leaf that requires gradients",
    ),
    edit(
        "        w.grad = None\n",
        "        if _ < steps - 1:\n            w.grad = None\n",
        told="gradient is left behind",
    ),
    wrong(
        """def descend(w, steps, lr):
    for _ in range(steps):
        w.value -= lr * 8 * (w.value - 4)
""",
        told="a tensor, not a Node",
    ),
    wrong(
        """def descend(w, steps, lr):
    w = w.item()
    for _ in range(steps):
        w -= lr * 8 * (w - 4)
    return w
""",
        told="w itself never moved",
    ),
    wrong(
        """def descend(w, steps, lr):
    w = w.detach()
    for _ in range(steps):
        loss = (2 * w - 8) ** 2
        loss.backward()
        w -= lr * w.grad
""",
        told="raised RuntimeError",
    ),
    wrong(
        """def descend(w, steps, lr):
    with torch.no_grad():
        for _ in range(steps):
            w -= lr * 8 * (w - 4)
""",
        told="slope does not come from autograd",
    ),
    wrong(
        """def descend(w, steps, lr):
    with torch.no_grad():
        for _ in range(steps):
            w -= lr * 4 * (w - 4)
""",
        told="the inner 2 is missing",
    ),
    wrong(
        """def descend(w, steps, lr):
    if steps:
        with torch.no_grad():
            w.fill_(4.0)
""",
        told="value is not right",
    ),
    wrong(
        """def descend(w, steps, lr):
    loss = (2 * w - 8) ** 2
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
    w.grad = None
""",
        told="one step",
    ),
    right(
        """def descend(w, steps, lr):
    while steps > 0:
        ((2 * w - 8) ** 2).backward()
        w.data -= lr * w.grad
        w.grad = None
        steps -= 1
    return w
"""
    ),
    right(
        """def descend(w, steps, lr):
    for _ in range(steps):
        if w.grad is not None:
            w.grad.zero_()
        loss = (2 * w - 8) * (2 * w - 8)
        loss.backward()
        with torch.no_grad():
            w.sub_(w.grad, alpha=lr)
    w.grad = None
"""
    ),
    right(
        """@torch.no_grad()
def move(w, lr):
    w.copy_(w - lr * w.grad)
    w.grad.zero_()


def descend(w, steps, lr):
    for _ in range(steps):
        loss = 4 * (w - 4) ** 2
        loss.backward()
        move(w, lr)
"""
    ),
    right(
        """def descend(w, steps, lr):
    for _ in range(steps):
        (slope,) = torch.autograd.grad((2 * w - 8).square(), w)
        with torch.no_grad():
            w += -lr * slope
"""
    ),
    right(
        """def descend(w, steps, lr):
    for _ in range(steps):
        loss = torch.pow(2 * w - 8, 2)
        loss.backward()
        w.detach().sub_(lr * w.grad)
        w.grad = None
"""
    ),
)


def td(expression: str, told: str) -> Answer:
    """A wrong td_loss of one expression."""
    return wrong(f"def td_loss(v, r, v_next):\n    return {expression}\n", told=told)


TARGET = (
    td("(v - (r + 0.9 * v_next)) ** 2", "missing detach"),
    td("(v - (r.detach() + 0.9 * v_next)) ** 2", "r is a plain number"),
    td("(v.detach() - (r + 0.9 * v_next)) ** 2", "or the wrong one"),
    td("((v - (r + 0.9 * v_next)) ** 2).detach()", "too much was cut off"),
    td("(v - (r + 0.9 * v_next)).detach() ** 2", "too much was cut off"),
    td("((v - (r + 0.9 * v_next)) ** 2).item()", "has no history"),
    td("(v.item() - (r + 0.9 * v_next.item())) ** 2", "has no history"),
    td("v - (r + 0.9 * v_next).detach()", "forgot the square"),
    td("(v - (r + 0.9 * v_next).detach()).abs()", "not the absolute value"),
    td("(v - (r + v_next.detach())) ** 2", "not discounted"),
    td("(v - 0.9 * (r + v_next.detach())) ** 2", "only v_next is discounted"),
    td("(v - (0.9 * r + v_next.detach())) ** 2", "0.9 belongs to v_next"),
    td("(v - (r + 0.9 + v_next.detach())) ** 2", "it is not added"),
    td("(v - r + 0.9 * v_next.detach()) ** 2", "brackets are missing"),
    td("(v - 0.9 * v_next.detach()) ** 2", "r is missing"),
    td("(v - r) ** 2", "v_next is missing"),
    td("0.5 * (v - (r + 0.9 * v_next.detach())) ** 2", "no 1/2"),
    td("(v - (r + 0.99 * v_next.detach())) ** 2", "not another number"),
    td("2 * (v - (r + 0.9 * v_next.detach()))", "the gradient, not the loss"),
    td("v ** 2 - (r + 0.9 * v_next.detach()) ** 2", "not its parts"),
    td("(v_next - (r + 0.9 * v.detach())) ** 2", "are swapped"),
    td(
        "(v - (r + 0.9 * v_next).detach()) * (v.detach() - (r + 0.9 * v_next).detach())",
        "half of it",
    ),
    td("(v - (r + 0.9 * v_next.detach_())) ** 2", "was changed"),
    td("(v - (r + 0.9 * v_next.requires_grad_(False))) ** 2", "was changed"),
    wrong(
        """def td_loss(v, r, v_next):
    target = r + 0.9 * v_next
    target.detach()
    return (v - target) ** 2
""",
        told="`target.detach()` returns a new tensor, and nothing keeps it",
    ),
    wrong(
        """def td_loss(v, r, v_next):
    with torch.no_grad():
        return (v - (r + 0.9 * v_next)) ** 2
""",
        told="too much was cut off",
    ),
    wrong(
        """def td_loss(v, r, v_next):
    target = (r + 0.9 * v_next).detach()
    loss = (v - target) ** 2
    loss.backward()
    return loss
""",
        told="before loss.backward()",
    ),
    wrong(
        """def td_loss(v, r, v_next):
    loss = (v - (r + 0.9 * v_next)) ** 2
    v_next.grad = None
    return loss
""",
        told="missing detach",
    ),
    wrong(
        """def td_loss(v, r, v_next):
    target = (r + 0.9 * v_next).detach()
    (v - target) ** 2
""",
        told="is a return missing",
    ),
    wrong(
        """def td_loss(v, r, v_next):
    target = torch.tensor(r + 0.9 * v_next.item())
    loss = (v.item() - target.item()) ** 2
    return torch.tensor(loss, requires_grad=True)
""",
        told="or the wrong one",
    ),
    right(
        """def td_loss(v, r, v_next):
    with torch.no_grad():
        target = r + 0.9 * v_next
    return (v - target).square()
"""
    ),
    right(
        """def td_loss(v, r, v_next):
    error = r + 0.9 * v_next.detach() - v
    return error * error
"""
    ),
    right(
        """def td_loss(v, r, v_next):
    return (v - (r + 0.9 * v_next.item())) ** 2
"""
    ),
    right(
        """def td_loss(v, r, v_next, discount=0.9):
    target = r + discount * float(v_next.detach())
    return torch.nn.functional.mse_loss(v, torch.full_like(v, target).detach())
"""
    ),
    right(
        """def td_loss(v, r, v_next):
    next_value = v_next.clone().detach()
    loss = (v - r - 0.9 * next_value) ** 2
    return loss.mean()
"""
    ),
)

MORE_RULES = (
    wrong(
        """def mul_backward(g, a, b):
    return g * b, g * a
def exp_backward(g, y):
    x = torch.tensor(y).log().requires_grad_()
    x.exp().backward()
    return g * x.grad
""",
        told="grad does what you are to write",
    ),
    wrong(
        """def mul_backward(g, a, b):
    g *= b
    return g, g / b * a
def exp_backward(g, y):
    return g * y
""",
        told="raised ZeroDivisionError",
    ),
    wrong(
        """def mul_backward(g, a, b):
    return g * b, g * a
def exp_backward(g, y):
    return y ** g
""",
        told="g is a factor, not a power",
    ),
    wrong(
        """def mul_backward(g, a, b):
    return int(g * b), int(g * a)
def exp_backward(g, y):
    return g * y
""",
        told="digits behind the point were cut off, by",
    ),
    wrong(
        """def mul_backward(g, a, b):
    return g * b, g * a
def exp_backward(g, y):
    return round(g * y, 2)
""",
        told="rounded to 2 digits: return the number",
    ),
    wrong(
        """def mul_backward(g, a, b):
    return abs(g) * b, abs(g) * a
def exp_backward(g, y):
    return g * y
"""
    ),
    wrong(
        """saved = []
def mul_backward(g, a, b):
    saved.append(g)
    return sum(saved) * b, sum(saved) * a
def exp_backward(g, y):
    return g * y
""",
        told="something outside the function is changed,",
    ),
    wrong(
        """def exp_backward(g, a, b):
    return g * b, g * a
def mul_backward(g, y):
    return g * y
""",
        told="the parameters are those of the statement:",
    ),
    wrong(
        """def mul_backward(g, a, b):
    return g * b, g * a
def exp_backward(g, y):
    return g * (y - 1)
""",
        told="the exponential is its own derivative:",
    ),
    wrong(
        """def mul_backward(g, a, b):
    return (g * b,), (g * a,)
def exp_backward(g, y):
    return g * y
""",
        told="there is a dimension of size 1 too many, at",
    ),
    wrong(
        """def mul_backward(g, a, b):
    return f"{g * b}, {g * a}"
def exp_backward(g, y):
    return g * y
""",
        told="a text is not a number: no quotes, no",
    ),
    wrong(
        """def mul_backward(g, a, b):
    return g * b, g * a
def exp_backward(g, y):
    return g * y,
""",
        told="a comma at the end makes a tuple: leave it",
    ),
    right(
        """import numpy as np
def mul_backward(g, a, b):
    ga, gb = np.multiply(g, (b, a))
    return ga, gb
def exp_backward(g, y):
    return torch.tensor(g, dtype=torch.float64) * y
"""
    ),
    right(
        """def mul_backward(grad, x, y):
    dx = y * grad
    dy = x * grad
    return [dx, dy]
def exp_backward(grad, out):
    return out * grad
"""
    ),
    right(
        """import numpy as np
def mul_backward(g, a, b):
    return torch.stack([torch.tensor(g * b), torch.tensor(g * a)])
def exp_backward(g, y):
    return g * np.exp(np.log(y))
"""
    ),
    right(
        """def mul_backward(g, a, b):
    def local(): return b, a
    return tuple(g * s for s in local())
def exp_backward(g, y):
    def local(): return y
    return g * local()
"""
    ),
)

MORE_ORDER = (
    wrong(
        """def order(root):
    nodes, seen = [], set()
    def visit(n):
        if str(n.value) in seen: return
        seen.add(str(n.value))
        for x in n.inputs: visit(x)
        nodes.append(n)
    visit(root)
    return nodes
""",
        told="two nodes may have the same value: remember",
    ),
    wrong(
        """def order(root):
    nodes = []
    def visit(n):
        for x in n.inputs: visit(x)
        nodes.append(n)
    visit(root)
    return list(dict.fromkeys(nodes))
""",
        told="it follows every path: return at once from",
    ),
    wrong(
        """def order(root):
    depth = {}
    def visit(n, d):
        if n in depth: return
        depth[n] = d
        for x in n.inputs: visit(x, d + 1)
    visit(root, 0)
    return sorted(depth, key=lambda n: -depth[n])
""",
        told="distance from the root is not enough: a",
    ),
    wrong(
        """def order(root):
    seen = []
    def visit(n):
        if n in seen: return
        seen.append(n)
        for x in n.inputs: visit(x)
    visit(root)
    return [n for n in seen if not n.inputs] + [n for n in seen[::-1] if n.inputs]
""",
        told="the others have an order, too: leaves first",
    ),
    wrong(
        """import copy
def order(root):
    nodes, seen = [], set()
    def visit(n):
        if id(n) in seen: return
        seen.add(id(n))
        for x in n.inputs: visit(x)
        nodes.append(copy.copy(n))
    visit(root)
    return nodes
""",
        told="that is a copy: list the nodes themselves",
    ),
    wrong(
        """def order(root):
    seen = set()
    def visit(n):
        if n in seen: return
        seen.add(n)
        for x in n.inputs: visit(x)
        print(n)
    visit(root)
""",
        told="returned None: is a return missing?",
    ),
    wrong(
        """def order(root):
    nodes, seen = [], set()
    def visit(n):
        if n in seen: return
        seen.add(n)
        for x in n.inputs: visit(x)
        nodes.append(repr(n))
    visit(root)
    return nodes
""",
        told="those are texts: list the nodes themselves",
    ),
    right(
        """def order(root):
    nodes = []
    def visit(n):
        for x in n.inputs:
            if x not in nodes:
                visit(x)
        nodes.append(n)
    visit(root)
    return nodes
"""
    ),
    wrong(
        """def order(root):
    nodes = []
    stack = [root]
    while stack:
        n = stack[-1]
        for x in n.inputs:
            if x not in nodes:
                stack.append(x)
        nodes.append(n)
    return nodes
""",
        told="`while stack` stays true",
    ),
    wrong(
        """def order(root):
    nodes = []
    def visit(n):
        if hasattr(n, "done"): return
        n.done = True
        for x in n.inputs: visit(x)
        nodes.append(n)
    visit(root)
    return nodes
""",
        told="the visited nodes are kept from call to",
    ),
    wrong(
        """def order(root):
    seen = set()
    def visit(n):
        seen.add(n)
        for x in n.inputs:
            if x not in seen: visit(x)
    visit(root)
    return sorted(seen, key=lambda n: n.value)
""",
        told="a node's value does not say when it was",
    ),
    wrong(
        """def order(root):
    nodes = []
    def visit(n):
        if n in nodes: return
        for x in n.inputs: visit(x)
        n.inputs = ()
        nodes.append(n)
    visit(root)
    return nodes
""",
        told="the graph itself was changed",
    ),
    right(
        """def order(root):
    seen = set()
    def walk(n):
        if n in seen: return
        seen.add(n)
        for x in n.inputs:
            yield from walk(x)
        yield n
    return [*walk(root)]
"""
    ),
    right(
        """def order(root):
    out = []
    done = {}
    def go(n):
        if done.get(id(n)): return
        done[id(n)] = True
        for i in range(len(n.inputs) - 1, -1, -1):
            go(n.inputs[i])
        out.append(n)
    go(root)
    return out
"""
    ),
    right(
        """from graphlib import TopologicalSorter
def order(root):
    deps = {}
    pending = [root]
    while pending:
        n = pending.pop()
        if n not in deps:
            deps[n] = set(n.inputs)
            pending.extend(n.inputs)
    return list(TopologicalSorter(deps).static_order())
"""
    ),
    right(
        """class Walker:
    def __init__(self):
        self.nodes = []
        self.seen = set()
    def visit(self, n):
        if n not in self.seen:
            self.seen.add(n)
            for x in n.inputs:
                self.visit(x)
            self.nodes.append(n)
def order(root):
    w = Walker()
    w.visit(root)
    return w.nodes
"""
    ),
)

MORE_BACKWARD = (
    wrong(
        """def backward(root):
    root.grad = 1
    for node in reversed(order(root)):
        for x, s in zip(node.inputs, node.local):
            x.grad = max(x.grad, node.grad * s)
"""
    ),
    wrong(
        """def backward(root):
    root.grad = 1.0
    for node in reversed(order(root)):
        for x in node.inputs:
            x.grad = 0.0
        for x, s in zip(node.inputs, node.local):
            x.grad += node.grad * s
"""
    ),
    wrong(
        """def backward(root):
    root.grad = 1.0
    for node in order(root)[:-1][::-1]:
        for x, s in zip(node.inputs, node.local):
            x.grad += node.grad * s
""",
        told="only the root has a grad: set it BEFORE the",
    ),
    wrong(
        """def backward(root):
    grads = {root: 1.0}
    for node in reversed(order(root)):
        for x, s in zip(node.inputs, node.local):
            grads[x] = grads.get(x, 0) + grads[node] * s
    for node in order(root):
        if not node.inputs:
            node.grad = grads[node]
""",
        told="every node keeps its grad, not only the",
    ),
    wrong(
        """def backward(root):
    root.grad = 1.0
    for node in reversed(order(root)):
        for x, s in zip(node.inputs, node.local):
            x.grad += node.grad * s
        if node.inputs:
            node.grad = 0.0
""",
        told="every node keeps its grad, not only the",
    ),
    wrong(
        """def backward(root):
    for node in reversed(order(root)):
        node.grad += 1.0
        for x, s in zip(node.inputs, node.local):
            x.grad += node.grad * s
""",
        told="only the root's grad begins at 1, the",
    ),
    wrong(
        """def backward(root):
    root.grad = 1.0
    for node in reversed(order(root)):
        for x, s in zip(node.inputs, node.local):
            x.grad += node.grad * s / len(node.inputs)
""",
        told="an input gets its whole share: nothing is",
    ),
    wrong(
        """def backward(root):
    root.grad = 1.0
    for node in reversed(order(root)):
        for x, s in zip(node.inputs, node.local):
            if x.grad == 0:
                x.grad = node.grad * s
""",
        told="= for +=: only one of several uses was",
    ),
    wrong(
        """def backward(root):
    root.grad = 1.0
    for node in reversed(order(root)):
        for x, s in zip(node.inputs, node.local):
            x.grad += node.grad * node.value
""",
        told="local has the slope already: it is not the",
    ),
    wrong(
        """def backward(root):
    root.grad = [1.0]
    for node in reversed(order(root)):
        for x, s in zip(node.inputs, node.local):
            x.grad += node.grad[0] * s
""",
        told="raised TypeError",
    ),
    right(
        """import numpy as np
def backward(root):
    nodes = order(root)
    root.grad = np.float64(1.0)
    for node in nodes[::-1]:
        for i, x in enumerate(node.inputs):
            x.grad = x.grad + np.multiply(node.grad, node.local[i])
"""
    ),
    right(
        """import numpy as np
def backward(root):
    root.grad = 1.0
    seq = order(root)
    seq.reverse()
    for node in seq:
        any(x.__setattr__("grad", x.grad + node.grad * s) for x, s in zip(node.inputs, node.local))
"""
    ),
    right(
        """def backward(root):
    root.grad = 1
    pending = order(root)
    for k in range(len(pending) - 1, -1, -1):
        n = pending[k]
        k2 = 0
        while k2 < len(n.inputs):
            n.inputs[k2].grad += n.local[k2] * n.grad
            k2 += 1
    return None
"""
    ),
    right(
        """def backward(root):
    seen, topo = set(), []
    def build(v):
        if v not in seen:
            seen.add(v)
            for child in v.inputs:
                build(child)
            topo.append(v)
    build(root)
    root.grad = 1.0
    for v in reversed(topo):
        for c, d in zip(v.inputs, v.local):
            c.grad += d * v.grad
"""
    ),
)

MORE_DESCEND = (
    wrong(
        """def descend(w, steps, lr):
    for _ in range(steps):
        loss = (2 * w - 8) ** 2
        loss.backward()
        w.grad.zero_()
        with torch.no_grad():
            w -= lr * w.grad
""",
        told="w itself never moved: change it in place,",
    ),
    wrong(
        """def descend(w, steps, lr):
    opt = torch.optim.SGD([w], lr=lr)
    for _ in range(steps):
        loss = (2 * w - 8) ** 2
        loss.backward()
        opt.step()
""",
        told="w.grad was not reset: gradients add up over",
    ),
    wrong(
        """def descend(w, steps, lr):
    for _ in range(steps):
        loss = (2 * w - 8) ** 2
        loss.backward()
        with torch.no_grad():
            w = w - lr * w.grad
        w.requires_grad_()
""",
        told="w itself never moved: change it in place,",
    ),
    wrong(
        """def descend(w, steps, lr):
    for _ in range(steps):
        loss = 2 * w ** 2 - 8
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
        w.grad = None
""",
        told="the brackets belong around 2w - 8: the",
    ),
    wrong(
        """def descend(w, steps, lr):
    while True:
        loss = (2 * w - 8) ** 2
        if loss < 1e-8: break
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
        w.grad = None
""",
        told="w is at the bottom whatever `steps` is:",
    ),
    wrong(
        """def descend(w, steps, lr):
    for _ in range(steps):
        loss = (2 * w - 8) ** 2
        loss.backward()
        w.requires_grad_(False)
        w -= lr * w.grad
        w.grad = None
""",
        told="requires_grad = False stays: no_grad() ends",
    ),
    wrong(
        """def descend(w, steps, lr):
    a = w.detach().numpy()
    for _ in range(steps):
        a -= lr * 8 * (a - 4)
""",
        told="the values are right, but the slope does",
    ),
    wrong(
        """def descend(w, steps, lr):
    x = 1.0
    for _ in range(steps):
        x -= lr * 8 * (x - 4)
    w.data.fill_(x)
"""
    ),
    wrong(
        """def descend(w, steps, lr):
    loss = (2 * w - 8) ** 2
    loss.backward()
    for _ in range(steps):
        with torch.no_grad():
            w -= lr * w.grad
        w.grad = None
        loss = (2 * w - 8) ** 2
        loss.backward()
""",
        told="set w.grad to None after the last step, too",
    ),
    wrong(
        """def descend(w, steps, lr):
    for i in range(steps):
        loss = (2 * w - 8) ** 2
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad / (i + 1)
        w.grad = None
"""
    ),
    wrong(
        """def descend(w, steps, lr):
    with torch.no_grad():
        w.copy_(4 + (w - 4) * (1 - 8 * lr) ** steps)
""",
        told="the values are right, but the slope does",
    ),
    right(
        """def descend(w, steps, lr):
    opt = torch.optim.SGD([w], lr=lr)
    for _ in range(steps):
        opt.zero_grad()
        loss = (2 * w - 8) ** 2
        loss.backward()
        opt.step()
    opt.zero_grad()
"""
    ),
    right(
        """def descend(w, steps, lr):
    f = lambda w: (2 * w - 8).pow(2).sum()
    for step in range(steps):
        f(w).backward()
        with torch.no_grad():
            w.add_(w.grad, alpha=-lr)
        w.grad.zero_()
"""
    ),
    right(
        """def descend(w, steps, lr):
    for step in range(steps):
        y = 2 * w - 8
        (y * y).backward()
        torch.set_grad_enabled(False)
        w -= w.grad * lr
        torch.set_grad_enabled(True)
        del w.grad
"""
    ),
    right(
        """def descend(w, steps, lr):
    for step in range(steps):
        loss = torch.square(2 * w - 8)
        loss.backward()
        with torch.no_grad():
            w[...] = w - lr * w.grad
            w.grad = None
"""
    ),
)

MORE_TARGET = (
    wrong(
        """def td_loss(v, r, v_next):
    return (v.data - (r + 0.9 * v_next)) ** 2
""",
        told="too much was detached, or the wrong one",
    ),
    wrong(
        """def td_loss(v, r, v_next):
    target = r + 0.9 * v_next
    target.requires_grad_(False)
    return (v - target) ** 2
""",
        told="v_next stays as it is: detach() makes a new",
    ),
    wrong(
        """gamma = 0.9
def td_loss(v, r, v_next):
    global gamma
    loss = (v - (r + gamma * v_next.detach())) ** 2
    gamma *= 0.9
    return loss
"""
    ),
    wrong(
        """def td_loss(v, r, v_next):
    with torch.no_grad():
        target = r + 0.9 * v_next
    return (v - target).abs() ** 2 + 0 * v_next
""",
        told="missing detach",
    ),
    wrong(
        """def td_loss(v, r, v_next):
    torch.set_grad_enabled(False)
    target = r + 0.9 * v_next
    return (v - target) ** 2
""",
        told="set_grad_enabled(...) stays in force after",
    ),
    wrong(
        """def td_loss(v, r, v_next):
    with torch.no_grad():
        v -= r + 0.9 * v_next
    return v ** 2
""",
        told="v itself was changed",
    ),
    wrong(
        """def td_loss(v, r, v_next):
    target = (r + 0.9 * v_next).detach()
    return (v - target) ** 2, target
"""
    ),
    wrong(
        """def td_loss(v, r, v_next):
    return ((v - (r + 0.9 * v_next).detach()) ** 2).sqrt()
""",
        told="the square, not the absolute value",
    ),
    wrong(
        """def td_loss(v, r, v_next):
    return (v.detach().numpy() - (r + 0.9 * v_next.detach().numpy())) ** 2
""",
        told="too much was cut off: only the target is a",
    ),
    wrong(
        """def td_loss(v, r, v_next):
    return torch.nn.functional.smooth_l1_loss(v, (r + 0.9 * v_next).detach())
""",
        told="the square, however large the difference:",
    ),
    wrong(
        """def td_loss(v, r, v_next):
    return torch.nn.functional.mse_loss(v, r + 0.9 * v_next)
""",
        told="missing detach",
    ),
    right(
        """def td_loss(v, r, v_next):
    return (v - (r + 0.9 * v_next.data)) ** 2
"""
    ),
    right(
        """def td_loss(v, r, v_next):
    t = r + 0.9 * v_next.detach().numpy()
    return (v - torch.as_tensor(t)).pow(2)
"""
    ),
    right(
        """def td_loss(v, r, v_next):
    return torch.nn.functional.mse_loss(v, (r + 0.9 * v_next).detach())
"""
    ),
    right(
        """td_loss = lambda v, r, v_next: torch.square(torch.sub(v, r + 0.9 * v_next.tolist()))
"""
    ),
)

# Second thoughts of learners: causes that no earlier answer needed.
LATER = {
    "02.2": (
        wrong(
            """def order(root):
    return list(root.inputs) + [root]
""",
            told="the inputs have inputs, too: go on below them",
        ),
        wrong(
            """def order(root):
    return list(dict.fromkeys(root.inputs))
""",
            told="the inputs have inputs, too: go on below them",
        ),
    ),
    "02.1": (
        wrong(
            """def mul_backward(g, a, b):
    a.grad = g * b
    b.grad = g * a


def exp_backward(g, y):
    return g * y
""",
            told="a plain number",
        ),
        wrong(
            """def mul_backward(g, a, b):
    return {'a': g * b, 'b': g * a}


def exp_backward(g, y):
    return g * y
""",
            told="a dictionary is not a tuple",
        ),
        wrong(
            """def mul_backward(g, a, b):
    return g * b, g * a


def exp_backward(g, y):
    return g * y * (1 - y)
""",
            told="rule of the sigmoid",
        ),
    ),
    "02.4": (
        edit("range(steps)", "range(5)", told="always 5 steps, as in path_of"),
        wrong(
            """def descend(w, steps, lr):
    for _ in range(steps):
        loss = (2 * w - 8) ** 2
        loss.backward()
        with torch.no_grad():
            w.grad = None
            w -= lr * w.grad
""",
            told="w.grad is reset before it is used",
        ),
        wrong(
            """def descend(w, steps, lr):
    for _ in range(steps):
        loss = (2 * w - 8) ** 2
        with torch.no_grad():
            w -= lr * w.grad
        loss.backward()
        w.grad = None
""",
            told="w.grad is None: call backward before the update",
        ),
    ),
    "02.5": (
        wrong(
            """def td_loss(v, r, v_next):
    v_next.requires_grad_(False)
    return (v - (r + 0.9 * v_next)) ** 2
""",
            told="act in place",
        ),
        wrong(
            """def td_loss(v, r, v_next):
    loss = (v - (r + 0.9 * v_next)) ** 2
    loss.backward()
    v_next.grad = None
    return loss
""",
            told="leave it to the caller",
        ),
        wrong(
            """def td_loss(v, r, v_next):
    v_next.detach()
    return (v - (r + 0.9 * v_next)) ** 2
""",
            told="`v_next.detach()` returns a new tensor, and nothing keeps it",
        ),
    ),
    "02.3": (
        wrong(
            """def backward(root):
    root.grad = 1.0
    for node in reversed(order(root)):
        for i in range(2):
            node.inputs[i].grad += node.grad * node.local[i]
""",
            told="fewer parts than the code expects",
        ),
    ),
}

ANSWERS = {
    "02.1": RULES + MORE_RULES + LATER["02.1"],
    "02.2": ORDER + MORE_ORDER + LATER["02.2"],
    "02.3": BACKWARD + MORE_BACKWARD + LATER["02.3"],
    "02.4": DESCEND + MORE_DESCEND + LATER["02.4"],
    "02.5": TARGET + MORE_TARGET + LATER["02.5"],
}
