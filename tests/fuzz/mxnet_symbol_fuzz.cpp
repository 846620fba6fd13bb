// Symbols of MXNet, of two kinds as the first byte says: 0 is the text of a file; from the bytes after a 1 a
// symbol is made that is JSON whatever they are, so that operators are tried with attributes and inputs that
// nobody would write.
#include <array>

#include "custom_mutator.hpp"
#include "one_model.hpp"

namespace {

constexpr std::array ops{"null",
                         "Convolution",
                         "Deconvolution",
                         "FullyConnected",
                         "BatchNorm",
                         "Pooling",
                         "Activation",
                         "LeakyReLU",
                         "softmax",
                         "SoftmaxOutput",
                         "Reshape",
                         "transpose",
                         "SwapAxis",
                         "expand_dims",
                         "squeeze",
                         "Concat",
                         "stack",
                         "SliceChannel",
                         "slice",
                         "slice_axis",
                         "slice_like",
                         "Crop",
                         "tile",
                         "repeat",
                         "broadcast_to",
                         "broadcast_axis",
                         "Pad",
                         "take",
                         "Embedding",
                         "pick",
                         "gather_nd",
                         "one_hot",
                         "where",
                         "topk",
                         "argmax",
                         "sum",
                         "norm",
                         "dot",
                         "batch_dot",
                         "LayerNorm",
                         "InstanceNorm",
                         "L2Normalization",
                         "LRN",
                         "UpSampling",
                         "_contrib_BilinearResize2D",
                         "ROIPooling",
                         "_contrib_ROIAlign",
                         "_contrib_Proposal",
                         "_contrib_MultiBoxPrior",
                         "_contrib_MultiBoxDetection",
                         "_contrib_box_nms",
                         "RNN",
                         "SequenceMask",
                         "SequenceLast",
                         "SequenceReverse",
                         "_arange",
                         "_zeros",
                         "zeros_like",
                         "clip",
                         "Cast",
                         "cumsum",
                         "_np_roll",
                         "_npi_einsum",
                         "fft",
                         "ifft",
                         "Custom",
                         "_plus_scalar",
                         "broadcast_equal",
                         "depth_to_space",
                         "reverse",
                         "_split_v2",
                         "broadcast_like",
                         "_contrib_arange_like",
                         "GroupNorm",
                         "Correlation",
                         "_random_normal",
                         "_contrib_quantize_v2",
                         "_contrib_requantize",
                         "_contrib_dequantize",
                         "_contrib_quantized_conv",
                         "_contrib_quantized_concat",
                         "_contrib_quantized_elemwise_add"};
constexpr std::array keys{"kernel",
                          "stride",
                          "pad",
                          "dilate",
                          "num_filter",
                          "num_group",
                          "num_hidden",
                          "axis",
                          "axes",
                          "shape",
                          "reverse",
                          "begin",
                          "end",
                          "step",
                          "dim",
                          "dim1",
                          "dim2",
                          "num_outputs",
                          "squeeze_axis",
                          "act_type",
                          "pool_type",
                          "pooling_convention",
                          "global_pool",
                          "layout",
                          "mode",
                          "state_size",
                          "num_layers",
                          "bidirectional",
                          "scale",
                          "sample_type",
                          "sizes",
                          "ratios",
                          "steps",
                          "offsets",
                          "pooled_size",
                          "spatial_scale",
                          "size",
                          "reps",
                          "repeats",
                          "pad_width",
                          "k",
                          "ret_typ",
                          "depth",
                          "dtype",
                          "start",
                          "stop",
                          "repeat",
                          "offset",
                          "h_w",
                          "center_crop",
                          "coord_start",
                          "score_index",
                          "id_index",
                          "subscripts",
                          "shift",
                          "block_size",
                          "__shape__",
                          "height",
                          "width",
                          "target_shape",
                          "use_sequence_length",
                          "op_type",
                          "nsize",
                          "keepdims",
                          "exclude",
                          "indices",
                          "sections",
                          "num_groups",
                          "a_min",
                          "a_max",
                          "scalar",
                          "output_size",
                          "state_outputs",
                          "value",
                          "lhs_axes",
                          "rhs_axes"};
constexpr std::array values{"0",
                            "1",
                            "2",
                            "-1",
                            "-2",
                            "3",
                            "-3",
                            "100000",
                            "9223372036854775807",
                            "-9223372036854775808",
                            "0.5",
                            "1e308",
                            "nan",
                            "None",
                            "True",
                            "False",
                            "",
                            "()",
                            "(1,)",
                            "(2, 2)",
                            "(0, -1)",
                            "(-4, 2, -1)",
                            "(-2,)",
                            "(-3, 0)",
                            "(1, 2, 3, 4)",
                            "(2, 3, 8, 8)",
                            "(None, 2)",
                            "(0.1, 0.2)",
                            "(1, 0, 2, 3)",
                            "(3, 3)",
                            "(0, 0)",
                            "(2147483647, 2)",
                            "relu",
                            "prelu",
                            "max",
                            "avg",
                            "full",
                            "same",
                            "NHWC",
                            "lstm",
                            "gru",
                            "nearest",
                            "bilinear",
                            "value",
                            "both",
                            "float16",
                            "channel",
                            "like",
                            "ij,jk->ik",
                            "edge",
                            "reflect",
                            "constant",
                            "(1, 1, 0, 0, 1, 1, 2, 2)",
                            "(",
                            "(1, x)"};

std::string symbol_of(const uint8_t* at, const uint8_t* end) {
  const auto next = [&]() -> size_t { return at == end ? 0 : *at++; };
  std::string nodes =
      R"j({"op": "null", "name": "n0", "attrs": {"__shape__": "(2, 3, 8, 8)"}, "inputs": []})j";
  size_t count = 1;
  while (at != end && count < 64) {
    const std::string name = "n" + std::to_string(count);
    nodes += R"j(, {"op": ")j" + std::string(ops[next() % ops.size()]);
    nodes += R"j(", "name": ")j" + name + R"j(", "attrs": {)j";
    for (size_t i = 0, n = next() % 6; i < n; ++i) {
      nodes += i == 0 ? "\"" : ", \"";
      nodes += keys[next() % keys.size()];
      nodes += "\": \"";
      nodes += values[next() % values.size()];
      nodes += "\"";
    }
    nodes += R"j(}, "inputs": [)j";
    for (size_t i = 0, n = next() % 5; i < n; ++i) {
      const size_t from = next();
      nodes +=
          (i == 0 ? "[" : ", [") + std::to_string(from % count) + ", " + std::to_string(from / 240) + ", 0]";
    }
    nodes += "]}";
    ++count;
  }
  return R"j({"nodes": [)j" + nodes + R"j(], "heads": [[)j" + std::to_string(count - 1) + ", 0, 0]]}";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  if (size == 0) return 0;
  const bool whole = (data[0] & 1) == 0;
  const std::string text = whole ? std::string(reinterpret_cast<const char*>(data) + 1, size - 1)
                                 : symbol_of(data + 1, data + size);
  const auto path = fuzz_folder() / "symbols" / "net-symbol.json";
  write_file(path, text);
  Reader("mxnet", "mxnet").read(path.string());
  return 0;
}
