#include "tests/plugins/builtin_passes/layout_lab.hpp"

namespace mo::test {
namespace {

struct Layer {
  std::string op;
  int gates, biases;
  std::string states, more, outputs;
};

// Batch and time are open; three samples of four steps that have 0, 3 and 4 of them.
std::string recurrent(const Layer& l, const std::string& direction) {
  const int n = direction == "bidirectional" ? 2 : 1;
  std::string results = "Result (%y:0)\nResult (%y:1)\n";
  if (l.op == "LSTMSequence") results += "Result (%y:2)\n";
  return text("%x = Parameter -> f32[?,?,3]\n%h = Parameter -> f32[?,", n, ",2]\n%n = Parameter -> i64[?]\n",
              "%w = Parameter -> f32[", n, ",", 2 * l.gates, ",3]\n%r = Parameter -> f32[", n, ",",
              2 * l.gates, ",2]\n%b = Parameter -> f32[", n, ",", 2 * l.biases, "]\n%y = ", l.op,
              "@opset5 (%x, ", l.states, ", %n, %w, %r, %b) {hidden_size=2, direction=\"", direction, "\"",
              l.more, "} -> (", l.outputs, ")\n", results);
}

TEST(WriteOutLengths, GivesTheSameNumbers) {
  LayoutLab lab;
  for (const Layer& l : {Layer{"LSTMSequence", 4, 4, "%h, %h", ", clip=1.5", "_, _, _"},
                         Layer{"GRUSequence", 3, 3, "%h", "", "_, _"},
                         Layer{"GRUSequence", 3, 4, "%h", ", linear_before_reset=true", "_, _"},
                         Layer{"RNNSequence", 1, 1, "%h", ", activations=[\"relu\"]", "_, _"}})
    for (const std::string direction : {"forward", "reverse", "bidirectional"}) {
      SCOPED_TRACE(l.op + " " + direction + l.more);
      const std::string model = recurrent(l, direction);
      const auto before = lab.graph(model), after = lab.graph(model);
      lab.run(*after, {"back.write_out_lengths"});
      EXPECT_EQ(LayoutLab::count(*after, l.op), 0U);
      EXPECT_EQ(LayoutLab::count(*after, "TensorIterator"), direction == "bidirectional" ? 2U : 1U);
      const int64_t n = direction == "bidirectional" ? 2 : 1;
      const std::vector<Numbers> inputs{random_numbers({3, 4, 3}, 1),
                                        random_numbers({3, n, 2}, 2),
                                        Numbers{{3}, {0, 3, 4}},
                                        random_numbers({n, 2 * l.gates, 3}, 3),
                                        random_numbers({n, 2 * l.gates, 2}, 4),
                                        random_numbers({n, 2 * l.biases}, 5)};
      const auto expected = lab.values(*before, inputs), got = lab.values(*after, inputs);
      ASSERT_EQ(expected.size(), got.size());
      for (size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(expected[i].dims, got[i].dims);
        EXPECT_THAT(got[i].values, testing::Pointwise(testing::DoubleNear(1e-5), expected[i].values));
      }
    }
}

}  // namespace
}  // namespace mo::test
