"""Small trainings that the views are tried on: a step of each, without data."""

from __future__ import annotations

import edutorch as torch
from edutorch import nn

__all__ = ["TRAININGS", "Gan", "Training"]


class Training:
    """A model, its loss and its optimizer; `step()` trains once."""

    def __init__(self, model, loss, lr=0.01):
        self.model = model
        self.loss = loss
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def forward(self):
        """The loss of one batch."""
        return self.loss(self.model)

    def step(self):
        """Forward, backward and update."""
        self.optimizer.zero_grad()
        loss = self.forward()
        loss.backward()
        self.optimizer.step()


class Gan:
    """Two models with an optimizer each, of which one uses what the other made."""

    def __init__(self):
        self.generator = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 3))
        self.critic = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
        self.loss = nn.BCEWithLogitsLoss()
        self.of_critic = torch.optim.Adam(self.critic.parameters())
        self.of_generator = torch.optim.Adam(self.generator.parameters())

    def step(self):
        """The critic learns, then the generator."""
        fake = self.generator(torch.randn(4, 2))
        real = self.loss(self.critic(torch.randn(4, 3)), torch.ones(4, 1))
        loss = real + self.loss(self.critic(fake.detach()), torch.zeros(4, 1))
        self.of_critic.zero_grad()
        loss.backward()
        self.of_critic.step()
        self.of_generator.zero_grad()
        self.loss(self.critic(fake), torch.ones(4, 1)).backward()
        self.of_generator.step()


class Recurrent(nn.Module):
    """An LSTM over 20 steps, one at a time."""

    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(3, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        """Scores after the last step."""
        state = None
        for part in x.unbind(0):
            state = self.cell(part, state)
        return self.head(state[0])


class Language(nn.Module):
    """Tokens to scores of the next token, by two layers of a transformer."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(11, 8)
        layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(8, 11)

    def forward(self, tokens):
        """Scores for each place."""
        return self.head(self.layers(self.table(tokens)))


def mlp():
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    return Training(model, lambda m: (m(torch.randn(5, 4)) ** 2).mean())


def cnn():
    parts = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2)
    model = nn.Sequential(*parts, nn.Flatten(), nn.Linear(4 * 9, 3))
    return Training(model, lambda m: _classified(m(torch.randn(2, 1, 8, 8)), 3))


def lstm():
    return Training(Recurrent(), lambda m: _classified(m(torch.randn(20, 2, 3)), 2))


def transformer():
    def loss(model):
        tokens = torch.randint(0, 11, (2, 6))
        scores = model(tokens).reshape(-1, 11)
        return nn.functional.cross_entropy(scores, tokens.reshape(-1))

    return Training(Language(), loss)


def _classified(scores, classes):
    labels = torch.randint(0, classes, (scores.shape[0],))
    return nn.functional.cross_entropy(scores, labels)


TRAININGS = {
    "mlp": mlp,
    "cnn": cnn,
    "lstm": lstm,
    "transformer": transformer,
    "gan": Gan,
}
