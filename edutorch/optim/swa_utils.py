"""Averages of weights over a training run."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from math import cos, pi
from typing import Any

from .. import dtypes
from ..autograd.modes import no_grad
from ..nn.modules.batchnorm import _BatchNorm
from ..nn.modules.module import Module
from ..ops import tensor
from ..tensor.tensor import Tensor
from .lr_scheduler import LRScheduler
from .lr_scheduler.scheduler import value_per_group
from .optimizer import Optimizer

__all__ = [
    "SWALR", "AveragedModel", "get_ema_avg_fn", "get_ema_multi_avg_fn",
    "get_swa_avg_fn", "get_swa_multi_avg_fn", "update_bn",
]  # fmt: skip


# ---- averaging of two values


def _check_decay(decay: float) -> None:
    if decay < 0.0 or decay > 1.0:
        raise ValueError(
            f"Invalid decay value {decay} provided. Please provide a value in [0,1] "
            "range."
        )


def get_ema_avg_fn(decay: float = 0.999) -> Callable[[Tensor, Tensor, Any], Tensor]:
    """An exponential moving average, as `avg_fn` of an `AveragedModel`.

    Math: a ← decay · a + (1 − decay) · p

    Raises:
        ValueError: for a decay outside [0, 1].

    Example:
        >>> import edutorch as torch
        >>> average = torch.optim.swa_utils.get_ema_avg_fn(0.5)
        >>> average(torch.tensor(1.0), torch.tensor(3.0), 1)
        tensor(2.)
    """
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param: Tensor, current_param: Tensor, num_averaged: Any) -> Any:
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[[Any, Any, Any], None]:
    """An exponential moving average of lists, in place, as `multi_avg_fn`.

    Math: a ← decay · a + (1 − decay) · p

    Raises:
        ValueError: for a decay outside [0, 1].

    Example:
        >>> import edutorch as torch
        >>> update, a = torch.optim.swa_utils.get_ema_multi_avg_fn(0.5), torch.ones(1)
        >>> update([a], [torch.tensor([3.0])], 1)
        >>> a
        tensor([2.])
    """
    average = get_ema_avg_fn(decay)

    @no_grad()
    def ema_update(
        ema_param_list: Any, current_param_list: Any, num_averaged: Any
    ) -> None:
        for a, p in zip(ema_param_list, current_param_list, strict=True):
            if a.is_floating_point() or a.is_complex():
                a.lerp_(p, 1 - decay)
            else:
                a.copy_(average(a, p, num_averaged))

    return ema_update


def get_swa_avg_fn() -> Callable[[Tensor, Tensor, Any], Tensor]:
    """The mean of all values, as `avg_fn` of an `AveragedModel`.

    Math: a ← a + (p − a) / (n + 1)

    Example:
        >>> import edutorch as torch
        >>> average = torch.optim.swa_utils.get_swa_avg_fn()
        >>> average(torch.tensor(1.0), torch.tensor(4.0), 2)
        tensor(2.)
    """

    @no_grad()
    def swa_update(
        averaged_param: Tensor, current_param: Tensor, num_averaged: Any
    ) -> Any:
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_swa_multi_avg_fn() -> Callable[[Any, Any, Any], None]:
    """The mean of all values of lists, in place, as `multi_avg_fn`.

    Math: a ← a + (p − a) / (n + 1)

    Example:
        >>> import edutorch as torch
        >>> update, a = torch.optim.swa_utils.get_swa_multi_avg_fn(), torch.ones(1)
        >>> update([a], [torch.tensor([4.0])], 2)
        >>> a
        tensor([2.])
    """
    average = get_swa_avg_fn()

    @no_grad()
    def swa_update(
        averaged_param_list: Any, current_param_list: Any, num_averaged: Any
    ) -> None:
        for a, p in zip(averaged_param_list, current_param_list, strict=True):
            if a.is_floating_point() or a.is_complex():
                a.lerp_(p, float(1 / (num_averaged + 1)))  # of a count, in single
            else:
                a.copy_(average(a, p, num_averaged))

    return swa_update


class AveragedModel(Module):
    """A copy of a model whose parameters are averages over training.

    Math: a ← a + (p - a) / (n + 1), or what `avg_fn` says
    Reference: Izmailov et al., 2018, "Averaging weights leads to wider optima and
    better generalization"; Polyak and Juditsky, 1992.

    Args:
        model: copied; the averages begin with the first `update_parameters`.
        device: where averages lie.
        avg_fn: from an average, a parameter and the number of values so far to the new
            average; the mean if not given.
        multi_avg_fn: the same for lists, in place.
        use_buffers: whether buffers are averaged, rather than copied.

    Example:
        >>> import edutorch as torch
        >>> model = torch.nn.Linear(1, 1, bias=False)
        >>> averaged = torch.optim.swa_utils.AveragedModel(model)
        >>> for value in (1.0, 3.0):
        ...     _ = torch.nn.init.constant_(model.weight, value)
        ...     averaged.update_parameters(model)
        >>> averaged.module.weight.item()
        2.0
    """

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Callable[[Tensor, Tensor, Any], Tensor] | None = None,
        multi_avg_fn: Callable[[Any, Any, Any], None] | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError(
                "Only one of avg_fn and multi_avg_fn should be provided"
            )
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", tensor(0, dtype=dtypes.int64, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The output of the averaged model."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Update the averages with the model's parameters."""
        mine = [t.detach() for t in self._averaged(self.module)]
        others = self._averaged(model)
        news = [t.detach().to(a.device) for t, a in zip(others, mine, strict=False)]
        if self.n_averaged == 0:
            for average, new in zip(mine, news, strict=True):
                average.copy_(new)
        elif self.multi_avg_fn is not None:
            for averages, values in _by_kind(mine, news):
                count = self.n_averaged.to(averages[0].device)
                self.multi_avg_fn(averages, values, count)
        else:
            update = self.avg_fn or get_swa_avg_fn()
            for average, new in zip(mine, news, strict=True):
                count = self.n_averaged.to(average.device)
                average.copy_(update(average, new, count))
        if not self.use_buffers:
            pairs = zip(self.module.buffers(), model.buffers(), strict=True)
            for buffer, new in pairs:
                buffer.detach().copy_(new.detach().to(buffer.device))
        self.n_averaged += 1

    def _averaged(self, model: Module) -> Iterator[Tensor]:
        """The tensors of a model that are averaged."""
        if self.use_buffers:
            return itertools.chain(model.parameters(), model.buffers())
        return model.parameters()


def _by_kind(
    averages: list[Tensor], values: list[Tensor]
) -> list[tuple[list[Tensor], list[Tensor]]]:
    """Lists of one dtype and one device each."""
    groups: dict[Any, tuple[list[Tensor], list[Tensor]]] = {}
    for average, value in zip(averages, values, strict=True):
        group = groups.setdefault((average.device, average.dtype), ([], []))
        group[0].append(average)
        group[1].append(value)
    return list(groups.values())


@no_grad()
def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Recompute the running statistics of batch norm, by one pass over data.

    Math: running = the mean over all batches of their means and variances

    Args:
        loader: batches; of a list or tuple the first entry.
        device: where they are moved.

    Example:
        >>> import edutorch as torch
        >>> model = torch.nn.BatchNorm1d(1)
        >>> torch.optim.swa_utils.update_bn([torch.tensor([[1.0], [3.0]])], model)
        >>> model.running_mean
        tensor([2.])
    """
    layers = [m for m in model.modules() if isinstance(m, _BatchNorm)]
    if not layers:
        return
    momenta = [layer.momentum for layer in layers]
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None  # the mean of all batches
    was_training = model.training
    model.train()
    for batch in loader:
        x = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(x if device is None else x.to(device))
    for layer, momentum in zip(layers, momenta, strict=True):
        layer.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Anneals the learning rate to a constant, over some epochs.

    Math: lr_t = (1 − α) lr_0 + α swa_lr, α = (1 − cos(π x)) / 2, or x,
          x = min(1, t / anneal_epochs)
    Reference: Izmailov et al., 2018.

    Args:
        swa_lr: the last rate, or one for each group.
        anneal_strategy: "cos" or "linear".

    Raises:
        ValueError: for settings out of range.

    Example:
        >>> import edutorch as torch
        >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
        >>> schedule = torch.optim.swa_utils.SWALR(optimizer, 0.5, anneal_epochs=1)
        >>> optimizer.step()
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: Any,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        rates = value_per_group("swa_lr", optimizer, swa_lr)
        for rate, group in zip(rates, optimizer.param_groups, strict=True):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                "anneal_strategy must be one of 'cos' or 'linear', instead got "
                f"{anneal_strategy}"
            )
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(
                f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}"
            )
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _annealing_share(self, step: float) -> float:
        """The weight of the final rate at a step; the initial rate has the rest."""
        x = max(0, min(1, step / max(1, self.anneal_epochs)))
        return (1 - cos(pi * x)) / 2 if self._anneal_strategy == "cos" else x

    def get_lr(self) -> list[Any]:
        """The rates of this epoch, from those of the one before."""
        self._warn_outside_step()
        step = self._step_count - 1
        step = max(1, step) if self.anneal_epochs == 0 else step
        before, now = self._annealing_share(step - 1), self._annealing_share(step)
        rates = []
        for group in self.optimizer.param_groups:
            last = group["swa_lr"]
            first = (
                last if before == 1 else (group["lr"] - before * last) / (1 - before)
            )
            rates.append(last * now + first * (1 - now))
        return rates
