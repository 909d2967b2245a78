"""Answers to the exercises of chapter 10, as students write them."""

from __future__ import annotations

from tests.course.mutants.answers import edit, right, wrong

NORMS = (
    edit("model.zero_grad()\n    ", "", told="an earlier gradient counts as well"),
    edit("p.dim() > 1 and p.requires_grad", "p.requires_grad", told="one dimension"),
    edit("p.dim() > 1 and p.requires_grad", "p.dim() > 1", told="frozen"),
    edit("p.dim() > 1 and p.requires_grad", "p.dim() == 2 and p.requires_grad",
         told="kernels have four dimensions"),
    edit("p.dim() > 1 and p.requires_grad", "p.grad is not None and p.dim() > 1",
         told="a layer that was not used"),
    edit("0.0 if p.grad is None else p.grad.norm().item()", "p.grad.norm().item()",
         told="raised AttributeError"),
    edit("p.grad.norm().item()", "p.grad.norm().item() ** 2", told="root is missing"),
    edit("p.grad.norm().item()", "p.grad.square().mean().sqrt().item()",
         told="a mean of squares"),
    edit("p.grad.norm().item()", "p.grad.abs().sum().item()",
         told="a sum of absolute values"),
    edit("p.grad.norm().item()", "p.grad.abs().mean().item()",
         told="a mean of absolute values"),
    edit("p.grad.norm().item()", "p.grad.abs().max().item()", told="the largest number"),
    edit("p.grad.norm().item()", "p.grad.mean().item()", told="cancel in a mean"),
    edit("p.grad.norm().item()", "p.grad.sum().item()", told="cancel in a sum"),
    edit("p.grad.norm().item()", "p.norm().item()", told="length of the weight"),
    edit("p.grad.norm().item()", "(p.grad.norm() / p.norm()).item()",
         told="not its share"),
    edit("p.grad.norm().item()", "p.grad", told="one number for each name"),
    edit("0.0 if p.grad is None", "None if p.grad is None",
         told="expects one number for each name"),
    edit("return norms", "print(norms)", told="is a return missing"),
    edit("return norms", "return list(norms.values())", told="expects a dictionary"),
    edit("return norms", "return list(norms.items())", told="expects a dictionary"),
    edit("norms[name]", "norms[name.removesuffix('.weight')]",
         told="named_parameters(), with .weight at the end"),
    edit("loss.backward()", "loss.backward()\n    loss.backward()",
         told="raised RuntimeError"),
    edit("loss.backward()\n", "pass\n", told="is loss.backward() called"),
    wrong('''
def gradient_norms(model, loss):
    model.zero_grad()
    loss.backward()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.step()
    return {
        name: 0.0 if p.grad is None else p.grad.norm().item()
        for name, p in model.named_parameters()
        if p.dim() > 1 and p.requires_grad
    }
''', told="must not change a weight"),
    wrong('''
def gradient_norms(model, loss):
    model.requires_grad_(True)
    model.zero_grad()
    loss.backward()
    return {
        name: 0.0 if p.grad is None else p.grad.norm().item()
        for name, p in model.named_parameters()
        if p.dim() > 1
    }
''', told="the names are not those"),
    wrong('''
def gradient_norms(model, loss):
    names = [n for n, p in model.named_parameters() if p.dim() > 1]
    weights = [p for p in model.parameters() if p.dim() > 1]
    grads = torch.autograd.grad(loss, weights)
    return {n: g.norm().item() for n, g in zip(names, grads)}
''', told="raised RuntimeError"),
    right('''
def gradient_norms(model, loss):
    named = [
        (n, p) for n, p in model.named_parameters() if p.dim() > 1 and p.requires_grad
    ]
    grads = torch.autograd.grad(loss, [p for _, p in named], allow_unused=True)
    return {
        n: 0 if g is None else float((g**2).sum() ** 0.5)
        for (n, _), g in zip(named, grads)
    }
'''),
    right('''
def gradient_norms(model, loss):
    for p in model.parameters():
        p.grad = None
    loss.backward()
    result = dict()
    for name, p in model.named_parameters():
        if len(p.shape) >= 2 and p.requires_grad:
            result[name] = p.grad.norm() if p.grad is not None else torch.tensor(0.0)
    return result
'''),
    right('''
import numpy as np

def gradient_norms(model, loss):
    for p in model.parameters():
        p.grad = torch.zeros_like(p) if p.requires_grad else None
    loss.backward()
    return {
        name: np.linalg.norm(p.grad.numpy().ravel())
        for name, p in model.named_parameters()
        if p.requires_grad and p.ndim > 1
    }
'''),
    right('''
def gradient_norms(model, loss):
    norms, handles = {}, []
    for name, p in model.named_parameters():
        if p.requires_grad and p.dim() > 1:
            norms[name] = 0.0

            def note(g, name=name):
                norms[name] = g.norm().item()

            handles.append(p.register_hook(note))
    loss.backward()
    for handle in handles:
        handle.remove()
    return norms
'''),
    right('''
import math

def gradient_norms(model, loss):
    before = [p.grad for p in model.parameters()]
    model.zero_grad()
    loss.backward()
    norms = {}
    for name, p in sorted(model.named_parameters()):
        if p.dim() < 2 or not p.requires_grad:
            continue
        values = [] if p.grad is None else p.grad.flatten().tolist()
        norms[name] = math.sqrt(sum(v * v for v in values))
    for p, old in zip(model.parameters(), before):
        p.grad = old
    return norms
'''),
)  # fmt: skip

BLOCK_REST = """
    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)))
        y = self.norm2(self.conv2(y))
        return F.relu(y + self.skip(x))
"""
BLOCK = (
    edit("return F.relu(y + self.skip(x))", "return F.relu(y)", told="skip is not added"),
    edit("return F.relu(y + self.skip(x))", "return F.relu(y) + self.skip(x)",
         told="relu comes after the sum, not before it"),
    edit("return F.relu(y + self.skip(x))", "return y + self.skip(x)",
         told="relu is missing after the sum"),
    edit("F.relu(self.norm1(self.conv1(x)))", "self.norm1(self.conv1(x))",
         told="relu is missing between"),
    edit("return F.relu(y + self.skip(x))", "return F.relu(y - self.skip(x))",
         told="subtracted"),
    edit("return F.relu(y + self.skip(x))", "return F.relu(y * self.skip(x))",
         told="not multiplied"),
    edit("return F.relu(y + self.skip(x))", "return F.relu(y + F.relu(self.skip(x)))",
         told="the skip needs none"),
    edit("return F.relu(y + self.skip(x))", "return F.relu(y) + F.relu(self.skip(x))",
         told="both parts go through relu"),
    edit("return F.relu(y + self.skip(x))", "return F.relu(self.skip(x))",
         told="only the skip is left"),
    edit("return F.relu(y + self.skip(x))", "print(F.relu(y + self.skip(x)))",
         told="is a return missing"),
    edit("return F.relu(y + self.skip(x))", "return F.relu(y + x)",
         told="raised RuntimeError"),
    edit("return F.relu(y + self.skip(x))", "return F.relu((y + self.skip(x)).detach())",
         told="no history"),
    edit("return F.relu(y + self.skip(x))", "return F.relu(y + self.skip(x.detach()))",
         told="both paths"),
    edit("super().__init__()", "pass", told="super().__init__() comes first"),
    edit("3, stride, padding=1, bias=False", "3, stride, padding=1", told="bias=False"),
    edit("3, stride, padding=1, bias=False", "3, stride, bias=False", told="padding=1"),
    edit("3, stride, padding=1, bias=False", "3, padding=1, bias=False", told="stride"),
    edit("outputs, outputs, 3, padding=1", "outputs, outputs, 3, stride, padding=1",
         told="only the first convolution and the skip"),
    edit("inputs, outputs, 1, stride, bias=False", "inputs, outputs, 1, bias=False",
         told="stride"),
    edit("inputs, outputs, 1, stride, bias=False",
         "inputs, outputs, 3, stride, padding=1, bias=False",
         told="the shape of the weight"),
    edit("inputs, outputs, 1, stride, bias=False",
         "inputs, outputs, 1, stride, padding=1, bias=False", told="needs no border"),
    edit("inputs, outputs, 1, stride, bias=False", "inputs, outputs, 1, stride",
         told="which batch norm subtracts"),
    edit("stride != 1 or inputs != outputs", "inputs != outputs",
         told="changes the shape even if"),
    edit("stride != 1 or inputs != outputs", "stride != 1", told="0 convolutions"),
    edit("stride != 1 or inputs != outputs", "True", told="changes no shape"),
    edit("self.norm2 = nn.BatchNorm2d(outputs)", "self.norm2 = self.norm1",
         told="one batch norm"),
    edit("self.norm2 = nn.BatchNorm2d(outputs)", "", told="norm2 is not a BatchNorm2d"),
    edit("self.norm1 = nn.BatchNorm2d(outputs)", "self.norm1 = nn.BatchNorm2d(inputs)",
         told="channels"),
    edit("self.norm2(self.conv2(y))", "self.norm1(self.conv2(y))", told=""),
    edit("self.norm2(self.conv2(y))", "self.norm2(self.conv2(self.conv2(y)))", told=""),
    wrong('''
def ResidualBlock(inputs, outputs, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )
''', told="expects a class of modules"),
    wrong('''
class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.skip = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                nn.BatchNorm2d(outputs),
            )
''' + BLOCK_REST, told="raised TypeError"),
    wrong('''
class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.skip = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.skip = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                nn.BatchNorm2d(outputs),
            )

    def forward(self, x):
        y = self.relu(self.norm1(self.conv1(self.relu(x))))
        return self.relu(self.norm2(self.conv2(y)) + self.skip(x))
''', told="must not change its arguments"),
    wrong('''
class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.skip = nn.Conv2d(inputs, outputs, 1, stride, bias=False)
''' + BLOCK_REST, told="one batch norm"),
    wrong('''
class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.skip = nn.AvgPool2d(stride)
''' + BLOCK_REST, told="one 1 × 1 convolution"),
    wrong('''
class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.long = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, padding=1, bias=False),
            nn.BatchNorm2d(outputs),
        )

    def forward(self, x):
        return F.relu(self.long(x) + x)
''', told="conv1 is not a Conv2d"),
    right('''
class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = nn.Sequential()
        if stride > 1 or inputs != outputs:
            self.skip.append(nn.Conv2d(inputs, outputs, 1, stride, bias=False))
            self.skip.append(nn.BatchNorm2d(outputs))
''' + BLOCK_REST),
    right('''
class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(
            inputs, outputs, kernel_size=3, stride=stride, padding="same"
            if stride == 1 else 1, bias=False)
        self.conv1.padding = (1, 1)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = None
        if stride != 1 or inputs != outputs:
            self.skip = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                nn.BatchNorm2d(outputs),
            )

    def forward(self, x):
        shortcut = x if self.skip is None else self.skip(x)
        y = self.norm1(self.conv1(x)).relu()
        return (shortcut + self.norm2(self.conv2(y))).relu()
'''),
    right('''
class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.changes = stride != 1 or inputs != outputs
        if self.changes:
            self.shrink = nn.Conv2d(inputs, outputs, 1, stride, bias=False)
            self.norm3 = nn.BatchNorm2d(outputs)

    def forward(self, x):
        y = self.relu(self.norm1(self.conv1(x)))
        y = self.norm2(self.conv2(y))
        y += self.norm3(self.shrink(x)) if self.changes else x
        return self.relu(y)
'''),
    right('''
class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        def convolution(i, k, s):
            return nn.Conv2d(i, outputs, k, s, padding=k // 2, bias=False)

        self.conv1, self.norm1 = convolution(inputs, 3, stride), nn.BatchNorm2d(outputs)
        self.conv2, self.norm2 = convolution(outputs, 3, 1), nn.BatchNorm2d(outputs)
        same = stride == 1 and inputs == outputs
        self.skip = nn.Identity() if same else nn.Sequential(
            convolution(inputs, 1, stride), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = torch.clamp(self.norm1(self.conv1(x)), min=0)
        return torch.clamp(self.norm2(self.conv2(y)) + self.skip(x), min=0)
'''),
    right('''
class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super(ResidualBlock, self).__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.long = nn.Sequential(
            self.conv1, self.norm1, nn.ReLU(), self.conv2, self.norm2
        )
        if (inputs, stride) == (outputs, 1):
            self.skip = lambda x: x
        else:
            small = nn.Conv2d(inputs, outputs, (1, 1), (stride, stride), bias=False)
            self.skip = nn.Sequential(small, nn.BatchNorm2d(outputs))

    def forward(self, x):
        return F.relu(self.long(x) + self.skip(x))
'''),
)  # fmt: skip

SALIENCY = (
    edit("gradient.abs().amax(dim=0)", "gradient.amax(dim=0)", told="sign does not count"),
    edit("gradient.abs().amax(dim=0)", "gradient.abs().sum(dim=0)", told="a sum over"),
    edit("gradient.abs().amax(dim=0)", "gradient.abs().mean(dim=0)", told="a mean over"),
    edit("gradient.abs().amax(dim=0)", "gradient.sum(dim=0).abs()",
         told="absolute values come first, then the channels"),
    edit("gradient.abs().amax(dim=0)", "gradient.amax(dim=0).abs()",
         told="absolute values come first, then the largest"),
    edit("gradient.abs().amax(dim=0)", "gradient[0].abs()", told="first channel"),
    edit("gradient.abs().amax(dim=0)", "(gradient * x).abs().amax(dim=0).detach()",
         told="not times the image"),
    edit("gradient.abs().amax(dim=0)", "gradient.square().amax(dim=0)",
         told="not squares"),
    edit("gradient.abs().amax(dim=0)",
         "gradient.abs().amax(dim=0) / gradient.abs().max()",
         told="not divided by its largest"),
    edit("gradient.abs().amax(dim=0)", "gradient.abs()", told="a map (h, w)"),
    edit("gradient.abs().amax(dim=0)", "gradient.abs().amax(dim=0, keepdim=True)",
         told="a map (h, w)"),
    edit("gradient.abs().amax(dim=0)", "gradient.abs().max(dim=0)", told=""),
    edit("gradient.abs().amax(dim=0)", "gradient.abs().amax(dim=0).numpy()",
         told="not in a tensor"),
    edit("return gradient", "print(gradient)\n    gradient", told="is a return missing"),
    edit("model(x.unsqueeze(0))[0, label]", "model(x.unsqueeze(0)).softmax(1)[0, label]",
         told="not its probability"),
    edit("model(x.unsqueeze(0))[0, label]",
         "F.cross_entropy(model(x.unsqueeze(0)), torch.tensor([label]))",
         told="not the loss"),
    edit("model(x.unsqueeze(0))[0, label]", "model(x.unsqueeze(0)).max()",
         told="not the largest one"),
    edit("model(x.unsqueeze(0))[0, label]", "model(x.unsqueeze(0)).sum()",
         told="not all scores"),
    edit("model(x.unsqueeze(0))[0, label]", "model(x.unsqueeze(0))[0, 0]",
         told="label is ignored"),
    edit("model(x.unsqueeze(0))[0, label]", "model(x)[label]", told=""),
    edit("model(x.unsqueeze(0))[0, label]", "model(x.unsqueeze(0))[label]",
         told="raised"),
    edit(".requires_grad_()", "", told="raised RuntimeError"),
    edit("image.detach().clone().requires_grad_()", "image.requires_grad_()",
         told="requires_grad_ acts in place"),
    wrong('''
def saliency(model, image, label):
    x = image.detach().clone().requires_grad_()
    model(x.unsqueeze(0))[0, label].backward()
    return x.grad.abs().amax(dim=0)
''', told="adds to every parameter's .grad"),
    wrong('''
def saliency(model, image, label):
    model.zero_grad()
    x = image.detach().clone().requires_grad_()
    model(x.unsqueeze(0))[0, label].backward()
    return x.grad.abs().amax(dim=0)
''', told="deletes them"),
    wrong('''
def saliency(model, image, label):
    for p in model.parameters():
        p.requires_grad_(False)
    x = image.detach().clone().requires_grad_()
    model(x.unsqueeze(0))[0, label].backward()
    return x.grad.abs().amax(dim=0)
''', told="the model was changed"),
    wrong('''
def saliency(model, image, label):
    model.train()
    x = image.detach().clone().requires_grad_()
    (g,) = torch.autograd.grad(model(x.unsqueeze(0))[0, label], x)
    return g.abs().amax(dim=0)
''', told="training mode"),
    wrong('''
def saliency(model, image, label):
    x = image.detach().clone().requires_grad_()
    model.train()
    (g,) = torch.autograd.grad(model(x.unsqueeze(0))[0, label], x)
    model.eval()
    return g.abs().amax(dim=0)
''', told="training mode"),
    wrong('''
def saliency(model, image, label):
    x = image.detach().clone().requires_grad_()
    score = model(x.unsqueeze(0))[0, label]
    (g,) = torch.autograd.grad(score, x, create_graph=True)
    return (g + 0 * x).abs().amax(dim=0)
''', told="whole graph"),
    wrong('''
def saliency(model, image, label):
    x = image.detach().clone().requires_grad_()
    with torch.no_grad():
        score = model(x.unsqueeze(0))[0, label]
    (g,) = torch.autograd.grad(score, x)
    return g.abs().amax(dim=0)
''', told="raised RuntimeError"),
    right('''
def saliency(model, image, label):
    batch = image[None].clone().requires_grad_(True)
    scores = model(batch)
    g = torch.autograd.grad(scores[0][label], batch)[0][0]
    return torch.max(torch.abs(g), dim=0).values
'''),
    right('''
def saliency(model, image, label):
    kept = [p.grad for p in model.parameters()]
    for p in model.parameters():
        p.grad = None
    x = image.detach().clone()
    x.requires_grad = True
    model(x.unsqueeze(0))[:, label].sum().backward()
    for p, g in zip(model.parameters(), kept):
        p.grad = g
    return x.grad.abs().max(0)[0]
'''),
    right('''
import numpy as np

def saliency(model, image, label):
    x = torch.tensor(image.numpy(), requires_grad=True)
    out = model(x.reshape(1, *x.shape))
    g = torch.autograd.grad(out, x, grad_outputs=torch.eye(out.shape[1])[label][None])
    return torch.from_numpy(np.abs(g[0].numpy()).max(axis=0))
'''),
    right('''
def saliency(model, image, label):
    def score(x):
        return model(x.unsqueeze(0))[0, label]

    return torch.func.grad(score)(image).detach().abs().amax(0)
'''),
    right('''
def saliency(model, image, label):
    x = image.clone().requires_grad_()
    score = model(x.unsqueeze(0))[0, label]
    g = torch.autograd.grad(score, x)[0].abs()
    best = g[0].clone()
    for channel in g[1:]:
        best = torch.maximum(best, channel)
    return best
'''),
)  # fmt: skip

OCCLUSION = (
    edit("whole - model(covered.unsqueeze(0))[0, label]",
         "model(covered.unsqueeze(0))[0, label] - whole", told="the wrong way round"),
    edit("whole - model(covered.unsqueeze(0))[0, label]",
         "model(covered.unsqueeze(0))[0, label]", told="the score that is left"),
    edit("whole - model(covered.unsqueeze(0))[0, label]",
         "(whole - model(covered.unsqueeze(0))[0, label]).abs()",
         told="no absolute value"),
    edit("whole - model(covered.unsqueeze(0))[0, label]",
         "max(whole - model(covered.unsqueeze(0))[0, label], 0)", told="keep negative numbers"),
    edit("whole - model(covered.unsqueeze(0))[0, label]",
         "(whole - model(covered.unsqueeze(0))[0, label]) / whole",
         told="not divided"),
    edit("covered = image.clone()", "covered = image", told="in place"),
    edit("covered = image.clone()", "covered = image if i + j else image.clone()",
         told="in place"),
    edit("covered[:, i", "covered[0, i", told="not only the first"),
    edit("= value", "= 0", told="argument value is ignored"),
    edit("= value", "= image.mean()", told=""),
    edit("h - size + 1", "h - size", told="shape"),
    edit("h - size + 1", "h", told="shape"),
    edit("(h - size + 1, w - size + 1)", "(w - size + 1, h - size + 1)", told=""),
    edit("i : i + size, j : j + size", "i : i + size + 1, j : j + size + 1",
         told="one pixel too large"),
    edit("i : i + size, j : j + size", "i, j", told="only one pixel is covered"),
    edit("i : i + size, j : j + size", "j : j + size, i : i + size", told=""),
    edit("[0, label]", ".softmax(1)[0, label]", told="not its probability"),
    edit("[0, label]", ".log_softmax(1)[0, label]", told="logarithmic"),
    edit("[0, label]", ".max()", told="not the largest one"),
    edit("[0, label]", "[0, 0]", told="label is ignored"),
    edit("with torch.no_grad():", "if True:", told="whole graph"),
    edit("return falls", "return falls.numpy()", told="not in a tensor"),
    edit("return falls", "return falls.tolist()", told="not in a tensor"),
    edit("return falls", "print(falls)", told="is a return missing"),
    edit("return falls", "return falls / falls.max()", told=""),
    edit("whole = model(image.unsqueeze(0))", "whole = model(image)", told="raised"),
    edit("model(image.unsqueeze(0))", "model.train()(image.unsqueeze(0))",
         told="training mode"),
    wrong('''
def occlusion(model, image, label, size, value=0.0):
    _, h, w = image.shape
    falls = torch.zeros(h - size + 1, w - size + 1)
    covered = image.clone()
    with torch.no_grad():
        whole = model(image.unsqueeze(0))[0, label]
        for i in range(h - size + 1):
            for j in range(w - size + 1):
                covered[:, i : i + size, j : j + size] = value
                falls[i, j] = whole - model(covered.unsqueeze(0))[0, label]
    return falls
''', told="start with a fresh copy"),
    wrong('''
def occlusion(model, image, label, size, value=0.0):
    _, h, w = image.shape
    rows = range(0, h - size + 1, size)
    columns = range(0, w - size + 1, size)
    falls = torch.zeros(len(rows), len(columns))
    with torch.no_grad():
        whole = model(image.unsqueeze(0))[0, label]
        for a, i in enumerate(rows):
            for b, j in enumerate(columns):
                covered = image.clone()
                covered[:, i : i + size, j : j + size] = value
                falls[a, b] = whole - model(covered.unsqueeze(0))[0, label]
    return falls
''', told="shape"),
    wrong('''
def occlusion(model, image, label, size, value=0.0):
    h, w = image.shape
    return torch.zeros(h - size + 1, w - size + 1)
''', told="raised ValueError"),
    right('''
def occlusion(model, image, label, size, value=0.0):
    rows = image.shape[1] - size + 1
    columns = image.shape[2] - size + 1
    covered = image.repeat(rows * columns, 1, 1, 1)
    for n in range(rows * columns):
        i, j = divmod(n, columns)
        covered[n, :, i : i + size, j : j + size] = value
    with torch.no_grad():
        whole = model(image[None])[0, label]
        return (whole - model(covered)[:, label]).reshape(rows, columns)
'''),
    right('''
@torch.no_grad()
def occlusion(model, image, label, size, value=0.0):
    _, h, w = image.shape
    def score(x):
        return model(x.unsqueeze(0)).flatten()[label]

    falls = []
    for i in range(h - size + 1):
        falls.append([])
        for j in range(w - size + 1):
            mask = torch.zeros(h, w, dtype=torch.bool)
            mask[i : i + size, j : j + size] = True
            falls[-1].append((score(image) - score(image.masked_fill(mask, value))).item())
    return torch.tensor(falls)
'''),
    right('''
def occlusion(model, image, label, size, value=0.0):
    h, w = image.shape[-2:]
    whole = model(image.unsqueeze(0))[0, label].item()
    falls = torch.empty(h + 1 - size, w + 1 - size)
    for i in range(h + 1 - size):
        for j in range(w + 1 - size):
            part = image[:, i : i + size, j : j + size].clone()
            image[:, i : i + size, j : j + size] = value
            falls[i, j] = whole - model(image.unsqueeze(0))[0, label].item()
            image[:, i : i + size, j : j + size] = part
    return falls
'''),
    right('''
import numpy as np

def occlusion(model, image, label, size, value=0.0):
    pixels = image.numpy()
    def score(array):
        with torch.no_grad():
            return float(model(torch.from_numpy(array)[None])[0, label])

    _, h, w = pixels.shape
    falls = np.zeros((h - size + 1, w - size + 1), dtype=np.float32)
    for i, j in np.ndindex(*falls.shape):
        covered = pixels.copy()
        covered[:, i : i + size, j : j + size] = value
        falls[i, j] = score(pixels) - score(covered)
    return torch.from_numpy(falls)
'''),
    right('''
def occlusion(model, image, label, size, value=0.0):
    _, h, w = image.shape
    falls = torch.zeros(h - size + 1, w - size + 1)
    whole = model(image.unsqueeze(0))[0][label]
    for i in range(falls.shape[0]):
        for j in range(falls.shape[1]):
            covered = torch.clone(image)
            covered[..., i : i + size, j : j + size] = value
            falls[i, j] = (whole - model(covered.unsqueeze(0))[0][label]).detach()
    return falls
'''),
)  # fmt: skip

FREEZE = (
    edit("model.requires_grad_(False)\n    ", "", told="nothing was frozen"),
    edit("model.requires_grad_(False)", "model.requires_grad = False",
         told="nothing was frozen"),
    edit("head.requires_grad_(True)\n    ", "", told="the head must be trained"),
    edit("model.requires_grad_(False)\n    head.requires_grad_(True)",
         "head.requires_grad_(True)\n    model.requires_grad_(False)",
         told="after the rest"),
    edit("model.eval()", "pass", told="only eval() stops them"),
    edit("model.eval()", "model.train()", told="only eval() stops them"),
    edit("model.eval()\n    head.train()", "head.train()\n    model.eval()",
         told="after model.eval()"),
    edit("head.train()", "pass", told="the head is trained"),
    edit("head.train()", "head.eval()", told="the head is trained"),
    edit("head.train()", "model.train()", told="only eval() stops them"),
    edit("model.requires_grad_(False)", "model.features.requires_grad_(False)",
         told="layers besides features"),
    edit("head.requires_grad_(True)", "model.head.requires_grad_(True)",
         told="raised AttributeError"),
    edit("model.requires_grad_(False)", "model.zero_grad()", told="nothing was frozen"),
    edit("model.requires_grad_(False)\n    head.requires_grad_(True)",
         "for p in model.parameters():\n"
         "        p.requires_grad = p in list(head.parameters())",
         told="look for id(p) in a set"),
    edit("model.eval()", "model.features.eval()", told="layers besides features"),
    edit("head.requires_grad_(True)", "head.weight.requires_grad_(True)",
         told="the head must be trained"),
    wrong('''
def freeze(model, head):
    for p in model.parameters():
        p.requires_grad = False
    for p in head.parameters():
        p.requires_grad = True
''', told="only eval() stops them"),
    wrong('''
def freeze(model, head):
    for name, p in model.named_parameters():
        p.requires_grad_("head" in name)
    model.eval()
    head.train()
''', told="the head must be trained"),
    wrong('''
def freeze(model, head):
    for p in model.parameters():
        if p.dim() > 1:
            p.requires_grad_(False)
    head.requires_grad_(True)
    model.eval()
    head.train()
''', told="are parameters, too"),
    wrong('''
def freeze(model, head):
    for module in model.modules():
        if isinstance(module, nn.Linear):
            module.requires_grad_(False)
    head.requires_grad_(True)
    model.eval()
    head.train()
''', told="batch norm's weight and bias"),
    wrong('''
def freeze(model, head):
    with torch.no_grad():
        model.eval()
    head.train()
''', told="nothing was frozen"),
    wrong('''
def freeze(model, head):
    model.requires_grad_(False).eval()
    head = nn.Linear(3, 2)
    return model
''', told="the head must be trained"),
    wrong('''
def freeze(model, head):
    model.requires_grad_(False)
    head.requires_grad_(True)
    model.eval()
    head.train()
    for p in head.parameters():
        nn.init.normal_(p)
''', told="freezing must not change any number"),
    right('''
def freeze(model, head):
    model.eval().requires_grad_(False)
    head.train().requires_grad_()
    return model
'''),
    right('''
def freeze(model, head):
    inside = {id(m) for m in head.modules()}
    for module in model.modules():
        module.training = id(module) in inside
    own = {id(p) for p in head.parameters()}
    for p in model.parameters():
        p.requires_grad = id(p) in own
'''),
    right('''
def freeze(model, head):
    for p in model.parameters():
        p.requires_grad_(False)
    for p in head.parameters():
        p.requires_grad_(True)
    model.train(False)
    head.train(True)
'''),
    wrong('''
def freeze(model, head):
    for child in model.children():
        if child is head:
            child.train()
            child.requires_grad_(True)
        elif any(module is head for module in child.modules()):
            freeze(child, head)
        else:
            child.eval()
            child.requires_grad_(False)
''', told="belong to model itself"),
    wrong('''
def freeze(model, head):
    model.train()
    for module in model.modules():
        if not any(module is part for part in head.modules()):
            if not list(module.children()):
                module.eval()
            for p in module.parameters(recurse=False):
                p.requires_grad = False
    for p in head.parameters():
        p.requires_grad = True
''', told="may ask self.training"),
    wrong('''
def freeze(model, head):
    model.requires_grad_(False)
    head.requires_grad_(True)
    model.eval()
    head.train()
    model.training = True
''', told="may ask self.training"),
    wrong('''
def freeze(model, head):
    head.requires_grad_(True)
    model.training = False
    head.training = True
''', told="nothing was frozen"),
    wrong('''
def freeze(model, head):
    model.requires_grad_(False)
    head.requires_grad_(True)
    model.training = False
    head.training = True
''', told="only eval() stops them"),
    wrong('''
def freeze(model, head):
    model.requires_grad_(True)
    head.requires_grad_(False)
    model.eval()
    head.train()
''', told="the other way round"),
    wrong('''
def freeze(model, head):
    for module in model.modules():
        if not list(module.children()):
            module.requires_grad_(False)
            module.eval()
    head.requires_grad_(True)
    head.train()
''', told="belong to model itself"),
    wrong('''
def freeze(model, head):
    for name, p in model.named_parameters():
        p.requires_grad_(name.startswith("head"))
    model.eval()
    head.train()
''', told="need not be called head"),
    right('''
def freeze(model, head):
    for p in model.parameters(recurse=False):
        p.requires_grad_(False)
    model.training = False
    for child in model.children():
        if child is head:
            child.train()
            child.requires_grad_(True)
        elif any(module is head for module in child.modules()):
            freeze(child, head)
        else:
            child.eval()
            child.requires_grad_(False)
'''),
    right('''
def freeze(model, head):
    model.train()
    for module in model.modules():
        if not any(module is part for part in head.modules()):
            module.training = False
            for p in module.parameters(recurse=False):
                p.requires_grad = False
    for p in head.parameters():
        p.requires_grad = True
'''),
)  # fmt: skip

GROUPS = (
    edit('"lr": lr},', '"lr": lr * factor},', told="the head has lr itself"),
    edit('"lr": lr * factor}', '"lr": lr}', told="the rest must be slower"),
    edit('"lr": lr * factor}', '"lr": factor}', told="factor itself"),
    edit('"lr": lr * factor}', '"lr": lr / factor}', told="not lr / factor"),
    edit('"lr": lr * factor}', '"lr": lr * 0.1}', told="factor is ignored"),
    edit("id(p) not in own]", "True]", told="includes the head's"),
    edit("[p for p in trained if id(p) in own]", "list(head.parameters())",
         told="frozen parameters"),
    edit("[p for p in model.parameters() if p.requires_grad]", "list(model.parameters())",
         told="frozen parameters"),
    edit('{"params": [p for p in trained if id(p) not in own], "lr": lr * factor},', "",
         told="the rest is missing"),
    edit('{"params": [p for p in trained if id(p) in own], "lr": lr},', "",
         told="the head is missing"),
    edit("id(p) not in own", "id(p) in own", told="in two groups"),
    edit('"params": [p for p in trained if id(p) in own]',
         '"params": [p for p in trained if id(p) not in own]', told="two groups"),
    edit('"lr": lr}', '"rate": lr}', told="has no 'lr'"),
    edit(', "lr": lr}', "}", told="has no 'lr'"),
    edit('"params"', '"parameters"', told="has no 'params'"),
    edit("return [", "_ = [", told="is a return missing"),
    edit("[p for p in model.parameters() if p.requires_grad]",
         "[p for p in model.parameters() if not p.requires_grad]", told=""),
    edit('"lr": lr},', '"lr": 0.1},', told=""),
    wrong('''
def groups(model, head, lr, factor=0.1):
    own = list(head.parameters())
    rest = [p for p in model.parameters() if p not in own and p.requires_grad]
    own = [p for p in own if p.requires_grad]
    return [{"params": own, "lr": lr}, {"params": rest, "lr": lr * factor}]
''', told="look for id(p)"),
    wrong('''
def groups(model, head, lr, factor=0.1):
    rest = [p for n, p in model.named_parameters()
            if not n.startswith("head") and p.requires_grad]
    own = [p for p in head.parameters() if p.requires_grad]
    return [{"params": own, "lr": lr}, {"params": rest, "lr": lr * factor}]
''', told="includes the head's"),
    wrong('''
def groups(model, head, lr, factor=0.1):
    own = [p for p in head.parameters() if p.requires_grad]
    rest = [p for p in model.features.parameters() if p.requires_grad]
    return [{"params": own, "lr": lr}, {"params": rest, "lr": lr * factor}]
''', told=""),
    wrong('''
def groups(model, head, lr, factor=0.1):
    own = {id(p) for p in head.parameters()}
    found = ([], [])
    for name, p in model.named_parameters():
        if p.requires_grad:
            found[id(p) not in own].append(name)
    return [{"params": found[0], "lr": lr}, {"params": found[1], "lr": lr * factor}]
''', told="not copies or names"),
    wrong('''
def groups(model, head, lr, factor=0.1):
    own = {id(p) for p in head.parameters()}
    trained = [item for item in model.named_parameters() if item[1].requires_grad]
    return [
        {"params": [i for i in trained if id(i[1]) in own], "lr": lr},
        {"params": [i for i in trained if id(i[1]) not in own], "lr": lr * factor},
    ]
''', told="take the second part"),
    wrong('''
def groups(model, head, lr, factor=0.1):
    own = [p.clone() for p in head.parameters() if p.requires_grad]
    rest = [p for p in model.parameters() if p.requires_grad]
    return [{"params": own, "lr": lr}, {"params": rest, "lr": lr * factor}]
''', told="not a parameter of the model"),
    wrong('''
def groups(model, head, lr, factor=0.1):
    model.requires_grad_(True)
    own = {id(p) for p in head.parameters()}
    return [
        {"params": [p for p in model.parameters() if id(p) in own], "lr": lr},
        {"params": [p for p in model.parameters() if id(p) not in own],
         "lr": lr * factor},
    ]
''', told="requires_grad was changed"),
    wrong('''
def groups(model, head, lr, factor=0.1):
    return {"head": head.parameters(), "rest": model.parameters()}
''', told="expects a list of dictionaries"),
    wrong('''
def groups(model, head, lr, factor=0.1):
    own = {id(p) for p in head.parameters()}
    trained = [p for p in model.parameters() if p.requires_grad]
    return [
        {"params": [p for p in trained if id(p) in own], "lr": lr * factor},
        {"params": [p for p in trained if id(p) not in own], "lr": lr},
    ]
''', told="swapped"),
    right('''
def groups(model, head, lr, factor=0.1):
    own = set(map(id, head.parameters()))
    slow = {"params": [], "lr": lr * factor}
    fast = {"params": [], "lr": lr}
    for p in model.parameters():
        if p.requires_grad:
            (fast if id(p) in own else slow)["params"].append(p)
    return [slow, fast]
'''),
    right('''
def groups(model, head, lr, factor=0.1):
    inside = [p for p in head.parameters() if p.requires_grad]
    return [
        {"params": inside, "lr": lr},
        {
            "params": (
                p
                for p in model.parameters()
                if p.requires_grad and not any(p is q for q in inside)
            ),
            "lr": factor * lr,
        },
    ]
'''),
    right('''
def groups(model, head, lr, factor=0.1):
    own = set(head.parameters())
    rest = [p for p in model.parameters() if p not in own and p.requires_grad]
    own = [p for p in own if p.requires_grad]
    return ({"params": own, "lr": lr}, {"params": rest, "lr": lr * factor})
'''),
    right('''
def groups(model, head, lr, factor=0.1):
    own = {id(p) for p in head.parameters()}
    return [
        {"params": [p], "lr": lr if id(p) in own else lr * factor}
        for p in model.parameters()
        if p.requires_grad
    ]
'''),
    right('''
def groups(model, head, lr, factor=0.1):
    prefix = next(name for name, m in model.named_modules() if m is head) + "."
    found = {True: [], False: []}
    for name, p in model.named_parameters():
        if p.requires_grad:
            found[name.startswith(prefix)].append(p)
    fast = {"params": found[True], "lr": lr, "weight_decay": 0.0}
    return [fast] + [{"params": found[False], "lr": lr * factor}]
'''),
)  # fmt: skip

MORE_NORMS = (
    wrong(
        """def gradient_norms(model, loss):
    loss.backward()
    return {n: p.grad.norm().item() for n, p in model.named_parameters() if p.dim() >= 2 and p.grad is not None}
""",
        told="a layer that was not used is listed, too,",
    ),
    wrong(
        """def gradient_norms(model, loss):
    model.zero_grad()
    loss.backward()
    return {n: (0.0 if p.grad is None else p.grad.norm().item()) for n, p in model.named_parameters() if "weight" in n and p.requires_grad}
""",
        told="biases, and batch norm's weights, have one",
    ),
    wrong(
        """def gradient_norms(model, loss):
    model.zero_grad()
    loss.backward()
    return {n: (0.0 if p.grad is None else p.grad.norm().item()) for n, p in model.named_parameters() if p.ndim == 2 and p.requires_grad}
""",
        told="kernels have four dimensions, and count as",
    ),
    wrong(
        """def gradient_norms(model, loss):
    model.zero_grad()
    loss.backward()
    return {n: (0.0 if p.grad is None else p.grad.norm(dim=1)) for n, p in model.named_parameters() if p.ndim >= 2 and p.requires_grad}
""",
        told="norm() turns a gradient into one number;",
    ),
    wrong(
        """def gradient_norms(model, loss):
    model.zero_grad()
    loss.backward()
    return {n: (0.0 if p.grad is None else nn.utils.clip_grad_norm_(p, 1e-3).item()) for n, p in model.named_parameters() if p.ndim >= 2}
""",
        told="a frozen parameter has no gradient: leave",
    ),
    wrong(
        """def gradient_norms(model, loss):
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return {n: (0.0 if p.grad is None else p.grad.norm().item()) for n, p in model.named_parameters() if p.ndim >= 2 and p.requires_grad}
"""
    ),
    wrong(
        """def gradient_norms(model, loss):
    model.zero_grad()
    return {n: 0.0 for n, p in model.named_parameters() if p.ndim >= 2 and p.requires_grad}
""",
        told="all gradients are 0: is loss.backward()",
    ),
    wrong(
        """def gradient_norms(model, loss):
    model.zero_grad()
    loss.backward()
    return {n: round(0.0 if p.grad is None else p.grad.norm().item(), 2) for n, p in model.named_parameters() if p.ndim >= 2 and p.requires_grad}
"""
    ),
    wrong(
        """def gradient_norms(model, loss):
    model.zero_grad()
    loss.backward()
    return {n: None if p.grad is None else p.grad.norm().item() for n, p in model.named_parameters() if p.ndim >= 2 and p.requires_grad}
""",
        told="norm() turns a gradient into one number;",
    ),
    wrong(
        """def gradient_norms(model, loss):
    model.zero_grad()
    loss.backward()
    return {n: 0.0 if p.grad is None else p.grad.norm().log10().item() for n, p in model.named_parameters() if p.ndim >= 2 and p.requires_grad}
"""
    ),
    right(
        """def gradient_norms(model, loss):
    named = {n: p for n, p in model.named_parameters() if p.ndim > 1 and p.requires_grad}
    gs = torch.autograd.grad(loss, list(named.values()), allow_unused=True)
    return {n: 0.0 if g is None else float(g.norm()) for n, g in zip(named, gs)}
"""
    ),
    right(
        """import numpy as np
def gradient_norms(model, loss):
    for p in model.parameters(): p.grad = None
    loss.backward()
    out = {}
    for n, p in model.named_parameters():
        if len(p.shape) >= 2 and p.requires_grad:
            g = np.zeros(1) if p.grad is None else p.grad.numpy()
            out[n] = np.linalg.norm(g.ravel())
    return out
"""
    ),
    right(
        """from collections import OrderedDict
def gradient_norms(model, loss):
    model.zero_grad(set_to_none=False)
    loss.backward()
    out = OrderedDict()
    for n, p in model.named_parameters():
        if p.dim() < 2 or not p.requires_grad: continue
        out[n] = 0 if p.grad is None else (p.grad ** 2).sum().sqrt()
    return out
"""
    ),
    right(
        """def gradient_norms(model, loss):
    old = {n: None if p.grad is None else p.grad.clone() for n, p in model.named_parameters()}
    loss.backward()
    out = {}
    for n, p in model.named_parameters():
        if p.dim() >= 2 and p.requires_grad:
            g = torch.zeros_like(p) if p.grad is None else p.grad if old[n] is None else p.grad - old[n]
            out[n] = g.norm().item()
    return out
"""
    ),
)

MORE_BLOCK = (
    wrong(
        """class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.skip = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))
    def forward(self, x):
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        return F.relu(y + self.skip(x))
""",
        told="the parameters are those of the statement:",
    ),
    wrong(
        """class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = nn.Sequential()
        if stride != 1 or inputs != outputs:
            self.skip = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))
    def forward(self, x):
        s = self.skip(x)
        x = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        s += x
        return F.relu(s)
"""
    ),
    wrong(
        """class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = None
        if stride != 1 and inputs != outputs:
            self.skip = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))
    def forward(self, x):
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        return F.relu(y + (x if self.skip is None else self.skip(x)))
""",
        told="the skip is one 1 × 1 convolution and one",
    ),
    wrong(
        """class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.skip = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))
        self.extra = nn.Linear(3, 3)
    def forward(self, x):
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        return F.relu(y + self.skip(x))
""",
        told="extra.weight gets no gradient",
    ),
    wrong(
        """class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.skip = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))
    def forward(self, x):
        self.train()
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        return F.relu(y + self.skip(x))
"""
    ),
    wrong(
        """class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = []
        if stride != 1 or inputs != outputs:
            self.skip = [nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)]
    def forward(self, x):
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        for layer in self.skip: x = layer(x)
        return F.relu(y + x)
""",
        told="the skip is one 1 × 1 convolution and one",
    ),
    wrong(
        """class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.stride = stride
    def forward(self, x):
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        s = x[:, :, ::self.stride, ::self.stride]
        s = F.pad(s, (0, 0, 0, 0, 0, y.shape[1] - s.shape[1]))
        return F.relu(y + s)
""",
        told="the skip is one 1 × 1 convolution and one",
    ),
    wrong(
        """class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.skip = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.skip = nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False), nn.BatchNorm2d(outputs))
    def forward(self, x):
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        return F.relu(y + self.skip(x))
""",
        told="the shape of the weight: not what it should",
    ),
    right(
        """class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        nn.Module.__init__(self)
        self.conv1 = nn.Conv2d(inputs, outputs, kernel_size=(3, 3), stride=(stride, stride), padding="same" if False else 1, bias=False)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=(1, 1), bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(outputs), nn.BatchNorm2d(outputs)
        self.change = stride > 1 or inputs != outputs
        if self.change:
            self.conv3 = nn.Conv2d(inputs, outputs, 1, stride=stride, bias=False)
            self.norm3 = nn.BatchNorm2d(outputs)
    def forward(self, x):
        out = self.norm1(self.conv1(x)).relu()
        out = self.norm2(self.conv2(out))
        out = out + (self.norm3(self.conv3(x)) if self.change else x)
        return torch.clamp(out, min=0)
"""
    ),
    right(
        """class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super(ResidualBlock, self).__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(num_features=outputs)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        layers = []
        if stride != 1 or inputs != outputs:
            layers += [nn.Conv2d(inputs, outputs, 1, stride=stride, bias=False), nn.BatchNorm2d(outputs)]
        self.shortcut = nn.Sequential(*layers)
    def forward(self, x):
        identity = self.shortcut(x)
        out = self.relu(self.norm1(self.conv1(x)))
        out = self.norm2(self.conv2(out))
        out += identity
        return self.relu(out)
"""
    ),
    right(
        """class Base(nn.Module):
    def forward(self, x):
        return F.relu(torch.add(self.body(x), self.way(x)))
class ResidualBlock(Base):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.same = stride == 1 and inputs == outputs
        if not self.same:
            self.skip = nn.ModuleList([nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)])
    def body(self, x):
        for f in (self.conv1, self.norm1, F.relu, self.conv2, self.norm2): x = f(x)
        return x
    def way(self, x):
        if not self.same:
            for layer in self.skip: x = layer(x)
        return x
"""
    ),
)

MORE_SALIENCY = (
    wrong(
        """def saliency(model, image, label):
    x = image.clone().requires_grad_()
    model(x[None])[0, label].backward()
    return x.grad.abs().max(dim=0).values
""",
        told="backward() adds to every parameter's .grad,",
    ),
    wrong(
        """def saliency(model, image, label):
    image.requires_grad_()
    model(image[None])[0, label].backward()
    out = image.grad.abs().amax(0)
    image.grad = None
    image.requires_grad_(False)
    model.zero_grad()
    return out
""",
        told="backward() adds to every parameter's .grad,",
    ),
    wrong(
        """def saliency(model, image, label):
    x = image.clone().requires_grad_()
    s = model(x[None])[0]
    (g,) = torch.autograd.grad(s[s.argmax()], x)
    return g.abs().amax(0)
""",
        told="the score of label, not the largest one",
    ),
    wrong(
        """def saliency(model, image, label):
    x = image.clone().requires_grad_()
    (g,) = torch.autograd.grad(model(x[None])[0, label], x)
    return g.norm(dim=0)
""",
        told="the largest over the channels, not the",
    ),
    wrong(
        """def saliency(model, image, label):
    x = image.clone().requires_grad_()
    (g,) = torch.autograd.grad(model(x[None])[0, label], x)
    return g.abs().amin(0)
""",
        told="the largest over the channels, not the",
    ),
    wrong(
        """def saliency(model, image, label):
    x = image.clone().requires_grad_()
    (g,) = torch.autograd.grad(model(x[None])[0, label], x, create_graph=True)
    return g.abs().amax(0)
""",
        told="compute inside torch.no_grad(), or detach()",
    ),
    wrong(
        """def saliency(model, image, label):
    x = image.clone().requires_grad_()
    (g,) = torch.autograd.grad(model(x[None])[0, label - 1], x)
    return g.abs().amax(0)
""",
        told="classes count from 0: this is the one",
    ),
    wrong(
        """def saliency(model, image, label):
    out = torch.zeros(image.shape[1:])
    base = model(image[None])[0, label]
    for i in range(image.shape[1]):
        for j in range(image.shape[2]):
            x = image.clone()
            x[:, i, j] += 1e-2
            out[i, j] = ((model(x[None])[0, label] - base) / 1e-2).abs()
    return out.detach()
"""
    ),
    wrong(
        """def saliency(model, image, label):
    x = image.clone().requires_grad_()
    (g,) = torch.autograd.grad(model(x[None])[0, label], x)
    return g.abs().amax(0).T
""",
        told="the last two dimensions are swapped",
    ),
    wrong(
        """def saliency(model, image, label):
    x = image.clone().requires_grad_()
    (g,) = torch.autograd.grad(model(x[None])[0, label], x)
    return g.abs().amax(0).reshape(2, 2)
""",
        told="raised RuntimeError",
    ),
    right(
        """import copy
def saliency(model, image, label):
    m = copy.deepcopy(model)
    x = image.clone().detach().requires_grad_(True)
    m(x.unsqueeze(0))[0][label].backward()
    return x.grad.abs().max(dim=0)[0]
"""
    ),
    right(
        """def saliency(model, image, label):
    batch = image[None].detach().clone()
    batch.requires_grad = True
    g = torch.autograd.grad(model(batch).select(1, label).sum(), batch)[0]
    return torch.maximum(g, -g).squeeze(0).amax(dim=0)
"""
    ),
    right(
        """import numpy as np
def saliency(model, image, label):
    x = image.detach().clone().requires_grad_()
    g = torch.autograd.grad(model(x[None])[0, label], [x])[0].numpy()
    return torch.from_numpy(np.abs(g).max(axis=0))
"""
    ),
    right(
        """def saliency(model, image, label):
    with torch.enable_grad():
        x = image.detach().clone().requires_grad_()
        score = model(x.reshape(1, *x.shape))[0][label]
    g, = torch.autograd.grad(outputs=score, inputs=x)
    best = g[0].abs()
    for c in range(1, len(g)):
        best = torch.maximum(best, g[c].abs())
    return best
"""
    ),
)

MORE_OCCLUSION = (
    wrong(
        """def occlusion(model, image, label, size, value=0.0):
    _, h, w = image.shape
    out = torch.zeros(h // size, w // size)
    with torch.no_grad():
        s = model(image[None])[0, label]
        for i in range(h // size):
            for j in range(w // size):
                x = image.clone()
                x[:, i*size:(i+1)*size, j*size:(j+1)*size] = value
                out[i, j] = s - model(x[None])[0, label]
    return out
""",
        told="the square moves by one pixel, not by its",
    ),
    wrong(
        """def occlusion(model, image, label, size, value=0.0):
    _, h, w = image.shape
    out = torch.zeros(h - size + 1, w - size + 1)
    with torch.no_grad():
        s = model(image[None])[0, label]
        x = image.clone()
        for i in range(h - size + 1):
            for j in range(w - size + 1):
                x[:, i:i+size, j:j+size] = value
                out[i, j] = s - model(x[None])[0, label]
    return out
""",
        told="earlier squares are still covered: start",
    ),
    wrong(
        """def occlusion(model, image, label, size, value=0.0):
    model.train()
    _, h, w = image.shape
    out = torch.zeros(h - size + 1, w - size + 1)
    with torch.no_grad():
        s = model(image[None])[0, label]
        for i in range(h - size + 1):
            for j in range(w - size + 1):
                x = image.clone()
                x[:, i:i+size, j:j+size] = value
                out[i, j] = s - model(x[None])[0, label]
    model.eval()
    return out
""",
        told="the model is in training mode: batch norm",
    ),
    wrong(
        """def occlusion(model, image, label, size, value=0.0):
    _, h, w = image.shape
    out = torch.zeros(h - size + 1, w - size + 1)
    with torch.no_grad():
        s = model(image[None])[0, label]
        for i in range(h - size + 1):
            for j in range(w - size + 1):
                x = image.clone()
                x[:, i:i+size, j:j+size] *= value
                out[i, j] = s - model(x[None])[0, label]
    return out
""",
        told="the square is set to value, not multiplied",
    ),
    wrong(
        """def occlusion(model, image, label, size, value=0.0):
    _, h, w = image.shape
    out = torch.zeros(h, w)
    with torch.no_grad():
        s = model(image[None])[0, label]
        for i in range(h):
            for j in range(w):
                x = image.clone()
                x[:, max(0, i - size//2): i + size//2 + 1, max(0, j - size//2): j + size//2 + 1] = value
                out[i, j] = s - model(x[None])[0, label]
    return out
"""
    ),
    wrong(
        """def occlusion(model, image, label, size, value=0.0):
    _, h, w = image.shape
    n = h - size + 1
    out = torch.zeros(n, n)
    with torch.no_grad():
        s = model(image[None])[0, label]
        for i in range(n):
            for j in range(n):
                x = image.clone()
                x[:, i:i+size, j:j+size] = value
                out[i, j] = s - model(x[None])[0, label]
    return out
"""
    ),
)

MORE_FREEZE = (
    wrong(
        """def freeze(model, head):
    for name, p in model.named_parameters():
        p.requires_grad = name.startswith("head")
    model.eval()
    head.train()
""",
        told="the head must be trained:",
    ),
    wrong(
        """import copy
def freeze(model, head):
    model = copy.deepcopy(model)
    for p in model.parameters(): p.requires_grad_(False)
    model.eval()
    return model
""",
        told="nothing was frozen: requires_grad_(False),",
    ),
    wrong(
        """def freeze(model, head):
    model.requires_grad_(False)
    head.requires_grad_(True)
    for m in model.modules():
        if isinstance(m, nn.BatchNorm1d):
            m.momentum = 0.0
""",
        told="batch norm's statistics are not parameters:",
    ),
    wrong(
        """def freeze(model, head):
    for p in model.parameters():
        p.requires_grad = p in list(head.parameters())
    model.eval(); head.train()
""",
        told="raised RuntimeError",
    ),
    wrong(
        """def freeze(model, head):
    model.requires_grad_(False)
    head.requires_grad_(True)
    head.train()
""",
        told="batch norm's statistics are not parameters:",
    ),
    right(
        """def freeze(model, head):
    own = set(head.parameters())
    for p in model.parameters():
        p.requires_grad = p in own
    inside = set(head.modules())
    for m in model.modules():
        m.training = m in inside
"""
    ),
    right(
        """def freeze(model, head):
    for p in model.parameters(): p.requires_grad_(False)
    for p in head.parameters(): p.requires_grad_(True)
    model.train(False)
    head.train(True)
    return model
"""
    ),
    right(
        """def freeze(model, head):
    model.apply(lambda m: m.eval())
    list(map(lambda p: p.requires_grad_(False), model.parameters()))
    head.apply(lambda m: setattr(m, "training", True))
    list(map(lambda p: p.requires_grad_(True), head.parameters()))
"""
    ),
    right(
        """def freeze(model, head):
    ids = [id(p) for p in head.parameters()]
    for _, p in model.named_parameters():
        p.requires_grad_(id(p) in ids)
    model.eval(); head.train()
"""
    ),
)

MORE_GROUPS = (
    wrong(
        """def groups(model, head, lr, factor=0.1):
    own = [p for n, p in model.named_parameters() if n.startswith('head') and p.requires_grad]
    rest = [p for n, p in model.named_parameters() if not n.startswith('head') and p.requires_grad]
    return [{'params': own, 'lr': lr}, {'params': rest, 'lr': lr * factor}]
""",
        told="the head need not be called head",
    ),
    wrong(
        """def groups(model, head, lr, factor=0.1):
    own = {id(p) for p in head.parameters()}
    t = [p for p in model.parameters() if p.requires_grad]
    return [{'params': [p for p in t if id(p) in own], 'lr': lr}, {'params': [p for p in t if id(p) not in own], 'lr': lr - factor}]
""",
        told="the difference: it is lr · factor, not lr - fact",
    ),
    wrong(
        """def groups(model, head, lr, factor=0.1):
    t = [p for p in model.parameters() if p.requires_grad]
    return [{'params': t[-2:], 'lr': lr}, {'params': t[:-2], 'lr': lr * factor}]
""",
        told="the head need not be the last two parameters",
    ),
    wrong(
        """def groups(model, head, lr, factor=0.1):
    t = [p for p in model.features.parameters() if p.requires_grad]
    return [{'params': [p for p in head.parameters() if p.requires_grad], 'lr': lr}, {'params': t, 'lr': lr * factor}]
""",
        told="another model has other names",
    ),
)

ANSWERS = {
    "10.1": NORMS + MORE_NORMS,
    "10.2": BLOCK + MORE_BLOCK,
    "10.3": SALIENCY + MORE_SALIENCY,
    "10.4": OCCLUSION + MORE_OCCLUSION,
    "10.5": FREEZE + MORE_FREEZE,
    "10.6": GROUPS + MORE_GROUPS,
}
