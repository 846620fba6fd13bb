#include "core/ir/checks.hpp"
#include "core/ir/xml_writer.hpp"
#include "core/registry/opsets.hpp"
#include "core/support/nearest.hpp"

namespace mo::core {

namespace {

constexpr int newest_opset_of_v10 = 7;

std::string header_of(std::string_view type, std::string_view version) {
  std::string out;
  XmlWriter xml([&](std::string_view s) { out += s; });
  xml.attribute("type", type).attribute("version", version).flush();
  return out;
}

std::vector<std::string> known_ops(const Registry& registry) {
  std::vector<std::string> names;
  for (const Operation* o : registry.operations()) names.push_back(o->op);
  return names;
}

// The last release that certainly has no such type: its documentation lists element types, or it is older
// than the change that brought the type. Empty for those of 2021.4.
std::string_view last_without(ElementType t) {
  using enum ElementType;
  if (t == nf4 || t == string) return "2022.3";
  if (t == u2 || t == u3 || t == u6 || t == f8e4m3 || t == f8e5m2) return "2023.3";
  return t == f4e2m1 || t == f8e8m0 ? "2024.1" : "";
}

// Empty for a type that every reader takes.
std::string type_problem(ElementType t, const IrReader& reader) {
  // Runtimes of that version take the first element from the high bits, later ones from the low bits,
  // whatever the version of the file.
  if (reader.ir_version == 10 && (t == ElementType::u4 || t == ElementType::i4))
    return text("runtimes disagree about the order of ", name(t), " elements in IR version 10");
  const std::string_view last = last_without(t);
  if (reader.release->name > last && (reader.ir_version > 10 || last.empty())) return {};
  if (reader.ir_version == 10) return text("IR version 10 has no element type ", name(t));
  return text("release ", reader.release->name, " has no element type ", name(t));
}

constexpr std::string_view hint_v11 = "--ir_version 11 can express it";
constexpr std::string_view hint_target = "--target names the oldest release that has to read the files";

// The end of a sentence about an operation that a reader does not have.
std::string first_is(std::string_view release) {
  return release.empty() ? " and no release has it" : text("; the first release that has it is ", release);
}

// In version 10 a dimension is a number, so a largest size stands for sizes that only the run shows. Sizes of
// inputs are asked for.
bool has_numbers(const Shape& s, LayerKind::Form form) {
  if (form == LayerKind::parameter || !s.has_rank()) return s.is_static();
  return std::none_of(s.begin(), s.end(), [](const Dim& d) { return d.is_unbounded(); });
}

bool is_empty(const Shape& s) {
  return s.has_rank() && std::any_of(s.begin(), s.end(), [](const Dim& d) { return d == Dim(0); });
}

}  // namespace

LayerKind make_kind(const Registry& registry, const Graph& g, NodeId n, const IrReader& reader) {
  const std::string_view op = g.op(n), opset = g.opset(n);
  LayerKind kind;
  const NodeRecord& record = g.node(n);
  const bool own = record.op == g.space().parameter || record.op == g.space().result || g.is_const(n);
  kind.header = header_of(op, own ? "opset1" : opset);
  if (own) {
    kind.form = g.is_const(n)                      ? LayerKind::constant
                : record.op == g.space().parameter ? LayerKind::parameter
                                                   : LayerKind::result;
    return kind;
  }
  kind.operation = registry.operation(record.op, record.opset);
  const int number = opset_number(opset);
  const std::string_view first =
      number == 0 || kind.operation == nullptr ? opset : first_release_of(registry, *kind.operation);
  if (opset.empty()) {
    kind.code = "MO0701";
    kind.problem = text("no extractor or transformation turned ", op, " into an operation of the IR");
    kind.hint = "load a plugin that knows the operation (--extensions)";
  } else if (kind.operation == nullptr) {
    const std::string near = did_you_mean(op, known_ops(registry));
    kind.code = "MO0702";
    kind.problem = text("no plugin defines ", opset, "::", op, near.empty() ? "" : text(" (", near, ")"));
    kind.hint = "load a plugin that knows the operation (--extensions)";
  } else if (reader.ir_version == 10 && number > newest_opset_of_v10) {
    kind.code = "MO0705";
    kind.problem = text(opset, "::", op, " is newer than IR version 10, which ends with opset",
                        newest_opset_of_v10, first_is(first));
    kind.hint = hint_v11;
  } else if (number != 0 && (first.empty() || first > reader.release->name)) {
    kind.code = "MO0714";
    kind.problem = text(opset, "::", op, " is newer than release ", reader.release->name, first_is(first));
    kind.hint = hint_target;
  }
  return kind;
}

namespace {

// Such runtimes refuse the network; inside it tensors may be empty.
constexpr std::string_view last_without_empty_border = "2023.2";
std::string no_empty_border(const IrReader& reader) {
  const std::string who = reader.ir_version == 10 ? "IR version 10" : text("release ", reader.release->name);
  return who + " has no input or output with a dimension of 0";
}

template <class Add>
void check_types(const Graph& g, NodeId n, const Add& add) {
  const auto& outputs = g.node(n).outputs;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].tensor.type == ElementType::unknown)
      add("MO0703", text("the element type of output ", i, " of ", g.op(n), " is not known"),
          "shape and type inference of the operation must set it");
}

}  // namespace

void check_layer(const Session& session, const Graph& g, const Layer& layer, const IrReader& reader,
                 Problems& problems) {
  const bool is_v10 = reader.ir_version == 10;
  const bool may_be_empty = !is_v10 && reader.release->name > last_without_empty_border;
  const auto add_empty_border = [&](const auto& report) {
    report(is_v10 ? "MO0705" : "MO0714", no_empty_border(reader), is_v10 ? hint_v11 : hint_target);
  };
  const NodeRecord& record = g.node(layer.node);
  const LayerKind& kind = *layer.kind;
  const auto add = [&](std::string_view code, std::string what, std::string_view hint = {}) {
    if (const std::string by = session.authors.blame(g, layer.node); !by.empty()) what += text(';', by);
    problems.add(code, std::move(what), path_of(g, layer.node), hint);
  };
  if (!kind.problem.empty()) add(kind.code, kind.problem, kind.hint);
  for (uint32_t i = 0; i < layer.inputs; ++i)
    if (!record.inputs[i].source)
      add("MO0703", text("input ", i, " of ", g.op(layer.node), " is not connected, but a later one is"),
          "only inputs at the end can be left out");
  switch (kind.form) {
    case LayerKind::result:
      if (layer.inputs != 1)
        add("MO0703", "a Result needs one input");
      else if (!may_be_empty && g.parent() == nullptr && record.inputs[0].source &&
               is_empty(g.out(record.inputs[0].source).tensor.shape))
        add_empty_border(add);
      return;
    case LayerKind::parameter:
    case LayerKind::constant:
      if (layer.inputs != 0 || record.outputs.size() != 1) {
        add("MO0703", text("a ", g.op(layer.node), " has no inputs and one output"));
        return;
      }
      if (kind.form == LayerKind::constant && !record.outputs[0].tensor.value)
        add("MO0703", "a Const has no value");
      if (kind.form == LayerKind::parameter && record.outputs[0].tensor.type == ElementType::unknown)
        add("MO0703", "the element type of a Parameter is not known", "--input takes a type: name{f32}");
      break;
    case LayerKind::other:
      check_types(g, layer.node, add);
      break;
  }
  for (const OutSlot& o : record.outputs)
    if (std::string problem = type_problem(o.tensor.type, reader); !problem.empty())
      add(is_v10 ? "MO0705" : "MO0714", std::move(problem), is_v10 ? hint_v11 : hint_target);
  if (!may_be_empty && kind.form == LayerKind::parameter && g.parent() == nullptr &&
      is_empty(record.outputs[0].tensor.shape))
    add_empty_border(add);
  if (!is_v10) return;
  for (const OutSlot& o : record.outputs) {
    const TensorState& t = o.tensor;
    if (!has_numbers(t.shape, kind.form)) {
      add("MO0705", text("IR version 10 needs static shapes; not static is the output of ", g.op(layer.node)),
          "--input_shape makes them static, or --ir_version 11 can express it");
      break;
    }
  }
}

}  // namespace mo::core
