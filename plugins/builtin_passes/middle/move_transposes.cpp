// Transposes between channels last and channels first move through operations that can do with either order,
// to where the fewest are left:
//   Transpose(ReLU(Transpose(x, 0231)), 0312)  ->  ReLU(x)
#include "support/fuse_transposes.hpp"
#include "support/layout_choice.hpp"
#include "support/simplifying.hpp"
#include "support/tensor_forms.hpp"

#include <algorithm>
#include <set>

namespace mo::builtin_passes {

namespace {

using Kind = LayoutItem::Kind;

bool may_be_same(const Shape& a, const Shape& b) {
  if (!a.has_rank() || !b.has_rank()) return true;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Dim& x, const Dim& y) { return x.overlaps(y); });
}

class TransposeMove {
 public:
  // `noted`: operations that a warning has named already.
  TransposeMove(const Graph& g, const LayoutChoice& choice, std::set<std::string>& noted)
      : graph_(g), choice_(choice), forms_(g), lists_(g), noted_(noted) {
    for (const LayoutTensor& t : choice.tensors()) forms_.add(t.has_forms() ? t.shape.size() : 0);
  }

  // Whether something was to be moved.
  bool run() {
    for (const LayoutItem& item : choice_.items()) {
      if (item.kind == Kind::first) forms_.may_make(source(item, 0), true, item.view.node);
      if (item.kind == Kind::last) forms_.may_make(item.tensor, false, item.view.node);
    }
    for (const LayoutItem& item : choice_.items()) {
      if (item.kind == Kind::other)
        place(item);
      else  // what it reads is there in the order of its result
        forms_.set(item.tensor, item.kind == Kind::last,
                   forms_.get(source(item, 0), item.kind == Kind::first));
    }
    for (const LayoutItem& item : choice_.items())
      if (item.kind != Kind::other && item.view.node.out_port().disconnected())
        give_names(item.view.node, forms_.any(item.tensor));
    for (const LayoutItem& item : choice_.items())
      if (item.behaviour.declared) check(item);
    return changed_;
  }

 private:
  size_t source(const LayoutItem& item, size_t i) const { return choice_.tensor_of(item.view.in[i]); }

  void place(const LayoutItem& item) {
    const OpView& v = item.view;
    const bool in = choice_.turned(item.in), out = choice_.turned(item.out);
    for (size_t i = 0; i < v.out_shapes.size(); ++i)
      forms_.set(item.tensor + i, out, OutPort(v.node, static_cast<uint32_t>(i)));
    for (size_t i = 0; i < v.in.size(); ++i) {
      if (!v.has(i)) continue;
      const OutPort wanted = input(item, i, in);
      if (wanted == v.in[i]) continue;
      v.node.in_port(i).set_source(wanted);
      changed_ = true;
      if (v.op == "Result") name_result(v.in[i], wanted);
    }
    if (in || out) turn_operation({v, item.behaviour, in, out, lists_});
    if (v.op == "ShapeOf" && forms_.is_turned(source(item, 0))) turn_shape(v);
    if (item.behaviour.undeclared) note(item);
  }

  OutPort input(const LayoutItem& item, size_t i, bool turned) {
    const OpView& v = item.view;
    const size_t tensor = source(item, i);
    switch (item.behaviour.inputs[i]) {
      case Read::model:
        return forms_.get(tensor, false);
      case Read::node:
        return forms_.get(tensor, turned);
      case Read::spread: {
        const OutPort model = forms_.get(tensor, false);
        return turned ? forms_.spread(model, v.in_rank(i), item.behaviour.rank) : model;
      }
      default:
        return forms_.any(tensor);
    }
  }

  // The dimensions of a turned tensor are read in the order of the model.
  void turn_shape(const OpView& v) {
    const OutPort shape = v.node.out_port();
    const Order order = channels_last(v.in_rank(0));
    const auto readers = shape.get_destinations();
    lists_.is_permuted(shape, shape, order);
    for (const InPort& reader : readers)
      if (!chooses_again(reader, order)) read_in_model_order(reader, shape, order);
  }

  // What users know by the names of a result is in the order of the model.
  void read_in_model_order(const InPort& reader, const OutPort& shape, const Order& order) {
    const OutPort made = in_model_order(shape, order);
    const bool is_first = !has_result_consumers(made);
    reader.set_source(made);
    if (!reader.node().is("Result") || !is_first) return;
    give_tensor_names(shape, made);
    take_name(shape.node(), made.node());
  }

  OutPort in_model_order(const OutPort& shape, const Order& order) {
    OutPort& made = shapes_[shape.node().id()];
    if (!made) made = lists_.gathered(shape, order);
    return made;
  }

  // What picks dimensions picks them at their new places.
  bool chooses_again(const InPort& reader, const Order& order) {
    const Node n = reader.node();
    if (reader.index() != 0) return false;
    return n.is("Gather") ? gathers_again(n, order) : n.is("StridedSlice") && slices_again(n, order);
  }

  bool gathers_again(const Node& n, const Order& order) {
    if (!n.in_node(1).is("Const")) return false;
    const Tensor indices = *n.in_port(1).value();
    std::vector<double> now;
    for (const int64_t i : indices.to_ints()) {
      const auto rank = static_cast<int64_t>(order.size());
      if (i < -rank || i >= rank) return false;
      now.push_back(static_cast<double>(order[normalize_axis(i, order.size())]));
    }
    set_constant(n, 1, now);
    return true;
  }

  // Dimensions that are neighbours still.
  bool slices_again(const Node& n, const Order& order) {
    const auto rank = static_cast<int64_t>(order.size());
    const auto number = [&](size_t input) -> std::optional<int64_t> {
      if (!n.is_in_port_connected(input)) return input == 3 ? std::optional<int64_t>(1) : std::nullopt;
      if (!n.in_node(input).is("Const")) return std::nullopt;
      const Tensor t = *n.in_port(input).value();
      return t.size() == 1 ? std::optional(t.integer(0)) : std::nullopt;
    };
    const auto bit = [&](std::string_view name) {
      const auto mask = n.find_attr<std::vector<int64_t>>(name);
      return mask && !mask->empty() && mask->front() != 0;
    };
    const auto from_end = [&](int64_t i) { return std::clamp<int64_t>(i < 0 ? i + rank : i, 0, rank); };
    const auto begin = number(1), end = number(2), stride = number(3);
    if (!begin || !end || !stride || bit("new_axis_mask") || bit("ellipsis_mask")) return false;
    const bool single = bit("shrink_axis_mask");
    const int64_t first = bit("begin_mask") ? 0 : from_end(*begin);
    const int64_t last = single ? first + 1 : bit("end_mask") ? rank : from_end(*end);
    if ((*stride != 1 && !single) || first >= last || last > rank) return false;
    const int64_t now = order[static_cast<size_t>(first)];
    for (int64_t i = first; i < last; ++i)
      if (order[static_cast<size_t>(i)] != now + i - first) return false;
    if (now == first) return true;
    set_constant(n, 1, {static_cast<double>(now)});
    set_constant(n, 2, {static_cast<double>(now + last - first)});
    n.set("begin_mask", std::vector<int64_t>{0}).set("end_mask", std::vector<int64_t>{0});
    return true;
  }

  void set_constant(const Node& n, size_t input, const std::vector<double>& values) {
    const Tensor was = *n.in_port(input).value();
    const Tensor now = Tensor::filled(graph_.context(), was.type(), values, was.dims());
    n.in_port(input).set_source(graph_.create_const(text(n.name(), "/input_", input), now).out_port());
  }

  // A Transpose that is gone: its tensor is the other one now.
  static void give_names(const Node& gone, const OutPort& heir) {
    give_tensor_names(gone.out_port(), heir);
    give_node_name(gone, heir.node());
  }

  // Names go along with a result that is read from behind a Transpose.
  static void name_result(const OutPort& was, const OutPort& is) {
    if (!is.node().is("Transpose") || was.node().is("Transpose")) return;
    give_tensor_names(was, is);
    if (was.node().out_count() == 1 && !was.node().is("Parameter")) take_name(was.node(), is.node());
  }

  void note(const LayoutItem& item) {
    const OpView& v = item.view;
    bool between = false;
    for (size_t i = 0; i < v.in.size(); ++i)
      between = between || (v.has(i) && forms_.is_turned(source(item, i)));
    for (size_t i = 0; i < v.out_shapes.size() && !between; ++i)
      for (const Label l : choice_.tensors()[item.tensor + i].readers) between = between || choice_.turned(l);
    if (!between || !noted_.insert(v.opset + v.op).second) return;
    graph_.context().warn(
        text("operation '", v.node.op(), "' of '", v.opset, "', '", v.node.name(),
             "': tensors around it are stored channels first, and nobody has said what it does "
             "with these, so there are Transposes; if it can do with another order of "
             "dimensions, its plugin says so with OpSchema::layout_agnostic()"));
  }

  // What an operation says of itself may be wrong; without this, whoever reads its result would be blamed.
  void check(const LayoutItem& item) const {
    if (!choice_.turned(item.in) && !choice_.turned(item.out)) return;
    const OpView& v = item.view;
    for (size_t i = 0; i < v.out_shapes.size(); ++i) {
      const Shape& was = v.out_shapes[i];
      const Shape expected = choice_.turned(item.out) ? permuted(was, channels_first(was.size())) : was;
      const Shape is = OutPort(v.node, static_cast<uint32_t>(i)).shape();
      if (!may_be_same(is, expected))
        fail_layout(v, text("with channels first its output ", i, " is ", is, ", and ", expected,
                            " was expected (", was, " in the order of the model)"));
    }
  }

  Graph graph_;
  const LayoutChoice& choice_;
  TensorForms forms_;
  ListOrders lists_;
  std::map<mo_node, OutPort> shapes_;
  std::set<std::string>& noted_;
  bool changed_ = false;
};

}  // namespace

// Where the fewest are left is a question about the whole graph, and no place of it.
class MoveTransposes : public ModelPass {
 public:
  MoveTransposes() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.move_transposes";
    doc = "Transposes between channels last and channels first move to where the fewest are left";
    before = R"(
      %x = Parameter -> f32[1,3,4,5]
      %last = Const -> i64[4] {0,2,3,1}
      %first = Const -> i64[4] {0,3,1,2}
      %t = Transpose@opset1 (%x, %last)
      %r = ReLU@opset1 (%t)
      %y = Transpose@opset1 (%r, %first)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,3,4,5]
      %r = ReLU@opset1 (%x)
      Result (%r))";
    run_after = {"middle.change_layout"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  void run_on_model(Graph g) override {
    // It runs again when the graph is simplified at the end, and says nothing twice then either.
    constexpr std::string_view told = "operations_told_to_declare_their_layout";
    const auto known = g.attr<std::vector<std::string>>(told).value_or(std::vector<std::string>{});
    std::set<std::string> noted(known.begin(), known.end());
    // Transposes of other orders that meet now may have become some that can move on.
    for (int rounds = 0; rounds < 4 && !g.get_op_nodes("Transpose").empty(); ++rounds) {
      fuse_transposes(g);
      g.clean_up();  // what nobody needs is no reason for a Transpose
      LayoutChoice choice(g);
      if (!choice.has_transposes()) return;
      choice.choose();
      const bool moved = TransposeMove(g, choice, noted).run();
      if (noted.size() != known.size()) g.set(told, std::vector<std::string>(noted.begin(), noted.end()));
      if (!moved) return;
    }
  }
};

void register_move_transposes(Registry& r) { simplifying<MoveTransposes>(r, Stage::transposes); }

}  // namespace mo::builtin_passes
