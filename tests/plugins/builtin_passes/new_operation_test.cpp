// A new operation is one file: what it says of itself is all that passes need, whatever its set is called.
#include "tests/plugins/builtin_passes/layout_lab.hpp"
#include "tests/support/test_plugin.hpp"

namespace mo::test {
namespace {

// Of each element of one input.
struct Foo {
  static void schema(OpSchema& s) { s.input("data").element_wise(); }
  static void infer(InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
};
// Of pairs of elements.
struct Bar {
  static void schema(OpSchema& s) { s.inputs({"a", "b"}).element_wise().commutative(); }
  static void infer(InferContext& c) {
    const auto both = broadcast(c.shape(0), c.shape(1));
    c.require(both.has_value(), "shapes do not broadcast");
    c.output(0, c.type(0), *both);
  }
};
// Of rows along an axis.
struct Baz {
  static void schema(OpSchema& s) {
    s.input("data", Role::data).keeps_shape().attr<int64_t>("axis", -1).role(Role::axes);
  }
  static void infer(InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
};
// The sum over the dimensions that an input names.
struct Sum {
  static void schema(OpSchema& s) { s.input("data", Role::data).input("axes", Role::reduced_axes); }
  static void infer(InferContext& c) {
    const auto axes = c.ints(1);
    if (!axes || !c.shape(0).has_rank()) return c.output(0, c.type(0), Shape::unknown());
    Shape out;
    for (int64_t i = 0; i < c.shape(0).rank(); ++i)
      if (std::find(axes->begin(), axes->end(), i) == axes->end())
        out.push_back(c.shape(0)[static_cast<size_t>(i)]);
    c.output(0, c.type(0), out);
  }
};

void register_new(Registry& r) {
  for (const char* const set : {"opset17", "org.acme"}) {
    r.operation<Foo>("Foo", set);
    r.operation<Bar>("Bar", set);
    r.operation<Baz>("Baz", set);
    r.operation<Sum>("Sum", set);
  }
}

class NewOperation : public testing::TestWithParam<std::string_view> {
 protected:
  NewOperation() { load_test_plugin<register_new>(lab_.session); }
  // "Foo@" is one of the set that is tested.
  std::string of_set(std::string text) const {
    for (size_t at = 0; (at = text.find("@ ", at)) != std::string::npos;) text.insert(at + 1, GetParam());
    return text;
  }
  core::GraphPtr graph(const std::string& text) { return lab_.graph(of_set(text)); }
  // What a model with channels last becomes: `body` makes %a of %x, between two convolutions.
  std::string turned(const std::string& body) {
    const auto g = graph(
        "%x = Parameter@opset1 \"x\" {element_type=f32, shape=shape[2,4,4,4]} -> f32[2,4,4,4]\n"
        "%w = Const@opset1 \"w\" -> f32[4,4,1,1] {1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1}\n"
        "%first = Const@opset1 \"first\" -> i64[4] {0,3,1,2}\n"
        "%last = Const@opset1 \"last\" -> i64[4] {0,2,3,1}\n" +
        convolution("c", "x") + body + convolution("d", "a") + "Result@opset1 \"r\" (%d)\n");
    lab_.run(*g, {"middle.move_transposes"});
    EXPECT_EQ(lab_.warnings, "");
    return Former(lab_, *g).of_results();
  }
  static std::string convolution(const std::string& name, const std::string& x) {
    return "%" + name + "_in = Transpose@opset1 \"" + name + "_in\" (%" + x + ", %first)\n" +  //
           "%" + name + "_conv = Convolution@opset1 \"" + name + "_conv\" (%" + name +
           "_in, %w) {strides=[1,1], pads_begin=[0,0], pads_end=[0,0], dilations=[1,1], "
           "auto_pad=\"explicit\"}\n" +
           "%" + name + " = Transpose@opset1 \"" + name + "\" (%" + name + "_conv, %last)\n";
  }
  LayoutLab lab_;
};

TEST_P(NewOperation, IsTurnedToChannelsFirst) {
  EXPECT_EQ(
      turned("%a = Foo@ \"a\" (%c)\n"),
      "Transpose(Convolution(Foo(Convolution(Transpose(x, {0 3 1 2}), [4,4,1,1])), [4,4,1,1]), {0 2 3 1})");
  EXPECT_EQ(turned("%a = Bar@ \"a\" (%c, %c)\n").find("Transpose(Bar"), std::string::npos);
  EXPECT_EQ(turned("%s = Const@opset1 \"s\" -> f32[4] {1,2,3,4}\n%a = Bar@ \"a\" (%c, %s)\n"),
            "Transpose(Convolution(Bar(Convolution(Transpose(x, {0 3 1 2}), [4,4,1,1]), [1,4,1,1]), "
            "[4,4,1,1]), {0 2 3 1})");
  EXPECT_THAT(turned("%a = Baz@ \"a\" (%c)\n"), testing::HasSubstr("Convolution(Baz@1(Convolution("));
}

TEST_P(NewOperation, ReducesDimensionsAtTheirNewPlaces) {
  const auto g = graph(
      "%x = Parameter@opset1 \"x\" {element_type=f32, shape=shape[2,3,4,5]} -> f32[2,3,4,5]\n"
      "%last = Const@opset1 \"last\" -> i64[4] {0,2,3,1}\n"
      "%t = Transpose@opset1 \"t\" (%x, %last)\n"
      "%axes = Const@opset1 \"axes\" -> i64[2] {1,2}\n"
      "%a = Sum@ \"a\" (%t, %axes)\nResult@opset1 \"r\" (%a)\n");
  lab_.run(*g, {"middle.move_transposes"});
  EXPECT_EQ(Former(lab_, *g).of_results(), "Sum(x, {2 3})");
}

TEST_P(NewOperation, HasSizesThatAreKnown) {
  const auto g = graph(
      "%x = Parameter@opset1 \"x\" {element_type=f32, shape=shape[?,?]} -> f32[?,?]\n"
      "%f = Foo@ \"f\" (%x)\n%z = Baz@ \"z\" (%f)\n"
      "%s = ShapeOf@opset3 \"s\" (%x) {output_type=i64}\n"
      "%b = Broadcast@opset3 \"b\" (%z, %s) {mode=\"numpy\"}\nResult@opset1 \"r\" (%b)\n");
  lab_.run(*g, {"middle.remove_broadcasts"});
  EXPECT_EQ(Former(lab_, *g).of_results(), "Baz(Foo(x))");
}

TEST_P(NewOperation, SpreadsItsInputsItself) {
  const auto g = graph(
      "%x = Parameter@opset1 \"x\" {element_type=f32, shape=shape[3]} -> f32[3]\n"
      "%z = Parameter@opset1 \"z\" {element_type=f32, shape=shape[?,3]} -> f32[?,3]\n"
      "%s = ShapeOf@opset3 \"s\" (%z) {output_type=i64}\n"
      "%b = Broadcast@opset3 \"b\" (%x, %s) {mode=\"numpy\"}\n"
      "%y = Bar@ \"y\" (%z, %b)\nResult@opset1 \"r\" (%y)\n");
  lab_.run(*g, {"back.spread_in_operations"});
  EXPECT_EQ(Former(lab_, *g).of_results(), "Bar(z, x)");
}

INSTANTIATE_TEST_SUITE_P(Sets, NewOperation, testing::Values("opset17", "org.acme"),
                         [](const auto& set) { return set.param == "opset17" ? "Ours" : "Vendor"; });

}  // namespace
}  // namespace mo::test
