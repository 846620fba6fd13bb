// Models in memory, places of nodes, and extractors of what the loader makes inputs and constants of.
#include "checkpoint_files.hpp"
#include "looking_extractors.hpp"
#include "tensorflow_fixture.hpp"

namespace mo::test {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;

class TensorflowMemory : public Tensorflow {
 protected:
  static GraphDef sum(int64_t of = 2) {
    return GraphDef()
        .placeholder("x", TfType::f32, {of})
        .constant("w", tf_floats({2}, {3, 4}))
        .node("AddV2", "y", {"x", "w"}, {t_float});
  }
};

TEST_F(TensorflowMemory, AFrozenGraph) {
  expect_the_same_in_memory(folder_.write("model.pb", sum().bytes()));
}

TEST_F(TensorflowMemory, AMetaGraphWithItsCheckpoint) {
  GraphDef g;
  g.placeholder("x", TfType::f32, {2})
      .node("VariableV2", "w", {}, {tf_type("dtype", TfType::f32), tf_shape("shape", {2})})
      .node("AddV2", "y", {"x", "w"}, {t_float});
  BundleWriter().add("w", tf_floats({2}, {3, 4})).write(folder_, "model");
  expect_the_same_in_memory(folder_.write("model.meta", Wire().text(2, g.bytes()).bytes));
}

TEST_F(TensorflowMemory, ErrorsSayWhereTheNodeStands) {
  EXPECT_THAT(located_failure_of(folder_.write("model.pb", sum(3).bytes())),
              ContainsRegex("place +[^ ]*model.pb, byte [0-9]+"));
  EXPECT_THAT(located_failure_of(folder_.write("model.pbtxt", R"(node {
  name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 3 } } } } }
node { name: "z" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 2 } } } } }
node {
  op: "AddV2" name: "y" input: "x" input: "z" attr { key: "T" value { type: DT_FLOAT } } })")),
              ContainsRegex("place +[^ ]*model.pbtxt:6"));
}

void look_at_all(Registry& r) { add_looking(r, "tf", {"Const", "Placeholder", "AddV2"}); }

TEST_F(TensorflowMemory, ExtractorsOfInputsAndConstantsAreAsked) {
  plugin_ = [](core::Session& s) { load_test_plugin<look_at_all>(s); };
  prepare(sum());
  EXPECT_THAT(asked_for, ElementsAre("AddV2", "Const", "Placeholder"));
}

}  // namespace
}  // namespace mo::test
