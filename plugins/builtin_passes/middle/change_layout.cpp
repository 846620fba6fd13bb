// Inputs and outputs of models with channels last have them first, as runtimes want it, and others the order
// that --layout says:
//   Parameter [N,H,W,C]  ->  Transpose(Parameter [N,C,H,W], 0231)
//   Result(y)            ->  Result(Transpose(y, 0312))
// What these Transposes and those of the operations cancel is left to middle.move_transposes.
#include "support/dimension_order.hpp"
#include "support/fuse_transposes.hpp"
#include "support/inputs.hpp"
#include "support/layout_options.hpp"

#include <algorithm>

namespace mo::builtin_passes {

// About the inputs and outputs of the model, and no place in it.
class ChangeLayout : public ModelPass {
 public:
  ChangeLayout() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.change_layout";
    doc = "inputs and outputs of models with channels last have them first, and what --layout says";
    before = R"(
      graph "net" {layout="NHWC"} {
      %x = Parameter -> f32[1,4,5,3]
      %y = ReLU@opset1 (%x)
      Result (%y)
      })";
    after = R"(
      %x = Parameter {shape=shape[1,3,4,5], dimension_order=[0,3,1,2]} -> f32[1,3,4,5]
      %back = Const -> i64[4] {0,2,3,1}
      %t = Transpose@opset1 (%x, %back)
      %y = ReLU@opset1 (%t)
      %first = Const -> i64[4] {0,3,1,2}
      %u = Transpose@opset1 (%y, %first)
      Result (%u) {dimension_order=[0,3,1,2]})";
    run_not_recursively = true;
    force_shape_inference = true;
  }
  bool graph_condition(Graph g) override { return turns_all(g) || has_layout_options(g.context()); }
  void run_on_model(Graph g) override {
    if (!first_time(g, "layout_changed")) return;
    const auto said = placed_layouts(g);
    const bool all = turns_all(g);
    Results results;
    for (const Node& r : g.results()) results.emplace_back(r, order_for(r, r.in_port(0).shape(), said, all));
    for (const Node& p : g.parameters())
      if (const Order order = order_for(p, p.out_port().shape(), said, all); !is_identity(order))
        turn_parameter(g, p, order, results);
    for (const auto& [r, order] : results)
      if (!is_identity(order)) turn_result(g, r, order);
    for (const PlacedLayout& l : said)
      l.node.set_rt_info("layout", layout_text(l.target.empty() ? l.source : l.target));
    if (all) g.set(MO_GRAPH_LAYOUT, "NCHW");
  }

 private:
  using Results = std::vector<std::pair<Node, Order>>;

  static bool turns_all(const Graph& g) {
    return g.attr<std::string>(MO_GRAPH_LAYOUT).value_or("NCHW") == "NHWC" &&
           !option<bool>(g.context(), "disable_nhwc_to_nchw").value_or(false);
  }

  // What has a layout of its own stays as that says. A front-end marks what is no picture, whatever its rank.
  static Order order_for(const Node& n, const Shape& s, const std::vector<PlacedLayout>& said, bool all) {
    for (const PlacedLayout& l : said) {
      if (l.node != n) continue;
      Order order;
      for (const std::string& name : l.target)
        order.push_back(std::find(l.source.begin(), l.source.end(), name) - l.source.begin());
      return order;
    }
    if (!all || n.attr(MO_ATTR_KEEPS_DIMENSION_ORDER, false)) return {};
    return s.rank() == 4 || s.rank() == 5 ? channels_first(s.size()) : Order{};
  }

  static Node transpose(const Graph& g, const std::string& name, const OutPort& x, const Order& order) {
    const Node list = g.create_ints(name + "/order", order);
    return g.create_node("Transpose", "opset1", name, {x, list.out_port()});
  }

  static void turn_parameter(const Graph& g, const Node& p, const Order& order, Results& results) {
    const auto readers = p.out_port().get_destinations();
    const Shape s = p.out_port().shape();
    Shape turned = s;
    Order back(order.size());
    for (size_t i = 0; i < order.size(); ++i) {
      turned[i] = s[static_cast<size_t>(order[i])];
      back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
    }
    p.set("shape", turned);
    p.set(MO_ATTR_DIMENSION_ORDER, order);
    p.mark_for_inference();
    const Node t = transpose(g, p.name() + "/model_layout", p.out_port(), back);
    bool named = false;
    for (const InPort& reader : readers) {
      const auto result = std::find_if(results.begin(), results.end(),
                                       [&](const auto& r) { return r.first == reader.node(); });
      if (result != results.end() && result->second == order) {
        result->second.clear();  // an output that is an input, and changes as that does, stays so
        result->first.set(MO_ATTR_DIMENSION_ORDER, order);
        named = true;
      } else {
        reader.set_source(t.out_port());
        if (result != results.end() && !named) give_tensor_names(p.out_port(), t.out_port());
      }
    }
  }

  static void turn_result(const Graph& g, const Node& r, const Order& order) {
    const OutPort source = r.in_port(0).get_source();
    const Node n = source.node();
    const Node t = transpose(g, n.name() + "/layout", source, order);
    r.in_port(0).set_source(t.out_port());
    r.set(MO_ATTR_DIMENSION_ORDER, order);
    if (n.is("Parameter")) return;
    give_tensor_names(source, t.out_port());
    if (n.out_count() == 1 && !n.is("Const")) take_name(n, t);
  }
};

void register_change_layout(Registry& r) {
  r.option("disable_nhwc_to_nchw", MO_OPTION_FLAG,
           "inputs and outputs of a model with channels last stay in its order");
  r.option(
      "layout", MO_OPTION_STRING,
      "what the dimensions of inputs and outputs mean, and in which order they are converted: nhwc->nchw, or "
      "with names: data(nhwc->nchw),prob(nc); without '->' the order of the model stays");
  r.option("source_layout", MO_OPTION_STRING, "the part of --layout before '->': data(nhwc)");
  r.option("target_layout", MO_OPTION_STRING, "the part of --layout after '->': data(nchw)");
  r.transformation<ChangeLayout>();
}

}  // namespace mo::builtin_passes
