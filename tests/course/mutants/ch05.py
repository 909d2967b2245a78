"""Answers to the exercises of chapter 5, as students write them."""

from __future__ import annotations

from tests.course.mutants.answers import edit, right, wrong

LINEAR = (
    edit("-bound, bound)\n        self.weight", "0, bound)\n        self.weight",
         told="negative half is missing"),
    edit("bound = 1 / inputs**0.5", "bound = 1 / inputs", told="square root is missing"),
    edit("bound = 1 / inputs**0.5", "bound = 1 / outputs**0.5", told="from the inputs"),
    edit("bound = 1 / inputs**0.5", "bound = 1.0", told="not scaled"),
    edit("bound = 1 / inputs**0.5", "bound = inputs**0.5", told="do not multiply"),
    edit("bound = 1 / inputs**0.5", "bound = (6 / inputs) ** 0.5", told="Kaiming"),
    edit("uniform_(-bound, bound)\n        self.weight",
         "normal_(0, bound)\n        self.weight", told="normal distribution"),
    edit("torch.empty(outputs, inputs)", "torch.empty(inputs, outputs)",
         told="swapped"),
    edit("nn.Parameter(weight)", "weight", told="wrap it"),
    edit("nn.Parameter(weight)", "weight.requires_grad_()", told="wrap it"),
    edit("nn.Parameter(torch.empty(outputs).uniform_(-bound, bound))",
         "torch.empty(outputs).uniform_(-bound, bound)", told="wrap it"),
    edit("super().__init__()", "pass", told="super().__init__() comes first"),
    edit("nn.Parameter(torch.empty(outputs).uniform_(-bound, bound))",
         "nn.Parameter(torch.zeros(outputs))", told="all numbers are equal"),
    edit("if bias:", "if True:", told="argument bias is ignored"),
    edit("self.weight.T", "self.weight.T.detach()", told="weight gets no gradient"),
    edit("y + self.bias", "y + self.bias.data", told="bias gets no gradient"),
    edit("y + self.bias", "y", told="the bias is missing"),
    edit("y + self.bias", "y - self.bias", told="the bias is subtracted"),
    edit("y = x @ self.weight.T", "y = nn.functional.linear(x, self.weight)",
         told="F.linear"),
    edit("x @ self.weight.T", "x @ self.weight", told="not transposed"),
    edit("return y if self.bias is None else y + self.bias",
         "print(y if self.bias is None else y + self.bias)", told="is a return missing"),
    edit("torch.empty(outputs, inputs).uniform_(-bound, bound)",
         "torch.full((outputs, inputs), bound)", told="all numbers are equal"),
    edit("bound = 1 / inputs**0.5", "torch.manual_seed(0); bound = 1 / inputs**0.5",
         told="do not set a seed"),
    wrong('''
class Linear(nn.Linear):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__(inputs, outputs, bias)
''', told="takes over the library's Linear"),
    wrong('''
class Linear(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.inner = nn.Linear(inputs, outputs, bias)
        self.weight, self.bias = self.inner.weight, self.inner.bias

    def forward(self, x):
        return self.inner(x)
''', told="there is nn.Linear inside"),
    wrong('''
def Linear(inputs, outputs, bias=True):
    return nn.Linear(inputs, outputs, bias)
''', told="expects a class of modules"),
    wrong('''
class Linear(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.inputs, self.outputs = inputs, outputs
        self.weight = nn.Parameter(torch.empty(outputs, inputs))
        self.bias = nn.Parameter(torch.empty(outputs)) if bias else None
        self.draw()

    def draw(self):
        b = self.inputs**-0.5
        with torch.no_grad():
            self.weight.uniform_(-b, b)
            if self.bias is not None:
                self.bias.uniform_(-b, b)

    def forward(self, x):
        self.draw()
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias
''', told="forward changed the weight"),
    wrong('''
class Linear(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        b = inputs**-0.5
        self.weight = nn.Parameter(torch.rand(outputs, inputs) * 2 * b - b)
        self.bias = nn.Parameter(torch.rand(outputs) * 2 * b - b) if bias else None

    def forward(self, x):
        with torch.no_grad():
            y = x @ self.weight.T
            return y if self.bias is None else y + self.bias
''', told="no detach, .data or no_grad"),
    wrong('''
class Linear(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        b = inputs**-0.5
        self.weight = nn.Parameter(torch.rand(outputs, inputs) * 2 * b - b)
        self.bias = nn.Parameter(torch.rand(outputs) * 2 * b - b)
        if not bias:
            self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return x @ self.weight.T + self.bias
''', told="argument bias is ignored"),
    wrong('''
class Linear(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        b = inputs**-0.5
        self.weight = nn.Parameter(torch.rand(outputs, inputs) * 2 * b - b)
        self.bias = nn.Parameter(torch.rand(outputs) * 2 * b - b) if bias else 0

    def forward(self, x):
        return x @ self.weight.T + self.bias
''', told="self.bias is not None"),
    wrong('''
class Linear(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        b = inputs**-0.5
        self.weight = nn.Parameter(torch.rand(outputs, inputs) * 2 * b - b)
        self.bias = nn.Parameter(torch.rand(outputs) * 2 * b - b) if bias else None

    def forward(self, x):
        y = torch.zeros(x.shape[0], self.weight.shape[0])
        for i in range(x.shape[0]):
            y[i] = self.weight @ x[i]
        return y if self.bias is None else y + self.bias
''', told="raised"),
    right('''
class Linear(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        b = inputs**-0.5
        self.weight = nn.Parameter((torch.rand(outputs, inputs) * 2 - 1) * b)
        draw = (torch.rand(outputs) * 2 - 1) * b
        self.bias = nn.Parameter(draw) if bias else None

    def forward(self, x):
        y = torch.einsum("...i,oi->...o", x, self.weight)
        if self.bias is not None:
            y = y + self.bias
        return y
'''),
    right('''
class Linear(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))
        nn.init.uniform_(self.weight, -(inputs**-0.5), inputs**-0.5)
        if bias:
            self.bias = nn.Parameter(torch.empty(outputs))
            nn.init.uniform_(self.bias, -(inputs**-0.5), inputs**-0.5)
        else:
            self.register_parameter("bias", None)

    def forward(self, x):
        y = torch.matmul(x, self.weight.transpose(0, 1))
        return y + self.bias if self.bias is not None else y
'''),
    right('''
import numpy as np

class Linear(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super(Linear, self).__init__()
        b = 1 / np.sqrt(inputs)
        w = np.random.uniform(-b, b, (outputs, inputs)).astype(np.float32)
        c = np.random.uniform(-b, b, outputs).astype(np.float32)
        self.weight = nn.Parameter(torch.from_numpy(w))
        self.bias = nn.Parameter(torch.from_numpy(c)) if bias else None

    def forward(self, x):
        total = (x.unsqueeze(-2) * self.weight).sum(dim=-1)
        return total if self.bias is None else total + self.bias
'''),
    right('''
class Linear(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = (1 / inputs) ** 0.5
        uniform = torch.distributions.Uniform(-bound, bound)
        self.weight = nn.Parameter(uniform.sample((outputs, inputs)))
        self.bias = None
        if bias:
            self.bias = nn.Parameter(uniform.sample((outputs,)))

    def forward(self, x):
        result = x @ self.weight.mT
        if self.bias is not None:
            result += self.bias
        return result
'''),
    right('''
class Linear(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.inputs = inputs
        self.weight = nn.Parameter(self.draw(outputs, inputs))
        self.bias = nn.Parameter(self.draw(outputs)) if bias else None

    def draw(self, *shape):
        return torch.rand(*shape).sub(0.5).mul(2 / self.inputs**0.5)

    def forward(self, x):
        flat = x.reshape(-1, self.inputs)
        y = flat.mm(self.weight.t())
        y = y.reshape(*x.shape[:-1], self.weight.shape[0])
        return y if self.bias is None else y + self.bias
'''),
)  # fmt: skip

NAMED = (
    edit('f"{prefix}{name}."', 'f"{prefix}.{name}"', told="does not precede it"),
    wrong('''
def named(module, prefix=""):
    found, queue = [], [("", module)]
    while queue:
        path, first = queue.pop(0)
        for name, parameter in first._parameters.items():
            if parameter is not None:
                found.append((path + name, parameter))
        for name, child in first._modules.items():
            if child is not None:
                queue.append((f"{path}{name}.", child))
    return found
''', told="before the next child"),
    edit("f\"{prefix}{name}.\"", "\"\"", told="pass each child its prefix"),
    edit("prefix + name, parameter", "name, parameter", told="pass each child its prefix"),
    edit("f\"{prefix}{name}.\"", "f\"{name}.\"", told="parents' prefix is lost"),
    edit("f\"{prefix}{name}.\"", "f\"{prefix}{name}\"", told="followed by a dot"),
    edit("f\"{prefix}{name}.\"", "f\"{prefix}.{name}\"", told="the names are not right"),
    edit("if parameter is not None:", "if True:", told="None means that"),
    edit("if parameter is not None:",
         "if parameter is not None and parameter.requires_grad:", told="frozen"),
    edit("if child is not None:", "if True:", told="raised AttributeError"),
    edit("found += named(child, f\"{prefix}{name}.\")",
         "found.append(named(child, f\"{prefix}{name}.\"))", told="not a pair"),
    edit("return found", "print(found)", told="is a return missing"),
    edit("(prefix + name, parameter)", "(prefix + name, parameter.detach())",
         told="the same object"),
    edit("(prefix + name, parameter)", "(prefix + name, parameter.clone())",
         told="the same object"),
    edit("(prefix + name, parameter)", "(parameter, prefix + name)",
         told="not a pair (name, parameter)"),
    edit("(prefix + name, parameter)", "prefix + name", told="not a pair"),
    edit("module._modules.items()", "module.named_children()",
         told="_modules has both"),
    wrong('''
def named(module, prefix=""):
    return list(module.named_parameters())
''', told="named_parameters() was called"),
    wrong('''
def named(module, prefix=""):
    return list(module.state_dict().items())
''', told="state_dict() was called"),
    wrong('''
def named(module, prefix=""):
    return [(prefix + n, p) for n, p in module._parameters.items() if p is not None]
''', told="the children's parameters are missing"),
    wrong('''
def named(module, prefix=""):
    found = [(n, p) for n, p in module._parameters.items() if p is not None]
    for name, child in module._modules.items():
        if child is not None:
            for n, p in child._parameters.items():
                if p is not None:
                    found.append((f"{name}.{n}", p))
    return found
''', told="children have children"),
    wrong('''
def named(module, prefix=""):
    found = []
    for name, child in module._modules.items():
        if child is not None:
            found += named(child, f"{prefix}{name}.")
    for name, p in module._parameters.items():
        if p is not None:
            found.append((prefix + name, p))
    return found
''', told="own parameters come before"),
    wrong('''
def named(module, prefix=""):
    if not module._modules:
        own = module._parameters.items()
        return [(prefix + n, p) for n, p in own if p is not None]
    found = []
    for name, child in module._modules.items():
        if child is not None:
            found += named(child, f"{prefix}{name}.")
    return found
''', told="parameters of its own"),
    wrong('''
def named(module, prefix="", found=[]):
    for name, p in module._parameters.items():
        if p is not None:
            found.append((prefix + name, p))
    for name, child in module._modules.items():
        if child is not None:
            named(child, f"{prefix}{name}.", found)
    return found
''', told="as a default, is made only once"),
    wrong('''
seen = set()

def named(module, prefix=""):
    found = []
    for name, p in module._parameters.items():
        if p is not None and id(p) not in seen:
            seen.add(id(p))
            found.append((prefix + name, p))
    for name, child in module._modules.items():
        if child is not None:
            found += named(child, f"{prefix}{name}.")
    return found
''', told="listed twice"),
    wrong('''
def named(module, prefix=""):
    found = []
    for name, p in module._parameters.items():
        if p is not None:
            found.append((f"{prefix}.{name}", p))
    for name, child in module._modules.items():
        if child is not None:
            found += named(child, f"{prefix}.{name}")
    return found
''', told="does not begin with a dot"),
    wrong('''
def named(module, prefix=""):
    found = []
    for table in (module._parameters, module._buffers):
        for name, p in table.items():
            if p is not None:
                found.append((prefix + name, p))
    for name, child in module._modules.items():
        if child is not None:
            found += named(child, f"{prefix}{name}.")
    return found
''', told="buffers are not parameters"),
    wrong('''
def named(module, prefix=""):
    found = {}
    for name, p in module._parameters.items():
        if p is not None:
            found[prefix + name] = p
    for name, child in module._modules.items():
        if child is not None:
            found.update(named(child, f"{prefix}{name}."))
    return found
''', told="expects a list of pairs"),
    wrong('''
def named(module, prefix=""):
    return named(module, prefix)
''', told="raised RecursionError"),
    wrong('''
def named(module, prefix=""):
    return [
        ("features.0.weight", module.features[0].weight),
        ("scores.bias", module.scores.bias),
    ]
''', told="raised AttributeError"),
    right('''
def named(module, prefix=""):
    for name, p in module._parameters.items():
        if p is not None:
            yield prefix + name, p
    for name, child in module._modules.items():
        if child is not None:
            yield from named(child, prefix + name + ".")
'''),
    right('''
def named(module, prefix=""):
    own = [(prefix + n, p) for n, p in module._parameters.items() if p is not None]
    return sum(
        (named(c, f"{prefix}{n}.") for n, c in module._modules.items() if c), own
    )
'''),
    right('''
def named(module, prefix=""):
    found, waiting = [], [(prefix, module)]
    while waiting:
        path, current = waiting.pop()
        for name, p in current._parameters.items():
            if p is not None:
                found.append((path + name, p))
        for name, child in reversed(current._modules.items()):
            if child is not None:
                waiting.append((path + name + ".", child))
    return found
'''),
    right('''
def named(module, prefix=""):
    def walk(module, path):
        for name, p in module._parameters.items():
            if p is not None:
                found.append([".".join([*path, name]), p])
        for name, child in module._modules.items():
            if child is not None:
                walk(child, [*path, name])

    found = []
    walk(module, [prefix[:-1]] if prefix else [])
    return found
'''),
    right('''
def named(module, prefix=""):
    pairs = ()
    for name in module._parameters:
        if module._parameters[name] is not None:
            pairs += ((prefix + name, module._parameters[name]),)
    for name, child in module._modules.items():
        if child is None:
            continue
        pairs += tuple((f"{prefix}{name}.{n}", p) for n, p in named(child))
    return pairs
'''),
)  # fmt: skip

KAIMING = (
    edit("weight.shape[1]", "weight.shape[0]", told="follows from the outputs"),
    edit("(2 / inputs) ** 0.5", "2 / inputs", told="2 / n is its square"),
    edit("(2 / inputs) ** 0.5", "(1 / inputs) ** 0.5", told="the 2 is missing"),
    edit("(2 / inputs) ** 0.5", "2**0.5 / inputs", told="n belongs under the root"),
    edit("(2 / inputs) ** 0.5", "1 / inputs", told="needs a root"),
    edit("(2 / inputs) ** 0.5", "1.0", told="not scaled"),
    edit("(2 / inputs) ** 0.5", "(2 * inputs) ** 0.5", told="do not multiply"),
    edit("(2 / inputs) ** 0.5", "(2 / sum(module.weight.shape)) ** 0.5", told="Xavier"),
    edit("module.weight.normal_(0, (2 / inputs) ** 0.5)", "module.weight.zero_()",
         told="equal stay equal"),
    edit("module.weight.normal_(0, (2 / inputs) ** 0.5)",
         "module.weight.fill_((2 / inputs) ** 0.5)", told="equal stay equal"),
    edit("normal_(0, (2 / inputs) ** 0.5)",
         "uniform_(-((2 / inputs) ** 0.5), (2 / inputs) ** 0.5)", told="uniform distribution"),
    edit("normal_(0, (2 / inputs) ** 0.5)",
         "uniform_(-((6 / inputs) ** 0.5), (6 / inputs) ** 0.5)", told="not normal"),
    edit("module.bias.zero_()", "pass", told="the numbers it had before"),
    edit("module.bias.zero_()", "module.bias.normal_()", told="the bias is not 0"),
    edit("if module.bias is not None:", "if True:", told="raised AttributeError"),
    edit("return model", "return None", told="the model was not returned"),
    edit("model.modules()", "model.children()", told="deeper in the tree"),
    edit("with torch.no_grad():", "if True:", told="raised RuntimeError"),
    edit("with torch.no_grad():", "torch.manual_seed(0)\n    with torch.no_grad():",
         told="do not set a seed"),
    edit("isinstance(module, nn.Linear)", "hasattr(module, 'weight')",
         told="raised IndexError"),
    edit("module.weight.normal_(0, (2 / inputs) ** 0.5)",
         "nn.init.kaiming_normal_(module.weight)", told="nn.init.kaiming_normal_"),
    edit("module.weight.normal_(0, (2 / inputs) ** 0.5)",
         "module.weight = nn.Parameter("
         "torch.randn(module.weight.shape) * (2 / inputs) ** 0.5)",
         told="is a different object now"),
    edit("module.weight.normal_(0, (2 / inputs) ** 0.5)",
         "module.weight.requires_grad_(False).normal_(0, (2 / inputs) ** 0.5)",
         told="can no longer be trained"),
    wrong('''
def kaiming_(model):
    for p in model.parameters():
        if p.dim() >= 2:
            p.data = torch.randn(p.shape) * (2 / p.shape[1]) ** 0.5
        else:
            p.data = torch.zeros(p.shape)
    return model
''', told="is not in a Linear"),
    wrong('''
def kaiming_(model):
    for module in model.modules():
        if isinstance(module, nn.Linear):
            weight = torch.randn(module.weight.shape) * (2 / module.weight.shape[1])
            bias = torch.zeros(module.weight.shape[0])
    return model
''', told="no weight was changed"),
    wrong('''
def kaiming_(model):
    torch.manual_seed(5)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            n = module.weight.shape[1]
            generator = torch.Generator().manual_seed(0)
            values = torch.randn(module.weight.shape, generator=generator)
            module.weight.data.copy_(values * (2 / n) ** 0.5)
            if module.bias is not None:
                module.bias.data.zero_()
    return model
''', told="two layers got the same numbers"),
    right('''
def kaiming_(model):
    for module in model.modules():
        if isinstance(module, nn.Linear):
            n = module.in_features
            module.weight.data.normal_(0, (2 / n) ** 0.5)
            if module.bias is not None:
                module.bias.data.zero_()
    return model
'''),
    right('''
def kaiming_(model):
    def set_up(module):
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=(2 / module.weight.size(1)) ** 0.5)
            if module.bias is not None:
                nn.init.zeros_(module.bias)

    return model.apply(set_up)
'''),
    right('''
import math

def kaiming_(model):
    if isinstance(model, nn.Linear):
        with torch.no_grad():
            noise = torch.randn_like(model.weight)
            model.weight.copy_(noise * math.sqrt(2 / model.weight.shape[-1]))
            if model.bias is not None:
                model.bias.fill_(0)
    for child in model.children():
        kaiming_(child)
    return model
'''),
    right('''
import numpy as np

@torch.no_grad()
def kaiming_(model):
    for module in model.modules():
        if type(module) is nn.Linear:
            outputs, inputs = module.weight.shape
            values = np.random.normal(0, np.sqrt(2 / inputs), (outputs, inputs))
            module.weight[:] = torch.tensor(values, dtype=module.weight.dtype)
            if module.bias is not None:
                module.bias[:] = 0
    return model
'''),
    right('''
def kaiming_(model):
    layers = [m for m in model.modules() if isinstance(m, nn.Linear)]
    with torch.no_grad():
        for layer in layers:
            inputs = layer.weight.shape[1]
            layer.weight.normal_().mul_(2**0.5).div_(inputs**0.5)
            if layer.bias is not None:
                layer.bias *= 0
    return model
'''),
)  # fmt: skip

COUNT = (
    wrong('''
def count(model):
    different = []
    for _, p in named(model):
        if p.requires_grad and p not in different:
            different.append(p)
    return sum(p.numel() for p in different)
''', told="compare id(p)"),
    edit("{id(p): p for _, p in named(model)}.values()", "[p for _, p in named(model)]",
         told="shared parameters count once"),
    edit(" if p.requires_grad", "", told="frozen parameters do not count"),
    edit("if p.requires_grad", "if not p.requires_grad", told="requires_grad is True"),
    edit("{id(p): p", "{tuple(p.shape): p", told="not one of the same shape"),
    edit("{id(p): p for _, p in named(model)}", "{n: p for n, p in named(model)}",
         told="shared parameters count once"),
    edit("sum(p.numel() for p in different if p.requires_grad)",
         "len([p for p in different if p.requires_grad])", told="not the tensors"),
    edit("p.numel() for", "p.shape[0] for", told="product of all sizes"),
    edit("if p.requires_grad", "if p.requires_grad and p.dim() > 1",
         told="biases and other vectors"),
    wrong('''
def count(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
''', told="parameters() was called"),
    wrong('''
def count(model):
    return sum(p.numel() for _, p in model.named_parameters() if p.requires_grad)
''', told="named_parameters() was called"),
    wrong('''
def count(model):
    return sum(p.numel() for _, p in named(model))
''', told="shared ones count once, frozen ones not at all"),
    wrong('''
def count(model):
    total, seen = 0, []
    for _, p in named(model):
        if p.requires_grad and not any(torch.equal(p, q) for q in seen):
            seen.append(p)
            total += p.numel()
    return total
''', told="not one with equal values"),
    wrong('''
def count(model):
    total, seen = 0, []
    for _, p in named(model):
        if p in seen:
            continue
        seen.append(p)
        total += p.numel()
    return total
''', told="raised"),
    wrong('''
def count(model):
    parameters = [p for _, p in named(model) if p.requires_grad]
    once = [p for p in parameters if sum(q is p for q in parameters) == 1]
    return sum(p.numel() for p in once)
''', told="still counts, once"),
    wrong('''
def count(model):
    different = {id(p): p for p in model._parameters.values() if p is not None}
    return sum(p.numel() for p in different.values() if p.requires_grad)
''', told="the children's parameters are missing"),
    wrong('''
def count(model):
    different = {id(p): p for _, p in named(model)}.values()
    total = sum(p.numel() for p in different if p.requires_grad)
    return total + sum(b.numel() for b in model.buffers())
''', told="buffers are not trained"),
    wrong('''
seen = set()

def count(model):
    total = 0
    for _, p in named(model):
        if p.requires_grad and id(p) not in seen:
            seen.add(id(p))
            total += p.numel()
    return total
''', told="another number the second time"),
    wrong('''
def count(model):
    different = {id(p): p for _, p in named(model)}.values()
    total = 0
    for p in different:
        if p.requires_grad:
            total = p.numel()
    return total
''', told="not one of them"),
    wrong('''
def count(model):
    different = {id(p): p for _, p in named(model)}.values()
    for p in different:
        total = 0
        if p.requires_grad:
            total += p.numel()
        return total
''', told="is a return missing"),
    wrong('''
def count(model):
    different = {id(p): p for _, p in named(model)}.values()
    print(sum(p.numel() for p in different if p.requires_grad))
''', told="is a return missing"),
    wrong('''
def count(model):
    different = {id(p): p for _, p in named(model)}.values()
    return f"{sum(p.numel() for p in different if p.requires_grad)}"
''', told="expects a number"),
    wrong('''
def count(model):
    different = {id(p): p for _, p in named(model)}.values()
    for p in different:
        p.requires_grad_(True)
    return sum(p.numel() for p in different)
''', told="requires_grad was changed"),
    wrong('''
def count(model):
    return 15
''', told="the count is not right"),
    right('''
def count(model):
    total, seen = 0, set()
    for name, p in named(model):
        if p.requires_grad and id(p) not in seen:
            seen.add(id(p))
            total += p.numel()
    return total
'''),
    right('''
def count(model):
    return sum(p.numel() for p in {p for _, p in named(model)} if p.requires_grad)
'''),
    right('''
def count(model):
    found = []
    for _, p in named(model):
        if not any(p is q for q in found):
            found.append(p)
    total = 0
    for p in found:
        size = 1
        for n in p.shape:
            size *= n
        if p.requires_grad:
            total += size
    return total
'''),
    right('''
def count(model):
    seen = {}
    def walk(module):
        for p in module._parameters.values():
            if p is not None and p.requires_grad:
                seen[id(p)] = p.numel()
        for child in module._modules.values():
            if child is not None:
                walk(child)
    walk(model)
    return sum(seen.values())
'''),
    right('''
import numpy as np

def count(model):
    unique = {id(p): np.prod(p.shape) for _, p in named(model) if p.requires_grad}
    return int(sum(unique.values()))
'''),
)  # fmt: skip

WATCH = (
    edit(".detach().clone()", "", told="keeps the whole graph alive"),
    edit(".detach().clone()", ".clone()", told="keeps the whole graph alive"),
    edit(".detach().clone()", ".detach()", told="clone() makes a copy"),
    edit(".detach().clone()", ".detach().clone().numpy()", told="not in a tensor"),
    edit(".detach().clone()", ".detach().clone()\n            return seen[name]",
         told="lost its history"),
    edit(".detach().clone()", ".detach().clone()\n            return output * 2",
         told="a hook that returns nothing changes nothing"),
    edit("output.detach()", "inputs[0].detach()", told="this is the input"),
    edit("return seen, remove", "return seen", told="expects 2 things"),
    edit("return seen, remove", "return remove, seen",
         told="expects a dictionary and a function"),
    edit("return seen, remove", "return seen, remove()",
         told="expects a dictionary and a function"),
    edit("model.named_modules()", "model.named_children()", told="children have"),
    edit("output.detach()", "output.detach_()", told="not detach_()"),
    wrong('''
def watch(model, kind):
    from edutorch.nn.modules.module import register_module_forward_hook

    seen = {}

    def keep(module, inputs, output):
        if isinstance(module, kind):
            names = {m: name for name, m in model.named_modules()}
            seen[names.get(module, "")] = output.detach().clone()

    return seen, register_module_forward_hook(keep).remove
''', told="other models"),
    edit("if isinstance(module, kind):", "if True:", told="the names are not those"),
    edit("            handle.remove()", "            pass", told="it still watches"),
    edit("        for handle in handles:\n            handle.remove()",
         "        for handle in handles[:1]:\n            handle.remove()",
         told="it still watches"),
    edit("        for handle in handles:\n            handle.remove()",
         "        for module in model.modules():\n"
         "            module._forward_hooks.clear()",
         told="a hook that is not yours"),
    edit("        for handle in handles:\n            handle.remove()",
         "        while True:\n            handles.pop().remove()",
         told="raised IndexError"),
    edit("seen[name] = output.detach().clone()",
         "seen.setdefault(name, output.detach().clone())", told="the last output"),
    edit("seen[name] = output.detach().clone()",
         "seen.setdefault(name, []).append(output.detach().clone())",
         told="not a list of them"),
    edit("seen[name] =", "seen[module] =", told="the names are not those"),
    edit("seen[name] =", "seen[name.split('.')[-1]] =", told="the names are not those"),
    edit("isinstance(module, kind)", "type(module).__name__ == kind.__name__",
         told="raised AttributeError"),
    edit("register_forward_hook(keeper(name))",
         "register_forward_hook(keeper(name)(module, None, None))", told="raised"),
    edit("register_forward_hook", "register_forward_pre_hook", told="raised TypeError"),
    wrong('''
def watch(model, kind):
    seen, handles = {}, []
    for name, module in model.named_modules():
        if isinstance(module, kind):
            def keep(module, inputs, output):
                seen[name] = output.detach().clone()
            handles.append(module.register_forward_hook(keep))
    def remove():
        for handle in handles:
            handle.remove()
    return seen, remove
''', told="every hook has the loop's last name"),
    wrong('''
def watch(model, kind):
    seen = {}
    for name, module in model.named_modules():
        if isinstance(module, kind):
            seen[name] = None
    return seen, lambda: None
''', told="no output was stored"),
    wrong('''
seen, handles = {}, []

def watch(model, kind):
    def keeper(name):
        def keep(module, inputs, output):
            seen[name] = output.detach().clone()
        return keep
    for name, module in model.named_modules():
        if isinstance(module, kind):
            handles.append(module.register_forward_hook(keeper(name)))
    def remove():
        for handle in handles:
            handle.remove()
    return seen, remove
''', told="the names are not those"),
    right('''
def watch(model, kind):
    seen, handles = {}, []
    for name, module in model.named_modules():
        if isinstance(module, kind):
            def keep(module, inputs, output, name=name):
                seen[name] = output.detach().clone()
            handles.append(module.register_forward_hook(keep))
    def remove():
        while handles:
            handles.pop().remove()
    return seen, remove
'''),
    right('''
from functools import partial

def watch(model, kind):
    seen = {}

    def keep(name, module, inputs, output):
        seen[name] = output.clone().detach()

    handles = [
        module.register_forward_hook(partial(keep, name))
        for name, module in model.named_modules()
        if isinstance(module, kind)
    ]
    return seen, lambda: [handle.remove() for handle in handles]
'''),
    right('''
def watch(model, kind):
    seen = dict()
    names = {m: n for n, m in model.named_modules() if isinstance(m, kind)}
    def keep(module, inputs, output):
        with torch.no_grad():
            seen[names[module]] = output.clone()
    handles = [module.register_forward_hook(keep) for module in names]
    def remove():
        for handle in handles:
            handle.remove()
    return seen, remove
'''),
    right('''
def watch(model, kind):
    class Keeper:
        def __init__(self, name):
            self.name = name
        def __call__(self, module, inputs, output):
            seen[self.name] = torch.tensor(output.detach().numpy().copy())
    seen, handles = {}, []
    for name, module in model.named_modules():
        if isinstance(module, kind):
            handles.append(module.register_forward_hook(Keeper(name)))
    def remove():
        for handle in handles:
            handle.remove()
        handles.clear()
    return seen, remove
'''),
    right('''
def watch(model, kind):
    seen, handles = {}, []
    def add(module, path):
        if isinstance(module, kind):
            def keep(module, inputs, output):
                seen[path] = output.detach().clone()
            handles.append(module.register_forward_hook(keep))
        for name, child in module.named_children():
            add(child, f"{path}.{name}" if path else name)
    add(model, "")
    def remove():
        for handle in handles:
            handle.remove()
    return [seen, remove]
'''),
)  # fmt: skip

DROPOUT = (
    edit("kept = torch.rand(x.shape) >= self.p",
         "n = round(self.p * x.numel()); "
         "kept = (torch.randperm(x.numel()) >= n).reshape(x.shape)",
         told="each call drops the same count"),
    edit("torch.zeros_like(x)", "torch.zeros(x.shape)", told="the dtype changed"),
    edit("torch.rand(x.shape) >= self.p", "torch.randint(0, 2, x.shape)",
         told="p is ignored"),
    edit("self.p = p", "self.p = 0.5", told="always 0.5"),
    edit("x * kept / (1 - self.p)", "x * kept", told="divided by 1 - p"),
    edit("x * kept / (1 - self.p)", "x * kept * (1 - self.p)", told="do not multiply"),
    edit("x * kept / (1 - self.p)", "x * kept / self.p", told="1 - p that stays"),
    edit(">= self.p", "< self.p", told="not to stay"),
    edit("if not self.training:", "if self.training:", told="eval() to False"),
    edit("if not self.training:", "if False:", told="self.training says"),
    edit("        if not self.training:\n            return x\n",
         "        if not self.training:\n            return x * (1 - self.p)\n",
         told="in evaluation nothing is scaled"),
    edit("        if not self.training:\n            return x\n",
         "        if not self.training:\n            return x / (1 - self.p)\n",
         told="in evaluation nothing is divided"),
    edit("        if self.p == 1:\n            return torch.zeros_like(x)\n", "",
         told="p = 1 needs its own case"),
    edit("torch.rand(x.shape)", "torch.rand(*x.shape[:1], *[1] * (x.dim() - 1))",
         told="row is dropped"),
    edit("torch.rand(x.shape)", "torch.rand(x.shape[-1])", told="column is dropped"),
    edit("torch.rand(x.shape)", "torch.rand(1)", told="with x's shape"),
    edit("torch.rand(x.shape)", "torch.randn(x.shape)", told="rand is uniform"),
    edit("x * kept / (1 - self.p)", "x.mul_(kept).div_(1 - self.p)",
         told="must not change its arguments"),
    edit("x * kept", "x.detach() * kept", told="x gets no gradient"),
    edit("super().__init__()", "pass", told="super().__init__() comes first"),
    edit("p=0.5", "p=0.1", told="default of p"),
    edit("torch.rand(x.shape) >= self.p", "torch.rand(x.shape) >= 0.5",
         told="share of zeros"),
    edit("return x * kept / (1 - self.p)", "print(x * kept / (1 - self.p))",
         told="is a return missing"),
    edit("        self.p = p", "        self.p = nn.Parameter(torch.tensor(p))",
         told="keeps parameters"),
    edit("kept = torch.rand(x.shape) >= self.p",
         "torch.manual_seed(0); kept = torch.rand(x.shape) >= self.p",
         told="do not set a seed"),
    edit("return x * kept / (1 - self.p)",
         "return nn.functional.dropout(x, self.p)", told="F.dropout"),
    wrong('''
class Dropout(nn.Dropout):
    pass
''', told="takes over the library's Dropout"),
    wrong('''
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.p, self.active = p, True

    def train(self, mode=True):
        return super().train(mode)

    def forward(self, x):
        if not self.active or self.p == 1:
            return x * 0 if self.p == 1 else x
        return x * (torch.rand(x.shape) >= self.p) / (1 - self.p)
''', told="self.training says"),
    wrong('''
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.p, self.mask = p, None

    def forward(self, x):
        if not self.training:
            return x
        if self.p == 1:
            return x * 0
        if self.mask is None or self.mask.shape != x.shape:
            self.mask = torch.rand(x.shape) >= self.p
        return x * self.mask / (1 - self.p)
''', told="draw the mask in forward"),
    wrong('''
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        drop = int(self.p * x.shape[-1])
        y = x.clone() / (1 - self.p) if self.p < 1 else x * 0
        for row in y.reshape(-1, x.shape[-1]):
            row[torch.randperm(x.shape[-1])[:drop]] = 0
        return y
''', told="each row drops the same count"),
    wrong('''
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def forward(self, x):
        if self.training:
            self.eval()
            return x * (torch.rand(x.shape) >= self.p) / max(1 - self.p, 1e-9)
        return x
''', told="changed the mode"),
    wrong('''
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        noise = torch.randn(x.shape) * self.p + 1
        return x * noise
''', told="nothing is dropped"),
    right('''
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def forward(self, x):
        if self.training and self.p > 0:
            mask = torch.bernoulli(torch.full(x.shape, 1 - self.p))
            x = x * mask / (1 - self.p) if self.p < 1 else x * mask
        return x
'''),
    right('''
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super(Dropout, self).__init__()
        self.keep = 1 - p

    def forward(self, x):
        if not self.training:
            return x
        factor = 1 / self.keep if self.keep else 0.0
        return torch.where(torch.rand_like(x) < self.keep, x * factor, 0.0)
'''),
    right('''
import numpy as np

class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def forward(self, x):
        if not self.training:
            return x.clone()
        kept = torch.from_numpy(np.random.random(tuple(x.shape)) >= self.p)
        return x.masked_fill(~kept, 0) / (1 - self.p if self.p < 1 else 1)
'''),
    right('''
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.register_buffer("p", torch.tensor(float(p)))

    def forward(self, x):
        if self.training:
            kept = (torch.rand(x.shape) >= self.p).to(x.dtype)
            scale = 1.0 if float(self.p) == 1 else 1 / (1 - float(self.p))
            return x * (kept * scale)
        return x
'''),
    right('''
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def forward(self, x):
        if self.training is False:
            return x
        flat = []
        for value in torch.rand(x.numel()).tolist():
            flat.append(0.0 if value < self.p else 1 / (1 - self.p))
        return x * torch.tensor(flat, dtype=x.dtype).reshape(x.shape)
'''),
)  # fmt: skip

# Second thoughts of learners: causes that no earlier answer needed.
LATER = {
    "05.1": (
        wrong(
            """class Linear(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        b = 1 / inputs**0.5
        self.weight = nn.Parameter(torch.empty(outputs, inputs).uniform_(-b, b))
        self.bias = nn.Parameter(torch.empty(outputs).uniform_(-b, b)) if bias else None

    def forward(self, x):
        return self.weight @ x.T + self.bias
""",
            told="do not broadcast",
        ),
        edit(
            "        self.bias = None\n",
            "",
            told="parameters ['weight'], self.bias does not exist",
        ),
        edit(
            "        self.bias = None\n",
            "",
            told="no line that ran has set self.bias = None",
        ),
        edit(
            "self.weight = nn.Parameter(weight)",
            "weight = nn.Parameter(weight)",
            told="self.weight does not exist; parameters: ['bias']",
        ),
        edit(
            "self.weight = nn.Parameter(weight)",
            "weight = nn.Parameter(weight)",
            told="is self. or a case missing?",
        ),
    ),
    "05.3": (
        wrong(
            """def kaiming_(model):
    for m in model.modules():
        if isinstance(m, nn.Linear):
            m.weight = torch.randn(m.weight.shape) * (2 / m.in_features) ** 0.5
            if m.bias is not None:
                m.bias.zero_()
    return model
""",
            told="set an nn.Parameter",
        ),
        wrong(
            """def kaiming_(model):
    with torch.no_grad():
        for layer in model:
            if isinstance(layer, nn.Linear):
                layer.weight.normal_(0, (2 / layer.weight.shape[1]) ** 0.5)
                if layer.bias is not None:
                    layer.bias.zero_()
    return model
""",
            told="model.modules() has all layers",
        ),
        wrong(
            """def kaiming_(model):
    with torch.no_grad():
        for name, p in model.named_parameters():
            if name.endswith("weight"):
                p.normal_(0, (2 / p.shape[1]) ** 0.5)
            else:
                p.zero_()
    return model
""",
            told="other layers' weights, may have one size",
        ),
        wrong(
            """def kaiming_(model):
    with torch.no_grad():
        for p in model.parameters():
            p.normal_(0, (2 / p.size(1)) ** 0.5)
    return model
""",
            told="other layers' weights, may have one size",
        ),
    ),
    "05.4": (
        wrong(
            """def named(module, prefix=""):
    raise NotImplementedError("your turn")


def count(model):
    different = {id(p): p for _, p in named(model) if p.requires_grad}
    return sum(p.numel() for p in different.values())
""",
            told="calls named, which is not written yet: see 05.2",
        ),
    ),
    "05.5": (
        wrong(
            """def watch(model, kind):
    seen, handles = {}, []
    for name, m in model.named_modules():
        if isinstance(m, kind):
            def hook(m, i, o, name=name):
                seen[name] = o.detach().clone()
            handle = m.register_forward_hook(hook)
    def remove():
        handle.remove()
    return seen, remove
""",
            told="keep them all in a list",
        ),
        edit(
            "seen[name] =",
            "seen[module.name] =",
            told="named_modules() gives each module with its name",
        ),
    ),
}

ANSWERS = {
    "05.1": LINEAR + LATER["05.1"],
    "05.2": NAMED,
    "05.3": KAIMING + LATER["05.3"],
    "05.4": COUNT + LATER["05.4"],
    "05.5": WATCH + LATER["05.5"],
    "05.6": DROPOUT,
}
