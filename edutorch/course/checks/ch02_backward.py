"""Chapter 2: gradients of a whole scalar graph, with known mistakes of backward."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from edutorch.course.compare import compare, need_function
from edutorch.course.failure import NOT_WRITTEN, CheckFailed

from .ch02_graphs import Graph, Node, graphs_of_one_try, ladder, run_on

__all__ = ["grade_backward"]

GRAD_RULE = "grad = the sum, over all uses, of (user's grad · local slope)"
SLOW = "it follows every path separately: go through order(root) once, from the end"
REPLACED = "= for +=: only one of several uses was counted"
KEPT = "something is kept from call to call: each graph must start fresh"

Grads = dict[Node, float]
Rule = Callable[[Graph], Grads]


def grade_backward(answer: Any) -> None:
    """Run the answer on each graph and compare the gradients.

    Raises:
        CheckFailed: a gradient is not right, or `order` is not.
    """
    answer = need_function(answer, "backward")
    try:
        _grade(answer)
    except CheckFailed as failure:
        blamed = _blame_order(answer, failure)
        raise blamed from failure.__cause__


def _grade(answer: Callable[..., Any]) -> None:
    seen: list[tuple[Graph, Grads]] = []
    failed: CheckFailed | None = None
    for graph in [*graphs_of_one_try(), *graphs_of_one_try()[:2]]:
        try:
            grads, called = _sent(answer, graph)
        except CheckFailed:
            if failed:
                break  # the first failure says more
            raise
        seen.append((graph, grads))
        failed = failed or _difference(graph, called)
    if failed:
        failed.mistake = _find_mistake(seen)
        raise failed
    graph = ladder()
    failed = _difference(graph, _sent(answer, graph)[1])
    if failed:
        raise failed


def _sent(answer: Callable[..., Any], graph: Graph) -> tuple[Grads, str]:
    """Every gradient after a call, which must be a number, and the call as code."""
    _, called = run_on(answer, graph, "backward", rule=GRAD_RULE, slow=SLOW)
    for node in [*graph.nodes, *graph.others]:
        if not isinstance(node.grad, (int, float)):
            raise CheckFailed(
                f"{node}.grad is not a number",
                called=called,
                got=f"{node.grad!r}, a {type(node.grad).__name__}",
                rule=GRAD_RULE,
            )
    grads = {node: float(node.grad) for node in [*graph.nodes, *graph.others]}
    return grads, called


def _difference(graph: Graph, called: str) -> CheckFailed | None:
    """The first wrong gradient, starting at the root."""
    right = _right(graph)
    try:
        for node in [*reversed(graph.nodes), *graph.others]:
            then = f"{called}; then {node}.grad"
            compare(float(node.grad), right[node], rule=GRAD_RULE, called=then)
    except CheckFailed as failure:
        return failure
    return None


def _find_mistake(seen: Sequence[tuple[Graph, Grads]]) -> str:
    """The only mistake that explains every gradient."""
    found = []
    for words, made in _MISTAKES.items():
        telling = 0
        for graph, got in seen:
            would = made(graph)
            if not _near(got, would):
                break
            telling += not _near(would, _right(graph))
        else:
            if telling >= 2:
                found.append(words)
    right = [_near(got, _right(graph)) for graph, got in seen]
    if not found and all(right[:2]) and not all(right[-2:]):
        return KEPT
    if not found and all(_replaced(graph, got) for graph, got in seen):
        return REPLACED
    return found[0] if len(found) == 1 else ""


def _replaced(graph: Graph, got: Grads) -> bool:
    """Whether each gradient is the contribution of a single use: others are lost."""
    shares: dict[Node, list[float]] = {node: [] for node in graph.nodes[:-1]}
    for user in graph.nodes:
        for x, slope in zip(user.inputs, user.local, strict=True):
            shares[x].append(got[user] * slope)
    return got[graph.root] == 1 and all(
        any(math.isclose(got[x], share, abs_tol=1e-9) for share in those)
        for x, those in shares.items()
    )


def _near(a: Grads, b: Mapping[Node, float]) -> bool:
    return all(math.isclose(a[n], b[n], rel_tol=1e-6, abs_tol=1e-9) for n in a)


# ---- the learner's order


def _blame_order(answer: Callable[..., Any], failure: CheckFailed) -> CheckFailed:
    """The failure, unless it disappears with a right `order`."""
    names = getattr(answer, "__globals__", {})
    if "order" not in names:
        return failure
    unwritten = failure.what == NOT_WRITTEN
    try:
        with _right_order(names):
            _grade(answer)
    except CheckFailed as other:
        if not unwritten or other.what == NOT_WRITTEN:
            return failure
    what = "backward is right, but the order that it calls is not"
    if unwritten:
        what = "the order that backward calls is not written yet"
    return CheckFailed(
        what,
        called=failure.called,
        got=failure.got or failure.what,
        expected=failure.expected,
        rule=failure.rule,
        mistake="begin with order: check 02.2 says what is wrong with it",
    )


@contextmanager
def _right_order(names: dict[str, Any]) -> Iterator[None]:
    """A context in which the answer's `order` is replaced by a right one."""
    own = names.get("order")
    names["order"] = _order
    try:
        yield
    finally:
        names["order"] = own


def _order(root: Node) -> list[Node]:
    nodes: list[Node] = []

    def visit(node: Node) -> None:
        if node not in nodes:
            for x in node.inputs:
                visit(x)
            nodes.append(node)

    visit(root)
    return nodes


# ---- gradients, right and wrong


def _walk(
    graph: Graph,
    share: Callable[[Node, Grads, int], float],
    *,
    first: float | None = 1.0,
    start: float = 0.0,
    nodes: Callable[[list[Node]], list[Node]] = lambda nodes: nodes[::-1],
    inputs: Callable[[Node], list[int]] = lambda node: list(range(len(node.inputs))),
) -> Grads:
    """The gradients computed by one traversal; keyword arguments make known mistakes.

    Args:
        graph: the graph to traverse.
        share: the gradient that a node sends to its i-th input.
        first: the root's gradient; None leaves it unchanged.
        start: the initial value of every gradient.
        nodes: converts the topological order to the order of the traversal.
        inputs: the inputs of a node to which it sends a gradient.
    """
    grads = dict.fromkeys([*graph.nodes, *graph.others], start)
    if first is not None:
        grads[graph.root] = first
    for node in nodes(graph.nodes):
        for i in inputs(node):
            x = node.inputs[i]
            grads[x] += share(node, grads, i)
    return grads


def _share(node: Node, grads: Grads, i: int) -> float:
    return grads[node] * node.local[i]


def _right(graph: Graph) -> Grads:
    return _walk(graph, _share)


def _by(share: Callable[[Node, Grads, int], float]) -> Rule:
    return lambda graph: _walk(graph, share)


def _depth_first(graph: Graph) -> Grads:
    """A mistake: a node passes on its gradient whenever it receives a contribution."""
    grads = dict.fromkeys([*graph.nodes, *graph.others], 0.0)
    grads[graph.root] = 1.0

    def visit(node: Node) -> None:
        for x, slope in zip(node.inputs, node.local, strict=True):
            grads[x] += grads[node] * slope
            visit(x)

    visit(graph.root)
    return grads


def _breadth_first(graph: Graph) -> Grads:
    """A mistake: breadth-first, so that some nodes pass on an incomplete gradient."""
    seen, grads = [graph.root], dict.fromkeys([*graph.nodes, *graph.others], 0.0)
    grads[graph.root] = 1.0
    for node in seen:
        for x, slope in zip(node.inputs, node.local, strict=True):
            grads[x] += grads[node] * slope
            if x not in seen:
                seen.append(x)
    return grads


_MISTAKES: dict[str, Rule] = {
    "every grad is 0 afterwards: set the root's to 1 first": lambda graph: _walk(
        graph, _share, first=None
    ),
    "only the root has a grad: set it BEFORE the loop, and add to x.grad": (
        lambda graph: _walk(graph, lambda _node, _grads, _i: 0.0)
    ),
    "go through the whole order, from its END: users come before inputs": (
        lambda graph: _walk(graph, _share, nodes=lambda nodes: nodes)
    ),
    "forgot to multiply by the user's gradient": _by(
        lambda node, _grads, i: node.local[i]
    ),
    "forgot to multiply by the local slope": _by(lambda node, grads, _i: grads[node]),
    "slope and gradient are multiplied, not added": _by(
        lambda node, grads, i: grads[node] + node.local[i]
    ),
    "local has the slope already: it is not the input's value": _by(
        lambda node, grads, i: grads[node] * node.inputs[i].value
    ),
    "the input's value is not part of the rule": _by(
        lambda node, grads, i: grads[node] * node.local[i] * node.inputs[i].value
    ),
    "the node's value is not its gradient": _by(
        lambda node, _grads, i: node.value * node.local[i]
    ),
    "local[i] belongs to inputs[i]: they are in the wrong order": _by(
        lambda node, grads, i: grads[node] * node.local[-1 - i]
    ),
    "all inputs get the slope of the first": _by(
        lambda node, grads, _i: grads[node] * node.local[0]
    ),
    "all inputs get the slope of the last": _by(
        lambda node, grads, _i: grads[node] * node.local[-1]
    ),
    "follow ALL inputs of a node, not only the first": lambda graph: _walk(
        graph, _share, inputs=lambda node: [0][: len(node.inputs)]
    ),
    "follow ALL inputs of a node, not only the last": lambda graph: _walk(
        graph, _share, inputs=lambda node: [len(node.inputs) - 1][: len(node.inputs)]
    ),
    "the root's grad must be 1, not its value": lambda graph: _walk(
        graph, _share, first=graph.root.value
    ),
    "only the root's grad begins at 1, the others' at 0": lambda graph: {
        **_walk(graph, _share, start=1.0),
        **dict.fromkeys(graph.others, 0.0),
    },
    "a node passes its gradient on only when it is complete: use order": _depth_first,
    "distance from the root is not a valid order: use order(root)": _breadth_first,
    "an input that is used twice gets two shares": lambda graph: _walk(
        graph,
        _share,
        inputs=lambda node: [node.inputs.index(x) for x in dict.fromkeys(node.inputs)],
    ),
    "only the root's grad is set to 1; the others' come from their users": (
        lambda graph: {
            **dict.fromkeys(graph.nodes, 1.0),
            **dict.fromkeys(graph.others, 0.0),
        }
    ),
    "every node keeps its grad, not only the leaves": lambda graph: {
        node: 0.0 if node.inputs else grad for node, grad in _right(graph).items()
    },
    "an input gets its whole share: nothing is divided by the number of inputs": _by(
        lambda node, grads, i: _share(node, grads, i) / len(node.inputs)
    ),
    "local has the slope already: it is not the node's value": _by(
        lambda node, grads, _i: grads[node] * node.value
    ),
    "shares are added: +=, not -=": _by(lambda node, grads, i: -_share(node, grads, i)),
    "do not divide by a slope: multiply": _by(
        lambda node, grads, i: grads[node] / (node.local[i] or math.inf)
    ),
}
