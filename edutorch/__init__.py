"""edutorch: PyTorch's API, in Python that you can watch and step through.

    import edutorch as torch

This file collects the public names. Packages that are slow to import (`nn`, `optim`,
`widgets` ...) are loaded on first use.

To understand the library, read `tensor/`, `autograd/`, one file of `ops/`, `nn/` and
`optim/`, in that order. The list below is ordered by layer, lowest first; each package
imports only from its own layer and from lower ones. The docstring of each package
lists its files.

1. The process:
   - `events.py`: the stream of records that views, recorders and tests read. Records
     are created by these files. `op_events.py`: operations and backward passes;
     `announce_op` is called wherever an op runs (mostly `autograd/dispatch.py`, also
     `autograd/inplace.py`, `autograd/function.py`, `autograd/conj_neg_views.py` and
     `ops/convert/to.py`), `announce_bwd` by `autograd/engine.py`. `value_events.py`:
     statistics and ranges. `memory_events.py`: allocations, whose release it notices
     by weak references. `module_events.py`: calls of modules.
   - `config.py`: settings of the process, such as which kernels are used.
     `process_memory.py`: keeping freed memory, and limiting garbage collection.
     `free_cores.py`: how many threads compute while other processes take cores.
   - `errors.py`: notes added to exceptions; the error for names of PyTorch that are
     missing, such as `torch.compile`. `exception_wrapper.py`: re-raises exceptions of
     workers and replicas.
   - `callers.py`: finds the line of the user's program that is running;
     `syntax_trees.py` parses it. `text_arguments.py`: arguments that are text or bytes.
   - `interrupts.py`: defers Ctrl-C briefly, and ends processes together with their
     parent. `extras.py`: optional packages, and the command that installs them.
   - `version.py`, `__config__.py`: version and build.
2. Numbers and memory:
   - `dtypes.py`: data types and type promotion (`promote_types`, `promote_groups`);
     `bfloat16`, 8-bit floats and `complex32` are dtypes of the package `ml_dtypes`.
     `devices.py`, `layouts.py`.
   - `backends/`: arrays and memory of devices: NumPy, CuPy, simulated GPUs, the meta
     device, sparse arrays.
   - `kernels/`: numerical code for arrays, in NumPy and compiled.
3. Tensors:
   - `tensor/`: the class, storages, printing. `random/`: PyTorch's random streams.
4. `autograd/`: dispatch, the graph, the engine.
5. Operations:
   - `ops/`: every operation.
   - `linalg.py`, `fft.py`, `special.py`, `signal/`, `sparse.py`: the public names of
     some of them.
   - `overrides.py`: `__torch_function__`.
6. Built from operations:
   - `nn/`: modules and losses. `amp/`: mixed precision. `func/`: `vmap`, `grad`, ...
   - `distributed/`: process groups.
   - `distributions/`, `masked/`, `nested/`, `quasirandom.py`.
   - `serialization/`: `save` and `load`. `testing/`: `assert_close`.
   - `profiler/`: profiles with a schedule. `futures.py`.
   - `_C/`, `__future__.py`, `functional.py`, `return_types.py`: aliases for
     compatibility with PyTorch.
7. Training:
   - `optim/`: optimizers and schedules. `utils/`: data loaders, checkpointing, ...
   - `multiprocessing/`, `functorch/`. `hub.py`: models from other repositories, and
     checkpoints from URLs; there are no pretrained weights of its own.
8. Watching, and the public interface to devices:
   - `inspect/`: recorders of operations, gradients and memory.
   - `cuda/`, `cpu/`, `accelerator.py`, `mps.py`, `xpu.py`. `onnx/`.
9. `widgets/`: live views for JupyterLab. `course/`: exercises and their checks.
   `__main__.py`: `python -m edutorch`.
"""

from __future__ import annotations

import importlib
from math import e, inf, nan, pi
from typing import Any

from . import backends, config, devices, dtypes, errors, events, extras
from .backends.flags import (
    are_deterministic_algorithms_enabled,
    compiled_with_cxx11_abi,
    get_deterministic_debug_mode,
    get_float32_matmul_precision,
    has_lapack,
    has_mkl,
    has_openmp,
    has_spectral,
    init_num_threads,
    is_deterministic_algorithms_warn_only_enabled,
    is_warn_always_enabled,
    set_deterministic_debug_mode,
    set_float32_matmul_precision,
    set_flush_denormal,
    set_warn_always,
    use_deterministic_algorithms,
)
from .backends.streams import Event, Stream
from .backends.threads import (
    get_num_interop_threads,
    get_num_threads,
    set_num_interop_threads,
    set_num_threads,
    sleep_between_products,
)
from .devices import device, get_default_device, set_default_device
from .dtypes import (
    bfloat16,
    bool_ as bool,
    can_cast,
    complex32,
    complex64,
    complex128,
    dtype,
    finfo,
    float16,
    float32,
    float8_e4m3fn,
    float8_e4m3fnuz,
    float8_e5m2,
    float8_e5m2fnuz,
    float8_e8m0fnu,
    float64,
    get_default_dtype,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    promote_types,
    set_default_dtype,
    uint8,
    uint16,
    uint32,
    uint64,
)
from .errors import AcceleratorError, OutOfMemoryError
from .layouts import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    jagged,
    layout,
    memory_format,
    preserve_format,
    sparse_bsc,
    sparse_bsr,
    sparse_coo,
    sparse_csc,
    sparse_csr,
    strided,
)
from .tensor import Size, Tensor
from .tensor.legacy_types import (
    BFloat16Tensor,
    BoolTensor,
    ByteTensor,
    CharTensor,
    DoubleTensor,
    FloatTensor,
    HalfTensor,
    IntTensor,
    LongTensor,
    ShortTensor,
    set_default_tensor_type,
)
from .tensor.printing import set_printoptions
from .tensor.storage import Storage as UntypedStorage
from .tensor.typed_storage import (
    BFloat16Storage,
    BoolStorage,
    ByteStorage,
    CharStorage,
    ComplexDoubleStorage,
    ComplexFloatStorage,
    DoubleStorage,
    FloatStorage,
    HalfStorage,
    IntStorage,
    LongStorage,
    ShortStorage,
    TypedStorage,
)

from . import autograd, random  # isort: skip  # autograd gives Tensor its methods
from .autograd.breakpoints import breakpoint, clear_breakpoints
from .autograd.inference import inference_mode, is_inference_mode_enabled
from .autograd.modes import (
    enable_grad,
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    is_grad_enabled,
    no_grad,
    set_anomaly_enabled,
    set_grad_enabled,
)
from . import ops
from .ops import *
from .ops.promotion import result_type
from . import overrides  # isort: skip  # after Tensor has all its methods
from .process_memory import keep_memory
from .random import Generator, default_generator
from .version import __version__

half = float16
float = float32
double = float64
short = int16
int = int32
long = int64
chalf = complex32
cfloat = complex64
cdouble = complex128
newaxis = None
legacy_contiguous_format = contiguous_format

__all__ = [
    *ops.__all__,
    "AcceleratorError",
    "are_deterministic_algorithms_enabled",
    "autograd",
    "backends",
    "bfloat16",
    "BFloat16Storage",
    "BFloat16Tensor",
    "bool",
    "BoolStorage",
    "BoolTensor",
    "breakpoint",
    "ByteStorage",
    "ByteTensor",
    "can_cast",
    "cdouble",
    "cfloat",
    "channels_last",
    "channels_last_3d",
    "CharStorage",
    "CharTensor",
    "clear_breakpoints",
    "compiled_with_cxx11_abi",
    "complex128",
    "complex32",
    "complex64",
    "ComplexDoubleStorage",
    "ComplexFloatStorage",
    "config",
    "contiguous_format",
    "device",
    "double",
    "DoubleStorage",
    "DoubleTensor",
    "dtype",
    "e",
    "enable_grad",
    "errors",
    "Event",
    "events",
    "finfo",
    "float",
    "float16",
    "float32",
    "float64",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "FloatStorage",
    "FloatTensor",
    "get_default_device",
    "get_default_dtype",
    "get_deterministic_debug_mode",
    "get_float32_matmul_precision",
    "get_num_interop_threads",
    "get_num_threads",
    "half",
    "HalfStorage",
    "HalfTensor",
    "has_lapack",
    "has_mkl",
    "has_openmp",
    "has_spectral",
    "iinfo",
    "inf",
    "inference_mode",
    "init_num_threads",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "IntStorage",
    "IntTensor",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "is_deterministic_algorithms_warn_only_enabled",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "is_warn_always_enabled",
    "layout",
    "legacy_contiguous_format",
    "long",
    "LongStorage",
    "LongTensor",
    "memory_format",
    "nan",
    "newaxis",
    "no_grad",
    "OutOfMemoryError",
    "overrides",
    "pi",
    "preserve_format",
    "promote_types",
    "random",
    "result_type",
    "set_anomaly_enabled",
    "set_default_device",
    "set_default_dtype",
    "set_default_tensor_type",
    "set_deterministic_debug_mode",
    "set_float32_matmul_precision",
    "set_flush_denormal",
    "set_grad_enabled",
    "set_num_interop_threads",
    "set_num_threads",
    "set_printoptions",
    "set_warn_always",
    "short",
    "ShortStorage",
    "ShortTensor",
    "Size",
    "sparse_bsc",
    "sparse_bsr",
    "sparse_coo",
    "sparse_csc",
    "sparse_csr",
    "Stream",
    "strided",
    "Tensor",
    "TypedStorage",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "UntypedStorage",
    "use_deterministic_algorithms",
]

LAZY_MODULES = (
    "_C", "__config__", "__future__", "accelerator", "amp", "course", "cpu", "cuda",
    "distributed", "distributions", "fft", "func", "functional", "functorch",
    "futures", "hub",
    "inspect", "linalg", "masked", "mps", "multiprocessing", "nested", "nn", "onnx",
    "optim", "profiler", "quasirandom", "return_types", "serialization", "signal",
    "sparse", "special", "testing", "utils", "version", "widgets", "xpu",
)  # fmt: skip


# Names that other modules define, which are imported on first use.
LAZY_NAMES = {
    "accelerator": ("get_device_module",),
    "serialization": ("load", "save"),
    "func": ("vmap",),
    "amp": ("GradScaler", "autocast"),
    "ops.sampling.gamma": (
        "_dirichlet_grad", "_sample_dirichlet", "_standard_gamma",
        "_standard_gamma_grad",
    ),
    "amp.state": (
        "autocast_decrement_nesting", "autocast_increment_nesting",
        "clear_autocast_cache", "get_autocast_cpu_dtype", "get_autocast_dtype",
        "get_autocast_gpu_dtype", "is_autocast_cache_enabled",
        "is_autocast_cpu_enabled", "is_autocast_enabled",
        "set_autocast_cache_enabled", "set_autocast_cpu_dtype",
        "set_autocast_cpu_enabled", "set_autocast_dtype", "set_autocast_enabled",
        "set_autocast_gpu_dtype",
    ),
}  # fmt: skip
MODULE_OF = {name: module for module, names in LAZY_NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import modules, and names defined by them, on first use."""
    if name in MODULE_OF:
        module = importlib.import_module(f"{__name__}.{MODULE_OF[name]}")
        return getattr(module, name)
    if name in LAZY_MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise errors.missing_name(__name__, name)


def __dir__() -> list[str]:
    """The defined names, and those that are imported on first use."""
    return sorted({*globals(), *LAZY_MODULES, *MODULE_OF})


def load_ipython_extension(shell: Any) -> None:
    """Implement `%load_ext edutorch` in a notebook.

    If the `lab` extra is installed, operations that fail show a card below the
    traceback, and `%%watch` opens views for one cell.
    """
    config.own_process()
    if shell is None:
        return
    if (widgets := _widgets()) is None:
        print(f"No error cards and no %%watch without: {extras.install_command('lab')}")
        return
    widgets.error_cards(True)
    shell.register_magic_function(widgets.watch_cell, "cell", "watch")


def unload_ipython_extension(shell: Any) -> None:
    """Implement `%unload_ext edutorch`: remove the cards and `%%watch`."""
    if (widgets := _widgets()) is not None:
        widgets.error_cards(False)
        shell.magics_manager.magics["cell"].pop("watch", None)


def _widgets() -> Any:
    """The views; None without the `lab` extra."""
    try:
        return importlib.import_module(f"{__name__}.widgets")
    except ImportError:
        return None


for _kind in (Tensor, Size, device, dtype, finfo, iinfo, layout, memory_format):
    _kind.__module__ = __name__  # as programs name it: <class 'edutorch.Tensor'>

keep_memory()
sleep_between_products()
