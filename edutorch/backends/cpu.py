"""CPU capabilities, as reported by NumPy."""

from __future__ import annotations

from numpy.lib.introspect import opt_func_info

__all__ = ["get_cpu_capability"]


def get_cpu_capability() -> str:
    """The widest vector instructions that NumPy has: "AVX512", "AVX2" or "DEFAULT".

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cpu.get_cpu_capability() in ("AVX512", "AVX2", "DEFAULT")
        True
    """
    report = str(opt_func_info(func_name="^add$"))
    if "AVX512" in report:
        return "AVX512"
    return "AVX2" if "AVX2" in report else "DEFAULT"
