"""Other dtypes."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a.to(torch.float32)",
    "a.to(torch.int64)",
    "a.to(ints)",
    "a.to('cpu')",
    "a.to('cpu', torch.float32)",
    "str(a.to(device='cpu', dtype=torch.float16).dtype)",
    "a.to(torch.device('cpu'), torch.float32, copy=True)",
    "singles.to(singles.dtype) is singles",
    "singles.to(singles.dtype, copy=True) is singles",
    "singles.to(torch.float32, True, True) is singles",
    "singles.to() is singles",
    "singles.float() is singles",
    "singles.cpu() is singles",
    "singles.double()",
    "a.float()",
    "a.half().float()",
    "a.bfloat16().float()",
    "ints.float()",
    "ints.double()",
    "specials.int()",
    "torch.tensor([1e20, -3.9]).to(torch.uint8).dtype is torch.uint8",
    "a.short()",
    "a.char()",
    "uint8s.char()",
    "ints.byte()",
    "ints.bool()",
    "specials.bool()",
    "row.cfloat()",
    "row.cdouble()",
    "complexes.to(torch.float64)",
    "complexes.real.float()",
    "row.type(torch.float32)",
    "row.type('torch.FloatTensor')",
    "(row.type(), ints.type(), mask.type(), uint8s.type(), singles.half().type())",
    "row.type_as(singles)",
    "img.to(memory_format=torch.channels_last).stride()",
    "str((torch.ones(1).to(int).dtype, torch.ones(1).to(float).dtype))",
]

SMOOTH = [
    "a.to(torch.complex128).abs() ** 2",
]

REFUSED = [
    "a.to(dtype='float32')",
    "a.to(dtype=np.float32)",
    "a.to('cpu', np.float32)",
    "singles.to([1])",
    'singles.to("cpu", "cpu")',
    "row.to(memory_format=torch.channels_last)",
    "a.to('foo')",
    "a.to('cuda')",
    "a.cuda()",
    "a.to([1])",
]


@pytest.mark.parametrize("case", CASES)
def test_casts_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_casts_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_casts_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_casting_complex_to_real_warns():
    with pytest.warns(UserWarning, match="Casting complex values to real discards"):
        edutorch.tensor([1j]).to(edutorch.float32)


@pytest.fixture
def gpu():
    with edutorch.cuda.simulate(devices=2, memory="64MB"):
        yield


def test_moves_to_a_gpu_and_back_carry_values_and_gradients(gpu):
    x = edutorch.tensor([1.0, 2.0], requires_grad=True)
    y = x.to("cuda:1")
    assert y.device == edutorch.device("cuda:1") and y.tolist() == [1, 2]
    (y * y).cpu().sum().backward()
    assert x.grad.device.type == "cpu" and x.grad.tolist() == [2, 4]


def test_moves_are_announced_in_both_directions(gpu):
    seen = []
    x = edutorch.ones(4, requires_grad=True)
    listening = edutorch.events.listen("test", seen.append)
    x.cuda().sum().backward()
    listening.close()
    moves = [edutorch.events.as_dict(r) for r in seen if r[0] == "xfer"]
    assert [(m["source"], m["target"]) for m in moves] == [
        ("cpu", "cuda:0"),
        ("cuda:0", "cpu"),
    ]


def test_to_the_device_where_a_tensor_is_changes_nothing(gpu):
    x = edutorch.ones(1, device="cuda")
    assert x.to("cuda:0") is x and x.cuda() is x


def test_copy_between_devices_keeps_the_target_where_it_is(gpu):
    x = edutorch.zeros(2, device="cuda")
    x.copy_(edutorch.tensor([1.0, 2.0]))
    assert x.device.type == "cuda" and x.tolist() == [1, 2]


def test_assignment_from_the_cpu_to_a_gpu_copies(gpu):
    x = edutorch.zeros(3, device="cuda")
    x[1:] = edutorch.tensor([1.0, 2.0])
    x[edutorch.tensor([0])] = edutorch.tensor(5.0)
    assert x.tolist() == [5, 1, 2]


def test_images_of_one_row_stay_channels_last_in_another_dtype():
    x = edutorch.ones(1, 2, 1, 4).contiguous(memory_format=edutorch.channels_last)
    assert x.double().stride() == x.stride() == (8, 1, 8, 2)


@pytest.mark.parametrize("place", [edutorch.ones(2), edutorch.float16])
def test_a_tensor_or_a_dtype_is_no_place_to_move_to(place):
    with pytest.raises(
        TypeError, match="argument 'device' .position 1. must be torch.d"
    ):
        edutorch.ones(3).cuda(place)
