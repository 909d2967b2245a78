"""Layouts and memory formats: the storage and the order of a tensor's elements."""

from __future__ import annotations

__all__ = [
    "channels_last", "channels_last_3d", "contiguous_format", "jagged", "layout",
    "memory_format", "preserve_format", "sparse_bsc", "sparse_bsr", "sparse_coo",
    "sparse_csc", "sparse_csr", "strided",
]  # fmt: skip


class layout:  # noqa: N801 (PyTorch's name)
    """How a tensor's elements are stored; those of dense tensors `strided`.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2).layout, torch.eye(2).to_sparse().layout
        (torch.strided, torch.sparse_coo)

    Attributes:
        words: how PyTorch's error messages call it.
    """

    def __init__(self, name: str, words: str = "Strided") -> None:
        self.name, self.words = name, words

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name  # copies and pickles give the one object of this name


class memory_format(layout):  # noqa: N801 (PyTorch's name)
    """In which order a dense tensor's dimensions lie in memory.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(1, 3, 2, 2).to(memory_format=torch.channels_last)
        >>> x.stride()  # the channels of a pixel lie together
        (12, 1, 6, 3)
    """


strided = layout("strided")
sparse_coo = layout("sparse_coo", "Sparse")
sparse_csr = layout("sparse_csr", "SparseCsr")
sparse_csc = layout("sparse_csc", "SparseCsc")
sparse_bsr = layout("sparse_bsr", "SparseBsr")
sparse_bsc = layout("sparse_bsc", "SparseBsc")
jagged = layout("jagged", "Jagged")
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
channels_last = memory_format("channels_last")
channels_last_3d = memory_format("channels_last_3d")
