"""Functions under the names that PyTorch's pickles have for them."""

import edutorch as torch


def test_functions_are_those_of_nn_functional():
    for name in torch._C._nn.__all__:
        assert getattr(torch._C._nn, name) is getattr(torch.nn.functional, name)
