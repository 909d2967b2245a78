"""The base class of recurrent layers: parameters, input checks and input layouts."""

from __future__ import annotations

import math
import warnings
from typing import Any

from ... import ops
from ...autograd.modes import modes
from ...tensor.tensor import Tensor
from .. import init
from ..factories import empty_parameter, new_zeros
from ..packed_sequence import PackedSequence
from .module import Module

__all__ = ["RNNBase"]

GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


READINGS = 4  # evaluations of a parametrized weight per call


class RNNBase(Module):
    """The base class of recurrent layers.

    Weights and biases start uniform in ±1/√hidden_size.

    Args:
        mode: "LSTM", "GRU", "RNN_TANH" or "RNN_RELU".
        input_size: features of an input.
        hidden_size: features of the hidden state.
        num_layers: how many layers, each fed by the one before.
        bias: whether there are biases.
        batch_first: whether inputs are (B, T, F) rather than (T, B, F).
        dropout: the probability of zeroing an output between layers.
        bidirectional: whether a second set of layers reads from the end.
        proj_size: features of a projection of h (LSTM), 0 for none.

    Raises:
        ValueError, TypeError: for settings out of range or of another type.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.RNNBase("GRU", 3, 2).weight_hh_l0.shape
        torch.Size([6, 2])
    """

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._check_dropout(dropout)
        self._check_settings()
        self._all_weights = [
            self._add_layer(layer, reverse, device, dtype)
            for layer in range(num_layers)
            for reverse in ((False, True) if bidirectional else (False,))
        ]
        self.reset_parameters()

    def _check_dropout(self, dropout: Any) -> None:
        number = isinstance(dropout, (int, float)) and not isinstance(dropout, bool)
        if not (number and 0 <= dropout <= 1):
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the "
                "probability of an element being zeroed"
            )
        if dropout > 0 and self.num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so "
                "non-zero dropout expects num_layers greater than 1, but got "
                f"dropout={dropout} and num_layers={self.num_layers}",
                stacklevel=4,
            )

    def _check_settings(self) -> None:
        kinds = {"bias": bool, "batch_first": bool}
        for name, kind in kinds.items():
            _check_type(name, getattr(self, name), kind)
        for name in ("input_size", "hidden_size", "num_layers"):
            if name != "num_layers":
                _check_type(name, getattr(self, name), int)
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be greater than zero")
        if self.proj_size < 0:
            raise ValueError(
                "proj_size should be a positive integer or zero to disable projections"
            )
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        if self.mode not in GATES:
            raise ValueError("Unrecognized RNN mode: " + self.mode)

    def _add_layer(
        self, layer: int, reverse: bool, device: Any, dtype: Any
    ) -> list[str]:
        """Create the parameters of one layer in one direction; return their names."""
        gates = GATES[self.mode] * self.hidden_size
        fed_back = self.proj_size or self.hidden_size
        below = fed_back * (2 if self.bidirectional else 1)
        shapes: dict[str, tuple[int, ...]] = {
            "weight_ih": (gates, below if layer else self.input_size),
            "weight_hh": (gates, fed_back),
        }
        if self.bias:  # two biases, as in cuDNN; only their sum matters
            shapes |= {"bias_ih": (gates,), "bias_hh": (gates,)}
        if self.proj_size:
            shapes["weight_hr"] = (self.proj_size, self.hidden_size)
        suffix = f"_l{layer}{'_reverse' if reverse else ''}"
        for name, shape in shapes.items():
            setattr(self, name + suffix, empty_parameter(shape, device, dtype))
        return [name + suffix for name in shapes]

    def reset_parameters(self) -> None:
        """Reinitialise all weights and biases."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def flatten_parameters(self) -> None:
        """Do nothing; exists for compatibility."""

    @property
    def all_weights(self) -> list[list[Tensor]]:
        """The parameters: a list for each layer and direction."""
        return [[getattr(self, n) for n in names] for names in self._all_weights]

    @property
    def _flat_weights_names(self) -> list[str]:
        return [name for names in self._all_weights for name in names]

    @property
    def _flat_weights(self) -> list[Tensor | None]:
        own, others = self._parameters, self.__dict__
        return [
            own[name] if name in own and name not in others else self._weight(name)
            for names in self._all_weights
            for name in names
        ]

    def _weight(self, name: str) -> Tensor:
        """A weight; a computed one is evaluated as often as in PyTorch.

        Reading may change it: each time `spectral_norm` continues with its iterations.
        """
        if name not in self._parameters:
            for _ in range(READINGS - 1):
                getattr(self, name)
        return getattr(self, name)

    def __setstate__(self, state: dict[str, Any]) -> None:
        # PyTorch keeps the parameters a second time, in a list.
        own = {name: v for name, v in state.items() if not name.startswith("_flat_w")}
        super().__setstate__(own)

    # ---- checks of inputs

    def check_input(self, input: Tensor, batch_sizes: Tensor | None) -> None:
        """Raise if the dtype, rank or size of the input is wrong.

        Raises:
            ValueError: for another dtype than the weights', outside of autocast.
            RuntimeError: for another number of dimensions or features.
        """
        name = self._all_weights[0][0]
        weight = self._parameters.get(name)
        if weight is None:  # it is parametrized
            weight = getattr(self, name)
        if not (_same_dtype(input, weight) or modes.autocast):
            dtype = weight.dtype
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype "
                f"({dtype}). Convert input: input.to({dtype}), or convert model: "
                f"model.to({input.dtype})"
            )
        rank, shape = 3 if batch_sizes is None else 2, input._data.shape
        if len(shape) != rank:
            raise RuntimeError(f"input must have {rank} dimensions, got {len(shape)}")
        if shape[-1] != self.input_size:
            raise RuntimeError(
                "input.size(-1) must be equal to input_size. Expected "
                f"{self.input_size}, got {shape[-1]}"
            )

    def get_expected_hidden_size(
        self, input: Tensor, batch_sizes: Tensor | None
    ) -> tuple[int, int, int]:
        """The shape of the hidden state: (layers · directions, B, features)."""
        if batch_sizes is not None:
            batch = int(batch_sizes[0])
        else:
            batch = input._data.shape[0 if self.batch_first else 1]
        layers = self.num_layers * (2 if self.bidirectional else 1)
        return layers, batch, self.proj_size or self.hidden_size

    def check_hidden_size(
        self,
        hx: Tensor,
        expected_hidden_size: tuple[int, int, int],
        msg: str = "Expected hidden size {}, got {}",
    ) -> None:
        """Raise if the shape of the hidden state is wrong.

        Raises:
            RuntimeError: with `msg`.
        """
        if hx._data.shape != tuple(expected_hidden_size):
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.shape)))

    def check_forward_args(
        self, input: Tensor, hidden: Any, batch_sizes: Tensor | None
    ) -> None:
        """Raise if input or state does not fit the layer."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(
            hidden, self.get_expected_hidden_size(input, batch_sizes)
        )

    def permute_hidden(self, hx: Any, permutation: Tensor | None) -> Any:
        """The state with its sequences permuted."""
        if permutation is None:
            return hx
        if isinstance(hx, tuple):
            return tuple(t.index_select(1, permutation) for t in hx)
        return hx.index_select(1, permutation)

    # ---- the three forms of inputs: batch, one sequence, packed

    def _first_states(self, input: Tensor, batch_sizes: Tensor | None) -> Any:
        """Initial states of zeros."""
        shape = self.get_expected_hidden_size(input, batch_sizes)
        return new_zeros(input, shape)

    def _forward_packed(self, packed: PackedSequence, hx: Any) -> Any:
        x, sizes, order, back = packed
        if hx is None:
            hx = self._first_states(x, sizes)
        else:
            hx = self.permute_hidden(hx, order)
        self.check_forward_args(x, hx, sizes)
        y, hx = self._run(x, hx, sizes)
        return PackedSequence(y, sizes, order, back), self.permute_hidden(hx, back)

    def _forward_padded(self, input: Tensor, hx: Any) -> Any:
        rank = input._data.ndim
        if rank not in (2, 3):
            name = self._get_name()
            word = " tensor" if name == "RNN" else ""
            raise ValueError(
                f"{name}: Expected input to be 2D or 3D, got {rank}D{word} instead"
            )
        if hx is not None:
            self._check_ranks(rank, hx)
        single = rank == 2
        if single:
            input = input.unsqueeze(0 if self.batch_first else 1)
            if hx is not None:
                hx = _map_states(hx, lambda t: t.unsqueeze(1))
        if hx is None:
            hx = self._first_states(input, None)
        self.check_forward_args(input, hx, None)
        y, hx = self._run(input, hx, None)
        if not single:
            return y, hx
        y = y.squeeze(0 if self.batch_first else 1)
        return y, _map_states(hx, lambda t: t.squeeze(1))

    def _check_ranks(self, rank: int, hx: Tensor) -> None:
        if hx.dim() != rank:
            kind = "batched 3-D" if rank == 3 else "unbatched 2-D"
            raise RuntimeError(
                f"For {kind} input, hx should also be {rank}-D but got {hx.dim()}-D "
                "tensor"
            )

    def _run(self, x: Tensor, hx: Any, batch_sizes: Tensor | None) -> Any:
        """All outputs and the final state."""
        for state in hx if isinstance(hx, tuple) else (hx,):
            if not _same_dtype(state, x):
                raise RuntimeError(
                    "mat1 and mat2 must have the same dtype, but got "
                    f"{state.dtype.short} and {x.dtype.short}"
                )
        run = getattr(ops, self.mode.lower())
        settings = (
            self._flat_weights, self.bias, self.num_layers, self.dropout,
            self.training, self.bidirectional,
        )  # fmt: skip
        if batch_sizes is None:
            y, *hidden = run(x, hx, *settings, self.batch_first)
        else:
            y, *hidden = run(x, batch_sizes, hx, *settings)
        return y, tuple(hidden) if len(hidden) > 1 else hidden[0]

    def extra_repr(self) -> str:
        """Sizes, and the settings that differ from the defaults."""
        shown = [str(self.input_size), str(self.hidden_size)]
        defaults = {
            "proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False,
            "dropout": 0, "bidirectional": False,
        }  # fmt: skip
        for name, default in defaults.items():
            if (value := getattr(self, name)) != default:
                shown.append(f"{name}={value}")
        return ", ".join(shown)


def _same_dtype(a: Tensor, b: Tensor) -> bool:
    return a._data.dtype is b._data.dtype or a.dtype == b.dtype


class OneState(RNNBase):
    """Layers whose state is a single tensor h."""

    def forward(self, input: Any, hx: Tensor | None = None) -> Any:
        """Every h of the last layer, and the last h of every layer."""
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hx)
        return self._forward_padded(input, hx)


class TwoStates(RNNBase):
    """Layers with a hidden state h and a cell state c: checks of both."""

    def get_expected_cell_size(
        self, input: Tensor, batch_sizes: Tensor | None
    ) -> tuple[int, int, int]:
        """The shape of the cell state: that of h without projection."""
        layers, batch, _ = self.get_expected_hidden_size(input, batch_sizes)
        return layers, batch, self.hidden_size

    def check_forward_args(
        self, input: Tensor, hidden: Any, batch_sizes: Tensor | None
    ) -> None:
        """Raise if input or states do not fit the layer."""
        self.check_input(input, batch_sizes)
        shape = self.get_expected_hidden_size(input, batch_sizes)
        self.check_hidden_size(hidden[0], shape, "Expected hidden[0] size {}, got {}")
        shape = self.get_expected_cell_size(input, batch_sizes)
        self.check_hidden_size(hidden[1], shape, "Expected hidden[1] size {}, got {}")

    def _first_states(self, input: Tensor, batch_sizes: Tensor | None) -> Any:
        c = new_zeros(input, self.get_expected_cell_size(input, batch_sizes))
        return super()._first_states(input, batch_sizes), c

    def _check_ranks(self, rank: int, hx: Any) -> None:
        if hx[0].dim() != rank or hx[1].dim() != rank:
            kind = "batched 3-D" if rank == 3 else "unbatched 2-D"
            raise RuntimeError(
                f"For {kind} input, hx and cx should also be {rank}-D but got "
                f"({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
            )

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Every h of the last layer, and the last (h, c) of every layer."""
        hx = tuple(hx) if isinstance(hx, list) else hx
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hx)
        return self._forward_padded(input, hx)


def _map_states(hx: Any, change: Any) -> Any:
    return tuple(map(change, hx)) if isinstance(hx, tuple) else change(hx)


def _check_type(name: str, value: Any, kind: type) -> None:
    if not isinstance(value, kind):
        raise TypeError(
            f"{name} should be of type {kind.__name__}, got: {type(value).__name__}"
        )
