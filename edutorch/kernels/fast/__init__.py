"""Loops that Numba compiles, in files of the same name as the NumPy functions.

A NumPy function looks up its kernel through `kernels.compiled`, and computes without
where there is none. Without Numba these are Python functions, slow but steppable.
"""
