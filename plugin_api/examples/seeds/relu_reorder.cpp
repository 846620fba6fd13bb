// Conv(Reshape(Transpose(Reshape(ReLU(x)))))  ->  Conv(ReLU(Reshape(Transpose(Reshape(x))))):
// extensions/back/ShufflenetReLUReorder.py, a pattern of the back phase.
#include <algorithm>

#include "seeds.hpp"

namespace seeds {

struct ReluReorder : mo::BackReplacementPattern {
  ReluReorder() {
    id = "seeds.back.relu_reorder";
    doc = "ReLU moves behind a channel shuffle, next to the convolution with pads that reads it";
    before = "Convolution(Reshape(Transpose(Reshape(ReLU(x)))))";
    after = "Convolution(ReLU(Reshape(Transpose(Reshape(x)))))";
    enabled = false;  // for one kind of hardware
  }

  mo::SubgraphPattern pattern() override {
    using mo::edge;
    return {{{"relu", mo::wrap_type({"ReLU"})},
             {"relu_data", mo::data_node()->one_consumer()},
             {"reshape1", mo::wrap_type({"Reshape"})},
             {"reshape1_data", mo::data_node()->one_consumer()},
             {"transpose", mo::wrap_type({"Transpose"})},
             {"transpose_data", mo::data_node()->one_consumer()},
             {"reshape2", mo::wrap_type({"Reshape"})},
             {"reshape2_data", mo::data_node()->one_consumer()},
             {"conv", mo::wrap_type({"Convolution"})}},
            {edge("relu", "relu_data"), edge("relu_data", "reshape1").in(0),
             edge("reshape1", "reshape1_data"), edge("reshape1_data", "transpose").in(0),
             edge("transpose", "transpose_data"), edge("transpose_data", "reshape2").in(0),
             edge("reshape2", "reshape2_data"), edge("reshape2_data", "conv").in(0)}};
  }

  void replace_pattern(mo::Graph, mo::Match& match) override {
    const mo::Node relu = match["relu"], conv = match["conv"];
    const auto padded = [&](std::string_view side) {
      const auto pads = conv.attr<std::vector<int64_t>>(side, {});
      return std::any_of(pads.begin(), pads.end(), [](int64_t p) { return p != 0; });
    };
    mo::only_when(padded("pads_begin") || padded("pads_end"), "the convolution has no pads");

    relu.out_port().get_connection().set_source(relu.in_port(0).get_source());
    relu.in_port(0).disconnect();
    match["reshape2"].out_port().get_connection().insert_node(relu);
  }
};

void register_relu_reorder(mo::Registry& registry) { registry.transformation<ReluReorder>(); }

}  // namespace seeds
