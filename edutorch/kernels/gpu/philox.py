"""Random numbers from a counter (Philox), each distribution in one kernel.

Thread t draws four words at a time from its own stream t. Word k of its i-th draw
belongs to element t + threads · (unroll · i + k), so that neighbours write neighbours.

Reference: Salmon, Moraes, Dror and Shaw, 2011, "Parallel random numbers: as easy as
1, 2, 3". `edutorch/random/philox.py` has the same algorithm in NumPy.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .sources import BLOCK, Source

__all__ = [
    "DISTRIBUTIONS",
    "draw",
    "dropout_mask",
    "packed_uniform",
    "shuffle_equal_keys",
]

# What one draw of four words gives: the type of the numbers, and how many of them.
DISTRIBUTIONS: Final = {
    "uniform_float": ("float", 4),
    "uniform_double": ("double", 2),
    "normal_float": ("float", 4),
    "normal_double": ("double", 2),
    "bernoulli_float": ("float", 4),
    "bernoulli_double": ("double", 2),
    "exponential_float": ("float", 4),
    "exponential_double": ("double", 2),
    "cauchy_float": ("float", 4),
    "cauchy_double": ("double", 2),
    "geometric_float": ("float", 4),
    "geometric_double": ("double", 2),
    "log_normal_float": ("float", 4),
    "log_normal_double": ("double", 2),
    "integers_narrow": ("long long", 4),
    "integers_wide": ("long long", 2),
}

PHILOX = r"""
typedef unsigned int word;
typedef unsigned long long wide;

__device__ void philox(wide seed, wide counter, wide stream, word c[4]) {
    c[0] = counter; c[1] = counter >> 32; c[2] = stream; c[3] = stream >> 32;
    word k0 = seed, k1 = seed >> 32;
    for (int round = 0; round < 10; ++round) {
        wide p = 0xD2511F53ull * c[0], q = 0xCD9E8D57ull * c[2];
        word a = (word)(q >> 32) ^ c[1] ^ k0, b = (word)(p >> 32) ^ c[3] ^ k1;
        c[1] = q; c[3] = p; c[0] = a; c[2] = b;
        k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
    }
}

__device__ float unit(word w) { return w * 0x1p-32f + 0x1p-33f; }
__device__ wide digits(word low, word high) { return low ^ ((wide)high << 21); }
__device__ double unit(word low, word high) {
    return digits(low, high) * 0x1p-53 + 0x1p-54;
}

struct Units4 { float x[4]; __device__ Units4(const word c[4]) {
    for (int k = 0; k < 4; ++k) x[k] = unit(c[k]);
} };
struct Units2 { double x[2]; __device__ Units2(const word c[4]) {
    x[0] = unit(c[0], c[1]); x[1] = unit(c[2], c[3]);
} };
struct Normals4 { float x[4]; __device__ Normals4(const word c[4]) {
    const float turn = 6.2831855f;
    for (int k = 0; k < 4; k += 2) {
        float radius = sqrtf(-2.0f * logf(unit(c[k])));
        float angle = c[k + 1] * (0x1p-32f * turn) + 0x1p-33f * turn;
        __sincosf(angle, &x[k], &x[k + 1]);
        x[k] *= radius; x[k + 1] *= radius;
    }
} };
struct Normals2 { double x[2]; __device__ Normals2(const word c[4]) {
    double radius = sqrt(-2.0 * log(unit(c[0], c[1])));
    sincospi(digits(c[2], c[3]) * 0x1p-52 + 0x1p-53, &x[0], &x[1]);
    x[0] *= radius; x[1] *= radius;
} };
struct Words4 { wide x[4]; __device__ Words4(const word c[4]) {
    for (int k = 0; k < 4; ++k) x[k] = c[k];
} };
struct Words2 { wide x[2]; __device__ Words2(const word c[4]) {
    x[0] = (wide)c[0] << 32 | c[1]; x[1] = (wide)c[2] << 32 | c[3];
} };

__device__ float log_of(float u) { return __logf(u); }
__device__ double log_of(double u) { return log(u); }
__device__ float exp_of(float u) { return __expf(u); }
__device__ double exp_of(double u) { return exp(u); }
__device__ float tan_of(float u) { return __tanf(u); }
__device__ double tan_of(double u) { return tan(u); }
__device__ float eps_of(float) { return 0x1p-23f; }
__device__ double eps_of(double) { return 0x1p-52; }
"""

# A distribution's numbers y from u, a part of a draw, and the parameters a, b, c.
FILL = """
extern "C" __global__ void {name}({value}* out, wide n, wide seed, wide counter,
                                  {real} a, {real} b, {real} c) {{
    wide stream = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    wide threads = (wide)gridDim.x * blockDim.x;
    for (wide start = stream; start - stream < n; start += threads * {unroll}) {{
        word drawn[4];
        philox(seed, counter++, stream, drawn);
        {draws} draws(drawn);
        for (int k = 0; k < {unroll}; ++k) {{
            wide i = start + threads * k;
            if (i < n) {{
                auto u = draws.x[k];
                {value} y;
                {formula}
                out[i] = y;
            }}
        }}
    }}
}}
"""
# The ends are cut in float32, where the tangent would overflow.
CAUCHY: Final = (
    "if (sizeof(u) == 4) { if (u > 1 - eps_of(u)) u = 1 - eps_of(u); "
    "if (u < eps_of(u)) u = eps_of(u); } y = b + a * "
    "tan_of(decltype(u)(3.14159265358979323846) * (u - decltype(u)(0.5)));"
)
FORMULAS: Final = {
    "uniform": ("Units", "y = u * a + b; if (y == c) y = b;"),
    "normal": ("Normals", "y = u * a + b;"),
    "bernoulli": ("Units", "y = u < a;"),
    "exponential": (
        "Units",
        "y = -1 / a * (u >= 1 - eps_of(u) / 2 ? -eps_of(u) / 2 : log_of(u));",
    ),
    "cauchy": (
        "Units",
        CAUCHY,
    ),
    "geometric": ("Units", "y = ceil(log_of(u) / log_of(decltype(u)(1) - a));"),
    "log_normal": ("Normals", "y = exp_of(u * a + b);"),
    "integers": ("Words", "y = (long long)((a ? u % a : u) + b);"),
}


def _kernel(name: str, value: str, unroll: int) -> str:
    draws, formula = FORMULAS[name.rpartition("_")[0]]
    return FILL.format(
        name=name, value=value, unroll=unroll, draws=f"{draws}{unroll}",
        formula=formula, real="wide" if value == "long long" else value,
    )  # fmt: skip


# A mask for dropout: threads take `pack` neighbours at a time, of one draw (4), of two
# (8), or of half a draw (2).
DROPOUT = """
extern "C" __global__ void dropout_mask(float* out, wide n, wide seed, wide counter,
                                        float kept, int pack) {
    wide stream = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    wide threads = (wide)gridDim.x * blockDim.x;
    word drawn[4];
    int half = 0;
    for (wide start = stream * pack; start < n; start += threads * pack) {
        if (pack == 2 && half == 0) philox(seed, counter++, stream, drawn);
        for (int k = 0; k < pack; ++k) {
            if (pack > 2 && k % 4 == 0) philox(seed, counter++, stream, drawn);
            out[start + k] = unit(drawn[k % 4 + half]) < kept ? 1.0f : 0.0f;
        }
        half = pack == 2 ? 2 - half : 0;
    }
}
extern "C" __global__ void packed_uniform(float* out, wide n, wide seed, wide counter) {
    wide stream = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    word drawn[4];
    philox(seed, counter, stream, drawn);
    for (int k = 0; k < 4; ++k)
        if (stream * 4 + k < n) out[stream * 4 + k] = unit(drawn[k]);
}
"""

EQUAL_KEYS = """
extern "C" __global__ void shuffle_equal_keys(
    const wide* keys, long long* order, wide n, wide seed, wide counter) {
    wide i = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 >= n || keys[i] != keys[i + 1] || (i && keys[i] == keys[i - 1])) return;
    int size = 1;
    while (i + size < n && keys[i + size] == keys[i]) ++size;
    word drawn[4];
    for (int left = size - 1, used = 0; left > 0; --left, ++used) {
        if (used % 4 == 0) philox(seed, counter + used / 4, i, drawn);
        int other = drawn[used % 4] % (left + 1);
        long long kept = order[i + left];
        order[i + left] = order[i + other];
        order[i + other] = kept;
    }
}
"""

SOURCE = Source(
    "philox",
    PHILOX
    + "".join(_kernel(k, *v) for k, v in DISTRIBUTIONS.items())
    + DROPOUT
    + EQUAL_KEYS,
    (*DISTRIBUTIONS, "dropout_mask", "packed_uniform", "shuffle_equal_keys"),
)


def draw(
    name: str, out: Any, grid: int, seed: int, counter: int, *parameters: float
) -> None:
    """Fill a CuPy array with numbers of a distribution."""
    number = out.dtype.type if out.dtype.kind == "f" else np.uint64
    scalars = [number(x) for x in (*parameters, 0, 0, 0)[:3]]
    sizes = np.uint64(out.size), np.uint64(seed), np.uint64(counter)
    SOURCE.kernel(name)((grid,), (BLOCK,), (out, *sizes, *scalars))


def dropout_mask(
    out: Any, grid: int, seed: int, counter: int, kept: float, pack: int
) -> None:
    """Fill a CuPy array of float32 with ones, and with 0 at dropped elements."""
    sizes = np.uint64(out.size), np.uint64(seed), np.uint64(counter)
    arguments = (out, *sizes, np.float32(kept), np.int32(pack))
    SOURCE.kernel("dropout_mask")((grid,), (BLOCK,), arguments)


def packed_uniform(out: Any, grid: int, seed: int, counter: int) -> None:
    """Fill a CuPy array with uniform numbers; a thread draws four neighbours."""
    sizes = np.uint64(out.size), np.uint64(seed), np.uint64(counter)
    SOURCE.kernel("packed_uniform")((grid,), (BLOCK,), (out, *sizes))


def shuffle_equal_keys(keys: Any, order: Any, seed: int, counter: int) -> None:
    """Shuffle the parts of `order` whose sorted keys are equal."""
    sizes = np.uint64(order.size), np.uint64(seed), np.uint64(counter)
    grid = -(-order.size // BLOCK)
    SOURCE.kernel("shuffle_equal_keys")((grid,), (BLOCK,), (keys, order, *sizes))
