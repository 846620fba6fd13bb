// Floats become those of --data_type:
//   Parameter, Const, Convert and others of f32, f64, bf16  ->  the same of f16
// What computes shapes keeps its digits, and an input whose type the user chose keeps that; where their
// numbers are used as data, a Convert follows.
// What shapes are computed from is a question about the whole graph, and so is how many numbers lose digits.
#include "support/data_type.hpp"
#include "support/float_conversion.hpp"
#include "support/shape_arithmetic.hpp"

#include <map>

namespace mo::builtin_passes {

class ConvertFloatTypes : public ModelPass {
 public:
  ConvertFloatTypes() : ModelPass(MO_PHASE_EMIT) {
    id = "back.convert_float_types";
    doc = "floating-point numbers become those of --data_type";
    before = R"(
      %x = Parameter {element_type=f32, shape=shape[1,2]} -> f32[1,2]
      %w = Const -> f32[2] {1.5,0.5}
      %y = Add@opset1 (%x, %w)
      Result (%y))";
    after = R"(
      %x = Parameter {element_type=f16, shape=shape[1,2]} -> f16[1,2]
      %w = Const -> f16[2] {1.5,0.5}
      %y = Add@opset1 (%x, %w)
      Result (%y))";
    force_shape_inference = true;
  }
  bool graph_condition(Graph g) override { return chosen_data_type(g.context()).has_value(); }
  void run_on_model(Graph g) override { Work(g, *chosen_data_type(g.context())).run(); }

 private:
  class Work {
   public:
    Work(const Graph& g, ElementType type) : g_(g), type_(type) {
      if (type == ElementType::f16) kept_ = shape_arithmetic(g);
    }

    void run() {
      const auto typed =
          g_.attr<std::vector<std::string>>(MO_GRAPH_TYPED_INPUTS).value_or(std::vector<std::string>());
      for (const Node& n : g_.nodes()) {
        if (n.is("Const"))
          convert_const(n);
        else if (kept_.count(n.id()) != 0 || std::find(typed.begin(), typed.end(), n.name()) != typed.end())
          convert_behind(n);
        else
          convert_attributes(n);
      }
      report_losses(g_.context(), "data_type", type_, "infinite", losses_);
    }

   private:
    bool changes(ElementType t) const {
      return t != type_ && (t == ElementType::f16 || t == ElementType::f32 || t == ElementType::f64 ||
                            t == ElementType::bf16);
    }
    // Takes any type, or is to keep this one.
    bool stays(const InPort& reader) const {
      const Node n = reader.node();
      return n.is("Convert") || n.is("ShapeOf") || kept_.count(n.id()) != 0 || takes_shape(reader);
    }

    // Constants that look at the same bytes share the new ones.
    Tensor converted(const Tensor& t, const std::string& constant) {
      auto [at, is_new] = converted_.try_emplace({t.place(), t.bytes()});
      if (is_new || at->second.first != t.type())
        at->second = {t.type(), converted_floats(g_.context(), t, type_, constant, losses_)};
      const Tensor& c = at->second.second;
      return c.dims() == t.dims() ? c : c.reshaped(g_.context(), t.dims());
    }

    void convert_const(const Node& n) {
      const auto value = n.out_port().value();
      if (!value || !changes(value->type())) return;
      if (kept_.count(n.id()) == 0) return n.out_port().set_value(converted(*value, n.name()));
      std::vector<InPort> others;
      for (const InPort& reader : n.out_port().get_destinations())
        if (!stays(reader)) others.push_back(reader);
      if (others.empty()) return pass_over(n, "shapes are computed from it, and keep their digits");
      const Node copy = g_.create_const(text(n.name(), "/", name(type_)), converted(*value, n.name()));
      for (const InPort& reader : others) reader.set_source(copy.out_port());
    }

    void convert_behind(const Node& n) {
      for (const OutPort& out : n.out_ports()) {
        if (!changes(out.type())) continue;
        Node convert;
        for (const InPort& reader : out.get_destinations()) {
          if (stays(reader)) continue;
          if (!convert) {
            convert = g_.create_node("Convert", "opset1", text(n.name(), "/", name(type_)), {out});
            convert.set("destination_type", type_);
          }
          reader.set_source(convert.out_port());
        }
      }
    }

    void convert_attributes(const Node& n) const {
      for (const char* key : {"element_type", "destination_type", "output_type", "convert_type"}) {
        const auto t = n.find_attr<ElementType>(key);
        if (!t || !changes(*t)) continue;
        n.set(key, type_);
        if (n.is("Parameter")) n.out_port().set_shape(type_, n.out_port().shape());
      }
    }

    Graph g_;
    ElementType type_;
    std::set<mo_node> kept_;
    std::map<std::pair<const void*, uint64_t>, std::pair<ElementType, Tensor>> converted_;
    Losses losses_;
  };
};

void register_convert_float_types(Registry& r) {
  r.option("data_type", MO_OPTION_STRING,
           "FP16 or half, FP32 or float: type of all floating-point inputs and weights; those of the model "
           "when absent");
  r.transformation<ConvertFloatTypes>();
}

}  // namespace mo::builtin_passes
