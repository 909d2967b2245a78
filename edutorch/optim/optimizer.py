"""Optimizer: parameter groups and state, the base class of all update rules."""

from __future__ import annotations

import functools
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NoReturn

from .. import events, memory_events
from ..autograd.hooks import RemovableHandle, add_hook
from ..autograd.modes import enable_grad, set_grad, set_grad_enabled
from ..backends import device_costs
from ..backends.sparse import Coo
from ..nn.modules.module_traversal import zero_gradient
from ..ops.convert import typename
from ..tensor.tensor import Tensor
from .implementation_checks import check_capturable, check_foreach
from .rule_helpers import convert_step_counts
from .state_dict import load_state, pack_state
from .step_counter import counter, device_of, end_turn

__all__ = [
    "Optimizer", "label_memory", "params_with_grad",
    "register_optimizer_step_post_hook", "register_optimizer_step_pre_hook", "required",
]  # fmt: skip


class _Required:
    """Marks a setting without a default."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()

HOOKS = (
    "_optimizer_step_pre_hooks", "_optimizer_step_post_hooks",
    "_optimizer_state_dict_pre_hooks", "_optimizer_state_dict_post_hooks",
    "_optimizer_load_state_dict_pre_hooks", "_optimizer_load_state_dict_post_hooks",
)  # fmt: skip
IMPLEMENTATIONS = ("foreach", "fused", "capturable")
NO_HOOKS: Mapping[int, Any] = MappingProxyType({})
_global_pre_hooks: OrderedDict[int, Any] = OrderedDict()
_global_post_hooks: OrderedDict[int, Any] = OrderedDict()


def _add_hook(
    hooks: OrderedDict[int, Any], hook: Any, prepend: bool
) -> RemovableHandle:
    handle = add_hook(hooks, hook)
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook: Any) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` before every optimizer's steps."""
    return _add_hook(_global_pre_hooks, hook, False)


def register_optimizer_step_post_hook(hook: Any) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` after every optimizer's steps."""
    return _add_hook(_global_post_hooks, hook, False)


def _with_hooks(step: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap `step` such that it runs hooks and ends a training step."""

    @functools.wraps(step)
    def stepping(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        if self._stepping:  # a `step` that calls that of its base class
            return step(self, *args, **kwargs)
        self._stepping = True
        state = events.thread_local.state
        before, state.phase = state.phase, "optim"
        started = events.clock() if events.hears_spans else 0
        try:
            if self._optimizer_step_pre_hooks or _global_pre_hooks:
                args, kwargs = self._call_pre_hooks(args, kwargs)
            result = step(self, *args, **kwargs)
        finally:
            state.phase = before
            self._stepping = False
        if self._optimizer_step_post_hooks or _global_post_hooks:
            self._call_post_hooks(args, kwargs)
        if started:
            kind = type(self).__name__
            # a closure computes a loss, which is not part of the update's time
            device = "" if args or kwargs else device_of(self)
            events.span(f"Optimizer.step#{kind}.step", "optim", started, device)
        if events.hears_memory:
            label_memory(self)
        if counter.alone == id(self) and not events.level:  # the usual case
            events.next_step()
        else:
            end_turn(self)
        return result

    return stepping


def label_memory(optimizer: Optimizer) -> None:
    """Report which memory belongs to the optimizer."""
    for parameter, state in optimizer.state.items():
        if isinstance(state, dict):
            owner = parameter if isinstance(parameter, Tensor) else None
            memory_events.label_all(state.items(), "optimizer", owner)


class Optimizer:
    """Base class of all optimizers.

    A subclass defines the rule for one parameter, by `_init_state` and
    `_update_parameter`, or overrides `step`, as in PyTorch.

    Args:
        params: parameters, pairs of name and parameter, or groups: dictionaries of
            "params" and settings.
        defaults: settings for groups that do not specify them.

    Attributes:
        param_groups: the groups, each with its parameters and settings.
        state: for each parameter, the state of the rule (momentum ...).

    Raises:
        ValueError: for no parameters, or the same one twice.
        TypeError: for arguments that are not tensors.

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

    _supports_sparse = False  # whether sparse gradients are accepted
    _counts_steps = False  # whether states have a "step"
    _first_state = "exp_avg"  # what a step reads first
    _fused_checked = False  # whether `check_first_fused_parameter` has passed
    # What `capturable` wants on certain devices, and whether XLA's are among them: one
    # parameter at a time, and with `foreach`.
    _captured = "params and state_steps", "params and state_steps"
    _captured_by_xla = True, False
    _stepping = False
    # For optimizers that wrap another one and do not call __init__ of this class.
    _optimizer_step_pre_hooks: Any = NO_HOOKS
    _optimizer_step_post_hooks: Any = NO_HOOKS

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "step" in cls.__dict__:
            type.__setattr__(cls, "step", _with_hooks(cls.__dict__["step"]))

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of "
                f"Tensors or dicts, but got {typename(params)}"
            )
        self.defaults = defaults
        for name in HOOKS:
            setattr(self, name, OrderedDict())
        self.state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)
        counter.created(self)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters with its own settings.

        Args:
            param_group: "params", and the settings that differ from the defaults.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        _fill_parameters(param_group)
        params = param_group["params"]
        for p in params:
            _check_parameter(p, self.defaults)
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    "parameter group didn't specify a value of required optimization "
                    f"parameter {name}"
                )
            param_group.setdefault(name, default)
        if len(params) != len(set(params)):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in "
                "future, this will cause an error; see "
                "github.com/pytorch/pytorch/issues/40967 for more information",
                stacklevel=3,
            )
        self._check_against_groups(param_group)
        self.param_groups.append(param_group)

    def _check_against_groups(self, new: dict[str, Any]) -> None:
        """Check a new group against the existing ones."""
        for group in self.param_groups:
            if ("param_names" in new) != ("param_names" in group):
                naming = "with names" if "param_names" in new else "without names"
                raise ValueError(
                    "all optimizer param groups should be with/without names. cannot "
                    f"add param group {naming} to the optimizer"
                )
        known = {p for group in self.param_groups for p in group["params"]}
        if not known.isdisjoint(new["params"]):
            raise ValueError("some parameters appear in more than one parameter group")

    # ---- a step

    def _update_group(self, group: dict[str, Any]) -> None:
        """Apply one step of the rule to the parameters of a group."""
        for p, g, state in self._params_with_state(group):
            self._update_parameter(p, g, state, group)

    def _params_with_state(
        self, group: dict[str, Any]
    ) -> list[tuple[Tensor, Tensor, dict[str, Any]]]:
        """The parameters of a group that have gradients, with gradient and state."""
        found = []
        for p in group["params"]:
            g = p._grad
            if g is None:
                continue
            if type(g._data) is Coo and not self._supports_sparse:
                self._refuse_sparse()
            state = self.state[p]
            if not len(state):  # a program may have put something there
                for name, value in self._init_state(p, group).items():
                    state[name] = value
            if type(state) is not dict:  # texts and tensors refuse in their own words
                state[self._first_state]
            found.append((p, g, state))
        if found and any(map(group.get, IMPLEMENTATIONS)):
            self._check_implementation(group, [p for p, _, _ in found])
        return found

    def _check_implementation(
        self, group: dict[str, Any], params: list[Tensor]
    ) -> None:
        """Reject what the implementation chosen by a group does not support."""
        check_foreach(group)
        check_capturable(group, params, self._captured, self._captured_by_xla)

    def _refuse_sparse(self) -> NoReturn:
        """Raise the error for sparse gradients."""
        name = type(self).__name__.removesuffix("W")
        advice = ", please consider SparseAdam instead" if name == "Adam" else ""
        raise RuntimeError(f"{name} does not support sparse gradients{advice}")

    def _init_state(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """Return the state of a parameter before its first step."""
        raise NotImplementedError(f"{type(self).__name__}._init_state")

    def _update_parameter(
        self, p: Tensor, g: Tensor, state: dict[str, Any], group: dict[str, Any]
    ) -> None:
        """Update one parameter from its gradient and state."""
        raise NotImplementedError(f"{type(self).__name__}._update_parameter")

    @_with_hooks
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update every parameter from its gradient, ending a training step.

        Args:
            closure: computes the loss again; its result is returned.
        """
        loss, recorded = None, self.defaults.get("differentiable", False)
        if type(recorded) is not bool:
            set_grad_enabled(recorded)  # raises
        if closure is not None:
            with enable_grad():
                loss = closure()
        # Only the steps of a differentiable optimizer are recorded.
        recording = set_grad(recorded)
        try:
            for group in self.param_groups:
                self._update_group(group)
                if device_costs.of_backward is not None:
                    device_costs.charge_update(group["params"], self.state)
        finally:
            set_grad(recording)
        return loss

    def _call_pre_hooks(self, args: Any, kwargs: Any) -> Any:
        pre = (_global_pre_hooks, self._optimizer_step_pre_hooks)
        for hook in (h for hooks in pre for h in list(hooks.values())):
            changed = hook(self, (self, *args), kwargs)
            if changed is None:
                continue
            if not (isinstance(changed, tuple) and len(changed) == 2):
                raise RuntimeError(
                    f"{type(self).step} must return None or a tuple of (new_args, "
                    f"new_kwargs), but got {changed}."
                )
            args, kwargs = changed[0][1:], changed[1]
        return args, kwargs

    def _call_post_hooks(self, args: Any, kwargs: Any) -> None:
        post = (self._optimizer_step_post_hooks, _global_post_hooks)
        for hook in (h for hooks in post for h in list(hooks.values())):
            hook(self, (self, *args), kwargs)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set all gradients to None, or fill them with zeros."""
        started = events.clock() if events.hears_spans else 0
        for group in self.param_groups:
            for p in group["params"]:
                if p._grad is not None:
                    p._grad = None if set_to_none else zero_gradient(p._grad)
        if started:
            kind = type(self).__name__
            events.span(f"Optimizer.zero_grad#{kind}.zero_grad", "optim", started)

    # ---- state

    def state_dict(self) -> dict[str, Any]:
        """Settings and state, with parameters as numbers; see `load_state_dict`."""
        for hook in list(self._optimizer_state_dict_pre_hooks.values()):
            hook(self)
        packed = pack_state(self.state, self.param_groups)
        for hook in list(self._optimizer_state_dict_post_hooks.values()):
            changed = hook(self, packed)
            packed = packed if changed is None else changed
        return packed

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load settings and state of another optimizer of the same parameters.

        Raises:
            ValueError: if numbers of groups or parameters differ; then nothing changes.
        """
        state_dict = state_dict.copy()
        for hook in list(self._optimizer_load_state_dict_pre_hooks.values()):
            changed = hook(self, state_dict)
            state_dict = state_dict if changed is None else changed
        state, groups = load_state(self.param_groups, state_dict)
        self.__setstate__({"state": state, "param_groups": groups})
        for hook in list(self._optimizer_load_state_dict_post_hooks.values()):
            hook(self)

    def __getstate__(self) -> dict[str, Any]:
        names = ("defaults", "state", "param_groups")
        return {name: getattr(self, name) for name in names}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for name in HOOKS:
            self.__dict__.setdefault(name, OrderedDict())
        for group in self.param_groups:  # settings that an older state lacks
            for name, default in self.defaults.items():
                group.setdefault(name, default)
            if self._counts_steps:
                convert_step_counts(self.state, group["params"])

    # ---- hooks

    def register_step_pre_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step."""
        return _add_hook(self._optimizer_step_pre_hooks, hook, False)

    def register_step_post_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return _add_hook(self._optimizer_step_post_hooks, hook, False)

    def register_state_dict_pre_hook(
        self, hook: Any, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer)` before `state_dict`."""
        return _add_hook(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(
        self, hook: Any, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` after `state_dict`."""
        return _add_hook(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(
        self, hook: Any, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` before state is loaded."""
        return _add_hook(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: Any, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer)` after state was loaded."""
        return _add_hook(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for name in sorted(group):
                if name != "params":
                    text += f"    {name}: {group[name]}\n"
        return text + ")"


def _fill_parameters(group: dict[str, Any]) -> None:
    """Make "params" of a group a list of tensors, and "param_names" of names given."""
    params = group["params"]
    if isinstance(params, set):
        raise TypeError(
            "optimizer parameters need to be organized in ordered collections, but the "
            "ordering of tensors in sets will change between runs. Please use a list "
            "instead."
        )
    params = [params] if isinstance(params, Tensor) else list(params)
    names = [p[0] for p in params if isinstance(p, tuple)]
    if names and len(names) != len(params):
        raise ValueError(
            "all optimizer params should be with/without names. Some param names are "
            "missing"
        )
    group["params"] = [p[1] for p in params] if names else params
    if names:
        group["param_names"] = names


def _check_parameter(p: Any, defaults: dict[str, Any]) -> None:
    if not isinstance(p, Tensor):
        raise TypeError(
            "optimizer can only optimize Tensors, but one of the params is "
            f"{typename(p)}"
        )
    if not (defaults.get("differentiable") or p.is_leaf or p._retain):
        raise ValueError("can't optimize a non-leaf Tensor")


def params_with_grad(group: dict[str, Any]) -> list[tuple[Tensor, Tensor]]:
    """Pairs (parameter, gradient) of the parameters of a group that have gradients."""
    return [(p, p._grad) for p in group["params"] if p._grad is not None]
