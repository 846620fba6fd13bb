// A tensor of one row that is put together with itself is spread:
//   Concat(x, x, x)  ->  Broadcast(x, {1, 3, 1}), where x has one row
#include <mo/build.hpp>

namespace mo::builtin_passes {

class BroadcastConcats : public ModelPass {
 public:
  BroadcastConcats() : ModelPass(MO_PHASE_BACK) {
    id = "back.broadcast_concats";
    doc = "a Concat of one row, many times, is a Broadcast";
    before = R"(
      %x = Parameter -> f32[?,1,4]
      %y = Concat@opset1 (%x, %x, %x) {axis=1}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,1,4]
      %s = Const -> i64[3] {1,3,1}
      %y = Broadcast@opset3 (%x, %s) {mode="bidirectional"}
      Result (%y))";
    run_after = {"back.prefer_older_operations"};
    run_before = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("Concat")) spread(g, n);
  }

 private:
  static void spread(const Graph& g, const Node& n) {
    if (n.in_count() < 2 || n.opset() != "opset1") return;
    const OutPort x = n.in_port(0).get_source();
    for (const InPort& in : n.in_ports())
      if (in.get_source() != x) return;
    const Shape s = x.shape();
    if (!s.has_rank() || s.size() == 0) return;
    const size_t axis = normalize_axis(n.attr<int64_t>("axis"), s.size());
    // Lists of sizes stay as they are written.
    if (s[axis] != Dim(1) || s.size() < 2) return;
    const Build b(g, n);
    Ints dims(s.size(), 1);
    dims[axis] = static_cast<int64_t>(n.in_count());
    const Node made = b.node("Broadcast", "opset3", {x, b.list(dims)});
    made.set("mode", "bidirectional");
    copy_runtime_info({n}, {made});
    const std::string name = n.name();
    n.out_port().get_connection().set_source(made.out_port(), Names::merge);
    n.remove();
    made.rename(name);
  }
};

void register_broadcast_concats(Registry& r) { r.transformation<BroadcastConcats>(); }

}  // namespace mo::builtin_passes
