# %% imports
from __future__ import annotations

import edutorch as torch
from edutorch import nn


# %% 05.1
class Linear(nn.Module):
    """y = x Wᵀ + b, with W (outputs, inputs) and b (outputs)."""

    def __init__(self, inputs, outputs, bias=True):
        ### BEGIN SOLUTION
        super().__init__()
        bound = 1 / inputs**0.5
        weight = torch.empty(outputs, inputs).uniform_(-bound, bound)
        self.weight = nn.Parameter(weight)
        self.bias = None
        if bias:
            self.bias = nn.Parameter(torch.empty(outputs).uniform_(-bound, bound))
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias
        ### END SOLUTION


# %% 05.2
def named(module, prefix=""):
    """(name, parameter) of every parameter in the tree below module."""
    ### BEGIN SOLUTION
    found = []
    for name, parameter in module._parameters.items():
        if parameter is not None:
            found.append((prefix + name, parameter))
    for name, child in module._modules.items():
        if child is not None:
            found += named(child, f"{prefix}{name}.")
    return found
    ### END SOLUTION


# %% 05.3
def kaiming_(model):
    """Kaiming's weights in every Linear of the model, in place; returns the model."""
    ### BEGIN SOLUTION
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, nn.Linear):
                inputs = module.weight.shape[1]
                module.weight.normal_(0, (2 / inputs) ** 0.5)
                if module.bias is not None:
                    module.bias.zero_()
    return model
    ### END SOLUTION


# %% 05.4
def count(model):
    """How many numbers training can change; shared ones count once."""
    ### BEGIN SOLUTION
    different = {id(p): p for _, p in named(model)}.values()
    return sum(p.numel() for p in different if p.requires_grad)
    ### END SOLUTION


# %% 05.5
def watch(model, kind):
    """The outputs of the model's modules of a kind, by name, and a way to stop."""
    ### BEGIN SOLUTION
    seen, handles = {}, []

    def keeper(name):
        def keep(module, inputs, output):
            seen[name] = output.detach().clone()

        return keep

    for name, module in model.named_modules():
        if isinstance(module, kind):
            handles.append(module.register_forward_hook(keeper(name)))

    def remove():
        for handle in handles:
            handle.remove()

    return seen, remove
    ### END SOLUTION


# %% 05.6
class Dropout(nn.Module):
    """In training each number becomes 0 with probability p, the others grow."""

    def __init__(self, p=0.5):
        ### BEGIN SOLUTION
        super().__init__()
        self.p = p
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        if not self.training:
            return x
        if self.p == 1:
            return torch.zeros_like(x)
        kept = torch.rand(x.shape) >= self.p
        return x * kept / (1 - self.p)
        ### END SOLUTION
