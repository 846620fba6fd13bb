#include "loader/fused.hpp"

#include <algorithm>

namespace mo::mxnet {

namespace {

bool is_true(const SymbolNode& n, std::string_view name) {
  const std::string value = n.text(name);
  return value == "true" || value == "True" || value == "1";
}

bool is_fused(const SymbolNode& n) { return n.op.starts_with("_sg_") && n.sub_graphs.size() == 1; }

// A symbol that is written anew, node by node.
class Expansion {
 public:
  explicit Expansion(Symbol& from) : from_(from), outputs_(from.nodes.size()), is_sum_(from.nodes.size()) {
    to_.version = from.version;
  }
  Symbol expanded() {
    for (size_t i = 0; i < from_.nodes.size(); ++i) {
      SymbolNode& n = from_.nodes[i];
      for (Entry& e : n.inputs) {
        require(!is_sum_[e.node] || n.op == "_contrib_requantize" || n.op == "_contrib_dequantize", "'",
                n.name,
                "' reads sums of 32 bits; attributes 'min_calib_range' and 'max_calib_range' are missing in ",
                "what gives them: calibrate the network before it is saved");
        e = moved(e);
      }
      if (is_fused(n))
        expand(i);
      else
        outputs_[i] = {add(std::move(n))};
    }
    for (const Entry& e : from_.heads) to_.heads.push_back(moved(e));
    return std::move(to_);
  }

 private:
  // What a node has become: one node with all its outputs, or of a sub-graph the source of each.
  using Outputs = std::vector<Entry>;

  Entry moved(const Entry& e) const {
    const Outputs& o = outputs_[e.node];
    if (o.size() == 1) return {o[0].node, o[0].output + e.output};
    require(e.output < o.size(), "output ", e.output, " of ", describe(from_, e.node),
            " is read, but it has ", o.size());
    return o[e.output];
  }
  Entry add(SymbolNode n) {
    to_.nodes.push_back(std::move(n));
    return {static_cast<uint32_t>(to_.nodes.size() - 1), 0};
  }
  Entry add(std::string op, std::string name, std::vector<Entry> inputs) {
    SymbolNode n;
    n.op = std::move(op);
    n.name = std::move(name);
    n.inputs = std::move(inputs);
    return add(std::move(n));
  }

  // Ranges come after the inputs of the sub-graph: of the first of these, or of the first and the last where
  // a sum is fused, too; fully connected layers may have more of them.
  std::vector<Entry> meanings(const SymbolNode& n, size_t count) {
    const size_t ranges = (n.inputs.size() - std::min(n.inputs.size(), count)) / 2;
    require(n.inputs.size() == count + 2 * ranges && ranges <= count, "it has ", n.inputs.size(),
            " inputs, but its sub-graph has ", count);
    std::vector<Entry> list(n.inputs.begin(), n.inputs.begin() + static_cast<std::ptrdiff_t>(count));
    const bool with_sum = is_true(n, "with_sum");
    for (size_t r = 0; r < ranges; ++r) {
      const size_t at = r == 1 && with_sum ? count - 1 : r;
      const Entry low = n.inputs[count + 2 * r], high = n.inputs[count + 2 * r + 1];
      list[at] = add("_contrib_dequantize", text(n.name, "/in_", at), {list[at], low, high});
    }
    return list;
  }

  void expand(size_t node) {
    const SymbolNode n = std::move(from_.nodes[node]);
    Symbol body = n.sub_graphs[0];
    expand_fused(body);
    const std::vector<uint32_t> variables = body.variables();
    const std::vector<Entry> inputs = meanings(n, variables.size());
    std::vector<Entry> own(body.nodes.size());
    for (size_t k = 0; k < variables.size(); ++k) own[variables[k]] = inputs[k];
    const auto inside = [&](const Entry& e) {
      return Entry{own[e.node].node, own[e.node].output + e.output};
    };
    const size_t first = to_.nodes.size();
    for (size_t k = 0; k < body.nodes.size(); ++k) {
      SymbolNode& part = body.nodes[k];
      if (part.is_variable()) continue;
      for (Entry& e : part.inputs) e = inside(e);
      part.name = text(n.name, '/', part.name);
      own[k] = add(std::move(part));
    }
    for (const Entry& e : body.heads) outputs_[node].push_back(inside(e));
    const Entry y = outputs_[node][0];
    if (!is_true(n, "quantized") || is_true(n, "enable_float_output")) {
      if (body.heads.size() == 1 && y.node >= first) to_.nodes[y.node].name = n.name;
      return;
    }
    require(body.heads.size() == 1, "'", n.name, "' is quantized and has ", body.heads.size(), " outputs");
    if (!n.find("min_calib_range") || !n.find("max_calib_range")) {
      outputs_[node] = {y, y, y};
      is_sum_[node] = true;
      return;
    }
    SymbolNode q;
    q.op = "_contrib_quantize_v2";
    q.name = n.name;
    q.inputs = {y};
    q.attributes = {{"out_type", "auto"},
                    {"min_calib_range", n.text("min_calib_range")},
                    {"max_calib_range", n.text("max_calib_range")}};
    outputs_[node] = {add(std::move(q))};
  }

  Symbol& from_;
  Symbol to_;
  std::vector<Outputs> outputs_;
  // Sums of 32 bits, which no range was calibrated for: what may read them does not look at the range.
  std::vector<bool> is_sum_;
};

}  // namespace

void expand_fused(Symbol& s) {
  if (std::any_of(s.nodes.begin(), s.nodes.end(), is_fused)) s = Expansion(s).expanded();
}

}  // namespace mo::mxnet
