// A part of a concatenation that has no elements is left out:
//   Concat([x, Broadcast(0, [0, n])], axis 0)   ->   x
// Loops leave such parts behind: what none of the iterations has written, when all have.
#include <mo/sdk.hpp>

namespace mo::tensorflow {

class DropEmptyParts : public FrontReplacementOp {
 public:
  DropEmptyParts() : FrontReplacementOp(MO_PHASE_MIDDLE) {
    id = "tf.middle.drop_empty_parts";
    doc = "parts of a concatenation that have no elements are left out";
    before = "Concat([x, Broadcast(0, [0, n])])";
    after = "x";
    frameworks = {"tf"};
    op = "Concat";
    force_clean_up = true;
  }
  void replace_sub_graph(Graph, Match& m) override { drop(m["op"]); }

 private:
  static bool is_empty(const OutPort& part, int64_t axis) {
    const Shape s = part.shape();
    if (!s.has_rank() || axis >= s.rank() || axis < -s.rank()) return false;
    return s[normalize_axis(axis, s.size())] == Dim(0);
  }

  static void drop(const Node& n) {
    const auto axis = n.attr<int64_t>("axis");
    std::vector<size_t> empty;
    for (size_t i = 0; i < n.in_count(); ++i) {
      const OutPort part = n.in_port(i).get_source();
      if (!part) return;
      if (is_empty(part, axis)) empty.push_back(i);
    }
    only_when(empty.size() != n.in_count(), "all of its parts are empty: one has to say so");
    if (empty.empty()) return;
    for (size_t i = empty.size(); i-- != 0;) n.delete_input_port(empty[i]);
    if (n.in_count() != 1) return;
    // A Result gives the name that users ask for.
    const OutPort only = n.in_port(0).get_source();
    replace_output_update_name(n.out_port(), only);
  }
};

void register_drop_empty_parts(Registry& r) { r.transformation<DropEmptyParts>(); }

}  // namespace mo::tensorflow
