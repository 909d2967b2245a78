"""PyTorch's and edutorch's names of classes and functions, for pickles.

What edutorch writes has PyTorch's names, so that either library finds its own class.
Most are in files of the same name in both; `HOMES` has PyTorch's file for the others.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any, Final

__all__ = ["find_by_torch_name", "torch_name"]

OWN: Final = __name__.partition(".")[0]
HOMES: Final = {
    "_C": "Generator",
    "autograd.grad_mode": "enable_grad inference_mode no_grad set_grad_enabled",
    "nn.attention": "SDPBackend",
    "nn.modules.activation": "CELU ELU GELU GLU LogSigmoid LogSoftmax Mish "
    "MultiheadAttention SELU SiLU Sigmoid Softmax Softmax2d Softmin Softplus Softsign "
    "Tanh Tanhshrink",
    "nn.modules.batchnorm": "LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d",
    "nn.modules.channelshuffle": "ChannelShuffle",
    "nn.modules.container": "ParameterDict ParameterList",
    "nn.modules.conv": "LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d "
    "LazyConvTranspose2d LazyConvTranspose3d",
    "nn.modules.instancenorm": "LazyInstanceNorm1d LazyInstanceNorm2d "
    "LazyInstanceNorm3d",
    "nn.modules.linear": "LazyLinear",
    "nn.modules.loss": "CosineEmbeddingLoss HingeEmbeddingLoss LinearCrossEntropyLoss "
    "MarginRankingLoss MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss "
    "SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss",
    "nn.modules.pooling": "FractionalMaxPool2d FractionalMaxPool3d MaxUnpool1d "
    "MaxUnpool2d MaxUnpool3d",
    "nn.modules.rnn": "GRUCell LSTMCell RNNBase RNNCell RNNCellBase",
    "nn.modules.transformer": "TransformerDecoderLayer TransformerEncoderLayer",
    "nn.parallel.data_parallel": "DataParallel",
    "optim": "Adafactor Muon",
    "optim.adamw": "AdamW",
    "optim.lr_scheduler": "ChainedScheduler ConstantLR CosineAnnealingLR "
    "CosineAnnealingWarmRestarts CyclicLR ExponentialLR LRScheduler LambdaLR LinearLR "
    "MultiStepLR MultiplicativeLR OneCycleLR PolynomialLR ReduceLROnPlateau "
    "SequentialLR StepLR",
    "storage": "TypedStorage UntypedStorage",
    "": "Tensor",
}
_HOME_OF: Final = {
    name: home for home, names in HOMES.items() for name in names.split()
}
# Where functions are looked for: PyTorch's are known under their public names.
_PUBLIC: Final = ("nn.functional", "", "linalg", "fft", "special", "nn.init")
# Modules that only PyTorch has, and where their contents are here.
_ELSEWHERE: Final = {
    "_C": "", "_C._nn": "nn.functional", "_C._linalg": "linalg", "_tensor": "",
    "_C._fft": "fft", "_C._special": "special", "tensor": "",
    "utils.data._utils.collate": "utils.data",
}  # fmt: skip
_NOTHING: Final = object()
_FIXED: Final = {  # names that denote a module
    ("_C", "_VariableFunctionsClass"): "",
    ("_C", "_VariableFunctions"): "",
}


def torch_name(thing: Any) -> tuple[str, str] | None:
    """PyTorch's (module, name) of one of edutorch's classes or functions.

    None for an object that is not edutorch's.
    """
    module = getattr(thing, "__module__", None) or ""
    top, _, rest = module.partition(".")
    name = getattr(thing, "__qualname__", "")
    if top == "torch":  # `return_types`
        return module, name
    if top != OWN:
        return None
    if isinstance(thing, type):
        home = _HOME_OF.get(name, rest)
        known = find_by_torch_name(_dotted(home), name, None) is thing
        return _dotted(home if known else rest), name
    for home in _PUBLIC:
        public = getattr(_module(home), name, None)
        # Another body may stand in for a function meanwhile, with its name.
        if getattr(public, "__module__", None) == module:
            return _dotted(home), name
    return _dotted(rest), name


def find_by_torch_name(module: str, name: str, default: Any = _NOTHING) -> Any:
    """Edutorch's class or function for PyTorch's name.

    Raises:
        AttributeError: if there is none, and no default.
    """
    rest = module.partition(".")[2]
    if (rest, name) in _FIXED:
        return _module(_FIXED[rest, name])
    if (rest, name) == ("_C", "TensorBase"):
        return _module("").Tensor
    home = _ELSEWHERE.get(rest, rest)
    while True:
        place = _module(home)
        if place is not None and hasattr(place, name):
            return getattr(place, name)
        if not home:
            if default is not _NOTHING:
                return default
            raise AttributeError(f"edutorch has no {module}.{name}")
        home = home.rpartition(".")[0]


def _dotted(rest: str) -> str:
    return f"torch.{rest}" if rest else "torch"


def _module(rest: str) -> Any:
    """One of edutorch's modules, imported if need be; None if there is none."""
    name = f"{OWN}.{rest}" if rest else OWN
    if name not in sys.modules and not rest.endswith("__main__"):
        try:
            importlib.import_module(name)
        except ImportError:
            return None
    return sys.modules.get(name)
