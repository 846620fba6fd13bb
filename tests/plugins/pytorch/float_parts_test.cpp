// Parts of floats and their neighbours are exact, which rows of six digits do not show.
#include "pytorch_fixture.hpp"

#include <cmath>
#include <limits>

namespace mo::test {
namespace {

class PytorchFloatParts : public Pytorch {
 protected:
  // Powers of two, their neighbours, numbers between them, and the ends.
  static std::vector<float> values() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::vector<float> list{0, std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::max()};
    for (int e = -149; e < 128; e += e < -120 || e > 120 ? 1 : 7) {
      const float power = std::ldexp(1.0F, e);
      for (const float v :
           {power, std::nextafter(power, infinity), std::nextafter(power, 0.0F), power * 1.37F})
        list.push_back(v);
    }
    const size_t count = list.size();
    for (size_t i = 0; i < count; ++i) list.push_back(-list[i]);
    return list;
  }
  static StoredWeight stored(const std::vector<float>& list) {
    return floats(list, {static_cast<int64_t>(list.size())});
  }
};

TEST_F(PytorchFloatParts, NeighboursAreExact) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> x, y;
  for (const float v : values())
    for (const float towards : {infinity, -infinity, 0.0F, v}) x.push_back(v), y.push_back(towards);
  x.insert(x.end(), {infinity, -infinity, infinity});
  y.insert(y.end(), {0.0F, 0.0F, infinity});
  Pt2File file;
  file.parameter("x", stored(x)).parameter("y", stored(y));
  file.graph.node("torch.ops.aten.nextafter.default",
                  {{"self", arg::tensor("x")}, {"other", arg::tensor("y")}}, "z", {text(x.size())});
  file.output("z");
  const std::vector<double> got = computed(file);
  ASSERT_EQ(got.size(), x.size());
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(got[i], std::nextafter(x[i], y[i])) << x[i] << " towards " << y[i];
}

TEST_F(PytorchFloatParts, MantissasAndExponentsAreExact) {
  const std::vector<float> x = values();
  Pt2File file;
  file.parameter("x", stored(x));
  constexpr int i32 = 4;
  file.graph.tensor("mantissa", {text(x.size())}).tensor("exponent", {text(x.size())}, i32);
  file.graph.call("torch.ops.aten.frexp.Tensor", {{"self", arg::tensor("x")}},
                  arg::joined({arg::tensor("mantissa"), arg::tensor("exponent")}), "frexp");
  file.output("mantissa").output("exponent");
  const std::vector<double> mantissa = computed(file, 0), exponent = computed(file, 1);
  ASSERT_EQ(mantissa.size(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    int e = 0;
    EXPECT_EQ(mantissa[i], std::frexp(x[i], &e)) << x[i];
    EXPECT_EQ(exponent[i], e) << x[i];
  }
}

}  // namespace
}  // namespace mo::test
