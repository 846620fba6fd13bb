// Attributes cannot be infinite: every release reads such a number as 0.
//   Clamp(x) {min=0.5, max=inf}  ->  Maximum(x, 0.5)
//   LSTMCell(...) {clip=inf}     ->  LSTMCell(...) {clip=3.4028235e+38}
#include <mo/build.hpp>

#include "support/expressions.hpp"

#include <cmath>
#include <limits>

namespace mo::builtin_passes {

namespace {

struct LimitAttribute {
  std::string_view op, name;
};

// Where the greatest number does what no limit does.
constexpr LimitAttribute limit_attributes[] = {
    {"LSTMCell", "clip"},
    {"LSTMSequence", "clip"},
    {"GRUCell", "clip"},
    {"GRUSequence", "clip"},
    {"RNNCell", "clip"},
    {"RNNSequence", "clip"},
    {"DetectionOutput", "confidence_threshold"},
};

}  // namespace

class FiniteClamps : public ModelPass {
 public:
  FiniteClamps() : ModelPass(MO_PHASE_BACK) {
    id = "back.finite_clamps";
    doc = "a limit that is infinite is none: Maximum or Minimum in the place of Clamp";
    before = R"(
      %x = Parameter -> f32[2,3]
      %y = Clamp@opset1 (%x) {min=0.5, max=inf}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %low = Const -> f32[] {0.5}
      %y = Maximum@opset1 (%x, %low)
      Result (%y))";
    run_before = {"back.simplify_again"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    Gone gone;
    for (const Node& n : g.get_op_nodes("Clamp")) {
      const auto low = n.attr<double>("min"), high = n.attr<double>("max");
      if (std::isinf(low) || std::isinf(high)) write_out(g, n, low, high, gone);
    }
    for (const LimitAttribute& a : limit_attributes)
      for (const Node& n : g.get_op_nodes(a.op))
        if (const auto v = n.find_attr<double>(a.name); v && std::isinf(*v))
          n.set(a.name,
                as_written(std::copysign(static_cast<double>(std::numeric_limits<float>::max()), *v)));
  }

 private:
  static void write_out(const Graph& g, const Node& n, double low, double high, Gone& gone) {
    const Build b(g, n);
    OutPort x = b.in(0);
    const ElementType type = x.type();
    if (type == ElementType::unknown) return;
    // Integers have no infinite neighbour, and none is needed: a limit that is left out changes nothing.
    const bool real = is_float(type);
    const auto limit = [&](const char* op, double by) {
      if (real || std::isfinite(by)) x = b.op(op, "opset1", {x, b.like(x, by)});
    };
    // Of two infinite limits one stays as an operation, which has the name.
    if (std::isfinite(low) || (real && !std::isfinite(high))) limit("Maximum", real ? low : std::ceil(low));
    if (std::isfinite(high)) limit("Minimum", real ? high : std::floor(high));
    if (x != b.in(0)) take_place(n, x, {}, gone);
  }
};

void register_finite_clamps(Registry& r) { r.transformation<FiniteClamps>(); }

}  // namespace mo::builtin_passes
