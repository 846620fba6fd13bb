// An operation that is newer than the release that --target names is written by older ones.
#pragma once

#include <mo/build.hpp>

#include "support/target.hpp"

namespace mo::builtin_passes {

class Lowering : public FrontReplacementOp {
 protected:
  Lowering() : FrontReplacementOp(MO_PHASE_BACK) {
    run_before = {"back.prefer_older_operations"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  // All versions of `type` from this one on; `opsets` are those that define it anew.
  void lowers(std::string_view type, const std::vector<int>& opsets) {
    for (const int o : opsets) ops.push_back(text("opset", o, "::", type));
  }
  bool graph_condition(Graph g) override {
    return std::any_of(ops.begin(), ops.end(), [&](const std::string& name) {
      const size_t colon = name.find(':');
      return !has_operation(g.context(), std::string_view(name).substr(colon + 2),
                            std::string_view(name).substr(0, colon));
    });
  }

  // What takes the place of the outputs; nothing where the node has become an older one. Declines where older
  // operations cannot do it.
  virtual Ports lower(const Build&, const Node&) = 0;
  // Whether the release has all of what the node makes use of.
  virtual bool has_it(const Node& n) const { return has_operation(n.context(), n.op(), n.opset()); }

  std::vector<OutPort> replace_op(Graph g, Node n) override {
    only_when(!has_it(n), "the release has ", n.op(), " of ", n.opset());
    Ports made = lower(Build(g, n), n);
    std::vector<Node> nodes;
    for (const OutPort& p : made)
      if (p) nodes.push_back(p.node());
    copy_runtime_info({n}, nodes);
    return made;
  }
};

// The same node in an older version, which has no such attributes.
inline Ports as_older(const Node& n, std::string_view opset, const std::vector<std::string>& without) {
  for (const std::string& name : n.attr_names())
    if (std::find(without.begin(), without.end(), name) != without.end()) n.erase(name);
  n.set_op(n.op(), opset);
  return {};
}

// x * y, or x * y^T.
inline OutPort matrix_product(const Build& b, const OutPort& x, const OutPort& y, bool turned) {
  const Node n = b.node("MatMul", "opset1", {x, y});
  n.set("transpose_a", false).set("transpose_b", turned);
  return n.out_port();
}

}  // namespace mo::builtin_passes
