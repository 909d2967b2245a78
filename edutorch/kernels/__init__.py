"""The numerical work on arrays: plain NumPy first, arrays in and arrays out.

Nothing here knows about tensors or gradients. A function takes arrays and tuples of
numbers and returns arrays; a gradient is just another function.
"""
