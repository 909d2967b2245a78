# %% imports
from __future__ import annotations

import edutorch as torch
from edutorch import nn
from edutorch.nn import functional as F


# %% 10.1
def gradient_norms(model, loss):
    """The length of the gradient of each weight matrix or kernel, by name."""
    ### BEGIN SOLUTION
    model.zero_grad()
    loss.backward()
    norms = {}
    for name, p in model.named_parameters():
        if p.dim() > 1 and p.requires_grad:
            norms[name] = 0.0 if p.grad is None else p.grad.norm().item()
    return norms
    ### END SOLUTION


# %% 10.2
class ResidualBlock(nn.Module):
    """relu(norm2(conv2(relu(norm1(conv1(x))))) + skip(x))."""

    def __init__(self, inputs, outputs, stride=1):
        ### BEGIN SOLUTION
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.skip = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                nn.BatchNorm2d(outputs),
            )
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        y = F.relu(self.norm1(self.conv1(x)))
        y = self.norm2(self.conv2(y))
        return F.relu(y + self.skip(x))
        ### END SOLUTION


# %% 10.3
def saliency(model, image, label):
    """(h, w): how much the score of label changes with each pixel of the image."""
    ### BEGIN SOLUTION
    x = image.detach().clone().requires_grad_()
    score = model(x.unsqueeze(0))[0, label]
    (gradient,) = torch.autograd.grad(score, x)
    return gradient.abs().amax(dim=0)
    ### END SOLUTION


# %% 10.4
def occlusion(model, image, label, size, value=0.0):
    """How much the score of label falls when a square of image (c, h, w) is covered."""
    ### BEGIN SOLUTION
    _, h, w = image.shape
    falls = torch.zeros(h - size + 1, w - size + 1)
    with torch.no_grad():
        whole = model(image.unsqueeze(0))[0, label]
        for i in range(h - size + 1):
            for j in range(w - size + 1):
                covered = image.clone()
                covered[:, i : i + size, j : j + size] = value
                falls[i, j] = whole - model(covered.unsqueeze(0))[0, label]
    return falls
    ### END SOLUTION


# %% 10.5
def freeze(model, head):
    """Leave only head to be trained; batch norm outside it keeps its statistics."""
    ### BEGIN SOLUTION
    model.requires_grad_(False)
    head.requires_grad_(True)
    model.eval()
    head.train()
    ### END SOLUTION


# %% 10.6
def groups(model, head, lr, factor=0.1):
    """Parameter groups: head at lr, the rest at lr · factor; frozen ones in neither."""
    ### BEGIN SOLUTION
    own = {id(p) for p in head.parameters()}
    trained = [p for p in model.parameters() if p.requires_grad]
    return [
        {"params": [p for p in trained if id(p) in own], "lr": lr},
        {"params": [p for p in trained if id(p) not in own], "lr": lr * factor},
    ]
    ### END SOLUTION
