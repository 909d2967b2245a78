"""What runs while `config.plain()`: each kernel as the formula of its docstring.

NumPy on whole arrays, without blocks, buffers, threads or compiled loops. These are the
functions to step through, and what the tests compare the fast ones with.
"""
