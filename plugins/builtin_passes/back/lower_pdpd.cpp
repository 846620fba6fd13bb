// No device computes auto_broadcast pdpd (the CPU's isSupportedOperation has "Doesn't support broadcast
// type"), and the reader takes its axis from an attribute of another name than the specification's
// (auto_broadcast_axis), so that it counts as the default:
//   Add(x [2,3,4], y [1,3]) {pdpd, axis=0}  ->  Add(x, Unsqueeze(y, 2)) {numpy}
// A pattern for whatever has this attribute would be tried at every node.
#include <mo/build.hpp>

#include "support/eliminate.hpp"

namespace mo::builtin_passes {

class LowerPdpd : public ModelPass {
 public:
  LowerPdpd() : ModelPass(MO_PHASE_BACK) {
    id = "back.lower_pdpd";
    doc = "broadcasting as PaddlePaddle has it becomes that of numpy, which is the one that devices compute";
    before = R"(
      %x = Parameter -> f32[2,3,4]
      %y = Parameter -> f32[1,3]
      %z = Add@opset1 (%x, %y) {auto_broadcast="pdpd", axis=0}
      Result (%z))";
    after = R"(
      %x = Parameter -> f32[2,3,4]
      %y = Parameter -> f32[1,3]
      %a = Const -> i64[1] {2}
      %u = Unsqueeze@opset1 (%y, %a)
      %z = Add@opset1 (%x, %u) {auto_broadcast="numpy"}
      Result (%z))";
    run_before = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
  }

  void run_on_model(Graph g) override {
    for (const Node& n : g.nodes()) {
      const std::string_view op = op_of(n);
      if (op.empty() || op == "Const") continue;  // a vendor's attributes mean what he says; most of a graph
      if (op == "Broadcast" && is_pdpd(n, "mode"))
        n.set("mode", "numpy");  // its axis is always the default, at which the two are one
      else if (is_pdpd(n, "auto_broadcast"))
        spread(Build(g, n), n);
    }
  }

 private:
  // Asked of every node: no text is copied, and none is made where there is no such attribute.
  static bool is_pdpd(const Node& n, std::string_view attribute) {
    const Context c = n.context();
    const mo_str name = str(attribute);
    mo_value value{};
    c.check(c.graph().node_attrs(c.get(), n.id(), &name, 1, &value));
    return value.kind == MO_VALUE_STRING && view(value.u.s) == "pdpd";
  }

  // Where the dimensions of an input lie in those of the result.
  struct Place {
    Ints gone, added;  // axes of the input; of it without those
  };

  static void spread(const Build& b, const Node& n) {
    const size_t whole = n.is("Select") ? 1 : 0;  // the input that has the shape of the result
    std::vector<Place> places(n.in_count());
    for (size_t i = 0; i < n.in_count(); ++i) {
      if (i == whole) continue;
      const auto axis = n.attr("axis", int64_t{-1});
      const auto found = place_of(b.in(i).shape(), b.in(whole).shape(), axis);
      if (!found)
        return pass_over(n, "where ", b.in(i).shape(), " lies in ", b.in(whole).shape(), " from axis ", axis,
                         " on is not known");
      places[i] = *found;
    }
    for (size_t i = 0; i < n.in_count(); ++i) {
      const Place& p = places[i];
      if (p.gone.empty() && p.added.empty()) continue;
      OutPort other = b.in(i);
      if (!p.gone.empty()) other = b.squeeze(other, p.gone);
      if (!p.added.empty()) other = b.unsqueeze(other, b.list(p.added));
      n.in_port(i).set_source(other);
    }
    n.set("auto_broadcast", std::string("numpy"));
    n.erase("axis");
  }

  // Nothing where a rank is not known.
  static std::optional<Place> place_of(const Shape& y, const Shape& x, int64_t axis) {
    if (!x.has_rank() || !y.has_rank() || y.size() > x.size()) return std::nullopt;
    const int64_t first = axis < 0 ? x.rank() - y.rank() : axis;
    // Ones at the end may stand beyond the last dimension.
    int64_t rank = y.rank();
    while (rank > 0 && first + rank > x.rank() && y[static_cast<size_t>(rank - 1)] == Dim(1)) --rank;
    if (first + rank > x.rank()) return std::nullopt;
    Place p;
    for (int64_t i = rank; i < y.rank(); ++i) p.gone.push_back(i);
    for (int64_t i = first + rank; i < x.rank(); ++i) p.added.push_back(i - first);
    return p;
  }
};

void register_lower_pdpd(Registry& r) { r.transformation<LowerPdpd>(); }

}  // namespace mo::builtin_passes
