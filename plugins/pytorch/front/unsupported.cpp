// Operators that have no counterpart in the IR, and why.
#include "support/call.hpp"

namespace mo::pytorch {

namespace unsupported {

static Ports for_training(const Call&) {
  decline("it computes gradients; export the model's forward pass alone, after eval()");
}
static Ports fused_encoder(const Call&) {
  decline(
      "it is a fast path that torch takes in inference mode; call "
      "torch.backends.mha.set_fastpath_enabled(False) before torch.export.export");
}
static Ports of_storage(const Call&) {
  decline("the IR has no strides and storage offsets that a program could read; use sizes");
}

static Ports of_singular_values(const Call&) {
  decline(
      "it iterates until it converges, for which the IR has no operation; feed it (--input), which cuts the "
      "model off here, or compute it outside of the model");
}
static Ports of_incomplete_gamma(const Call&) {
  decline(
      "its series takes more terms the greater its arguments are, and of their logarithms few digits of f32 "
      "are left; feed it (--input), which cuts the model off here");
}
static Ports of_bits(const Call&) {
  decline("the IR has no operation that takes the bits of a type as another one");
}
static Ports of_most_frequent(const Call&) {
  decline("which of several equal elements it names is up to torch's kernel; use unique with counts");
}

}  // namespace unsupported

void register_unsupported(Registry& r) {
  using namespace unsupported;
  convert<for_training>(r,
                        "aten.convolution_backward.default aten._adaptive_avg_pool2d_backward.default "
                        "aten.avg_pool2d_backward.default "
                        "aten.embedding_dense_backward.default aten.max_pool2d_with_indices_backward.default "
                        "aten.native_group_norm_backward.default aten.native_layer_norm_backward.default",
                        "convolution_backward(x)", "declined: gradients are not computed");
  convert<fused_encoder>(
      r, "aten._transformer_encoder_layer_fwd.default aten._native_multi_head_attention.default",
      "_transformer_encoder_layer_fwd(x)", "declined: the export can do without it");
  convert<of_singular_values>(
      r,
      "aten.linalg_svd.default aten._linalg_svd.default aten.linalg_svdvals.default aten.svd.default "
      "aten.linalg_eigh.default aten._linalg_eigh.default aten.linalg_eigvalsh.default "
      "aten.linalg_eig.default aten.linalg_eigvals.default aten._linalg_eigvals.default "
      "aten.linalg_pinv.default aten.linalg_pinv.atol_rtol_tensor aten.linalg_pinv.atol_rtol_float "
      "aten.pinverse.default aten.linalg_matrix_rank.default aten.linalg_matrix_rank.atol_rtol_tensor "
      "aten.linalg_matrix_rank.atol_rtol_float aten.linalg_lstsq.default aten.linalg_cond.default "
      "aten.nuclear_norm.default aten.linalg_matrix_exp.default aten.matrix_exp.default",
      "linalg_svd(a)", "declined: the IR has no such operation");
  convert<of_incomplete_gamma>(r,
                               "aten.igamma.default aten.igammac.default aten.special_gammainc.default "
                               "aten.special_gammaincc.default",
                               "igamma(a, x)", "declined: its series has no fixed length");
  convert<of_bits>(r, "aten.view.dtype aten.view_copy.dtype", "view(x, dtype)",
                   "declined: the IR has no such operation");
  convert<of_most_frequent>(r, "aten.mode.default", "mode(x, dim)",
                            "declined: torch does not say which of equal elements it names");
  convert<of_storage>(r, "aten.sym_stride.int aten.sym_storage_offset.default", "sym_stride(x, dim)",
                      "declined: the IR has no strides");
}

}  // namespace mo::pytorch
