"""A small scalar graph: forward and backward, one node at a time.

The same as `widgets/src/course/graph_player.ts`, where a reader goes from node to node;
here the picture shows the whole way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from ...widgets.box_style import GRADIENT, MUTED
from ...widgets.svg import Picture, fit_text
from .interaction import Interaction

__all__ = ["CALLS", "GRAPHS", "Frame", "GraphPlayer", "frames_of"]

LARGEST: Final = 5  # magnitude of a and b, which are integers
CALLS: Final = ("once", "twice", "twice, .grad = None between")
SIGNS: Final = {"mul": "·", "add": "+", "sub": "-"}

Node = dict[str, Any]


def _node(name: str, op: str, inputs: str, x: float, y: int) -> Node:
    return {"name": name, "op": op, "inputs": inputs.split(), "x": x, "y": y}


# Each graph has a position for every node: column, row. The root is the last.
GRAPHS: Final[dict[str, list[Node]]] = {
    "(a · b + a)²": [
        _node("a", "leaf", "", 0, 0), _node("b", "leaf", "", 1, 0),
        _node("y", "mul", "a b", 1, 1), _node("z", "add", "y a", 0.5, 2),
        _node("L", "mul", "z z", 0.5, 3),
    ],
    "a · a · a": [
        _node("a", "leaf", "", 0, 0), _node("y", "mul", "a a", 1, 1),
        _node("L", "mul", "y a", 0.5, 2),
    ],
    "a, doubled three times": [
        _node("a", "leaf", "", 0.5, 0), _node("y", "add", "a a", 0.5, 1),
        _node("z", "add", "y y", 0.5, 2), _node("L", "add", "z z", 0.5, 3),
    ],
    "(a + b) · (a - b)": [
        _node("a", "leaf", "", 0, 0), _node("b", "leaf", "", 1, 0),
        _node("s", "add", "a b", 0, 1), _node("d", "sub", "a b", 1, 1),
        _node("L", "mul", "s d", 0.5, 2),
    ],
    "z · z.detach()": [
        _node("a", "leaf", "", 0, 0), _node("b", "leaf", "", 1, 0),
        _node("z", "mul", "a b", 0.4, 1), _node("c", "detach", "z", 1, 2),
        _node("L", "mul", "z c", 0.4, 3),
    ],
}  # fmt: skip


@dataclass
class Frame:
    """The state after a step.

    Attributes:
        phase: start, forward, seed, backward or again.
        node: the name of the node that the step is about; "" for none.
        words: a description of the step.
        values: of the nodes that are computed.
        grads: of the nodes that have got one.
        sent: what has come back along each edge, by "user>number of the input".
    """

    phase: str
    node: str
    words: str
    values: dict[str, int] = field(default_factory=dict)
    grads: dict[str, int] = field(default_factory=dict)
    sent: dict[str, int] = field(default_factory=dict)


def frames_of(
    nodes: Sequence[Node], leaves: Mapping[str, int], calls: str = "once"
) -> list[Frame]:
    """Every step, forward and then backward.

    Args:
        nodes: those of a graph, inputs first; the root is the last.
        leaves: the values of the leaves.
        calls: how often backward is called, one of `CALLS`.

    Example:
        >>> steps = frames_of(GRAPHS["(a · b + a)²"], {"a": 3, "b": 4})
        >>> steps[1].words, steps[-1].grads["a"]
        ('y = a · b = 3 · 4 = 12', 150)
    """
    film = _Film(nodes, leaves)
    film.forward()
    film.backward()
    if calls != "once":
        film.again(keep="None" not in calls)
        film.backward()
    return film.frames


class _Film:
    """The frames so far and the known values."""

    def __init__(self, nodes: Sequence[Node], leaves: Mapping[str, int]) -> None:
        self.nodes = nodes
        self.known = {n["name"]: leaves[n["name"]] for n in nodes if n["op"] == "leaf"}
        self.leaves = list(self.known)
        self.constants = {n["name"] for n in nodes if n["op"] == "detach"}
        self.grads: dict[str, int] = {}
        self.sent: dict[str, int] = {}
        self.frames: list[Frame] = []
        given = " and ".join(f"{name} = {v}" for name, v in self.known.items())
        many = "are leaves" if len(self.leaves) > 1 else "is a leaf"
        self.note("start", "", f"{given} {many}: given, not computed.")

    def note(self, phase: str, node: str, words: str) -> None:
        self.frames.append(
            Frame(
                phase, node, words, dict(self.known), dict(self.grads), dict(self.sent)
            )
        )

    def forward(self) -> None:
        for node in self.nodes:
            name, inputs = node["name"], node["inputs"]
            if node["op"] == "leaf":
                continue
            numbers = [self.known[x] for x in inputs]
            self.known[name] = _value(node["op"], numbers)
            if node["op"] == "detach":
                words = f"{name} = {inputs[0]}.detach() = {numbers[0]}, a constant"
            else:
                sign = f" {SIGNS[node['op']]} "
                shown = sign.join(inputs), sign.join(map(_inside, numbers))
                words = f"{name} = {shown[0]} = {shown[1]} = {self.known[name]}"
            self.note("forward", name, words)

    def backward(self) -> None:
        root = self.nodes[-1]["name"]
        self.grads[root] = 1
        words = f"The gradient of {root} is 1: {root} changes as much as {root}."
        self.note("seed", root, words)
        for node in reversed(self.nodes):
            if node["inputs"] and node["name"] not in self.constants:
                self.hand_on(node)

    def hand_on(self, node: Node) -> None:
        """Send gradients from a node to its inputs."""
        name, g = node["name"], self.grads[node["name"]]
        shares = []
        slopes = _slopes(node["op"], [self.known[x] for x in node["inputs"]])
        for i, (x, slope) in enumerate(zip(node["inputs"], slopes, strict=True)):
            if x in self.constants:
                shares.append(f"nothing to {x}, a constant")
                continue
            share = g * slope
            words = f"to {x} {_inside(g)} · {_inside(slope)} = {share}"
            if x in self.grads:
                total = self.grads[x] + share
                words += f" ({self.grads[x]} + {_inside(share)} = {total} in total)"
            self.grads[x] = self.grads.get(x, 0) + share
            self.sent[f"{name}>{i}"] = share
            shares.append(words)
        self.note("backward", name, f"{name} passes on: {'; '.join(shares)}.")

    def again(self, keep: bool) -> None:
        """Compute the same graph again; only leaves may keep a gradient."""
        kept = {n: g for n, g in self.grads.items() if keep and n in self.leaves}
        self.grads, self.sent = kept, {}
        whose = " and ".join(self.leaves)
        what = f"{whose} keep{'s' * (len(self.leaves) == 1)} .grad"
        words = what if keep else f".grad of {whose} is None again"
        self.note("again", "", f"The graph is built again; {words}.")


def _value(op: str, numbers: Sequence[int]) -> int:
    if op == "mul":
        return numbers[0] * numbers[1]
    if op == "detach":
        return numbers[0]
    return numbers[0] + numbers[1] if op == "add" else numbers[0] - numbers[1]


def _slopes(op: str, numbers: Sequence[int]) -> tuple[int, int]:
    """The derivative of the result with respect to each input."""
    if op == "mul":
        return numbers[1], numbers[0]
    return (1, 1) if op == "add" else (1, -1)


def _inside(number: int) -> str:
    """A number as written after an operator."""
    return f"({number})" if number < 0 else str(number)


class GraphPlayer(Interaction):
    """A small scalar graph, forward and backward, one node at a time.

    In the page a reader goes from node to node, changes the leaves, and lets backward
    run twice.

    Args:
        graph: a name of `GRAPHS`.
        a, b: the leaves, whole numbers from -5 to 5; b where the graph has one.
        calls: how often backward is called, one of `CALLS`.

    Raises:
        KeyError: no graph has this name.
        ValueError: for other leaves or calls.

    Example:
        >>> print(GraphPlayer("a · a · a", a=2).text().splitlines()[-1])
        gradients: a 12, y 2, L 1
    """

    kind: ClassVar[str] = "graph_player"

    def __init__(
        self, graph: str = "(a · b + a)²", a: int = 3, b: int = 4, calls: str = "once"
    ) -> None:
        if graph not in GRAPHS:
            raise KeyError(f"no graph {graph!r}; there are {', '.join(GRAPHS)}")
        if a not in range(-LARGEST, LARGEST + 1) or b not in range(
            -LARGEST, LARGEST + 1
        ):
            raise ValueError(f"a and b are whole numbers from -5 to 5, got {a} and {b}")
        if calls not in CALLS:
            raise ValueError(f"calls is one of {CALLS}, got {calls!r}")
        super().__init__(
            data={
                "graphs": GRAPHS,
                "graph": graph,
                "leaves": {"a": int(a), "b": int(b)},
                "calls": calls,
            }
        )

    def picture(self, note: str = "") -> Picture:
        """The graph with all values and gradients, and a description of the steps."""
        nodes, frames = self._nodes(), self._frames()
        rows = max(node["y"] for node in nodes) + 1
        high = max(rows * DOWN, len(frames) * 19) + 60
        picture = Picture(820, high, "A graph, forward and backward")
        caption = f"L = {self.data['graph']}" + (f" ({note})" if note else "")
        picture.text(16, 24, caption, size=13, bold=True)
        for edge in _edges(nodes):
            _draw_edge(picture, edge, frames[-1].sent.get(edge.key))
        for node in nodes:
            _draw_node(picture, node, frames[-1])
        for i, frame in enumerate(frames):
            words = fit_text(f"{i}. {frame.words}", 465, 11)
            colour = MUTED if frame.phase in ("start", "forward") else GRADIENT
            picture.text(345, 56 + 19 * i, words, size=11, fill=colour)
        return picture

    def text(self) -> str:
        """A description of every step, and all gradients at the end."""
        frames = self._frames()
        lines = [f"L = {self.data['graph']}"]
        lines += [f"{i}. {frame.words}" for i, frame in enumerate(frames)]
        grads = frames[-1].grads
        names = [node["name"] for node in self._nodes()]
        ends = ", ".join(f"{name} {grads.get(name, 'none')}" for name in names)
        return "\n".join([*lines, f"gradients: {ends}"])

    def _nodes(self) -> list[Node]:
        return GRAPHS[self.data["graph"]]

    def _frames(self) -> list[Frame]:
        return frames_of(self._nodes(), self.data["leaves"], self.data["calls"])


# ---- the drawing

ACROSS, DOWN, WIDE, HIGH, LEFT, TOP = 150.0, 96.0, 118.0, 58.0, 80.0, 74.0


@dataclass(frozen=True)
class _Edge:
    key: str
    user: Node
    source: Node
    bend: float  # -1 and 1 for two edges between the same nodes


def _edges(nodes: Sequence[Node]) -> list[_Edge]:
    by_name = {node["name"]: node for node in nodes}
    edges = []
    for user in nodes:
        twice = len(user["inputs"]) > len(set(user["inputs"]))
        for i, x in enumerate(user["inputs"]):
            bend = (2 * i - 1) if twice else 0
            edges.append(_Edge(f"{user['name']}>{i}", user, by_name[x], bend))
    return edges


def _middle(node: Node) -> tuple[float, float]:
    return LEFT + node["x"] * ACROSS, TOP + node["y"] * DOWN


def _draw_edge(picture: Picture, edge: _Edge, share: int | None) -> None:
    (x1, y1), (x2, y2) = _middle(edge.source), _middle(edge.user)
    start = (x1 + 16 * edge.bend, y1 + HIGH / 2)
    end = (x2 + 16 * edge.bend, y2 - HIGH / 2)
    colour = MUTED if share is None else GRADIENT
    width = 1.2 if share is None else 2.0
    picture.line([start, end], stroke=colour, width=width)
    tip = [(end[0] - 4, end[1] - 7), (end[0] + 4, end[1] - 7), end]
    picture.polygon(tip, fill=colour)
    if share is not None:
        middle = (start[0] + end[0]) / 2 + (14 if edge.bend >= 0 else -14)
        place = (start[1] + end[1]) / 2 + 4
        picture.text(middle, place, str(share), size=11, fill=colour, anchor="middle")


def _draw_node(picture: Picture, node: Node, frame: Frame) -> None:
    name, (x, y) = node["name"], _middle(node)
    left, top = x - WIDE / 2, y - HIGH / 2
    picture.rect(left, top, WIDE, HIGH, fill="#ffffff", stroke="#c3cad5", radius=8)
    picture.text(x, top + 18, _title(node), size=12, anchor="middle", bold=True)
    picture.text(x, top + 35, str(frame.values[name]), size=12, anchor="middle")
    grad = frame.grads.get(name)
    words = "no gradient" if grad is None else f"∇ {grad}"
    picture.text(x, top + 51, words, size=11, fill=GRADIENT, anchor="middle")


def _title(node: Node) -> str:
    """A node's expression, as code."""
    name, inputs = node["name"], node["inputs"]
    if node["op"] == "leaf":
        return str(name)
    if node["op"] == "detach":
        return f"{name} = {inputs[0]}.detach()"
    return f"{name} = {inputs[0]} {SIGNS[node['op']]} {inputs[1]}"
