"""The arguments of recurrent layers, grouped: rows, states and weights by layer."""

from __future__ import annotations

from itertools import repeat
from operator import attrgetter, is_
from typing import Any, NamedTuple

from ...tensor.tensor import Tensor
from ..argument_errors import check_call
from ..shape import transpose, unbind

__all__: list[str] = []

DEVICE_OF = attrgetter("_device")


class Weights(NamedTuple):
    """The parameters of one layer in one direction."""

    ih: Any
    hh: Any
    b_ih: Any = None
    b_hh: Any = None
    hr: Any = None


class Rows(NamedTuple):
    """The inputs of all steps, (T, B, F) or packed (N, F), with their batch sizes."""

    x: Any
    sizes: tuple[int, ...]


class Layers(NamedTuple):
    """The input and, per layer, a (state, weights, reverse) for every direction."""

    rows: Rows
    directions: list[list[tuple[Any, Weights, bool]]]
    dropout: float  # 0 outside training
    batch_first: bool


def parse_arguments(
    two_states: bool, input: Tensor, hx: Any, params: Any, *settings: Any
) -> Layers:
    """Parse the arguments of either overload.

    Raises:
        RuntimeError: for sizes and numbers of parameters or states that do not fit.
    """
    order, middle = settings[-1], settings[:-1]
    if _is_packed(hx, params):
        order, hx, params, middle = hx, params, settings[0], settings[1:]
    else:
        order = bool(order)
    if two_states and (isinstance(hx, Tensor) or len(hx) != 2):
        raise RuntimeError("lstm expects two hidden states")
    hx = (hx,) if isinstance(hx, Tensor) else tuple(hx)
    if not all(map(is_, map(DEVICE_OF, (*hx, *params)), repeat(input._device))):
        _refuse_devices(input, hx, params)
    has_biases, num_layers, dropout, train, bidirectional = middle
    rows, ways = _input_rows(input, order), 2 if bidirectional else 1
    projected = len(hx) == 2 and hx[0]._data.shape[2] != hx[1]._data.shape[2]
    states = list(zip(*[_each(t) for t in hx], strict=True))
    groups = _group_parameters(list(params), has_biases, projected)
    _check_counts(states, groups, num_layers, bidirectional)
    directions = [
        [(states[k], groups[k], k % ways == 1) for k in range(i * ways, (i + 1) * ways)]
        for i in range(num_layers)
    ]
    return Layers(rows, directions, dropout if train else 0.0, order is True)


def _refuse_devices(input: Tensor, hx: Any, params: Any) -> None:
    """Raise, naming the first state or parameter on another device than the input.

    Raises:
        RuntimeError: always.
    """
    home = input._device
    for name, tensors in (("hidden", hx), ("parameter", params)):
        for t in tensors:
            if t._device is not home:
                raise RuntimeError(
                    f"Input and {name} tensors are not at the same device, found input "
                    f"tensor at {home} and {name} tensor at {t._device}"
                )


def _input_rows(x: Tensor, order: Any) -> Rows:
    """Padded or packed rows; `order` is `batch_first` or the batch sizes."""
    if isinstance(order, Tensor):
        sizes = tuple(int(n) for n in order)
    else:
        x = transpose(x, 0, 1) if order else x  # (T, B, F)
        steps, batch = x._data.shape[:2]
        sizes = (batch,) * steps
    if not sizes:
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    return Rows(x, sizes)


def _is_packed(hx: Any, params: Any) -> bool:
    """Whether the second argument is `batch_sizes`: the third lists no parameters."""
    several = isinstance(params, (list, tuple))
    return isinstance(hx, Tensor) and (
        not several or (len(params) == 2 and not hx.is_floating_point())
    )


def _group_parameters(params: Any, has_biases: bool, projected: bool) -> list[Weights]:
    """Group a flat list of parameters by layer and direction."""
    each = 2 + 2 * has_biases + projected
    if len(params) % each:
        raise RuntimeError("got an incorrect number of RNN parameters")
    groups = [params[i : i + each] for i in range(0, len(params), each)]
    if not projected:
        return [Weights(*group) for group in groups]
    biases = 2 + 2 * has_biases
    return [Weights(*group[:biases])._replace(hr=group[-1]) for group in groups]


def _check_counts(states: Any, groups: Any, num_layers: int, both: bool) -> None:
    if both and (len(states) % 2 or len(groups) % 2):
        raise RuntimeError(
            "Odd number of params or hiddens given to a bidirectional RNN"
        )
    needed = num_layers * (2 if both else 1)
    if len(states) < needed or num_layers is True:
        check_call(num_layers is not True)
        raise RuntimeError("Expected more hidden states in stacked_rnn")
    if len(groups) < needed:
        raise RuntimeError("Expected more weights in stacked_rnn")


def _each(hx: Tensor) -> Any:
    """The state of each layer and direction."""
    if hx._data.shape[0] == 1 and not hx.requires_grad:
        return (hx[0],)  # takes half as long, and is not recorded
    return unbind(hx)
