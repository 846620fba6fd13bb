#include "apps/views/text_values.hpp"

#include <algorithm>

namespace mo::app {

namespace {

class GraphWriter {
 public:
  GraphWriter(TextWriter& writer, const core::Graph& graph)
      : w_(writer), out_(writer.out()), g_(graph), labels_(graph.end_id()) {
    uint32_t next = 0;
    for (core::NodeId n : g_.nodes()) labels_[n] = next++;
  }

  void graph() {
    out_ += "graph ";
    w_.string(g_.name());
    out_ += ' ';
    if (!g_.attributes().empty()) {
      w_.attributes(g_.symbols(), g_.attributes());
      out_ += ' ';
    }
    out_ += '{';
    ++w_.depth();
    for (core::NodeId n : g_.nodes()) {
      w_.line();
      node(n);
    }
    --w_.depth();
    w_.line();
    out_ += '}';
  }

 private:
  void node(core::NodeId n) {
    const core::NodeRecord& record = g_.node(n);
    label(n);
    out_ += " = ";
    w_.word(g_.op(n));
    if (record.opset != 0) {
      out_ += '@';
      w_.word(g_.opset(n));
    }
    out_ += ' ';
    w_.string(g_.name(n));
    if (!record.inputs.empty()) inputs(record);
    if (!record.attributes.empty()) {
      out_ += ' ';
      w_.attributes(g_.symbols(), record.attributes);
    }
    if (!record.rt_info.empty()) {
      out_ += " rt ";
      w_.attributes(g_.symbols(), record.rt_info);
    }
    outputs(n);
    if (record.native != 0) append_text(out_ += " native ", record.native);
    if (g_.marked(n)) out_ += " marked";
  }

  void label(core::NodeId n) { append_text(out_ += '%', labels_[n]); }

  void port(core::PortRef p) {
    label(p.node);
    if (p.port != 0) append_text(out_ += ':', p.port);
  }

  void inputs(const core::NodeRecord& record) {
    out_ += " (";
    for (size_t i = 0; i < record.inputs.size(); ++i) {
      if (i != 0) out_ += ", ";
      if (const core::PortRef source = record.inputs[i].source)
        port(source);
      else
        out_ += '_';
    }
    out_ += ')';
  }

  void outputs(core::NodeId n) {
    const auto& slots = g_.node(n).outputs;
    std::string before = std::exchange(out_, {});
    const bool tensors = w_.options().tensors || g_.is_const(n) || g_.node(n).op == g_.space().parameter;
    for (uint32_t i = 0; i < slots.size(); ++i) {
      if (i != 0) out_ += ", ";
      output({n, i}, slots[i], tensors);
    }
    std::string list = std::exchange(out_, std::move(before));
    const bool is_result = g_.node(n).op == g_.space().result;
    if (slots.size() == (is_result ? 0 : 1) && (list == "_" || is_result)) return;
    if (slots.size() == 1)
      out_.append(" -> ").append(list);
    else
      out_.append(" -> (").append(list).append(")");
  }

  void bounds(const std::vector<Bound>& list) {
    out_ += " bounds[";
    for (size_t i = 0; i < list.size(); ++i) append_text(out_ += i == 0 ? "" : ",", list[i]);
    out_ += ']';
  }

  void output(core::PortRef p, const core::OutSlot& slot, bool tensors) {
    const core::TensorState& t = slot.tensor;
    const bool known = t.type != ElementType::unknown || t.shape.has_rank();
    if (!tensors || (!known && !t.value)) {
      out_ += '_';
    } else {
      append_text(out_, name(t.type));
      append_text(out_, t.shape);
    }
    if (tensors) {
      if (t.value && t.value->type == t.type && core::shape_of(*t.value) == t.shape) {
        out_ += ' ';
        w_.literal(*t.value);
      } else if (t.value) {
        out_ += " value ";
        w_.tensor(*t.value);
      }
      if (t.from_shape) out_ += " from_shape";
      if (!t.bounds.empty()) bounds(t.bounds);
    }
    if (!slot.names.empty()) names(slot.names);
    if (!slot.attributes.empty()) {
      out_ += " attributes ";
      w_.attributes(g_.symbols(), slot.attributes);
    }
    destinations(p);
  }

  void names(const core::TensorNames& list) {
    out_ += " names(";
    for (size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out_ += ',';
      w_.string(g_.symbols().text(list[i]));
    }
    out_ += ')';
  }

  // Only where a parser, which connects in the order it reads, would get another one.
  void destinations(core::PortRef p) {
    const core::OutSlot& slot = g_.out(p);
    const auto less = [](core::PortRef a, core::PortRef b) {
      return a.node != b.node ? a.node < b.node : a.port < b.port;
    };
    if (slot.destinations < 2) return;
    const std::vector<core::PortRef> list = g_.destinations(p);
    if (std::is_sorted(list.begin(), list.end(), less)) return;
    out_ += " to(";
    for (size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out_ += ", ";
      port(list[i]);
    }
    out_ += ')';
  }

  TextWriter& w_;
  std::string& out_;
  const core::Graph& g_;
  std::vector<uint32_t> labels_;  // by node
};

}  // namespace

void write_graph(TextWriter& w, const core::Graph& g) { GraphWriter(w, g).graph(); }

std::string to_text(const core::Graph& g, const TextOptions& options) {
  TextWriter w(options);
  w.out() = "mo-graph 1\n";
  write_graph(w, g);
  w.out() += '\n';
  return std::move(w.out());
}

}  // namespace mo::app
