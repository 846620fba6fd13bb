// A Reshape of a Reshape does not need the first one, and one that changes nothing is not needed:
//   Reshape(Reshape(x, {…}), {2, 8})  ->  Reshape(x, {2, 8})
#include "support/fuse_transposes.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class FuseReshapes : public ModelPass {
 public:
  FuseReshapes() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.fuse_reshapes";
    doc = "of a Reshape that only another one reads nothing is left, nor of one that changes nothing";
    before = "Reshape(Reshape(x, {...}), {2, 8})";
    after = "Reshape(x, {2, 8})";
    frameworks = {"tf"};
    run_after = {"middle.reshape_transposes"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("Reshape")) {
      pass_over(n);
      if (changes_nothing(n)) go(n);
    }
  }

 private:
  static bool keeps_elements(const Node& n) {
    const std::string op = n.op();
    return op == "Reshape" || op == "Squeeze" || op == "Unsqueeze";
  }

  // The target may stay when it says nothing that depends on the dimensions before it.
  static void pass_over(const Node& n) {
    if (n.in_node(1).op() != "Const") return;
    const auto target = n.in_port(1).value()->to_ints();
    if (n.attr<bool>("special_zero", false) && std::find(target.begin(), target.end(), 0) != target.end())
      return;
    for (Node before = n.in_node(0); keeps_elements(before) && before.out_port().destination_count() == 1;
         before = n.in_node(0))
      n.in_port(0).set_source(before.in_port(0).get_source());
  }

  static bool changes_nothing(const Node& n) {
    const Shape in = n.in_port(0).shape(), out = n.out_port().shape();
    return in.is_static() && in == out && n.in_node(1).op() == "Const";
  }

  static void go(const Node& n) {
    const OutPort source = n.in_port(0).get_source(), out = n.out_port();
    if (has_result_consumers(out)) return;
    for (const InPort& reader : out.get_destinations()) reader.set_source(source);
    give_tensor_names(out, source);
    give_node_name(n, source.node());
  }
};

void register_fuse_reshapes(Registry& r) { r.transformation<FuseReshapes>(); }

}  // namespace mo::builtin_passes
