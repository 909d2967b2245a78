"""PostLocalSGDOptimizer: an optimizer that averages the model every few steps."""

from __future__ import annotations

import warnings
from typing import Any

from ..distributed.algorithms.model_averaging.averagers import ModelAverager
from .optimizer import Optimizer

__all__ = ["PostLocalSGDOptimizer"]


class PostLocalSGDOptimizer(Optimizer):
    """Another optimizer's step, and then an average of the model over ranks.

    With `post_localSGD_hook`, whose `start_localSGD_iter` is the `warmup_steps` of the
    averager, this is post-local SGD.

    Args:
        optim: the optimizer of each rank.
        averager: what averages its parameters: a `PeriodicModelAverager`.

    Reference: Lin et al., 2018.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.algorithms.model_averaging import averagers
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> w = torch.nn.Parameter(torch.ones(1))
        >>> optimizer = dist.optim.PostLocalSGDOptimizer(
        ...     torch.optim.SGD([w], lr=0.1),
        ...     averagers.PeriodicModelAverager(period=4, warmup_steps=100),
        ... )
        >>> w.sum().backward()
        >>> optimizer.step()
        >>> w.item(), optimizer.state_dict()["step"]
        (0.8999999761581421, 1)
        >>> dist.destroy_process_group()
    """

    def __init__(self, optim: Optimizer, averager: ModelAverager) -> None:
        self.optim, self.averager = optim, averager
        self.param_groups = optim.param_groups

    @property
    def state(self) -> Any:  # type: ignore[override]  # a view of another's
        """The state of the wrapped optimizer."""
        return self.optim.state

    def __repr__(self) -> str:
        return repr(self.optim)

    def state_dict(self) -> dict[str, Any]:
        """The state of the wrapped optimizer, with the averager's step as "step"."""
        return self.optim.state_dict() | {"step": self.averager.step}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the wrapped optimizer and the averager's step."""
        self.optim.load_state_dict(state_dict)
        if "step" not in state_dict:
            warnings.warn(
                "Loaded state dict does not contain a step counter for an averager. "
                "Setting step counter to 0.",
                stacklevel=2,
            )
        self.averager.step = state_dict.get("step", 0)

    def step(self) -> None:
        """Run a step of the wrapped optimizer, then average if it is time."""
        self.optim.step()
        self.averager.average_parameters(self.param_groups)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients of all parameters."""
        self.optim.zero_grad(set_to_none=set_to_none)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters to the wrapped optimizer."""
        self.optim.add_param_group(param_group)
