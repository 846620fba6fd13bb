// A slope for what is negative, as frameworks without such an operator write it:
//   Relu(x) + slope * (x - Abs(x)) * 0.5  ->  PReLU(x, slope)
#include <mo/sdk.hpp>

namespace mo::builtin_passes {

class FusePRelu : public MatcherPass {
 public:
  FusePRelu() : MatcherPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.fuse_prelu";
    doc = "relu(x) + slope * (x - abs(x)) / 2 becomes PReLU";
    before = "Add(ReLU(x), Multiply(Multiply(Subtract(x, Abs(x)), slope), 0.5))";
    after = "PReLU(x, slope)";
    frameworks = {"tf"};
    run_after = {"middle.move_transposes"};
    run_before = {"middle.fuse_linear"};

    const auto x = any_input(), slope = constant(), half = constant();
    const auto product = [](const Pattern& a, const Pattern& b) {
      return wrap_type({"Multiply"}, {a, b})->commutative()->one_consumer();
    };
    const auto negative =
        wrap_type({"Subtract"}, {x, wrap_type({"Abs"}, {x})->one_consumer()})->one_consumer();
    const auto scaled =
        any_of({product(product(negative, slope), half), product(product(negative, half), slope)});
    const auto sum = wrap_type({"Add"}, {wrap_type({"ReLU"}, {x})->one_consumer(), scaled})->commutative();
    register_matcher(sum, [=](Graph g, Match& m) {
      const auto factor = m.port(half).value(), slopes = m.port(slope).value();
      only_when(factor->size() == 1 && factor->number(0) == 0.5, "what is negative is not halved");
      const Shape shape = m.port(x).shape();
      only_when(shape.has_rank() && slopes->rank() <= shape.size(), "the slope has more dimensions than x");
      // A list would stand for channels.
      std::vector<int64_t> dims = slopes->dims();
      dims.insert(dims.begin(), shape.size() - dims.size(), 1);
      const Node aligned = g.create_const(m.root().name() + "/slope", slopes->reshaped(g.context(), dims));
      const Node prelu = g.create_node("PReLU", "opset1", "", {m.port(x), aligned.out_port()});
      copy_runtime_info(m.nodes(), {prelu});
      replace_node(m.root(), prelu);
    });
  }
};

void register_fuse_prelu(Registry& r) { r.transformation<FusePRelu>(); }

}  // namespace mo::builtin_passes
