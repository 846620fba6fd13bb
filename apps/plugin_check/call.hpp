// Calling what a plugin registered the way the host does, and looking at the answer.
#pragma once

#include "apps/views/text.hpp"
#include "core/registry/session.hpp"

namespace mo::core::checks {

// A rule is broken. Thrown by a case.
struct Finding {
  std::string text;
};
// There is nothing to try here. Thrown by a case.
struct Skipped {
  std::string why;
};

template <class... Args>
[[noreturn]] void broken(const Args&... args) {
  throw Finding{text(args...)};
}

struct Answer {
  mo_status status = MO_OK;
  std::string text;
  std::vector<TensorState> outputs;
  bool ok() const { return status == MO_OK; }
};

// "" or what is wrong with the way it failed, whatever the reason: an exception, no text, no such status.
std::string broken_contract(const Answer&);
void require_contract(const Answer&, const std::string& where);

// A node with an operation, and the nodes that feed it. Inputs without a source are not connected.
struct Sample {
  GraphPtr graph;
  NodeId node = no_node;
};

const TensorState& input_of(const Sample&, size_t i);
bool is_connected(const Sample&, size_t i);
size_t inputs_of(const Sample&);
void set_input(const Sample&, size_t i, TensorState);
std::vector<TensorState> input_states(const Sample&);
void set_inputs(const Sample&, const std::vector<TensorState>&);

Answer call_infer(Session&, const Sample&, const Operation&);
// infer first: nullopt unless it succeeds and all inputs have values. evaluate does not see what infer said.
Answer call_evaluate(Session&, const Sample&, const Operation&);
// With these in the place of the inputs' values.
Answer call_evaluate(Session&, const Sample&, const Operation&, const std::vector<TensorRef>& inputs);
Answer call_extract(Session&, Graph&, NodeId, const Extractor&);

// "inputs f32[2,3], i64[1] {1}; attributes {axis=1}"
std::string describe_call(const Sample&);

// "" or why what is known in general does not hold of a special case.
std::string uncovered(const TensorState& general, const TensorState& special);
// "" or the first difference.
std::string difference(const std::vector<TensorState>&, const std::vector<TensorState>&);

}  // namespace mo::core::checks
