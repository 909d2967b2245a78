from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch import nn
from edutorch.course import CheckFailed
from edutorch.course.checks.ch09_batch_norms import grade_batch_norm
from edutorch.nn import functional as F
from tests.course.solutions import ch09


def test_answer_of_the_librarys_numbers_is_right_but_forbidden():
    def batch_norm(x, mean, var, training, momentum=0.1, eps=1e-5):
        return F.batch_norm(x, mean, var, training=training, momentum=momentum, eps=eps)

    with pytest.raises(CheckFailed, match="calls batch_norm, which"):
        grade_batch_norm(batch_norm)


def test_module_of_the_library_is_found_out():
    def batch_norm(x, mean, var, training, momentum=0.1, eps=1e-5):
        module = nn.BatchNorm2d(len(mean), eps, momentum, affine=False, dtype=x.dtype)
        module.running_mean, module.running_var = mean, var
        return module.train(training)(x)

    with pytest.raises(CheckFailed, match="right, but batch_norm was called"):
        grade_batch_norm(batch_norm)


def test_running_statistics_as_a_new_tensor_are_told_apart():
    def batch_norm(x, running_mean, running_var, training, momentum=0.1, eps=1e-5):
        mean = running_mean.clone()
        y = ch09.batch_norm(x, mean, running_var, training, momentum, eps)
        running_mean = mean
        return y

    with pytest.raises(CheckFailed, match="update it in place") as failure:
        grade_batch_norm(batch_norm)
    assert "running_mean after batch_norm(" in failure.value.called


def test_answer_in_double_precision_keeps_its_dtype():
    x = torch.tensor(np.arange(8.0).reshape(2, 1, 2, 2))
    one = torch.ones(1, dtype=torch.float64)
    assert ch09.batch_norm(x, one.clone(), one.clone(), True).dtype == torch.float64
    grade_batch_norm(ch09.batch_norm)
