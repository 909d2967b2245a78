"""Chapter 2: autograd on a scalar graph."""

from __future__ import annotations

from math import exp
from typing import Any

from edutorch.course.compare import (
    call,
    call_text,
    compare,
    expect,
    need_function,
    need_tuple,
)
from edutorch.course.exercise import Exercise
from edutorch.course.failure import CheckFailed
from edutorch.ops.create import tensor

__all__ = ["EXERCISES"]

ORDER_RULE = "every node once, and after all of its inputs"
GRAD_RULE = "grad = the sum, over all uses, of (user's grad x local slope)"
STEP_RULE = "each step: w <- w - lr · 8 (w - 4), the slope of (2w - 8)²"


class Node:
    """A scalar of the checks' own graphs; it has what the chapter's Node has."""

    def __init__(
        self,
        name: str,
        value: float,
        inputs: tuple[Node, ...] = (),
        local: tuple[float, ...] = (),
    ) -> None:
        self.name = name
        self.value = value
        self.inputs = inputs
        self.local = local
        self.grad = 0.0

    def __repr__(self) -> str:
        return self.name


def local_rules(answer: Any) -> None:
    """02.1: the backward rules of a product and of the exponential."""
    mul_backward, exp_backward = need_tuple(answer, "mul_backward, exp_backward")
    for g, a, b in ((1.0, 3.0, 4.0), (10.0, 3.0, 4.0), (2.5, -1.0, 0.5)):
        expect(
            need_function(mul_backward, "mul_backward"),
            g,
            a,
            b,
            want=(g * b, g * a),
            rule="∂L/∂a = g · b and ∂L/∂b = g · a, where g = ∂L/∂y",
            wrong={
                "forgot the incoming gradient g": (b, a),
                "∂y/∂a is the OTHER factor, b": (g * a, g * b),
                "g is multiplied, not added": (g + b, g + a),
            },
        )
    for g, x in ((1.0, 0.0), (3.0, 1.0), (-2.0, 0.5)):
        y = exp(x)
        expect(
            need_function(exp_backward, "exp_backward"),
            g,
            y,
            want=g * y,
            rule="y = exp(x) is its own derivative: ∂L/∂x = g · y",
            wrong={
                "forgot the incoming gradient g": y,
                "y is exp(x) already; do not take exp again": g * exp(y),
                "this is the rule of a power, not of exp": g * x * y,
            },
        )


def order(answer: Any) -> None:
    """02.2: the nodes of a graph, each after its inputs."""
    answer = need_function(answer, "order")
    for root, nodes in (_chain(), _diamond(), _ladder()):
        called = call_text(answer, (root,), {}) + f" where {_describe_graph(nodes)}"
        got = call(answer, root, called=called, rule=ORDER_RULE, want=nodes)
        _check_order(got, nodes, called)


def backward(answer: Any) -> None:
    """02.3: send gradients through a whole graph."""
    answer = need_function(answer, "backward")
    for root, nodes in (_chain(), _square(), _diamond(), _ladder()):
        called = call_text(answer, (root,), {}) + f" where {_describe_graph(nodes)}"
        right = _gradients(nodes)
        call(answer, root, called=called, rule=GRAD_RULE)
        for node in reversed(nodes):
            compare(
                node.grad,
                right[node.name],
                rule=GRAD_RULE,
                called=f"{called}; then {node}.grad",
                wrong=_wrong_gradients(node, nodes, right),
            )


def descend(answer: Any) -> None:
    """02.4: gradient descent on one number."""
    answer = need_function(answer, "descend")
    for start, steps, lr in ((1.0, 1, 0.1), (1.0, 2, 0.1), (-3.0, 5, 0.05)):
        w = tensor(start, requires_grad=True)
        called = f"descend(w, steps={steps}, lr={lr}) from w = {start}"
        call(answer, w, steps, lr, called=called, rule=STEP_RULE)
        compare(
            w,
            _descended(start, steps, lr),
            rule=STEP_RULE,
            called=called,
            tolerance=1e-4,
            wrong={
                "w itself never moved: change it in place, with -=": start,
                "w.grad was not set back: gradients add up over the steps": (
                    _descended(start, steps, lr, keep=1.0)
                ),
                "the step goes uphill: subtract": _descended(start, steps, -lr),
            },
        )
        if not (w.requires_grad and w.is_leaf):
            raise CheckFailed(
                "w is no longer a leaf that wants gradients",
                called=called,
                rule="update inside torch.no_grad(), so that no history is recorded",
            )


def td_loss(answer: Any) -> None:
    """02.5: a target that must not receive a gradient."""
    answer = need_function(answer, "td_loss")
    for value, reward, following in ((1.0, 0.5, 2.0), (-2.0, 3.0, 0.5)):
        v = tensor(value, requires_grad=True)
        v_next = tensor(following, requires_grad=True)
        error = value - (reward + 0.9 * following)
        called = f"td_loss(v={value}, r={reward}, v_next={following})"
        rule = "(v - (r + 0.9 · v_next))²"
        want = error**2
        loss = call(answer, v, reward, v_next, called=called, rule=rule, want=want)
        compare(
            loss,
            want,
            called=called,
            rule=rule,
            wrong={
                "forgot the square": error,
                "v_next was not discounted by 0.9": ((value - reward - following) ** 2),
            },
        )
        _backward_of(loss, called)
        _check_targets(v, v_next, 2 * error, called)


def _check_targets(v: Any, v_next: Any, right: float, called: str) -> None:
    if v.grad is None:
        raise CheckFailed(
            "v got no gradient",
            called=called,
            expected=f"v.grad = {right:.4g}",
            rule="detach the target alone; v stays in the graph",
            mistake="too much was detached",
        )
    if v_next.grad is not None and float(v_next.grad) != 0.0:
        raise CheckFailed(
            "the target got a gradient",
            called=called,
            got=f"v_next.grad = {float(v_next.grad):.4g}",
            expected="none",
            rule="the target is a constant: no gradient flows to v_next",
            mistake="missing detach",
        )
    compare(
        v.grad, right, rule="∂L/∂v = 2 (v - target)", called=f"{called}; then v.grad"
    )


def _backward_of(loss: Any, called: str) -> None:
    if not getattr(loss, "requires_grad", False):
        raise CheckFailed(
            "the loss has no history",
            called=called,
            got="requires_grad=False",
            expected="requires_grad=True",
            rule="stay with tensors: .item() and no_grad cut the graph",
        )
    loss.backward()


def _descended(w: float, steps: int, lr: float, keep: float = 0.0) -> float:
    """Where descent ends; `keep` is how much of the old gradient stays in w.grad."""
    slope = 0.0
    for _ in range(steps):
        slope = keep * slope + 8 * (w - 4)
        w -= lr * slope
    return w


def _check_order(got: Any, nodes: list[Node], called: str) -> None:
    rule, expected = ORDER_RULE, f"for example {nodes}"
    if not isinstance(got, (list, tuple)) or any(n not in nodes for n in got):
        raise CheckFailed(
            "expects a list of the graph's nodes",
            called=called,
            got=f"{got!r}, a {type(got).__name__}",
            expected=expected,
            rule=rule,
        )
    place = {node: i for i, node in enumerate(got)}
    missing = [node for node in nodes if node not in place]
    if missing:
        raise CheckFailed(
            f"{missing[0]} is missing",
            called=called,
            got=str(got),
            expected=expected,
            rule=rule,
            mistake="follow ALL inputs of a node, not only the first",
        )
    if len(got) > len(nodes):
        raise CheckFailed(
            "a node appears more than once",
            called=called,
            got=str(got),
            expected=expected,
            rule=rule,
            mistake="a node with two users is reached twice; remember what was seen",
        )
    for node in got:
        for x in node.inputs:
            if place[x] > place[node]:
                raise CheckFailed(
                    f"{node} stands before its input {x}",
                    called=called,
                    index=(place[node],),
                    got=str(got),
                    expected=expected,
                    rule=rule,
                    mistake=_order_mistake(list(got)),
                )


def _order_mistake(got: list[Node]) -> str:
    place = {node: i for i, node in enumerate(reversed(got))}
    backwards = all(place[x] < place[n] for n in got for x in n.inputs)
    if backwards:
        return "the list runs from the root to the leaves: turn it round"
    return "a node was listed when first seen; list it after its inputs are listed"


def _gradients(nodes: list[Node]) -> dict[str, float]:
    """Right gradients of the last node; `nodes` are in order already."""
    grads = dict.fromkeys((n.name for n in nodes), 0.0)
    grads[nodes[-1].name] = 1.0
    for node in reversed(nodes):
        for x, slope in zip(node.inputs, node.local, strict=True):
            grads[x.name] += grads[node.name] * slope
    return grads


def _wrong_gradients(
    node: Node, nodes: list[Node], right: dict[str, float]
) -> dict[str, float]:
    uses = [
        (right[user.name], slope)
        for user in nodes
        for x, slope in zip(user.inputs, user.local, strict=True)
        if x is node
    ]
    wrong = {"the root's grad must start at 1": 0.0}
    if len(uses) > 1:
        for g, slope in uses:
            wrong[f"= for +=: one use's share ({g * slope:g}) replaced the others"] = (
                g * slope
            )
    wrong["forgot to multiply by the user's gradient"] = sum(slope for _, slope in uses)
    wrong["forgot to multiply by the local slope"] = sum(g for g, _ in uses)
    # A dict keeps the last of equal keys; the values need not be distinct.
    return wrong


def _describe_graph(nodes: list[Node]) -> str:
    return ", ".join(f"{n} = f{tuple(n.inputs)}" for n in nodes if n.inputs)


def _chain() -> tuple[Node, list[Node]]:
    a = Node("a", 3.0)
    b = Node("b", 4.0)
    c = Node("c", 12.0, (a, b), (4.0, 3.0))
    d = Node("d", 24.0, (c,), (2.0,))
    return d, [a, b, c, d]


def _square() -> tuple[Node, list[Node]]:
    a = Node("a", 3.0)
    b = Node("b", 9.0, (a, a), (3.0, 3.0))
    return b, [a, b]


def _diamond() -> tuple[Node, list[Node]]:
    a = Node("a", 2.0)
    b = Node("b", 10.0, (a,), (5.0,))
    c = Node("c", 14.0, (a,), (7.0,))
    d = Node("d", 140.0, (b, c), (14.0, 10.0))
    return d, [a, b, c, d]


def _ladder() -> tuple[Node, list[Node]]:
    """Every node feeds the next two: a walk that forgets what it saw takes long."""
    nodes = [Node("n0", 1.0)]
    nodes.append(Node("n1", 2.0, (nodes[0],), (2.0,)))
    for i in range(2, 8):
        nodes.append(Node(f"n{i}", 1.0, (nodes[i - 1], nodes[i - 2]), (0.5, 3.0)))
    return nodes[-1], nodes


EXERCISES = (
    Exercise(
        "02.1",
        "backward of mul and exp",
        2,
        (
            "g says how much the loss changes per unit of y; multiply it by ∂y/∂a.",
            "y = a · b: if a grows by 1, y grows by b. And exp is its own derivative.",
        ),
        local_rules,
    ),
    Exercise(
        "02.2",
        "an order for the graph",
        2,
        (
            "Write a helper visit(node): visit its inputs first, then append the node.",
            "Keep a set of the nodes that were visited, and return at once for those.",
        ),
        order,
    ),
    Exercise(
        "02.3",
        "backward through the whole graph",
        2,
        (
            "Set root.grad = 1, then go through order(root) from the end.",
            "For each input x with slope s: x.grad += node.grad * s.",
        ),
        backward,
    ),
    Exercise(
        "02.4",
        "descend a parabola",
        1,
        (
            "A step: loss, loss.backward(), w -= lr * w.grad in no_grad, grad to None.",
            "w.grad adds up: set it back to None (or zero it) in every step.",
        ),
        descend,
    ),
    Exercise(
        "02.5",
        "a target without a gradient",
        1,
        (
            "The target is r + 0.9 · v_next. What cuts a tensor out of the graph?",
            ".detach() gives the same number without its history.",
        ),
        td_loss,
    ),
)
