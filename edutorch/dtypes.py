"""Data types and PyTorch's promotion rules.

A `dtype` wraps a NumPy dtype under PyTorch's name. For promotion, operands are grouped
by priority (tensors with dimensions, 0-d tensors, Python numbers); a group affects the
result only if its *kind* (bool < integer < floating < complex) is higher than those of
all groups with higher priority.
"""

from __future__ import annotations

from typing import Any, Final

import ml_dtypes
import numpy as np

__all__ = [
    "dtype",
    "finfo",
    "iinfo",
    "get_default_dtype",
    "set_default_dtype",
    "promote_types",
    "can_cast",
    "of_array",
    "to_dtype",
    "of_number",
    "promote_groups",
]

BOOL, INTEGER, FLOATING, COMPLEX = range(4)


class dtype:  # noqa: N801 (PyTorch's name)
    """The element type of a tensor, such as `torch.float32`.

    Attributes:
        is_floating_point: whether this is one of the real floating-point types.
        is_complex: whether this is one of the complex types.
        is_signed: whether there are negative numbers.
        itemsize: bytes of an element.

    Example:
        >>> import edutorch as torch
        >>> torch.float32.itemsize, torch.int64.is_floating_point
        (4, False)
    """

    __slots__ = (
        "name", "numpy", "kind", "is_floating_point", "is_complex", "itemsize",
        "is_signed", "short",
    )  # fmt: skip

    def __init__(self, name: str, numpy: Any, kind: int, short: str) -> None:
        self.name = name
        self.numpy = np.dtype(numpy)
        self.kind = kind
        self.is_floating_point = kind == FLOATING
        self.is_complex = kind == COMPLEX
        self.itemsize = self.numpy.itemsize
        self.is_signed = name not in ("bool", "uint8", "uint16", "uint32", "uint64")
        self.short = short  # as in the type name torch.FloatTensor

    def to_real(self) -> dtype:
        """The real type of a complex type's parts; other types are returned as is."""
        return _PARTS.get(self.name, self)

    def to_complex(self) -> dtype:
        """The complex type whose parts have this type."""
        return _FROM_PARTS.get(self.name, complex64)

    @property
    def c_name(self) -> str:
        """The C++ type, as PyTorch's messages have it ("long int")."""
        return _C_NAMES.get(self.name, self.name)

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> Any:
        return by_name, (self.name,)


bool_: Final = dtype("bool", np.bool_, BOOL, "Bool")
uint8: Final = dtype("uint8", np.uint8, INTEGER, "Byte")
uint16: Final = dtype("uint16", np.uint16, INTEGER, "UInt16")
uint32: Final = dtype("uint32", np.uint32, INTEGER, "UInt32")
uint64: Final = dtype("uint64", np.uint64, INTEGER, "UInt64")
int8: Final = dtype("int8", np.int8, INTEGER, "Char")
int16: Final = dtype("int16", np.int16, INTEGER, "Short")
int32: Final = dtype("int32", np.int32, INTEGER, "Int")
int64: Final = dtype("int64", np.int64, INTEGER, "Long")
float16: Final = dtype("float16", np.float16, FLOATING, "Half")
bfloat16: Final = dtype("bfloat16", ml_dtypes.bfloat16, FLOATING, "BFloat16")
float32: Final = dtype("float32", np.float32, FLOATING, "Float")
float64: Final = dtype("float64", np.float64, FLOATING, "Double")
float8_e4m3fn: Final = dtype(
    "float8_e4m3fn", ml_dtypes.float8_e4m3fn, FLOATING, "Float8_e4m3fn"
)
float8_e4m3fnuz: Final = dtype(
    "float8_e4m3fnuz", ml_dtypes.float8_e4m3fnuz, FLOATING, "Float8_e4m3fnuz"
)
float8_e5m2: Final = dtype(
    "float8_e5m2", ml_dtypes.float8_e5m2, FLOATING, "Float8_e5m2"
)
float8_e5m2fnuz: Final = dtype(
    "float8_e5m2fnuz", ml_dtypes.float8_e5m2fnuz, FLOATING, "Float8_e5m2fnuz"
)
float8_e8m0fnu: Final = dtype(
    "float8_e8m0fnu", ml_dtypes.float8_e8m0fnu, FLOATING, "Float8_e8m0fnu"
)
complex32: Final = dtype("complex32", ml_dtypes.complex32, COMPLEX, "ComplexHalf")
complex64: Final = dtype("complex64", np.complex64, COMPLEX, "ComplexFloat")
complex128: Final = dtype("complex128", np.complex128, COMPLEX, "ComplexDouble")
_PARTS: Final = {"complex32": float16, "complex64": float32, "complex128": float64}
_FROM_PARTS: Final = {
    "float16": complex32, "complex32": complex32,
    "float64": complex128, "complex128": complex128,
}  # fmt: skip


_C_NAMES: Final = {
    "uint8": "unsigned char", "int8": "signed char", "int16": "short int",
    "uint16": "short unsigned int", "uint32": "unsigned int",
    "uint64": "long unsigned int", "int32": "int", "int64": "long int",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16", "float32": "float", "float64": "double",
    "complex32": "c10::complex<c10::Half>", "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}  # fmt: skip
ALL: Final = (
    bool_, uint8, uint16, uint32, uint64, int8, int16, int32, int64,
    float16, bfloat16, float32, float64, complex32, complex64, complex128,
    float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu,
)  # fmt: skip
FLOAT8: Final = frozenset(t.numpy for t in ALL if t.name.startswith("float8"))
# Those that NumPy computes in as they are: all but narrow floats, alone or in pairs.
ORDINARY: Final = frozenset(
    t.numpy for t in ALL if t.kind < FLOATING or t.to_real().itemsize > 2
)
_BY_NAME: Final = {t.name: t for t in ALL}


def by_name(name: str) -> dtype:
    """The dtype called `name` ("float32"); serves pickling."""
    return _BY_NAME[name]


of_numpy: Final[dict[Any, dtype]] = {t.numpy: t for t in ALL}
_default: dtype = float32


def get_default_dtype() -> dtype:
    """The floating type of tensors made from Python floats (`torch.float32`).

    Example:
        >>> import edutorch as torch
        >>> torch.get_default_dtype()
        torch.float32
    """
    return _default


def set_default_dtype(d: dtype) -> None:
    """Set the floating type of tensors made from Python floats.

    Raises:
        TypeError: if `d` is not a floating type.

    Example:
        >>> import edutorch as torch
        >>> torch.set_default_dtype(torch.float64)
        >>> torch.ones(1).dtype
        torch.float64
        >>> torch.set_default_dtype(torch.float32)
    """
    global _default
    if not isinstance(d, dtype):
        raise TypeError(
            "invalid dtype object: only floating-point types are supported as the "
            "default type"
        )
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    if d.itemsize == 1:
        raise TypeError(f"couldn't find storage object {d.short}Storage")
    _default = d


def default_complex() -> dtype:
    """The complex type of the default floating type."""
    return _default.to_complex()


def of_array(array: Any) -> dtype:
    """The dtype of a NumPy or CuPy array.

    Raises:
        TypeError: if no tensor can have the array's type.
        ValueError: for a byte order other than this machine's.
    """
    found = of_numpy.get(array.dtype)
    if found is None:
        native = array.dtype.newbyteorder("=")
        if native in of_numpy:
            raise ValueError(
                "given numpy array has byte order different from the native byte "
                "order. Conversion between byte orders is currently not supported."
            )
        raise TypeError(
            f"can't convert np.ndarray of type {array.dtype.type.__module__}."
            f"{array.dtype.type.__name__}. The only supported types are: float64, "
            "float32, float16, complex64, complex128, int64, int32, int16, int8, "
            "uint64, uint32, uint16, uint8, and bool."
        )
    return found


def to_dtype(value: Any) -> dtype:
    """A dtype from a dtype, a Python type (`float`) or a NumPy dtype."""
    if isinstance(value, dtype):
        return value
    return of_numpy[np.dtype(value)]


def of_python_type(value: Any) -> Any:
    """The dtype of `float`, `int`, `bool` or `complex`; any other value as it is.

    Example:
        >>> of_python_type(float)
        torch.float64
    """
    known = isinstance(value, type) and value in (float, int, bool, complex)
    return to_dtype(value) if known else value


# Numbers may be integers of 64 bits, with or without a sign: the least, and the first
# beyond them.
LEAST, BEYOND = -(2**63), 2**64


def integer_overflow(value: int) -> OverflowError:
    """The error for an integer beyond 64 bits.

    Example:
        >>> integer_overflow(2**64)
        OverflowError('int too big to convert')
    """
    return OverflowError(
        "int too big to convert"
        if value > 0
        else "can't convert negative int to unsigned"
    )


def of_number(value: complex | np.generic) -> dtype:
    """The dtype of a Python number in promotion.

    Raises:
        TypeError: for arguments that are not numbers.
        OverflowError: for integers beyond 64 bits.
    """
    if isinstance(value, (bool, np.bool_)):
        return bool_
    if isinstance(value, (int, np.integer)) and LEAST <= value < BEYOND:
        return int64
    if isinstance(value, (float, np.floating)):
        return _default
    if isinstance(value, int):
        raise integer_overflow(value)
    if not isinstance(value, (complex, np.complexfloating)):
        raise TypeError(f"{type(value).__name__} is no number")
    return default_complex()


def as_number(value: np.generic) -> complex:
    """NumPy's number as the Python number that PyTorch makes of it.

    A number that is neither an integer, nor of a subclass of `complex`, is a float: a
    truth value, and the real part of what has single precision.

    Example:
        >>> as_number(np.int8(2)), as_number(np.bool_(True))
        (2, 1.0)
    """
    if isinstance(value, np.integer):
        return int(value)
    return complex(value) if isinstance(value, complex) else float(value)


def _promote(a: dtype, b: dtype) -> dtype:
    """PyTorch's table, computed: within a kind the wider, else the higher kind."""
    if a is b:
        return a
    if a.numpy in FLOAT8 or b.numpy in FLOAT8:
        raise RuntimeError(
            "Promotion for Float8 Types is not supported, attempted to promote "
            f"{a.short} and {b.short}"
        )
    wide = {uint16, uint32, uint64} & {a, b}
    if wide and FLOATING not in (a.kind, b.kind):
        raise RuntimeError(
            "Promotion for uint16, uint32, uint64 types is not supported, attempted to "
            f"promote {a.short} and {b.short}"
        )
    if a.kind != b.kind:
        low, high = (a, b) if a.kind < b.kind else (b, a)
        if high.kind == COMPLEX and low.kind == FLOATING:
            own = low.to_complex()
            return own if own.itemsize > high.itemsize else high
        return high
    if a.kind == FLOATING and a.itemsize == b.itemsize:
        return float32  # float16 with bfloat16
    if a.kind == INTEGER and uint8 in (a, b) and a.is_signed != b.is_signed:
        return int16 if int8 in (a, b) else a if b is uint8 else b
    return a if a.itemsize > b.itemsize else b


_TABLE: Final[dict[tuple[dtype, dtype], dtype]] = {}


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """The smallest dtype that both convert to, by PyTorch's table.

    Example:
        >>> import edutorch as torch
        >>> torch.promote_types(torch.int32, torch.float32)
        torch.float32
    """
    found = _TABLE.get((type1, type2))
    if found is None:
        first = _dtype_argument("promote_types", "type1", 1, type1)
        second = _dtype_argument("promote_types", "type2", 2, type2)
        found = _TABLE[type1, type2] = _promote(first, second)
    return found


def _dtype_argument(function: str, name: str, position: int, value: Any) -> dtype:
    """A dtype, or the one of Python's `int` or `float`."""
    if isinstance(value, dtype):
        return value
    if value not in (bool, int, float, complex):
        raise TypeError(
            f"{function}(): argument '{name}' (position {position}) must be "
            f"torch.dtype, not {type(value).__name__}"
        )
    return to_dtype(value)


def can_cast(from_: dtype, to: dtype) -> bool:
    """Whether promotion rules allow writing `from_` values into a `to` tensor.

    Example:
        >>> import edutorch as torch
        >>> torch.can_cast(torch.double, torch.float)
        True
        >>> torch.can_cast(torch.float, torch.int)
        False
    """
    try:
        return from_.kind <= to.kind
    except AttributeError:
        source = _dtype_argument("can_cast", "from_", 1, from_)
        return source.kind <= _dtype_argument("can_cast", "to", 2, to).kind


def promote_groups(dimensioned: Any, zero_dim: Any, numbers: Any) -> dtype:
    """The dtype of three groups of operands, in the order of their priority.

    A group of lower priority only matters if its kind (integer, floating, complex) is
    higher.
    """
    result: dtype | None = None
    for group in (dimensioned, zero_dim, numbers):
        promoted: dtype | None = None
        for t in group:
            promoted = t if promoted is None else promote_types(promoted, t)
        if promoted is None:
            continue
        if result is None:
            result = promoted
        elif promoted.kind == COMPLEX and result.kind == FLOATING:
            result = result.to_complex()  # as precise as what has dimensions
        elif promoted.kind > result.kind:
            result = promote_types(result, promoted)
    return result or _default


class finfo:  # noqa: N801 (PyTorch's name)
    """The numerical properties of a floating type: bits, eps, max, min, tiny ...

    Example:
        >>> import edutorch as torch
        >>> torch.finfo(torch.float32).eps
        1.1920928955078125e-07
    """

    def __init__(self, type: dtype | None = None) -> None:
        type = of_python_type(type) or _default
        if type.kind < FLOATING:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo "
                "to handle 'torch.finfo'"
            )
        finfo: Any = ml_dtypes.finfo  # which has no types
        info = finfo(type.to_real().numpy)
        self.dtype = type.to_real().name
        self.bits = type.to_real().itemsize * 8
        self.eps = float(info.eps)
        self.max = float(info.max)
        self.min = float(info.min)
        self.tiny = self.smallest_normal = float(info.smallest_normal)
        digits = f"{float(info.resolution):.0e}"  # as a power of 10, unrounded
        self.resolution = 1.0 if self.bits == 8 else float(digits)

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g},"
            f" eps={self.eps:g}, smallest_normal={self.smallest_normal:g}, "
            f"tiny={self.tiny:g}, dtype={self.dtype})"
        )


class iinfo:  # noqa: N801 (PyTorch's name)
    """The numerical properties of an integer type: bits, max, min.

    Example:
        >>> import edutorch as torch
        >>> torch.iinfo(torch.int8).max
        127
    """

    def __init__(self, type: dtype) -> None:
        type = of_python_type(type)
        if type.kind >= FLOATING:
            raise TypeError(
                f"torch.iinfo() requires an integer input type. Use torch.finfo to "
                f"handle '{type!r}'"
            )
        if type is bool_:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        info = np.iinfo(type.numpy)
        self.dtype = type.name
        self.bits, self.max, self.min = info.bits, int(info.max), int(info.min)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"
