// Transposes between channels last and channels first move through operations that can do with either order,
// to where the fewest are left:
//   Transpose(ReLU(Transpose(x, 0231)), 0312)  ->  ReLU(x)
#include "support/fuse_transposes.hpp"
#include "support/layout_choice.hpp"
#include "support/tensor_forms.hpp"

#include <set>

namespace mo::builtin_passes {

namespace {

using Kind = LayoutItem::Kind;

class TransposeMove {
 public:
  TransposeMove(const Graph& g, const LayoutChoice& choice)
      : graph_(g), choice_(choice), forms_(g), lists_(g) {
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
      if (!chooses_again(reader, order)) reader.set_source(in_model_order(shape, order));
  }

  OutPort in_model_order(const OutPort& shape, const Order& order) {
    OutPort& made = shapes_[shape.node().id()];
    if (!made) made = lists_.gathered(shape, order);
    return made;
  }

  // What picks single dimensions picks them at their new places.
  bool chooses_again(const InPort& reader, const Order& order) {
    const Node n = reader.node();
    if (n.op() != "Gather" || reader.index() != 0 || n.in_node(1).op() != "Const") return false;
    const Tensor indices = *n.in_port(1).value();
    std::vector<double> now;
    for (const int64_t i : indices.to_ints()) {
      const auto rank = static_cast<int64_t>(order.size());
      if (i < -rank || i >= rank) return false;
      now.push_back(static_cast<double>(order[normalize_axis(i, order.size())]));
    }
    const Tensor list = Tensor::filled(graph_.context(), indices.type(), now, indices.dims());
    n.in_port(1).set_source(graph_.create_const(n.name() + "/indices", list).out_port());
    return true;
  }

  // A Transpose that is gone: its tensor is the other one now.
  static void give_names(const Node& gone, const OutPort& heir) {
    give_tensor_names(gone.out_port(), heir);
    give_node_name(gone, heir.node());
  }

  // Names go along with a result that is read from behind a Transpose.
  static void name_result(const OutPort& was, const OutPort& is) {
    if (is.node().op() != "Transpose" || was.node().op() == "Transpose") return;
    give_tensor_names(was, is);
    if (was.node().out_count() == 1 && was.node().op() != "Parameter") take_name(was.node(), is.node());
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
        text("operation '", v.op, "' of '", v.opset, "', '", v.node.name(),
             "': tensors around it are stored channels first, and nobody has said what it does "
             "with these, so there are Transposes; if it can do with another order of "
             "dimensions, its plugin says so with OpSchema::layout_agnostic()"));
  }

  Graph graph_;
  const LayoutChoice& choice_;
  TensorForms forms_;
  ListOrders lists_;
  std::map<mo_node, OutPort> shapes_;
  std::set<std::string> noted_;
  bool changed_ = false;
};

}  // namespace

class MoveTransposes : public ModelPass {
 public:
  MoveTransposes() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.move_transposes";
    doc = "Transposes between channels last and channels first move to where the fewest are left";
    before = "Transpose(ReLU(Transpose(x, {0, 2, 3, 1})), {0, 3, 1, 2})";
    after = "ReLU(x)";
    run_after = {"middle.change_layout"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  void run_on_model(Graph g) override {
    // Transposes of other orders that meet now may have become some that can move on.
    for (int rounds = 0; rounds < 4 && !g.get_op_nodes("Transpose").empty(); ++rounds) {
      fuse_transposes(g);
      g.clean_up();  // what nobody needs is no reason for a Transpose
      LayoutChoice choice(g);
      if (!choice.has_transposes()) return;
      choice.choose();
      if (!TransposeMove(g, choice).run()) return;
    }
  }
};

void register_move_transposes(Registry& r) { r.transformation<MoveTransposes>(); }

}  // namespace mo::builtin_passes
