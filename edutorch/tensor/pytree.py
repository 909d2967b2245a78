"""Nested containers of tensors: flattening and unflattening."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from ..tensor.tensor import Tensor

__all__ = ["broadcast", "flatten", "format_spec", "tensors_of", "tree_map", "unflatten"]

LEAF = object()  # the structure of a value that is not a container


def flatten(tree: Any) -> tuple[list[Any], Any]:
    """The leaves of nested tuples, lists and dictionaries, and their structure.

    Example:
        >>> flatten({"a": 1, "b": (2, 3)})[0]
        [1, 2, 3]
    """
    if isinstance(tree, dict):
        keys = list(tree)
        parts = [flatten(tree[key]) for key in keys]
        structure: Any = (type(tree), keys, [s for _, s in parts])
    elif isinstance(tree, (tuple, list)):
        parts = [flatten(part) for part in tree]
        structure = (type(tree), len(tree), [s for _, s in parts])
    else:
        return [tree], LEAF
    return [leaf for leaves, _ in parts for leaf in leaves], structure


def unflatten(leaves: Iterable[Any], structure: Any) -> Any:
    """Rebuild a structure taken apart by `flatten`, with other leaves.

    Example:
        >>> unflatten([4, 5, 6], flatten({"a": 1, "b": (2, 3)})[1])
        {'a': 4, 'b': (5, 6)}
    """
    return _build(iter(leaves), structure)


def _build(leaves: Any, structure: Any) -> Any:
    if structure is LEAF:
        return next(leaves)
    kind, keys, parts = structure
    built = [_build(leaves, part) for part in parts]
    if issubclass(kind, dict):
        pairs = zip(keys, built, strict=True)
        return kind(pairs) if kind in (dict, OrderedDict) else dict(pairs)
    return kind(*built) if hasattr(kind, "_fields") else kind(built)


def format_spec(structure: Any) -> str:
    """A structure in PyTorch's spelling, for messages.

    Example:
        >>> format_spec(flatten((1, [2]))[1])
        'TreeSpec(tuple, None, [*,\\n  TreeSpec(list, None, [*])])'
    """
    if structure is LEAF:
        return "*"
    kind, keys, parts = structure
    context = keys if issubclass(kind, dict) else None
    inner = ",\n  ".join(map(format_spec, parts))
    return f"TreeSpec({kind.__name__}, {context}, [{inner}])"


def tree_map(function: Callable[[Any], Any], tree: Any) -> Any:
    """The same containers with `function` of each leaf.

    Example:
        >>> tree_map(abs, [-1, (2, -3)])
        [1, (2, 3)]
    """
    leaves, structure = flatten(tree)
    return unflatten([function(leaf) for leaf in leaves], structure)


def tensors_of(tree: Any) -> list[Tensor]:
    """The tensors among the leaves."""
    return [leaf for leaf in flatten(tree)[0] if isinstance(leaf, Tensor)]


def broadcast(prefix: Any, tree: Any) -> list[Any] | None:
    """A value for each leaf of `tree`; leaves of `prefix` may replace containers.

    None if the two do not fit.

    Example:
        >>> broadcast((0, None), ([1, 2], 3))
        [0, 0, None]
    """
    if not isinstance(prefix, (tuple, list, dict)):
        return [prefix] * len(flatten(tree)[0])
    if isinstance(prefix, dict):
        fits = isinstance(tree, dict) and list(prefix) == list(tree)
        pairs = [(prefix[k], tree[k]) for k in prefix] if fits else []
    else:
        fits = isinstance(tree, type(prefix)) and len(prefix) == len(tree)
        pairs = list(zip(prefix, tree, strict=True)) if fits else []
    if not fits:
        return None
    found = [broadcast(p, t) for p, t in pairs]
    if any(part is None for part in found):
        return None
    return [value for part in found for value in part or []]
