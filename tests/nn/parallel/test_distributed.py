"""Replicas in 2 and 4 processes, compared with one process and PyTorch's gloo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import edutorch as torch
from edutorch import nn
from edutorch.nn import functional as F
from tests.distributed.launching import by_hand, needs_mpi, results, run
from tests.nn.parallel.train_chapter import at_once, chapter, train

pytestmark = needs_mpi
PROGRAM = Path(__file__).with_name("train_replicas.py")
CHAPTER = Path(__file__).with_name("train_chapter.py")


@pytest.fixture(scope="module", params=[2, 4], ids=lambda size: f"{size} ranks")
def trained(request, tmp_path_factory):
    """What each rank found."""
    folder = tmp_path_factory.mktemp("replicas")
    done = run(
        "--nproc-per-node", request.param, PROGRAM, "edutorch", folder, limit=240
    )
    assert done.returncode == 0, done.stderr
    return results(folder, "edutorch", request.param)


@pytest.fixture(scope="module")
def of_gloo(tmp_path_factory):
    """What PyTorch's ranks find."""
    pytest.importorskip("torch", reason="needs PyTorch (torch)")
    folder = tmp_path_factory.mktemp("gloo")
    by_hand(2, PROGRAM, "torch", folder, limit=240)
    return results(folder, "torch", 2)


def values(shape, seed=0):
    """The numbers of `train_replicas.py`."""
    x = np.arange(np.prod(shape)) * 0.37 + seed * 1.7
    return torch.tensor(np.sin(x * x).astype(np.float32).reshape(shape))


def filled(module):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_(values(tuple(p.shape), i) * 0.4)
    return module


def one_process(steps=5):
    """Losses and last gradients of the whole batches on one device."""
    model = filled(
        nn.Sequential(
            nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(4, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(32, 10),
        )
    )  # fmt: skip
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for step in range(steps):
        x, y = values((8, 1, 8, 8), step + 10), (torch.arange(8) * 7 + step) % 10
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, [p.grad.flatten().tolist() for p in model.parameters()]


@pytest.mark.parametrize(
    "option",
    ["plain", "small_buckets", "views_of_buckets", "static_graph",
     "search_of_unused"],
)  # fmt: skip
def test_training_prints_the_losses_of_one_process(trained, option):
    losses, gradients = one_process()
    for rank in trained:
        assert np.allclose(rank[option][0], losses, rtol=0, atol=1e-5)
        for mine, whole in zip(rank[option][1], gradients, strict=True):
            assert np.allclose(mine, whole, rtol=1e-5, atol=1e-6)
    assert all(rank[option] == trained[0][option] for rank in trained)


def test_training_on_simulated_gpus_prints_the_losses_of_one_device(trained):
    losses, gradients = one_process()
    for i, rank in enumerate(trained):
        found, theirs, places = rank["simulated_gpus"]
        assert np.allclose(found, losses, rtol=0, atol=1e-5)
        for mine, whole in zip(theirs, gradients, strict=True):
            assert np.allclose(mine, whole, rtol=1e-5, atol=1e-6)
        assert places == [f"cuda:{i}"]


@pytest.mark.parametrize("size", [2, 4])
def test_network_of_chapter_9_prints_the_losses_of_one_process(tmp_path, size):
    names = chapter()
    losses = train(names, names["model"], at_once)
    done = run("--nproc-per-node", size, CHAPTER, tmp_path, limit=240)
    assert done.returncode == 0, done.stderr
    for rank in results(tmp_path, "edutorch", size):
        assert rank == pytest.approx(losses, rel=0, abs=1e-8)


def differences(mine, reference, path=""):
    """Where two results differ by more than rounding."""
    if isinstance(reference, dict):
        assert mine.keys() == reference.keys(), path
        return [d for k in reference
                for d in differences(mine[k], reference[k], f"{path} {k}")]  # fmt: skip
    if isinstance(reference, list) and isinstance(mine, list):
        assert len(mine) == len(reference), path
        pairs = zip(mine, reference, strict=True)
        return [d for i, p in enumerate(pairs)
                for d in differences(*p, f"{path} {i}")]  # fmt: skip
    if isinstance(reference, float):
        same = np.isclose(mine, reference, rtol=1e-5, atol=5e-6)
    else:
        same = mine == reference
    return [] if same else [f"{path}: {mine} is not {reference}"]


@pytest.mark.parametrize("trained", [2], indirect=True)
def test_all_options_give_the_results_of_gloo(trained, of_gloo):
    for mine, reference in zip(trained, of_gloo, strict=True):
        # PyTorch has these on GPUs only.
        mine = {**mine, "common_statistics": None, "simulated_gpus": None}
        assert differences(mine, reference) == []


def test_unused_parameters_end_in_an_error_that_names_them(trained):
    for rank in trained:
        kind, first = rank["unused_parameters"]
        assert kind == "RuntimeError"
        assert first.startswith("Expected to have finished reduction in the prior")


def test_unused_parameters_that_are_searched_get_the_others_average(trained):
    share = (len(trained) - 1) / len(trained)
    for rank in trained:
        a, a_bias, b, b_bias, c, c_bias = rank["unused_in_one_rank"]
        assert np.allclose(a_bias, [2 * 2 * share] * 2)  # in all ranks but one; twice
        assert np.allclose(b_bias, [2 * 2 * (1 - share)] * 2)
        assert c is c_bias is None
        assert a != b


def test_no_sync_adds_up_in_one_process(trained):
    local = [rank["no_sync"][0] for rank in trained]
    for i, (weight, bias) in enumerate(local):
        column = values((2, 3), i).numpy().sum(0)
        assert np.allclose(weight, [*column, *column], atol=1e-6)
        assert bias == [2, 2]
    assert all(rank["no_sync"][1] == trained[0]["no_sync"][1] for rank in trained)


def test_hook_of_float16_rounds_what_is_sent(trained):
    size = len(trained)
    for rank in trained:
        exact, rounded = rank["hooks_of_communication"].values()
        assert np.allclose(exact[0], rounded[0], rtol=2e-3, atol=2e-3)
        assert exact[0] != rounded[0]
        halves = np.array(rounded[0], np.float16).astype(np.float32)
        assert size == 4 or np.array_equal(halves, np.float32(rounded[0]))


def test_uneven_inputs_end_with_equal_models(trained):
    for initially in (0, 1):
        models = [rank["uneven_inputs"][initially] for rank in trained]
        assert all(model == models[0] for model in models)
    assert trained[0]["uneven_inputs"][0] != trained[0]["uneven_inputs"][1]


def test_buffers_are_those_of_the_first_process(trained):
    means = [rank["broadcast_of_buffers"][1] for rank in trained]
    assert all(mean == means[0] for mean in means)
    assert trained[0]["broadcast_of_buffers"][0] == means[0]
    assert trained[1]["broadcast_of_buffers"][0] != means[0]


def test_names_of_the_state_begin_with_module(trained):
    assert all(name.startswith("module.") for name in trained[0]["names_of_state"])


def test_one_process_alone_is_refused_without_a_group():
    with pytest.raises(ValueError, match="Default process group has not been init"):
        nn.parallel.DistributedDataParallel(nn.Linear(1, 1))


def test_spread_optimizer_takes_the_steps_of_the_plain_one(trained):
    for rank in trained:
        plain, spread, *_ = rank["spread_optimizer"]
        assert spread == plain
    assert sum(rank["spread_optimizer"][2] for rank in trained) == 2
    assert trained[0]["spread_optimizer"][3] is None
    assert sorted(trained[0]["spread_optimizer"][4]) == ["0", "1"]
    assert trained[1]["spread_optimizer"][3][0] == "RuntimeError"


def test_uneven_inputs_of_a_spread_optimizer_end_with_equal_models(trained):
    models = [rank["uneven_inputs_of_a_spread_optimizer"] for rank in trained]
    assert all(model == models[0] for model in models)


def test_common_statistics_are_those_of_the_whole_batch(trained):
    size = len(trained)
    norm = filled(nn.BatchNorm2d(3))
    x = values((2 * size + 1, 3, 2, 2)).requires_grad_()
    y = norm(x)
    (y * values((2 * size + 1, 3, 2, 2), 3)).sum().backward()
    parts = [rank["common_statistics"] for rank in trained]
    whole = np.concatenate([part[0] for part in parts])
    gradient = np.concatenate([part[1] for part in parts])
    assert np.allclose(whole, y.detach().numpy(), atol=1e-5)
    assert np.allclose(gradient, x.grad.numpy(), atol=1e-5)
    for _, _, weight, _, _ in parts:  # DDP averages what each process has
        assert np.allclose(weight, norm.weight.grad.numpy() / size, atol=1e-5)
    for _, _, _, mean, var in parts:
        assert np.allclose(mean, norm.running_mean, atol=1e-6)
        assert np.allclose(var, norm.running_var, atol=1e-6)


def test_shares_of_data_come_from_the_group(trained):
    size = len(trained)
    for i, rank in enumerate(trained):
        expected = [*range(7), *range(7)][: -(-7 // size) * size][i::size]
        assert rank["shares_of_data"] == expected
