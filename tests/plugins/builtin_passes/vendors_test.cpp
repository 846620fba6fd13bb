// Operations of a vendor's that are called as ours are, in sets of the vendor's own, are no operations of
// ours: they stay through all transformations, and what reads them gets what they compute. MO_RANDOM_SEED:
// the first seed; MO_RANDOM_SEEDS: how many, for each type.
#include "test_plugin.hpp"
#include "tests/plugins/builtin_passes/all_passes.hpp"
#include "tests/plugins/builtin_passes/random_model.hpp"

#include <set>

namespace mo::test {
namespace {

constexpr std::string_view vendor_types[] = {
    "Abs",
    "Add",
    "AvgPool",
    "BatchNormInference",
    "BatchToSpace",
    "Broadcast",
    "Ceiling",
    "Clamp",
    "Concat",
    "Convert",
    "Convolution",
    "Divide",
    "Elu",
    "Equal",
    "Erf",
    "Exp",
    "FakeQuantize",
    "Floor",
    "GRUCell",
    "Gather",
    "GatherND",
    "Gelu",
    "GroupConvolution",
    "HardSigmoid",
    "If",
    "Interpolate",
    "LSTMCell",
    "Log",
    "LogicalNot",
    "MVN",
    "MatMul",
    "MaxPool",
    "Maximum",
    "Minimum",
    "Mish",
    "Multiply",
    "Negative",
    "NormalizeL2",
    "PReLU",
    "Pad",
    "Power",
    "ReLU",
    "ReduceL2",
    "ReduceMax",
    "ReduceMean",
    "ReduceSum",
    "Reshape",
    "Reverse",
    "Round",
    "Select",
    "ShapeOf",
    "Sigmoid",
    "Sign",
    "Slice",
    "SoftMax",
    "SoftPlus",
    "Split",
    "Sqrt",
    "SquaredDifference",
    "Squeeze",
    "StridedSlice",
    "Subtract",
    "Swish",
    "Tanh",
    "Tile",
    "TopK",
    "Transpose",
    "Unsqueeze",
    "VariadicSplit",
};
constexpr std::string_view vendor_sets[] = {"org.acme", "opset_acme"};
static_assert(std::size(vendor_types) >= 60);

// Doubles its first input, whatever it is called.
template <size_t Type, size_t Set>
struct VendorOp {
  static constexpr std::string_view type = vendor_types[Type], opset = vendor_sets[Set];
  static void schema(OpSchema& s) { s.inputs(1, 5).outputs(1); }
  static void infer(InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
  static void evaluate(EvalContext& c) {
    const Tensor x = c.input(0);
    std::vector<double> twice(x.size());
    for (size_t i = 0; i < x.size(); ++i) twice[i] = 2 * x.number(i);
    c.output(0, Tensor::filled(c.context(), x.type(), twice, x.dims()));
  }
};

template <size_t... I>
void register_types(Registry& r, std::index_sequence<I...>) {
  (r.operation<VendorOp<I, 0>>(), ...);
  (r.operation<VendorOp<I, 1>>(), ...);
}
void register_vendors(Registry& r) { register_types(r, std::make_index_sequence<std::size(vendor_types)>()); }

class VendorLab : public AllPasses {
 public:
  VendorLab() { load_test_plugin<register_vendors>(session); }
};

// Of the vendor's, each with its type, set and number of readers. All of a graph that is cleaned up lead to a
// result.
std::vector<std::string> vendors_in(const core::Graph& g) {
  std::vector<std::string> list;
  for (const core::NodeId n : g.nodes()) {
    const auto& node = g.node(n);
    const std::string set(g.symbols().text(node.opset));
    if (std::find(std::begin(vendor_sets), std::end(vendor_sets), set) == std::end(vendor_sets)) continue;
    EXPECT_TRUE(node.outputs[0].first) << "nothing reads '" << g.name(n) << "'";
    list.push_back(text(set, "::", g.symbols().text(node.op)));
  }
  std::sort(list.begin(), list.end());
  return list;
}

// What is ours, and here and there one operation of the vendor's, of one type and of either set.
class VendoredModel : public RandomModel {
 public:
  VendoredModel(uint32_t seed, std::string_view type) : RandomModel(seed), type_(type) {}

 protected:
  void step() override {
    if (pick(3) != 0) return RandomModel::step();
    const Value v = any();
    if (v.dims.empty()) return;
    std::vector<std::string> inputs{v.name};
    for (size_t i = pick(4); i > 0; --i) inputs.push_back(operand(v));
    keep(op(text(type_, '@', vendor_sets[pick(2)]), inputs), v.dims);
  }

 private:
  // As one of ours would have it.
  std::string operand(const Value& v) {
    switch (pick(5)) {
      case 0:
        return v.name;
      case 1:
        return integer(static_cast<int64_t>(pick(v.dims.size())));
      case 2:
        return ints(v.dims);
      case 3:
        return ones({});
      default:
        return numbers({v.dims.back()});
    }
  }
  std::string ones(const Dims& dims) {
    const std::string name = fresh();
    text_ += text("%", name, " = Const@opset1 \"", name, "\" -> f32[", joined(dims), "] {", pick(2), "}\n");
    return name;
  }

  std::string_view type_;
};

void vendors_stay(VendorLab& passes, std::string_view type, uint32_t seed, size_t& seen) {
  VendoredModel random(seed, type);
  const std::string source = random.make(8 + seed % 24);
  const auto before = passes.graph(source), after = passes.graph(source);
  core::clean_up(passes.session, *before);
  passes(*after);
  core::infer_all(passes.session, *after);
  const auto expected = vendors_in(*before);
  seen += expected.size();
  EXPECT_EQ(vendors_in(*after), expected) << source << "\n" << app::to_text(*after);
  std::string found;
  size_t compared = 0;
  for (uint32_t attempt = 0; attempt < 3; ++attempt) {
    const Numbers x = fine_numbers(random.input.dims, seed * 3 + attempt);
    found = difference(passes.values(*before, {x}), passes.values(*after, {x}), compared);
    if (found.empty()) break;
  }
  EXPECT_EQ(found, "") << source << "\n" << app::to_text(*after);
}

TEST(Vendors, OperationsThatAreCalledAsOursAreStay) {
  const char* const first = std::getenv("MO_RANDOM_SEED");
  const char* const many = std::getenv("MO_RANDOM_SEEDS");
  const uint32_t begin = first == nullptr ? 0 : static_cast<uint32_t>(std::atoi(first));
  const uint32_t count = many != nullptr    ? static_cast<uint32_t>(std::atoi(many))
                         : first != nullptr ? 1
                         : sanitized        ? 2
                                            : 8;
  VendorLab passes;
  const auto ours = passes.session.registry().operations();
  for (const std::string_view type : vendor_types) {
    EXPECT_TRUE(
        std::any_of(ours.begin(), ours.end(),
                    [&](const core::Operation* o) { return o->op == type && is_operation_set(o->opset); }))
        << type << " is not one of ours";
    size_t seen = 0;
    for (uint32_t seed = begin; seed < begin + count && !HasFailure(); ++seed) {
      SCOPED_TRACE(text(type, ", MO_RANDOM_SEED=", seed));
      EXPECT_NO_THROW(vendors_stay(passes, type, seed, seen));
    }
    if (count > 1) {
      EXPECT_GT(seen, 0U) << type;
    }
  }
}

struct TakenForOurs {
  const char* title;
  const char* graph;
};

// Where transformations once took them for ours.
constexpr TakenForOurs taken_for_ours[] = {
    {"Mish", R"(
      %s = SoftPlus@opset4 (%x)
      %v = Tanh@org.acme (%s)
      %y = Multiply@opset1 (%x, %v))"},
    {"Swish, by the vendor's Sigmoid", R"(
      %v = Sigmoid@org.acme (%x)
      %y = Multiply@opset1 (%x, %v))"},
    {"Swish, by the vendor's Multiply", R"(
      %s = Sigmoid@opset1 (%x)
      %y = Multiply@org.acme (%x, %s))"},
    {"SoftPlus", R"(
      %e = Exp@org.acme (%x)
      %one = Const@opset1 -> f32[] {1}
      %a = Add@opset1 (%e, %one)
      %y = Log@opset1 (%a))"},
    {"two products", R"(
      %two = Const@opset1 -> f32[] {2}
      %m = Multiply@org.acme (%x, %two)
      %three = Const@opset1 -> f32[] {3}
      %y = Multiply@opset1 (%m, %three))"},
    {"a product behind a convolution", R"(
      %w = Const@opset1 -> f32[3,2,1,1] {1,2,3,4,5,6}
      %c = Convolution@opset1 (%x, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]}
      %two = Const@opset1 -> f32[] {2}
      %y = Multiply@org.acme (%c, %two))"},
    {"Clamp, then ReLU", R"(
      %v = Clamp@org.acme (%x)
      %y = ReLU@opset1 (%v))"},
    {"Convert, then Convert", R"(
      %v = Convert@org.acme (%x)
      %y = Convert@opset1 (%v) {destination_type=f16})"},
    {"a product with 1, of a set whose name begins as ours do", R"(
      %one = Const@opset1 -> f32[] {1}
      %v = Multiply@opset_acme (%x, %one)
      %y = ReLU@opset1 (%v))"},
};

TEST(Vendors, WhereTheyWereTakenForOurs) {
  VendorLab passes;
  for (const TakenForOurs& c : taken_for_ours) {
    SCOPED_TRACE(c.title);
    const std::string source =
        text("%x = Parameter@opset1 \"x\" -> f32[1,2,3,3]", c.graph, "\nResult (%y)\n");
    const auto before = passes.graph(source), after = passes.graph(source);
    core::run_transformation(passes.session, *after,
                             *passes.session.registry().transformation("front.fuse_quantize_pairs"));
    passes(*after);
    core::infer_all(passes.session, *after);
    EXPECT_EQ(vendors_in(*after), vendors_in(*before)) << app::to_text(*after);
    EXPECT_EQ(vendors_in(*before).size(), 1U);
    Numbers x = fine_numbers({1, 2, 3, 3}, 1);
    for (double& v : x.values) v = std::abs(v);  // there are logarithms among them
    size_t compared = 0;
    EXPECT_EQ(difference(passes.values(*before, {x}), passes.values(*after, {x}), compared), "")
        << app::to_text(*after);
    EXPECT_EQ(compared, 1U);
  }
}

}  // namespace
}  // namespace mo::test
