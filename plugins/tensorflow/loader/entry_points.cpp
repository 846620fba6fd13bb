#include "loader/entry_points.hpp"

#include "loader/graph_reader.hpp"
#include "loader/variables.hpp"

#include <charconv>

namespace mo::tensorflow {

Body prune(Body body, std::vector<Body::Output>& outputs) {
  constexpr uint32_t gone = ~uint32_t{0};
  const std::vector<bool> needed = reachable(body, outputs);
  std::vector<uint32_t> moved(body.nodes.size(), gone);
  uint32_t count = 0;
  for (size_t i = 0; i < needed.size(); ++i)
    if (needed[i]) moved[i] = count++;
  Body out;
  out.nodes.reserve(count);
  for (size_t i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    NodeDef& n = out.nodes.emplace_back(std::move(body.nodes[i]));
    for (Source& s : n.inputs) s.node = moved[s.node];
    std::vector<uint32_t> controls;
    for (const uint32_t c : n.controls)
      if (moved[c] != gone) controls.push_back(moved[c]);
    n.controls = std::move(controls);
  }
  for (const uint32_t a : body.arguments)
    if (moved[a] != gone) out.arguments.push_back(moved[a]);
  for (Body::Output& o : outputs) o.from.node = moved[o.from.node];
  return out;
}

namespace {

std::unordered_map<std::string_view, uint32_t> numbers_of(const Body& body) {
  std::unordered_map<std::string_view, uint32_t> numbers;
  for (uint32_t i = 0; i < body.nodes.size(); ++i) numbers.emplace(body.nodes[i].name, i);
  return numbers;
}

std::optional<uint32_t> parse_port(std::string_view s) {
  uint32_t n = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
  if (error != std::errc() || end != s.data() + s.size() || n >= 1U << 16) return std::nullopt;
  return n;
}

bool has_prefix(std::string_view s, std::string_view prefix) { return s.substr(0, prefix.size()) == prefix; }

// An input of the model; one with a default is a default of the signature.
bool is_input(const NodeDef& n) { return n.op == "Placeholder" || n.op == "PlaceholderWithDefault"; }

// Nodes with an effect, or that are there for one.
bool is_for_training(const NodeDef& n) {
  for (const std::string_view name : {"save/", "gradients/", "report_uninitialized", "init/"})
    if (has_prefix(n.name, name)) return true;
  for (const std::string_view prefix :
       {"Assign", "Apply", "ResourceApply", "SparseApply", "ResourceSparseApply", "Scatter",
        "ResourceScatter", "Save", "Restore", "MergeV2", "Sharded", "Merge", "Queue", "Iterator",
        "Initialize", "LookupTable", "Write", "Create"})
    if (has_prefix(n.op, prefix) && n.op != "IteratorGetNext" && n.op != "ScatterNd" && n.op != "Merge" &&
        n.op != "LookupTableFindV2" && n.op != "LookupTableFind")
      return true;
  for (const std::string_view op :
       {"IsVariableInitialized", "VarIsInitializedOp", "ScalarSummary", "HistogramSummary", "ImageSummary",
        "MergeSummary", "StringJoin", "CheckpointExists"})
    if (n.op == op) return true;
  return is_variable(n.op);
}

}  // namespace

std::vector<Body::Output> outputs_of(const Body& body, const Signature& signature) {
  const auto numbers = numbers_of(body);
  std::vector<Body::Output> outputs;
  for (const auto& [argument, tensor] : signature.outputs) {
    const size_t colon = std::min(tensor.find(':'), tensor.size());
    const auto found = numbers.find(tensor.substr(0, colon));
    const auto port =
        colon == tensor.size() ? std::optional<uint32_t>(0) : parse_port(tensor.substr(colon + 1));
    require(found != numbers.end() && port, "output '", argument, "' of the signature is '", tensor,
            "', which the graph does not have");
    outputs.push_back({body.nodes[found->second].name, {found->second, *port}});
  }
  return outputs;
}

std::vector<Body::Output> chosen_outputs(Context c, const Body& body) {
  const std::string given = option<std::string>(c, "output").value_or("");
  const auto numbers = numbers_of(body);
  std::vector<Body::Output> outputs;
  for (std::string_view rest = given; !rest.empty();) {
    const size_t end = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t first = word.find(':'), last = word.rfind(':');
    auto found = numbers.find(word.substr(0, last));
    if (found == numbers.end() && first != std::string_view::npos)
      found = numbers.find(word.substr(first + 1));
    if (found == numbers.end()) return {};
    outputs.push_back({body.nodes[found->second].name, {found->second, 0}});
  }
  return outputs;
}

std::vector<Body::Output> inference_leaves(TensorflowModel& model, const Body& body, const Scope& scope) {
  std::vector<Body::Output> outputs = leaves(model, body, scope);
  const auto aside = [&](const Body::Output& o) { return is_for_training(body.nodes[o.from.node]); };
  outputs.erase(std::remove_if(outputs.begin(), outputs.end(), aside), outputs.end());
  return outputs;
}

std::optional<EntryFunction> enter_function(TensorflowModel& model, const Body& body, const Scope& scope,
                                            const std::vector<Body::Output>& outputs) {
  if (outputs.empty()) return std::nullopt;
  const uint32_t number = outputs.front().from.node;
  for (const Body::Output& o : outputs)
    if (o.from.node != number) return std::nullopt;
  const NodeDef& call = body.nodes[number];
  const auto function = model.called_by(call, scope);
  if (!function) return std::nullopt;
  for (const Source& s : call.inputs)
    if (!body.nodes[s.node].inputs.empty() && !is_input(body.nodes[s.node])) return std::nullopt;

  EntryFunction entry;
  entry.scope = &model.enter(scope, *function, {});
  entry.body = read_function(model, *entry.scope);
  entry.name = function->name;
  require(entry.body.arguments.size() == call.inputs.size(), describe(call), ": it gives ",
          call.inputs.size(), " inputs to function '", function->name, "', which takes ",
          entry.body.arguments.size());
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    NodeDef& argument = entry.body.nodes[entry.body.arguments[i]];
    const NodeDef& given = body.nodes[call.inputs[i].node];
    const std::string_view name = argument.name;
    argument = given;
    argument.controls.clear();
    argument.inputs.clear();
    if (is_input(given)) {
      argument.name = name;
      argument.op = "Placeholder";
    } else {
      entry.captured.push_back(is_variable(given.op) ? given.name : std::string_view());
    }
  }
  entry.body.arguments.clear();
  for (const Body::Output& o : outputs) {
    require(o.from.output < entry.body.outputs.size(), "output ", o.from.output, " of ", describe(call),
            " is read, which has ", entry.body.outputs.size());
    const Source from = entry.body.outputs[o.from.output].from;
    entry.outputs.push_back({entry.body.nodes[from.node].name, from});
  }
  entry.body.outputs.clear();
  return entry;
}

}  // namespace mo::tensorflow
