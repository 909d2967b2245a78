"""Chapter 10: seeing inside, residual networks and transfer."""

from __future__ import annotations

from edutorch.course.exercise import Exercise

from .ch10_blocks import residual_block
from .ch10_gradients import gradient_norms
from .ch10_groups import groups
from .ch10_maps import occlusion, saliency
from .ch10_transfer import freeze

__all__ = ["EXERCISES"]

EXERCISES = (
    Exercise(
        "10.1",
        "gradient by layer",
        1,
        (
            "After loss.backward() each parameter has its gradient in .grad.",
            "backward adds to what is there: begin with model.zero_grad().",
            "p.grad.norm().item() is the length; a .grad that is None counts as 0.",
        ),
        gradient_norms,
    ),
    Exercise(
        "10.2",
        "residual block",
        2,
        (
            (
                "Two paths lead from x to the sum: through the convolutions, and "
                "past them."
            ),
            "skip is nn.Identity(), or a 1 × 1 convolution and a batch norm in a row.",
            "F.relu(self.norm2(self.conv2(F.relu(self.norm1(...)))) + self.skip(x)).",
        ),
        residual_block,
    ),
    Exercise(
        "10.3",
        "saliency map",
        2,
        (
            "The gradient is with respect to the image, so the image must require one.",
            "Work on a copy: x = image.detach().clone().requires_grad_().",
            "torch.autograd.grad(model(x[None])[0, label], x)[0].abs().amax(dim=0)",
        ),
        saliency,
    ),
    Exercise(
        "10.4",
        "occlusion map",
        2,
        (
            "Two loops: i over h - size + 1 rows, j over w - size + 1 columns.",
            "Cover a fresh copy each time: covered = image.clone().",
            "covered[:, i : i + size, j : j + size] = value; then store whole - score.",
        ),
        occlusion,
    ),
    Exercise(
        "10.5",
        "freeze all but the head",
        1,
        (
            "Two things must be stopped: gradients, and batch norm's statistics.",
            "requires_grad_(False) and eval() act on everything inside a module.",
            "All of model first; then head.requires_grad_(True) and head.train().",
        ),
        freeze,
    ),
    Exercise(
        "10.6",
        "parameter groups",
        2,
        (
            "Each parameter that requires a gradient goes into one group, once.",
            "p in a_list compares numbers; id(p) tells whether it is one tensor.",
            (
                "own = {id(p) for p in head.parameters()} splits model.parameters() "
                "in two."
            ),
        ),
        groups,
    ),
)
