"""Chapter 2: topological orders of a graph, and what is wrong with an order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from edutorch.course.compare import need_function, show
from edutorch.course.failure import CheckFailed
from edutorch.course.time_limits import TimeLimitExceeded, time_limit

from .ch02_graphs import SECONDS, Graph, Node, graphs_of_one_try, ladder, run_on

__all__ = ["ORDER_RULE", "grade_order", "is_order"]

ORDER_RULE = "every node once, and after all of its inputs"
SLOW = "it follows every path: return at once from a node that was visited before"
KEPT = "the visited nodes are kept from call to call: begin each call with an empty set"
ROOT_FIRST = "the list runs from the root to the leaves: reverse it"
BREADTH = (
    "distance from the root is not enough: a node may be near by one path and "
    "far by another"
)
COPIES = "that is a copy: list the nodes themselves"
LEAVES_FIRST = "the others have an order, too: leaves first is not enough"
BY_VALUE = "a node's value does not say when it was computed"
SHALLOW = "the inputs have inputs, too: go on below them, down to the leaves"
TOO_EARLY = "a node was listed when first seen; list it after its inputs are listed"

Order = Callable[[Node], list[Node]]


def grade_order(answer: Any) -> None:
    """Ask for the order of each graph, and of the first one twice.

    Raises:
        CheckFailed: an order is not right; the message says which node is misplaced.
    """
    answer = need_function(answer, "order")
    graphs = graphs_of_one_try()
    for i, graph in enumerate(graphs):
        got, called = _order_of(answer, graph)
        _compare(answer, graphs, got, graph, called)
        if i == 0:
            _check_second_call(answer, graph)
    _order_of(answer, ladder())


def is_order(got: Any, graph: Graph) -> bool:
    """Whether a list contains every node of a graph once, after its inputs."""
    if not isinstance(got, (list, tuple)) or len(got) != len(graph.nodes):
        return False
    if not all(isinstance(node, Node) for node in got):
        return False
    place = {node: i for i, node in enumerate(got)}
    return set(place) == set(graph.nodes) and all(
        place[x] < place[node] for node in graph.nodes for x in node.inputs
    )


def _order_of(answer: Callable[..., Any], graph: Graph) -> tuple[Any, str]:
    got, called = run_on(answer, graph, "order", rule=ORDER_RULE, slow=SLOW)
    touched = [n for n in (*graph.nodes, *graph.others) if n.grad != 0]
    if touched:
        raise CheckFailed(
            f"order has changed {touched[0]}.grad",
            called=called,
            got=f"{touched[0].grad}",
            expected="still 0.0",
            rule="order only lists the nodes; backward fills in their grad",
        )
    return got, called


def _check_second_call(answer: Callable[..., Any], graph: Graph) -> None:
    got, called = _order_of(answer, graph)
    if not is_order(got, graph):
        raise CheckFailed(
            "the second call returns a different list",
            called=called,
            got=show(got),
            expected=f"for example {graph.nodes}",
            rule="a function keeps nothing between two calls",
            mistake=KEPT,
        )


def _compare(
    answer: Callable[..., Any],
    graphs: Sequence[Graph],
    got: Any,
    graph: Graph,
    called: str,
) -> None:
    """Raise `CheckFailed` unless `got` is an order of the graph."""
    if is_order(got, graph):
        return
    what, mistake = _trouble(got, graph, graphs)
    if what.endswith("is missing") and _is_shallow(answer, graphs):
        mistake = SHALLOW
    raise CheckFailed(
        what,
        called=called,
        got=show(got) + ("" if isinstance(got, list) else f", a {type(got).__name__}"),
        expected=f"for example {graph.nodes}",
        rule=ORDER_RULE,
        mistake=mistake or _find_mistake(answer, graphs),
    )


def _trouble(got: Any, graph: Graph, graphs: Sequence[Graph]) -> tuple[str, str]:
    """What is wrong with a list, and the likely cause."""
    if got is None:
        return "returned None: is a return missing?", ""
    if not isinstance(got, (list, tuple)):
        return "expects a list of the graph's nodes", _kind(got)
    strange = [n for n in got if not isinstance(n, Node)]
    if strange:
        return "expects a list of the graph's nodes", _not_nodes(strange[0], graph)
    aside = [n for n in got if n not in graph.nodes]
    known = [n for one in graphs for n in (*one.nodes, *one.others)]
    if aside and aside[0] not in known:
        return f"{aside[0]} is not the graph's own node", COPIES
    if aside:
        return f"{aside[0]} is not below the root", KEPT
    place = {node: i for i, node in enumerate(got)}
    missing = [node for node in graph.nodes if node not in place]
    if missing:
        return f"{missing[0]} is missing", _lost(missing, graph)
    if len(got) > len(graph.nodes):
        twice = "a node with two users is reached twice; remember what was seen"
        return "a node appears more than once", twice
    early = next(n for n in got for x in n.inputs if place[x] > place[n])
    late = next(x for x in early.inputs if place[x] > place[early])
    mistake = ROOT_FIRST if is_order(list(got)[::-1], graph) else ""
    return f"{early} comes before its input {late}", mistake


def _kind(got: Any) -> str:
    if isinstance(got, Node):
        return "that is a node: return the list of all"
    if hasattr(got, "__next__"):
        return "a generator is not a list: list(...) makes one"
    if isinstance(got, (set, frozenset, dict)):
        return "a set or a dictionary is not a list"
    return ""


def _not_nodes(strange: Any, graph: Graph) -> str:
    if isinstance(strange, (list, tuple)):
        return "lists inside a list: extend, or +, joins two lists"
    if isinstance(strange, str):
        return "those are texts: list the nodes themselves"
    if strange in [n.value for n in graph.nodes]:
        return "those are the nodes' values: list the nodes themselves"
    return ""


def _lost(missing: Sequence[Node], graph: Graph) -> str:
    """Why nodes may be missing."""
    if missing == [graph.root]:
        return "the root belongs to the list, too: it is the last"
    leaves = [n for n in graph.nodes if not n.inputs]
    if list(missing) == leaves:
        return "leaves are nodes, too: they belong to the list"
    values = [n.value for n in graph.nodes]
    if any(values.count(n.value) > 1 for n in missing):
        return "two nodes may have the same value: remember the nodes themselves"
    return "follow ALL inputs of a node, not only the first"


def _find_mistake(answer: Callable[..., Any], graphs: Sequence[Graph]) -> str:
    """The only traversal that explains every answer."""
    found = [
        words
        for words, made in _MISTAKES
        if all(_order_or_empty(answer, graph) == made(graph.root) for graph in graphs)
    ]
    if not found and all(
        _is_by_value(_order_or_empty(answer, graph)) for graph in graphs
    ):
        return BY_VALUE
    return found[0] if found else ""


def _is_shallow(answer: Callable[..., Any], graphs: Sequence[Graph]) -> bool:
    """Whether an answer lists the root's inputs in every graph, and none below."""
    lists = [(set(_order_or_empty(answer, g)) - {g.root}, g.root) for g in graphs]
    return all(nodes == set(root.inputs) for nodes, root in lists)


def _is_by_value(nodes: Sequence[Node]) -> bool:
    values = [node.value for node in nodes]
    return bool(values) and values == sorted(values)


def _by_depth(root: Node) -> list[Node]:
    """A mistake: order by the depth at which a depth-first search finds the nodes."""
    depths: dict[Node, int] = {}

    def visit(node: Node, depth: int) -> None:
        if node not in depths:
            depths[node] = depth
            for x in node.inputs:
                visit(x, depth + 1)

    visit(root, 0)
    return sorted(depths, key=lambda node: -depths[node])


def _leaves_first(root: Node) -> list[Node]:
    nodes = _depth_first(backwards=False, stack=False, reverse=False)(root)
    inner = [node for node in nodes if node.inputs]
    return [node for node in nodes if not node.inputs] + inner[::-1]


def _order_or_empty(answer: Callable[..., Any], graph: Graph) -> list[Any]:
    try:
        with time_limit(SECONDS):
            return list(answer(graph.root))
    except (Exception, TimeLimitExceeded):  # noqa: BLE001  # it is reported elsewhere
        return []


def _breadth_first(*, backwards: bool, again: bool = False) -> Order:
    """A mistake: breadth-first; with `again`, a revisited node moves to the end."""

    def order(root: Node) -> list[Node]:
        queue, seen = [root], [root]
        for node in queue:
            for x in node.inputs[::-1] if backwards else node.inputs:
                if x not in seen:
                    seen.append(x)
                    queue.append(x)
                elif again:
                    seen.remove(x)
                    seen.append(x)
        return seen[::-1]

    return order


def _depth_first(*, backwards: bool, stack: bool, reverse: bool = True) -> Order:
    """A mistake: a node is appended when it is first visited."""

    def order(root: Node) -> list[Node]:
        nodes: list[Node] = []
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if node in nodes:
                continue
            nodes.append(node)
            inputs = node.inputs if backwards else node.inputs[::-1]
            waiting += [x for x in inputs if x not in nodes] if stack else inputs
        return nodes[::-1] if reverse else nodes

    return order


_MISTAKES: tuple[tuple[str, Order], ...] = (
    *((BREADTH, _breadth_first(backwards=b, again=a)) for b in (False, True)
      for a in (False, True)),
    *((TOO_EARLY, _depth_first(backwards=b, stack=s, reverse=t)) for b in (False, True)
      for s in (False, True) for t in (False, True)),
    (BREADTH, _by_depth), (LEAVES_FIRST, _leaves_first),
)  # fmt: skip
