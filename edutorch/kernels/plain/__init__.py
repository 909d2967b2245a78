"""The kernels of `config.plain()`: each is the formula of its docstring.

NumPy on whole arrays, without blocks, buffers, threads or compiled loops. These are the
functions to step through, and what the tests compare the fast ones with. A kernel that
has one form only is in the folder above.

- `conv.py`, `norm.py`, `optim.py`, `softmax.py`: the formulas of the file of that name.
"""
