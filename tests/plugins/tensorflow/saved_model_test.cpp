// SavedModels of TensorFlow 1 and 2, and MetaGraphs.
#include <sys/stat.h>

#include "apps/frontends/choose_frontend.hpp"
#include "checkpoint_files.hpp"
#include "tensorflow_fixture.hpp"

namespace mo::test {

namespace {

const TfAttribute read_f32 = tf_type("dtype", TfType::f32);
const std::vector<TfAttribute> handle = {tf_type("dtype", TfType::f32), tf_shape("shape", {2})};

struct TensorInfos {
  std::string argument, tensor;
};

Wire signature(const std::vector<TensorInfos>& inputs, const std::vector<TensorInfos>& outputs) {
  Wire w;
  for (const TensorInfos& i : inputs) w.entry(1, i.argument, Wire().text(1, i.tensor).bytes);
  for (const TensorInfos& o : outputs) w.entry(2, o.argument, Wire().text(1, o.tensor).bytes);
  return w.text(3, "tensorflow/serving/predict");
}

Wire meta_graph(const std::vector<std::string>& tags, const GraphDef& g) {
  Wire info;
  for (const std::string& t : tags) info.text(4, t);
  return Wire().message(1, info.text(5, "2.9.0")).text(2, g.bytes());
}

std::string saved_model(const std::vector<Wire>& graphs) {
  Wire w;
  w.integer(1, 1);
  for (const Wire& g : graphs) w.message(2, g);
  return w.bytes;
}

// x + w, and nodes that save and train.
GraphDef version_one() {
  GraphDef g;
  g.placeholder("x", TfType::f32, {-1, 2}).node("VariableV2", "w", {}, handle);
  g.node("Add", "y", {"x", "w"}, {t_float})
      .node("Mul", "loss", {"y", "y"}, {t_float})
      .node("Neg", "aside", {"x"}, {t_float});
  g.node("ApplyGradientDescent", "train", {"w", "loss", "y"}, {t_float})
      .node("Assign", "w/Assign", {"w", "y"}, {t_float});
  return g;
}

}  // namespace

class TensorflowSavedModel : public Tensorflow {
 protected:
  void write(const std::string& bytes) { folder_.write("m/saved_model.pb", bytes); }
  void write_values(const BundleWriter& b) { b.write(folder_, "m/variables/variables"); }
  core::GraphPtr load_folder() { return prepare(folder_ / "m", core::Stage::load); }
  std::string failure() { return failure_of(folder_ / "m", core::Stage::load); }
  std::vector<std::string> result_names(const core::Graph& g) {
    std::vector<std::string> names;
    for (const core::NodeId r : g.results()) names.emplace_back(g.name(r));
    return names;
  }
};

TEST_F(TensorflowSavedModel, OfVersionOneWithItsSignature) {
  Wire meta = meta_graph({"serve"}, version_one());
  meta.entry(5, "serving_default", signature({{"in", "x:0"}}, {{"out", "y:0"}}).bytes);
  write(saved_model({meta_graph({"train"}, GraphDef().placeholder("x", TfType::f32, {1})), meta}));
  write_values(BundleWriter().add("w", tf_floats({2}, {3, 4})));
  const auto g = load_folder();
  EXPECT_EQ(result_names(*g), std::vector<std::string>{"y/sink_port_0"});
  EXPECT_EQ(g->op(node(*g, "w")), "Const");
  EXPECT_EQ(g->find("loss"), core::no_node);
  EXPECT_EQ(g->find("aside"), core::no_node);
  EXPECT_EQ(g->out({node(*g, "x"), 0}).tensor.shape, (Shape{any_dim, 2}));
}

TEST_F(TensorflowSavedModel, ItsFilesAreFilesOfItsFolder) {
  namespace fs = std::filesystem;
  const auto lay_out = [&] {
    fs::remove_all(folder_ / "m");
    Wire meta = meta_graph({"serve"}, version_one());
    meta.entry(5, "serving_default", signature({{"in", "x:0"}}, {{"out", "y:0"}}).bytes);
    write(saved_model({meta}));
    write_values(BundleWriter().add("w", tf_floats({2}, {3, 4})));
  };
  const TemporaryFolder outside;
  for (const std::string name :
       {"saved_model.pb", "variables/variables.index", "variables/variables.data-00000-of-00001"}) {
    lay_out();
    EXPECT_EQ(failure(), "");
    const fs::path file = folder_.path() / "m" / name, elsewhere = outside / file.filename().string();
    fs::copy_file(file, elsewhere);
    fs::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    EXPECT_THAT(failure(), HasSubstr(file.filename().string()));
    fs::remove(file);
    fs::create_directory(file);
    EXPECT_THAT(failure(), HasSubstr(file.filename().string()));
    fs::remove(file);
    fs::create_symlink(elsewhere, file);
    if (name != "saved_model.pb") {  // that one was named, as its folder was
      EXPECT_THAT(failure(), HasSubstr("a link leads out of the folder"));
    }
  }
}

TEST_F(TensorflowSavedModel, OutputsMayBeOthersThanTheSignatures) {
  Wire meta = meta_graph({"serve"}, version_one());
  meta.entry(5, "serving_default", signature({{"in", "x:0"}}, {{"out", "y:0"}}).bytes);
  write(saved_model({meta}));
  write_values(BundleWriter().add("w", tf_floats({2}, {3, 4})));
  options_["output"] = std::string("aside:0");
  const auto g = load_folder();
  EXPECT_EQ(result_names(*g), std::vector<std::string>{"aside/sink_port_0"});
  EXPECT_EQ(g->find("w"), core::no_node);
}

// x + (p ? -x : |x|), as TensorFlow 1 writes it: less nodes are left than there were.
TEST_F(TensorflowSavedModel, OutputsBehindBranchesAreThoseOfTheSignature) {
  GraphDef g;
  g.placeholder("x", TfType::f32, {2}).placeholder("p", TfType::boolean, {});
  g.node("Switch", "s", {"x", "p"}, {t_float});
  g.node("Neg", "yes", {"s:1"}, {t_float}).node("Abs", "no", {"s"}, {t_float});
  g.node("Merge", "m", {"no", "yes"}, {t_float, tf_int("N", 2)});
  g.node("Add", "y", {"m", "x"}, {t_float}).node("Neg", "z", {"y"}, {t_float});
  Wire meta = meta_graph({"serve"}, g);
  meta.entry(5, "serving_default", signature({{"in", "x:0"}}, {{"out", "y:0"}, {"other", "m:0"}}).bytes);
  write(saved_model({meta}));
  const auto loaded = load_folder();
  EXPECT_THAT(result_names(*loaded), testing::UnorderedElementsAre("y/sink_port_0", "m/sink_port_0"));
  for (const core::NodeId r : loaded->results())
    EXPECT_EQ(text(loaded->name(loaded->source({r, 0}).node), "/sink_port_0"), loaded->name(r));
}

TEST_F(TensorflowSavedModel, AnOutputInsideOfALoopIsRefused) {
  const auto i32 = tf_type("T", TfType::i32);
  const std::vector<TfAttribute> frame{i32, tf_text("frame_name", "f")};
  GraphDef g;
  g.placeholder("x", TfType::i32, {}).placeholder("n", TfType::i32, {});
  g.node("Enter", "first", {"x"}, frame).node("Enter", "end", {"n"}, frame);
  g.node("Merge", "m", {"first", "next"}, {i32, tf_int("N", 2)});
  g.node("Less", "less", {"m", "end"}, {i32}).node("LoopCond", "c", {"less"});
  g.node("Switch", "s", {"m", "c"}, {i32}).node("Identity", "in", {"s:1"}, {i32});
  g.node("Add", "twice", {"in", "in"}, {i32}).node("NextIteration", "next", {"twice"}, {i32});
  g.node("Exit", "y", {"s"}, {i32});
  Wire meta = meta_graph({"serve"}, g);
  meta.entry(5, "serving_default", signature({{"in", "x:0"}}, {{"out", "y:0"}, {"other", "twice:0"}}).bytes);
  write(saved_model({meta}));
  EXPECT_THAT(failure(), HasSubstr("an output is what 'twice' gives inside of a loop"));
}

TEST_F(TensorflowSavedModel, WithoutASignatureWhatTrainsIsNoOutput) {
  write(saved_model({meta_graph({"serve"}, version_one())}));
  write_values(BundleWriter().add("w", tf_floats({2}, {3, 4})));
  EXPECT_EQ(result_names(*load_folder()), std::vector<std::string>{"aside/sink_port_0"});
}

TEST_F(TensorflowSavedModel, TagsChooseTheGraph) {
  const auto tagged = [](std::vector<std::string> tags, std::string_view name) {
    return meta_graph(tags,
                      GraphDef().placeholder("x", TfType::f32, {1}).node("Relu", name, {"x"}, {t_float}));
  };
  write(saved_model({tagged({"train"}, "a"), tagged({"serve", "gpu"}, "b")}));
  options_ = {{"saved_model_tags", std::vector<std::string>{"gpu", "serve"}}};
  EXPECT_EQ(result_names(*load_folder()), std::vector<std::string>{"b/sink_port_0"});
  options_ = {{"saved_model_tags", std::vector<std::string>{"tpu"}}};
  EXPECT_THAT(
      failure(),
      HasSubstr(
          "--saved_model_tags: no graph of the SavedModel has the tags tpu; there are: train; gpu,serve"));
  options_.clear();
  EXPECT_THAT(failure(), HasSubstr("name one with --saved_model_tags: train; gpu,serve"));
  write(saved_model({tagged({"train"}, "a")}));
  EXPECT_EQ(result_names(*load_folder()), std::vector<std::string>{"a/sink_port_0"});
}

// The graph of TensorFlow 2 calls one function with the variables that it captured.
class TensorflowSavedModel2 : public TensorflowSavedModel {
 protected:
  static GraphDef graph() {
    TfFunction inner{"inner",
                     {{"a", TfType::f32}, {"h", TfType::resource}, {"k", TfType::resource}},
                     {{"out", TfType::f32}},
                     {"add:z:0"},
                     {}};
    inner.node("ReadVariableOp", "read", {"h"}, {read_f32})
        .node("ReadVariableOp", "read_k", {"k"}, {read_f32});
    inner.node("Mul", "mul", {"a", "read:value:0"}, {t_float})
        .node("AddV2", "add", {"mul:z:0", "read_k:value:0"}, {t_float});
    TfFunction wrapper{
        "wrapper",
        {{"inputs", TfType::f32}, {"unknown", TfType::resource}, {"unknown_0", TfType::resource}},
        {{"output_0", TfType::f32}},
        {"Identity:output:0"},
        {}};
    wrapper.node("StatefulPartitionedCall", "Call", {"inputs", "unknown", "unknown_0"},
                 {tf_function("f", "inner"), tf_types("Tout", {TfType::f32})});
    wrapper.node("Identity", "Identity", {"Call:output:0"}, {t_float});
    GraphDef g;
    g.node("VarHandleOp", "dense/kernel", {}, handle).node("VarHandleOp", "dense/bias", {}, handle);
    g.node("Placeholder", "serving_default_inputs", {}, handle);
    g.node("StatefulPartitionedCall", "StatefulPartitionedCall",
           {"serving_default_inputs", "dense/kernel", "dense/bias"},
           {tf_function("f", "wrapper"), tf_types("Tout", {TfType::f32})});
    return g.function(inner).function(wrapper);
  }
  static Wire with_signature(const GraphDef& g) {
    return meta_graph({"serve"}, g)
        .entry(
            5, "serving_default",
            signature({{"inputs", "serving_default_inputs:0"}}, {{"output_0", "StatefulPartitionedCall:0"}})
                .bytes);
  }
  void expect_values(const std::vector<double>& kernel, const std::vector<double>& bias) {
    const auto g = load_folder();
    EXPECT_EQ(result_names(*g), std::vector<std::string>{"Identity/sink_port_0"});
    EXPECT_EQ(g->out({node(*g, "inputs"), 0}).tensor.shape, (Shape{2}));
    EXPECT_EQ(source(*g, "Identity"), "Call/add");
    EXPECT_EQ(source(*g, "Call/read"), "dense/kernel");
    EXPECT_EQ(values_of(g->out({node(*g, "dense/kernel"), 0}).tensor.value), kernel);
    EXPECT_EQ(values_of(g->out({node(*g, "dense/bias"), 0}).tensor.value), bias);
  }
};

// By the numbers of objects, which differ between model and checkpoint; names of variables say nothing here.
TEST_F(TensorflowSavedModel2, VariablesByObjects) {
  const auto child = [](int64_t id, std::string_view name) {
    return Wire().message(1, Wire().integer(1, id).text(2, name));
  };
  const auto value = [](std::string_view key) {
    return Wire().message(2, Wire().text(1, "VARIABLE_VALUE").text(2, "Variable").text(3, key));
  };
  Wire root = child(1, "first"), model_objects, stored;
  root.bytes += child(2, "second").bytes;
  model_objects.message(1, root).message(1, Wire()).message(1, Wire());
  model_objects.entry(2, "wrapper", Wire().integer(2, 1).integer(2, 2).bytes);
  Wire stored_root = child(2, "first");
  stored_root.bytes += child(1, "second").bytes;
  stored.message(1, stored_root).message(1, value("second/value")).message(1, value("first/value"));
  write(saved_model({with_signature(graph()).message(7, model_objects)}));
  write_values(BundleWriter()
                   .add("first/value", tf_floats({2}, {3, 4}))
                   .add("second/value", tf_floats({2}, {5, 6}))
                   .add_text("_CHECKPOINTABLE_OBJECT_GRAPH", stored.bytes));
  expect_values({3, 4}, {5, 6});
}

// By what the function restores that the graph calls to do so.
TEST_F(TensorflowSavedModel2, VariablesByTheRestoringFunction) {
  const auto texts = [](const std::vector<std::string>& list) {
    Wire values;
    for (const std::string& s : list) values.text(8, s);
    return tf_tensor_value("value", {TfType::string, {static_cast<int64_t>(list.size())}, "", values.bytes});
  };
  TfFunction restore{"restore",
                     {{"file", TfType::string}, {"h", TfType::resource}, {"k", TfType::resource}},
                     {{"out", TfType::string}},
                     {"file"},
                     {}};
  restore.node("Const", "keys", {}, {texts({"layer-0/b", "layer-0/a"})})
      .node("Const", "parts", {}, {texts({"", ""})});
  restore.node("RestoreV2", "RestoreV2", {"file", "keys:output:0", "parts:output:0"},
               {tf_types("dtypes", {TfType::f32, TfType::f32})});
  restore.node("Identity", "i0", {"RestoreV2:tensors:0"}, {t_float})
      .node("Identity", "i1", {"RestoreV2:tensors:1"}, {t_float});
  restore.node("AssignVariableOp", "a0", {"k", "i0:output:0"}, {read_f32});
  restore.node("AssignVariableOp", "a1", {"h", "i1:output:0"}, {read_f32});
  GraphDef g = graph();
  g.node("Placeholder", "saver_filename", {}, {tf_type("dtype", TfType::string)});
  g.node("StatefulPartitionedCall", "StatefulPartitionedCall_1",
         {"saver_filename", "dense/kernel", "dense/bias"},
         {tf_function("f", "restore"), tf_types("Tout", {TfType::string})});
  g.function(restore);
  write(saved_model({with_signature(g)}));
  write_values(
      BundleWriter().add("layer-0/a", tf_floats({2}, {3, 4})).add("layer-0/b", tf_floats({2}, {5, 6})));
  expect_values({3, 4}, {5, 6});
}

TEST_F(TensorflowSavedModel, FoldersAreRecognised) {
  Wire meta = meta_graph({"serve"},
                         GraphDef().placeholder("x", TfType::f32, {1}).node("Relu", "y", {"x"}, {t_float}));
  write(saved_model({meta}));
  core::ConvertOptions options;
  options.frontend = app::choose_frontend;
  options.input_model = folder_ / "m";
  options.stop_after = core::Stage::load;
  core::ConvertResult result;
  EXPECT_EQ(core::prepare_model(new_session(), options, result)->results().size(), 1U);
  std::filesystem::create_directories(folder_ / "empty");
  EXPECT_THAT(failure_of(folder_ / "empty", core::Stage::load),
              HasSubstr("is not a SavedModel: it has no file saved_model.pb"));
}

TEST_F(TensorflowSavedModel, WhatIsWrongIsNamed) {
  write(saved_model({}));
  EXPECT_NE(failure(), "");
  Wire meta = meta_graph({"serve"}, version_one());
  meta.entry(5, "serving_default", signature({}, {{"out", "z:0"}}).bytes);
  write(saved_model({meta}));
  EXPECT_THAT(failure(), HasSubstr("output 'out' of the signature is 'z:0', which the graph does not have"));
}

}  // namespace mo::test
