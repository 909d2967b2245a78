"""PyTorch's lists of functions that autocast casts, for the CPU and for GPUs.

A name denotes the function of that name in every public namespace and for Tensor's
method; "linalg.inv" and "__matmul__" are taken as they are.

- `lower`: operands become 16-bit floats. Products, where most of the time goes.
- `single`: operands become float32. Functions that lose too many digits, or overflow,
  in 16 bits.
- `single_result`: sums and softmaxes; their result is float32, unless the caller passes
  a `dtype`.
- `widest`: operands of several dtypes become the widest of them.
- `unchanged`: operands stay as they are, although the function computes products.
- `refused`: there is a better function.
"""

from __future__ import annotations

__all__ = ["LISTS"]

LOSSES = """
    cosine_embedding_loss hinge_embedding_loss huber_loss kl_div l1_loss
    margin_ranking_loss mse_loss multi_margin_loss multilabel_margin_loss nll_loss
    poisson_nll_loss smooth_l1_loss soft_margin_loss triplet_margin_loss
    cross_entropy binary_cross_entropy_with_logits
"""

PRODUCTS = """
    addbmm addmm baddbmm bmm conv1d conv2d conv3d conv_transpose1d conv_transpose2d
    conv_transpose3d linalg.vecdot linear matmul __matmul__ mm prelu
    scaled_dot_product_attention sparse.mm
"""

CPU = {
    "lower": PRODUCTS + "lstm",
    "single": LOSSES
    + """
    adaptive_avg_pool3d adaptive_max_pool3d avg_pool3d binary_cross_entropy cdist
    cholesky cholesky_inverse cholesky_solve ctc_loss fractional_max_pool2d
    fractional_max_pool3d geqrf grid_sample grid_sampler grid_sampler_2d
    grid_sampler_3d inverse lu_solve max_pool3d max_unpool2d max_unpool3d nanquantile
    orgqr ormqr pinverse polar prod qr quantile stft svd trace triangular_solve
    view_as_complex
    fft.fft fft.fft2 fft.fftn fft.hfft fft.ifft fft.ifft2 fft.ifftn fft.ihfft fft.irfft
    fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftn
    linalg.cholesky linalg.cholesky_ex linalg.cond linalg.eig linalg.eigh
    linalg.eigvals linalg.eigvalsh linalg.householder_product linalg.inv linalg.inv_ex
    linalg.lstsq linalg.matrix_rank linalg.qr linalg.solve linalg.svd linalg.svdvals
    linalg.tensorinv linalg.tensorsolve
    """,
    "single_pads": "pad",
    "widest": "cat concat concatenate stack index_copy",
    "unchanged": "bilinear",
}

GPU = {
    "lower": PRODUCTS
    + """
    addmv addr chain_matmul einsum gru_cell linalg.multi_dot lstm_cell mv
    rnn_relu_cell rnn_tanh_cell
    """,
    "single": LOSSES
    + """
    acos arccos asin arcsin cdist cosh cosine_similarity dist erfinv exp expm1
    frobenius_norm group_norm interpolate layer_norm log log10 log1p log2 logsumexp
    norm nuclear_norm pdist pow __pow__ __rpow__ reciprocal renorm rms_norm rsqrt sinh
    softplus tan
    """,
    "single_result": """
    cumprod cumsum linalg.matrix_norm linalg.vector_norm log_softmax prod softmax sum
    """,
    "widest": """
    addcdiv addcmul arctan2 atan2 bilinear cross dot grid_sample grid_sampler index_put
    scatter_add tensordot vdot
    """,
    "refused": "binary_cross_entropy",
}

LISTS = {"cpu": CPU, "cuda": GPU}
