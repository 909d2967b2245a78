"""Reading and writing by indices of every kind, with gradients."""

from __future__ import annotations

import random

__all__ = ["program"]

SHAPES = ["3", "2, 3", "3, 1, 2", "2, 0, 3", "4, 3, 2", ""]
SINGLE = """0 -1 1 5 None ... : ::2 1: :-1 2:1 1:9 True False [0] [1,0] [-1,2] [[0,1],[1,0]]
[True,False,True] torch.tensor(1) torch.tensor([0,1]) torch.tensor([[1],[0]])
torch.tensor([True,False,True]) torch.tensor([True,False]) x>0 np.array([0,1]) np.int64(1)
torch.tensor([],dtype=torch.long) torch.tensor([1],dtype=torch.uint8) slice(None,None,2)
torch.tensor([0,1],dtype=torch.int32) range(2) (0,) 1.5 'a' -7""".split()


def program(rng: random.Random) -> str:
    """A program that reads or writes at an index of one to three parts."""
    dtype = rng.choice(["float32", "float64", "int64", "bool", "complex64", "float16"])
    floating = dtype.startswith(("float", "complex"))
    grad = floating and rng.random() < 0.5
    shape = rng.choice(SHAPES)
    seed = rng.randrange(100)
    values = (
        f"np.random.default_rng({seed}).integers(-3, 4, ({shape}{',' * bool(shape)}))"
    )
    lines = [f"x = torch.tensor({values}, dtype=torch.{dtype}, requires_grad={grad})"]
    if rng.random() < 0.3 and shape.count(",") == 1:
        lines.append("y = x.t()")
    else:
        lines.append("y = x.clone()" if rng.random() < 0.7 else "y = x")
    index = ", ".join(rng.choice(SINGLE) for _ in range(rng.choice([1, 1, 2, 2, 3])))
    if rng.random() < 0.5:
        lines.append(f"z = y[{index}]")
    else:
        lines += [write(rng, index), "z = y"]
    end = "z" if not grad else "z, *torch.autograd.grad((z * z).sum().abs(), x)"
    lines.append(f"result = [{end}]")
    return "\n".join(lines)


def write(rng: random.Random, index: str) -> str:
    """A line that writes at the index."""
    value = rng.choice(
        ["1", "-2.5", "True", "y[0].clone()", "torch.tensor(2)", "torch.ones(2)", "1j",
         "torch.zeros(3, dtype=torch.float64)", "torch.ones(1, 1)"]
    )  # fmt: skip
    operator = rng.choice(["=", "=", "=", "+=", "*="])
    if rng.random() < 0.15:
        flag = rng.choice(["True", "False"])
        return f"y.index_put_((torch.tensor([0, 1, 0]),), torch.ones(()).to(y.dtype), accumulate={flag})"
    return f"y[{index}] {operator} {value}"
