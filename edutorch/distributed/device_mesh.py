"""`DeviceMesh`: ranks in a grid, with a process group along each dimension."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..tensor.tensor import Tensor, wrap
from .groups.group_creation import new_group
from .groups.group_registry import default_group, is_initialized
from .groups.process_group import ProcessGroup
from .rendezvous import init_process_group

__all__ = ["DeviceMesh", "init_device_mesh"]


class DeviceMesh:
    """Ranks in a grid.

    Args:
        device_type: "cpu" or "cuda".
        mesh: the ranks, as nested lists or a tensor of integers; each rank once.
        mesh_dim_names: a name for each dimension.
        _root: the grid that this one was sliced from.
        _root_dims: for each dimension, the dimensions of the root that it spans.

    Attributes:
        mesh: the ranks as a tensor.

    Raises:
        RuntimeError: if a rank is repeated, or is not in the world.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> mesh = dist.DeviceMesh("cpu", [[0]], mesh_dim_names=("dp", "tp"))
        >>> mesh["tp"].get_local_rank()
        0
        >>> dist.destroy_process_group()
    """

    def __init__(
        self,
        device_type: str,
        mesh: Any,
        *,
        mesh_dim_names: Sequence[str] | None = None,
        _groups: list[Any] | None = None,
        _root: DeviceMesh | None = None,
        _root_dims: Sequence[tuple[int, ...]] | None = None,
    ) -> None:
        ranks = mesh._data if isinstance(mesh, Tensor) else np.asarray(mesh)
        self.device_type = device_type
        self.mesh = wrap(np.array(ranks, np.int32))
        self.mesh_dim_names = tuple(mesh_dim_names) if mesh_dim_names else None
        if self.mesh_dim_names and len(self.mesh_dim_names) != self.ndim:
            raise RuntimeError(
                "mesh_shape and mesh_dim_names should have same length! Found "
                f"len(mesh_dim_names): {len(self.mesh_dim_names)} and "
                f"len(mesh_shape):{self.ndim}."
            )
        if len(np.unique(ranks)) != ranks.size:
            raise RuntimeError("DeviceMesh cannot have duplicate values")
        if not is_initialized():
            init_process_group()
        if ranks.size and int(ranks.max()) >= default_group().size():
            raise RuntimeError(
                f"Mesh should not be bigger than default world size "
                f"{default_group().size()}, but found {ranks.size} ranks!"
            )
        self._root = self if _root is None else _root
        self._flattened: dict[str, DeviceMesh] = {}  # made by _flatten from a root
        own_dims = [(dim,) for dim in range(self.ndim)]
        self._root_dims = own_dims if _root_dims is None else list(_root_dims)
        self._groups = self._make_groups() if _groups is None else _groups

    @staticmethod
    def from_group(
        group: ProcessGroup | Sequence[ProcessGroup],
        device_type: str,
        mesh: Any = None,
        *,
        mesh_dim_names: Sequence[str] | None = None,
    ) -> DeviceMesh:
        """A grid whose dimensions have the given groups of this rank.

        Args:
            group: a group, or one for each dimension.
            mesh: the ranks; needed for several groups.
            mesh_dim_names: a name for each dimension; needed for several groups.

        Raises:
            ValueError: for no group, for several without the ranks and the names, or
                for ranks that are not those of the group.
        """
        if isinstance(group, ProcessGroup):
            ranks = list(group.ranks)
            given = ranks if mesh is None else np.asarray(mesh).tolist()
            if given != ranks:
                raise ValueError(
                    f"Invalid mesh {given} for ProcessGroup with ranks {ranks}"
                )
            groups, mesh = [group], ranks
        else:
            groups = list(group)
            if not groups:
                raise ValueError("Expects at least one ProcessGroup to be passed")
            if mesh is None or mesh_dim_names is None:
                missing = "mesh" if mesh is None else "mesh_dim_names"
                raise ValueError(
                    f"Must pass {missing} if passing multiple ProcessGroups"
                )
            if np.ndim(mesh) != len(groups):
                raise ValueError(
                    "Expects mesh with ndim equal to number of ProcessGroups but got "
                    f"mesh {np.asarray(mesh).tolist()} and {len(groups)} ProcessGroups"
                )
        return DeviceMesh(
            device_type, mesh, mesh_dim_names=mesh_dim_names, _groups=groups
        )

    def _make_groups(self) -> list[Any]:
        """For each dimension, the group of ranks that differ only in it."""
        return [self._make_group((dim,)) for dim in range(self.ndim)]

    def _make_group(self, dims: tuple[int, ...]) -> Any:
        """The group of ranks that differ from this one only in some dimensions.

        Every rank creates the groups of all ranks, in the same order.
        """
        array, rank = self.mesh._data, default_group().rank()
        size = int(np.prod([array.shape[dim] for dim in dims]))
        last = range(array.ndim - len(dims), array.ndim)
        lines = np.moveaxis(array, dims, last).reshape(-1, size)
        made = [(line, new_group(line.tolist())) for line in lines]
        return next((group for line, group in made if rank in line), None)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return int(self.mesh._data.ndim)

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return tuple(self.mesh._data.shape)

    def size(self, mesh_dim: int | None = None) -> int:
        """The number of ranks, in all or along a dimension."""
        return int(self.mesh._data.size if mesh_dim is None else self.shape[mesh_dim])

    def _dim(self, mesh_dim: int | str | None) -> int:
        if mesh_dim is None:
            if self.ndim > 1:
                raise RuntimeError(
                    "Found the DeviceMesh have "
                    f"{self.ndim} dimensions Optional kwarg `mesh_dim` needs to be "
                    "specified when device_mesh.ndim > 1."
                )
            return 0
        if isinstance(mesh_dim, int):
            return mesh_dim
        if not self.mesh_dim_names:
            raise KeyError("No `mesh_dim_names` found.")
        if mesh_dim not in self.mesh_dim_names:
            raise KeyError(
                f"Mesh dimension '{mesh_dim}' does not exist.",
                f"Available mesh dimensions are: mesh_dim_names={self.mesh_dim_names}",
            )
        return self.mesh_dim_names.index(mesh_dim)

    def get_group(self, mesh_dim: int | str | None = None) -> ProcessGroup:
        """The group of this rank along a dimension, or a name given to `_flatten`."""
        if isinstance(mesh_dim, str) and mesh_dim in self._root._flattened:
            return self._root._flattened[mesh_dim].get_group()
        found: ProcessGroup = self._groups[self._dim(mesh_dim)]
        return found

    def get_all_groups(self) -> list[ProcessGroup]:
        """The groups of this rank along all dimensions."""
        return list(self._groups)

    def get_rank(self) -> int:
        """The rank of this process in the world."""
        return default_group().rank()

    def get_local_rank(self, mesh_dim: int | str | None = None) -> int:
        """The coordinate of this rank along a dimension."""
        return self.get_group(mesh_dim).rank()

    def get_coordinate(self) -> tuple[int, ...] | None:
        """The coordinates of this rank in the grid; None if it is not in it."""
        found = np.argwhere(self.mesh._data == self.get_rank())
        return tuple(int(i) for i in found[0]) if len(found) else None

    def __getitem__(self, names: str | tuple[str, ...]) -> DeviceMesh:
        """The part of the grid through this rank along the named dimensions.

        Raises:
            RuntimeError: if dimensions have no names, or overlap.
            KeyError: for a name that does not exist, or names that are not in order.
        """
        if not self.mesh_dim_names:
            raise RuntimeError("Cannot slice a DeviceMesh without mesh_dim_names!")
        chosen = (names,) if isinstance(names, str) else tuple(names)
        if chosen == self.mesh_dim_names:
            return self
        known = self._named_dimensions()
        if not set(chosen) <= set(known):
            raise KeyError(
                f"Invalid mesh_dim_names {chosen} specified. Valid mesh_dim_names are "
                f"{list(known)}."
            )
        if not set(chosen) <= set(self.mesh_dim_names):
            warnings.warn(
                "Slicing a flattened dim from root mesh will be deprecated in PT 2.11. "
                "Users need to bookkeep the flattened mesh directly. ",
                stacklevel=2,
            )
        root_dims = [known[name][0] for name in chosen]
        self._check_order(chosen, [dim for dims in root_dims for dim in dims])
        return self._slice_of_root(
            chosen, root_dims, [known[name][1] for name in chosen]
        )

    def _named_dimensions(self) -> dict[str, tuple[tuple[int, ...], Any]]:
        """The dimensions of the root and the group behind each name for slicing."""
        names = self.mesh_dim_names or ()
        own = zip(names, zip(self._root_dims, self._groups, strict=True), strict=True)
        flattened = self._flattened.items()
        return dict(own) | {n: (m._root_dims[0], m._groups[0]) for n, m in flattened}

    def _check_order(self, names: tuple[str, ...], root_dims: list[int]) -> None:
        """Check that dimensions are in ascending order, without repetitions."""
        if root_dims != sorted(root_dims):
            raise KeyError(
                f"Invalid mesh_dim_names {names} specified. Mesh dim indices should "
                "be in ascending order."
            )
        if len(set(root_dims)) < len(root_dims):
            raise RuntimeError(f"Slicing overlapping dim_names {names} is not allowed.")

    def _slice_of_root(
        self,
        names: tuple[str, ...],
        root_dims: list[tuple[int, ...]],
        groups: list[Any],
    ) -> DeviceMesh:
        root = self._root
        free = {dim for dims in root_dims for dim in dims}
        place = root.get_coordinate() or (0,) * root.ndim
        index = tuple(slice(None) if d in free else place[d] for d in range(root.ndim))
        sizes = [int(np.prod([root.shape[d] for d in dims])) for dims in root_dims]
        return DeviceMesh(
            self.device_type,
            root.mesh._data[index].reshape(sizes),
            mesh_dim_names=names,
            _groups=groups,
            _root=root,
            _root_dims=root_dims,
        )

    def _flatten(self, mesh_dim_name: str | None = None) -> DeviceMesh:
        """The same ranks along one dimension, whose group all ranks make together.

        Args:
            mesh_dim_name: the name of that dimension, with which the root of this grid
                can be sliced afterwards; by default all names, joined by "_".

        Raises:
            RuntimeError: if dimensions have no names.
            ValueError: if the name is in use.

        Example:
            >>> import edutorch as torch
            >>> dist = torch.distributed
            >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
            >>> mesh = dist.init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp", "tp"))
            >>> mesh["dp", "tp"]._flatten().mesh_dim_names
            ('dp_tp',)
            >>> dist.destroy_process_group()
        """
        if not self.mesh_dim_names:
            raise RuntimeError("Cannot flatten a DeviceMesh without mesh_dim_names!")
        name = mesh_dim_name or "_".join(self.mesh_dim_names)
        if self.mesh_dim_names == (name,):
            return self
        root = self._root
        if name in (root.mesh_dim_names or ()):
            raise ValueError(
                f"{name} already exists for submesh of the {root}. ",
                "The mesh_dim_names of submesh and flattened mesh are "
                f"{root.mesh_dim_names}. Please specify another valid mesh_dim_name.",
            )
        dims = tuple(dim for dims in self._root_dims for dim in dims)
        if name not in root._flattened:
            group = root._make_group(dims)
            root._flattened[name] = self._slice_of_root((name,), [dims], [group])
        if root._flattened[name]._root_dims != [dims]:
            raise ValueError(
                f"Flatten mesh with mesh_dim_name {name} has been created before, "
                "Please specify another valid mesh_dim_name."
            )
        return root._flattened[name]

    def _stride(self, root_dims: tuple[int, ...]) -> Any:
        """The stride in the root mesh; a tuple if there is no single one."""
        sizes = self._root.shape
        parts: list[tuple[int, int]] = []  # size and stride
        for dim in root_dims:
            size, step = sizes[dim], int(np.prod(sizes[dim + 1 :]))
            if parts and parts[-1][1] == size * step:
                parts[-1] = (parts[-1][0] * size, step)
            elif size > 1:
                parts.append((size, step))
        return parts[0][1] if len(parts) == 1 else tuple(step for _, step in parts)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DeviceMesh)
            and self.device_type == other.device_type
            and self.mesh_dim_names == other.mesh_dim_names
            and np.array_equal(self.mesh._data, other.mesh._data)
        )

    def __hash__(self) -> int:
        return hash((self.device_type, self.mesh_dim_names, self.mesh._data.tobytes()))

    def __repr__(self) -> str:
        shape = str(self.shape)
        if self.mesh_dim_names:
            pairs = zip(self.mesh_dim_names, self.shape, strict=True)
            shape = f"({', '.join(f'{name}={size}' for name, size in pairs)})"
        stride = tuple(self._stride(dims) for dims in self._root_dims)
        return f"DeviceMesh({shape}, '{self.device_type}', stride={stride})"


def init_device_mesh(
    device_type: str,
    mesh_shape: Sequence[int],
    *,
    mesh_dim_names: Sequence[str] | None = None,
) -> DeviceMesh:
    """A grid of all ranks in order; calls `init_process_group` if necessary.

    Raises:
        RuntimeError: if names repeat or are not one per dimension, or for a device with
            an index.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp", "tp"))
        DeviceMesh((dp=1, tp=1), 'cpu', stride=((), ()))
        >>> dist.destroy_process_group()
    """
    if not device_type.isalpha():
        raise RuntimeError(
            f"Device type with index is not supported but got {device_type}. ",
            "If you maintained a 'torch.device' object, it's recommended to pass in "
            "'device.type'.",
        )
    if mesh_dim_names is not None:
        if len(set(mesh_dim_names)) != len(mesh_dim_names):
            raise RuntimeError(
                "Each mesh_dim_name must be unique. Found repeated mesh_dim_name in "
                f"mesh_dim_names {mesh_dim_names}"
            )
        if len(mesh_dim_names) != len(mesh_shape):
            raise RuntimeError(
                "mesh_shape and mesh_dim_names should have same length! Found "
                f"len(mesh_dim_names): {len(mesh_dim_names)} and "
                f"len(mesh_shape):{len(mesh_shape)}."
            )
    ranks = np.arange(int(np.prod(mesh_shape))).reshape(tuple(mesh_shape))
    return DeviceMesh(device_type, ranks, mesh_dim_names=mesh_dim_names)
