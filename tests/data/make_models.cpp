// Writes the small models that tests and quickstart use. They are checked in; this program is how they
// came to be, and a test compares.
//
//     make_models FOLDER

#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "model_builder.hpp"

namespace {

using namespace mo::test;
using Path = std::filesystem::path;

OnnxTensor weights(std::uint64_t seed, const std::vector<std::int64_t>& dims, float middle, float scale) {
  std::size_t count = 1;
  for (std::int64_t dim : dims) {
    count *= static_cast<std::size_t>(dim);
  }
  std::vector<float> values(count);
  random_floats(seed, scale)(std::as_writable_bytes(std::span(values)), 0);
  for (float& value : values) {
    // Whole multiples of 1/1024 are the same in float16.
    value = std::round((value + middle) * 1024.0F) / 1024.0F;
  }
  return OnnxTensor::of(dims, values);
}

// x / (1 + exp(-beta * x)), as exporters write it that know no such operation.
std::string swish(GraphBuilder& graph, const std::string& x, const std::string& prefix, float beta) {
  graph.initializer(prefix + "/beta", OnnxTensor::scalar(beta));
  graph.initializer(prefix + "/one", OnnxTensor::scalar(1.0F));
  auto step = [&](const char* type, std::vector<std::string> inputs, const std::string& name) {
    graph.node(
        {.type = type, .inputs = std::move(inputs), .outputs = {prefix + name}, .name = prefix + name});
    return prefix + name;
  };
  const std::string scaled = step("Mul", {x, prefix + "/beta"}, "/mul");
  const std::string exponent = step("Exp", {step("Neg", {scaled}, "/neg")}, "/exp");
  return step("Div", {x, step("Add", {exponent, prefix + "/one"}, "/add")}, "/div");
}

// An operation of the example vendor in C++ (com.acme), and what its transformation fuses.
void acme_scaled_shift(const Path& folder) {
  ModelBuilder model(13, "acme_scaled_shift");
  model.opset("com.acme", 1);
  model.input("x", OnnxType::float32, {1, 3, 4, 4});
  model.initializer("shift", OnnxTensor::of<float>({3}, {0.5F, -1.0F, 2.0F}));
  model.node({.type = "ScaledShift",
              .inputs = {"x", "shift"},
              .outputs = {"shifted"},
              .attributes = {{"scale", 0.5F}, {"axis", 1}},
              .name = "scaled_shift",
              .domain = "com.acme"});
  model.node(
      {.type = "Relu", .inputs = {swish(model, "shifted", "swish", 1.5F)}, .outputs = {"y"}, .name = "relu"});
  model.output("y", OnnxType::float32, {1, 3, 4, 4});
  model.write(folder / "acme_scaled_shift.onnx");
}

// The other ways to write Swish, each an output of its own, and neighbours of it that are something else.
void swish_spellings(const Path& folder) {
  ModelBuilder model(13, "swish_spellings");
  model.input("x", OnnxType::float32, {2, 8});
  const std::string x = "x";
  const std::string one = model.constant(OnnxTensor::scalar(1.0F));
  const std::string two = model.constant(OnnxTensor::scalar(2.0F));
  const std::string vector = model.constant(weights(1, {8}, 1.0F, 0.5F));
  auto finish = [&](const std::string& name, const std::string& value) {
    model.node({.type = "Identity", .inputs = {value}, .outputs = {name}, .name = name + "/out"});
    model.output(name, OnnxType::float32, {2, 8});
  };
  auto sigmoid_like = [&](const std::string& exponent) {
    return model.op("Div", {x, model.op("Add", {model.op("Exp", {exponent}), one})});
  };

  finish("mul_neg", swish(model, x, "base", 1.5F));
  finish("neg_mul", sigmoid_like(model.op("Mul", {model.op("Neg", {x}), two})));
  finish("negative_beta", sigmoid_like(model.op("Mul", {x, model.constant(OnnxTensor::scalar(-0.75F))})));
  finish("beta_first", sigmoid_like(model.op("Neg", {model.op("Mul", {two, x})})));
  finish("beta_of_one", sigmoid_like(model.op("Neg", {x})));
  finish("one_first", model.op("Div", {x, model.op("Add", {one, model.op("Exp", {model.op("Neg", {x})})})}));

  finish("not_one", model.op("Div", {x, model.op("Add", {model.op("Exp", {model.op("Neg", {x})}), two})}));
  finish("not_the_same_x",
         model.op("Div", {two, model.op("Add", {model.op("Exp", {model.op("Neg", {x})}), one})}));
  finish("not_a_scalar", sigmoid_like(model.op("Neg", {model.op("Mul", {x, vector})})));
  finish("not_negative", sigmoid_like(model.op("Mul", {x, two})));
  const std::string shared = model.op("Exp", {model.op("Neg", {x})});
  finish("read_elsewhere", model.op("Div", {x, model.op("Add", {shared, one})}));
  finish("read_elsewhere_too", shared);
  model.write(folder / "swish_spellings.onnx");
}

// An operation of the example vendor in C (com.acme.c).
void acme_clip01(const Path& folder) {
  ModelBuilder model(13, "acme_clip01");
  model.opset("com.acme.c", 1);
  model.input("x", OnnxType::float32, {2, 3});
  model.initializer("factor", OnnxTensor::scalar(0.5F));
  model.node({.type = "Mul", .inputs = {"x", "factor"}, .outputs = {"half"}, .name = "half"});
  model.node(
      {.type = "Clip01", .inputs = {"half"}, .outputs = {"y"}, .name = "clip", .domain = "com.acme.c"});
  model.output("y", OnnxType::float32, {2, 3});
  model.write(folder / "acme_clip01.onnx");
}

// A classifier with the layers every image network has, once with its weights in another file.
void small_cnn(const Path& folder) {
  ModelBuilder model(13, "small_cnn");
  model.producer("mo-test", "1");
  model.metadata("author", "the tests of mo-host");
  model.input("image", OnnxType::float32, {1, 3, 16, 16});
  std::uint64_t seed = 0;
  auto add = [&](const std::string& name, const std::vector<std::int64_t>& dims, float middle, float scale) {
    model.initializer(name, weights(++seed, dims, middle, scale));
    return name;
  };
  auto layer = [&](const std::string& type, const std::string& name, std::vector<std::string> inputs,
                   std::vector<OnnxAttribute> attributes = {}) {
    model.node({.type = type,
                .inputs = std::move(inputs),
                .outputs = {name},
                .attributes = std::move(attributes),
                .name = name + "_node"});
    return name;
  };
  auto conv = [&](const std::string& name, const std::string& x, std::int64_t in, std::int64_t out) {
    return layer(
        "Conv", name,
        {x, add(name + ".weight", {out, in, 3, 3}, 0.0F, 0.3F), add(name + ".bias", {out}, 0.0F, 0.2F)},
        {{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}});
  };
  std::string x = conv("conv1", "image", 3, 8);
  x = layer("BatchNormalization", "norm1",
            {x, add("norm1.scale", {8}, 1.0F, 0.2F), add("norm1.shift", {8}, 0.0F, 0.1F),
             add("norm1.mean", {8}, 0.0F, 0.1F), add("norm1.variance", {8}, 1.0F, 0.2F)});
  x = layer("Relu", "relu1", {x});
  x = layer("MaxPool", "pool1", {x}, {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
  const std::string y = layer("Relu", "relu2", {conv("conv2", x, 8, 8)});
  x = layer("Add", "sum", {x, y});
  x = layer("GlobalAveragePool", "mean", {x});
  x = layer("Flatten", "flat", {x}, {{"axis", 1}});
  x = layer("Gemm", "scores",
            {x, add("scores.weight", {5, 8}, 0.0F, 0.5F), add("scores.bias", {5}, 0.0F, 0.1F)},
            {{"transB", 1}});
  x = layer("Softmax", "probabilities", {x}, {{"axis", 1}});
  model.output(x, OnnxType::float32, {1, 5});
  model.write(folder / "small_cnn.onnx");
  model.write(
      folder / "small_cnn_external.onnx",
      {.external_file = "small_cnn_external.data", .external_threshold = 64, .external_alignment = 64});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_models FOLDER\n");
    return 2;
  }
  try {
    for (auto* write : {acme_scaled_shift, acme_clip01, swish_spellings, small_cnn}) {
      write(argv[1]);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_models: %s\n", error.what());
    return 1;
  }
  return 0;
}
