"""Trees of Python containers: their leaves, their structure, and maps over them.

Lists, tuples, named tuples, dictionaries of several kinds and deques are nodes;
programs may register their own classes. Everything else is a leaf.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = [
    "TreeSpec", "register_pytree_node", "tree_all", "tree_all_only", "tree_any",
    "tree_any_only", "tree_flatten", "tree_iter", "tree_leaves", "tree_map",
    "tree_map_", "tree_map_only", "tree_map_only_", "tree_structure",
    "tree_unflatten", "treespec_pprint",
]  # fmt: skip


class Kind(NamedTuple):
    """How nodes of a class are flattened to (children, context), and rebuilt."""

    flatten: Callable[[Any], tuple[list[Any], Any]]
    unflatten: Callable[[Any, Any], Any]


KINDS: dict[Any, Kind] = {
    tuple: Kind(lambda t: (list(t), None), lambda c, _: tuple(c)),
    list: Kind(lambda t: (list(t), None), lambda c, _: list(c)),
    dict: Kind(
        lambda t: (list(t.values()), list(t)),
        lambda c, keys: dict(zip(keys, c, strict=True)),
    ),
    OrderedDict: Kind(
        lambda t: (list(t.values()), list(t)),
        lambda c, keys: OrderedDict(zip(keys, c, strict=True)),
    ),
    defaultdict: Kind(
        lambda t: (list(t.values()), [t.default_factory, list(t)]),
        lambda c, described: defaultdict(
            described[0], zip(described[1], c, strict=True)
        ),
    ),
    deque: Kind(
        lambda t: (list(t), t.maxlen), lambda c, longest: deque(c, maxlen=longest)
    ),
}
NAMED = Kind(lambda t: (list(t), type(t)), lambda c, kind: kind(*c))


class _Named:
    """Stands for all named tuples."""


def _kind_of(tree: Any) -> Any:
    cls = type(tree)
    if cls in KINDS:
        return cls
    return _Named if issubclass(cls, tuple) and hasattr(cls, "_fields") else None


def _rule(kind: Any) -> Kind:
    return NAMED if kind is _Named else KINDS[kind]


@dataclass(eq=True, repr=False)
class TreeSpec:
    """The structure of a tree: kinds of nodes, and places of leaves.

    Example:
        >>> tree_structure([1, (2, 3)])
        TreeSpec(list, None, [*,
          TreeSpec(tuple, None, [*,
            *])])
    """

    type: Any
    context: Any
    children_specs: list[TreeSpec] = field(default_factory=list)

    @property
    def num_children(self) -> int:
        """The number of children of the root."""
        return len(self.children_specs)

    @property
    def num_leaves(self) -> int:
        """The number of leaves."""
        if self.type is None:
            return 1
        return sum(child.num_leaves for child in self.children_specs)

    @property
    def num_nodes(self) -> int:
        """The number of nodes, including leaves."""
        return 1 + sum(child.num_nodes for child in self.children_specs)

    def is_leaf(self) -> bool:
        """Whether this is a leaf."""
        return self.type is None

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """A tree of this structure with other leaves.

        Raises:
            ValueError: if there are more or fewer of them.
        """
        given = list(leaves)
        if len(given) != self.num_leaves:
            raise ValueError(
                f"treespec.unflatten(leaves): `leaves` has length {len(given)} but the "
                f"spec refers to a pytree that holds {self.num_leaves} items ({self})."
            )
        return self._filled(iter(given))

    def _filled(self, leaves: Iterator[Any]) -> Any:
        if self.type is None:
            return next(leaves)
        children = [child._filled(leaves) for child in self.children_specs]
        return _rule(self.type).unflatten(children, self.context)

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """The parts of a tree at the leaves of this structure.

        Raises:
            ValueError: if the tree has another structure.
        """
        if self.type is None:
            return [tree]
        kind = _kind_of(tree)
        if kind is not self.type:
            raise ValueError(
                f"Node type mismatch; expected {self.type!r}, but got {type(tree)!r}."
            )
        children, context = _rule(kind).flatten(tree)
        if len(children) != self.num_children:
            raise ValueError(
                f"Node arity mismatch; expected {self.num_children}, but got "
                f"{len(children)}."
            )
        if isinstance(self.context, list) and sorted(map(repr, context)) != sorted(
            map(repr, self.context)
        ):
            raise ValueError(
                f"Node keys mismatch; expected {self.context!r}, but got {context!r}."
            )
        if isinstance(tree, dict) and kind is not defaultdict:
            children = [tree[key] for key in self.context]
        parts = zip(self.children_specs, children, strict=True)
        return [part for spec, child in parts for part in spec.flatten_up_to(child)]

    def __repr__(self, indent: int = 0) -> str:
        if self.type is None:
            return "*"
        name = "namedtuple" if self.type is _Named else self.type.__name__
        start = f"TreeSpec({name}, {self.context}, ["
        inner = indent + 2
        described = [child.__repr__(inner) for child in self.children_specs]
        return start + (",\n" + " " * inner).join(described) + "])"


LEAF = TreeSpec(None, None)


def register_pytree_node(
    cls: type[Any],
    flatten_fn: Callable[[Any], tuple[list[Any], Any]],
    unflatten_fn: Callable[[Iterable[Any], Any], Any],
    *,
    serialized_type_name: str | None = None,
    to_dumpable_context: Any = None,
    from_dumpable_context: Any = None,
    flatten_with_keys_fn: Any = None,
) -> None:
    """Let objects of a class be nodes.

    Args:
        flatten_fn: returns an object's children and its other data.
        unflatten_fn: makes an object of these.

    Raises:
        ValueError: if the class is registered already.
    """
    if cls in KINDS:
        raise ValueError(f"{cls} is already registered as pytree node.")
    KINDS[cls] = Kind(flatten_fn, unflatten_fn)


def tree_flatten(
    tree: Any, is_leaf: Callable[[Any], bool] | None = None
) -> tuple[list[Any], TreeSpec]:
    """The leaves of a tree, and its structure.

    Example:
        >>> tree_flatten({"a": 1, "b": [2]})[0]
        [1, 2]
    """
    kind = None if is_leaf is not None and is_leaf(tree) else _kind_of(tree)
    if kind is None:
        return [tree], LEAF
    children, context = _rule(kind).flatten(tree)
    found = [tree_flatten(child, is_leaf) for child in children]
    leaves = [leaf for part, _ in found for leaf in part]
    return leaves, TreeSpec(kind, context, [spec for _, spec in found])


def tree_unflatten(leaves: Iterable[Any], treespec: TreeSpec) -> Any:
    """A tree of a structure with given leaves.

    Raises:
        TypeError: for anything other than a structure.

    Example:
        >>> tree_unflatten([1, 2], tree_structure([0, (0,)]))
        [1, (2,)]
    """
    if not isinstance(treespec, TreeSpec):
        raise TypeError(
            "tree_unflatten(leaves, treespec): Expected `treespec` to be instance of "
            f"TreeSpec but got item of type {type(treespec)}."
        )
    return treespec.unflatten(leaves)


def tree_iter(tree: Any, is_leaf: Any = None) -> Iterable[Any]:
    """The leaves of a tree, one after the other."""
    return iter(tree_flatten(tree, is_leaf)[0])


def tree_leaves(tree: Any, is_leaf: Any = None) -> list[Any]:
    """The leaves of a tree."""
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree: Any, is_leaf: Any = None) -> TreeSpec:
    """The structure of a tree."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(
    func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Any = None
) -> Any:
    """Apply a function to the corresponding leaves of trees; returns a tree of results.

    Raises:
        ValueError: if another tree has another structure.

    Example:
        >>> tree_map(lambda a, b: a + b, [1, (2,)], [10, (20,)])
        [11, (22,)]
    """
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [spec.flatten_up_to(rest) for rest in rests]
    return spec.unflatten(map(func, leaves, *others))


def tree_map_(
    func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Any = None
) -> Any:
    """Call a function on each leaf; returns the tree itself."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def _type_test(types: Any) -> Callable[[Any], bool]:
    """The test for types; a function is its own test."""
    if callable(types) and not isinstance(types, type):
        return types
    return lambda leaf: isinstance(leaf, types)


def tree_map_only(
    type_or_types_or_pred: Any, /, func: Callable[[Any], Any], tree: Any,
    is_leaf: Any = None,
) -> Any:  # fmt: skip
    """Like `tree_map`, for leaves of some types; others are unchanged.

    Example:
        >>> tree_map_only(int, str, [1, 2.5])
        ['1', 2.5]
    """
    matches = _type_test(type_or_types_or_pred)
    return tree_map(lambda v: func(v) if matches(v) else v, tree, is_leaf=is_leaf)


def tree_map_only_(
    type_or_types_or_pred: Any, /, func: Callable[[Any], Any], tree: Any,
    is_leaf: Any = None,
) -> Any:  # fmt: skip
    """Call a function on leaves of some types; returns the tree itself."""
    tree_map_only(type_or_types_or_pred, func, tree, is_leaf)
    return tree


def tree_all(pred: Callable[[Any], bool], tree: Any, is_leaf: Any = None) -> bool:
    """Whether something is true of all leaves."""
    return all(map(pred, tree_iter(tree, is_leaf)))


def tree_any(pred: Callable[[Any], bool], tree: Any, is_leaf: Any = None) -> bool:
    """Whether something is true of any leaf."""
    return any(map(pred, tree_iter(tree, is_leaf)))


def tree_all_only(
    type_or_types: Any, /, pred: Callable[[Any], bool], tree: Any, is_leaf: Any = None
) -> bool:
    """Whether something is true of all leaves of some types."""
    leaves = tree_iter(tree, is_leaf)
    return all(pred(v) for v in leaves if isinstance(v, type_or_types))


def tree_any_only(
    type_or_types: Any, /, pred: Callable[[Any], bool], tree: Any, is_leaf: Any = None
) -> bool:
    """Whether something is true of any leaf of some types."""
    leaves = tree_iter(tree, is_leaf)
    return any(pred(v) for v in leaves if isinstance(v, type_or_types))


def treespec_pprint(treespec: TreeSpec) -> str:
    """The structure as text, with stars for leaves.

    Example:
        >>> treespec_pprint(tree_structure([1, {"a": 2}]))
        "[*, {'a': *}]"
    """

    class Star:
        def __repr__(self) -> str:
            return "*"

    return repr(treespec.unflatten([Star() for _ in range(treespec.num_leaves)]))
