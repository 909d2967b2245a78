"""Chapters build on each other: none uses what a later one introduces."""

from __future__ import annotations

import ast
import re

import pytest

from tests.notebooks.chapters import NAMES, code_cells, released, solutions

# The chapter that introduces a name of the library, and how code says it.
INTRODUCED = {
    "02": "backward|requires_grad|grad|detach|no_grad|retain_graph|is_leaf|grad_fn",
    "03": "Function|gradcheck|gradgradcheck|create_graph|ctx|hessian|jacobian",
    "04": "detect_anomaly|set_detect_anomaly|register_hook|saved_tensors_hooks",
    "05": "Module|zero_grad|Parameter|ParameterList|ModuleList|register_buffer|named_modules"
    "|state_dict|kaiming_normal_|kaiming_uniform_|xavier_uniform_",
    "06": "cross_entropy|binary_cross_entropy_with_logits|nll_loss|log_softmax"
    "|logsumexp|CrossEntropyLoss|BCEWithLogitsLoss",
    "07": "optim|Adam|SGD|lr_scheduler|clip_grad_norm_|LambdaLR|StepLR",
    "08": "Dataset|DataLoader|IterableDataset|TensorDataset|collate_fn|random_split"
    "|WeightedRandomSampler|worker_init_fn|pin_memory",
    "09": "conv2d|Conv2d|max_pool2d|MaxPool2d|avg_pool2d|BatchNorm2d|batch_norm"
    "|unfold|fold",
    "11": "RNN|LSTM|GRU|RNNCell|LSTMCell|GRUCell|pack_padded_sequence|pad_sequence"
    "|pack_sequence|pad_packed_sequence",
    "12": "Embedding|embedding|MultiheadAttention|scaled_dot_product_attention"
    "|TransformerEncoder|TransformerEncoderLayer",
    "17": "cuda|checkpoint|autocast|GradScaler",
    "18": "DataParallel|distributed|all_reduce",
}
# What a chapter uses early, with the words in which it says what that is.
EXPLAINED = {
    ("04", "cross_entropy"): "chapter 6 takes it apart",
    ("04", "optim"): "Chapter 7 is about both",
    ("04", "SGD"): "`SGD` moves each parameter a little against its gradient",
    ("04", "zero_grad"): "`zero_grad` clears the gradients of the previous step",
    ("05", "cross_entropy"): "chapter 6 takes it apart",
    ("08", "pad_sequence"): "`pad_sequence` does the filling",
}
CHAPTER_OF = {
    name: chapter for chapter, names in INTRODUCED.items() for name in names.split("|")
}


def names_used(source):
    """Attributes, imported names and keyword arguments of a piece of code."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg


def sources(name):
    """The code of a chapter, without magics, and that of its solutions."""
    for cell in code_cells(released(name)):
        yield re.sub(r"^[%!].*$", "pass", "".join(cell["source"]), flags=re.MULTILINE)
    yield from solutions(name).values()


@pytest.mark.parametrize("name", NAMES)
def test_chapter_uses_nothing_that_a_later_one_introduces(name):
    found = {used for source in sources(name) for used in names_used(source)}
    early = {used for used in found if CHAPTER_OF.get(used, "") > name[:2]}
    said = "".join("".join(cell["source"]) for cell in released(name)["cells"])
    for used in early:
        words = EXPLAINED.get((name[:2], used), f"what {used} is")
        assert words in said, f"{used}, of chapter {CHAPTER_OF[used]}"


def test_explanations_are_of_names_that_come_later():
    assert all(CHAPTER_OF[used] > chapter for chapter, used in EXPLAINED)


def test_names_are_found_however_they_are_used():
    program = "from a import optim\nb.LSTM(c, batch=1)\nd.backward(retain_graph=True)"
    assert {"optim", "LSTM", "backward", "retain_graph"} <= set(names_used(program))
