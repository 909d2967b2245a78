"""The check of chapter 17 for gradient accumulation: gradients and memory."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from edutorch.course.compare import compare, need_function, show
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw, draws
from edutorch.nn import functional
from edutorch.ops import allclose

from .ch17_leak import WatchedModel
from .ch17_transfers import _model
from .optimizer_steps import call_limited

__all__ = ["GRADIENT_MISTAKES", "LOSS_MISTAKES", "accumulate"]

RULE = (
    "as few pieces as fit; after each forward its backward, with the piece's mean loss "
    "times its rows / all rows; gradients add up by themselves"
)
Losses = list[tuple[Any, int]]  # for each piece, its mean loss and number of rows
Summed = Callable[[Losses, int], Any]


class _Watched(WatchedModel):
    """A model that records which rows went through it, and which are held.

    Attributes:
        pieces: the rows of each call.
        held: rows whose backward has not run yet.
        most: the largest number of rows that were held at once.
    """

    def __init__(self, net: Any) -> None:
        super().__init__(net)
        self.pieces: list[Any] = []
        self.held = self.most = 0

    def forward(self, x: Any) -> Any:
        """The model's result for some rows."""
        y = super().forward(x)
        self.pieces.append(x.detach().clone())
        if y.requires_grad:
            self.held += len(x)
            self.most = max(self.most, self.held)
            y.register_hook(lambda _g: self.let_go(len(x)))
        return y

    def let_go(self, rows: int) -> None:
        """Note that backward has reached some rows."""
        self.held -= rows


def accumulate(answer: Any) -> None:
    """17.8: gradient accumulation.

    Raises:
        CheckFailed: too much is held, or a gradient or the loss is wrong.
    """
    answer = need_function(answer, "accumulate")
    for number, draw in enumerate(draws(8, ("float32",))):
        rows, row_bytes, limit = _sizes(draw, number)
        _Attempt(draw, rows, row_bytes, limit).grade(answer)


def _sizes(draw: Draw, number: int) -> tuple[int, int, int]:
    """Rows, the bytes of each, and the limit: first the statement's example."""
    row_bytes = 4 * draw.size(10, 99)
    shown = (
        (5, 100, 250),
        (4, row_bytes, 2 * row_bytes),
        (3, row_bytes, 7 * row_bytes),
        (3, row_bytes, 2 * row_bytes - 1),
    )
    if number < len(shown):
        return shown[number]
    fit = draw.size(2, 4)
    rows = fit * draw.size(1, 3) + draw.size(1, fit - 1)
    return rows, row_bytes, fit * row_bytes + draw.size(0, row_bytes - 1)


class _Attempt:
    """An answer's work on one batch."""

    def __init__(self, draw: Draw, rows: int, row_bytes: int, limit: int) -> None:
        inputs, classes = draw.size(2, 5), draw.size(2, 4)
        net = _model(draw, inputs, classes)
        self.model, self.plain = _Watched(copy.deepcopy(net)), net
        self.x, self.y = draw.tensor(rows, inputs), draw.labels(rows, classes)
        self.rows, self.row_bytes, self.limit = rows, row_bytes, limit
        self.fit = limit // row_bytes
        self.called = (
            f"accumulate(model, x, y, row_bytes={row_bytes}, limit={limit}), "
            f"{rows} rows"
        )

    def grade(self, answer: Callable[..., Any]) -> None:
        """Run the answer and check everything it should do."""
        before = self.x.clone()
        got = call_limited(
            answer, self.model, self.x, self.y, self.row_bytes, self.limit,
            called=self.called, rule=RULE,
        )  # fmt: skip
        if not bool((self.x == before).all()):
            raise CheckFailed("x was changed in place", called=self.called, rule=RULE)
        self.check_memory()
        self.check_rows()
        self.check_gradients()
        self.check_freed()
        self.check_loss(got)
        self.check_graphs()

    def check_memory(self) -> None:
        """Check that no more rows than fit are held at once."""
        if self.model.most <= self.fit:
            return
        largest = max(len(piece) for piece in self.model.pieces)
        if largest == self.rows:
            mistake = "the batch is not cut: model(x[i : i + size])"
        elif largest > self.fit:
            mistake = "how many rows fit: round limit / row_bytes down"
        else:
            mistake = (
                "call backward for each piece before the next one's forward: a loss "
                "keeps the activations of its piece until then"
            )
        raise CheckFailed(
            f"{self.model.most} rows are held at once: "
            f"{self.model.most * self.row_bytes} bytes",
            called=self.called,
            expected=f"at most {self.limit} bytes: {_counted(self.fit, 'row')}",
            rule=RULE,
            mistake=mistake,
        )

    def check_rows(self) -> None:
        """Check that each row is used once, in the fewest possible pieces."""
        through = sum(len(piece) for piece in self.model.pieces)
        pieces, fewest = len(self.model.pieces), -(-self.rows // self.fit)
        if through == self.rows and pieces == fewest:
            return
        if through < self.rows:
            mistake = "rows are left out: the last piece may be shorter than the others"
        elif through > self.rows:
            mistake = "each row goes through the model once: keep the piece's loss"
        else:
            mistake = "limit // row_bytes rows fit: take that many at once"
        raise CheckFailed(
            f"{_counted(through, 'row')} went through the model, in "
            f"{_counted(pieces, 'piece')}",
            called=self.called,
            expected=f"{self.rows} rows, in {_counted(fewest, 'piece')}",
            rule=RULE,
            mistake=mistake,
        )

    # ---- results

    def check_gradients(self) -> None:
        """Check for gradients of the mean over all rows, at unchanged parameters."""
        named = dict(self.model.net.named_parameters())
        want = self.gradients(_weighted)
        for name, p in self.plain.named_parameters():
            if not bool((p == named[name]).all()):
                raise CheckFailed(
                    f"the model's {name} was changed",
                    called=self.called,
                    rule="only the gradients are asked for, no step",
                )
        for name, p in named.items():
            if p.grad is None:
                raise CheckFailed(
                    f"no gradient has arrived at {name}",
                    called=self.called,
                    got="None",
                    rule=RULE,
                    mistake="backward is missing, or zero_grad comes after it",
                )
        for name, p in named.items():
            try:
                compare(
                    p.grad, want[name], rule=RULE, called=f"{self.called}; then "
                    f"{name}.grad",
                )  # fmt: skip
            except CheckFailed as failure:
                failure.mistake = self.cause(named) or failure.mistake
                raise

    def cause(self, named: dict[str, Any]) -> str:
        """The only mistake that explains all gradients, or ""."""
        found = []
        for words, made in GRADIENT_MISTAKES.items():
            others = self.gradients(made)
            if all(_near(p.grad, others[name]) for name, p in named.items()):
                found.append(words)
        return found[0] if len(found) == 1 else ""

    def gradients(self, summed: Summed) -> dict[str, Any]:
        """The gradients of a function of the pieces' losses."""
        model = copy.deepcopy(self.plain)
        summed(self.losses(model), self.rows).backward()
        return {name: p.grad for name, p in model.named_parameters()}

    def losses(self, model: Any) -> Losses:
        """The mean loss of each piece and its number of rows."""
        found, at = [], 0
        for piece in self.model.pieces:
            rows = len(piece)
            target = self.y[at : at + rows]
            found.append(
                (functional.cross_entropy(model(self.x[at : at + rows]), target), rows)
            )
            at += rows
        return found

    def check_freed(self) -> None:
        """Check that backward has freed what forward saved."""
        if self.model.graphs.unfreed:
            raise CheckFailed(
                "a piece's activations are kept after its backward",
                called=self.called,
                rule=RULE,
                mistake="backward() frees them; with retain_graph=True it does not",
            )

    def check_graphs(self) -> None:
        """Check that the graph of a piece is gone when the next but one comes."""
        self.model.graphs.note()
        kept = sorted(self.model.graphs.kept)
        if kept:
            raise CheckFailed(
                "graphs of earlier pieces are still alive",
                called=self.called,
                got=f"alive two pieces later, or more: the graphs of pieces {kept}",
                expected="none but that of the piece before",
                rule="a graph lives as long as any tensor that it has made",
                mistake="total += loss makes ONE graph of all losses, and a list of "
                "losses or of outputs holds them all: add loss.item()",
            )

    def check_loss(self, got: Any) -> None:
        """Check the returned mean over all rows, which must be a number."""
        want = float(_weighted(self.losses(self.plain), self.rows))
        if hasattr(got, "detach"):
            raise CheckFailed(
                "returned a tensor" + (", with its graph" * got.requires_grad),
                called=self.called,
                got=show(got),
                expected=f"{want:.6g}, a number",
                rule="a plain number holds no graph",
                mistake="add up loss.item()",
            )
        try:
            compare(got, want, rule="the mean loss of all rows", called=self.called)
        except CheckFailed as failure:
            losses = self.losses(self.plain)
            found = [
                words
                for words, made in LOSS_MISTAKES.items()
                if isinstance(got, (int, float))
                and abs(float(made(losses, self.rows)) - got) < 1e-5
            ]
            failure.mistake = found[0] if len(found) == 1 else failure.mistake
            raise


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _near(a: Any, b: Any) -> bool:
    return a.shape == b.shape and bool(allclose(a, b, rtol=1e-4, atol=1e-6))


def _weighted(losses: Losses, rows: int) -> Any:
    return sum(loss * count / rows for loss, count in losses)


GRADIENT_MISTAKES: dict[str, Summed] = {
    "gradients add up: each piece's mean loss needs the weight rows / all rows": (
        lambda losses, _rows: sum(loss for loss, _ in losses)
    ),
    "a short piece counts too much: the weight is rows / all rows, not 1 / pieces": (
        lambda losses, _rows: sum(loss for loss, _ in losses) / len(losses)
    ),
    "that is the gradient of the SUM over all rows: divide by how many there are": (
        lambda losses, _rows: sum(loss * count for loss, count in losses)
    ),
    "only the last piece's gradient is there: zero_grad in the loop clears the rest": (
        lambda losses, rows: losses[-1][0] * losses[-1][1] / rows
    ),
    "only the last piece's gradient is there, and without its weight": (
        lambda losses, _rows: losses[-1][0]
    ),
    "only the first piece's gradient is there": (
        lambda losses, rows: losses[0][0] * losses[0][1] / rows
    ),
    "every piece has the weight of a full one: the last may be shorter": (
        lambda losses, rows: sum(loss for loss, _ in losses) * losses[0][1] / rows
    ),
    "divide once: the mean of a piece is a mean already": (
        lambda losses, rows: sum(loss for loss, _ in losses) / rows
    ),
    "divide by all rows, not by the piece's": (
        lambda losses, _rows: sum(loss / count for loss, count in losses)
    ),
}
LOSS_MISTAKES: dict[str, Summed] = {
    "that is the sum of the pieces' means": lambda losses, _rows: sum(
        loss for loss, _ in losses
    ),
    "a short piece counts too much in the mean of means": lambda losses, _rows: (
        sum(loss for loss, _ in losses) / len(losses)
    ),
    "that is the sum over all rows": lambda losses, _rows: sum(
        loss * count for loss, count in losses
    ),
    "that is the last piece's loss": lambda losses, _rows: losses[-1][0],
    "that is the last piece's part of the loss": lambda losses, rows: (
        losses[-1][0] * losses[-1][1] / rows
    ),
}
