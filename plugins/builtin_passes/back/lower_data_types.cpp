// Data of a type that the runtime refuses for an operation go through one that it takes:
//   Interpolate(f64)  ->  Convert(Interpolate(Convert(f64, f32)), f64)
// Doubles lose digits on the way, as they do on devices, which have none; integers lose nothing.
#include <mo/build.hpp>

#include "support/fuse_transposes.hpp"

namespace mo::builtin_passes {

namespace {

// The type in which an operation is computed; that of the data where it need not be another.
ElementType type_taken(bool resizes, ElementType t) {
  if (t == ElementType::f64) return ElementType::f32;
  if (!resizes) return t;
  if (t == ElementType::i16 || t == ElementType::u16) return ElementType::i32;
  return t == ElementType::u32 || t == ElementType::u64 ? ElementType::i64 : t;
}

}  // namespace

class LowerDataTypes : public FrontReplacementOp {
 public:
  LowerDataTypes() : FrontReplacementOp(MO_PHASE_BACK) {
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
    ops = {"Interpolate", "DFT", "IDFT", "RDFT", "IRDFT"};
    run_before = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
  }

  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    const bool resizes = n.is("Interpolate");
    const Build b(g, n);
    const ElementType given = b.in(0).type(), taken = type_taken(resizes, given);
    bool changed = taken != given;
    if (changed) compute_in(b, n, given, taken);
    // The last version of Interpolate has sizes or scales at one input.
    for (size_t i = 1; resizes && i < n.in_count(); ++i)
      if (b.has(i) && b.in(i).type() == ElementType::f64) {
        n.in_port(i).set_source(b.convert(b.in(i), ElementType::f32));
        changed = true;
      }
    only_when(changed, "runtimes take data of type ", name(given));
  }

 private:
  static void compute_in(const Build& b, const Node& n, ElementType given, ElementType taken) {
    n.in_port(0).set_source(b.convert(b.in(0), taken));
    const auto readers = n.out_port().get_destinations();
    const OutPort back = b.convert(n.out_port(), given);
    for (const InPort& r : readers) r.set_source(back);
    // It is what the model calls by the names of the operation, which may be those of its outputs.
    give_tensor_names(n.out_port(), back);
    const std::string called = n.name();
    n.rename(text(called, '/', name(taken)));
    back.node().rename(called);
  }
};

void register_lower_data_types(Registry& r) { r.transformation<LowerDataTypes>(); }

}  // namespace mo::builtin_passes
