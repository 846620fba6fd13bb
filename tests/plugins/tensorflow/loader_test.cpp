// The loader: what a GraphDef may look like, and what it may not.
#include "apps/frontends/choose_frontend.hpp"
#include "core/host/host_tables.hpp"
#include "tensorflow_fixture.hpp"
#include "test_plugin.hpp"

namespace mo::test {

namespace {

// What an extractor of operator "Probe" sees.
struct Seen {
  std::vector<std::string> names;
  int64_t i = 0;
  double f = 0;
  bool b = false;
  std::string s, function, format;
  ElementType type = ElementType::unknown;
  Shape shape;
  std::vector<int64_t> ints, tensor;
  std::vector<double> floats;
  std::vector<std::string> texts;
  std::vector<ElementType> types;
  std::vector<Shape> shapes;
  bool empty = false, absent = true;
} seen;

void look(SourceNode& n) {
  seen.names = n.native_names();
  seen.i = n.native<int64_t>("i");
  seen.f = n.native<double>("f");
  seen.b = n.native<bool>("b");
  seen.s = n.native<std::string>("s");
  seen.function = n.native<std::string>("function");
  seen.type = n.native<ElementType>("type");
  seen.shape = n.native<Shape>("shape");
  seen.tensor = n.native<Tensor>("tensor").to_ints();
  seen.ints = n.native<std::vector<int64_t>>("ints");
  seen.floats = n.native<std::vector<double>>("floats");
  seen.texts = n.native<std::vector<std::string>>("texts");
  seen.types = n.native<std::vector<ElementType>>("types");
  seen.shapes = n.native<std::vector<Shape>>("shapes");
  seen.empty = n.native<std::vector<int64_t>>("empty").empty();
  seen.absent = !n.has_native("absent");
  n.set_op("ReLU", "opset1");
}

void look_at_defaults(SourceNode& n) {
  seen.format = n.native("data_format", "none");
  seen.ints = n.native<std::vector<int64_t>>("dilations");
  seen.empty = n.native<std::vector<int64_t>>("explicit_paddings").empty();
  seen.b = n.native<bool>("use_cudnn_on_gpu");
  n.set_op("ReLU", "opset1");
}

void register_probe(Registry& r) { r.extractor<look>({"tf", "", "Probe"}); }
void register_convolution(Registry& r) { r.extractor<look_at_defaults>({"tf", "", "Conv2D"}); }

}  // namespace

class TensorflowLoader : public Tensorflow {
 protected:
  template <auto Register>
  void extract(const GraphDef& model) {
    core::Session& session = *sessions_.emplace_back(std::make_unique<core::Session>(core::host_table()));
    load_test_plugin<Register>(session);
    load_built_in(session);
    core::ConvertOptions options;
    options.frontend = app::choose_frontend;
    options.input_model = folder_.write("model.pb", model.bytes());
    options.framework = "tf";
    options.stop_after = core::Stage::extract;
    options.emit.model_name = "model";
    core::ConvertResult result;
    core::prepare_model(session, options, result);
  }
};

TEST_F(TensorflowLoader, KeepsNamesTypesAndShapes) {
  const auto g = load(GraphDef()
                          .placeholder("x", TfType::f32, {1, -1, 3})
                          .node("Relu", "y", {"x"}, {t_float})
                          .node("TopKV2", "top", {"y", "k"}, {t_float})
                          .constant("k", tf_i32({}, {2})));
  const core::NodeId x = node(*g, "x");
  EXPECT_EQ(g->op(x), "Parameter");
  EXPECT_EQ(g->out({x, 0}).tensor.shape, (Shape{1, any_dim, 3}));
  EXPECT_EQ(g->out({x, 0}).tensor.type, ElementType::f32);
  const core::NodeId top = node(*g, "top");
  EXPECT_EQ(text(g->op(top), '@', g->opset(top)), "TopKV2@");
  EXPECT_EQ(g->out({top, 0}).tensor.type, ElementType::f32);
  EXPECT_EQ(g->out({top, 1}).tensor.type, ElementType::i32);
  EXPECT_EQ(g->symbols().text(g->out({top, 1}).names.at(0)), "top:1");
  ASSERT_EQ(g->out({top, 0}).names.size(), 2U);
  EXPECT_EQ(g->symbols().text(g->out({top, 0}).names[0]), "top:0");
  EXPECT_EQ(g->symbols().text(g->out({top, 0}).names[1]), "top");
  ASSERT_EQ(g->results().size(), 2U);
  EXPECT_EQ(g->name(g->results()[0]), "top/sink_port_0");
  EXPECT_EQ(g->name(g->results()[1]), "top/sink_port_1");
}

TEST_F(TensorflowLoader, AttributesByTheirKind) {
  extract<register_probe>(
      GraphDef()
          .placeholder("x", TfType::f32, {2})
          .node("Probe", "y", {"x"},
                {tf_int("i", -7), tf_float("f", 0.1F), tf_bool("b", true), tf_text("s", "SAME"),
                 tf_type("type", TfType::half), tf_shape("shape", {2, -1}),
                 tf_tensor_value("tensor", tf_i32({3}, {1, 2, 3})), tf_function("function", "g"),
                 tf_ints("ints", {1, -2}), tf_floats_list("floats", {0.5F, 0.1F}),
                 tf_texts("texts", {"a", "b"}), tf_types("types", {TfType::i32, TfType::resource}),
                 tf_shapes("shapes", {{1}, {}}), tf_ints("empty", {})}));
  EXPECT_EQ(seen.names.size(), 14U);
  EXPECT_EQ(seen.i, -7);
  EXPECT_EQ(seen.f, 0.1);  // as it was written, not as a float has it
  EXPECT_TRUE(seen.b);
  EXPECT_EQ(seen.s, "SAME");
  EXPECT_EQ(seen.type, ElementType::f16);
  EXPECT_EQ(seen.shape, (Shape{2, any_dim}));
  EXPECT_EQ(seen.tensor, (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(seen.function, "g");
  EXPECT_EQ(seen.ints, (std::vector<int64_t>{1, -2}));
  EXPECT_EQ(seen.floats, (std::vector<double>{0.5, 0.1}));
  EXPECT_EQ(seen.texts, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(seen.types, (std::vector<ElementType>{ElementType::i32, ElementType::unknown}));
  EXPECT_EQ(seen.shapes, (std::vector<Shape>{Shape{1}, Shape{}}));
  EXPECT_TRUE(seen.empty);
  EXPECT_TRUE(seen.absent);
}

TEST_F(TensorflowLoader, AbsentAttributesHaveTheDefaultsOfTheOperator) {
  extract<register_convolution>(
      GraphDef()
          .placeholder("x", TfType::f32, {1, 4, 4, 1})
          .node("Conv2D", "y", {"x", "x"}, {t_float, tf_ints("strides", {1, 1, 1, 1})}));
  EXPECT_EQ(seen.format, "NHWC");
  EXPECT_EQ(seen.ints, (std::vector<int64_t>{1, 1, 1, 1}));
  EXPECT_TRUE(seen.empty);
  EXPECT_TRUE(seen.b);
}

TEST_F(TensorflowLoader, TypesComeFromTheTableOfOperators) {
  const auto g = load(GraphDef()
                          .placeholder("x", TfType::f32, {2})
                          .node("Cast", "cast", {"x"}, {tf_type("DstT", TfType::i64)})
                          .node("Equal", "equal", {"x", "x"}, {t_float})
                          .node("Shape", "shape", {"x"}, {t_float})
                          .node("ArgMax", "argmax", {"x", "shape"}, {t_float})
                          .node("SplitV", "split", {"x", "shape", "shape"}, {t_float, tf_int("num_split", 3)})
                          .node("IteratorGetNext", "next", {"x"},
                                {tf_types("output_types", {TfType::f32, TfType::i64}),
                                 tf_shapes("output_shapes", {{4, 2}, {4}})}));
  const auto type = [&](std::string_view name, uint32_t port = 0) {
    return g->out({node(*g, name), port}).tensor.type;
  };
  EXPECT_EQ(type("cast"), ElementType::i64);
  EXPECT_EQ(type("equal"), ElementType::boolean);
  EXPECT_EQ(type("shape"), ElementType::i32);
  EXPECT_EQ(type("argmax"), ElementType::i64);
  EXPECT_EQ(g->node(node(*g, "split")).outputs.size(), 3U);
  EXPECT_EQ(type("split", 2), ElementType::f32);
  EXPECT_EQ(type("next", 1), ElementType::i64);
  EXPECT_EQ(g->out({node(*g, "next"), 0}).tensor.shape, (Shape{4, 2}));
}

TEST_F(TensorflowLoader, UnknownOperatorsHaveTheOutputsThatAreRead) {
  const auto g = load(GraphDef()
                          .placeholder("x", TfType::f32, {2})
                          .node("Magic", "m", {"x"})
                          .node("Add", "y", {"m:2", "m"}, {t_float}));
  EXPECT_EQ(g->node(node(*g, "m")).outputs.size(), 3U);
  EXPECT_EQ(g->source({node(*g, "y"), 0}).port, 2U);
}

TEST_F(TensorflowLoader, ControlInputsAreDroppedAndWhatWaitsIsNoOutput) {
  const auto g = load(GraphDef()
                          .placeholder("x", TfType::f32, {2})
                          .node("Identity", "only_waited_for", {"x"}, {t_float})
                          .node("Relu", "y", {"x", "^only_waited_for", "^nothing"}, {t_float})
                          .node("NoOp", "nothing"));
  EXPECT_EQ(g->node(node(*g, "y")).inputs.size(), 1U);
  ASSERT_EQ(g->results().size(), 1U);
  EXPECT_EQ(source(*g, "y/sink_port_0"), "y");
  EXPECT_EQ(g->find("nothing"), core::no_node);
}

TEST_F(TensorflowLoader, NodesInAnyOrder) {
  const auto g = load(GraphDef()
                          .node("Relu", "c", {"b"}, {t_float})
                          .node("Relu", "b", {"a"}, {t_float})
                          .placeholder("a", TfType::f32, {2}));
  EXPECT_EQ(source(*g, "c"), "b");
  EXPECT_EQ(source(*g, "b"), "a");
}

// TensorFlow leaves out values at the end that equal the last one.
TEST_F(TensorflowLoader, ConstantsStatedShortly) {
  Wire two, ramp, halves;
  two.single(5, 2.5F);
  for (const int v : {1, 2, 7}) ramp.integer(7, v);
  halves.integer(13, 0x3c00);
  GraphDef m;
  m.constant("splat", {TfType::f32, {2, 3}, "", two.bytes}).constant("zeros", {TfType::i64, {2}, "", ""});
  m.constant("ramp", {TfType::i32, {5}, "", ramp.bytes})
      .constant("half", {TfType::half, {3}, "", halves.bytes});
  m.constant("none", {TfType::f32, {0, 4}, "", ""})
      .constant("complex", {TfType::complex64, {2}, "", Wire().single(9, 1).single(9, 2).bytes});
  m.node("Relu", "y", {"splat"}, {t_float});
  const auto g = load(m);
  const auto value = [&](std::string_view name) {
    return values_of(g->out({node(*g, name), 0}).tensor.value);
  };
  EXPECT_EQ(value("splat"), (std::vector<double>(6, 2.5)));
  EXPECT_EQ(value("zeros"), (std::vector<double>{0, 0}));
  EXPECT_EQ(value("ramp"), (std::vector<double>{1, 2, 7, 7, 7}));
  EXPECT_EQ(value("half"), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(value("none"), (std::vector<double>{}));
  EXPECT_EQ(value("complex"), (std::vector<double>{1, 2, 1, 2}));
  EXPECT_EQ(g->out({node(*g, "complex"), 0}).tensor.shape, (Shape{2, 2}));
}

TEST_F(TensorflowLoader, LayoutOfTheModel) {
  const auto layout = [&](std::string_view op, std::vector<TfAttribute> attributes) {
    const auto g =
        load(GraphDef().placeholder("x", TfType::f32, {1, 4, 4, 1}).node(op, "y", {"x", "x"}, attributes));
    return std::get<std::string>(*g->attribute("layout"));
  };
  EXPECT_EQ(layout("Conv2D", {}), "NHWC");
  EXPECT_EQ(layout("Conv2D", {tf_text("data_format", "NCHW")}), "NCHW");
  EXPECT_EQ(layout("Conv3D", {}), "NHWC");
  EXPECT_EQ(layout("MatMul", {t_float}), "NCHW");
}

TEST_F(TensorflowLoader, FilesOfKerasSayHowToExport) {
  const std::pair<const char*, const char*> files[] = {{"net.h5", "\x89HDF\r\n\x1a\nmore"},
                                                       {"net.keras", "PK\3\4more"}};
  for (const auto& [name, bytes] : files) {
    const std::string said = failure_of(folder_.write(name, bytes), core::Stage::load);
    EXPECT_THAT(said, HasSubstr("a model in a format of Keras"));
    EXPECT_THAT(said, HasSubstr(std::string("load_model('") + name + "').export('saved')"));
  }
}

TEST_F(TensorflowLoader, WhatIsWrongIsNamed) {
  const auto x = [] { return GraphDef().placeholder("x", TfType::f32, {2}); };
  EXPECT_THAT(load_failure(x().node("Relu", "y", {"z"})),
              HasSubstr("node 'y' (Relu): its input 'z' is not a node of the graph"));
  EXPECT_THAT(load_failure(x().node("Relu", "y", {"x:1"})),
              HasSubstr("output 1 of node 'x' (Placeholder) is read"));
  EXPECT_THAT(load_failure(x().node("Relu", "y", {"x:one"})), HasSubstr("has no number of an output"));
  EXPECT_THAT(load_failure(x().node("Relu", "x", {"x"})), HasSubstr("two nodes are named 'x'"));
  EXPECT_THAT(load_failure(x().node("Relu", "", {"x"})), HasSubstr("a node (Relu) has no name"));
  EXPECT_THAT(load_failure(x().node("Split", "y", {"x", "x"}, {tf_int("num_split", -1)})),
              HasSubstr("attribute 'num_split' is -1"));
  EXPECT_THAT(load_failure(x().node("Split", "y", {"x", "x"}, {tf_text("num_split", "3")})),
              HasSubstr("attribute 'num_split' is a string, expected an integer"));
  EXPECT_THAT(load_failure(x().constant("c", {TfType::f32, {3}, "1234"})),
              HasSubstr("its tensor_content has 4 bytes, and shape [3] of f32 takes 12"));
  EXPECT_THAT(load_failure(x().constant("c", {TfType::f32, {1}, "", Wire().single(5, 1).single(5, 2).bytes})),
              HasSubstr("it has 2 values, and shape [1] of f32 takes 1"));
  EXPECT_THAT(load_failure(x().constant("c", {TfType::f32, {int64_t{1} << 40, 1 << 20}, "", ""})),
              HasSubstr("has more elements than memory"));
  EXPECT_THAT(load_failure(x().constant("c", {TfType::f32, {-1}, "", ""})), HasSubstr("is not known"));
  EXPECT_THAT(load_failure(x().constant("c", {TfType::f32, {1 << 30}, "", Wire().single(5, 1).bytes})),
              HasSubstr("a value of 4294967296 bytes does not fit"));
}

}  // namespace mo::test
