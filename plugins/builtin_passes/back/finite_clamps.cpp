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

class FiniteClamps : public MatcherPass {
 public:
  FiniteClamps() : MatcherPass(MO_PHASE_BACK) {
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
    std::vector<std::string> types{"Clamp"};
    for (const LimitAttribute& a : limit_attributes) types.emplace_back(a.op);
    register_matcher(wrap_type(types)->where(is_without_limit), [](const Graph& g, const Match& m) {
      const Node n = m.root();
      if (n.is("Clamp")) return write_out(g, n);
      const std::string_view name = limit_of(n);
      n.set(name, as_written(std::copysign(static_cast<double>(std::numeric_limits<float>::max()),
                                           n.attr<double>(name))));
    });
  }

 private:
  static std::string_view limit_of(const Node& n) {
    return std::find_if(std::begin(limit_attributes), std::end(limit_attributes),
                        [&](const LimitAttribute& a) { return n.is(a.op); })
        ->name;
  }
  static bool is_without_limit(const OutPort& p) {
    const Node n = p.node();
    const auto is_infinite = [&](std::string_view name) {
      return std::isinf(n.find_attr<double>(name).value_or(0));
    };
    return n.is("Clamp") ? is_infinite("min") || is_infinite("max") : is_infinite(limit_of(n));
  }

  static void write_out(const Graph& g, const Node& n) {
    const Build b(g, n);
    const auto low = n.attr<double>("min"), high = n.attr<double>("max");
    OutPort x = b.in(0);
    const ElementType type = x.type();
    only_when(type != ElementType::unknown,
              "its type, which tells what a limit that is infinite does, is not known");
    // Integers have no infinite neighbour, and none is needed: a limit that is left out changes nothing.
    const bool real = is_float(type);
    const auto limit = [&](const char* op, double by) {
      if (real || std::isfinite(by)) x = b.op(op, "opset1", {x, b.like(x, by)});
    };
    // Of two infinite limits one stays as an operation, which has the name.
    if (std::isfinite(low) || (real && !std::isfinite(high))) limit("Maximum", real ? low : std::ceil(low));
    if (std::isfinite(high)) limit("Minimum", real ? high : std::floor(high));
    only_when(x != b.in(0), "both limits of integers are infinite: it does nothing");
    Gone gone;
    take_place(n, x, {}, gone);
  }
};

void register_finite_clamps(Registry& r) { r.transformation<FiniteClamps>(); }

}  // namespace mo::builtin_passes
