// x / (1 + exp(-beta * x))  ->  Swish(x, beta), in the spellings of the exporters: -beta * x as Neg(x), Neg(x
// * beta), Neg(x) * beta or x * (-beta), with the operands of Mul and Add in either order.
#include <cmath>

#include "acme_layers.hpp"

namespace acme {

namespace {

// The only element of a constant that reads like a number in a formula.
std::optional<double> number_in(const mo::OutPort& port, const mo::OutPort& x) {
  const auto value = port.value();
  if (!value || value->size() != 1 || !mo::is_float(value->type())) return std::nullopt;
  // A number with dimensions can give the result more of them than x has. Most shapes are not known so early.
  const mo::Shape shape = x.shape();
  const size_t rank = shape.has_rank() ? shape.size() : 0;
  if (value->rank() > rank) return std::nullopt;
  return value->number(0);
}

class FuseSwish : public mo::MatcherPass {
 public:
  FuseSwish() : MatcherPass(MO_PHASE_FRONT) {
    id = "acme.fuse_swish";
    doc = "x / (1 + exp(-beta * x)) becomes Swish";
    // Graphs in the text form: `mo-host plugin check` tries them out.
    before = R"(
      %x = Parameter -> f32[2,3]
      %factor = Const -> f32[] {-2}
      %m = Multiply@opset1 (%x, %factor)
      %e = Exp@opset1 (%m)
      %one = Const -> f32[] {1}
      %s = Add@opset1 (%e, %one)
      %y = Divide@opset1 (%x, %s)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %beta = Const -> f32[] {2}
      %y = Swish@opset4 (%x, %beta)
      Result (%y))";

    using mo::wrap_type;
    const auto x = mo::any_input(), one = mo::constant();
    // Nodes between that something else reads, too, stay: then there is nothing to gain.
    const auto negative = [](const mo::Pattern& of) { return wrap_type({"Negative"}, {of})->one_consumer(); };
    const auto product = [](const mo::Pattern& a, const mo::Pattern& b) {
      return wrap_type({"Multiply"}, {a, b})->commutative()->one_consumer();
    };
    const auto beta_inside = mo::constant(), beta_outside = mo::constant(), minus_beta = mo::constant();
    const auto exponent = mo::any_of({negative(x), negative(product(x, beta_inside)),
                                      product(negative(x), beta_outside), product(x, minus_beta)});
    const auto sum = wrap_type({"Add"}, {wrap_type({"Exp"}, {exponent})->one_consumer(), one})
                         ->commutative()
                         ->one_consumer();
    const auto quotient = wrap_type({"Divide"}, {x, sum});

    register_matcher(quotient, [=](mo::Graph graph, mo::Match& m) {
      const auto number = [&](const mo::Pattern& p) { return number_in(m.port(p), m.port(x)); };
      mo::only_when(number(one) == 1.0, "what is added to the exponential is not 1");

      std::optional<double> beta = 1.0;
      for (const auto& p : {beta_inside, beta_outside})
        if (m.has(p->alias())) beta = number(p);
      if (m.has(minus_beta->alias())) {
        beta = number(minus_beta);
        if (beta) beta = -*beta;
      }
      // declined candidates and their reasons are shown by `mo-host --explain`.
      mo::only_when(beta.has_value(), "beta is not one number");
      mo::only_when(*beta > 0, "beta is ", *beta, ", not positive");

      std::vector<mo::OutPort> inputs{m.port(x)};
      if (*beta != 1.0) {
        const mo::ElementType type = m.port(one).value()->type();
        const auto value = mo::Tensor::filled(graph.context(), type, {*beta}, {});
        inputs.push_back(graph.create_const(m.root().name() + "/beta", value).out_port());
      }
      const mo::Node swish = graph.create_node("Swish", "opset4", "", inputs);
      mo::copy_runtime_info(m.nodes(), {swish});
      mo::replace_node(m.root(), swish);  // users find the result under the name they know
    });
  }
};

}  // namespace

void register_fuse_swish(mo::Registry& registry) { registry.transformation<FuseSwish>(); }

}  // namespace acme
