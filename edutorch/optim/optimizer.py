"""Optimizer: parameter groups, state, and what every update rule shares."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from .. import events
from ..autograd.modes import enable_grad, no_grad
from ..nn.hooks import RemovableHandle
from ..tensor.tensor import Tensor

__all__ = ["Optimizer", "required"]


class _Required:
    """Stands for a setting that has no default."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()


class Optimizer:
    """Base class: subclasses write `update(group)`, one step of one group.

    Args:
        params: parameters, or dictionaries of "params" and settings (groups).
        defaults: the settings of groups that do not name them.

    Attributes:
        param_groups: the groups, each with its parameters and settings.
        state: for each parameter, what the rule remembers (momentum ...).

    Raises:
        ValueError: for no parameters, or the same one twice.
        TypeError: for what is no tensor.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.ones(1))
        >>> optimizer = torch.optim.SGD([p], lr=0.5)
        >>> (p * 2).sum().backward()
        >>> optimizer.step()
        >>> p
        Parameter containing:
        tensor([0.], requires_grad=True)
    """

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors "
                f"or dicts, but got {params.type()}"
            )
        self.defaults = defaults
        self.state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        self._pre_hooks: OrderedDict[int, Any] = OrderedDict()
        self._post_hooks: OrderedDict[int, Any] = OrderedDict()
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(dict(group))

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters with settings of its own."""
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but "
                "the ordering of tensors in sets will change between runs. Please use a "
                "list instead."
            )
        params = [params] if isinstance(params, Tensor) else list(params)
        if params and isinstance(params[0], tuple):
            param_group["param_names"] = [name for name, _ in params]
            params = [p for _, p in params]
        param_group["params"] = params
        for p in params:
            if not isinstance(p, Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is "
                    f"{type(p).__name__}"
                )
            if not (p.is_leaf or p._retain):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    "parameter group didn't specify a value of required optimization "
                    f"parameter {name}"
                )
            param_group.setdefault(name, default)
        known = {id(p) for group in self.param_groups for p in group["params"]}
        if known & {id(p) for p in params}:
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    # ---- a step

    def update(self, group: dict[str, Any]) -> None:
        """Change the parameters of one group by one step of the rule."""
        raise NotImplementedError

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter by its gradient; ends a training step.

        Args:
            closure: computes the loss again; its result is returned.
        """
        for hook in list(self._pre_hooks.values()):
            hook(self, (closure,), {})
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        before, events.place.phase = events.place.phase, "optim"
        try:
            with no_grad():
                for group in self.param_groups:
                    self.update(group)
        finally:
            events.place.phase = before
        for hook in list(self._post_hooks.values()):
            hook(self, (closure,), {})
        if events.active:
            self._announce()
        events.next_step()
        return loss

    def _announce(self) -> None:
        """Tell listeners which memory belongs to the optimizer."""
        for state in self.state.values():
            for value in state.values():
                if isinstance(value, Tensor):
                    events.recategorise(value.untyped_storage(), "optimizer")

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients, or fill them with zeros."""
        for group in self.param_groups:
            for p in group["params"]:
                if p._grad is None:
                    continue
                if set_to_none:
                    p._grad = None
                else:
                    p._grad = p._grad.detach().zero_()

    # ---- state

    def state_dict(self) -> dict[str, Any]:
        """Settings and state with parameters as numbers; see `load_state_dict`."""
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            for p in group["params"]:
                numbers.setdefault(id(p), len(numbers))
            packed = {k: v for k, v in group.items() if k != "params"}
            packed["params"] = [numbers[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {
            (numbers[id(k)] if isinstance(k, Tensor) else k): v
            for k, v in self.state.items()
        }
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take settings and state from another optimizer of the same parameters.

        Raises:
            ValueError: if numbers of groups or parameters differ; nothing changed then.
        """
        saved = state_dict["param_groups"]
        if len(saved) != len(self.param_groups):
            raise ValueError(
                "loaded state dict has a different number of parameter groups"
            )
        for mine, theirs in zip(self.param_groups, saved, strict=True):
            if len(mine["params"]) != len(theirs["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group that doesn't match the "
                    "size of optimizer's group"
                )
        parameters = {
            number: p
            for mine, theirs in zip(self.param_groups, saved, strict=True)
            for number, p in zip(theirs["params"], mine["params"], strict=True)
        }
        state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        for number, values in state_dict["state"].items():
            p = parameters.get(number)
            key = number if p is None else p
            state[key] = values if p is None else _fit(p, values)
        groups = [
            {**deepcopy({k: v for k, v in theirs.items() if k != "params"}),
             "params": mine["params"]}
            for mine, theirs in zip(self.param_groups, saved, strict=True)
        ]  # fmt: skip
        self.state, self.param_groups = state, groups

    # ---- hooks

    def _register(self, hooks: OrderedDict[int, Any], hook: Any) -> RemovableHandle:
        handle = RemovableHandle(hooks)
        hooks[handle.id] = hook
        return handle

    def register_step_pre_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step."""
        return self._register(self._pre_hooks, hook)

    def register_step_post_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return self._register(self._post_hooks, hook)

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {i}")
            lines += [f"    {k}: {group[k]}" for k in sorted(group) if k != "params"]
        return "\n".join([*lines, ")"])

    def __getstate__(self) -> dict[str, Any]:
        return {
            "defaults": self.defaults,
            "state": self.state,
            "param_groups": self.param_groups,
        }


def _fit(p: Tensor, values: Any) -> Any:
    """Loaded state in the parameter's dtype and on its device, the step count as it is."""
    made = {}
    for name, value in values.items():
        if isinstance(value, Tensor):
            value = value.detach().clone()
            if name != "step":
                value = value.to(p.dtype) if p.is_floating_point() else value
                value = value.to(p.device)
        made[name] = value
    return made


def gradients(group: dict[str, Any]) -> Iterable[tuple[Any, Any]]:
    """The parameters of a group that have gradients, each with its gradient."""
    return ((p, p._grad) for p in group["params"] if p._grad is not None)
