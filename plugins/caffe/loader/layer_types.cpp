#include "loader/layer_types.hpp"

#include <map>
#include <string>

namespace mo::caffe {

namespace {

std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != '_') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

const std::map<std::string, std::string_view, std::less<>>& types() {
  static const auto by_plain_name = [] {
    std::map<std::string, std::string_view, std::less<>> map;
    for (const std::string_view name :
         {// Caffe
          "AbsVal", "ArgMax", "BatchNorm", "BatchReindex", "Bias", "BNLL", "Clip", "Concat", "Convolution",
          "Crop", "Deconvolution", "Dropout", "Eltwise", "ELU", "Embed", "Exp", "Flatten", "InnerProduct",
          "Log", "LRN", "LSTM", "MVN", "Parameter", "Pooling", "Power", "PReLU", "Reduction", "ReLU",
          "Reshape", "RNN", "Scale", "Sigmoid", "Slice", "Softmax", "Split", "Swish", "TanH", "Threshold",
          "Tile",
          // its forks
          "Accum", "Axpy", "Binarization", "BN", "ConvolutionBinary", "ConvolutionDepthwise", "Correlation",
          "CTCGreedyDecoder", "DataAugmentation", "DepthwiseConvolution", "DetectionOutput", "GRN", "Interp",
          "Normalize", "Permute", "PowerFile", "PredictionHeatmap", "PriorBox", "PriorBoxClustered",
          "Proposal", "PSROIPooling", "Region", "RegionYolo", "ReLU6", "Reorg", "ReorgYolo", "Resample",
          "ROIPooling", "ShuffleChannel", "SimplerNMS", "SpatialTransformer", "Upsample",
          // in Python
          "Python.rpn.proposal_layer.ProposalLayer", "Python.SSH.layers.proposal_layer.ProposalLayer"})
      map.emplace(plain(name), name);
    return map;
  }();
  return by_plain_name;
}

}  // namespace

std::optional<std::string_view> known_layer_type(std::string_view written) {
  const auto known = types().find(plain(written));
  return known == types().end() ? std::nullopt : std::optional(known->second);
}

}  // namespace mo::caffe
