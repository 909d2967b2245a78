"""The public function that a message is about."""

import subprocess
import sys

import pytest

import edutorch as torch
from edutorch.ops.signatures import call_of, public_of
from tests.ops.cases import refused

# An in-place variant, the copy of a view, a function made by a factory, one that helpers
# of any name stand between, one in a comprehension, and names with their module's.
CASES = """
torch.celu_(singles, "a"); singles.cumsum_("a"); singles.addmm_(singles, "a"); singles.heaviside_("a")
torch.expand_copy(singles, "a"); torch.slice_copy(singles, "a"); torch.permute_copy(singles, "a")
torch.unbind_copy(singles, "a")
torch.linalg.vector_norm(singles, 2, "a"); F.normalize(singles, 2, "a"); torch.rot90(a, b)
torch.split(a, [1.0]); F.leaky_relu_(singles, "a")
"""


@pytest.mark.parametrize(
    "case", [c.strip() for c in CASES.replace("\n", ";").split(";") if c.strip()]
)
def test_messages_name_the_function_as_pytorch_does(case):
    refused(__file__, case)


def test_a_local_function_of_a_public_name_is_not_taken_for_it():
    def median(dim):
        return torch.cumsum(torch.ones(2), dim)

    with pytest.raises(TypeError, match=r"^cumsum\(\): argument 'dim' \(position 2\)"):
        median("a")


def test_call_of_no_public_function_has_its_name_and_no_arguments():
    call = call_of("nothing of this name")
    assert call.name == "nothing of this name"
    assert call.arguments() == ((), ()) and call.values() == {}


def test_the_name_does_not_depend_on_what_has_been_imported():
    program = (
        "import edutorch as torch\n"
        "try: torch.cosine_similarity(torch.ones(2), torch.ones(2), 'a')\n"
        "except TypeError as error: print(error)\n"
        "torch.linalg, torch.nn.functional\n"
        "try: torch.cosine_similarity(torch.ones(2), torch.ones(2), 'a')\n"
        "except TypeError as error: print(error)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    first, second = said.stdout.splitlines()
    assert first == second


def test_argument_that_is_given_by_name_has_no_position():
    x = torch.ones(3)
    with pytest.raises(TypeError, match=r"argument 'dim' must be int, not str"):
        torch.median(x, dim="a")
    with pytest.raises(TypeError, match=r"argument 'dim' \(position 2\) must be int"):
        torch.median(x, "a")
    dim = {"dim": "a"}  # what is unpacked is not looked for
    with pytest.raises(TypeError, match="argument 'dim'"):
        torch.median(x, **dim)


def test_types_are_listed_as_they_are_written():
    x = torch.ones(3)
    with pytest.raises(TypeError, match=r"- got \(Tensor, out=int, dim=str\)"):
        torch.all(x, dim="a", out=3)
    with pytest.raises(TypeError, match=r"- got \(str\)"):
        x.sum("a")
    with pytest.raises(TypeError, match=r"median\(\): argument 'dim' \(position 1\)"):
        (x + 1).median("a")


def test_call_without_source_is_identified_by_its_values():
    with pytest.raises(TypeError, match=r"argument 'dim' \(position 2\) must be int"):
        exec("torch.median(torch.ones(3), 'a')", {"torch": torch})


def test_tensors_that_were_written_over_are_named_in_refusals():
    with pytest.raises(TypeError, match="got .Tensor, Tensor, list., but expected"):
        torch.where(torch.tensor(True), torch.ones(2), [1])


def test_a_public_function_is_found_with_the_name_that_messages_have_for_it():
    found = public_of(torch.linalg.cross)
    assert found is not None and found.name == "linalg_cross" and not found.method
    assert public_of(len) is None
