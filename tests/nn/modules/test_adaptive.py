"""A softmax over many classes in clusters."""

from __future__ import annotations

from tests.nn.modules.layers import numbers, refused
from tests.programs import Programs, attempt

programs = Programs(__file__)

REFUSED = (
    ("nn.AdaptiveLogSoftmaxWithLoss(8, 10, [])",),
    ("nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3, 2])",),
    ("nn.AdaptiveLogSoftmaxWithLoss(8, 10, [0, 2])",),
    ("nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3, 10])",),
    ("nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3, 3])",),
)


def made(torch, **settings):
    torch.manual_seed(1)
    return torch.nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3, 6], 2.0, **settings)


@programs.add
def losses_and_gradients(torch):
    m, x = made(torch, head_bias=True), numbers(torch, 5, 8).requires_grad_()
    output, loss = m(x, torch.tensor([0, 9, 4, 2, 5]))
    loss.backward()
    return [repr(m), output, loss, x.grad, *(p.grad for p in m.parameters())]


@programs.add
def a_single_sample_and_one_cluster(torch):
    m, x = made(torch), numbers(torch, 3, 8)
    single = m(x[0], torch.tensor(7))
    return [*single, *m(x, torch.tensor([1, 1, 0])), type(single).__name__]


@programs.add
def log_probabilities_and_predictions(torch):
    m, x = made(torch), numbers(torch, 6, 8) * 3
    return [m.log_prob(x), m.predict(x), m.predict(x[:1])]


@programs.add
def wrong_settings_and_targets_are_refused(torch):
    m, x = made(torch), numbers(torch, 3, 8)
    targets = [[0, 1, 10], [0, -1, 2], [0, 1], [[0, 1, 2]], 1]
    return [refused(torch, REFUSED)] + [
        attempt(lambda t=t: m(x, torch.tensor(t))) for t in targets
    ]


test_adaptive = programs.test()
