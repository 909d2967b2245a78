"""The stand-in's ufuncs: NumPy's or SciPy's, for the dtypes that CuPy has them for."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special

from tests.gpu_double.arrays import ndarray, unwrapped, wrapped

__all__ = ["Ufunc"]

SCATTERED = {
    "add": np.add, "sub": np.subtract, "max": np.maximum, "min": np.minimum,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip
WEAK = {bool: "?", int: "l", float: "d", complex: "D"}
KINDS = "?biufcV"


class Ufunc:
    """One of CuPy's ufuncs, `real`, computed by NumPy's or SciPy's of that name."""

    def __init__(self, real: Any, name: str) -> None:
        self.real, self.__name__ = real, name
        self.types, self.name = real.types, real.name
        self.nin, self.nout, self.nargs = real.nin, real.nout, real.nargs
        self._host = getattr(np, name, None) or getattr(scipy.special, name, None)
        self._loops = [tuple(t.split("->")) for t in real.types]
        self._found: dict[Any, Any] = {}

    def __call__(
        self, *args: Any, out: Any = None, dtype: Any = None,
        casting: str = "same_kind",
    ) -> Any:  # fmt: skip
        if self._host is None:
            raise NotImplementedError(f"the stand-in has no {self.__name__}")
        if len(args) > self.nin:
            *args, out = args  # type: ignore[assignment]  # a list now
        if len(args) != self.nin:
            raise TypeError(f"Wrong number of arguments for '{self.name}'")
        arrays = [unwrapped(x) for x in args]
        inputs, outputs = self._loop(arrays, dtype)
        with np.errstate(all="ignore"):
            cast = [
                np.asarray(x).astype(t, copy=False)
                for x, t in zip(arrays, inputs, strict=True)
            ]
            result = _compute(self._host, cast, inputs)
        if self.nout > 1:
            pairs = zip(result, outputs, strict=True)
            return tuple(wrapped(np.asarray(r).astype(t)) for r, t in pairs)
        result = np.asarray(result).astype(outputs, copy=False)
        return wrapped(result) if out is None else self._written(result, out, casting)

    def _written(self, result: Any, out: Any, casting: str) -> Any:
        """`out`, with the result in it."""
        out = out[0] if isinstance(out, tuple) else out
        if not isinstance(out, ndarray):
            raise TypeError(f"return arrays must be of ArrayType, got {type(out)}")
        if not np.can_cast(result.dtype, out.dtype, casting):
            raise TypeError(
                f"Cannot cast ufunc '{self.name}' output from {result.dtype!r} to "
                f"{out.dtype!r} with casting rule {casting!r}"
            )
        if np.broadcast_shapes(result.shape, out.shape) != out.shape:
            raise ValueError("Out shape is mismatched")
        with np.errstate(all="ignore"):
            unwrapped(out)[...] = result
        return out

    def _loop(self, arrays: Any, dtype: Any) -> Any:
        """The first of CuPy's loops that takes these operands.

        Raises:
            TypeError: if there is none, as CuPy.
        """
        key = tuple(
            x.dtype if hasattr(x, "dtype") else type(x) for x in arrays
        ), None if dtype is None else np.dtype(dtype)  # fmt: skip
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._search(*key)
        return found

    def _search(self, kinds: Any, dtype: Any) -> Any:
        strong = [k for k in kinds if isinstance(k, np.dtype)]
        if strong and len(strong) < len(kinds):
            resolved = [
                k if isinstance(k, np.dtype) else np.result_type(k(), *strong)
                for k in kinds
            ]
        else:
            resolved = [k if k in strong else np.dtype(WEAK[k]) for k in kinds]
        for inputs, outputs in self._loops:
            if dtype is not None:
                if outputs[0] != dtype.char:
                    continue
            elif not all(map(_casts, resolved, inputs)):
                continue
            types = [_dtype(c) for c in inputs]
            return types, ([_dtype(c) for c in outputs] if len(outputs) > 1
                           else _dtype(outputs))  # fmt: skip
        raise TypeError(f"Wrong type ({tuple(resolved)}) of arguments for {self.name}")

    def _method(self, name: str, allowed: dict[str, str], args: Any, kw: Any) -> Any:
        if self.__name__ not in allowed:
            raise NotImplementedError(f"`{self.name}.{name}` is not supported yet")
        array, *others = args
        return getattr(array, allowed[self.__name__])(*others, **kw)

    def reduce(
        self, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None,
        keepdims: bool = False,
    ) -> Any:  # fmt: skip
        reduces = {"add": "sum", "multiply": "prod"}
        return self._method("reduce", reduces, (array, axis, dtype, out, keepdims), {})

    def accumulate(
        self, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None
    ) -> Any:
        accumulates = {"add": "cumsum", "multiply": "cumprod"}
        return self._method("accumulate", accumulates, (array, axis, dtype, out), {})

    def reduceat(
        self, array: Any, indices: Any, axis: Any = 0, dtype: Any = None,
        out: Any = None,
    ) -> Any:  # fmt: skip
        if self.__name__ != "add":
            raise NotImplementedError(f"`{self.name}.reduceat` is not supported yet")
        found = np.add.reduceat(
            unwrapped(array), unwrapped(indices, numpy=True), axis, dtype
        )
        return wrapped(found)

    def at(self, a: Any, indices: Any, b: Any = None) -> None:
        op = self.real._scatter_op
        if op is None:
            raise NotImplementedError(f"`{self.name}.at` is not supported yet")
        a._scatter(SCATTERED[op], indices, b)

    def outer(self, a: Any, b: Any, **keywords: Any) -> Any:
        return self(a.reshape(a.shape + (1,) * b.ndim), b, **keywords)


def _dtype(char: str) -> Any:
    """The dtype of a letter; CuPy's E is bfloat16."""
    if char == "E":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(char)


def _casts(found: Any, char: str) -> bool:
    return bool(np.can_cast(found, _dtype(char), "safe"))


def _compute(host: Any, arrays: Any, types: Any) -> Any:
    """A ufunc's result; 16-bit floats that it does not know, in single precision."""
    try:
        return host(*arrays)
    except TypeError:
        wide = [a.astype(np.float32) if t.char in "Ee" else a
                for a, t in zip(arrays, types, strict=True)]  # fmt: skip
        return host(*wide)
