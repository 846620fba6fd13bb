// Transformations that put one operation of one input in the place of another.
#pragma once

#include "turned.hpp"

namespace mutants {

struct Same : Plain {
  static constexpr std::string_view type = "Same";
  static void evaluate(mo::EvalContext& c) { c.output(0, c.input(0)); }
};
struct Doubled : Plain {
  static constexpr std::string_view type = "Doubled";
  static void evaluate(mo::EvalContext& c) {
    for_each_number(c, [](const mo::Tensor& x, size_t i) { return 2 * x.number(i); });
  }
};
struct TurnedImage : Turned<false> {
  static constexpr std::string_view type = "Turned";
};

class Replace : public mo::ModelPass {
 public:
  Replace(std::string_view name, std::string_view from, std::string_view to) : from_(from), to_(to) {
    id = mo::text("mutants.", name);
    doc = "one operation in the place of another";
  }
  void run_on_model(mo::Graph g) override {
    for (const mo::Node& n : g.get_op_nodes(from_)) {
      const mo::Node other = g.create_node(to_, opset, "", {n.in_port(0).get_source()});
      mo::copy_runtime_info({n}, {other});
      mo::replace_node(n, other);
    }
  }

 private:
  std::string from_, to_;
};

}  // namespace mutants
