// Operators that have no counterpart in the IR, and why.
#include "support/call.hpp"

namespace mo::pytorch {

namespace unsupported {

static Ports for_training(const Call&) {
  decline("it computes gradients; export the model's forward pass alone, after eval()");
}
static Ports fused_encoder(const Call&) {
  decline("it is a fast path that torch takes in inference mode; call "
          "torch.backends.mha.set_fastpath_enabled(False) before torch.export.export");
}
static Ports of_storage(const Call&) {
  decline("the IR has no strides and storage offsets that a program could read; use sizes");
}

}  // namespace unsupported

void register_unsupported(Registry& r) {
  using namespace unsupported;
  convert<for_training>(
      r,
      "aten.convolution_backward.default aten._adaptive_avg_pool2d_backward.default aten.avg_pool2d_backward.default "
      "aten.embedding_dense_backward.default aten.max_pool2d_with_indices_backward.default "
      "aten.native_group_norm_backward.default aten.native_layer_norm_backward.default",
      "convolution_backward(x)", "declined: gradients are not computed");
  convert<fused_encoder>(r, "aten._transformer_encoder_layer_fwd.default aten._native_multi_head_attention.default",
                         "_transformer_encoder_layer_fwd(x)", "declined: the export can do without it");
  convert<of_storage>(r, "aten.sym_stride.int aten.sym_storage_offset.default", "sym_stride(x, dim)",
                      "declined: the IR has no strides");
}

}  // namespace mo::pytorch
