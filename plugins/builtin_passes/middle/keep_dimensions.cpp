// A dimension of a Reshape's target that is read from its own input is written as 0, which stays right when
// the input has another size:
//   Reshape(x, Concat(ShapeOf(x)[0], {-1}))  ->  Reshape(x, {0, -1})
#include <mo/sdk.hpp>

#include <algorithm>

namespace mo::builtin_passes {

class KeepDimensions : public ModelPass {
 public:
  KeepDimensions() : ModelPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.keep_dimensions";
    doc = "a dimension of a Reshape's target that is read from its own input is written as 0";
    before = "Reshape(x, Concat(ShapeOf(x)[0], {-1}))";
    after = "Reshape(x, {0, -1})";
    frameworks = {"tf"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("Reshape")) {
      const Node list = n.in_node(1);
      if (list.op() != "Concat" || n.attr<bool>("special_zero", false)) continue;
      if (const auto target = target_of(list, n.in_port(0).get_source())) {
        n.in_port(1).set_source(g.create_ints(n.name() + "/target", *target).out_port());
        n.set("special_zero", true);
      }
    }
  }

 private:
  using Ints = std::vector<int64_t>;

  static std::optional<Ints> target_of(const Node& list, const OutPort& x) {
    Ints target;
    for (const InPort& in : list.in_ports()) {
      const OutPort part = in.get_source();
      if (!part) return std::nullopt;
      if (part.node().op() == "Const") {
        for (const int64_t d : part.value()->to_ints()) {
          if (d == 0) return std::nullopt;
          target.push_back(d);
        }
        continue;
      }
      if (part.shape().elements() != Dim(1)) return std::nullopt;
      if (dimension_of(part, x) != static_cast<int64_t>(target.size())) return std::nullopt;
      target.push_back(0);
    }
    return target;
  }

  // Which dimension of `x` it is; nothing when it is something else.
  static std::optional<int64_t> dimension_of(OutPort p, const OutPort& x) {
    for (int steps = 0; steps < 8; ++steps) {
      const std::string op = p.node().op();
      if (op != "Unsqueeze" && op != "Squeeze" && op != "Reshape" && op != "Convert") break;
      p = p.node().in_port(0).get_source();
    }
    const Node n = p.node();
    if (n.op() != "StridedSlice" && n.op() != "Gather") return std::nullopt;
    OutPort list = n.in_port(0).get_source();
    while (list.node().op() == "Convert") list = list.node().in_port(0).get_source();
    if (list.node().op() != "ShapeOf" || list.node().in_port(0).get_source() != x) return std::nullopt;
    const auto first = n.in_node(1).op() == "Const" ? n.in_port(1).value() : std::nullopt;
    if (!x.shape().has_rank() || !first || first->size() != 1 || p.shape().elements() != Dim(1))
      return std::nullopt;
    const auto mask = n.find_attr<Ints>("begin_mask").value_or(Ints{});
    const bool shrinks = !n.find_attr<Ints>("shrink_axis_mask").value_or(Ints{}).empty() &&
                         n.attr<Ints>("shrink_axis_mask").front() != 0;
    const bool from_start = n.op() == "StridedSlice" && !shrinks && !mask.empty() && mask.front() != 0;
    const int64_t at = from_start ? 0 : first->integer(0);
    return at < 0 ? at + x.shape().rank() : at;
  }
};

void register_keep_dimensions(Registry& r) { r.transformation<KeepDimensions>(); }

}  // namespace mo::builtin_passes
