"""Chapter 2: scalar graphs for grading answers, fixed and random ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from edutorch.course.answer_calls import endless_loop, too_long
from edutorch.course.compare import call, call_text
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw, draws
from edutorch.course.time_limits import TimeLimitExceeded, time_limit

__all__ = ["SECONDS", "Graph", "Node", "graphs_of_one_try", "ladder", "run_on"]

RUNGS: Final = 60  # nodes of the ladder; following each of its paths would take forever
FEW: Final = 20  # nodes of a graph that every kind of traversal finishes quickly
ENDLESS: Final = "the loop never ends: does each round leave fewer nodes?"
SECONDS: Final = 2.0  # seconds for one call; a right answer takes milliseconds
_RAISED: Final = {
    "to unpack": "a node has any number of inputs: none, one, two or more",
    "'NoneType' object is not": "list.reverse() returns None; reversed(...) does not",
}
WIDE: Final = 300  # characters of a graph that is printed in full


class Node:
    """A scalar in the checks' own graphs, with the attributes of the chapter's Node."""

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


@dataclass(frozen=True)
class Graph:
    """A graph as a list of its nodes in topological order; the root is the last.

    Attributes:
        others: nodes that the root was not computed from.
    """

    nodes: list[Node]
    others: tuple[Node, ...] = ()

    @property
    def root(self) -> Node:
        """The last node."""
        return self.nodes[-1]

    def words(self) -> str:
        """A description of each node's inputs."""
        made = [f"{n} = f{tuple(n.inputs)}" for n in self.nodes if n.inputs]
        text = ", ".join(made).replace(",)", ")") or f"{self.root} is a leaf"
        if len(text) > WIDE:
            return f"{len(self.nodes)} nodes; the last are {', '.join(made[-3:])}"
        return text

    def facts(self) -> list[tuple[Any, ...]]:
        """The parts of a graph that an answer must not modify."""
        every = [*self.nodes, *self.others]
        return [(n.value, n.inputs, n.local) for n in every]


def graphs_of_one_try() -> list[Graph]:
    """Small graphs for one attempt: fixed edge cases and random ones."""
    leaf = Graph([Node("a", 3.0)])
    small = [
        _sum_of_product(), _square(), _diamond(), leaf, _skip(), _cancelling(), _step(),
    ]  # fmt: skip
    return [*small, ladder(8), *(_drawn(draw) for draw in draws(6, ("float64",)))]


def run_on(
    answer: Callable[..., Any], graph: Graph, name: str, *, rule: str, slow: str
) -> tuple[Any, str]:
    """The answer's result for a root, and the call as code.

    Args:
        answer: the learner's function.
        graph: below the root.
        name: what to call the answer.
        rule: the rule that right answers follow.
        slow: the likely mistake of one that does not end.

    Raises:
        CheckFailed: it raised, did not end, or changed the graph.
    """
    called = f"{call_text(answer, (graph.root,), {}, name)} where {graph.words()}"
    before = graph.facts()
    try:
        with time_limit(SECONDS):
            got = call(answer, graph.root, called=called, rule=rule)
    except CheckFailed as failure:
        causes = [words for piece, words in _RAISED.items() if piece in failure.what]
        failure.mistake = failure.mistake or "".join(causes)
        raise
    except TimeLimitExceeded as error:
        raise too_long(
            error, SECONDS, called,
            rule="a node is visited once, however many paths lead to it",
            mistake=slow
            if len(graph.nodes) > FEW
            else endless_loop(error) or ENDLESS,
        ) from None  # fmt: skip
    if graph.facts() != before:
        raise CheckFailed(
            "the graph itself was changed",
            called=called,
            rule="value, inputs and local of every node must not change",
        )
    return got, called


def _sum_of_product() -> Graph:
    """The statement's example: c = a · b, d = c + a."""
    a, b = Node("a", 3.0), Node("b", 4.0)
    c = Node("c", 12.0, (a, b), (4.0, 3.0))
    return Graph([a, b, c, Node("d", 15.0, (c, a), (1.0, 1.0))])


def _square() -> Graph:
    a = Node("a", 3.0)
    return Graph([a, Node("b", 9.0, (a, a), (3.0, 3.0))])


def _diamond() -> Graph:
    """A graph with two nodes of equal value; a third is not part of it."""
    a = Node("a", 2.0)
    b = Node("b", 10.0, (a,), (5.0,))
    c = Node("c", 10.0, (a,), (7.0,))
    aside = Node("aside", 30.0, (b, a), (2.0, 5.0))
    return Graph([a, b, c, Node("d", 100.0, (b, c), (10.0, 10.0))], (aside,))


def _skip() -> Graph:
    """A root that uses both a leaf and the end of a long chain."""
    a = Node("a", 1.5)
    b = Node("b", 3.0, (a,), (2.0,))
    c = Node("c", 9.0, (b,), (3.0,))
    return Graph([a, b, c, Node("d", 13.5, (a, c), (9.0, 1.5))])


def _step() -> Graph:
    """A root that uses a node and a node computed from it, in that order."""
    a = Node("a", 1.5)
    b = Node("b", 3.0, (a,), (2.0,))
    c = Node("c", 9.0, (b,), (3.0,))
    return Graph([a, b, c, Node("d", 27.0, (b, c), (9.0, 3.0))])


def _cancelling() -> Graph:
    """A graph with a path of slope 0, and two paths whose gradients cancel."""
    a, b = Node("a", 2.0), Node("b", 5.0)
    c = Node("c", 0.0, (a, b), (0.0, 2.0))
    d = Node("d", 7.0, (a, c), (-3.0, 1.5))
    return Graph([a, b, c, d, Node("e", 1.0, (d, a, b), (2.0, 6.0, -6.0))])


def ladder(rungs: int = RUNGS) -> Graph:
    """A graph in which each node feeds the next two: the paths grow exponentially."""
    nodes = [Node("n0", 1.0)]
    nodes.append(Node("n1", 1.0, (nodes[0],), (0.5,)))
    for i in range(2, rungs):
        nodes.append(Node(f"n{i}", 1.0, (nodes[i - 1], nodes[i - 2]), (0.5, 0.25)))
    return Graph(nodes)


def _drawn(draw: Draw) -> Graph:
    """A random graph: nodes have up to three inputs; unused ones are the `others`."""
    count = draw.size(6, 10)
    nodes: list[Node] = []
    for i in range(count):
        inputs = _inputs(draw, nodes) if i > 1 else ()
        local = tuple(draw.number(-2.0, 2.0) for _ in inputs)
        nodes.append(Node(f"n{i}", draw.number(), inputs, local))
    needed = {nodes[-1]}
    for node in reversed(nodes):
        if node in needed:
            needed.update(node.inputs)
    below = [node for node in nodes if node in needed]
    return Graph(below, tuple(node for node in nodes if node not in needed))


def _inputs(draw: Draw, nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Random inputs, mostly the newest node, so that the graph is deep."""
    inputs = [nodes[-1]] if draw.choice((True, True, False)) else []
    inputs += [draw.choice(nodes) for _ in range(draw.size(1, 2))]
    return tuple(inputs if draw.choice((True, False)) else reversed(inputs))
