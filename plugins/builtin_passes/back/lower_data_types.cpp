// Data of a type that the runtime refuses for an operation go through one that it takes:
//   Interpolate(f64)  ->  Convert(Interpolate(Convert(f64, f32)), f64)
// Doubles lose digits on the way, as they do on devices, which have none; integers lose nothing.
#include <mo/build.hpp>

namespace mo::builtin_passes {

namespace {

// The type in which an operation is computed; that of the data where it need not be another.
ElementType type_taken(std::string_view op, ElementType t) {
  if (t == ElementType::f64) return ElementType::f32;
  if (op != "Interpolate") return t;
  if (t == ElementType::i16 || t == ElementType::u16) return ElementType::i32;
  return t == ElementType::u32 || t == ElementType::u64 ? ElementType::i64 : t;
}

}  // namespace

class LowerDataTypes : public ModelPass {
 public:
  LowerDataTypes() : ModelPass(MO_PHASE_BACK) {
    id = "back.lower_data_types";
    doc = "data of a type that the runtime refuses for an operation go through one that it takes";
    before = R"(
      %x = Parameter -> f64[2,3,2]
      %a = Const -> i64[1] {0}
      %y = DFT@opset7 (%x, %a)
      Result (%y))";
    after = R"(
      %x = Parameter -> f64[2,3,2]
      %h = Convert@opset1 (%x) {destination_type=f32}
      %a = Const -> i64[1] {0}
      %z = DFT@opset7 (%h, %a)
      %y = Convert@opset1 (%z) {destination_type=f64}
      Result (%y))";
    run_before = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
  }

  void run_on_model(Graph g) override {
    for (const std::string_view op : {"Interpolate", "DFT", "IDFT", "RDFT", "IRDFT"})
      for (const Node& n : g.get_op_nodes(op)) compute_in(g, n, type_taken(op, n.in_port(0).type()));
    // The last version of Interpolate has sizes or scales at one input.
    for (const Node& n : g.get_op_nodes("Interpolate"))
      for (size_t i = 1; i < n.in_count(); ++i)
        if (n.is_in_port_connected(i) && n.in_port(i).type() == ElementType::f64)
          n.in_port(i).set_source(Build(g, n).convert(n.in_port(i).get_source(), ElementType::f32));
  }

 private:
  static void compute_in(const Graph& g, const Node& n, ElementType taken) {
    const ElementType given = n.in_port(0).type();
    if (taken == given) return;
    const Build b(g, n);
    n.in_port(0).set_source(b.convert(b.in(0), taken));
    const auto readers = n.out_port().get_destinations();
    const OutPort back = b.convert(n.out_port(), given);
    for (const InPort& r : readers) r.set_source(back);
  }
};

void register_lower_data_types(Registry& r) { r.transformation<LowerDataTypes>(); }

}  // namespace mo::builtin_passes
