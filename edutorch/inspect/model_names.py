"""The names of models that run in one program: `Sequential`, `Sequential_2`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

__all__ = ["number_models"]


def number_models(classes: Mapping[int, str]) -> dict[int, str]:
    """Names of models: the class, with a number from the second model of a class on.

    Args:
        classes: the class of each model, by the model's number in `module_events`.

    Example:
        >>> number_models({7: "Sequential", 9: "Linear", 12: "Sequential"})
        {7: 'Sequential', 9: 'Linear', 12: 'Sequential_2'}
    """
    found: dict[int, str] = {}
    counts: Counter[str] = Counter()
    for model, cls in classes.items():
        counts[cls] += 1
        found[model] = f"{cls}_{counts[cls]}" if counts[cls] > 1 else cls
    return found
