"""DataParallel on simulated GPUs: losses, and the placement of tensors."""

from __future__ import annotations

import gc

import pytest

import edutorch as torch
from edutorch import nn
from tests.nn.parallel.train_chapter import at_once, chapter, train


def convolutional():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(128, 10),
    )  # fmt: skip


class Recurrent(nn.Module):
    """An LSTM and a head that share nothing with other layers."""

    def __init__(self):
        super().__init__()
        self.lstm, self.head = nn.LSTM(8, 6, batch_first=True), nn.Linear(6, 10)

    def forward(self, x):
        self.lstm.flatten_parameters()
        return self.head(self.lstm(x[:, 0])[0][:, -1])


class Tied(nn.Module):
    """Two layers with one weight, and a list of parameters."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(64, 64), nn.Linear(64, 64)
        self.b.weight = self.a.weight
        self.scales = nn.ParameterList([torch.ones(64), torch.ones(10)])
        self.head = nn.utils.parametrizations.weight_norm(nn.Linear(64, 10))

    def forward(self, x):
        h = self.b(self.a(x.flatten(1)).tanh() * self.scales[0])
        return self.head(h) * self.scales[1]


def losses(make, wrap, samples=10, steps=4):
    torch.manual_seed(0)
    model = wrap(make().to("cuda:0"))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    x = torch.randn(samples, 1, 8, 8, device="cuda:0")
    y = torch.randint(0, 10, (samples,), device="cuda:0")
    found = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found, [p.grad.cpu() for p in model.parameters()]


@pytest.mark.parametrize("make", [convolutional, Recurrent, Tied])
@pytest.mark.parametrize("devices", [1, 2, 4])
def test_losses_and_gradients_are_those_of_one_device(make, devices):
    with torch.cuda.simulate(devices=4):
        alone, gradients = losses(make, lambda m: m)
        together, others = losses(
            make, lambda m: nn.DataParallel(m, list(range(devices)))
        )
    assert together == pytest.approx(alone, rel=1e-5)
    for g, other in zip(gradients, others, strict=True):
        assert torch.allclose(g, other, rtol=1e-4, atol=1e-6)


@pytest.fixture(scope="module")
def fixed_statistics():
    """The losses of chapter 9's network on one device; batch norm takes no batch's.

    A GPU like the others: on the CPU, other kernels round differently.
    """
    with torch.cuda.simulate(devices=1, memory="64MB"):
        names = chapter()
        model = names["model"].eval().to("cuda:0")
        return train(names, model, at_once, device="cuda:0")


@pytest.mark.parametrize("devices", [2, 4])
def test_network_of_chapter_9_prints_the_losses_of_one_device(
    fixed_statistics, devices
):
    with torch.cuda.simulate(devices=devices, memory="64MB"):
        names = chapter()
        model = nn.DataParallel(names["model"].eval().to("cuda:0"))
        losses = train(names, model, at_once, device="cuda:0")
    assert losses == pytest.approx(fixed_statistics, rel=0, abs=1e-8)


@pytest.mark.parametrize("devices", [2, 4])
def test_batch_norm_of_chapter_9_differs_by_the_statistics_of_the_parts(devices):
    def in_parts(model, x, y):
        scores = torch.cat([model(rows) for rows in x.chunk(devices)])
        loss = nn.functional.cross_entropy(scores, y)
        return loss, loss.item()

    with torch.cuda.simulate(devices=devices, memory="64MB"):
        names = chapter()
        model = names["model"].to("cuda:0")
        alone = train(names, model, in_parts, device="cuda:0")
        names = chapter()
        model = nn.DataParallel(names["model"].to("cuda:0"))
        together = train(names, model, at_once, device="cuda:0")
    assert together == pytest.approx(alone, rel=0, abs=1e-8)


def test_fewer_samples_than_devices_use_fewer_replicas():
    with torch.cuda.simulate(devices=4):
        alone, _ = losses(convolutional, lambda m: m, samples=3)
        together, _ = losses(convolutional, nn.DataParallel, samples=3)
    assert together == pytest.approx(alone, rel=1e-5)


def test_batch_norm_sees_its_own_part_and_the_first_replica_keeps_its_statistics():
    with torch.cuda.simulate(devices=2):
        norm = nn.BatchNorm1d(3).to("cuda:0")
        x = torch.randn(8, 3, device="cuda:0")
        y = nn.DataParallel(norm)(x)
        parts = [nn.functional.batch_norm(p, None, None, training=True)
                 for p in x.chunk(2)]  # fmt: skip
        assert torch.allclose(y, torch.cat(parts), atol=1e-6)
        assert torch.allclose(norm.running_mean, 0.1 * x[:4].mean(0), atol=1e-6)
        assert norm.num_batches_tracked.item() == 1


def test_every_device_computes_and_gives_its_memory_back():
    with torch.cuda.simulate(devices=2):
        model = nn.DataParallel(nn.Linear(256, 256).to("cuda:0"))
        y = model(torch.ones(8, 256, device="cuda:0"))
        weights = (256 * 256 + 256) * 4
        assert torch.cuda.max_memory_allocated(1) >= weights
        y.sum().backward()
        del y
        gc.collect()
        assert torch.cuda.memory_allocated(1) == 0
        assert torch.cuda.memory_allocated(0) == 2 * weights  # and gradients


def test_nested_arguments_arrive_in_their_shapes():
    class Nested(nn.Module):
        def forward(self, pair, named, flag=None):
            return {"sum": pair[0] + pair[1][0], "named": named["x"] * 2, "flag": flag}

    with torch.cuda.simulate(devices=2):
        x = torch.arange(4.0, device="cuda:0")
        out = nn.DataParallel(Nested())((x, [x]), {"x": x}, flag=None)
        assert out["sum"].tolist() == [0.0, 2.0, 4.0, 6.0]
        assert out["named"].tolist() == [0.0, 2.0, 4.0, 6.0]
        assert out["flag"] is None


def test_error_of_a_replica_names_it():
    class Fails(nn.Module):
        def forward(self, x):
            if x.device.index == 1:
                raise ValueError("on the second device")
            return x

    with torch.cuda.simulate(devices=2):
        model = nn.DataParallel(Fails())
        with pytest.raises(ValueError, match=r"^Caught ValueError in replica 1 on dev"):
            model(torch.ones(4, device="cuda:0"))


def test_parameters_elsewhere_are_refused():
    with torch.cuda.simulate(devices=2):
        model = nn.DataParallel(nn.Linear(1, 1))
        with pytest.raises(RuntimeError, match=r"on device cuda:0 \(device_ids\[0\]\)"):
            model(torch.ones(2, 1, device="cuda:0"))


def test_modes_of_the_caller_hold_in_the_replicas():
    with torch.cuda.simulate(devices=2):
        model = nn.DataParallel(nn.Linear(2, 2).to("cuda:0"))
        x = torch.ones(4, 2, device="cuda:0")
        with torch.no_grad():
            assert not model(x).requires_grad
        with torch.autocast("cuda"):
            assert model(x).dtype is torch.float16


def test_results_go_to_the_output_device():
    with torch.cuda.simulate(devices=2):
        model = nn.DataParallel(nn.Linear(2, 2).to("cuda:0"), output_device=1)
        assert model(torch.ones(4, 2, device="cuda:0")).device.index == 1


def test_numbers_of_replicas_are_joined_with_a_warning():
    class Loss(nn.Module):
        def forward(self, x):
            return x.sum()

    with torch.cuda.simulate(devices=2):
        with pytest.warns(UserWarning, match="gather along dimension 0"):
            y = nn.DataParallel(Loss())(torch.ones(4, device="cuda:0"))
        assert y.tolist() == [2.0, 2.0]


def test_without_a_gpu_the_whole_batch_goes_through_the_module():
    torch.manual_seed(1)
    model = nn.DataParallel(nn.Linear(2, 1))
    x = torch.ones(3, 2)
    assert model.device_ids == []
    assert torch.equal(model(x), model.module(x))
    assert list(model.state_dict()) == ["module.weight", "module.bias"]
    assert str(model).startswith("DataParallel(\n  (module): Linear")


def test_function_does_what_the_module_does():
    with torch.cuda.simulate(devices=2):
        net = nn.Linear(2, 1).to("cuda:0")
        x = torch.randn(5, 2, device="cuda:0")
        assert torch.allclose(nn.parallel.data_parallel(net, x), net(x))


def test_phases_are_marked_in_order(seen):
    with torch.cuda.simulate(devices=2):
        model = nn.DataParallel(nn.Linear(2, 1).to("cuda:0"))
        model(torch.ones(4, 2, device="cuda:0")).sum().backward()
    marks = [(r[6], r[7]) for r in seen if r[0] == "mark"]
    names = ["scatter", "replicate", "parallel_apply", "gather", "backward", "reduce"]
    assert marks == [(name, what) for name in names for what in ("begin", "end")]


def test_backward_ends_also_where_no_parameter_needs_a_gradient(seen):
    with torch.cuda.simulate(devices=2):
        frozen = nn.Linear(2, 1).to("cuda:0").requires_grad_(False)
        x = torch.ones(4, 2, device="cuda:0", requires_grad=True)
        nn.DataParallel(frozen)(x).sum().backward()
    marks = [(r[6], r[7]) for r in seen if r[0] == "mark" and r[6] == "backward"]
    assert marks == [("backward", "begin"), ("backward", "end")]
    assert x.grad.shape == (4, 2)
