"""The device that `out=` may be on, and whether device or dtype is checked first."""

from __future__ import annotations

from .out_rules import EXACT, dtype_rule, names_in

__all__ = [
    "checks_device_first", "checks_dtype_before_device", "copies_to_meta",
    "device_message", "follows_device", "without_meta_kernel",
]  # fmt: skip

# These create their results on the device of `out`.
_FOLLOWING = names_in(
    "arange empty eye full linalg_solve_triangular linspace logspace normal ones range "
    "randint randn randperm rand range zeros"
)
# On the meta device nothing is computed: these write a result without dimensions,
# from any device.
_TO_META = names_in("amax amin cumsum mean polygamma prod special_polygamma sum")
_REDUCED_TO_META = names_in("amax amin mean polygamma prod sum")
# Their kernels that write into `out` have no counterpart on the meta device.
_WITHOUT_META_KERNEL = {
    "geqrf": "geqrf.a", "histogram": "histogram.bin_ct_out",
    "histogram.bins": "histogram.bins_tensor_out",
    "linalg_lstsq": "linalg_lstsq.out", "masked_select": "masked_select.out",
}  # fmt: skip
_DEVICES = {
    name: f"{shown}: Expected result and input tensors to be on the same device, but "
    "got result on {out} and input on {result}"
    for name, shown in (
        *((f"linalg_{n}", f"linalg.{n}") for n in
          ("cond", "pinv")),
        *((f"linalg_{n}", n) for n in ("matrix_power", "tensorinv", "tensorsolve")),
        ("linalg_matrix_rank", "torch.linalg.matrix_rank"),
    )
}  # fmt: skip
# For these, PyTorch's message names the two devices in the wrong order.
_DEVICES |= {
    f"linalg_{name}": f"linalg.{name}: Expected result and input tensors to be on the "
    "same device, but got result on {result} and input on {out}"
    for name in ("matrix_norm", "norm", "vecdot")
}
_DEVICES |= dict.fromkeys(
    names_in("chain_matmul linalg_multi_dot"),
    "multi_dot(): expected out tensor to be on device {result} but got {out}",
)
_DEVICES |= dict.fromkeys(
    names_in(
        "argmax argmin detach_copy gather hash_tensor index_reduce linalg_cholesky "
        "linalg_cholesky_ex linalg_inv_ex linalg_det linalg_inv linalg_svd "
        "linalg_svdvals max min scatter scatter_add select_copy slice_copy svd topk "
        "view_as_real_copy"
    ),
    "Expected out tensor to have device {result}, but got {out} instead",
)
_DEVICES["take_along_dim"] = (
    "Expected tensor to have cpu Device, but got tensor with meta Device (while "
    "checking arguments for torch.take_along_dim():)"
)
_DEVICES["inner"] = (
    "Expected tensor to have cpu DeviceType, but got tensor with meta DeviceType "
    "(while checking arguments for inner())"
)
_DEVICES["special_ndtr"] = (
    "Expected all tensors to be on the same device, but found at least two devices, "
    "{result} and {out}!"
)
_DEVICES["nanquantile"] = _DEVICES["quantile"] = (
    "quantile() out tensor must be on the same device as the input tensor"
)
_DEVICES["angle"] = "out Tensor doesn't have the correct device set"
_DEVICES["tensordot"] = (
    "tensordot: Expected the output and input tensors to be on the same device, but "
    "got the output tensor on {out}, input tensor a on {result}, and input tensor b on "
    "{result}"
)
_DTYPE_BEFORE_DEVICE = names_in(
    "chain_matmul float_power hash_tensor linalg_multi_dot linalg_vecdot nanquantile "
    "quantile"
) | {f"fft_{name}" for name in names_in(
    "fft fft2 fftn ifft ifft2 ifftn hfft hfft2 hfftn ihfft ihfft2 ihfftn irfft irfft2 "
    "irfftn rfft rfft2 rfftn"
)}  # fmt: skip
# These compute their result, of any dtype, on the device of the operands, and copy it.
_DEVICE_FIRST = names_in(
    "addmm addmv alias_copy aminmax argsort as_strided_copy baddbmm bmm cross diag "
    "diagonal_copy expand_copy index_add index_copy isin linalg_cross linalg_eigh "
    "linalg_eigvalsh linalg_ldl_factor linalg_ldl_factor_ex linalg_ldl_solve "
    "linalg_lu linalg_lu_factor linalg_lu_factor_ex linalg_lu_solve linalg_qr "
    "linalg_slogdet linalg_solve linalg_solve_ex linalg_vector_norm linear "
    "log_softmax lu_solve lu_unpack matmul mm msort mv norm permute_copy prod qr "
    "renorm scatter_reduce slice_scatter slogdet softmax sort split_with_sizes_copy "
    "squeeze_copy t_copy take_along_dim transpose_copy triangular_solve tril triu "
    "unbind_copy unfold_copy unsqueeze_copy view_copy"
)


def checks_device_first(name: str) -> bool:
    """Whether a function checks the device of `out` before gradients.

    It does if it is composed, but for those that ask for a dtype first.

    Example:
        >>> checks_device_first("linalg_matrix_power"), checks_device_first("exp")
        (True, False)
    """
    return name in ("diag", "inner", "linalg_ldl_factor", "linalg_matrix_power")


def checks_dtype_before_device(name: str, output: str = "", variant: str = "") -> bool:
    """Whether a function checks the dtype of `out` before its device.

    Example:
        >>> checks_dtype_before_device("argmin"), checks_dtype_before_device("exp")
        (True, False)
    """
    if name in _DTYPE_BEFORE_DEVICE:
        return True
    return dtype_rule(name, output, variant) is EXACT and name not in _DEVICE_FIRST


def follows_device(name: str, ndim: int, variant: str = "", *, meta: bool) -> bool:
    """Whether a function creates its result on the device of `out`, meta or not.

    Args:
        ndim: the number of dimensions of the result.
        variant: "tensor" if the function counts from the number in a tensor.

    Example:
        >>> follows_device("sum", 0, meta=True), follows_device("sum", 1, meta=True)
        (True, False)
    """
    if name in _FOLLOWING:
        return variant != "tensor"
    return meta and not ndim and name in _TO_META


def copies_to_meta(name: str) -> bool:
    """Whether a reduction to one number is copied to the meta device, cast to `out`.

    Example:
        >>> copies_to_meta("amax"), copies_to_meta("exp")
        (True, False)
    """
    return name in _REDUCED_TO_META


def without_meta_kernel(name: str, variant: str = "") -> str:
    """The kernel that is refused an `out` on the meta device, or "".

    Example:
        >>> without_meta_kernel("geqrf"), without_meta_kernel("exp")
        ('geqrf.a', '')
    """
    kernel = _WITHOUT_META_KERNEL.get(f"{name}.{variant}")
    return kernel or _WITHOUT_META_KERNEL.get(name, "")


def device_message(name: str, variant: str = "", *, meta: bool) -> str:
    """The message for an `out` on another device, to be formatted with both devices.

    Args:
        variant: "all" if the function reduces a tensor to one number.
        meta: whether one of them is on the meta device.

    Example:
        >>> device_message("gather", meta=True).format(out="meta", result="cpu")
        'Expected out tensor to have device cpu, but got meta instead'
    """
    if meta and name in _DEVICES and variant != "all":
        return _DEVICES[name]
    if meta:
        return (
            "Attempting to copy from device {result} to device {out}, but "
            "cross-device copies are not allowed!"
        )
    if dtype_rule(name).exact:
        return "Expected out tensor to have device {result}, but got {out} instead"
    return (
        "Expected all tensors to be on the same device, but found at least two "
        "devices, {result} and {out}!"
    )
