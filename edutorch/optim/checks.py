"""Checks of settings, with PyTorch's words."""

from __future__ import annotations

from typing import Any

__all__ = ["check_betas", "check_nonnegative"]


def check_nonnegative(**settings: Any) -> None:
    """Refuse negative settings; names are shown with spaces for underscores.

    Raises:
        ValueError: naming the setting.

    Example:
        >>> from edutorch.optim.checks import check_nonnegative
        >>> check_nonnegative(learning_rate=0.1)
    """
    for name, value in settings.items():
        if not value >= 0.0:
            raise ValueError(f"Invalid {name.replace('_', ' ')}: {value}")


def check_betas(betas: tuple[float, float]) -> None:
    """Refuse decay rates outside [0, 1).

    Raises:
        ValueError: naming the position.

    Example:
        >>> from edutorch.optim.checks import check_betas
        >>> check_betas((0.9, 0.999))
    """
    for i, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
