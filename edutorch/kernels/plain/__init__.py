"""The kernels of `config.plain()`: each is the formula in its docstring.

NumPy on whole arrays, without blocks, buffers, threads or compiled loops. Step through
these functions in a debugger; the tests use them as references for the fast ones. A
kernel with only one implementation is in the folder above.

- `conv.py`, `norm.py`, `optim.py`, `softmax.py`: the formulas of the file of that name.
"""
