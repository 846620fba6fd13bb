// An ellipsis that stands for no dimension is left out for releases that count it as one:
//   StridedSlice(x[2,3], [0,0,1], [0,0,2]) {ellipsis_mask=[1,0,0]}  ->  StridedSlice(x[2,3], [0,1], [0,2])
#include "support/target.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class ExpandEllipsis : public MatcherPass {
 public:
  ExpandEllipsis() : MatcherPass(MO_PHASE_BACK) {
    id = "back.expand_ellipsis";
    doc = "an ellipsis of StridedSlice that stands for no dimension is left out";
    before = R"(
      %x = Parameter -> f32[2,3]
      %b = Const -> i64[3] {0,0,1}
      %e = Const -> i64[3] {0,2,2}
      %s = Const -> i64[3] {1,1,1}
      %y = StridedSlice@opset1 (%x, %b, %e, %s) {begin_mask=[0,0,0], end_mask=[0,0,0], new_axis_mask=[0,0,0], shrink_axis_mask=[0,0,0], ellipsis_mask=[1,0,0]}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %b = Const -> i64[2] {0,1}
      %e = Const -> i64[2] {2,2}
      %s = Const -> i64[2] {1,1}
      %y = StridedSlice@opset1 (%x, %b, %e, %s) {begin_mask=[0,0], end_mask=[0,0], new_axis_mask=[0,0], shrink_axis_mask=[0,0], ellipsis_mask=[0,0]}
      Result (%y))";
    run_after = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
    const auto has_ellipsis = [](const Ints& mask) {
      return std::find(mask.begin(), mask.end(), 1) != mask.end();
    };
    register_matcher(wrap_type({"StridedSlice"})->where<Ints>("ellipsis_mask", has_ellipsis),
                     [](const Graph& g, const Match& m) { expand(g, m.root()); });
  }
  bool graph_condition(Graph g) override { return targets_up_to(g.context(), "2024.6"); }

 private:
  using Ints = std::vector<int64_t>;

  static void expand(const Graph& g, const Node& n) {
    const Shape x = n.in_port(0).shape(), begin = n.in_port(1).shape();
    Ints ellipsis = n.attr("ellipsis_mask", Ints{}), new_axis = n.attr("new_axis_mask", Ints{});
    const auto at = std::find(ellipsis.begin(), ellipsis.end(), 1);
    only_when(x.has_rank() && begin.size() == 1 && begin[0].is_static(),
              "for how many dimensions its ellipsis stands is not known: the rank of what it cuts, ", x,
              ", and how many bounds there are, ", begin, ", say it");
    const auto place = static_cast<size_t>(at - ellipsis.begin());
    const auto entries = static_cast<size_t>(begin[0].value());
    new_axis.resize(entries, 0);
    ellipsis.resize(entries, 0);
    size_t own = 0;  // dimensions that have an entry
    Ints kept;
    for (size_t i = 0; i < entries; ++i) {
      if (i == place) continue;
      kept.push_back(static_cast<int64_t>(i));
      own += new_axis[i] == 0;
    }
    only_when(own == x.size(), "its ellipsis stands for ",
              static_cast<int64_t>(x.size()) - static_cast<int64_t>(own),
              " of the dimensions; where it stands for none it is left out");
    const OutPort places = g.create_ints(n.name() + "/kept", kept).out_port();
    const OutPort zero = g.create_int(n.name() + "/zero", 0).out_port();
    for (size_t i = 1; i < n.in_count(); ++i)
      if (n.is_in_port_connected(i))
        n.in_port(i).set_source(
            g.create_node("Gather", "opset1", n.name() + "/kept", {n.in_port(i).get_source(), places, zero})
                .out_port());
    for (const char* name :
         {"begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"}) {
      Ints mask = n.attr(name, Ints{});
      mask.resize(entries, 0);
      mask.erase(mask.begin() + static_cast<std::ptrdiff_t>(place));
      n.set(name, mask);
    }
  }
};

void register_expand_ellipsis(Registry& r) { r.transformation<ExpandEllipsis>(); }

}  // namespace mo::builtin_passes
