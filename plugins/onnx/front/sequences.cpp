// Sequences and optional values, of which the IR has none: where a sequence is made in the same graph, what
// is taken from it is taken from where its elements came from. What makes them is left behind unused.
#include "support/build.hpp"

namespace mo::onnx {

namespace sequences {

constexpr size_t most_elements = 4096;

static const char* const reason = "its elements cannot be told from the model, and the IR has no sequences";

static std::optional<int64_t> constant_index(const SourceNode& n, size_t input) {
  const auto value = n.in_port(input).get_source().value();
  require(value && value->size() == 1, "input ", input, ", a position, is not a constant; ", reason);
  return value->integer(0);
}

static size_t place(int64_t index, size_t count, const char* what) {
  const auto size = static_cast<int64_t>(count);
  require(index >= -size && index < size, what, " ", index, " is outside of a sequence of ", size,
          " elements");
  return static_cast<size_t>(index < 0 ? index + size : index);
}

static Ports split_parts(const SourceNode& n) {
  const Build b(n.graph(), n);
  const OutPort x = n.in_port(0).get_source();
  const auto axis = axis_of(n, 0);
  const Shape s = x.shape();
  const Dim whole = s.has_rank() ? s[normalize_axis(axis, s.size())] : any_dim;
  const auto parts_of = [&](const Ints& lengths) {
    require(lengths.size() <= most_elements, "it has ", lengths.size(), " parts, more than ", most_elements);
    const Node v = b.node("VariadicSplit", "opset1", {x, b.integer(axis), b.list(lengths)},
                          static_cast<uint32_t>(lengths.size()));
    return v.out_ports();
  };
  const auto equal = [&](int64_t length) {
    require(whole.is_static(), "dimension ", axis, " of input 0 cannot be told from the model; ", reason);
    require(length > 0, "input 1 is ", length, ", expected a length above 0");
    Ints lengths(static_cast<size_t>(std::min<int64_t>(whole.value() / length, most_elements + 1)), length);
    if (whole.value() % length != 0) lengths.push_back(whole.value() % length);
    return parts_of(lengths);
  };
  if (n.is_in_port_connected(1)) {
    const auto lengths = n.in_port(1).get_source().value();
    require(lengths.has_value(), "input 1, the lengths of the parts, is not a constant; ", reason);
    if (lengths->rank() == 0) return equal(lengths->integer(0));
    return parts_of(lengths->to_ints());
  }
  Ports parts = equal(1);
  if (n.native("keepdims", 1) == 0)
    for (OutPort& p : parts) p = b.squeeze(p, {axis});
  return parts;
}

static Ports elements(const OutPort& sequence, int depth = 0) {
  require(depth < 1000, "sequences are made of one another in more than 1000 steps");
  const SourceNode n(sequence.node());
  const std::string op = n.op_name();
  const auto from = [&] { return elements(n.in_port(0).get_source(), depth + 1); };
  if (op == "SequenceEmpty") return {};
  if (op == "Identity" || op == "Optional" || op == "OptionalGetElement") return from();
  if (op == "SplitToSequence") return split_parts(n);
  if (op == "SequenceConstruct") {
    Ports all;
    for (size_t i = 0; i < n.in_count(); ++i) all.push_back(n.in_port(i).get_source());
    return all;
  }
  if (op == "SequenceInsert") {
    Ports all = from();
    const auto size = static_cast<int64_t>(all.size());
    const int64_t at = n.is_in_port_connected(2) ? *constant_index(n, 2) : size;
    require(at >= -size && at <= size, "position ", at, " is outside of a sequence of ", size, " elements");
    require(all.size() < most_elements, "a sequence has more than ", most_elements, " elements");
    all.insert(all.begin() + (at < 0 ? at + size : at), n.in_port(1).get_source());
    return all;
  }
  if (op == "SequenceErase") {
    Ports all = from();
    const int64_t at = n.is_in_port_connected(1) ? *constant_index(n, 1) : -1;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(place(at, all.size(), "position")));
    return all;
  }
  fail("the sequence it reads comes from node '", n.name(), "' (", op, "); ", reason);
}

static bool is_sequence(const OutPort& value) {
  const std::string op = value.node().op_name();
  return op.substr(0, 8) == "Sequence" && op != "SequenceAt" && op != "SequenceLength";
}

}  // namespace sequences

static Ports sequence_at(Build& b, const SourceNode& n) {
  const Ports all = sequences::elements(b.in(0));
  const auto index = sequences::constant_index(n, 1);
  return bypass(n, all[sequences::place(*index, all.size(), "position")]);
}

static Ports sequence_length(Build& b, const SourceNode&) {
  return {b.integer(static_cast<int64_t>(sequences::elements(b.in(0)).size()))};
}

static Ports concat_from_sequence(Build& b, const SourceNode& n) {
  Ports all = sequences::elements(b.in(0));
  require(!all.empty(), "the sequence it reads is empty");
  const auto axis = axis_of(n);
  if (n.native("new_axis", 0) != 0)
    for (OutPort& x : all) x = b.unsqueeze(x, b.list({axis}));
  if (all.size() == 1) return {n.native("new_axis", 0) != 0 ? all[0] : b.reshape(all[0], b.shape_of(all[0]))};
  return {b.concat(all, axis)};
}

// An optional value is there, or it is not: the model says so.
static Ports optional_has_element(Build& b, const SourceNode&) {
  bool there = b.has(0);
  if (there) {
    const Node from = b.in(0).node();
    if (from.is("Optional")) there = from.is_in_port_connected(0);
  }
  return {b.constant(Tensor::scalar<bool>(b.context(), there))};
}

// What holds sequences stays for those that read it.
static Ports optional_get_element(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  if (sequences::is_sequence(x)) return {};
  if (!x.node().is("Optional")) return bypass(n, x);
  require(x.node().is_in_port_connected(0), "the optional value it reads is empty");
  const OutPort value = x.node().in_port(0).get_source();
  if (sequences::is_sequence(value)) return {};
  return bypass(n, value);
}

// What makes a sequence stays, unused when all that reads it is replaced.
class Sequences : public FrontReplacementOp {
 public:
  Sequences() {
    id = "onnx.front.sequences";
    doc = "what is taken from a sequence or an optional value is taken from where it came from";
    before = "SequenceAt(SequenceConstruct(a, b), 1)";
    after = "b";
    frameworks = {"onnx"};
    run_after = {"onnx.front.loop"};  // it takes what loops collect
    ops = {"::SequenceAt",
           "::SequenceLength",
           "::ConcatFromSequence",
           "::OptionalHasElement",
           "::OptionalGetElement",
           "::SequenceConstruct",
           "::SequenceEmpty",
           "::SequenceInsert",
           "::SequenceErase",
           "::SplitToSequence",
           "::Optional"};
  }
  std::vector<OutPort> replace_op(Graph g, Node n) override {
    Build b(g, n);
    const Ports ports = without_sequence(b, SourceNode(n), n.op());
    if (!ports.empty()) require_outputs(n, ports);
    return ports;
  }

 private:
  static Ports without_sequence(Build& b, const SourceNode& source, const std::string& type) {
    if (type == "SequenceAt") return sequence_at(b, source);
    if (type == "SequenceLength") return sequence_length(b, source);
    if (type == "ConcatFromSequence") return concat_from_sequence(b, source);
    if (type == "OptionalHasElement") return optional_has_element(b, source);
    if (type == "OptionalGetElement") return optional_get_element(b, source);
    return {};
  }
};

void register_sequences(Registry& r) { r.transformation<Sequences>(); }

}  // namespace mo::onnx
