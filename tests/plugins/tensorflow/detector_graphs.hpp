// Models with the names and the wiring of TensorFlow's Object Detection API. What stands for the loops of the
// API is an operator nobody knows: what is replaced need not be convertible.
#pragma once

#include "apps/config_tools/config_file.hpp"
#include "core/infer/execute.hpp"
#include "tensorflow_fixture.hpp"

namespace mo::test {

// Numbers that look random: the same as in the script that the expected values come from.
inline std::vector<float> wave(size_t count, int k, double scale) {
  std::vector<float> v(count);
  for (size_t i = 0; i < count; ++i)
    v[i] = static_cast<float>(
        scale *
        (static_cast<double>((i * i * 104 + i * 7919 + static_cast<size_t>(k) * 1013) % 10007) / 5003.5 - 1));
  return v;
}
inline TfTensor wave_tensor(const std::vector<int64_t>& dims, int k, double scale) {
  size_t count = 1;
  for (const int64_t d : dims) count *= static_cast<size_t>(d);
  return tf_floats(dims, wave(count, k, scale));
}

class DetectorGraph : public GraphDef {
 public:
  static constexpr auto f32 = TfType::f32;
  DetectorGraph& op(std::string_view type, std::string_view name, const std::vector<std::string>& inputs,
                    std::vector<TfAttribute> attributes = {}) {
    attributes.push_back(tf_type("T", f32));
    node(type, name, inputs, attributes);
    return *this;
  }
  DetectorGraph& identity(std::string_view name, const std::string& of) { return op("Identity", name, {of}); }
  DetectorGraph& mystery(std::string_view name, const std::vector<std::string>& inputs) {
    node("Mystery", name, inputs);
    return *this;
  }
  DetectorGraph& reshape(const std::string& name, const std::string& of, const std::vector<int32_t>& shape) {
    constant(name + "/shape", tf_i32({static_cast<int64_t>(shape.size())}, shape));
    return op("Reshape", name, {of, name + "/shape"});
  }
  DetectorGraph& concat(const std::string& name, const std::vector<std::string>& parts) {
    std::vector<std::string> inputs = parts;
    constant(name + "/axis", tf_i32({}, {1}));
    inputs.push_back(name + "/axis");
    return op("ConcatV2", name, inputs, {tf_int("N", static_cast<int64_t>(parts.size()))});
  }
  // The head of a predictor: BiasAdd of constants.
  DetectorGraph& head(const std::string& name, const std::vector<int64_t>& dims, int k, double scale) {
    constant(name + "/x", wave_tensor(dims, k, scale));
    constant(name + "/bias", tf_floats({dims.back()}, std::vector<float>(static_cast<size_t>(dims.back()))));
    return op("BiasAdd", name, {name + "/x", name + "/bias"});
  }

  // Pictures, their resizing in a loop, and Sub(Mul(x, 2), 3).
  void add_pictures() {
    placeholder("image_tensor", TfType::u8, {-1, -1, -1, 3});
    node("Cast", "ToFloat", {"image_tensor"}, {tf_type("SrcT", TfType::u8), tf_type("DstT", f32)});
    mystery("Preprocessor/map/Shape", {"ToFloat"});
    mystery("Preprocessor/map/TensorArrayUnstack/Shape", {"ToFloat"});
    mystery("Preprocessor/map/TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3",
            {"Preprocessor/map/Shape", "Preprocessor/map/TensorArrayUnstack/Shape", "ToFloat"});
    const std::string loop = "Preprocessor/map/TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3";
    mystery("Preprocessor/map/TensorArrayStack/TensorArrayGatherV3", {loop});
    mystery("Preprocessor/map/TensorArrayStack_1/TensorArrayGatherV3", {loop});
    constant("Preprocessor/mul/x", tf_floats({}, {2}));
    constant("Preprocessor/sub/y", tf_floats({}, {3}));
    op("Mul", "Preprocessor/mul",
       {"Preprocessor/mul/x", "Preprocessor/map/TensorArrayStack/TensorArrayGatherV3"});
    op("Sub", "Preprocessor/sub", {"Preprocessor/mul", "Preprocessor/sub/y"});
    features("Preprocessor/sub");
  }
  // What a network makes of the pictures: here they stay as they are.
  void features(const std::string& of) {
    op("MaxPool", "features", {of},
       {tf_ints("ksize", {1, 1, 1, 1}), tf_ints("strides", {1, 1, 1, 1}), tf_text("padding", "VALID")});
  }
  void add_detections(const std::string& from) {
    for (const char* name : {"detection_boxes", "detection_scores", "detection_classes", "num_detections"})
      mystery(name, {from});
  }
};

// Of the configured transformations only: others have tests of their own.
class ConfiguredTwice : public TwiceEqualsOnce {
 public:
  using TwiceEqualsOnce::TwiceEqualsOnce;
  void has_run(const core::Ran& ran) override {
    if (!ran.members.empty() && ran.members.front().id.starts_with("ObjectDetectionAPI"))
      TwiceEqualsOnce::has_run(ran);
  }
};

class ObjectDetection : public Tensorflow {
 protected:
  core::GraphPtr configured(const GraphDef& model, const std::string& name, std::string_view pipeline,
                            core::Stage stage = core::Stage::final) {
    try {
      return convert(model, name, pipeline, stage);
    } catch (const core::Failure& f) {
      throw std::runtime_error(f.render());
    }
  }
  core::GraphPtr convert(const GraphDef& model, const std::string& name, std::string_view pipeline,
                         core::Stage stage) {
    const auto file = folder_.write("model.pb", model.bytes());
    if (!pipeline.empty())
      options_["tensorflow_object_detection_api_pipeline_config"] =
          folder_.write("pipeline.config", pipeline);
    core::Session& session = new_session();
    session.configuration = std::make_shared<const core::Configuration>(
        app::read_configuration({MO_SOURCE_DIR "/plugins/tensorflow/configurations/tf/" + name + ".json"}));
    core::ConvertOptions options = convert_;
    options.input_model = file;
    options.stop_after = stage;
    ConfiguredTwice twice(session);
    options.watch = &twice;
    core::ConvertResult result;
    return core::prepare_model(session, options, result);
  }
  void set_picture_size(const Shape& s) {
    core::InputSpec input;
    input.name = "image_tensor";
    input.shape = s;
    convert_.inputs = {input};
  }
  std::string configured_failure(const GraphDef& model, const std::string& name, std::string_view pipeline) {
    try {
      convert(model, name, pipeline, core::Stage::final);
      return {};
    } catch (const core::Failure& f) {
      return f.render();
    }
  }

  // Outputs for inputs whose elements count up from 0; "image_info" is the size of the picture.
  std::vector<std::vector<double>> run(core::Graph& g) {
    std::vector<core::TensorRef> inputs;
    double height = 0, width = 0;
    for (const core::NodeId p : g.parameters()) {
      const core::TensorState& t = g.out({p, 0}).tensor;
      std::vector<int64_t> dims;
      for (size_t i = 0; i < t.shape.size(); ++i) dims.push_back(t.shape[i].value());
      core::TensorRef made = core::make_tensor(t.type, dims);
      size_t elements = 1;
      for (const int64_t d : dims) elements *= static_cast<size_t>(d);
      if (g.name(p) == "image_info") {
        const double info[] = {height, width, 1};
        for (size_t i = 0; i < 3; ++i) store_number(made->buffer.get(), t.type, i, info[i]);
      } else {
        height = static_cast<double>(dims[2]);
        width = static_cast<double>(dims[3]);
        for (size_t i = 0; i < elements; ++i)
          store_number(made->buffer.get(), t.type, i, static_cast<double>(i % 250));
      }
      inputs.push_back(std::move(made));
    }
    core::Session& session = *sessions_.back();
    session.executing = true;
    std::vector<std::vector<double>> all;
    for (const core::TensorRef& r : core::execute(session, g, inputs)) all.push_back(values_of(r));
    return all;
  }
  // The rows of detections come first, then those that were not needed.
  static void expect_rows(const std::vector<double>& got, const std::vector<double>& expected) {
    ASSERT_GE(got.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(got[i], expected[i], 1e-5) << "row " << i / 7 << ", column " << i % 7;
    if (got.size() > expected.size()) {
      EXPECT_EQ(got[expected.size()], -1) << "more is detected";
    }
  }
};

}  // namespace mo::test
