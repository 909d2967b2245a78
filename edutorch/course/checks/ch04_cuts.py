"""Layers that cut the graph: the right name, and known mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from edutorch import nn
from edutorch.course.compare import need_function
from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw
from edutorch.ops.create import from_numpy, tensor

__all__ = ["CUTS_SHOWN", "CUT_MISTAKES", "Model", "cut_at", "grade_cut"]


class _Layer(nn.Module):
    """A layer from a function."""

    def __init__(self, run: Callable[[Any], Any]) -> None:
        super().__init__()
        self.run = run

    def forward(self, x: Any) -> Any:
        return self.run(x)


def _through_numpy(x: Any) -> Any:
    return from_numpy(x.detach().numpy() + 1)


def _largest(x: Any) -> Any:
    return (x >= x.max(dim=1, keepdim=True).values).to(x.dtype)


def _linear() -> nn.Module:
    return nn.Linear(3, 3)


LAYERS: Final[dict[str, Callable[[], nn.Module]]] = {
    "Linear": _linear,
    "ReLU": nn.ReLU,
    "round": lambda: _Layer(lambda x: x.round()),
    "detach": lambda: _Layer(lambda x: x.detach() * 2),
    ".data": lambda: _Layer(lambda x: x.data + 1),
    "numpy": lambda: _Layer(_through_numpy),
    "largest": lambda: _Layer(_largest),
    "new leaf": lambda: _Layer(lambda x: x.detach().requires_grad_()),
    "[Linear, ReLU]": lambda: nn.Sequential(_linear(), nn.ReLU()),
    "[Linear, detach]": lambda: nn.Sequential(_linear(), LAYERS["detach"]()),
}
CUTS: Final = ("detach", ".data", "numpy", "largest", "new leaf", "[Linear, detach]")
KEEPS: Final = ("Linear", "ReLU", "round", "[Linear, ReLU]")


@dataclass(frozen=True)
class Model:
    """A Sequential that is created anew for every call."""

    kinds: tuple[str, ...]
    names: tuple[str, ...]

    def __repr__(self) -> str:
        named = self.names != tuple(map(str, range(len(self.names))))
        parts = [
            f"{name}: {kind}" if named else kind
            for name, kind in zip(self.names, self.kinds, strict=True)
        ]
        return f"Sequential({', '.join(parts)})"

    def made(self) -> nn.Module:
        """The model."""
        model = nn.Sequential()
        for name, kind in zip(self.names, self.kinds, strict=True):
            model.add_module(name, LAYERS[kind]())
        return model


CUT_RULE = "the first layer whose OUTPUT has no history: its grad_fn is None"
X: Final = tensor([[0.5, -1.0, 2.0], [1.5, 0.0, -0.5]])


def _model(*kinds: str, names: Sequence[str] = ()) -> tuple[Model, Any]:
    given = tuple(names) or tuple(map(str, range(len(kinds))))
    return Model(kinds, given), X


CUTS_SHOWN: Final = (
    _model("Linear", "detach", "Linear"),
    _model("Linear", "ReLU", "Linear"),
    _model("Linear", "ReLU", ".data", "ReLU", "Linear"),
    _model("Linear", "detach", "Linear", "numpy", "Linear"),
    _model("Linear", "[Linear, ReLU]", "Linear", "[Linear, detach]", "Linear"),
    _model("Linear", "numpy", "Linear", names=("body", "middle", "head")),
    _model("Linear", "new leaf", "Linear"),
    _model("Linear", "ReLU", "new leaf", "ReLU", "Linear"),
    _model("Linear", "round", "Linear"),
    _model("Linear", "Linear", "largest"),
    _model("detach", "Linear", "ReLU"),
    _model("Linear", "detach", "ReLU", "ReLU"),
    _model("Linear", "ReLU", "round", names=("a", "b", "c")),
    _model("Linear", ".data", "Linear", names=("first", "second", "third")),
    _model("Linear", "[Linear, detach]", "ReLU"),
)


def _fresh_model(draw: Draw) -> tuple[Model, Any]:
    kinds = ["Linear", *(draw.choice(KEEPS) for _ in range(draw.size(2, 5)))]
    if draw.size(0, 3):
        kinds[draw.size(1, len(kinds) - 1)] = draw.choice(CUTS)
    count, named = len(kinds), draw.size(0, 1)
    names = [f"layer{i}" if named else str(i) for i in range(count)]
    return Model(tuple(kinds), tuple(names)), draw.tensor(draw.size(1, 4), 3)


@lru_cache(maxsize=64)
def _outputs(given: Model) -> tuple[tuple[str, Any, Any, Any], ...]:
    """For each layer its name, the layer, its input and its output."""
    found, x = [], X
    for name, layer in given.made().named_children():
        y = layer(x)
        found.append((name, layer, x, y))
        x = y
    return tuple(found)


def cut_at(given: Model, _x: Any = None) -> str | None:
    """The right name."""
    return next((name for name, _, _, y in _outputs(given) if y.grad_fn is None), None)


def _last_cut(given: Model, _x: Any = None) -> Any:
    found = [name for name, _, _, y in _outputs(given) if y.grad_fn is None]
    return found[-1] if found else None


def _input_cut(given: Model, _x: Any = None) -> Any:
    pairs = _outputs(given)[1:]
    return next((name for name, _, x, _ in pairs if x.grad_fn is None), None)


def _leaf_is_history(given: Model, _x: Any = None) -> Any:
    pairs = _outputs(given)
    return next((name for name, _, _, y in pairs if not y.requires_grad), None)


def _number_of_layer(given: Model, _x: Any = None) -> Any:
    name = cut_at(given)
    return None if name is None else given.names.index(name)


def _counted(given: Model, _x: Any = None) -> Any:
    number = _number_of_layer(given)
    return None if number is None else str(number)


def _same_input(given: Model, _x: Any = None) -> Any:
    layers = given.made().named_children()
    return next((name for name, layer in layers if layer(X).grad_fn is None), None)


def _at_the_end(given: Model, _x: Any = None) -> Any:
    name, _, _, y = _outputs(given)[-1]
    return name if y.grad_fn is None else None


def _without_gradient(given: Model, _x: Any = None) -> Any:
    """A mistake: the first layer with a parameter that backward does not reach."""
    model = given.made()
    y = model(X)
    if y.requires_grad:
        y.sum().backward()
    for name, layer in model.named_children():
        if any(p.grad is None for p in layer.parameters()):
            return name
    return None


def _class_of(given: Model, _x: Any = None) -> Any:
    pairs = _outputs(given)
    return next(
        (type(layer).__name__ for _, layer, _, y in pairs if y.grad_fn is None), None
    )


def _deep_name(given: Model, _x: Any = None) -> Any:
    """A mistake: the path of the module inside which the history ends."""
    found: list[str] = []
    model = given.made()

    def noted(path: str) -> Callable[..., None]:
        def hook(_module: Any, _inputs: Any, y: Any) -> None:
            if y.grad_fn is None:
                found.append(path)

        return hook

    for path, module in model.named_modules():
        module.register_forward_hook(noted(path))
    model(X)
    return found[0] if found else None


def _before(given: Model, _x: Any = None) -> Any:
    number = _number_of_layer(given)
    return None if number is None else given.names[max(0, number - 1)]


CUT_MISTAKES: Final[dict[str, Mistake]] = {
    "it always returns None: is a return missing?": lambda _given, _x: None,
    "one too late: look at a layer's output, not at its input": _input_cut,
    "that is the last layer without history: return the first": _last_cut,
    "a new leaf has requires_grad and no history: look at grad_fn": _leaf_is_history,
    "return the layer's name, a text, as named_children() gives it": _number_of_layer,
    "layers may have names: take them from named_children()": _counted,
    "each layer gets the output of the one before": _same_input,
    "look at the output of every layer, not only at the end": _at_the_end,
    "that layer gets no gradient; the one that CUTS comes later": _without_gradient,
    "the layer's name in the model, not that of its class": _class_of,
    "a layer of the model, not one inside of it: named_children()": _deep_name,
    "that is the layer before it": _before,
    "for a model without a cut return None": (
        lambda given, _x: cut_at(given) or "",
        lambda given, _x: cut_at(given) or "None",
        lambda given, _x: cut_at(given) or False,
        lambda given, _x: cut_at(given) or given.names[-1],
    ),
    "that is the first layer, wherever the cut is": lambda given, _x: given.names[0],
}


def grade_cut(answer: Any) -> None:
    """04.3: on new models, which must be left unchanged."""
    answer = need_function(answer, "where_cut")

    def where_cut(given: Model, x: Any) -> Any:
        model = given.made()
        got = answer(model, x)
        _check_no_trace(model, f"where_cut({given!r}, x)")
        return got

    compare_functions(
        where_cut,
        "where_cut",
        right=cut_at,
        shown=CUTS_SHOWN,
        fresh=_fresh_model,
        rule=CUT_RULE,
        mistakes=CUT_MISTAKES,
    )


def _check_no_trace(model: nn.Module, called: str) -> None:
    """Check that no gradient, hook or changed mode stays in the model."""
    left = ""
    if any(p.grad is not None for p in model.parameters()):
        left = "gradients in .grad: a forward is enough"
    if any(m._forward_hooks or m._forward_pre_hooks for m in model.modules()):
        left = "a hook: call remove() of its handle"
    if not all(m.training for m in model.modules()):
        left = "evaluation mode: eval() stays in force"
    if left:
        raise CheckFailed(
            "the model is not as it was",
            called=called,
            got=left,
            rule="a search for mistakes must not change the model",
        )
