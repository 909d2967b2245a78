"""The running statistics that batch and instance normalisation share."""

import edutorch as torch
from edutorch import nn


def test_count_batch_in_training_gives_the_share_of_a_batch():
    norm = nn.BatchNorm1d(2)
    assert norm._count_batch() == 0.1
    assert norm.num_batches_tracked.item() == 1
    norm.eval()
    assert norm._count_batch() == 0.1
    assert norm.num_batches_tracked.item() == 1


def test_count_batch_without_momentum_gives_the_mean_of_all_batches():
    norm = nn.BatchNorm1d(2, momentum=None)
    assert [norm._count_batch() for _ in range(3)] == [1, 1 / 2, 1 / 3]
    assert norm.eval()._count_batch() == 0


def test_running_statistics_where_none_are_tracked_are_left_out_of_training():
    norm = nn.BatchNorm1d(2)
    assert norm._running_statistics() == (norm.running_mean, norm.running_var)
    norm.track_running_stats = False
    assert norm._running_statistics() == (None, None)
    assert norm.eval()._running_statistics()[0] is norm.running_mean


def test_extra_repr_names_the_settings():
    assert "momentum=0.1, affine=True" in nn.InstanceNorm2d(3, affine=True).extra_repr()
    assert torch.nn.BatchNorm2d(3).extra_repr().startswith("3, eps=1e-05")
