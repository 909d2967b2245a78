"""How modules change their parameters when they are converted."""

from __future__ import annotations

from tests.programs import Programs

programs = Programs(__file__)


@programs.add
def conversions(torch):
    found = []
    future = torch.__future__
    for name in ("usual", "overwrite", "swap"):
        switch = getattr(future, f"set_{name}_module_params_on_conversion", bool)
        switch(True)
        try:
            m = torch.nn.Linear(2, 1)
            m(torch.ones(1, 2)).sum().backward()
            m.weight.note = "kept"
            before, values = m.weight, m.weight.tolist()
            m.double()
            found.append([
                m.weight is before, before.dtype == torch.float64, m.weight.dtype,
                m.weight.tolist() == values, m.weight.grad.dtype,
                type(m.weight).__name__, m.weight.requires_grad,
            ])  # fmt: skip
        finally:
            switch(False)
    asked = (
        future.get_overwrite_module_params_on_conversion(),
        future.get_swap_module_params_on_conversion(),
    )
    return [[[str(v) for v in row] for row in found], asked]


test_conversions = programs.test()
