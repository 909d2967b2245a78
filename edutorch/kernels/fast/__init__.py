"""Loops that Numba compiles: twins of the plain functions, in files of the same name.

A plain function asks `kernels.twins` for its twin and does the work itself where
there is none. Without Numba these are Python functions, slow but steppable.
"""
