"""Full backward hooks: gradients at the border of a module."""

from __future__ import annotations

from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


def linear(torch):
    m = torch.nn.Linear(2, 1)
    with torch.no_grad():
        m.weight.fill_(0.5)
        m.bias.fill_(1.0)
    return m


class Log(list):
    """A hook that notes what it is given."""

    def __init__(self, torch, answer=None):
        super().__init__()
        self.answer = answer

    def __call__(self, module, *gradients):
        kept = [[None if v is None else v.clone() for v in g] for g in gradients]
        self.append([type(module).__name__, *kept])
        return None if self.answer is None else self.answer(*gradients)


@programs.add
def what_a_module_with_hooks_gives_or_takes_is_not_changed_in_place(torch):
    m, relu = linear(torch), torch.nn.ReLU(inplace=True)
    split = torch.nn.LSTM(2, 1)
    for module in (m, relu, split):
        module.register_full_backward_hook(lambda *_: None)
    x, y = torch.ones(3, 2, requires_grad=True), m(torch.ones(3, 2))
    y.detach().zero_()
    return [
        attempt(lambda: m(x).mul_(2)), attempt(lambda: m(x)[0].mul_(2)),
        attempt(lambda: relu(x * 1)), attempt(lambda: y.sum().backward()),
        attempt(lambda: split(x)[0].mul_(2)),
        m(x).detach().zero_().tolist(), m(x)._is_view(),
    ]  # fmt: skip


@programs.add
def hooks_give_one_gradient_for_each(torch):
    found = []
    for name in ("full_backward_hook", "full_backward_pre_hook"):
        for answer in (torch.ones(2, 2), 5, (torch.ones(1), None)):
            m, x = linear(torch), torch.ones(2, 2, requires_grad=True)
            hook = Log(torch, lambda *_, answer=answer: answer)
            for _ in range(2):
                getattr(m, f"register_{name}")(hook)
            found += [attempt(lambda m=m, x=x: m(x).sum().backward()), len(hook)]
    return found


@programs.add
def hooks_see_gradients_of_inputs_and_outputs(torch):
    m, x = linear(torch), torch.ones(3, 2, requires_grad=True)
    before, after = Log(torch), Log(torch)
    m.register_full_backward_pre_hook(before)
    m.register_full_backward_hook(after)
    y = m(x)
    (y * 3).sum().backward()
    return [list(before), list(after), x.grad, m.weight.grad, y.grad_fn.name()]


@programs.add
def hooks_change_gradients(torch):
    m, x = linear(torch), torch.ones(3, 2, requires_grad=True)
    m.register_full_backward_pre_hook(Log(torch, lambda g: (g[0] * 2,)))
    m.register_full_backward_hook(Log(torch, lambda gx, g: (gx[0] * 10,)))
    m(x).sum().backward()
    return [x.grad, m.weight.grad]


@programs.add
def hooks_without_inputs_that_need_gradients(torch):
    m, log = linear(torch), Log(torch)
    m.register_full_backward_hook(log)
    told = warned(lambda: m(torch.ones(3, 2)).sum().backward())
    return [list(log), told]


@programs.add
def hooks_with_several_inputs_and_outputs(torch):
    class Two(torch.nn.Module):
        def forward(self, x, k, y):
            return x * k, "text", y * 2, x + y

    m, log = Two(), Log(torch)
    m.register_full_backward_hook(log)
    x = torch.ones(2, requires_grad=True)
    y = torch.ones(2)
    a, _, b, c = m(x, 3, y)
    c.sum().backward()
    return [list(log), x.grad, [t.requires_grad for t in (a, b, c)]]


@programs.add
def hooks_that_return_the_wrong_number_are_refused(torch):
    m, x = linear(torch), torch.ones(3, 2, requires_grad=True)
    handle = m.register_full_backward_hook(lambda *a: (None, None))
    first = attempt(lambda: m(x).sum().backward())
    handle.remove()
    m.register_full_backward_pre_hook(lambda *a: (None, None))
    return [first, attempt(lambda: m(x).sum().backward())]


@programs.add
def hooks_run_from_the_last_module_to_the_first(torch):
    net = torch.nn.Sequential(linear(torch), torch.nn.Tanh(), torch.nn.Sigmoid())
    seen = []
    for m in net.modules():
        m.register_full_backward_hook(lambda m, gx, g: seen.append(type(m).__name__))
    net(torch.ones(1, 2, requires_grad=True)).sum().backward()
    return seen


@programs.add
def hooks_are_silent_without_gradients(torch):
    m, log = linear(torch), Log(torch)
    m.register_full_backward_hook(log)
    with torch.no_grad():
        y = m(torch.ones(1, 2))
    return [len(log), y.requires_grad]


@programs.add
def results_that_are_no_tensors_are_warned_of(torch):
    class Listing(torch.nn.Module):
        def forward(self, x):
            return [x]

    m = Listing()
    m.register_full_backward_hook(Log(torch))
    return warned(lambda: m(torch.ones(1, requires_grad=True))[0])


@programs.add
def hooks_with_second_derivatives(torch):
    m, log = torch.nn.Tanh(), Log(torch)
    m.register_full_backward_hook(log)
    x = torch.ones(2, requires_grad=True)
    (gx,) = torch.autograd.grad(m(x).sum(), x, create_graph=True)
    gx.sum().backward()
    return [gx, x.grad, len(log)]


@programs.add
def hooks_preserve_subclasses(torch):
    class Mine(torch.Tensor):
        pass

    m, seen = linear(torch), []
    m.register_full_backward_hook(Log(torch))
    m.register_forward_hook(lambda m, args, result: seen.append(type(args[0]).__name__))
    y = m(torch.ones(3, 2).as_subclass(Mine).requires_grad_() * 2)
    y.sum().backward()
    return [seen, type(y).__name__, y.grad_fn.name(), m.weight.grad]


test_border = programs.test()
