"""The tensor: data, storage, version, views and printing.

Begin with `tensor.py`, then `storage.py`. The methods for mathematics are attached by
`edutorch/ops`, those for autograd by `edutorch/autograd`; `_methods.pyi` lists them all
(`make stubs` writes it).

- `tensor.py`: the class. `size.py`: `Size`. `pytree.py`: nested containers of tensors.
- `storage.py`: memory shared by a tensor and its views. `typed_storage.py`: an older
  interface of it. `geometry.py`: sizes, strides and offset:
  which elements of its memory a tensor has.
- `conversions.py`: to NumPy, lists, numbers and truth values. `from_numpy.py`: tensors
  of arrays.
- `indexing.py`: what an index in brackets means.
- `conj_neg_view.py`: conjugate and negative views. `complex_parts.py`: real and
  imaginary parts of arrays.
- `printing.py`, `sparse_printing.py`: tensors as text.
- `swap_tensors.py`: exchanging two. `legacy_types.py`: `FloatTensor` and the like.
"""

from .size import Size
from .storage import Storage
from .tensor import Tensor, wrap

__all__ = ["Size", "Storage", "Tensor", "wrap"]
