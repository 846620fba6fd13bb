// Quantized weights are stored in the shape in which they are used:
//   Transpose(Multiply(Convert(w), scale))  ->  Multiply(Convert(Transpose(w)), Transpose(scale))
// The same for Reshape, Squeeze and Unsqueeze, and for what FakeQuantize makes of constants.
#include "support/fuse_transposes.hpp"
#include "support/linear_steps.hpp"
#include "support/simplifying.hpp"
#include "support/weighted_operation.hpp"

#include <algorithm>

namespace mo::builtin_passes {

namespace {

using Dims = std::vector<int64_t>;

// The input of an operation on weights that comes from them; the others are constants. Nothing when it is
// another operation, or its result has another shape.
std::optional<size_t> weights_input(const Node& n) {
  if (n.is("Convert")) return 0;
  std::optional<size_t> found;
  if (n.is("FakeQuantize") && n.attr<std::string>("auto_broadcast", "numpy") == "numpy") found = 0;
  if (n.is("Multiply") || n.is("Subtract") || n.is("Add")) found = n.in_node(1).is("Const") ? 0 : 1;
  if (!found) return std::nullopt;
  for (const InPort& in : n.in_ports())
    if (in.index() != *found && (!in.get_source() || !in.get_source().node().is("Const")))
      return std::nullopt;
  const Shape s = n.in_port(*found).shape();
  return s.is_static() && s == n.out_port().shape() ? found : std::nullopt;
}

// Dimensions of `own`, which is spread over `dims`, when these become `to`.
std::optional<Dims> spread_dims(const Dims& own, const Dims& dims, const Dims& to) {
  size_t begin = 0, end = own.size();
  while (begin < end && own[begin] == 1) ++begin;
  while (end > begin && own[end - 1] == 1) --end;
  ChannelView view;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i >= begin && i < end && own[i] != dims[i]) return std::nullopt;
    (i < begin ? view.outer : i < end ? view.a : view.inner) *= static_cast<size_t>(dims[i]);
  }
  return view.list_dims(to);
}

// One Transpose or view, and the operations on weights above it.
class ShapeMove {
 public:
  ShapeMove(const Graph& g, const Node& n, const OutPort& top)
      : g_(g), n_(n), top_(top), dims_(top.shape().to_static()), to_(n.out_port().shape().to_static()) {}

  // Nothing, where what is above are no weights.
  void run() {
    if (std::find(dims_.begin(), dims_.end(), 0) != dims_.end() || !find_row()) return;
    for (const Step& s : row_) look_at(s);
    for (const NewInput& c : changes_) c.at.set_source(c.source);
    const Node last = top_.node();
    copy_runtime_info({last, n_}, {last});
    top_.set_tensor_names({});  // of another shape
    for (const InPort& reader : n_.out_port().get_destinations()) reader.set_source(top_);
    give_tensor_names(n_.out_port(), top_);
    take_name(n_, last);
    g_.infer_marked();
  }

 private:
  struct Step {
    OutPort port;
    size_t weights;  // its input
  };
  struct NewInput {
    InPort at;
    OutPort source;
  };

  // From the last operation down to the weights.
  bool find_row() {
    for (OutPort port = top_; !port.node().is("Const");) {
      const Node inner = port.node();
      const auto data = weights_input(inner);
      if (!data || row_.size() == 8 || inner.out_count() != 1) return false;
      row_.push_back({port, *data});
      port = inner.in_port(*data).get_source();
      if (!port) return false;
    }
    return !row_.empty();
  }

  // What its constants become.
  void look_at(const Step& s) {
    const Node n = s.port.node();
    only_when(only_reader_of(s.port).has_value(), "something else reads '", n.name(),
              "', too, in the shape that it has");
    for (const InPort& in : n.in_ports())
      if (in.index() != s.weights) change(in, moved(in.get_source()));
    const InPort weights = n.in_port(s.weights);
    if (weights.get_source().node().is("Const")) change(weights, moved_weights(weights.get_source()));
  }

  void change(const InPort& at, const OutPort& source) {
    only_when(static_cast<bool>(source), "constant '", at.get_source().node().name(), "' of shape ",
              at.shape(), " does not become one beside ", Shape(to_));
    changes_.push_back({at, source});
  }

  OutPort moved_weights(const OutPort& port) {
    if (!only_reader_of(port) || port.shape() != top_.shape()) return {};
    // A single number is as large as the result all the same.
    const auto value = port.value();
    if (!value || value->size() != 1) return moved(port);
    return g_.create_const(port.node().name() + "/moved", value->reshaped(g_.context(), to_)).out_port();
  }

  // The same for each constant: what takes its place, or nothing.
  OutPort moved(const OutPort& port) {
    const auto [at, is_new] = known_.try_emplace(port.node().id());
    if (is_new) at->second = make(port);
    return at->second;
  }

  OutPort make(const OutPort& port) {
    const auto value = port.value();
    if (!value || value->rank() > dims_.size() || bits(value->type()) < 8) return {};
    const std::string name = port.node().name() + "/moved";
    const auto reshaped = [&](const Dims& shape) {
      return g_.create_const(name, value->reshaped(g_.context(), shape)).out_port();
    };
    if (value->size() == 1 && dims_.size() != value->rank()) return port;
    if (value->size() == 1) return reshaped({});
    Dims own(dims_.size() - value->rank(), 1);
    for (const int64_t d : value->dims()) own.push_back(d);
    if (n_.is("Transpose"))
      return g_.create_node("Transpose", "opset1", name, {reshaped(own), n_.in_port(1).get_source()})
          .out_port();
    const auto list = spread_dims(own, dims_, to_);
    return list ? reshaped(*list) : OutPort();
  }

  Graph g_;
  Node n_;
  OutPort top_;
  Dims dims_, to_;
  std::vector<Step> row_;
  std::map<mo_node, OutPort> known_;
  std::vector<NewInput> changes_;
};

}  // namespace

class MoveShapesIntoWeights : public MatcherPass {
 public:
  MoveShapesIntoWeights() : MatcherPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.move_shapes_into_weights";
    doc = "quantized weights are stored in the shape in which they are used";
    before = R"(
      %x = Parameter -> f32[1,3]
      %w = Const -> i8[2,3] {1,2,3,4,5,6}
      %c = Convert@opset1 (%w) {destination_type=f32, stop_value_propagation=true}
      %s = Const -> f32[2,1] {0.5,0.25}
      %m = Multiply@opset1 (%c, %s)
      %order = Const -> i64[2] {1,0}
      %t = Transpose@opset1 (%m, %order)
      %y = MatMul@opset1 (%x, %t) {transpose_a=false, transpose_b=false}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,3]
      %w = Const -> i8[3,2] {1,4,2,5,3,6}
      %c = Convert@opset1 (%w) {destination_type=f32, stop_value_propagation=true}
      %s = Const -> f32[1,2] {0.5,0.25}
      %m = Multiply@opset1 (%c, %s)
      %y = MatMul@opset1 (%x, %m) {transpose_a=false, transpose_b=false}
      Result (%y))";
    run_after = {"middle.reshape_transposes"};
    run_before = {"middle.fuse_linear"};
    force_clean_up = true;
    const Pattern top = wrap_type({"Multiply", "FakeQuantize", "Convert", "Subtract", "Add"});
    register_matcher(wrap_type({"Transpose", "Reshape", "Squeeze", "Unsqueeze"}, {top})->variadic(),
                     [=](const Graph& g, const Match& m) { move(g, m.root(), m.port(top)); });
  }

 private:
  static void move(const Graph& g, const Node& n, const OutPort& top) {
    if (!weights_input(top.node()) || !n.out_port().shape().is_static() || !top.shape().is_static()) return;
    if (n.is("Transpose") && !n.in_node(1).is("Const")) return;
    ShapeMove(g, n, top).run();
  }
};

void register_move_shapes_into_weights(Registry& r) { simplifying<MoveShapesIntoWeights>(r, Stage::weights); }

}  // namespace mo::builtin_passes
