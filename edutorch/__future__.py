"""Whether conversions of a module replace its parameters or change them in place."""

from __future__ import annotations

__all__ = [
    "get_overwrite_module_params_on_conversion",
    "get_swap_module_params_on_conversion",
    "set_overwrite_module_params_on_conversion",
    "set_swap_module_params_on_conversion",
]

_overwrite = False
_swap = False


def set_overwrite_module_params_on_conversion(value: bool) -> None:
    """Whether `Module.to` makes new parameters instead of new values of the old ones.

    Example:
        >>> import edutorch as torch
        >>> torch.__future__.set_overwrite_module_params_on_conversion(False)
    """
    global _overwrite
    _overwrite = value


def get_overwrite_module_params_on_conversion() -> bool:
    """The last value given to `set_overwrite_module_params_on_conversion`.

    Example:
        >>> import edutorch as torch
        >>> torch.__future__.get_overwrite_module_params_on_conversion()
        False
    """
    return _overwrite


def set_swap_module_params_on_conversion(value: bool) -> None:
    """Whether `Module.to` exchanges parameters with converted ones.

    Example:
        >>> import edutorch as torch
        >>> torch.__future__.set_swap_module_params_on_conversion(False)
    """
    global _swap
    _swap = value


def get_swap_module_params_on_conversion() -> bool:
    """The last value given to `set_swap_module_params_on_conversion`.

    Example:
        >>> import edutorch as torch
        >>> torch.__future__.get_swap_module_params_on_conversion()
        False
    """
    return _swap
