// Slices that cut a tensor into all its parts along one dimension are one Split:
//   StridedSlice(x, 0:4), StridedSlice(x, 4:8)  ->  Split(x, 2):0, Split(x, 2):1
// A pattern has a number of operations; slices are as many as are needed to cover the tensor, in any order.
#include <mo/slices.hpp>
#include <mo/symbols.hpp>
#include "support/eliminate.hpp"

#include <algorithm>
#include <unordered_map>

namespace mo::builtin_passes {

namespace {

struct SlicePart {
  Node node;
  int64_t begin = 0, end = 0;
};

struct SliceKey {
  mo_node node;
  uint32_t port;
  size_t axis;
  friend bool operator<(const SliceKey& a, const SliceKey& b) {
    return std::tie(a.node, a.port, a.axis) < std::tie(b.node, b.port, b.axis);
  }
};

}  // namespace

class SplitSlices : public ModelPass {
 public:
  SplitSlices() : ModelPass(MO_PHASE_BACK) {
    id = "back.split_slices";
    doc = "slices that together are the whole tensor are one Split";
    before = R"(
      %x = Parameter -> f32[?,6]
      %w = Const -> f32[6,4] {0.5...}
      %m = MatMul@opset1 (%x, %w) {transpose_a=false, transpose_b=false}
      %b0 = Const -> i64[2] {0,0}
      %b2 = Const -> i64[2] {0,2}
      %e2 = Const -> i64[2] {0,2}
      %e4 = Const -> i64[2] {0,4}
      %one = Const -> i64[2] {1,1}
      %p = StridedSlice@opset1 (%m, %b0, %e2, %one) {begin_mask=[1,0], end_mask=[1,0], new_axis_mask=[0,0], shrink_axis_mask=[0,0], ellipsis_mask=[0,0]}
      %q = StridedSlice@opset1 (%m, %b2, %e4, %one) {begin_mask=[1,0], end_mask=[1,0], new_axis_mask=[0,0], shrink_axis_mask=[0,0], ellipsis_mask=[0,0]}
      %y = ReLU@opset1 (%p)
      %z = Exp@opset1 (%q)
      Result (%y)
      Result (%z))";
    after = R"(
      %x = Parameter -> f32[?,6]
      %w = Const -> f32[6,4] {0.5...}
      %m = MatMul@opset1 (%x, %w) {transpose_a=false, transpose_b=false}
      %axis = Const -> i64[] {1}
      %s = Split@opset1 (%m, %axis) {num_splits=2} -> (_, _)
      %y = ReLU@opset1 (%s:0)
      %z = Exp@opset1 (%s:1)
      Result (%y)
      Result (%z))";
    run_before = {"back.simplify_again"};
    run_after = {"back.prefer_older_operations"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  void run_on_model(Graph g) override {
    std::map<SliceKey, std::vector<SlicePart>> groups;
    for (const char* op : {"StridedSlice", "Slice"})
      for (const Node& n : g.get_op_nodes(op)) add(n, groups);
    SymbolsOf symbols;
    for (auto& [key, parts] : groups) {
      if (parts.size() < 2) continue;
      const OutPort x(g.context(), key.node, key.port);
      const auto& dims = symbols.dims(x);
      if (!dims || !(*dims)[key.axis].is_number()) {
        pass_over(parts.front().node, "what it cuts may grow along axis ", key.axis,
                  ", and would have more parts than these ", parts.size());
        continue;
      }
      std::stable_sort(parts.begin(), parts.end(),
                       [](const SlicePart& a, const SlicePart& b) { return a.begin < b.begin; });
      // What was a slice itself may be an output of another split by now.
      const OutPort now = parts.front().node.in_port(0).get_source();
      if (covers(parts, (*dims)[key.axis].index))
        split(g, now, key.axis, parts);
      else
        pass_over(parts.front().node, "the ", parts.size(), " slices of '", now.node().name(),
                  "' along axis ", key.axis, " leave something out, or overlap");
    }
  }

 private:
  static void add(const Node& n, std::map<SliceKey, std::vector<SlicePart>>& groups) {
    const auto dims = sliced_dims(n);
    if (!dims || has_result_consumers(n.out_port()) || n.out_port().disconnected()) return;
    const OutPort x = n.in_port(0).get_source();
    std::optional<size_t> axis;
    for (const SlicedDim& d : *dims) {
      if (d.kind == SlicedDim::Kind::whole) continue;
      if (d.kind != SlicedDim::Kind::part || d.stride != 1 || axis) return;
      axis = d.axis;
    }
    if (!axis || !x.shape()[*axis].is_static()) return;
    const TakenElements all =
        taken(*std::find_if(dims->begin(), dims->end(),
                            [](const SlicedDim& d) { return d.kind == SlicedDim::Kind::part; }),
              x.shape()[*axis].value());
    if (all.count == 0) return;
    groups[{x.node().id(), x.index(), *axis}].push_back({n, all.first, all.first + all.count});
  }

  static bool covers(const std::vector<SlicePart>& parts, int64_t size) {
    int64_t at = 0;
    for (const SlicePart& p : parts) {
      if (p.begin != at) return false;
      at = p.end;
    }
    return at == size;
  }

  static void split(const Graph& g, const OutPort& x, size_t axis, const std::vector<SlicePart>& parts) {
    std::vector<int64_t> lengths;
    for (const SlicePart& p : parts) lengths.push_back(p.end - p.begin);
    const bool equal = std::count(lengths.begin(), lengths.end(), lengths.front()) ==
                       static_cast<std::ptrdiff_t>(lengths.size());
    const std::string name = x.node().name() + "/split";
    std::vector<OutPort> inputs{x, g.create_int(name + "/axis", static_cast<int64_t>(axis)).out_port()};
    if (!equal) inputs.push_back(g.create_ints(name + "/lengths", lengths).out_port());
    const Node s = g.create_node(equal ? "Split" : "VariadicSplit", "opset1", name, inputs,
                                 static_cast<uint32_t>(parts.size()));
    if (equal) s.set("num_splits", static_cast<int64_t>(parts.size()));
    std::vector<Node> slices;
    for (size_t i = 0; i < parts.size(); ++i) {
      slices.push_back(parts[i].node);
      parts[i].node.out_port().get_connection().set_source(s.out_port(i), Names::merge);
    }
    copy_runtime_info(slices, {s});
  }
};

void register_split_slices(Registry& r) { r.transformation<SplitSlices>(); }

}  // namespace mo::builtin_passes
