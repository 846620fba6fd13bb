// What TensorFlow writes in many operators and runtimes have as one. Expected numbers are those of numpy.
#include "core/infer/execute.hpp"
#include "tensorflow_fixture.hpp"

namespace mo::test {

using testing::DoubleNear;
using testing::Pointwise;

class TfCleanUps : public Tensorflow {
 protected:
  std::vector<double> executed(core::Graph& g, const std::vector<float>& x) {
    core::Session& session = *sessions_.back();
    session.executing = true;
    std::vector<int64_t> dims;
    for (const Dim& d : g.out({g.parameters()[0], 0}).tensor.shape) dims.push_back(d.value());
    const std::string bytes(reinterpret_cast<const char*>(x.data()), x.size() * sizeof x[0]);
    const std::vector<core::TensorRef> inputs{core::make_tensor_from_bytes(ElementType::f32, dims, bytes)};
    return values_of(core::execute(session, g, inputs)[0]);
  }
  static size_t layers(const core::Graph& g) {
    size_t count = 0;
    for (const core::NodeId n : g.topological())
      count += g.op(n) == "Const" || g.op(n) == "Parameter" || g.op(n) == "Result" ? 0 : 1;
    return count;
  }
};

static const TfAttribute order_type = tf_type("Tperm", TfType::i32);

// tf.contrib.layers.group_norm of pictures with the channels behind, two groups of two channels.
static GraphDef group_norm(const std::vector<int32_t>& axes) {
  GraphDef g;
  g.placeholder("x", TfType::f32, {1, 2, 2, 4});
  g.constant("there", tf_i32({4}, {0, 3, 1, 2})).constant("back", tf_i32({4}, {0, 2, 3, 1}));
  g.constant("groups", tf_i32({5}, {1, 2, 2, 2, 2})).constant("whole", tf_i32({4}, {1, 4, 2, 2}));
  g.constant("axes", tf_i32({static_cast<int64_t>(axes.size())}, axes))
      .constant("each", tf_i32({4}, {1, 4, 1, 1}));
  g.constant("eps", tf_floats({}, {0.001F})).constant("half", tf_floats({}, {0.5F}));
  g.constant("gamma", tf_floats({4}, {1, 2, 0.5F, -1})).constant("beta", tf_floats({4}, {0, 1, -1, 0.5F}));
  const std::vector<TfAttribute> kept{t_float, tf_bool("keep_dims", true)};
  g.node("Transpose", "first", {"x", "there"}, {t_float, order_type});
  g.node("Reshape", "split", {"first", "groups"}, {t_float});
  g.node("Mean", "mean", {"split", "axes"}, kept).node("StopGradient", "fixed", {"mean"}, {t_float});
  g.node("SquaredDifference", "squares", {"split", "fixed"}, {t_float});
  g.node("Mean", "variance", {"squares", "axes"}, kept).node("AddV2", "more", {"variance", "eps"}, {t_float});
  g.node("Pow", "deviation", {"more", "half"}, {t_float})
      .node("Sub", "centred", {"split", "mean"}, {t_float});
  g.node("RealDiv", "normal", {"centred", "deviation"}, {t_float});
  g.node("Reshape", "joined", {"normal", "whole"}, {t_float});
  g.node("Reshape", "scale", {"gamma", "each"}, {t_float})
      .node("Reshape", "shift", {"beta", "each"}, {t_float});
  g.node("Mul", "scaled", {"joined", "scale"}, {t_float});
  g.node("AddV2", "shifted", {"scaled", "shift"}, {t_float});
  g.node("Transpose", "y", {"shifted", "back"}, {t_float, order_type});
  return g;
}

TEST_F(TfCleanUps, NormalisationOfGroupsBetweenTransposes) {
  const std::vector<double> expected{-0.2181348, 1.4362696,  -1.6187357, -0.5124766, 0.6544044,  -2.0538873,
                                     -1.1687461, -0.0624870, -1.0906740, 3.1813481,  -0.9437513, 2.1874610,
                                     1.5269436,  -0.3088088, -0.2687669, 0.3875026};
  const std::vector<float> x{0.5F, 1, -2, 3, 1.5F, -1, 0, 2, -0.5F, 2, 1, -3, 2.5F, 0, 4, 1};
  const auto newest = prepare(group_norm({2, 3, 4}));
  EXPECT_EQ(layers(*newest), 3U) << app::to_text(*newest);
  EXPECT_EQ(count(*newest, "GroupNormalization"), 1U);
  EXPECT_THAT(executed(*newest, x), Pointwise(DoubleNear(1e-4), expected));
  options_ = {{"target", std::string("2021.4")}};
  const auto older = prepare(group_norm({2, 3, 4}));
  EXPECT_EQ(count(*older, "MVN"), 1U);
  EXPECT_EQ(count(*older, "Transpose"), 2U);  // the model's own
  EXPECT_EQ(count(*older, "ReduceMean"), 0U);
  EXPECT_THAT(executed(*older, x), Pointwise(DoubleNear(1e-4), expected));
}

static GraphDef unpack_pack(int64_t last) {
  GraphDef g;
  g.placeholder("x", TfType::f32, {1, 2, 2, 3});
  g.node("Unpack", "parts", {"x"}, {t_float, tf_int("axis", 3), tf_int("num", 3)});
  g.node("Pack", "other", {"parts:2", "parts:1", "parts:" + std::to_string(last)},
         {t_float, tf_int("axis", 3), tf_int("N", 3)});
  g.constant("w", tf_floats({1, 1, 3, 2}, {1, 10, 2, 20, 3, -5}));
  g.node("Conv2D", "y", {"other", "w"},
         {t_float, tf_ints("strides", {1, 1, 1, 1}), tf_text("padding", "VALID")});
  return g;
}

TEST_F(TfCleanUps, ChannelsInAnotherOrderAreThoseOfTheWeights) {
  const auto g = prepare(unpack_pack(0));
  EXPECT_EQ(layers(*g), 1U) << app::to_text(*g);
  const std::vector<float> x{1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12};  // channels first
  EXPECT_THAT(executed(*g, x),
              Pointwise(DoubleNear(1e-4), std::vector<double>{10, 28, 46, 64, 65, 140, 215, 290}));
  const auto twice = prepare(unpack_pack(1));  // one channel comes twice
  EXPECT_GT(layers(*twice), 1U);
}

TEST_F(TfCleanUps, CopiesInTheBatchAreANearestResize) {
  GraphDef g;
  g.placeholder("x", TfType::f32, {1, 2, 3, 2});
  g.constant("there", tf_i32({4}, {1, 2, 3, 0})).constant("back", tf_i32({4}, {3, 0, 1, 2}));
  g.constant("zero", tf_i32({}, {0})).constant("often", tf_i32({5}, {6, 1, 1, 1, 1}));
  g.constant("block", tf_i32({2}, {2, 3})).constant("crops", tf_i32({2, 2}, {0, 0, 0, 0}));
  g.constant("begin", tf_i32({1}, {0})).constant("end", tf_i32({1}, {1})).constant("step", tf_i32({1}, {1}));
  g.node("Transpose", "first", {"x", "there"}, {t_float, order_type});
  g.node("ExpandDims", "copy", {"first", "zero"}, {t_float})
      .node("Tile", "copies", {"copy", "often"}, {t_float});
  g.node("BatchToSpaceND", "spread", {"copies", "block", "crops"}, {t_float});
  g.node("StridedSlice", "only", {"spread", "begin", "end", "step"},
         {t_float, tf_int("shrink_axis_mask", 1)});
  g.node("Transpose", "y", {"only", "back"}, {t_float, order_type});
  options_ = {{"disable_nhwc_to_nchw", true}};
  const auto graph = prepare(g);
  EXPECT_EQ(layers(*graph), 1U) << app::to_text(*graph);
  EXPECT_EQ(count(*graph, "Interpolate"), 1U);
  EXPECT_THAT(executed(*graph, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
              Pointwise(DoubleNear(1e-6),
                        std::vector<double>{1, 2, 1, 2, 1, 2, 3, 4,  3, 4,  3, 4,  5,  6,  5,  6,  5,  6,
                                            1, 2, 1, 2, 1, 2, 3, 4,  3, 4,  3, 4,  5,  6,  5,  6,  5,  6,
                                            7, 8, 7, 8, 7, 8, 9, 10, 9, 10, 9, 10, 11, 12, 11, 12, 11, 12,
                                            7, 8, 7, 8, 7, 8, 9, 10, 9, 10, 9, 10, 11, 12, 11, 12, 11, 12}));
}

}  // namespace mo::test
