// What the configurations of detectors share: nodes found by name, and the operation that ends a detector.
#pragma once

#include "support/build.hpp"

namespace mo::tensorflow {

// The node that custom attribute `key` names; an error that says what to do when there is none.
Node named_node(const Graph& g, std::string_view key, const std::string& name);

void remove_results(const Graph& g);
// What only Results read is an output no more; an error when something else reads it.
void remove_results_of(const OutPort& x);
// The model gives `x`, which is known by the name of its node from now on.
void add_result(const Graph& g, const OutPort& x);

// [N, …] becomes [N, all the rest].
OutPort flattened(const Build& b, const OutPort& x);

// Attributes come from the configuration; those of `preset` that it does not have, from there.
struct DetectionPreset {
  int64_t background = 0;
  int64_t top_k = -1;
  std::optional<int64_t> keep_top_k = {};
  std::string code_type = {};
  bool clip_before_nms = false;
  std::optional<double> overlap = {};  // goes before the configuration's nms_threshold
};
Node add_detection_output(const Graph& g, const std::string& name, const Ports& inputs, const Json& a,
                          const DetectionPreset& preset);

// Whether the node is an operator of TensorFlow that nothing has translated yet.
inline bool is_native(const Node& n, std::string_view op) { return n.opset().empty() && n.op() == op; }

}  // namespace mo::tensorflow
