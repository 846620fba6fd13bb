#include "loader/list_flows.hpp"

#include "loader/encode.hpp"

#include <algorithm>

namespace mo::tensorflow {

namespace {

// The output that is a flow.
std::optional<uint32_t> made_by(std::string_view op) {
  if (op == "TensorArrayV3") return 1;
  for (const std::string_view writer : {"TensorArrayWrite", "TensorArrayScatter", "TensorArraySplit"})
    if (op.substr(0, writer.size()) == writer) return 0;
  return std::nullopt;
}

// What has the handle as its first input and the flow among others.
bool reads_handle(std::string_view op) {
  for (const std::string_view reader :
       {"TensorArrayRead", "TensorArrayWrite", "TensorArrayGather", "TensorArrayScatter", "TensorArraySize",
        "TensorArrayConcat", "TensorArraySplit"})
    if (op.substr(0, reader.size()) == reader) return true;
  return false;
}

// How many outputs give the first input as it is.
uint32_t passing_outputs(std::string_view op) {
  for (const std::string_view same : {"Identity", "Enter", "Exit", "NextIteration", "Merge", "StopGradient"})
    if (op == same) return 1;
  return op == "Switch" ? 2 : 0;
}

}  // namespace

void make_flows_lists(TensorflowModel& model, Body& body) {
  std::vector<uint32_t> waiting;
  for (uint32_t i = 0; i < body.nodes.size(); ++i)
    if (made_by(body.nodes[i].op)) waiting.push_back(i);
  if (waiting.empty()) return;
  for (NodeDef& n : body.nodes)
    if (reads_handle(n.op) && n.inputs.size() > 1) n.inputs.front() = n.inputs[1];
  const auto is_flow = [&](const Source& s) {
    const std::string_view op = body.nodes[s.node].op;
    const auto made = made_by(op);
    return made ? s.output == *made : s.output < passing_outputs(op);
  };
  std::vector<std::vector<uint32_t>> readers(body.nodes.size());
  for (uint32_t i = 0; i < body.nodes.size(); ++i) {
    if (passing_outputs(body.nodes[i].op) == 0) continue;
    for (const Source& s : body.nodes[i].inputs)
      if (is_flow(s)) readers[s.node].push_back(i);
  }
  const std::string_view variant =
      model.keep(encode::integer(field::attr::type, static_cast<uint64_t>(DataType::variant)));
  std::vector<bool> found(body.nodes.size(), false);
  while (!waiting.empty()) {
    const uint32_t at = waiting.back();
    waiting.pop_back();
    for (const uint32_t r : readers[at]) {
      NodeDef& n = body.nodes[r];
      if (found[r] || (passing_outputs(n.op) == 2 && n.inputs.front().node != at)) continue;
      found[r] = true;
      n.made.emplace_back("T", variant);
      waiting.push_back(r);
    }
  }
}

}  // namespace mo::tensorflow
