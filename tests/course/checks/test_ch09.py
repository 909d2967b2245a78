from __future__ import annotations

from math import ceil

import pytest

import edutorch as torch
from edutorch.course import CheckFailed, check
from tests.course.mistakes import each_is_named
from tests.course.solutions import ch09

SOLUTIONS = {
    "09.1": ch09.output_size,
    "09.2": ch09.conv2d_loops,
    "09.3": ch09.conv2d_im2col,
    "09.4": ch09.max_pool_backward,
    "09.5": ch09.batch_norm,
}


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0


def flipped(x, w, stride=1, padding=0):
    return ch09.conv2d_im2col(x, torch.flip(w, (2, 3)), stride, padding)


def averaged(x, w, stride=1, padding=0):
    return ch09.conv2d_im2col(x, w, stride, padding) / w[0].numel()


def unpadded(x, w, stride=1, padding=0):
    return ch09.conv2d_im2col(x, w, stride, 0)


def stride_1(x, w, stride=1, padding=0):
    return ch09.conv2d_im2col(x, w, 1, padding)


def channels_last(x, w, stride=1, padding=0):
    return ch09.conv2d_im2col(x, w, stride, padding).permute(0, 2, 3, 1)


def pooled(choose, add=True):
    """A max_pool_backward that gives each window's gradient as `choose` says."""

    def max_pool_backward(g, x, k, stride):
        gx = torch.zeros(x.shape)
        for i in range(g.shape[2]):
            for j in range(g.shape[3]):
                rows = slice(i * stride, i * stride + k)
                columns = slice(j * stride, j * stride + k)
                share = choose(x[:, :, rows, columns]) * g[:, :, i : i + 1, j : j + 1]
                if add:
                    gx[:, :, rows, columns] += share
                else:
                    old = gx[:, :, rows, columns]
                    gx[:, :, rows, columns] = torch.where(share != 0, share, old)
        return gx

    return max_pool_backward


def first(window):
    flat = window.reshape(*window.shape[:2], -1)
    at = flat.argmax(dim=2, keepdim=True)
    hot = torch.arange(flat.shape[2]) == at
    return hot.float().reshape(window.shape)


def ties(window):
    return (window == window.amax((2, 3), keepdim=True)).float()


def even(window):
    return torch.ones(window.shape) / (window.shape[2] * window.shape[3])


def forgot_g(g, x, k, stride):
    return ch09.max_pool_backward(torch.ones(g.shape), x, k, stride)


def always_batch(x, mean, var, training, momentum=0.1, eps=1e-5):
    y = ch09.batch_norm(x, mean.clone(), var.clone(), True, momentum, eps)
    if training:
        ch09.batch_norm(x, mean, var, True, momentum, eps)
    return y


def always_running(x, mean, var, training, momentum=0.1, eps=1e-5):
    y = ch09.batch_norm(x, mean.clone(), var.clone(), False, momentum, eps)
    ch09.batch_norm(x, mean, var, training, momentum, eps)
    return y


def never_updates(x, mean, var, training, momentum=0.1, eps=1e-5):
    return ch09.batch_norm(x, mean.clone(), var.clone(), training, momentum, eps)


def biased_running(x, mean, var, training, momentum=0.1, eps=1e-5):
    y = never_updates(x, mean, var, training, momentum, eps)
    if training:
        mean.mul_(1 - momentum).add_(momentum * x.mean((0, 2, 3)))
        biased = x.var((0, 2, 3), unbiased=False)
        var.mul_(1 - momentum).add_(momentum * biased)
    return y


def swapped_momentum(x, mean, var, training, momentum=0.1, eps=1e-5):
    return ch09.batch_norm(x, mean, var, training, 1 - momentum, eps)


def updates_in_eval(x, mean, var, training, momentum=0.1, eps=1e-5):
    y = never_updates(x, mean, var, training, momentum, eps)
    ch09.batch_norm(x, mean, var, True, momentum, eps)
    return y


WRONG = [
    ("09.1", lambda n, k, s, p: (n + 2 * p - k) // s, "forgot + 1"),
    ("09.1", lambda n, k, s, p: (n + p - k) // s + 1, "both sides"),
    ("09.1", lambda n, k, s, p: ceil((n + 2 * p - k) / s) + 1, "round down"),
    ("09.1", lambda n, k, s, p: (n + 2 * p - k) / s + 1, "was not rounded"),
    ("09.2", flipped, "flipped"),
    ("09.2", averaged, "that is a mean"),
    ("09.2", unpadded, "padding was ignored"),
    ("09.2", stride_1, "stride was ignored"),
    ("09.2", channels_last, "k is last"),
    ("09.4", pooled(even), "average pooling"),
    ("09.4", pooled(ties), "not all of them"),
    ("09.4", pooled(first, add=False), "= for +="),
    ("09.4", forgot_g, "incoming gradient"),
    ("09.5", always_batch, "RUNNING statistics"),
    ("09.5", always_running, "statistics of the BATCH"),
    ("09.5", never_updates, "update it in place"),
    ("09.5", biased_running, "UNBIASED"),
    ("09.5", swapped_momentum, "share of the NEW"),
    ("09.5", updates_in_eval, "evaluation changes nothing"),
]

test_check_of_a_known_mistake_names_it = each_is_named(WRONG)


def test_check_of_loops_as_im2col_counts_lines():
    with pytest.raises(CheckFailed, match="a larger image takes more steps"):
        check("09.3", ch09.conv2d_loops)
