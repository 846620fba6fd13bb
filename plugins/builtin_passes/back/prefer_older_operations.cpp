// Newer versions of operations become older ones where these can do the same, so that more releases take the
// model:
//   SoftMax-8 with a negative axis      ->  SoftMax-1
//   Gather-8 with indices from 0 on     ->  Gather-7
//   Slice-8 with constant bounds        ->  StridedSlice-1
#include "support/target.hpp"

#include <numeric>

namespace mo::builtin_passes {

class PreferOlderOperations : public FrontReplacementOp {
 public:
  PreferOlderOperations() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.prefer_older_operations";
    doc = "operations of the oldest version that can do the same";
    before = R"(
      %x = Parameter -> f32[3,4]
      %i = Const -> i64[2] {0,2}
      %axis = Const -> i64[] {1}
      %g = Gather@opset8 (%x, %i, %axis) {batch_dims=0}
      %y = SoftMax@opset8 (%g) {axis=-1}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[3,4]
      %i = Const -> i64[2] {0,2}
      %axis = Const -> i64[] {1}
      %g = Gather@opset7 (%x, %i, %axis) {batch_dims=0}
      %y = SoftMax@opset1 (%g) {axis=1}
      Result (%y))";
    ops = {"opset8::SoftMax", "opset8::Gather", "opset8::Slice"};
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    if (n.is("SoftMax")) return older_softmax(n);
    if (n.is("Slice")) return older_slice(g, n);
    older_gather(g, n, !has_opset(g.context(), 8));
  }

 private:
  static void older_softmax(const Node& n) {
    const Shape s = n.out_port().shape();
    only_when(s.has_rank(), "its axis may count from the end, and the rank is not known");
    n.set("axis", static_cast<int64_t>(normalize_axis(n.attr<int64_t>("axis"), s.size())));
    n.set_op("SoftMax", "opset1");
  }

  using Ints = std::vector<int64_t>;

  static std::optional<Ints> constant_list(const Node& n, size_t input) {
    if (!n.is_in_port_connected(input)) return std::nullopt;
    const OutPort source = n.in_port(input).get_source();
    if (!source.node().is("Const")) return std::nullopt;  // a known one may follow from shapes, and change
    return source.value()->to_ints();
  }

  // Bounds that are constants by now; the front phase did not know them.
  static void older_slice(const Graph& g, const Node& n) {
    const OutPort x = n.in_port(0).get_source();
    const auto start = constant_list(n, 1), stop = constant_list(n, 2), step = constant_list(n, 3);
    auto axes = constant_list(n, 4);
    only_when(start && stop && step && start->size() == stop->size() && start->size() == step->size(),
              "its bounds are computed, or follow from shapes; constants are the same for all");
    if (!n.is_in_port_connected(4)) {
      axes = Ints(start->size());
      std::iota(axes->begin(), axes->end(), 0);
    }
    only_when(axes && axes->size() == start->size() && x.shape().has_rank(),
              "its axes, or the rank of what is sliced, are not known");
    const size_t rank = x.shape().size();
    Ints begin(rank, 0), end(rank, 0), stride(rank, 1), from_first(rank, 1), to_last(rank, 1);
    for (size_t i = 0; i < axes->size(); ++i) {
      const size_t a = normalize_axis((*axes)[i], rank);
      begin[a] = (*start)[i];
      stride[a] = (*step)[i];
      from_first[a] = 0;
      // The limits of either integer type stand for the end.
      const bool open = (*step)[i] > 0 ? (*stop)[i] >= INT32_MAX : (*stop)[i] <= -INT32_MAX;
      if (!open) end[a] = (*stop)[i];
      to_last[a] = open ? 1 : 0;
    }
    const auto list = [&](const char* what, const Ints& values) {
      return g.create_ints(text(n.name(), '/', what), values).out_port();
    };
    n.in_port(1).set_source(list("begin", begin));
    n.in_port(2).set_source(list("end", end));
    n.in_port(3).set_source(list("stride", stride));
    if (n.in_count() > 4) n.delete_input_port(4);
    n.set("begin_mask", from_first).set("end_mask", to_last);
    for (const char* mask : {"new_axis_mask", "shrink_axis_mask", "ellipsis_mask"})
      n.set(mask, Ints(rank, 0));
    n.set_op("StridedSlice", "opset1");
  }

  // The size of the dimension that is gathered from, when it is known.
  static std::optional<int64_t> gathered_size(const Node& n) {
    const Shape s = n.in_port(0).get_source().shape();
    const auto axis = n.in_port(2).get_source().value();
    if (!s.has_rank() || !axis) return std::nullopt;
    const Dim d = s[normalize_axis(axis->integer(0), s.size())];
    return d.is_static() ? std::optional(d.value()) : std::nullopt;
  }

  // The length of a cache, which back.keep_state leaves for runtimes to find.
  static bool measures_state(const Node& n) {
    const Node shape = n.in_node(0);
    if (!shape.is("ShapeOf")) return false;
    const Node rows = shape.in_node(0);
    return rows.is("Gather") && rows.in_node(0).is("ReadValue");
  }

  static void older_gather(const Graph& g, const Node& n, bool always) {
    only_when(always || !measures_state(n), "runtimes look for it: it measures how long a cache is");
    const OutPort indices = n.in_port(1).get_source();
    const auto size = gathered_size(n);
    const auto value = indices.value();
    if (value) {
      auto list = value->to_ints();
      const bool negative = std::any_of(list.begin(), list.end(), [](int64_t i) { return i < 0; });
      if (!negative) return n.set_op("Gather", "opset7");
      if (size && indices.node().is("Const")) {
        for (int64_t& i : list) i = i < 0 ? i + *size : i;
        const std::vector<double> numbers(list.begin(), list.end());
        const Tensor t = Tensor::filled(g.context(), value->type(), numbers, value->dims());
        n.in_port(1).set_source(g.create_const(n.name() + "/indices", t).out_port());
        return n.set_op("Gather", "opset7");
      }
    }
    only_when(always, "its indices may count from the end, which Gather-7 does not read");
    // There is no later version: the remainder of a division counts from the start.
    OutPort limit;
    if (size) {
      const Tensor t = Tensor::filled(g.context(), indices.type(), {static_cast<double>(*size)}, {});
      limit = g.create_const(n.name() + "/size", t).out_port();
    } else {
      const Node shape = g.create_node("ShapeOf", "opset3", n.name() + "/shape", {n.in_port(0).get_source()});
      shape.set("output_type", indices.type());
      const OutPort zero = g.create_int(n.name() + "/zero", 0).out_port();
      limit = g.create_node("Gather", "opset1", n.name() + "/size",
                            {shape.out_port(), n.in_port(2).get_source(), zero})
                  .out_port();
    }
    const Node from_start = g.create_node("FloorMod", "opset1", n.name() + "/from_start", {indices, limit});
    n.in_port(1).set_source(from_start.out_port());
    n.set_op("Gather", "opset7");
  }
};

void register_prefer_older_operations(Registry& r) { r.transformation<PreferOlderOperations>(); }

}  // namespace mo::builtin_passes
