// Writes the networks of the benchmarks.
//
//     bench_models conv     OUT.onnx [--seed N]               residual network, 102 MB of weights
//     bench_models dense    OUT.onnx [--megabytes N]          large MatMul and Conv layers, 1024 MiB
//     bench_models encoder  OUT.onnx [--megabytes N]          blocks of two large MatMul, one scaled, 336 MB
//     bench_models chain    OUT.onnx [--nodes N]              a chain of element-wise nodes, 20000
//     bench_models branches OUT.onnx [--nodes N]              chains, branches and long skips, 100000
//
// Every weight is random and no two are alike, so that nothing can be shared or folded away.
// --external FILE puts the weights beside the model; above 2 GiB that is needed.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model_builder.hpp"

namespace {

using namespace mo::test;

struct Options {
  std::string kind = {};
  std::string path = {};
  std::string external = {};
  std::uint64_t seed = 1;
  std::int64_t megabytes = 1024;
  std::int64_t nodes = 0;
};

class Network {
 public:
  Network(ModelBuilder& model, std::uint64_t seed) : model_(model), seed_(seed << 20) {}

  std::string op(std::string_view type, std::vector<std::string> inputs,
                 std::vector<OnnxAttribute> attributes = {}) {
    ++nodes_;
    return model_.op(type, std::move(inputs), std::move(attributes));
  }

  std::string weight(const std::vector<std::int64_t>& dims, float scale) {
    return model_.constant(OnnxTensor::generated(OnnxType::float32, dims, random_floats(++seed_, scale)));
  }

  // As weight(), for one held in memory; the values lie around `middle`.
  std::string small_weight(const std::vector<std::int64_t>& dims, float middle, float scale) {
    std::size_t count = 1;
    for (std::int64_t dim : dims) {
      count *= static_cast<std::size_t>(dim);
    }
    std::vector<float> values(count);
    random_floats(++seed_, scale)(std::as_writable_bytes(std::span(values)), 0);
    for (float& value : values) {
      value += middle;
    }
    return model_.constant(OnnxTensor::of<float>(dims, values));
  }

  std::string conv(const std::string& x, std::int64_t in, std::int64_t out, std::int64_t kernel,
                   std::int64_t stride) {
    const float scale = std::sqrt(6.0F / static_cast<float>(in * kernel * kernel));
    const std::int64_t pad = kernel / 2;
    return op("Conv", {x, weight({out, in, kernel, kernel}, scale)},
              {{"kernel_shape", Ints{kernel, kernel}},
               {"strides", Ints{stride, stride}},
               {"pads", Ints{pad, pad, pad, pad}}});
  }

  std::string conv_norm(const std::string& x, std::int64_t in, std::int64_t out, std::int64_t kernel,
                        std::int64_t stride) {
    return op(
        "BatchNormalization",
        {conv(x, in, out, kernel, stride), small_weight({out}, 1.0F, 0.2F), small_weight({out}, 0.0F, 0.1F),
         small_weight({out}, 0.0F, 0.1F), small_weight({out}, 1.0F, 0.2F)},
        {{"epsilon", 1e-5F}});
  }

  std::int64_t nodes() const { return nodes_; }

 private:
  ModelBuilder& model_;
  std::uint64_t seed_;
  std::int64_t nodes_ = 0;
};

void build_conv(const Options&, ModelBuilder& model, Network& net) {
  model.input("image", OnnxType::float32, {1, 3, 224, 224});
  std::string x = net.op("Relu", {net.conv_norm("image", 3, 64, 7, 2)});
  x = net.op("MaxPool", {x},
             {{"kernel_shape", Ints{3, 3}}, {"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}});
  std::int64_t channels = 64;
  std::int64_t middle = 64;
  for (int blocks : {3, 4, 6, 3}) {
    for (int block = 0; block < blocks; ++block) {
      const std::int64_t stride = block == 0 && middle != 64 ? 2 : 1;
      std::string y = net.op("Relu", {net.conv_norm(x, channels, middle, 1, 1)});
      y = net.op("Relu", {net.conv_norm(y, middle, middle, 3, stride)});
      y = net.conv_norm(y, middle, 4 * middle, 1, 1);
      if (block == 0) {
        x = net.conv_norm(x, channels, 4 * middle, 1, stride);
      }
      channels = 4 * middle;
      x = net.op("Relu", {net.op("Add", {y, x})});
    }
    middle *= 2;
  }
  x = net.op("Flatten", {net.op("GlobalAveragePool", {x})});
  x = net.op("Gemm", {x, net.weight({1000, channels}, 0.05F), net.small_weight({1000}, 0.0F, 0.1F)},
             {{"transB", 1}});
  model.output(x, OnnxType::float32, {1, 1000});
}

// Two thirds of the bytes in matrices of 64 MiB, the rest in convolutions of 36 MiB.
void build_dense(const Options& options, ModelBuilder& model, Network& net) {
  const std::int64_t width = 4096;
  const std::int64_t channels = 1024;
  const std::int64_t bytes = options.megabytes << 20;
  const std::int64_t matrix_bytes = width * width * 4;
  const std::int64_t kernel_bytes = channels * channels * 9 * 4;
  const std::int64_t kernels = bytes / 3 / kernel_bytes;
  const std::int64_t matrices = (bytes - kernels * kernel_bytes) / matrix_bytes;

  model.input("image", OnnxType::float32, {1, channels, 2, 2});
  std::string x = "image";
  for (std::int64_t layer = 0; layer < kernels; ++layer) {
    x = net.conv(x, channels, channels, 3, 1);
    x = net.op("Add", {x, net.small_weight({1, channels, 1, 1}, 0.0F, 0.1F)});
    x = net.op("Relu", {x});
  }
  x = net.op("Flatten", {x});
  for (std::int64_t layer = 0; layer < matrices; ++layer) {
    x = net.op("MatMul", {x, net.weight({width, width}, 0.02F)});
    x = net.op("Add", {x, net.small_weight({1, width}, 0.0F, 0.1F)});
    x = net.op("Relu", {x});
  }
  const std::int64_t rest = bytes - kernels * kernel_bytes - matrices * matrix_bytes;
  const std::int64_t classes = rest / 4 / width;
  if (classes > 0) {
    x = net.op("MatMul", {x, net.weight({width, classes}, 0.02F)});
  }
  model.output(x, OnnxType::float32, {1, classes > 0 ? classes : width});
}

// Blocks of two large products, each block behind a factor and a term that the weights of the first take over.
void build_encoder(const Options& options, ModelBuilder& model, Network& net) {
  const std::int64_t width = 1024;
  const std::int64_t blocks = std::max<std::int64_t>(1, options.megabytes * 10 / 336);
  model.input("x", OnnxType::float32, {1, 16, width});
  std::string x = "x";
  for (std::int64_t block = 0; block < blocks; ++block) {
    std::string y = net.op("Mul", {net.op("Tanh", {x}), net.small_weight({width}, 1.0F, 0.2F)});
    y = net.op("Add", {y, net.small_weight({width}, 0.0F, 0.1F)});
    y = net.op("MatMul", {y, net.weight({width, 4 * width}, 0.05F)});
    y = net.op("Relu", {net.op("Add", {y, net.small_weight({4 * width}, 0.0F, 0.1F)})});
    y = net.op("MatMul", {y, net.weight({4 * width, width}, 0.05F)});
    y = net.op("Add", {y, net.small_weight({width}, 0.0F, 0.1F)});
    x = net.op("Add", {x, y});
  }
  model.output(x, OnnxType::float32, {1, 16, width});
}

void build_chain(const Options& options, ModelBuilder& model, Network& net) {
  const std::int64_t nodes = options.nodes > 0 ? options.nodes : 20000;
  const char* const binary[] = {"Add", "Mul", "Sub", "Max"};
  model.input("x", OnnxType::float32, {1, 16});
  std::string x = "x";
  for (std::int64_t i = 0; i < nodes; ++i) {
    x = i % 5 == 4 ? net.op("Tanh", {x}) : net.op(binary[i % 4], {x, net.small_weight({1, 16}, 1.0F, 0.1F)});
  }
  model.node({.type = "Identity", .inputs = {x}, .outputs = {"y"}, .name = "last"});
  model.output("y", OnnxType::float32, {1, 16});
}

// Blocks of ten nodes with two inner branches; every tenth block is also skipped, and one early
// tensor is read by every tenth block, so that it has as many readers as the graph has blocks / 10.
void build_branches(const Options& options, ModelBuilder& model, Network& net) {
  const std::int64_t nodes = options.nodes > 0 ? options.nodes : 100000;
  model.input("x", OnnxType::float32, {1, 16});
  auto scale = [&] { return net.small_weight({1, 16}, 1.0F, 0.1F); };
  const std::string trunk = net.op("Tanh", {"x"});
  std::string x = trunk;
  std::string skip = trunk;
  for (std::int64_t block = 0; net.nodes() + 10 <= nodes; ++block) {
    std::string left = net.op("Relu", {x});
    std::string right = net.op("Add", {x, scale()});
    left = net.op("Mul", {left, scale()});
    right = net.op("Tanh", {right});
    const std::string both = net.op("Max", {left, right});
    left = net.op("Sub", {left, scale()});
    std::string y = net.op("Add", {left, both});
    y = net.op("Sigmoid", {y});
    y = net.op("Mul", {y, block % 10 == 9 ? skip : right});
    if (block % 10 == 9) {
      skip = y;
    }
    x = net.op("Add", {y, block % 10 == 0 ? trunk : x});
  }
  while (net.nodes() < nodes) {
    x = net.op("Tanh", {x});
  }
  model.output(x, OnnxType::float32, {1, 16});
}

int run(const Options& options) {
  const std::map<std::string, std::function<void(const Options&, ModelBuilder&, Network&)>, std::less<>>
      kinds{{"conv", build_conv},
            {"dense", build_dense},
            {"encoder", build_encoder},
            {"chain", build_chain},
            {"branches", build_branches}};
  const auto kind = kinds.find(options.kind);
  if (kind == kinds.end()) {
    std::fprintf(stderr, "bench_models: '%s' is none of", options.kind.c_str());
    for (const auto& [name, build] : kinds) {
      std::fprintf(stderr, " %s", name.c_str());
    }
    std::fprintf(stderr, "\n");
    return 2;
  }
  ModelBuilder model(13, options.kind);
  Network net(model, options.seed);
  kind->second(options, model, net);
  model.write(options.path, {.external_file = options.external});
  std::printf("%lld\n", static_cast<long long>(net.nodes()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(
        stderr,
        "usage: bench_models conv|dense|encoder|chain|branches OUT.onnx [--nodes N] [--megabytes N]\n"
        "                    [--seed N] [--external FILE]\n");
    return 2;
  }
  Options options{.kind = argv[1], .path = argv[2]};
  for (int i = 3; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const char* value = argv[i + 1];
    if (name == "--nodes") {
      options.nodes = std::atoll(value);
    } else if (name == "--megabytes") {
      options.megabytes = std::atoll(value);
    } else if (name == "--seed") {
      options.seed = std::strtoull(value, nullptr, 10);
    } else if (name == "--external") {
      options.external = value;
    } else {
      std::fprintf(stderr, "bench_models: unknown option %s\n", argv[i]);
      return 2;
    }
  }
  try {
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_models: %s\n", error.what());
    return 1;
  }
}
