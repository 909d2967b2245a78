"""Programs for profiles, written once for edutorch and for PyTorch."""

from __future__ import annotations

from .more_profiled import MORE

__all__ = ["PROGRAMS"]


def mlp(torch):
    """A training step of two layers."""
    nn = torch.nn
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = torch.randn(16, 4), torch.randint(0, 2, (16,))

    def step():
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()

    return step


def lenet(torch):
    """Convolutions, pools and a norm."""
    nn = torch.nn
    model = nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(36, 3), nn.LogSoftmax(dim=1),
    )  # fmt: skip
    x, y = torch.randn(2, 1, 8, 8), torch.tensor([0, 2])

    def step():
        nn.functional.nll_loss(model(x), y).backward()

    return step


def lstm(torch):
    """A recurrent layer over a batch of sequences."""
    nn = torch.nn
    layer, head = nn.LSTM(3, 4, batch_first=True), nn.Linear(4, 1)
    x = torch.randn(2, 5, 3)

    def step():
        out, _ = layer(x)
        head(out[:, -1]).sum().backward()

    return step


def transformer(torch):
    """A layer of a transformer by hand: attention, norms, a residual sum."""
    nn = torch.nn
    norm, project, out = nn.LayerNorm(8), nn.Linear(8, 24), nn.Linear(8, 8)
    table = nn.Embedding(11, 8)
    tokens = torch.randint(0, 11, (2, 6))

    def step():
        x = table(tokens)
        q, k, v = project(norm(x)).chunk(3, dim=-1)
        y = nn.functional.scaled_dot_product_attention(q, k, v)
        (x + nn.functional.gelu(out(y))).mean().backward()

    return step


def gan(torch):
    """Two models, two optimizers."""
    nn = torch.nn
    generator, critic = nn.Linear(2, 3), nn.Linear(3, 1)
    of_generator = torch.optim.SGD(generator.parameters(), lr=0.1)
    of_critic = torch.optim.SGD(critic.parameters(), lr=0.1)
    noise, real = torch.randn(4, 2), torch.randn(4, 3)
    loss = nn.BCEWithLogitsLoss()
    ones, zeros = torch.ones(4, 1), torch.zeros(4, 1)

    def step():
        fake = generator(noise)
        total = loss(critic(real), ones) + loss(critic(fake.detach()), zeros)
        of_critic.zero_grad()
        total.backward()
        of_critic.step()
        of_generator.zero_grad()
        loss(critic(fake), ones).backward()
        of_generator.step()

    return step


def loader(torch):
    """Batches of a data set."""
    data = torch.utils.data.TensorDataset(torch.randn(6, 2))
    batches = torch.utils.data.DataLoader(data, batch_size=2)

    def step():
        for (x,) in batches:
            (x * 2).sum()

    return step


def named_blocks(torch):
    """Blocks in blocks, a function that is a block."""
    block = torch.profiler.record_function

    @block("helper")
    def helper(x):
        return torch.exp(x)

    def step():
        x = torch.ones(3)
        with block("outer"):
            y = x.sin()
            with block("inner"):
                helper(y)
            helper(y)

    return step


def arithmetic(torch):
    """Elementwise operations, reductions, views and changes in place."""

    def step():
        x = torch.arange(12.0).reshape(3, 4)
        y = x + 1
        y *= 2
        y.add_(x).mul_(0.5)
        z = (y - x / 3).pow(2).sqrt()
        z.sum(dim=1).max()
        torch.cat([x, y]).t().contiguous()
        z[0, 1:].clone()
        x.unsqueeze(0).squeeze(0).transpose(0, 1).permute(1, 0)
        (x > 3).float().mean()
        torch.stack([x[0], x[1]]).matmul(torch.ones(4, 2))

    return step


def higher_order(torch):
    """A gradient of a gradient."""

    def step():
        x = torch.ones(3, requires_grad=True)
        (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
        g.sum().backward()

    return step


def evaluation(torch):
    """Accuracy without gradients."""
    nn = torch.nn
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Dropout(0.5), nn.Linear(8, 3))
    model.eval()
    x, y = torch.randn(16, 4), torch.randint(0, 3, (16,))

    def step():
        with torch.no_grad():
            scores = torch.softmax(model(x), dim=-1)
            (scores.argmax(dim=1) == y).sum().item()

    return step


def encoder_layer(torch):
    """A training step of the library's transformer layer."""
    nn = torch.nn
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    head = nn.Linear(8, 3)
    x, y = torch.randn(2, 5, 8), torch.randint(0, 3, (2,))

    def step():
        nn.functional.cross_entropy(head(layer(x).mean(1)), y).backward()

    return step


def lstm_cells(torch):
    """A recurrent layer step by step, over a list of inputs."""
    nn = torch.nn
    cell, head = nn.LSTMCell(3, 4), nn.Linear(4, 2)
    x, y = torch.randn(5, 2, 3), torch.randint(0, 2, (2,))

    def step():
        state = torch.zeros(2, 4), torch.zeros(2, 4)
        for part in x:
            state = cell(part, state)
        nn.functional.cross_entropy(head(state[0]), y).backward()

    return step


def optimizers(torch):
    """Steps of four optimizers, with a schedule and clipped gradients."""
    nn, optim = torch.nn, torch.optim
    model = nn.Linear(3, 2)
    parameters = list(model.parameters())
    made = [
        optim.SGD(parameters, lr=0.1, momentum=0.9),
        optim.Adam(parameters),
        optim.AdamW(parameters),
        optim.RMSprop(parameters),
    ]
    schedule = optim.lr_scheduler.StepLR(made[0], 1)
    x = torch.randn(4, 3)

    def step():
        for optimizer in made:
            optimizer.zero_grad()
            model(x).pow(2).mean().backward()
            nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
        schedule.step()

    return step


def nested_blocks(torch):
    """Blocks around the parts of a training step, and in a loop."""
    nn, block = torch.nn, torch.profiler.record_function
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(8, 4)

    def step():
        with block("step"):
            y = x
            with block("forward"):
                for i, layer in enumerate(model):
                    with block(f"layer {i}"):
                        y = layer(y)
                loss = y.pow(2).mean()
            with block("backward"):
                loss.backward()
            with block("update"):
                optimizer.step()
                optimizer.zero_grad()

    return step


def exception(torch):
    """Operations that fail, and what runs after them."""
    block = torch.profiler.record_function

    def step():
        x = torch.ones(2, 3, requires_grad=True)
        try:
            with block("outer"):
                y = x.exp()
                with block("inner"):
                    y.sin()
                    raise KeyError
        except KeyError:
            y.cos()
        try:
            with block("wrong shapes"):
                y @ y
        except RuntimeError:
            y.sum().backward()

    return step


PROGRAMS = {
    f.__name__: f
    for f in (
        mlp, lenet, lstm, transformer, gan, loader, named_blocks, arithmetic,
        higher_order, evaluation, encoder_layer, lstm_cells, optimizers, nested_blocks,
        exception,
    )
} | MORE  # fmt: skip
