// Operators with constant inputs, against values/operators.txt: what an executor of MXNet's documentation
// gives. It is made by tests/conformance/mxnet_operators; by_hand.txt beside it has what that does not know.
#include <sstream>

#include "core/infer/execute.hpp"
#include "mxnet_fixture.hpp"

namespace mo::test {

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

struct Block {
  std::string op, attributes;  // as JSON
  std::vector<ArrayBytes> inputs, outputs;
  std::string place = {};
};

ArrayBytes read_array(const std::string& line, size_t at) {
  ArrayBytes a;
  const size_t colon = line.find(':');
  std::istringstream dims(line.substr(at, colon - at)), numbers(line.substr(colon + 1));
  for (std::string d; std::getline(dims, d, ',');)
    if (!d.empty()) a.dims.push_back(std::stoll(d));
  for (std::string v; numbers >> v;) a.values.push_back(std::stof(v));
  return a;
}

std::vector<Block> read_blocks(const std::string& name) {
  std::ifstream file(MO_SOURCE_DIR "/tests/plugins/mxnet/values/" + name);
  std::vector<Block> blocks;
  size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (line.rfind("in ", 0) == 0)
      blocks.back().inputs.push_back(read_array(line, 3));
    else if (line.rfind("out ", 0) == 0)
      blocks.back().outputs.push_back(read_array(line, 4));
    else
      blocks.push_back(
          {line.substr(0, line.find(' ')), line.substr(line.find(' ') + 1), {}, {}, text(name, ':', number)});
  }
  return blocks;
}

class MxnetOperators : public Mxnet {
 protected:
  // Many operators are one network: a conversion each would take most of the time.
  void check(const std::vector<Block>& blocks) {
    std::string nodes, heads;
    ArraysBuilder arrays;
    size_t count = 0;
    for (size_t i = 0; i < blocks.size(); ++i) {
      std::string entries;
      for (size_t k = 0; k < blocks[i].inputs.size(); ++k) {
        const std::string name = text("x", i, '_', k);
        nodes += variable(name) + ", ";
        arrays.dense({name, blocks[i].inputs[k].dims, blocks[i].inputs[k].values});
        entries += text(k == 0 ? "[" : ", [", count++, ", 0, 0]");
      }
      nodes +=
          text(R"j({"op": ")j", blocks[i].op, R"j(", "name": "y)j", i, R"j(", "attrs": )j",
               blocks[i].attributes, R"j(, "inputs": [)j", entries, i + 1 == blocks.size() ? "]}" : "]}, ");
      for (size_t k = 0; k < blocks[i].outputs.size(); ++k)
        heads += text(heads.empty() ? "[" : ", [", count, ", ", k, ", 0]");
      ++count;
    }
    const auto g = prepare(symbol_of(nodes, heads, of_1_9), arrays.bytes());
    size_t result = 0;
    for (const Block& block : blocks)
      for (const ArrayBytes& wanted : block.outputs) compare(*g, result++, block, wanted);
  }
  static void compare(const core::Graph& g, size_t result, const Block& block, const ArrayBytes& wanted) {
    SCOPED_TRACE(text(block.place, ": ", block.op, ' ', block.attributes));
    EXPECT_EQ(text(shape(g, result)),
              text(Shape::dims_of(wanted.dims.data(), static_cast<int64_t>(wanted.dims.size()))));
    const auto got = values(g, result);
    ASSERT_EQ(got.size(), wanted.values.size());
    for (size_t i = 0; i < got.size(); ++i) {
      const double v = wanted.values[i];
      ASSERT_NEAR(got[i], v, 2e-5 + 2e-5 * std::abs(v)) << "element " << i;
    }
  }
};

TEST_F(MxnetOperators, GiveWhatMxnetGives) {
  const auto blocks = read_blocks("operators.txt");
  ASSERT_GT(blocks.size(), 200U);
  constexpr size_t together = 40;
  for (size_t at = 0; at < blocks.size(); at += together)
    check({blocks.begin() + static_cast<std::ptrdiff_t>(at),
           blocks.begin() + static_cast<std::ptrdiff_t>(std::min(at + together, blocks.size()))});
}

TEST_F(MxnetOperators, GiveWhatItsDocumentationSays) {
  const auto blocks = read_blocks("by_hand.txt");
  ASSERT_GE(blocks.size(), 17U);
  check(blocks);
}

// Of two sequences of 3 steps the first one ends after 2: what comes then is 0, and its state is that of
// step 2.
TEST_F(MxnetOperators, SequencesOfAnRnnHaveLengths) {
  const float w = 0.5F, r = -0.25F, bias = 0.125F;
  const ArrayBytes x{"", {3, 2, 1}, {1, 2, 3, 4, 5, 6}}, parameters{"", {4}, {w, r, bias, 0}},
      state{"", {1, 2, 1}, {0.5F, -0.5F}}, lengths{"", {2}, {2, 3}};
  std::vector<float> y(6, 0), last(2);
  for (size_t n = 0; n < 2; ++n) {
    float h = state.values[n];
    for (size_t t = 0; t < 2 + n; ++t) y[2 * t + n] = h = std::tanh(w * x.values[2 * t + n] + r * h + bias);
    last[n] = h;
  }
  check(
      {{"RNN",
        R"j({"mode": "rnn_tanh", "state_size": "1", "state_outputs": "True", "use_sequence_length": "True"})j",
        {x, parameters, state, lengths},
        {{"", {3, 2, 1}, y}, {"", {1, 2, 1}, last}}}});
}

// No other runtime draws these numbers: what they have in common is how they are distributed.
TEST_F(MxnetOperators, RandomNumbersAreDistributedAsMxnetSays) {
  const auto drawn = [&](std::string_view op, std::string_view attributes) {
    const auto g = convert(op, attributes, {});
    core::Session& session = *sessions_.back();
    session.executing = true;
    return values_of(core::execute(session, *g, {}).at(0));
  };
  const auto mean_of = [](const std::vector<double>& list, const std::function<double(double)>& f) {
    double sum = 0;
    for (const double v : list) sum += f(v);
    return sum / static_cast<double>(list.size());
  };
  const auto uniform = drawn("_random_uniform", "'low': '-1', 'high': '3', 'shape': '(20, 500)'");
  ASSERT_EQ(uniform.size(), 10'000U);
  EXPECT_GE(*std::min_element(uniform.begin(), uniform.end()), -1);
  EXPECT_LT(*std::max_element(uniform.begin(), uniform.end()), 3);
  EXPECT_NEAR(mean_of(uniform, [](double v) { return v; }), 1, 0.1);
  EXPECT_NEAR(mean_of(uniform, [](double v) { return (v - 1) * (v - 1); }), 16.0 / 12, 0.1);
  const auto normal = drawn("_random_normal", "'loc': '2', 'scale': '0.5', 'shape': '(10000,)'");
  EXPECT_NEAR(mean_of(normal, [](double v) { return v; }), 2, 0.05);
  EXPECT_NEAR(mean_of(normal, [](double v) { return (v - 2) * (v - 2); }), 0.25, 0.025);
  EXPECT_NEAR(mean_of(normal, [](double v) { return std::abs(v - 2) < 0.5 ? 1 : 0; }), 0.6827, 0.03);
}

// Each line of the page mxnet.md about what is not supported.
TEST_F(MxnetOperators, OperatorsWithoutACounterpartSayWhy) {
  const std::vector<std::pair<std::string_view, std::string_view>> reasons{
      {"_random_poisson", "a distribution for which the IR has no operation"},
      {"_sample_multinomial", "a distribution for which the IR has no operation"},
      {"_sg_mkldnn_conv", "fused for one runtime"},
      {"_contrib_quantized_rnn", "fused for one runtime"},
      {"gammaln", "the IR has no such function"},
      {"_contrib_MultiBoxTarget", "it chooses boxes for the training"},
      {"cast_storage", "sparse tensors are not supported"},
      {"_contrib_bipartite_matching", "the IR has no operation that does this"},
  };
  for (const auto& [op, why] : reasons)
    EXPECT_THAT(
        failure_of(symbol_of(variable("x", R"j({"__shape__": "(2, 2)"})j") +
                                 text(R"j(, {"op": ")j", op, R"j(", "name": "y", "inputs": [[0, 0, 0]]})j"),
                             "[1, 0, 0]", of_1_9)),
        HasSubstr(why))
        << op;
}

TEST_F(MxnetOperators, WhatCannotBeConvertedSaysWhy) {
  const auto failure = [&](std::string_view op, std::string_view attributes,
                           const std::vector<ArrayBytes>& inputs) {
    try {
      convert(op, attributes, inputs);
      return std::string();
    } catch (const core::Failure& f) {
      return f.render();
    }
  };
  const ArrayBytes x{"", {1, 2, 2}, {1, 2, 3, 4}};
  EXPECT_THAT(failure("Activation", "'act_type': 'step'", {x}), HasSubstr("attribute 'act_type' is 'step'"));
  EXPECT_THAT(failure("Convolution", "'num_filter': '1'", {x, x}),
              HasSubstr("attribute 'kernel' has 0 numbers"));
  EXPECT_THAT(failure("Convolution", "'kernel': '(1,)', 'stride': '(0,)'", {x, x}),
              HasSubstr("attribute 'stride' is [0]; expected numbers from 1 on"));
  EXPECT_THAT(failure("Reshape", "'shape': '(-4, -1, -1)'", {x}), HasSubstr("one of them -1 at most"));
  EXPECT_THAT(failure("Reshape", "'shape': '(-5,)'", {x}), HasSubstr("-5 is not a code of Reshape"));
  EXPECT_THAT(failure("RNN", "'mode': 'lstm', 'state_size': '1', 'projection_size': '2'", {x, x}),
              HasSubstr("attribute 'projection_size' is 2, but the states have 1 numbers"));
  EXPECT_THAT(failure("RNN", "'mode': 'gru', 'state_size': '1', 'projection_size': '1'", {x, x}),
              HasSubstr("only an LSTM has a projection"));
  EXPECT_THAT(failure("RNN", "'mode': 'lstm', 'state_size': '1', 'lstm_state_clip_min': '-1'", {x, x}),
              HasSubstr("'lstm_state_clip_max' there is only one"));
  const ArrayBytes picture{"", {1, 4, 2, 2}, std::vector<float>(16, 1)}, regions{"", {1, 5}, {0, 0, 0, 1, 1}};
  EXPECT_THAT(failure("_contrib_PSROIPooling",
                      "'pooled_size': '4', 'group_size': '-2', 'output_dim': '1', 'spatial_scale': '1'",
                      {picture, regions}),
              HasSubstr("attributes 'group_size', 'pooled_size' and 'output_dim' are -2, 4 and 1"));
  EXPECT_THAT(failure("Correlation", "'max_displacement': '3'", {picture, picture}),
              HasSubstr("its displacements reach beyond pictures of 2 x 2"));
  EXPECT_THAT(failure("Correlation", "'kernel_size': '2'", {picture, picture}),
              HasSubstr("expected an odd kernel"));
  EXPECT_THAT(failure("_random_uniform", "'shape': '(0,)'", {}),
              HasSubstr("attribute 'shape' is [0]; expected numbers from 1 on"));
  EXPECT_THAT(failure("GridGenerator", "'transform_type': 'affine', 'target_shape': '(1, 4)'", {x}),
              HasSubstr("attribute 'target_shape' is [1,4]; expected height and width from 2 on"));
  EXPECT_THAT(failure("Dropout", "'mode': 'always'", {x}), HasSubstr("random numbers at inference"));
  EXPECT_THAT(failure("_contrib_MultiBoxTarget", "", {x}), HasSubstr("convert the symbol for inference"));
  EXPECT_THAT(failure("relu", "", {}), HasSubstr("'y'"));
}

}  // namespace

}  // namespace mo::test
