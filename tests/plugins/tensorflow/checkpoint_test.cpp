// Variables whose values stand in a checkpoint.
#include "checkpoint_files.hpp"
#include "tensorflow_fixture.hpp"

namespace mo::test {

namespace {

const std::vector<TfAttribute> resource_of_two = {tf_type("dtype", TfType::f32), tf_shape("shape", {2})};

// x * w with a variable of TensorFlow 1 or 2.
GraphDef product(bool resource) {
  GraphDef g;
  g.placeholder("x", TfType::f32, {2});
  if (resource) {
    g.node("VarHandleOp", "w", {}, resource_of_two);
    g.node("ReadVariableOp", "w/read", {"w"}, {tf_type("dtype", TfType::f32)});
  } else {
    g.node("VariableV2", "w", {}, resource_of_two);
    g.node("Identity", "w/read", {"w"}, {t_float});
  }
  return g.node("Mul", "y", {"x", "w/read"}, {t_float});
}

// What a saver has for them: keys[i] with parts[i] goes to variables[i].
GraphDef& add_saver(GraphDef& g, const std::vector<std::string>& variables,
                    const std::vector<std::string>& keys, const std::vector<std::string>& parts) {
  const auto texts = [](const std::vector<std::string>& list) {
    Wire values;
    for (const std::string& s : list) values.text(8, s);
    return TfTensor{TfType::string, {static_cast<int64_t>(list.size())}, "", values.bytes};
  };
  g.constant("save/Const", texts({"model"}))
      .constant("save/names", texts(keys))
      .constant("save/parts", texts(parts));
  g.node("RestoreV2", "save/RestoreV2", {"save/Const", "save/names", "save/parts"},
         {tf_types("dtypes", std::vector<TfType>(keys.size(), TfType::f32))});
  for (size_t i = 0; i < variables.size(); ++i)
    g.node("Assign", "save/Assign_" + std::to_string(i),
           {variables[i], "save/RestoreV2:" + std::to_string(i)}, {t_float});
  return g;
}

}  // namespace

class TensorflowCheckpoint : public Tensorflow {
 protected:
  TensorflowCheckpoint() { options_["input_checkpoint"] = folder_ / "model"; }
  std::vector<double> constant(const core::Graph& g, std::string_view name) {
    const core::NodeId n = node(g, name);
    if (n == core::no_node) return {};
    EXPECT_EQ(g.op(n), "Const");
    return values_of(g.out({n, 0}).tensor.value);
  }
  std::string failure() { return load_failure(product(true)); }
};

TEST_F(TensorflowCheckpoint, VariablesAreConstants) {
  for (const bool snappy : {false, true}) {
    for (const bool resource : {false, true}) {
      BundleWriter b;
      b.index.snappy = snappy;
      for (const char* other : {"a", "b", "wa", "wb"}) b.add(other, tf_floats({1}, {0}));
      b.add("w", tf_floats({2}, {3, 4})).write(folder_, "model");
      const auto g = load(product(resource));
      EXPECT_EQ(constant(*g, "w"), (std::vector<double>{3, 4}));
      EXPECT_EQ(source(*g, "w/read"), "w");
      ASSERT_EQ(g->results().size(), 1U);
    }
  }
}

TEST_F(TensorflowCheckpoint, SeveralShards) {
  BundleWriter b;
  b.shards.resize(2);
  b.add("v", tf_floats({1}, {1}), 0).add("w", tf_floats({2}, {3, 4}), 1).write(folder_, "model");
  EXPECT_EQ(constant(*load(product(true)), "w"), (std::vector<double>{3, 4}));
}

TEST_F(TensorflowCheckpoint, KeysAreThoseThatTheSaverRestores) {
  BundleWriter()
      .add("w", tf_floats({2}, {0, 0}))
      .add("w/average", tf_floats({2}, {5, 6}))
      .write(folder_, "model");
  GraphDef g = product(false);
  EXPECT_EQ(constant(*load(add_saver(g, {"w"}, {"w/average"}, {""})), "w"), (std::vector<double>{5, 6}));
}

TEST_F(TensorflowCheckpoint, DividedVariables) {
  BundleWriter b;
  b.add_parts(
      "w", TfType::f32, {3, 2},
      {{{{0, 2}, {0, -1}}, tf_floats({2, 2}, {1, 2, 3, 4})}, {{{2, 1}, {0, -1}}, tf_floats({1, 2}, {5, 6})}});
  b.write(folder_, "model");
  const std::vector<TfAttribute> any = {tf_type("dtype", TfType::f32)};
  const auto variable = [&](std::string_view name) {
    return GraphDef().node("VariableV2", name, {}, any).node("Relu", "y", {std::string(name)}, {t_float});
  };
  EXPECT_EQ(constant(*load(variable("w")), "w"), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  // A part that the model restores need not be one of those that are stored.
  GraphDef part = variable("w/part_1");
  add_saver(part, {"w/part_1"}, {"w"}, {"3 2 1,2:0,1"});
  EXPECT_EQ(constant(*load(part), "w/part_1"), (std::vector<double>{3, 5}));
  GraphDef all = variable("p");
  add_saver(all, {"p"}, {"w"}, {"3 2 -:1,1"});
  EXPECT_EQ(constant(*load(all), "p"), (std::vector<double>{2, 4, 6}));
}

TEST_F(TensorflowCheckpoint, OfVersionOne) {
  TableWriter t;
  const auto tensor = [](std::string_view name, TfType type, const std::vector<int64_t>& dims) {
    return Wire().text(1, name).text(2, tf_shape_bytes(dims)).integer(3, static_cast<int64_t>(type));
  };
  const auto part = [](std::string_view name, const std::vector<TfExtent>& extents, const Wire& data) {
    return Wire().message(2, Wire().text(1, name).message(2, tf_slice(extents)).message(3, data)).bytes;
  };
  t.entries[""] =
      Wire()
          .message(1,
                   Wire().message(1, tensor("w", TfType::f32, {2})).message(1, tensor("i", TfType::i32, {3})))
          .bytes;
  t.entries[key_of_part("w", {{0, -1}})] =
      part("w", {{0, -1}}, Wire().text(5, tf_floats({2}, {7, 8}).content));
  t.entries[key_of_part("i", {{0, 1}})] = part("i", {{0, 1}}, Wire().integer(7, 1));
  t.entries[key_of_part("i", {{1, 2}})] = part("i", {{1, 2}}, Wire().integer(7, -2).integer(7, 3));
  for (const bool snappy : {false, true}) {
    t.snappy = snappy;
    folder_.write("model", t.bytes());
    GraphDef g = product(false);
    g.node("VariableV2", "i").node("Neg", "z", {"i"}, {tf_type("T", TfType::i32)});
    const auto loaded = load(g);
    EXPECT_EQ(constant(*loaded, "w"), (std::vector<double>{7, 8}));
    EXPECT_EQ(constant(*loaded, "i"), (std::vector<double>{1, -2, 3}));
  }
}

TEST_F(TensorflowCheckpoint, OfAMetaGraphBesideIt) {
  options_.clear();
  BundleWriter().add("w", tf_floats({2}, {3, 4})).write(folder_, "run-7");
  GraphDef g = product(false);
  add_saver(g, {"w"}, {"w"}, {""}).node("NoOp", "save/restore_all", {"^save/Assign_0"});
  const Wire meta = Wire().message(1, Wire().text(4, "train").text(5, "1.15.0")).text(2, g.bytes());
  folder_.write("run-7.meta", meta.bytes);
  for (const char* name : {"run-7.meta", "run-7.index", "run-7.data-00000-of-00001"}) {
    const auto loaded = prepare(folder_ / name, core::Stage::load);
    EXPECT_EQ(constant(*loaded, "w"), (std::vector<double>{3, 4}));
    ASSERT_EQ(loaded->results().size(), 1U) << "what saves and restores is not an output";
    EXPECT_EQ(loaded->find("save/RestoreV2"), core::no_node);
  }
}

// v is [1, 2] and x is [10, 20]; numbers are those of Python.
static GraphDef written_before(bool resource, const std::vector<std::string>& writers) {
  GraphDef g;
  const auto dtype = tf_type("dtype", TfType::f32);
  g.constant("x", tf_floats({2}, {10, 20}))
      .node(resource ? "VarHandleOp" : "VariableV2", "v", {}, resource_of_two);
  std::string last;
  for (const std::string& op : writers) {
    const std::string name = "write" + std::to_string(last.size());
    std::vector<std::string> inputs{"v", "x"};
    if (!last.empty()) inputs.push_back(last);
    g.node(resource ? op + "VariableOp" : op, name, inputs, {resource ? dtype : t_float});
    g.node("NoOp", name + "/done", {"^" + name});
    last = "^" + name + "/done";
  }
  g.node(resource ? "ReadVariableOp" : "Identity", "r", {"v", last}, {resource ? dtype : t_float});
  g.node("Mul", "y", {"r", "x"}, {t_float});
  return g;
}

TEST_F(TensorflowCheckpoint, WhatIsReadBehindAnAssignmentIsWhatWasAssigned) {
  BundleWriter().add("v", tf_floats({2}, {1, 2})).write(folder_, "model");
  options_["output"] = "y";
  for (const bool resource : {false, true}) {
    EXPECT_EQ(computed(written_before(resource, {"AssignAdd"})), (std::vector<double>{110, 440}));
    EXPECT_EQ(computed(written_before(resource, {"AssignSub"})), (std::vector<double>{-90, -360}));
    EXPECT_EQ(computed(written_before(resource, {"Assign"})), (std::vector<double>{100, 400}));
    EXPECT_EQ(computed(written_before(resource, {"AssignAdd", "AssignAdd"})),
              (std::vector<double>{210, 840}));
    EXPECT_EQ(computed(written_before(resource, {"AssignAdd", "Assign", "AssignSub"})),
              (std::vector<double>{0, 0}));
  }
}

// Nothing says that the assignment comes first: the value of the file is as right as any.
TEST_F(TensorflowCheckpoint, WhatNothingOrdersIsTheValueOfTheFile) {
  BundleWriter().add("v", tf_floats({2}, {1, 2})).write(folder_, "model");
  options_["output"] = "y";
  GraphDef g = written_before(true, {"AssignAdd"});
  g.node("ReadVariableOp", "free", {"v"}, {tf_type("dtype", TfType::f32)});
  g.node("Identity", "z", {"free"}, {t_float});
  options_["output"] = "z";
  EXPECT_EQ(computed(g), (std::vector<double>{1, 2}));
}

TEST_F(TensorflowCheckpoint, AReadBehindWritersInNoOrderIsRefused) {
  BundleWriter().add("v", tf_floats({2}, {1, 2})).write(folder_, "model");
  const auto dtype = tf_type("dtype", TfType::f32);
  GraphDef g;
  g.constant("x", tf_floats({2}, {10, 20})).node("VarHandleOp", "v", {}, resource_of_two);
  g.node("AssignVariableOp", "one", {"v", "x"}, {dtype});
  g.node("AssignAddVariableOp", "other", {"v", "x"}, {dtype});
  g.node("ReadVariableOp", "r", {"v", "^one", "^other"}, {dtype}).node("Neg", "y", {"r"}, {t_float});
  options_["output"] = "y";
  EXPECT_THAT(failure_of(g), HasSubstr("ReadVariableOp of a variable that is written before"));
}

// The function writes; what is read behind its call is not what the file has.
TEST_F(TensorflowCheckpoint, AReadBehindACallThatWritesIsRefused) {
  BundleWriter().add("v", tf_floats({2}, {1, 2})).write(folder_, "model");
  const auto dtype = tf_type("dtype", TfType::f32);
  GraphDef g;
  TfFunction f{"write", {{"v", TfType::resource}, {"x", TfType::f32}}, {{"y", TfType::f32}}, {"x"}, {}};
  f.node("AssignVariableOp", "assign", {"v", "x"}, {dtype});
  g.function(f).constant("x", tf_floats({2}, {10, 20})).node("VarHandleOp", "v", {}, resource_of_two);
  g.node("StatefulPartitionedCall", "call", {"v", "x"}, {tf_function("f", "write")});
  g.node("ReadVariableOp", "r", {"v", "^call"}, {dtype}).node("Neg", "y", {"r"}, {t_float});
  options_["output"] = "y";
  EXPECT_THAT(failure_of(g), HasSubstr("ReadVariableOp of a variable that is written before"));
}

TEST_F(TensorflowCheckpoint, TheLastOneInAFolder) {
  BundleWriter().add("w", tf_floats({2}, {3, 4})).write(folder_, "all/model-20");
  folder_.write("all/checkpoint",
                "model_checkpoint_path: \"model-20\"\nall_model_checkpoint_paths: \"model-10\"\n");
  options_ = {{"input_checkpoint", folder_ / "all"}};
  EXPECT_EQ(constant(*load(product(true)), "w"), (std::vector<double>{3, 4}));
}

TEST_F(TensorflowCheckpoint, TheWholePathOfTheLastOne) {
  BundleWriter().add("w", tf_floats({2}, {3, 4})).write(folder_, "all/model-20");
  folder_.write("all/checkpoint", text("model_checkpoint_path: \"", folder_ / "all/model-20", "\"\n"));
  options_ = {{"input_checkpoint", folder_ / "all"}};
  EXPECT_EQ(constant(*load(product(true)), "w"), (std::vector<double>{3, 4}));
}

// What the user named brings along only what lies beside it.
TEST_F(TensorflowCheckpoint, FilesOutsideOfItsFolderAreNotRead) {
  const TemporaryFolder outside;
  BundleWriter().add("w", tf_floats({2}, {3, 4})).write(outside, "model");
  namespace fs = std::filesystem;
  options_ = {{"input_checkpoint", folder_ / ""}};
  for (const std::string& name : {std::string("/etc/passwd"), outside / "model"}) {
    folder_.write("checkpoint", "model_checkpoint_path: \"" + name + "\"\n");
    EXPECT_THAT(failure(), HasSubstr("names '" + name + "', which is outside of its folder"));
  }
  folder_.write("checkpoint",
                text("model_checkpoint_path: \"../", outside.path().filename().string(), "/model\"\n"));
  EXPECT_THAT(failure(), HasSubstr("the path has '..'"));

  fs::create_symlink(outside / "model.index", folder_ / "model.index");
  options_ = {{"input_checkpoint", folder_ / "model"}};
  EXPECT_THAT(failure(), HasSubstr("a link leads out of the folder"));
  fs::remove(folder_ / "model.index");
  fs::copy_file(outside / "model.index", folder_ / "model.index");
  fs::create_symlink(outside / "model.data-00000-of-00001", folder_ / "model.data-00000-of-00001");
  EXPECT_THAT(failure(), HasSubstr("a link leads out of the folder"));
}

TEST_F(TensorflowCheckpoint, AVariableWithoutAValueIsNamed) {
  BundleWriter().add("v", tf_floats({2}, {3, 4})).write(folder_, "model");
  EXPECT_THAT(failure(), HasSubstr("the checkpoint has no value of variable 'w'; it has 'v'"));
  options_.clear();
  EXPECT_THAT(failure_of(product(true)), HasSubstr("name its checkpoint with --input_checkpoint"));
  options_["input_checkpoint"] = folder_ / "none";
  EXPECT_THAT(failure(), HasSubstr("--input_checkpoint: there is neither"));
}

TEST_F(TensorflowCheckpoint, DamagedIndexes) {
  const auto failure_with = [this](auto change) {
    BundleWriter b;
    b.add("w", tf_floats({2}, {3, 4}));
    change(b);
    b.write(folder_, "model");
    return failure();
  };
  const auto with_entry = [&](const std::string& entry) {
    return failure_with([&](BundleWriter& b) { b.index.entries["w"] = entry; });
  };
  EXPECT_THAT(with_entry(BundleWriter::entry(TfType::f32, {2}, 0, 4, 8)),
              HasSubstr("'w': its 8 bytes at 4 are outside of"));
  EXPECT_THAT(with_entry(BundleWriter::entry(TfType::f32, {2}, 0, ~size_t{0}, 8)),
              HasSubstr("'w' has 8 bytes at -1"));
  EXPECT_THAT(with_entry(BundleWriter::entry(TfType::f32, {3}, 0, 0, 8)),
              HasSubstr("'w': it has 8 bytes, and shape [3] of DT_FLOAT takes 12"));
  EXPECT_THAT(with_entry(BundleWriter::entry(TfType::f32, {1 << 30, 1 << 30, 1 << 30}, 0, 0, 8)),
              HasSubstr("has more elements than memory"));
  EXPECT_THAT(with_entry(BundleWriter::entry(TfType::f32, {2}, 3, 0, 8)),
              HasSubstr("'w': it is in shard 3, and there are 1"));
  EXPECT_THAT(with_entry(BundleWriter::entry(TfType::resource, {2}, 0, 0, 8)),
              HasSubstr("'w': its type is DT_RESOURCE, expected numbers"));
  EXPECT_THAT(with_entry("\x0a"), HasSubstr("the file is damaged"));
  EXPECT_THAT(
      failure_with([](BundleWriter& b) { b.index.entries["v"] = b.entry(TfType::f32, {2}, 0, 4, 8); }),
      HasSubstr("'w' and 'v' overlap in shard 0"));
  EXPECT_THAT(failure_with([](BundleWriter& b) {
                b.add_parts("w", TfType::f32, {2},
                            {{{{0, 1}}, tf_floats({1}, {1})}, {{{0, 1}}, tf_floats({1}, {1})}});
              }),
              HasSubstr("'w': parts of a variable overlap"));
  EXPECT_THAT(failure_with([](BundleWriter& b) {
                b.add_parts("w", TfType::f32, {2}, {{{{0, 1}}, tf_floats({1}, {1})}});
              }),
              HasSubstr("'w': its parts have 4 bytes, and shape [2] takes 8"));
  EXPECT_THAT(failure_with([](BundleWriter& b) {
                b.add_parts("w", TfType::f32, {2}, {{{{1, 2}}, tf_floats({2}, {1, 2})}});
              }),
              HasSubstr("'w': a part from 1 of length 2 is outside of dimension 0 of shape [2]"));
}

// Each of them would be read, and held, once more.
TEST_F(TensorflowCheckpoint, ABlockIsReadOnce) {
  BundleWriter b;
  b.index.entries_in_block = 100;
  b.index.handles_of_block = 2;
  b.add("w", tf_floats({2}, {3, 4})).write(folder_, "model");
  EXPECT_THAT(failure(), HasSubstr("the file is damaged: its blocks overlap"));
}

// 4 TiB by its shape, its parts and the index, but not by the shard.
TEST_F(TensorflowCheckpoint, MemoryIsTakenForWhatIsThere) {
  constexpr int64_t elements = int64_t{1} << 40;
  BundleWriter b;
  b.shards[0] = std::string(4, '\0');
  Wire slices;
  slices.message(7, tf_slice({{0, -1}}));
  b.index.entries["w"] = BundleWriter::entry(TfType::f32, {elements}, 0, 0, 4 * elements, slices);
  b.write(folder_, "model");
  EXPECT_THAT(failure(), HasSubstr("'w': its 4398046511104 bytes at 0 are outside of"));
}

TEST_F(TensorflowCheckpoint, DamagedTables) {
  BundleWriter b;
  for (const char* name : {"a", "b", "w"}) b.add(name, tf_floats({2}, {3, 4}));
  b.write(folder_, "model");
  const std::string good = b.index_bytes();
  const auto failure_with = [&](const std::string& bytes) {
    folder_.write("model.index", bytes);
    return failure();
  };
  EXPECT_EQ(failure_with(good), "");
  EXPECT_THAT(failure_with(good.substr(0, good.size() - 1)), HasSubstr("it does not end as a table"));
  EXPECT_THAT(failure_with(""), HasSubstr("model.index"));
  // Everything but the index of meta blocks, which has 13 bytes before the block at the end.
  const size_t index_at = good.find("a", good.size() - 100) - 3;
  for (size_t i = 0; i < good.size() - 48; i += 5) {
    if (i + 13 >= index_at && i < index_at) continue;
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    EXPECT_THAT(failure_with(bad), HasSubstr("the file is damaged")) << i;
  }
  std::string far = good;  // the handle of the index block
  far.replace(far.size() - 48, 12, std::string("\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x01", 12));
  EXPECT_THAT(failure_with(far), HasSubstr("is outside of it"));
}

}  // namespace mo::test
