"""What ops on windows share."""

import edutorch as torch
from edutorch.ops.window_op import WindowOp


def test_window_op_passes_its_parameters_to_kernels():
    op = WindowOp((2, 3), (1, 1), (0, 0), (1, 2))
    assert op.params == ((2, 3), (1, 1), (0, 0), (1, 2))


def test_pooling_and_columns_are_window_ops():
    x = torch.ones(1, 1, 4, 4, requires_grad=True)
    for y in (torch.max_pool2d(x, 2), torch.nn.functional.unfold(x, 2)):
        assert isinstance(y.grad_fn, WindowOp)
