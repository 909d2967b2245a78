"""Chapter 8: answers as learners write them."""

from __future__ import annotations

from tests.course.mutants.answers import edit, right, wrong

__all__ = ["ANSWERS"]

PART = (
    edit("len(self.indices)", "len(self.dataset)", told="the whole data set"),
    edit("len(self.indices)", "len(self.indices) - 1", told="len(Part("),
    edit("return len(self.indices)", "len(self.indices)", told="interpreted"),
    edit("self.indices[i]]", "i]", told="indices were ignored"),
    edit(
        "self.dataset, self.indices, self.transform = dataset, indices, transform",
        "self.dataset, self.indices = dataset, sorted(indices)\n"
        "        self.transform = transform",
        told="the indices were sorted",
    ),
    edit("self.indices[i]]", "self.indices[0]]", told="every sample is the same one"),
    edit(
        "self.indices[i]]",
        "self.indices[i % len(self.indices)]]",
        told="let the IndexError",
    ),
    edit("x = self.transform(x)", "self.transform(x)", told="result of transform"),
    edit(
        "        if self.transform is not None:\n            x = self.transform(x)\n",
        "",
        told="transform was not called",
    ),
    edit(
        "        if self.transform is not None:\n            x = self.transform(x)\n",
        "        x = self.transform(x)\n",
        told="then x stays as it is",
    ),
    edit(
        "x = self.transform(x)",
        "x, y = self.transform((x, y))",
        told="x alone, neither",
    ),
    edit(
        "x = self.transform(x)",
        "x, y = self.transform(x), self.transform(y)",
        told="x alone, neither",
    ),
    edit(
        "x = self.transform(x)",
        "x = self.transform(self.transform(x))",
        told="called 2 times",
    ),
    edit("return x, y", "return x", told="pair (x, y)"),
    edit("return x, y", "pass", told="return missing"),
    edit("return x, y", "return y, x", told="its x"),
    edit("return x, y", "return x, i", told="its y"),
    edit(
        "x, y = self.dataset[self.indices[i]]",
        "x, y = self.dataset[i]",
        told="indices were ignored",
    ),
    wrong(
        """class Part(Dataset):
    def __init__(self, dataset, indices, transform=None):
        self.samples = []
        for i in indices:
            x, y = dataset[i]
            self.samples.append((transform(x) if transform else x, y))

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        return self.samples[i]
""",
        told="the work is done in __getitem__",
    ),
    wrong(
        """class Part(Dataset):
    def __init__(self, dataset, indices, transform=None):
        self.dataset, self.indices, self.transform = dataset, indices, transform
        self.cache = {}

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, i):
        if i not in self.cache:
            x, y = self.dataset[self.indices[i]]
            self.cache[i] = (self.transform(x) if self.transform else x), y
        return self.cache[i]
""",
        told="keep nothing",
    ),
    wrong(
        """class Part(Dataset):
    def __init__(self, dataset, indices, transform=None):
        self.dataset, self.indices, self.transform = dataset, indices, transform

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, i):
        x, y = self.dataset[self.indices[i]]
        if self.transform is not None:
            x *= 2
        return x, y
""",
        told="transform was not called",
    ),
    wrong(
        """class Part(Dataset):
    def __init__(dataset, indices, transform=None):
        pass
""",
        told="takes from",
    ),
    wrong(
        """class Part(Dataset):
    def __init__(self, dataset, indices, transform=None):
        self.dataset, self.indices, self.transform = dataset, indices, transform

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, i):
        x, y = self.dataset[indices[i]]
        if self.transform is not None:
            x = self.transform(x)
        return x, y
""",
        told="name 'indices' is not defined",
    ),
    wrong(
        """class Part(Dataset):
    def __init__(self, dataset, indices, transform=None):
        self.dataset, self.indices, self.transform = dataset, indices, transform

    def __len__(self):
        return len(self.indices)

    def get(self, i):
        return self.dataset[self.indices[i]]
""",
        told="",
    ),
    wrong(
        """class Part:
    def __init__(self, data, idx, transform=None):
        self.data, self.idx = data, list(idx)
        self.transform = transform or (lambda x: x)

    def __len__(self):
        return len(self.idx)

    def __getitem__(self, i):
        x, y = self.data[self.idx[i]]
        return [self.transform(x), y]
""",
        told="ask `is not None`",
    ),
    right(
        """class Part:
    def __init__(self, data, idx, transform=None):
        self.data, self.idx = data, list(idx)
        self.transform = (lambda x: x) if transform is None else transform

    def __len__(self):
        return len(self.idx)

    def __getitem__(self, i):
        x, y = self.data[self.idx[i]]
        return [self.transform(x), y]
"""
    ),
    right(
        """class Part(torch.utils.data.Subset):
    def __init__(self, dataset, indices, transform=None):
        super().__init__(dataset, indices)
        self.transform = transform

    def __getitem__(self, i):
        x, y = super().__getitem__(i)
        return (x if self.transform is None else self.transform(x)), y
"""
    ),
    wrong(
        """class Part(Dataset):
    def __init__(self, dataset, indices, transform=None):
        self.dataset = dataset
        self.indices = np.array(indices, dtype=int)
        self.transform = transform

    def __len__(self):
        return self.indices.size

    def __getitem__(self, i):
        sample = self.dataset[int(self.indices[i])]
        if self.transform:
            return self.transform(sample[0]), sample[1]
        return sample
""",
        told="ask `is not None`",
    ),
    right(
        """class Part(Dataset):
    def __init__(self, dataset, indices, transform=None):
        self.dataset = dataset
        self.indices = np.array(indices, dtype=int)
        self.transform = transform

    def __len__(self):
        return self.indices.size

    def __getitem__(self, i):
        sample = self.dataset[int(self.indices[i])]
        if self.transform is not None:
            return self.transform(sample[0]), sample[1]
        return sample
"""
    ),
    right(
        """class Part(Dataset):
    def __init__(self, dataset, indices, transform=None):
        self.args = dataset, torch.tensor(indices, dtype=torch.int64), transform

    def __len__(self):
        return len(self.args[1])

    def __getitem__(self, i):
        dataset, indices, transform = self.args
        x, y = dataset[indices[i].item()]
        if transform is None:
            return x, y
        return transform(x), y
"""
    ),
    right(
        """class Part(Dataset):
    def __init__(self, dataset, indices, transform=None):
        self.dataset, self.indices, self.transform = dataset, indices, transform

    def __len__(self):
        return sum(1 for _ in self.indices)

    def __getitem__(self, i):
        if i >= len(self):
            raise IndexError(i)
        x, y = self.dataset[self.indices[i]]
        if callable(self.transform):
            x = self.transform(x)
        return x, y
"""
    ),
    wrong(
        """class Part(Dataset):
    def __init__(self, dataset, indices, transform=None):
        dataset = dataset
        indices = indices
        transform = transform
    def __len__(self):
        return len(indices)
    def __getitem__(self, i):
        x, y = dataset[indices[i]]
        return x, y
""",
        told="keep it in __init__",
    ),
    wrong(
        """class Part(Dataset):
    def __init__(self, dataset, indices, transform=None):
        self.dataset, self.indices, self.transform = dataset, indices, transform
    def __len__(self):
        return len(self.indices)
    def __getitem__(self, i):
        x = self.dataset[self.indices[i]][0]
        y = self.dataset[self.indices[i]][1]
        if self.transform:
            x = self.transform(x)
        return (x, y)
""",
        told="the same read",
    ),
)

STRATIFIED = (
    edit("round(", "int(", told="int rounds down"),
    edit(
        "round(share * len(indices))",
        "int(np.ceil(share * len(indices)))",
        told="ceil rounds up",
    ),
    edit("round(", "1 + round(", told="one too many from every class"),
    edit(
        "round(share * len(indices))",
        "max(1, round(share * len(indices)))",
        told="round may give 0",
    ),
    edit(
        "round(share * len(indices))",
        "round(share * len(labels) / len(members))",
        told="average size",
    ),
    edit(
        "round(share * len(indices))",
        "round((1 - share) * len(indices))",
        told="share is the share of the test",
    ),
    edit(
        "indices[: round(share * len(indices))]",
        "indices[len(indices) - round(share * len(indices)) :]",
        told="not the last",
    ),
    edit("for i in order:", "for i in range(len(labels)):", told="order was ignored"),
    edit(
        "return [i for i in order if i not in test], [i for i in order if i in test]",
        "return [i for i in order if i in test], [i for i in order if i not in test]",
        told="training comes first",
    ),
    edit(
        "return [i for i in order if i not in test], [i for i in order if i in test]",
        "return sorted(set(order) - test), sorted(test)",
        told="these are sorted",
    ),
    edit(
        "return [i for i in order if i not in test], [i for i in order if i in test]",
        "return order, [i for i in order if i in test]",
        told="is a part of the argument",
    ),
    edit(
        "return [i for i in order if i not in test], [i for i in order if i in test]",
        "return list(order), [i for i in order if i in test]",
        told="must not be in it",
    ),
    edit(
        "return [i for i in order if i not in test], [i for i in order if i in test]",
        "return [i for i in order if i not in test]",
        told="not 2",
    ),
    edit(
        "return [i for i in order if i not in test], [i for i in order if i in test]",
        "train = [i for i in order if i not in test]",
        told="return missing",
    ),
    edit(
        "return [i for i in order if i not in test], [i for i in order if i in test]",
        "return ([labels[i] for i in order if i not in test],"
        " [labels[i] for i in order if i in test])",
        told="these are labels",
    ),
    edit("members.setdefault(labels[i], [])", "members.setdefault(i, [])", told=""),
    wrong(
        """def stratified(labels, order, share):
    n = round(share * len(order))
    return order[n:], order[:n]
""",
        told="the classes were ignored",
    ),
    wrong(
        """def stratified(labels, order, share):
    train, test = [], []
    for k in sorted(set(labels)):
        of_k = [i for i in order if labels[i] == k]
        n = round(share * len(of_k))
        test += of_k[:n]
        train += of_k[n:]
    return train, test
""",
        told="sorted by class",
    ),
    wrong(
        """def stratified(labels, order, share):
    members = {}
    for i in order:
        members.setdefault(labels[i], []).append(i)
    train, test = [], []
    for indices in members.values():
        n = round(share * len(indices))
        test += indices[:n]
        train += indices[n:]
    return train, test
""",
        told="class by class",
    ),
    wrong(
        """def stratified(labels, order, share):
    members = {}
    while order:
        i = order.pop(0)
        members.setdefault(labels[i], []).append(i)
    train, test = [], []
    for indices in members.values():
        n = round(share * len(indices))
        test += indices[:n]
        train += indices[n:]
    return train, test
""",
        told="an argument was changed in place",
    ),
    wrong(
        """def stratified(labels, order, share, members={}):
    for i in order:
        members.setdefault(labels[i], []).append(i)
    test = set()
    for indices in members.values():
        test.update(indices[: round(share * len(indices))])
    return [i for i in order if i not in test], [i for i in order if i in test]
""",
        told="something outside the function is changed",
    ),
    right(
        """def stratified(labels, order, share):
    wanted = {k: round(share * labels.count(k)) for k in labels}
    train, test = [], []
    for i in order:
        k = labels[i]
        (test if wanted[k] > 0 else train).append(i)
        wanted[k] -= 1
    return train, test
"""
    ),
    right(
        """def stratified(labels, order, share):
    labels, order = np.array(labels), np.array(order)
    chosen = np.zeros(len(order), dtype=bool)
    for k in np.unique(labels):
        places = np.flatnonzero(labels[order] == k)
        chosen[places[: round(share * len(places))]] = True
    return order[~chosen], order[chosen]
"""
    ),
    right(
        """def stratified(labels, order, share):
    labels, order = torch.tensor(labels), torch.tensor(order)
    chosen = torch.zeros(len(order), dtype=torch.bool)
    for k in labels.unique():
        places = (labels[order] == k).nonzero().flatten()
        chosen[places[: round(share * len(places))]] = True
    return order[~chosen], order[chosen]
"""
    ),
    right(
        """def stratified(labels, order, share):
    from collections import Counter
    total, seen = Counter(labels), Counter()
    train, test = [], []
    for i in order:
        seen[labels[i]] += 1
        if seen[labels[i]] <= round(share * total[labels[i]]):
            test.append(i)
        else:
            train.append(i)
    return tuple(train), tuple(test)
"""
    ),
    right(
        """def stratified(labels, order, share):
    test = []
    for k in set(labels):
        mine = [i for i in order if labels[i] == k]
        test.extend(mine[: int(share * len(mine) + 0.5)])
    test.sort(key=order.index)
    return [[i for i in order if i not in test], test]
"""
    ),
    wrong(
        """def stratified(labels, order, share):
    left = {c: round(share * labels.count(c)) for c in labels}
    a, b = [], []
    for i, l in zip(order, labels):
        if left[l] > 0:
            left[l] -= 1; b.append(i)
        else: a.append(i)
    return a, b
""",
        told="are not sorted by order",
    ),
)

PADDING = (
    edit(
        "torch.zeros(len(samples), int(lengths.max()), dtype=torch.int64)",
        "torch.full((len(samples), int(lengths.max())), -1)",
        told="0, not -1",
    ),
    edit(
        "torch.zeros(len(samples), int(lengths.max()), dtype=torch.int64)",
        "torch.ones(len(samples), int(lengths.max()), dtype=torch.int64)",
        told="0, not 1",
    ),
    edit(
        "padded[row, : len(sequence)] = sequence",
        "padded[row, int(lengths.max()) - len(sequence) :] = sequence",
        told="the zeros come after",
    ),
    edit(
        """int(lengths.max()), dtype=torch.int64)
    for row, (sequence, _) in enumerate(samples):
        padded[row, : len(sequence)] = sequence""",
        """int(lengths.min()), dtype=torch.int64)
    for row, (sequence, _) in enumerate(samples):
        padded[row] = sequence[: int(lengths.min())]""",
        told="cut to the shortest",
    ),
    edit("int(lengths.max())", "int(lengths.max()) + 1", told="a column too many"),
    edit("int(lengths.max())", "len(samples[0][0])", told="raised"),
    edit(
        "padded = torch.zeros(len(samples), int(lengths.max()), dtype=torch.int64)",
        "padded = torch.zeros(len(samples), int(lengths.max()))",
        told="dtype",
    ),
    edit(", dtype=torch.int64)", ", dtype=torch.int32)", told="dtype"),
    edit("return padded, lengths,", "return padded.T, lengths,", told="transposed"),
    edit(
        "return padded, lengths, torch.tensor([label for _, label in samples])",
        "return padded, torch.tensor([label for _, label in samples]), lengths",
        told="lengths come second",
    ),
    edit(
        "return padded, lengths, torch.tensor([label for _, label in samples])",
        "return padded, torch.tensor([label for _, label in samples])",
        told="returned 2 things",
    ),
    edit(
        "return padded, lengths, torch.tensor([label for _, label in samples])",
        "return padded, lengths, [label for _, label in samples]",
        told="not in a tensor",
    ),
    edit(
        "return padded, lengths, torch.tensor([label for _, label in samples])",
        "return padded, lengths, torch.tensor([[label] for _, label in samples])",
        told="labels have one element",
    ),
    edit(
        "return padded, lengths, torch.tensor([label for _, label in samples])",
        "return padded, lengths, torch.tensor([float(y) for _, y in samples])",
        told="dtype",
    ),
    edit(
        "return padded, lengths, torch.tensor([label for _, label in samples])",
        "torch.tensor([label for _, label in samples])",
        told="return missing",
    ),
    edit("return padded, lengths,", "return padded, lengths - 1,", told="last indices"),
    edit(
        "return padded, lengths,",
        "return padded, padded.shape[1] - lengths,",
        told="not the count of fillers",
    ),
    edit(
        "return padded, lengths,",
        "return padded, torch.full((len(samples),), padded.shape[1]),",
        told="before padding",
    ),
    edit("return padded, lengths,", "return padded, lengths.tolist(),", told="tensor"),
    edit(
        "return padded, lengths,",
        "return padded, lengths.reshape(-1, 1),",
        told="lengths have one element",
    ),
    wrong(
        """def pad_batch(samples):
    samples.sort(key=lambda sample: -len(sample[0]))
    lengths = torch.tensor([len(s) for s, _ in samples])
    padded = torch.zeros(len(samples), len(samples[0][0]), dtype=torch.int64)
    for row, (s, _) in enumerate(samples):
        padded[row, : len(s)] = s
    return padded, lengths, torch.tensor([y for _, y in samples])
""",
        told="sort() and reverse() change the list itself",
    ),
    wrong(
        """def pad_batch(samples):
    sequences = [s for s, _ in samples]
    padded = torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True)
    lengths = torch.tensor([len(s) for s in sequences])
    return padded, lengths, torch.tensor([y for _, y in samples])
""",
        told="pad_sequence does what you are to write",
    ),
    wrong(
        """def pad_batch(samples):
    sequences = torch.stack([s for s, _ in samples])
    lengths = torch.tensor([len(s) for s in sequences])
    return sequences, lengths, torch.tensor([y for _, y in samples])
""",
        told="raised",
    ),
    wrong(
        """def pad_batch(sequences, labels):
    return sequences, [len(s) for s in sequences], labels
""",
        told="raised TypeError",
    ),
    right(
        """def pad_batch(samples):
    sequences, labels = zip(*samples)
    longest = max(len(s) for s in sequences)
    rows = []
    for s in sequences:
        rows.append(torch.cat([s, torch.zeros(longest - len(s), dtype=s.dtype)]))
    lengths = torch.tensor([len(s) for s in sequences])
    return torch.stack(rows), lengths, torch.tensor(labels)
"""
    ),
    wrong(
        """def pad_batch(samples):
    rows = [s.tolist() for s, _ in samples]
    longest = max(map(len, rows))
    filled = [row + [0] * (longest - len(row)) for row in rows]
    lengths = [len(row) for row in rows]
    return torch.tensor(filled), torch.tensor(lengths), torch.tensor([y for _, y in samples])
""",
        told="of an empty list torch.tensor makes float32",
    ),
    right(
        """def pad_batch(samples):
    rows = [s.tolist() for s, _ in samples]
    longest = max(map(len, rows))
    filled = [row + [0] * (longest - len(row)) for row in rows]
    lengths = [len(row) for row in rows]
    padded = torch.tensor(filled, dtype=torch.int64)
    return padded, torch.tensor(lengths), torch.tensor([y for _, y in samples])
"""
    ),
    right(
        """def pad_batch(samples):
    longest = max(s.shape[0] for s, _ in samples)
    out = np.zeros((len(samples), longest), dtype=np.int64)
    for i, (s, _) in enumerate(samples):
        out[i, : len(s)] = s.numpy()
    lengths = np.array([len(s) for s, _ in samples])
    labels = np.array([y for _, y in samples])
    return torch.from_numpy(out), torch.from_numpy(lengths), torch.from_numpy(labels)
"""
    ),
    right(
        """def pad_batch(samples):
    F = torch.nn.functional
    longest = max(len(s) for s, _ in samples)
    padded = torch.stack([F.pad(s, (0, longest - len(s))) for s, _ in samples])
    lengths = torch.tensor([len(s) for s, _ in samples])
    return [padded, lengths, torch.tensor([y for _, y in samples])]
"""
    ),
    right(
        """def pad_batch(samples):
    n = len(samples)
    lengths = torch.zeros(n, dtype=torch.int64)
    labels = torch.zeros(n, dtype=torch.int64)
    longest = 0
    for i, (s, y) in enumerate(samples):
        lengths[i], labels[i] = len(s), y
        longest = max(longest, len(s))
    padded = torch.zeros((n, longest)).long()
    for i, (s, y) in enumerate(samples):
        for j in range(len(s)):
            padded[i, j] = s[j]
    return padded, lengths, labels
"""
    ),
)

ORDERED = "sorted(range(len(lengths)), key=lambda i: lengths[i])"
BY_LENGTH = (
    edit(ORDERED, "lengths.argsort().tolist()", told="the value is a list"),
    edit(ORDERED, "torch.argsort(lengths).tolist()", told="torch.tensor(values) makes"),
    *(
        right(
            f"""class ByLength:
    def __init__(self, lengths, batch_size, generator):
        order = {order}
        self.batches = {batches}
        self.generator = generator

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        count = len(self.batches)
        for i in torch.randperm(count, generator=self.generator):
            yield self.batches[i]
"""
        )
        for order, batches in (
            ("torch.argsort(torch.tensor(lengths))", "order.split(batch_size)"),
            (
                "list(torch.argsort(torch.tensor(lengths)))",
                "[order[i : i + batch_size] for i in range(0, len(order), batch_size)]",
            ),
        )
    ),
    edit(
        "sorted(range(len(lengths)), key=lambda i: lengths[i])",
        "list(range(len(lengths)))",
        told="not sorted by length",
    ),
    edit(
        "sorted(range(len(lengths)), key=lambda i: lengths[i])",
        "sorted(range(len(lengths)), key=lambda i: -lengths[i])",
        told="sort from the shortest",
    ),
    edit(
        "sorted(range(len(lengths)), key=lambda i: lengths[i])",
        "sorted(lengths)",
        told="these are lengths",
    ),
    edit(
        "sorted(range(len(lengths)), key=lambda i: lengths[i])",
        "torch.randperm(len(lengths), generator=generator).tolist()",
        told="not the samples",
    ),
    edit(
        "starts = range(0, len(order), batch_size)",
        "starts = range(0, len(order) - batch_size + 1, batch_size)",
        told="last, smaller batch is missing",
    ),
    edit(
        "starts = range(0, len(order), batch_size)",
        "starts = range(0, len(order), batch_size - 1 or 1)",
        told="comes twice",
    ),
    edit("start + batch_size]", "start + batch_size - 1]", told="is in no batch"),
    edit("start + batch_size]", "start + batch_size + 1]", told="comes twice"),
    edit("len(self.batches)\n", "sum(map(len, self.batches))\n", told="of samples"),
    edit("self.generator).tolist()", "None).tolist()", told="generator was ignored"),
    edit(
        "torch.randperm(len(self.batches), generator=self.generator).tolist()",
        "range(len(self.batches))",
        told="not in random order",
    ),
    edit(
        "torch.randperm(len(self.batches), generator=self.generator).tolist()",
        "torch.randperm(len(self.batches), "
        "generator=self.generator.manual_seed(0)).tolist()",
        told="two epochs have the same order",
    ),
    edit(
        "torch.randperm(len(self.batches), generator=self.generator).tolist()",
        "np.random.permutation(len(self.batches)).tolist()",
        told="generator was ignored",
    ),
    edit(
        "torch.randperm(len(self.batches), generator=self.generator).tolist()",
        "np.random.default_rng().permutation(len(self.batches)).tolist()",
        told="generator was ignored",
    ),
    edit(
        "yield self.batches[i]",
        "yield [float(j) for j in self.batches[i]]",
        told="not a whole number",
    ),
    edit(
        "        for i in torch.randperm(len(self.batches), "
        "generator=self.generator).tolist():\n            yield self.batches[i]",
        "        n = len(self.batches) or 1\n"
        "        i = int(torch.randint(0, n, (1,), generator=self.generator))\n"
        "        yield from self.batches[i:] + self.batches[:i]",
        told="only the first batch is drawn",
    ),
    edit("yield self.batches[i]", "yield from self.batches[i]", told="single indices"),
    edit("yield self.batches[i]", "yield i", told="single indices"),
    edit("yield self.batches[i]", "return self.batches[i]", told="yields the batches"),
    edit("yield self.batches[i]", "pass", told="__iter__"),
    wrong(
        """class ByLength:
    def __init__(self, lengths, batch_size, generator):
        order = sorted(range(len(lengths)), key=lambda i: lengths[i])
        batches = [order[i : i + batch_size] for i in range(0, len(order), batch_size)]
        places = torch.randperm(len(batches), generator=generator).tolist()
        self.batches = [batches[i] for i in places]

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        return iter(self.batches)
""",
        told="draw in __iter__",
    ),
    wrong(
        """class ByLength:
    def __init__(self, lengths, batch_size, generator):
        order = sorted(range(len(lengths)), key=lambda i: lengths[i])
        self.n = -(-len(order) // batch_size)
        batches = [order[i : i + batch_size] for i in range(0, len(order), batch_size)]
        places = torch.randperm(len(batches), generator=generator).tolist()
        self.batches = iter([batches[i] for i in places])

    def __len__(self):
        return self.n

    def __iter__(self):
        return self.batches
""",
        told="the second epoch has no batches",
    ),
    wrong(
        """class ByLength:
    def __init__(self, lengths, batch_size, generator):
        self.lengths, self.size, self.generator = lengths, batch_size, generator

    def __len__(self):
        return len(self.lengths) // self.size

    def __iter__(self):
        n = len(self.lengths)
        order = sorted(range(n), key=lambda i: self.lengths[i])
        batches = [order[i : i + self.size] for i in range(0, n, self.size)]
        for i in torch.randperm(len(batches), generator=self.generator):
            yield batches[i]
""",
        told="rounds down",
    ),
    wrong(
        """class ByLength:
    def __init__(self, lengths, batch_size, generator):
        lengths.sort()
        n = len(lengths)
        self.generator = generator
        self.batches = [list(range(i, min(n, i + batch_size))) for i in range(0, n, batch_size)]

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        for i in torch.randperm(len(self.batches), generator=self.generator).tolist():
            yield self.batches[i]
""",
        told="the samples are not sorted by length",
    ),
    wrong(
        """class ByLength:
    def __init__(self, lengths, batch_size, generator):
        self.lengths, self.size, self.generator = lengths, batch_size, generator

    def __iter__(self):
        n = len(self.lengths)
        order = sorted(range(n), key=lambda i: self.lengths[i])
        batches = [order[i : i + self.size] for i in range(0, n, self.size)]
        for i in torch.randperm(len(batches), generator=self.generator):
            yield batches[i]
""",
        told="__len__ is missing",
    ),
    right(
        """class ByLength(torch.utils.data.Sampler):
    def __init__(self, lengths, batch_size, generator):
        self.lengths, self.size, self.generator = lengths, batch_size, generator

    def __len__(self):
        return (len(self.lengths) + self.size - 1) // self.size

    def __iter__(self):
        n = len(self.lengths)
        order = sorted(range(n), key=lambda i: self.lengths[i])
        batches = [order[i : i + self.size] for i in range(0, n, self.size)]
        for i in torch.randperm(len(batches), generator=self.generator):
            yield batches[i]
"""
    ),
    right(
        """class ByLength:
    def __init__(self, lengths, batch_size, generator):
        order = torch.tensor(lengths, dtype=torch.float32).argsort()
        self.batches = order.split(batch_size) if lengths else []
        self.generator = generator

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        order = torch.rand(len(self.batches), generator=self.generator).argsort()
        return iter([self.batches[int(i)] for i in order])
"""
    ),
    right(
        """class ByLength:
    def __init__(self, lengths, batch_size, generator):
        order = np.argsort(lengths)
        self.batches = [order[i : i + batch_size] for i in range(0, len(order), batch_size)]
        self.generator = generator

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        for i in torch.randperm(len(self.batches), generator=self.generator).tolist():
            yield self.batches[i].tolist()
"""
    ),
    right(
        """import random


class ByLength:
    def __init__(self, lengths, batch_size, generator):
        pairs = sorted((n, i) for i, n in enumerate(lengths))
        self.batches, self.generator = [], generator
        while pairs:
            self.batches.append(tuple(i for _, i in pairs[:batch_size]))
            pairs = pairs[batch_size:]

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        seed = torch.randint(0, 2**40, (1,), generator=self.generator).item()
        batches = list(self.batches)
        random.Random(seed).shuffle(batches)
        yield from batches
"""
    ),
    right(
        """class ByLength(torch.utils.data.BatchSampler):
    def __init__(self, lengths, batch_size, generator):
        order = sorted(range(len(lengths)), key=lengths.__getitem__)
        super().__init__(order, batch_size, drop_last=False)
        self.generator = generator

    def __iter__(self):
        batches = list(super().__iter__())
        for i in torch.randperm(len(batches), generator=self.generator).tolist():
            yield batches[i]
"""
    ),
    wrong(
        """class ByLength:
    def __init__(self, lengths, batch_size, generator):
        order = [lengths.index(l) for l in sorted(lengths)]
        self.batches = [order[i:i + batch_size] for i in range(0, len(order), batch_size)]
        self.generator = generator
    def __len__(self):
        return len(self.batches)
    def __iter__(self):
        for k in torch.randperm(len(self.batches), generator=self.generator).tolist():
            yield self.batches[k]
""",
        told="first of equal lengths",
    ),
    right(
        """class ByLength:
    def __init__(self, lengths, batch_size, generator):
        order = torch.tensor(lengths).argsort()
        self.batches = order.split(batch_size)
        self.generator = generator
    def __len__(self):
        return len(self.batches)
    def __iter__(self):
        for k in torch.randperm(len(self.batches), generator=self.generator).tolist():
            yield self.batches[k].tolist()
"""
    ),
)

OWN_NUMBERS = (
    edit(
        "default_rng(info.seed)", "default_rng(info.seed % 100)", told="few different"
    ),
    edit(
        "default_rng(info.seed)", "default_rng(info.seed % 256)", told="few different"
    ),
    edit("default_rng(info.seed)", "default_rng()", told="cannot be repeated"),
    edit("default_rng(info.seed)", "default_rng(0)", told="a constant seed"),
    edit("default_rng(info.seed)", "default_rng(42)", told="a constant seed"),
    edit(
        "default_rng(info.seed)",
        "default_rng(info.seed - worker_id)",
        told="the same in every worker",
    ),
    edit(
        "default_rng(info.seed)",
        "default_rng(worker_id + 1)",
        told="the same in each epoch",
    ),
    edit(
        "default_rng(info.seed)",
        "default_rng(worker_id)",
        told="the same in each epoch",
    ),
    edit(
        "default_rng(info.seed)", "default_rng(info.num_workers)", told="constant seed"
    ),
    edit("default_rng(info.seed)", "default_rng(info)", told="raised TypeError"),
    edit("default_rng(info.seed)", "RandomState(info.seed)", told="seeds below 2**32"),
    edit("info.dataset.rng =", "info.rng =", told="sets rng on info"),
    edit("info.dataset.rng =", "rng =", told="its own generator"),
    edit("info.dataset.rng =", "info.dataset.seed =", told="its own generator"),
    edit(
        "info.dataset.rng = np.random.default_rng(info.seed)",
        "info.dataset = np.random.default_rng(info.seed)",
        told="was replaced",
    ),
    edit(
        "info.dataset.rng = np.random.default_rng(info.seed)",
        "np.random.seed(info.seed % 2**32)",
        told="NumPy's global one",
    ),
    edit(
        "info.dataset.rng = np.random.default_rng(info.seed)",
        "np.random.seed(info.seed)",
        told="seeds below 2**32",
    ),
    edit(
        "info.dataset.rng = np.random.default_rng(info.seed)",
        "torch.manual_seed(info.seed)",
        told="its own generator",
    ),
    edit(
        "info.dataset.rng = np.random.default_rng(info.seed)",
        "info.dataset.rng = info.seed",
        told="raised AttributeError",
    ),
    edit(
        "info.dataset.rng = np.random.default_rng(info.seed)",
        "return np.random.default_rng(info.seed)",
        told="its own generator",
    ),
    edit("info.seed", "int(info.seed // 1000)", told="differ from worker to worker"),
    wrong(
        """def own_numbers(worker_id):
    import time
    get_worker_info().dataset.rng = np.random.default_rng(time.time_ns())
""",
        told="the time",
    ),
    wrong(
        """info = get_worker_info()


def own_numbers(worker_id):
    info.dataset.rng = np.random.default_rng(info.seed)
""",
        told="called outside the function",
    ),
    wrong(
        """def own_numbers():
    info = get_worker_info()
    info.dataset.rng = np.random.default_rng(info.seed)
""",
        told="takes 0 positional arguments",
    ),
    wrong(
        """def own_numbers(worker_id):
    worker_id.dataset.rng = np.random.default_rng(worker_id.seed)
""",
        told="'int' object has no attribute 'seed'",
    ),
    right(
        """def own_numbers(worker_id):
    get_worker_info().dataset.rng = np.random.default_rng(torch.initial_seed())
"""
    ),
    right(
        """def own_numbers(worker_id):
    info = torch.utils.data.get_worker_info()
    base = info.seed - info.id
    info.dataset.rng = np.random.default_rng([base, worker_id])
"""
    ),
    right(
        """def own_numbers(worker_id):
    dataset = get_worker_info().dataset
    dataset.rng = np.random.RandomState(get_worker_info().seed % 2**32)
"""
    ),
    right(
        """def own_numbers(worker_id):
    seed = np.random.randint(2**31)
    get_worker_info().dataset.rng = np.random.default_rng(seed)
"""
    ),
    right(
        """def own_numbers(i):
    info = get_worker_info()
    bits = np.random.PCG64(np.random.SeedSequence(info.seed).spawn(1)[0])
    setattr(info.dataset, "rng", np.random.Generator(bits))
    return None
"""
    ),
    right(
        """def own_numbers(worker_id):
    seed = int(torch.randint(0, 2**31, (1,)))
    get_worker_info().dataset.rng = np.random.default_rng((seed, worker_id))
"""
    ),
    wrong(
        """def own_numbers(worker_id):
    info = get_worker_info()
    info.dataset.rng = np.random.default_rng(worker_id)
""",
        told="same in each epoch",
    ),
    wrong(
        """def own_numbers(worker_id):
    info = get_worker_info()
    dataset.rng = np.random.default_rng(info.seed)
""",
        told="this worker's copy",
    ),
)

# Second thoughts of learners: causes that no earlier answer needed.
LATER = {
    "08.2": (
        wrong(
            """def stratified(labels, order, share):
    test = set()
    for c in range(len(set(labels))):
        members = [i for i in order if labels[i] == c]
        test.update(members[: round(share * len(members))])
    return [i for i in order if i not in test], [i for i in order if i in test]
""",
            told="classes may have any numbers",
        ),
        wrong(
            """def stratified(labels, order, share):
    train, test = [], []
    for k in set(labels):
        members = [i for i in order if labels[i] == k]
        n = round(share * len(members))
        test += members[:n]
        train += members[n:]
    return train, test
""",
            told="both lists keep the order; these go class by class",
        ),
        wrong(
            """def stratified(labels, order, share):
    train, test = [], []
    for k in dict.fromkeys(labels):
        members = [i for i in order if labels[i] == k]
        n = round(share * len(members))
        test += members[:n]
        train += members[n:]
    return train, test
""",
            told="both lists keep the order; these go class by class",
        ),
    ),
    "08.3": (
        wrong(
            """def pad_batch(samples):
    n = max(len(s) for s, _ in samples)
    rows = [torch.cat([s, torch.zeros(n - len(s))]) for s, _ in samples]
    return torch.stack(rows), torch.tensor([len(s) for s, _ in samples]), torch.tensor([l for _, l in samples])
""",
            told="pass dtype=",
        ),
        *(
            wrong(
                f"""def pad_batch(samples):
    n = max(len(s) for s, _ in samples)
    rows = torch.tensor([{row} for s, _ in samples])
    return rows, torch.tensor([len(s) for s, _ in samples]), torch.tensor([l for _, l in samples])
""",
                told="x.tolist() makes a list",
            )
            for row in ("s + [0] * (n - len(s))", "[0] * (n - len(s)) + s")
        ),
    ),
    "08.5": (
        edit(
            "np.random.default_rng(info.seed)",
            "np.random.default_rng(info.seed * worker_id)",
            told="worker 0 always has the seed 0",
        ),
        wrong(
            """def own_numbers(worker_id):
    np.random.seed(get_worker_info().seed)
""",
            told="the global one is not the data set's: get_worker_info().dataset.rng =",
        ),
        wrong(
            """def own_numbers(worker_id):
    info = get_worker_info()
    info.dataset.rng = info.seed
""",
            told="a plain number",
        ),
    ),
}

ANSWERS = {
    "08.1": PART,
    "08.2": STRATIFIED + LATER["08.2"],
    "08.3": PADDING + LATER["08.3"],
    "08.4": BY_LENGTH,
    "08.5": OWN_NUMBERS + LATER["08.5"],
}
