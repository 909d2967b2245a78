"""CUDA kernels run by a C++ compiler, thread by thread: slow, but without a GPU.

A shim gives the words of CUDA a meaning for one thread. Kernels in which a block adds
up a row run with the one thread doing the whole row.
"""

from __future__ import annotations

import ctypes
import functools
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest

from edutorch.kernels.gpu import sources

__all__ = ["kernels_on_the_cpu"]

SHIM = r"""
#include <cmath>
#include <cstring>
using std::exp; using std::expm1;
#define __global__
#define __device__
#define __shared__ static
#define __syncthreads()
#define __shfl_xor_sync(mask, x, k) (Op<T>::zero())
#define __sincosf sincosf
#define __logf logf
#define __expf expf
#define __tanf tanf
struct Place { unsigned x, y, z; };
static Place blockIdx, threadIdx, blockDim = {1, 1, 1}, gridDim = {1, 1, 1};
static float __int_as_float(int i) { float f; memcpy(&f, &i, 4); return f; }
static void sincospi(double v, double* s, double* c) {
    *s = sin(M_PI * v); *c = cos(M_PI * v);
}
static float normcdf(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
static double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
"""
# In a block of many threads each has a part of the row.
ONE_THREAD = {
    "i += blockDim.x)": "++i)",
    "threadIdx.x % 32 < blockDim.x / 32": "threadIdx.x % 32 < 1",
}
DRIVER = """
extern "C" void run_{name}(int grid_, int threads_, {parameters}) {{
    gridDim.x = grid_; blockDim.x = threads_;
    for (int b_ = 0; b_ < grid_; ++b_)
        for (int t_ = 0; t_ < {threads}; ++t_) {{
            blockIdx.x = b_; threadIdx.x = t_; {name}({arguments});
        }}
}}
"""
NUMBERS = {
    np.float32: ctypes.c_float, np.float64: ctypes.c_double, np.int32: ctypes.c_int,
    np.int64: ctypes.c_int64, np.uint64: ctypes.c_uint64,
}  # fmt: skip


@functools.cache
def library(name):
    """The kernels of a source as functions of C."""
    code = sources.sources[name].code
    by_rows = "all<Add>" in code
    body = code
    for text, other in ONE_THREAD.items() if by_rows else ():
        body = body.replace(text, other)
    real = {"float": "float", "double": "double"}
    for kernel in sources.sources[name].kernels:
        template = re.sub("_(float|double)$", "_R", kernel)
        pattern = rf"__global__ void (?:{kernel}|{template})\((.*?)\)\s*\{{"
        parameters = re.search(pattern, code, re.DOTALL)[1]
        kind = real.get(kernel.rpartition("_")[2], "float")
        parameters = re.sub(r"\bR\b", kind, parameters)
        names = re.findall(r"(\w+)\s*(?:,|$)", parameters.strip())
        body += DRIVER.format(
            name=kernel, parameters=parameters, arguments=", ".join(names),
            threads="1" if by_rows else "threads_",
        )  # fmt: skip
    folder = Path(tempfile.mkdtemp(prefix="kernels"))
    (folder / "kernels.cpp").write_text(SHIM + body, "utf-8")
    command = ["g++", "-O1", "-w", "-shared", "-fPIC", "-std=c++17"]
    subprocess.run(
        [*command, "kernels.cpp", "-o", "kernels.so"], cwd=folder, check=True
    )
    made = ctypes.CDLL(str(folder / "kernels.so"))
    shutil.rmtree(folder)
    return made


def argument(x):
    """An argument of a kernel as one of a C function."""
    if isinstance(x, np.ndarray):
        return ctypes.c_void_p(x.ctypes.data)
    return NUMBERS[type(x)](x.item())


def start(source, name):
    """The substitute for a compiled kernel: a function of grid, block and arguments."""

    def run(grid, block, arguments):
        function = getattr(library(source.name), f"run_{name}")
        function(grid[0], block[0], *map(argument, arguments))

    return run


@pytest.fixture
def kernels_on_the_cpu(monkeypatch):
    """Let kernels take NumPy arrays, and run as compiled C++."""
    if shutil.which("g++") is None:
        pytest.skip("needs a C++ compiler")
    monkeypatch.setattr(sources.Source, "kernel", start)
    monkeypatch.setattr(sources, "is_gpu_array", lambda x: True)
    monkeypatch.setattr(sources, "array_library", lambda: np)
