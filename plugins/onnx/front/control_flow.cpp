// If, Loop and Scan. The loader has read their bodies and connected what these read from outside; here follow
// the ports of the operators themselves.
#include "support/build.hpp"

#include <mo/port_map.hpp>

namespace mo::onnx {

namespace control_flow {

struct Slices {
  int64_t axis = 0;
  bool reversed = false;
};

// Attributes <prefix>body and <prefix>port_map.
class Bodies {
 public:
  Bodies(const Node& n, std::string prefix)
      : node_(n),
        prefix_(std::move(prefix)),
        graph_(n.context(), n.attr<GraphHandle>(prefix_ + "body").id),
        lines_(n.attr<std::vector<std::string>>(prefix_ + "port_map")) {
    parameters_ = graph_.parameters();
    parameters_.resize(parameters_.size() - lines_.size());  // the rest comes from outside
    results_ = graph_.results();
  }
  const Graph& graph() const { return graph_; }
  // The body's own.
  const std::vector<Node>& parameters() const { return parameters_; }
  const std::vector<Node>& results() const { return results_; }

  void in(int64_t port, size_t parameter, std::optional<Slices> slices = {}, std::string purpose = {}) {
    add(false, port, parameter, slices, std::move(purpose));
  }
  void out(int64_t port, size_t result, std::optional<Slices> slices = {}, std::string purpose = {}) {
    add(true, port, result, slices, std::move(purpose));
  }
  void next(size_t result, size_t parameter) {
    edges_.insert(edges_.end(), {static_cast<int64_t>(result), static_cast<int64_t>(parameter)});
  }
  void set() const {
    node_.set(prefix_ + "port_map", lines_);
    if (!edges_.empty()) node_.set(prefix_ + "back_edges", edges_);
  }

  // What a Parameter gets is a slice, its dimension `axis` is 1.
  void squeeze(size_t parameter, int64_t axis) const {
    const Node& p = parameters_[parameter];
    const OutPort port = p.out_port();
    port.set_shape(port.type(), Shape::unknown());
    const Build b(graph_, p);
    const OutPort whole = b.squeeze(OutPort(), {axis});
    port.get_connection().set_source(whole, Names::source);
    whole.node().in_port(0).connect(port);
  }
  // What a Result gives becomes a part of a tensor along a new dimension.
  void unsqueeze(size_t result, int64_t axis) const {
    const Node& r = results_[result];
    const Build b(graph_, r);
    r.in_port(0).set_source(b.unsqueeze(r.in_port(0).get_source(), b.list({axis})));
  }

 private:
  void add(bool output, int64_t port, size_t internal, std::optional<Slices> slices, std::string purpose) {
    PortMapEntry e;
    e.output = output;
    e.external = port;
    e.internal = static_cast<int64_t>(internal);
    e.purpose = std::move(purpose);
    if (slices) e.axis = slices->axis;
    if (slices && slices->reversed) {
      e.start = -1;
      e.end = 0;
      e.stride = -1;
    }
    append_text(lines_.emplace_back(), e);
  }

  Node node_;
  std::string prefix_;
  Graph graph_;
  std::vector<std::string> lines_;
  std::vector<Node> parameters_, results_;
  Ints edges_;
};

// A count below 0 is none for ONNX and no limit for the IR.
static OutPort trip_count(const Build& b, size_t input) {
  if (!b.has(input)) return b.integer(-1);
  if (const auto count = b.constant(input); count && count->size() == 1 && count->integer(0) >= 0)
    return b.in(input);
  return b.op("Maximum", "opset1", {b.in(input), b.integer(0)});
}

// A state that begins as an empty sequence, gets one element in each step, and is concatenated behind the
// loop: nothing but what the steps give, collected along a new dimension.
static std::optional<int64_t> collected_along(const Build& b, const SourceNode& n, const Bodies& body,
                                              size_t state) {
  if (!b.has(2 + state) || !b.in(2 + state).node().is("SequenceEmpty") || state >= n.out_count()) return {};
  const OutPort inside = body.parameters()[2 + state].out_port();
  const Node insert = body.results()[1 + state].in_port(0).get_source().node();
  const bool grows = insert.is("SequenceInsert") && insert.in_port(0).get_source() == inside &&
                     inside.destination_count() == 1 && !insert.is_in_port_connected(2);
  if (!grows) return {};
  std::optional<int64_t> axis;
  const std::vector<InPort> readers = n.out_port(state).get_connection().get_destinations();
  for (const InPort& reader : readers) {
    const SourceNode concat(reader.node());
    if (!concat.is("ConcatFromSequence")) return {};
    const auto its = axis_of(concat);
    if (its < 0 || its > 64 || (axis && *axis != its)) return {};
    axis = its;
  }
  return axis;
}

// The result of the step is the element, and readers of the sequence read the tensor.
static void collect(const Build& b, const SourceNode& n, const Bodies& body, size_t state, int64_t axis) {
  n.in_port(2 + state).set_source(b.integer(0));  // what the body has of the sequence is not read any more
  const InPort result = body.results()[1 + state].in_port(0);
  const Node insert = result.get_source().node();
  result.set_source(insert.in_port(1).get_source());
  if (!insert.is_out_port_connected(0)) insert.remove();
  body.unsqueeze(1 + state, axis);
  const OutPort all = n.out_port(state);
  const std::vector<InPort> readers = all.get_connection().get_destinations();
  for (const InPort& reader : readers) {
    const SourceNode concat(reader.node());
    OutPort y = all;
    if (concat.native("new_axis", 0) == 0) {
      const OutPort shape = b.shape_of(all);
      Ports dims{b.list({-1}), b.part(shape, axis + 2, INT64_MAX)};
      if (axis != 0) dims.insert(dims.begin(), b.part(shape, 0, axis));
      y = b.reshape(all, b.concat(dims));
    }
    concat.out_port().get_connection().set_source(y, Names::merge);
    concat.remove();
  }
}

// The list of an attribute of Scan, one number for each of `count` tensors.
static Ints numbers(const SourceNode& n, std::string_view name, size_t count) {
  auto list = n.find_native<Ints>(name).value_or(Ints{});
  if (list.empty()) list.assign(count, 0);
  require(list.size() == count, "attribute '", name, "' has ", list.size(), " entries, expected ", count);
  return list;
}
static bool reversed(const Ints& directions, size_t i, std::string_view name) {
  require(directions[i] == 0 || directions[i] == 1, "attribute '", name, "' has ", directions[i],
          ", expected 0 or 1");
  return directions[i] == 1;
}

}  // namespace control_flow

static Ports if_else(Build&, const SourceNode& n) {
  for (const char* prefix : {"then_", "else_"}) {
    control_flow::Bodies body(n, prefix);
    require(body.parameters().empty(), "attribute '", prefix, "branch': the graph has ",
            body.parameters().size(), " inputs, expected none");
    require(body.results().size() >= n.out_count(), "attribute '", prefix, "branch': the graph has ",
            body.results().size(), " outputs, expected ", n.out_count());
    for (size_t i = 0; i < n.out_count(); ++i) body.out(static_cast<int64_t>(i), i);
    body.set();
  }
  n.set_op("If", "opset8");
  return {};
}

// Inputs: count, condition, states. The body has the number of the step, the condition and the states, and
// gives the condition, the states and parts of what is collected.
static Ports loop(Build& b, const SourceNode& n) {
  control_flow::Bodies body(n, "");
  const size_t parameters = body.parameters().size(), results = body.results().size();
  require(parameters >= 2, "attribute 'body': the graph has ", parameters, " inputs, expected at least 2");
  const size_t states = parameters - 2;
  require(results >= states + 1 && results >= n.out_count() + 1, "attribute 'body': the graph has ", results,
          " outputs, expected at least ", std::max(states, n.out_count()) + 1);
  for (size_t i = 0; i < states; ++i)
    require(b.has(2 + i), "input ", 2 + i, " is not connected, but the body expects ", states, " states");

  body.in(-1, 0, {}, "current_iteration");
  body.in(1, 1);
  body.next(0, 1);
  std::vector<std::optional<int64_t>> along(n.out_count());  // dimension in which an output is collected
  for (size_t i = 0; i < along.size(); ++i) {
    if (i >= states)
      along[i] = 0;
    else
      along[i] = control_flow::collected_along(b, n, body, i);
  }
  for (size_t i = 0; i < states; ++i) {
    body.in(static_cast<int64_t>(2 + i), 2 + i);
    if (i >= along.size() || !along[i]) body.next(1 + i, 2 + i);
  }
  body.out(-1, 0, {}, "execution_condition");
  for (size_t i = 0; i < along.size(); ++i) {
    if (along[i] && i < states) control_flow::collect(b, n, body, i, *along[i]);
    if (along[i] && i >= states) body.unsqueeze(1 + i, 0);
    body.out(static_cast<int64_t>(i), 1 + i,
             along[i] ? std::optional(control_flow::Slices{*along[i], false}) : std::nullopt);
  }
  n.in_port(0).set_source(control_flow::trip_count(b, 0));
  if (!b.has(1)) n.in_port(1).set_source(b.constant(Tensor::scalar<bool>(b.context(), true)));
  body.set();
  n.set_op("Loop", "opset5");
  return {};
}

namespace control_flow {

// Inputs: states, sequences. The body has the states and a slice of each sequence, and gives the states and
// slices of what is collected. `t` becomes the iterator; attributes are those of `n`.
static void scan(const Node& t, const SourceNode& n, std::string_view ways_in) {
  Bodies body(t, "");
  const size_t parameters = body.parameters().size(), results = body.results().size(),
               outputs = t.out_count();
  const auto count = n.native<int64_t>("num_scan_inputs");
  require(count > 0 && count <= static_cast<int64_t>(parameters), "attribute 'num_scan_inputs' is ", count,
          ", expected 1 to ", parameters, ", the number of inputs of the body");
  const auto sequences = static_cast<size_t>(count);
  const size_t states = parameters - sequences;
  require(results >= states && results >= outputs, "attribute 'body': the graph has ", results,
          " outputs, expected at least ", std::max(states, outputs));
  const size_t collected = results - states;
  const Ints in_axes = numbers(n, "scan_input_axes", sequences),
             out_axes = numbers(n, "scan_output_axes", collected), in_ways = numbers(n, ways_in, sequences),
             out_ways = numbers(n, "scan_output_directions", collected);
  for (size_t i = 0; i < states; ++i) {
    body.in(static_cast<int64_t>(i), i);
    body.next(i, i);
    if (i < outputs) body.out(static_cast<int64_t>(i), i);
  }
  for (size_t i = 0; i < sequences; ++i) {
    body.squeeze(states + i, in_axes[i]);
    body.in(static_cast<int64_t>(states + i), states + i, Slices{in_axes[i], reversed(in_ways, i, ways_in)});
  }
  for (size_t i = 0; i < collected && states + i < outputs; ++i) {
    body.unsqueeze(states + i, out_axes[i]);
    body.out(static_cast<int64_t>(states + i), states + i,
             Slices{out_axes[i], reversed(out_ways, i, "scan_output_directions")});
  }
  body.set();
  t.set_op("TensorIterator", "opset1");
}

// Up to version 8 all tensors have a batch: an iterator over its samples has one over the steps in its body.
// Input 0 is the list of lengths.
static void scan_samples(const Build& b, const SourceNode& n) {
  require(!b.has(0), "input 0, sequence_lens, is connected; it is not supported");
  n.delete_input_port(0);
  const GraphHandle step = n.attr<GraphHandle>("body");
  n.erase("body");  // for another node to hold it
  auto lines = n.attr<std::vector<std::string>>("port_map");
  const size_t inputs = n.in_count(), own = inputs - lines.size();
  for (std::string& line : lines) {
    PortMapEntry e = parse_port_map_entry(line);
    --e.external;
    line.clear();
    append_text(line, e);
  }
  const Graph sample = n.graph().create_sub_graph(text(n.name(), "/sample"));
  Ports sources;
  for (size_t i = 0; i < inputs; ++i) {
    const Node p = sample.create_node("Parameter", "opset1", text("in_", i));
    if (const ElementType type = b.in(i).type(); type != ElementType::unknown) p.set("element_type", type);
    p.out_port().set_shape(b.in(i).type(), Shape::unknown());
    sources.push_back(p.out_port());
  }
  const auto outputs = static_cast<uint32_t>(n.out_count());
  const Node steps =
      sample.create_node("TensorIterator", "opset1", text(n.name(), "/steps"), sources, outputs);
  for (uint32_t i = 0; i < outputs; ++i)
    sample.create_node("Result", "opset1", text("out_", i), {steps.out_port(i)});
  steps.set("body", step).set("port_map", lines);
  scan(steps, n, "directions");

  n.set("body", GraphHandle{sample.id()}).set("port_map", std::vector<std::string>{});
  Bodies body(n, "");
  for (size_t i = 0; i < inputs; ++i) {
    if (i < own) body.squeeze(i, 0);
    body.in(static_cast<int64_t>(i), i, i < own ? std::optional(Slices{}) : std::nullopt);
  }
  for (size_t i = 0; i < outputs; ++i) {
    body.unsqueeze(i, 0);
    body.out(static_cast<int64_t>(i), i, Slices{});
  }
  body.set();
  n.set_op("TensorIterator", "opset1");
}

}  // namespace control_flow

static Ports scan(Build& b, const SourceNode& n) {
  if (n.version() < 9)
    control_flow::scan_samples(b, n);
  else
    control_flow::scan(n, n, "scan_input_directions");
  return {};
}

void register_control_flow(Registry& r) {
  replace<if_else>(r, {"If", "If(condition)", "If(condition, x, …) with what the bodies read as inputs"});
  replace<loop>(r, {"Loop", "Loop(count, condition, states)", "Loop(count, condition, states, x, …)"});
  replace<scan>(r, {"Scan", "Scan(states, sequences)", "TensorIterator(states, sequences, x, …)"});
}

}  // namespace mo::onnx
