"""Parametrization: `module.weight` is computed as f(original) on access."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from typing import Any

from ...autograd.modes import no_grad
from ...tensor.tensor import Tensor
from ..modules.container import ModuleDict, ModuleList
from ..modules.module import Module
from ..parameter import Parameter

__all__ = [
    "ParametrizationList", "cached", "is_parametrized", "register_parametrization",
    "remove_parametrizations", "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]  # fmt: skip

_cache_depth = 0
_cache: dict[tuple[int, str], Tensor] = {}


@contextmanager
def cached() -> Iterator[None]:
    """Compute each parametrized tensor once within a `with` block.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.nn.utils import parametrizations, parametrize
        >>> m = parametrizations.orthogonal(torch.nn.Linear(2, 2))
        >>> with parametrize.cached():
        ...     m.weight is m.weight
        True
    """
    global _cache_depth
    _cache_depth += 1
    try:
        yield
    finally:
        _cache_depth -= 1
        if not _cache_depth:
            _cache.clear()


def _register(module: Module, name: str, x: Tensor) -> None:
    if isinstance(x, Parameter):
        module.register_parameter(name, x)
    else:
        module.register_buffer(name, x)


def _type_name(x: Any) -> str:
    return type(x).__name__


class ParametrizationList(ModuleList):
    """The functions that compute a tensor, and their original tensors.

    Math: tensor = f_n(... f_1(original)), original = f_1⁻¹(... f_n⁻¹(tensor))

    Args:
        modules: f_1 ... f_n.
        original: the tensor as it was; inverses are tried on it.
        unsafe: whether shape and dtype may change.

    Attributes:
        original: or original0, original1 ... where the first inverse gives several.

    Raises:
        ValueError: for no functions, or results of another kind, shape or dtype.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 3))
        >>> made = m.parametrizations.weight
        >>> made.original0.shape, made.original1.shape, made().shape
        (torch.Size([3, 1]), torch.Size([3, 2]), torch.Size([3, 2]))
    """

    def __init__(
        self, modules: Sequence[Module], original: Tensor, unsafe: bool = False
    ) -> None:
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        new = self._initial_originals(original)
        if not isinstance(new, (Tensor, Sequence)):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, "
                f"tuple...). Got {_type_name(new)}"
            )
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if isinstance(new, Tensor) else len(new)
        if isinstance(new, Tensor):
            self._keep_one(original, new)
        else:
            self._keep_several(original, new)
        if not unsafe:
            change = "Registering a parametrization may not change the"
            _check_same(
                self(), shape, dtype, f"{change} {{}} of the tensor, unless `unsafe` "
                "flag is enabled.\nunparametrized {}: {}\nparametrized {}: {}",
            )  # fmt: skip

    def _initial_originals(self, x: Any) -> Any:
        """The originals from which this tensor is computed, by each `right_inverse`."""
        with no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    with suppress(NotImplementedError):
                        x = module.right_inverse(x)
        return x

    def _keep_one(self, original: Tensor, new: Tensor) -> None:
        for what in ("dtype", "device"):
            before, after = getattr(original, what), getattr(new, what)
            if before != after:
                raise ValueError(
                    "When `right_inverse` outputs one tensor, it may not change the "
                    f"{what}.\noriginal.{what}: {before}\n"
                    f"right_inverse(original).{what}: {after}"
                )
        original.data = new.data
        _register(self, "original", original)

    def _keep_several(self, original: Tensor, new: Sequence[Any]) -> None:
        for i, x in enumerate(new):
            if not isinstance(x, Tensor):
                raise ValueError(
                    "'right_inverse' must return a Tensor or a Sequence of tensors "
                    f"(list, tuple...). Got element {i} of the sequence with type "
                    f"{_type_name(x)}."
                )
            if isinstance(original, Parameter):
                x = Parameter(x, original.requires_grad)
            x.requires_grad_(original.requires_grad)
            _register(self, f"original{i}", x)

    def right_inverse(self, value: Tensor) -> None:
        """Set the originals such that the parametrization gives this value.

        Raises:
            RuntimeError: if a function has no inverse.
            ValueError: if one gives tensors of another number or dtype.
        """
        with no_grad():
            new: Any = value
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(
                        f"parametrization {_type_name(module)} does not implement "
                        "right_inverse."
                    )
                new = module.right_inverse(new)
            if self.is_tensor:
                self._assign_one(new)
            else:
                self._assign_several(new)

    def _assign_one(self, new: Any) -> None:
        if not isinstance(new, Tensor):
            raise ValueError(
                f"`right_inverse` should return a tensor. Got {_type_name(new)}"
            )
        if new.dtype != self.original.dtype:
            raise ValueError(
                f"The tensor returned by `right_inverse` has dtype {new.dtype} while "
                f"`original` has dtype {self.original.dtype}"
            )
        self.original.data = new.data

    def _assign_several(self, new: Any) -> None:
        if not isinstance(new, Sequence):
            raise ValueError(
                "'right_inverse' must return a sequence of tensors. Got "
                f"{_type_name(new)}."
            )
        if len(new) != self.ntensors:
            raise ValueError(
                "'right_inverse' must return a sequence of tensors of length "
                f"{self.ntensors}. Got a sequence of length {len(new)}."
            )
        for i, x in enumerate(new):
            original = getattr(self, f"original{i}")
            if original.dtype != x.dtype:
                raise ValueError(
                    f"Tensor {i} returned by `right_inverse` has dtype {x.dtype} while "
                    f"`original{i}` has dtype {original.dtype}"
                )
            original.data = x.data

    def forward(self) -> Tensor:
        """The tensor."""
        names = ["original"] if self.is_tensor else [
            f"original{i}" for i in range(self.ntensors)
        ]  # fmt: skip
        first, *rest = self
        x: Tensor = first(*(getattr(self, name) for name in names))
        for module in rest:
            x = module(x)
        return x


def _check_same(x: Any, shape: Any, dtype: Any, words: str) -> None:
    """Raise unless a tensor has this dtype and shape; `words` is the message."""
    if not isinstance(x, Tensor):
        raise ValueError(
            f"A parametrization must return a tensor. Got {_type_name(x)}."
        )
    for what, before in (("dtype", dtype), ("shape", shape)):
        after = getattr(x, what)
        if after != before:
            raise ValueError(words.format(what, what, before, what, after))


# ---- the class of a parametrized module


def _refuse_pickling(self: Module) -> Any:
    raise RuntimeError(
        "Serialization of parametrized modules is only supported through state_dict(). "
        "See:\nhttps://pytorch.org/tutorials/beginner/saving_loading_models.html"
        "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
    )


def _copied(self: Module, memo: dict[int, Any]) -> Any:
    """A deep copy made without pickling."""
    if id(self) not in memo:
        memo[id(self)] = copy = type(self).__new__(type(self))
        copy.__dict__.update(deepcopy(self.__dict__, memo))
    return memo[id(self)]


def _give_own_class(module: Module) -> None:
    """Give a module a class of its own, to which properties can be added."""
    cls = type(module)
    members: dict[str, Any] = {"__getstate__": _refuse_pickling}
    if not hasattr(cls, "__deepcopy__"):
        members["__deepcopy__"] = _copied
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), members)


def _add_property(module: Module, name: str) -> None:
    """Add a property that computes the tensor; assigning to it sets the originals."""

    def computed(self: Module) -> Tensor:
        compute = self.parametrizations[name]
        if not _cache_depth:
            return compute()
        key = id(self), name
        if key not in _cache:
            _cache[key] = compute()
        return _cache[key]

    def assign(self: Module, value: Tensor) -> None:
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(computed, assign))


def register_parametrization(
    module: Module,
    tensor_name: str,
    parametrization: Module,
    *,
    unsafe: bool = False,
) -> Module:
    """Compute a parameter or buffer from an original tensor by a function.

    `module.tensor_name` is computed anew whenever it is read; what is learnt is
    `module.parametrizations.tensor_name.original`.

    Args:
        parametrization: its `forward` is the function, `right_inverse` an inverse.
        unsafe: whether shape and dtype may change.

    Raises:
        ValueError: for a name that is neither, or results of another shape or dtype.

    Example:
        >>> import edutorch as torch
        >>> class Symmetric(torch.nn.Module):
        ...     def forward(self, x):
        ...         return x.triu() + x.triu(1).T
        >>> m = torch.nn.utils.parametrize.register_parametrization(
        ...     torch.nn.Linear(3, 3), "weight", Symmetric())
        >>> torch.equal(m.weight, m.weight.T)
        True
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_one_more(module, tensor_name, parametrization)
        functions = module.parametrizations[tensor_name]
        functions.append(parametrization)
        functions.unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        functions = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _give_own_class(module)
            module.parametrizations = ModuleDict()
        _add_property(module, tensor_name)
        module.parametrizations[tensor_name] = functions
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized "
            f"element with name '{tensor_name}'"
        )
    return module


def _check_one_more(module: Module, name: str, parametrization: Module) -> None:
    """Check that another function, and its inverse, keeps shape and dtype."""
    before = getattr(module, name)
    after = parametrization(before)
    _check_same(
        after, before.shape, before.dtype, "Registering a parametrization may not "
        "change the {} of the tensor, unless the `unsafe` flag is enabled.\n"
        f"module.{name}.{{}}: {{}}\nparametrization(module.{name}).{{}}: {{}}",
    )  # fmt: skip
    if not hasattr(parametrization, "right_inverse"):
        return
    with suppress(NotImplementedError):
        back = parametrization.right_inverse(after)
        if not isinstance(back, Tensor):
            raise ValueError(
                "parametrization.right_inverse must return a tensor. Got: "
                f"{_type_name(back)}"
            )
        _check_same(
            back, before.shape, before.dtype, "The tensor returned by "
            "parametrization.right_inverse must have the same {} as "
            f"module.{name}, unless the `unsafe` flag is enabled.\n"
            f"module.{name}.{{}}: {{}}\nreturned {{}}: {{}}",
        )  # fmt: skip


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether a module has parametrized tensors, or one with this name.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.utils.parametrize.is_parametrized(torch.nn.Linear(1, 1))
        False
    """
    tables = getattr(module, "parametrizations", None)
    if not isinstance(tables, ModuleDict):
        return False
    return len(tables) > 0 if tensor_name is None else tensor_name in tables


def remove_parametrizations(
    module: Module, tensor_name: str, leave_parametrized: bool = True
) -> Module:
    """Make a parametrized tensor an ordinary parameter or buffer again.

    Args:
        leave_parametrized: with its value of now, rather than the original.

    Raises:
        ValueError: for a tensor that is not parametrized, or has several originals
            to choose from.

    Example:
        >>> import edutorch as torch
        >>> utils = torch.nn.utils
        >>> m = utils.parametrizations.orthogonal(torch.nn.Linear(2, 2))
        >>> utils.parametrize.remove_parametrizations(m, "weight")
        Linear(in_features=2, out_features=2, bias=True)
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(
            f"Module {module} does not have a parametrization on {tensor_name}"
        )
    functions = module.parametrizations[tensor_name]
    if functions.is_tensor:
        original = functions.original
        if leave_parametrized:
            with no_grad():
                original.data = getattr(module, tensor_name).data
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value.detach()) if value.requires_grad else value
    else:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is "
            "parametrized in terms of a sequence of tensors."
        )
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        del module.parametrizations
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Module) -> type:
    """A module's class without its parametrizations.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(2, 2))
        >>> torch.nn.utils.parametrize.type_before_parametrizations(m).__name__
        'Linear'
    """
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Copy parametrizations and their originals from one module to another.

    Args:
        tensor_name: of one tensor only.

    Example:
        >>> import edutorch as torch
        >>> utils = torch.nn.utils
        >>> m = utils.parametrizations.orthogonal(torch.nn.Linear(2, 2))
        >>> other = utils.parametrize.transfer_parametrizations_and_params(
        ...     m, torch.nn.Linear(2, 2))
        >>> torch.equal(other.weight, m.weight)
        True
    """
    if not is_parametrized(from_module):
        return to_module
    names = [tensor_name] if tensor_name else list(from_module.parametrizations)
    for name in names:
        functions = from_module.parametrizations[name]
        if not hasattr(to_module, name):
            value = getattr(from_module, name).detach()
            setattr(to_module, name, Parameter(value))
        for function in functions:
            register_parametrization(to_module, name, function)
        for original, value in functions._parameters.items():
            setattr(to_module.parametrizations[name], original, value)
    return to_module
