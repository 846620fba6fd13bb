// A product with a reciprocal is a quotient:
//   Multiply(x, Power(y, -1))   ->  Divide(x, y)
//   Multiply(x, Divide(1, y))   ->  Divide(x, y)
// A reciprocal of 0 is infinite, and so is the quotient, unless 0 is divided: that is NaN both times.
#include <mo/build.hpp>

#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseReciprocals : public FrontReplacementOp {
 public:
  FuseReciprocals() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.fuse_reciprocals";
    doc = "products with reciprocals are quotients";
    before = R"(
      %x = Parameter -> f32[2,?]
      %y = Parameter -> f32[2,?]
      %e = Exp@opset1 (%y)
      %m = Const -> f32[] {-1}
      %p = Power@opset1 (%e, %m)
      %q = Multiply@opset1 (%p, %x)
      Result (%q))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %y = Parameter -> f32[2,?]
      %e = Exp@opset1 (%y)
      %q = Divide@opset1 (%x, %e) {m_pythondiv=true}
      Result (%q))";
    force_clean_up = true;
    ops = {"opset1::Power", "opset1::Divide"};
  }
  Ports replace_op(Graph, Node n) override {
    const bool is_power = n.is("Power");
    const uint32_t constant = is_power ? 1 : 0;
    if (is_uniform(source_of(n, constant), is_power ? -1 : 1)) fuse(n, constant);
    return {};
  }

 private:
  static void fuse(const Node& reciprocal, uint32_t constant) {
    const OutPort out = reciprocal.out_port(), y = source_of(reciprocal, 1 - constant);
    const auto readers = out.get_destinations();
    const auto is_product = [](const InPort& r) { return r.node().is("opset1::Multiply"); };
    if (std::none_of(readers.begin(), readers.end(), is_product)) return;
    const auto keep = [&](const auto&... why) { only_when(false, "'", reciprocal.name(), "' ", why...); };
    if (readers.size() != 1) keep("is read elsewhere, too");
    if (!is_float(out.type())) keep("is of ", name(out.type()), ", where a reciprocal is rounded to 0");
    if (!keeps_shape(y, source_of(reciprocal, constant))) keep("spreads what it divides by");
    const InPort reader = readers.front();
    const Node n = reader.node();
    const OutPort x = n.in_port(1 - reader.index()).get_source();
    n.in_port(0).set_source(x);
    n.in_port(1).set_source(y);
    n.set_op("Divide", "opset1");
    n.set("m_pythondiv", true);
  }
};

void register_fuse_reciprocals(Registry& r) { simplifying<FuseReciprocals>(r, Stage::linear); }

}  // namespace mo::builtin_passes
