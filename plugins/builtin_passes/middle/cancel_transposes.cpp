// Transposes cancel out around what can do with any order of dimensions:
//   Transpose(Add(Transpose(x, 102), bias [8]), 102)  ->  Add(x, bias)
// whichever dimensions they move: between pictures with channels first and last move_transposes has done it.
#include <mo/slices.hpp>
#include "support/eliminate.hpp"
#include "support/expressions.hpp"
#include "support/fuse_transposes.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class CancelTransposes : public MatcherPass {
 public:
  CancelTransposes() : MatcherPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.cancel_transposes";
    doc =
        "Transposes that undo one another around element-wise operations, Concat and StridedSlice are left "
        "out";
    before = R"(
      %x = Parameter -> f32[2,3,4]
      %order = Const -> i64[3] {1,0,2}
      %a = Transpose@opset1 (%x, %order)
      %bias = Const -> f32[4] {1,2,3,4}
      %b = Add@opset1 (%a, %bias)
      %y = Transpose@opset1 (%b, %order)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3,4]
      %bias = Const -> f32[1,1,4] {1,2,3,4}
      %y = Add@opset1 (%x, %bias)
      Result (%y))";
    run_after = {"middle.move_transposes"};
    run_before = {"middle.reshape_transposes"};
    force_clean_up = true;
    register_matcher(wrap_type({"opset1::Transpose"}, {any_input(), constant()}),
                     [this](const Graph& g, const Match& m) { cancel(g, m.root()); });
  }

 private:
  static constexpr size_t most_nodes = 32;

  void cancel(const Graph& g, const Node& last) {
    const auto order = order_of(last);
    if (!order || source_of(last, 0).node().is("Transpose")) return;
    inside_.clear();
    cancelled_ = 0;
    const bool whole = can_turn(source_of(last, 0), *order);
    if (cancelled_ == 0) return;
    only_when(whole, "something between it and '", inside_.front().name(),
              "' needs its dimensions in this order, or has them from elsewhere");
    inside_.push_back(last);
    take_place(last, turned(g, source_of(last, 0), *order), inside_);
  }

  // Whether the tensor can be had in this order of its dimensions without a Transpose.
  bool can_turn(const OutPort& x, const Order& order) {
    const Node n = x.node();
    const Shape s = x.shape();
    if (n.is("Const")) return s.has_rank() && s.size() <= order.size();
    if (!s.has_rank() || s.size() != order.size()) return false;
    if (n.is("opset1::Transpose")) {
      const auto first = order_of(n);
      const bool undone = first && is_identity(then(*first, order));
      if (!undone) return false;
      inside_.push_back(n);
      ++cancelled_;
      return true;
    }
    if (n.out_count() != 1 || x.destination_count() != 1 || inside_.size() >= most_nodes) return false;
    inside_.push_back(n);
    const auto can = [&](const InPort& in) { return can_turn(in.get_source(), order); };
    if (n.is("opset1::StridedSlice")) return slice_of(n) && can(n.in_port(0));
    const bool spreads =
        n.definition().has(MO_OP_ELEMENT_WISE) && n.attr<std::string>("auto_broadcast", "numpy") == "numpy";
    if (!n.is("opset1::Concat") && !spreads) return false;
    const auto inputs = n.in_ports();
    return std::all_of(inputs.begin(), inputs.end(), can);
  }

  OutPort turned(const Graph& g, const OutPort& x, const Order& order) {
    const Node n = x.node();
    if (n.is("Transpose")) return source_of(n, 0);
    if (n.is("Const")) return turned_constant(g, n, order);
    if (n.is("StridedSlice")) return turned_slice(g, n, order);
    std::vector<OutPort> inputs;
    for (const InPort& in : n.in_ports()) inputs.push_back(turned(g, in.get_source(), order));
    const Node made = clone_with_new_inputs(n, inputs, n.name() + "/turned");
    if (n.is("Concat"))
      made.set("axis", place_of(normalize_axis(n.attr<int64_t>("axis"), order.size()), order));
    return with_shape(made, x, order);
  }

  static OutPort with_shape(const Node& made, const OutPort& x, const Order& order) {
    copy_runtime_info({x.node()}, {made});
    made.out_port().set_shape(x.type(), permuted(x.shape(), order));
    return made.out_port();
  }

  static int64_t place_of(size_t axis, const Order& order) {
    return std::find(order.begin(), order.end(), static_cast<int64_t>(axis)) - order.begin();
  }

  // A single number does for each order.
  static OutPort turned_constant(const Graph& g, const Node& n, const Order& order) {
    const Shape s = n.out_port().shape();
    if (s.elements() == Dim(1) && s.empty()) return n.out_port();
    std::vector<int64_t> whole(order.size() - s.size(), 1);
    for (const Dim& d : s) whole.push_back(d.value());
    const OutPort wide =
        g.create_const(n.name() + "/wide", n.out_port().value()->reshaped(g.context(), whole)).out_port();
    const Node made = g.create_node("Transpose", "opset1", n.name() + "/turned",
                                    {wide, g.create_ints(n.name() + "/turned/order", order).out_port()});
    return made.out_port();
  }

  // Begins, ends and strides of the first dimensions, none of which comes or goes.
  static bool slice_of(const Node& n) {
    for (const char* mask : {"new_axis_mask", "shrink_axis_mask", "ellipsis_mask"}) {
      const auto m = n.attr(mask, std::vector<int64_t>{});
      if (std::any_of(m.begin(), m.end(), [](int64_t b) { return b != 0; })) return false;
    }
    return constant_ints(n, 1) && constant_ints(n, 2) && (n.in_count() < 4 || constant_ints(n, 3));
  }

  static OutPort turned_slice_list(const Graph& g, const std::string& name, std::vector<int64_t> list,
                                   int64_t missing, const Order& order) {
    list.resize(order.size(), missing);
    return g.create_ints(name, permuted(list, order)).out_port();
  }

  OutPort turned_slice(const Graph& g, const Node& n, const Order& order) {
    const std::string name = n.name() + "/turned";
    const auto list = [&](const char* what, uint32_t i, int64_t missing) {
      return turned_slice_list(g, name + what, *constant_ints(n, i), missing, order);
    };
    std::vector<OutPort> inputs{turned(g, source_of(n, 0), order), list("/begin", 1, 0), list("/end", 2, 0)};
    if (n.in_count() > 3) inputs.push_back(list("/strides", 3, 1));
    const size_t given = constant_ints(n, 1)->size();
    const Node made = clone_with_new_inputs(n, inputs, name);
    for (const char* mask : {"begin_mask", "end_mask"}) {
      auto m = n.attr(mask, std::vector<int64_t>{});
      m.resize(given, 0);
      m.resize(order.size(), 1);
      made.set(mask, permuted(m, order));
    }
    // None of these has anything set.
    for (const char* mask : {"new_axis_mask", "shrink_axis_mask", "ellipsis_mask"})
      if (made.has(mask)) made.set(mask, std::vector<int64_t>(order.size(), 0));
    return with_shape(made, n.out_port(), order);
  }

  Nodes inside_;
  size_t cancelled_ = 0;
};

void register_cancel_transposes(Registry& r) { simplifying<CancelTransposes>(r, Stage::transposes); }

}  // namespace mo::builtin_passes
