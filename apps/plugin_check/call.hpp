// Calling what a plugin registered the way the host does, and looking at the answer.
#pragma once

#include "apps/views/text.hpp"
#include "core/registry/session.hpp"

#include <functional>

namespace mo::app::checks {

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

// Breaks a rule when f leaves the process as another one than it was, or writes to standard output.
void require_same_process(const std::string& what, const std::function<void()>& f);

struct Answer {
  mo_status status = MO_OK;
  std::string text;
  std::vector<core::TensorState> outputs;
  bool ok() const { return status == MO_OK; }
};

// "" or what is wrong with the way it failed, whatever the reason: an exception, no text, no such status.
std::string broken_contract(const Answer&);
void require_contract(const Answer&, const std::string& where);

// A node with an operation, and the nodes that feed it. Inputs without a source are not connected.
struct Sample {
  core::GraphPtr graph;
  core::NodeId node = core::no_node;
};

const core::TensorState& input_of(const Sample&, size_t i);
bool is_connected(const Sample&, size_t i);
size_t inputs_of(const Sample&);
void set_input(const Sample&, size_t i, core::TensorState);
std::vector<core::TensorState> input_states(const Sample&);
void set_inputs(const Sample&, const std::vector<core::TensorState>&);

Answer call_infer(core::Session&, const Sample&, const core::Operation&);
// infer first: nullopt unless it succeeds and all inputs have values. evaluate does not see what infer said.
Answer call_evaluate(core::Session&, const Sample&, const core::Operation&);
// With these in the place of the inputs' values.
Answer call_evaluate(core::Session&, const Sample&, const core::Operation&,
                     const std::vector<core::TensorRef>& inputs);
Answer call_extract(core::Session&, core::Graph&, core::NodeId, const core::Extractor&);

// "inputs f32[2,3], i64[1] {1}; attributes {axis=1}"
std::string describe_call(const Sample&);

// "" or why what is known in general does not hold of a special case.
std::string uncovered(const core::TensorState& general, const core::TensorState& special);
// "" or the first difference.
std::string difference(const std::vector<core::TensorState>&, const std::vector<core::TensorState>&);

}  // namespace mo::app::checks
