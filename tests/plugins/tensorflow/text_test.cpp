// GraphDefs in text form.
#include "apps/frontends/choose_frontend.hpp"
#include "tensorflow_fixture.hpp"

namespace mo::test {

class TensorflowText : public Tensorflow {
 protected:
  core::GraphPtr load_text(std::string_view text, std::string_view name = "model.pbtxt") {
    return prepare(folder_.write(name, text), core::Stage::load);
  }
  std::string text_failure(std::string_view text) {
    return failure_of(folder_.write("model.pbtxt", text), core::Stage::load);
  }
};

TEST_F(TensorflowText, SaysWhatTheBinaryFormSays) {
  const auto g = load_text(R"(# a comment
node {
  name: "x"
  op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 2 } } } }
}
node {
  name: 'w'  op: "Const"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } }
                                       tensor_content: "\000\000\200?\x00\000\000@" } } }
}
node < name: "k" op: "Const"
  attr: { key: "dtype" value: { type: DT_INT64 } }
  attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape { dim { size: 3 } } int64_val: [ -5, 0x10 ] } } } >
node { name: "y" op: "Mul" input: "x" input: "w" device: "/cpu:0" attr { key: "T" value { type: DT_FLOAT_REF } }
       attr { key: "_class" value { list { s: "loc:@w" } } } experimental_debug_info { original_node_names: "a" } }
versions { producer: 27 }
)");
  EXPECT_EQ(g->out({node(*g, "x"), 0}).tensor.shape, (Shape{any_dim, 2}));
  EXPECT_EQ(values_of(g->out({node(*g, "w"), 0}).tensor.value), (std::vector<double>{1, 2}));
  EXPECT_EQ(values_of(g->out({node(*g, "k"), 0}).tensor.value), (std::vector<double>{-5, 16, 16}));
  EXPECT_EQ(source(*g, "y", 1), "w");
  EXPECT_EQ(g->out({node(*g, "y"), 0}).tensor.type, ElementType::f32);
}

TEST_F(TensorflowText, IsRecognisedAndCanBeSaid) {
  const std::string text =
      "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_HALF } } }";
  core::ConvertOptions options;
  options.frontend = app::choose_frontend;
  options.input_model = folder_.write("model.txt", text);
  options.stop_after = core::Stage::load;
  core::ConvertResult result;
  EXPECT_EQ(core::prepare_model(new_session(), options, result)->parameters().size(), 1U);
  options_ = {{"input_model_is_text", true}};
  EXPECT_EQ(load_text("\n\nnode\n{\nname:\"x\" op:\"Placeholder\"}", "a.pb")->parameters().size(), 1U);
}

TEST_F(TensorflowText, FunctionsToo) {
  const auto g =
      load_text(R"(node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "c" op: "PartitionedCall" input: "x" attr { key: "f" value { func { name: "g" } } } }
library { function { signature { name: "g" input_arg { name: "a" type: DT_FLOAT } output_arg { name: "o" type: DT_FLOAT } }
  node_def { name: "r" op: "Relu" input: "a" attr { key: "T" value { type: DT_FLOAT } } }
  ret { key: "o" value: "r:activations:0" } } })");
  EXPECT_EQ(source(*g, "c/r"), "x");
}

TEST_F(TensorflowText, MistakesHaveAPlace) {
  EXPECT_THAT(text_failure("node {\n  name: 5\n}"),
              HasSubstr("model.pbtxt:2:9: field 'name': expected a string in quotes"));
  EXPECT_THAT(text_failure("node {\n name: \"x\"\n"), HasSubstr("the message 'node' does not end"));
  EXPECT_THAT(text_failure("node { name }"), HasSubstr("expected ':' or '{' after 'name'"));
  EXPECT_THAT(text_failure("node { attr { key: \"T\" value { type: DT_SINGLE } } }"),
              HasSubstr("expected a type as DT_FLOAT"));
  EXPECT_THAT(text_failure("node { attr { key: \"T\" value { i: 1.5 } } }"),
              HasSubstr("field 'i': expected a whole number"));
  EXPECT_THAT(text_failure("node { attr: \"T\" }"), HasSubstr("field 'attr' is a message"));
  EXPECT_THAT(text_failure("node { name: { } }"), HasSubstr("field 'name' is not a message"));
  std::string deep = "node { a ";
  for (int i = 0; i < 200; ++i) deep += "{ a ";
  EXPECT_THAT(text_failure(deep), HasSubstr("nested more than 100 deep"));
  options_ = {{"input_model_is_text", true}};
  EXPECT_THAT(text_failure("layer { }"), HasSubstr("model.pbtxt:1:1: expected a field of a GraphDef"));
}

}  // namespace mo::test
