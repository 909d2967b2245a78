"""In which order PyTorch checks a call: shapes before dtypes, the parser before all.

Each line is run under both libraries: the exception's class and the first line of its
message must be the same, or the result. Random programs have found them.
"""

import pytest

import edutorch
from tests.fuzz.differences import difference
from tests.fuzz.outcomes import outcome
from tests.oracle import torch

MADE = (
    "draw = lambda *n: np.random.default_rng(0).standard_normal(n) * 2\n"
    "x = lambda *n: torch.tensor(draw(*n)).float()\n"
)
CALLS = """
F.max_unpool1d(x(3), torch.tensor([0]), 3)
F.max_unpool1d(x(2,3,4,5), torch.tensor([0]), 3)
F.max_unpool2d(x(2), torch.tensor([0]), 3)
F.max_unpool2d(x(2,0,2), torch.zeros(2,0,2).long(), 3)
F.max_unpool2d(x(2,2,0), torch.zeros(2,2,0).long(), 3)
F.max_unpool3d(x(2,2,2,2), torch.zeros(2,2,2,2).long(), 3, 0, 1)
F.max_unpool3d(x(2,2,2,2), torch.zeros(2,2,2,2).long(), 3, -1)
F.max_unpool3d(x(2,2,2,2), torch.zeros(2,2,2,2).int(), 3)
F.max_unpool3d(x(2,2,2,2), torch.zeros(2,2,2,2).long(), (3,3))
F.max_unpool3d(x(2,2,2,2), torch.zeros(2,2,2,2).long(), (3,))
F.max_unpool3d(x(2,2,2,2), torch.zeros(2,2,2,2).long(), ())
F.max_unpool2d(x(2,2,2), torch.zeros(2,2,2).long(), ())
F.max_unpool2d(x(2,2,2), torch.zeros(2,2,2).long(), (3,3,3))
F.max_unpool1d(x(2,2,2), torch.zeros(2,2,2).long(), (3,3))
F.max_unpool1d(x(2,2,2), torch.zeros(2,2,2).long(), ())
F.max_unpool1d(x(2,2,2), torch.zeros(2,2,2).long(), 2.5)
F.max_unpool2d(x(2,2,2), torch.zeros(2,2,2).long(), 2.5)
F.max_unpool3d(x(2,2,2,2), torch.zeros(2,2,2,2).long(), 2.5)
F.max_unpool2d(x(2,2,2), torch.zeros(2,2,2).long(), 2, True)
F.max_unpool2d(x(2,2,2), torch.zeros(2,2,2).long(), 2, 2, 0.5)
F.max_unpool3d(x(2,2,2,2), torch.zeros(2,2,2,2).long(), 2, 2, 0.5)
F.max_unpool3d(x(2,2,2,2), torch.zeros(2,2,2,2).long(), 2, 2, True)
F.max_unpool1d(x(2,2,2), torch.zeros(2,2,2).long(), 2, None, 0, (5.,))
F.max_unpool1d(x(2,2,2), torch.full((2,2,2), 7), 2)
F.max_unpool1d(x(2,2,2), torch.zeros(2,2,2).long(), x())
F.max_unpool2d(x(2,2,2), torch.zeros(2,2,2).long(), None)
F.max_unpool2d(x(2,2,2), torch.zeros(2,2,2).long(), 'a')
F.max_unpool2d(x(2,2,2), torch.zeros(2,2,2).long(), 2, 'a')
F.max_unpool2d(x(2,2,2), torch.zeros(2,2,3).long(), -2)
F.max_unpool2d(x(2,2,2), torch.zeros(2,2,2).long(), -2)
F.max_unpool2d(x(2,2,2), None, -2)
F.max_unpool3d(x(2,2,2,2), None, -2)
F.max_unpool3d(x(2,2,2,0), torch.zeros(2,2,2,0).long(), 2)
F.max_unpool3d(x(2,0,2,2,2), torch.zeros(2,0,2,2,2).long(), 2)
F.max_unpool2d(x(2,0,2,2), torch.zeros(2,0,2,2).long(), 2)
F.batch_norm(x(3), x(3), x(3), None, None, True, 0.1, -1)
torch.batch_norm(x(2,3), None, None, None, None, True, 0.1, 0.0, False)
torch.batch_norm(x(2,3), None, None, None, None, True, 0.1, -1, False)
torch.native_batch_norm(x(2,3), None, None, None, None, True, 0.1, 0.0)
torch.native_batch_norm(x(2,3), None, None, None, None, True, 0.1, -1)
torch.native_batch_norm(x(2,3), x(3).double(), None, None,None, True, 0.1, 0.0)
F.instance_norm(x(2,3,4), None, None, None, None, True, 0.1, 0.0)
F.instance_norm(x(2,3,4), None, None, None, None, True, 0.1, -1)
F.batch_norm(x(2,3), None, x(2), None, None, True, 0.1, 1)
torch.batch_norm(x(2,3), None, None, None, x(2), True, 0.1, 1, False)
torch.batch_norm(x(2,3), None, None, x(2), None, True, 0.1, 1, False)
F.conv1d(x(4,5).cdouble(), x(3,4,3))
F.conv1d(x(2,4,5), x(3,4,3).cfloat())
F.conv1d(x(2,4,5).bfloat16(), x(3,4,3).cfloat())
F.conv1d(x(2,4,5).bfloat16(), x(3,4,3).int())
F.conv2d(x(2,4,5,5), x(3,4,3,3).bool(), x(3))
F.conv_transpose1d(x(1, 3, 4).double(), x(3, 3, 3).half(), x(3).half(), stride=(2,))
F.conv_transpose1d(x(2, 3, 4), x(3, 3, 3), x(3).half(), stride=(2,))
F.conv_transpose1d(x(2, 3, 4), x(3, 3, 3).half(), x(3).half(), stride=(2,))
F.conv_transpose1d(x(2, 3, 4).cfloat(), x(3, 3, 3), x(3), stride=(2,))
F.conv_transpose1d(x(2, 3, 4).cfloat(), x(3, 3, 3).cfloat(), x(3), stride=(2,))
F.conv_transpose1d(x(2, 3, 4).bfloat16(), x(3, 3, 3).bfloat16(), x(3), stride=(2,))
F.conv3d(x(2, 1, 4, 5, 2).int(), x(1, 1, 4, 3, 1).bool(), padding='same', dilation=3)
F.fractional_max_pool3d(x(2,3,5,5,5), (0,0), output_size=(2,3,3))
F.fractional_max_pool3d(x(2,3,5,5,5), (2,2,2), output_size=(2,3))
F.interpolate(x(2, 3, 4, 4), (3, 3), mode='bilinear', align_corners=0)
F.interpolate(x(2, 3, 4, 4), 3, mode='bilinear', align_corners=0.5)
F.interpolate(x(2, 3, 4, 4), [3,3], mode='bicubic', align_corners='a')
F.interpolate(x(2, 3, 4, 4), [3,3], mode='bicubic', align_corners=x(3))
F.interpolate(x(2, 3, 4), scale_factor=2, mode='linear', align_corners=x(3))
F.interpolate(x(2, 3, 4,4,4), scale_factor=(2.,1,1), mode='trilinear', align_corners=1)
F.upsample_nearest(x(2, 3, 4, 4), size=x(2))
F.upsample_bilinear(x(2, 3, 4, 4), size=x(2))
F.upsample_bilinear(x(2, 3, 4, 4), scale_factor=x())
F.upsample_nearest(x(2, 3, 4, 4,4), scale_factor=x())
x(2).to(0)
nn.Linear(1,1).to(0)
torch.tensor([1]).to(1j)
torch.tensor([1]).to(np.float32(1.5))
torch.tensor([1]).to(np.int64(1))
torch.tensor([1]).to(b'x')
torch.cdist(x(2,3,4).bfloat16(), x(5,6,2).bfloat16())
torch.cdist(x(3,4), x(2,4).half())
torch.cdist(x(3), x(2,4), 1.0, 'bogus')
F.mse_loss(x(5).bool(), x(2,0).bool())
F.smooth_l1_loss(x(5).int(), x(0).int())
F.smooth_l1_loss(x(5).int(), x(5).int(), beta=-1)
F.smooth_l1_loss(x(5).int(), x(5).int(), beta=0)
F.smooth_l1_loss(x(5), x(5), beta=[0,0])
F.huber_loss(x(5).byte(), x(0).byte())
F.huber_loss(x(5).byte(), x(5).byte(), delta=-1)
F.huber_loss(x(5).byte(), x(6), delta=1)
F.l1_loss(x(5), None)
F.mse_loss(x(5), True)
F.mse_loss(True, x(5))
F.smooth_l1_loss(x(5), 1)
F.l1_loss(np.ones(2), x(5,5,5))
F.mse_loss(np.ones(2), x(5,5,5))
torch.diff(x(5, 5), 0, 1, x(1, 5), x(2, 5))
torch.diff(x(3, 3, 3), 4, 0, x(3, 1, 3), x(3, 1, 3))
F.embedding(torch.ones(3,4), x(3,4), max_norm=2.)
F.embedding(torch.arange(3), x(3), max_norm=2.)
F.embedding(torch.arange(3), x(3,4), max_norm='a')
F.embedding(torch.arange(3), x(3,4), max_norm=())
F.embedding(torch.ones(3).bool(), x(3,4))
torch.embedding(x(4,3), x().cfloat())
torch.bucketize(x(5,5).cdouble(), x(5))
torch.bucketize(1j, x(5))
torch.searchsorted(x(0), 1j)
torch.searchsorted(x(5), 1j)
F.gaussian_nll_loss(x(5), x(5), x(5).abs(), reduction=None)
torch.broadcast_shapes(None, (10,5))
torch.broadcast_shapes((5,1), [-3,2])
torch.broadcast_shapes((5,), [1.5])
torch.broadcast_shapes((), x(2))
torch.broadcast_shapes((5,), 'a')
torch.broadcast_shapes(None)
torch.take_along_dim(x(5,5), x(5,5))
torch.take_along_dim(x(5,5), x(5,5).bool())
torch.take_along_dim(x(5,5), x(2,3))
torch.tensor_split(x(5,5), x(2))
torch.tensor_split(x(5,5), x(2,2).long())
torch.tensor_split(x(5,5), torch.tensor(2).int())
F.ctc_loss(x(3,1,4), torch.tensor([[1]]), 0, torch.tensor([1]))
F.ctc_loss(x(3,1,4), torch.tensor([[1]]), (1,), torch.tensor([1]))
F.ctc_loss(x(3,1,4), torch.tensor([[1]]), torch.tensor([3]), torch.tensor([1]), True)
F.ctc_loss(x(3,1,4), torch.tensor([[1]]), torch.tensor([3]), torch.tensor([1]), 1.)
F.ctc_loss(x(3,1,4), torch.tensor([[1]]), torch.tensor([3]), 'sum')
F.ctc_loss(x(3,1,4), torch.tensor([[1]]), torch.tensor([3]), [torch.ones(2), 1])
F.hardtanh(x(3), -1., torch.ones(1,1))
F.max_pool1d(x(1,2,3), 3, 2, [0,0])
torch.round(x(2).cfloat(), decimals=3)
torch.norm(x(5,5), x(1,1), 1)
x(3,4).norm(x(3,4)>0, 2)
x(3,4).norm([[1,2],[3]], 2)
torch.expand_copy(x(5,1), (-2,3))
torch.broadcast_to(x(5,1), (-2,3))
torch.vsplit(x(6,5), -1)
torch.linalg.lstsq(x(4,3), x(4,3), driver='')
torch.linalg.lstsq(x(4,3).int(), x(4,3).int(), driver='')
torch.cat([x(0), x(0)], dim=1)
torch.cat([x(0), x(0)], dim=-3)
F.one_hot(torch.arange(3), -3)
torch.take_along_dim(x(5,5), x(1,1,1,1))
A = x(5); B = x(3); result = torch.outer(A,B,out=B).shape
A = x(5); B = x(3); result = torch.outer(A,B,out=B.view(-1)).shape
A = x(1); B = x(1); result = torch.outer(A,B,out=B).shape
A = x(2,2); result = torch.scatter_add(A,0,torch.zeros(2,2).long(),A,out=A)
A = x(2,2); result = torch.addmv(A[0],A,A[0],out=A[0]).shape
torch.repeat_interleave(x(4,1), torch.tensor([5]), dim=0, output_size=6)
torch.repeat_interleave(x(4,1), torch.tensor(5), dim=0, output_size=6)
torch.repeat_interleave(x(4,1), 5, dim=0, output_size=6)
torch.repeat_interleave(x(4,1), torch.tensor([1,2,3,4]), dim=0, output_size=6)
torch.repeat_interleave(x(4,1), torch.tensor([1,2,3]), dim=0, output_size=6)
torch.repeat_interleave(x(4,1), torch.tensor([1,2,3,4]), dim=0, output_size=10)
torch.masked_scatter(x(5,5), x(7,1), x(5,5))
torch.masked_scatter(x(5,5), x(5,1), x(5,5))
torch.masked_scatter(x(5,5), x(7,1)>0, x(5,5))
torch.masked_select(x(10,10), x(0,3))
torch.masked_select(x(10,10), x(0,3)>0)
torch.masked_select(x(10,10), x(10).byte())
torch.rot90(x(2,0), 0, (1,-1))
torch.rot90(x(2,3), 1, (1,-1))
torch.rot90(x(2,3), 1, (0,-2))
torch.rot90(x(2,3), 1, (0,0))
torch.rot90(x(2,3,4), 1, (0,-3))
torch.rot90(x(2,3), 1, (0,5))
torch.expand_copy(x(2), 2)
torch.expand_copy(x(2), (2,))
torch.expand_copy(x(2), [3,2])
F.scaled_dot_product_attention(x(4,3,8), x(4,6,8), x(4,6,8), dropout_p=-9).shape
F.scaled_dot_product_attention(x(4,3,8), x(4,6,8), x(4,6,8), dropout_p=1j)
F.scaled_dot_product_attention(x(4,3,8), x(4,6,8), x(4,6,8), dropout_p=True)
F.scaled_dot_product_attention(x(4,3,8), x(4,6,8), x(4,6,8), dropout_p=2)
"""


@pytest.mark.parametrize("call", CALLS.strip().splitlines())
def test_calls_are_checked_in_the_order_of_pytorch(call):
    program = MADE + (call if "result = " in call else f"result = {call}")
    expected = outcome(program, torch, {})
    got = outcome(program, edutorch, {})
    assert difference(expected, got) == ("", ""), f"{expected} | {got}"


@pytest.mark.parametrize(
    "call",
    [
        "x.to(0)",
        "x.cuda(0)",
        "x.new_zeros(2, device=0)",
        "torch.tensor([1], device=0)",
        "torch.device(0)",
        "x.cuda('cpu')",
        "x.cuda(torch.device('cpu'))",
        "torch.nn.Linear(1, 1).cuda(0)",
    ],
)
def test_numbers_of_gpus_are_refused_where_there_are_none(call):
    program = f"x = torch.ones(2)\nresult = {call}"
    expected, got = outcome(program, torch, {}), outcome(program, edutorch, {})
    assert difference(expected, got) == ("", ""), f"{expected} | {got}"
