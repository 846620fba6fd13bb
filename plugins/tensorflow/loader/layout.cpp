#include "loader/layout.hpp"

namespace mo::tensorflow {

static bool needs_channels_first(std::string_view op) {
  static constexpr std::array<std::string_view, 26> ops{"Conv2D",
                                                        "Conv2DBackpropInput",
                                                        "Conv3D",
                                                        "Conv3DBackpropInput",
                                                        "Conv3DBackpropInputV2",
                                                        "DepthwiseConv2dNative",
                                                        "DepthwiseConv2dNativeBackpropInput",
                                                        "FusedPadConv2D",
                                                        "FusedResizeAndPadConv2D",
                                                        "AvgPool",
                                                        "AvgPool3D",
                                                        "MaxPool",
                                                        "MaxPool3D",
                                                        "MaxPoolV2",
                                                        "MaxPoolWithArgmax",
                                                        "FusedBatchNorm",
                                                        "FusedBatchNormV2",
                                                        "FusedBatchNormV3",
                                                        "DepthToSpace",
                                                        "SpaceToDepth",
                                                        "ResizeBilinear",
                                                        "ResizeNearestNeighbor",
                                                        "ResizeBicubic",
                                                        "LRN",
                                                        "ExtractImagePatches",
                                                        "CropAndResize"};
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

void note_layout(TensorflowModel& model, const NodeDef& n, const Scope& scope) {
  if (!needs_channels_first(n.op)) return;
  // Operators without the attribute know no other layout.
  const std::string_view format = Attributes(model, n, scope).text("data_format", "NHWC");
  if (format == "NHWC" || format == "NDHWC") model.note_channels_last();
}

}  // namespace mo::tensorflow
