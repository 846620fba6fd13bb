// Limits by constants are Clamp, or ReLU when the limit is 0:
//   Minimum(Maximum(x, low), high), Minimum(ReLU(x), 6)  ->  Clamp(x)
//   Maximum(x, 0)  ->  ReLU(x)
#include "support/eliminate.hpp"
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

#include <cmath>
#include <limits>

namespace mo::builtin_passes {

namespace {

struct Limits {
  OutPort x;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

// min(max(x, low), high) as it is with the limits that `n` adds inside; they are those of x.
bool limit_by(const Node& n, Limits& limits) {
  if (n.out_count() != 1) return false;
  const std::string op = n.op_name();
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  size_t x = 0;
  if (op == "ReLU") {
    low = 0;
  } else if (op == "Clamp") {
    low = n.attr<double>("min");
    high = n.attr<double>("max");
  } else if (op == "Maximum" || op == "Minimum") {
    auto v = number_beside(n, 1);
    if (!v) {
      v = number_beside(n, 0);
      x = 1;
    }
    if (!v || std::isnan(*v)) return false;
    (op == "Maximum" ? low : high) = *v;
  } else {
    return false;
  }
  // What is limited outside stays the limit: the sum of both is one only when they overlap.
  if (low > limits.high || high < limits.low) return false;
  limits.low = std::max(limits.low, low);
  limits.high = std::min(limits.high, high);
  limits.x = n.in_port(x).get_source();
  return true;
}

}  // namespace

class FuseClamp : public Fusion {
 public:
  FuseClamp() {
    id = "middle.fuse_clamp";
    run_after = {"middle.reshape_transposes"};
    doc = "limits by constants, one after the other, become Clamp, or ReLU when there is only a 0 below";
    before = R"(
      %x = Parameter -> f32[1,8,4,4]
      %six = Const -> f32[] {6}
      %r = ReLU@opset1 (%x)
      %y = Minimum@opset1 (%r, %six)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,8,4,4]
      %y = Clamp@opset1 (%x) {min=0.0, max=6.0}
      Result (%y))";
    ops = {"Minimum", "Maximum", "Clamp"};
  }

 private:
  void fuse_at(const Graph& g, const Node& n) override {
    Limits own;
    if ((n.is("Clamp") || has_constant(n)) && is_float(n.out_port().type()) && limit_by(n, own))
      fuse(g, last_limit(n, own));
  }

  // Behind `n`, as far as nothing else stands between.
  static Node last_limit(Node n, Limits limits) {
    for (int i = 0; i < 8; ++i) {
      const auto reader = only_reader_of(n.out_port());
      if (!reader || !limit_by(*reader, limits)) break;
      n = *reader;
    }
    return n;
  }

  void fuse(const Graph& g, const Node& n) {
    Limits limits;
    Nodes inside;
    if (!limit_by(n, limits)) return;
    while (limits.x.destination_count() == 1 && limits.x.type() == n.out_port().type()) {
      const Node inner = limits.x.node();
      if (!limit_by(inner, limits)) break;
      inside.push_back(inner);
    }
    const std::string type = n.op_name();
    const bool below = limits.low == 0 && limits.high == std::numeric_limits<double>::infinity();
    const bool both = std::isfinite(limits.low) && std::isfinite(limits.high);
    // A single limit other than 0 would need a number that stands for none.
    if (inside.empty() && (type == "ReLU" || type == "Clamp")) return;
    if (!below && !both) {
      near("it has one limit, ", std::isfinite(limits.low) ? limits.low : limits.high,
           "; Clamp needs two, ReLU a 0 below");
      return;
    }
    if (both && limits.low == limits.high) {
      near("its limits are both ", limits.low, "; Clamp needs one below the other");
      return;
    }
    const Node made = g.create_node(below ? "ReLU" : "Clamp", "opset1", n.name() + "/Clamp", {limits.x});
    if (!below) made.set("min", as_written(limits.low)).set("max", as_written(limits.high));
    take_place(n, made.out_port(), inside);
  }
};

void register_fuse_clamp(Registry& r) {
  r.option("newer_operations", MO_OPTION_FLAG,
           "operations of opset12 and opset13 take the place of what is written out, where --target has them "
           "or not: that is so without this option where it has them");
  simplifying<FuseClamp>(r, Stage::fuse);
}

}  // namespace mo::builtin_passes
