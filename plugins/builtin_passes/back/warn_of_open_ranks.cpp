// A rank that only the run decides is right in the IR, and no device takes it: the user hears it here and not from
// the runtime, of bodies, too. Which tensor is the first of them is a question about the whole graph.
#include <mo/sdk.hpp>

#include <algorithm>

namespace mo::builtin_passes {

class WarnOfOpenRanks : public ModelPass {
 public:
  WarnOfOpenRanks() : ModelPass(MO_PHASE_BACK) {
    id = "back.warn_of_open_ranks";
    doc = "a warning names the operation whose result has a rank that is known only when the model runs";
    before = after = "all";
    run_after = {"back.simplify_again"};
  }
  void run_on_model(Graph g) override {
    const auto nodes = g.nodes();
    if (std::none_of(nodes.begin(), nodes.end(), has_open_rank)) return;  // as nearly always
    for (const Node& n : g.topological()) {
      if (!opens(n) || n.is("Parameter")) continue;
      g.context().warn(
          text("the rank of what '", n.name(), "' (", n.op(),
               ") gives is known only when the model runs, and devices refuse such a model; fix the sizes "
               "it depends on with --input or --input_shape"));
      return;
    }
  }

 private:
  // Asked of every node: nothing is copied.
  static bool has_open_rank(const Node& n) {
    const Context c = n.context();
    uint32_t outputs = 0;
    c.check(c.graph().port_counts(c.get(), n.id(), nullptr, &outputs));
    for (uint32_t i = 0; i < outputs; ++i) {
      const mo_tensor_desc* desc = nullptr;
      c.check(c.graph().desc(c.get(), mo_port{n.id(), i, MO_PORT_OUT}, &desc));
      if (desc->shape.rank < 0 && !n.out_port(i).disconnected()) return true;
    }
    return false;
  }
  // An output has no rank, and all inputs have one.
  static bool opens(const Node& n) {
    if (!has_open_rank(n)) return false;
    for (const InPort& in : n.in_ports())
      if (const OutPort p = in.get_source(); p && !p.shape().has_rank()) return false;
    return true;
  }
};

void register_warn_of_open_ranks(Registry& r) { r.transformation<WarnOfOpenRanks>(); }

}  // namespace mo::builtin_passes
