// Values of large constants that are moved or converted are computed when somebody reads them.
#include <gtest/gtest.h>

#include <cstring>
#include <mo/half.hpp>

#include "apps/plugin_search/load_plugins.hpp"
#include "built.hpp"
#include "core/host/host_tables.hpp"
#include "core/infer/infer.hpp"

namespace mo::test {
namespace {

using namespace mo::core;

class LargeConstants : public testing::Test {
 protected:
  LargeConstants() {
    LoadRequest request;
    request.named = {builtin("opset")};
    request.allow_writable_folders = true;
    load_plugins(session_, request);
    graph_ = session_.create_graph("g");
  }

  template <class T>
  NodeId constant(const std::vector<T>& values, std::vector<int64_t> dims) {
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return graph_->add_const("c", make_tensor_from_bytes(element_type_of<T>(), std::move(dims), bytes));
  }
  // What becomes of the inputs, not computed yet.
  TensorRef result(std::string_view op, const std::vector<NodeId>& inputs,
                   const std::vector<std::pair<std::string, Attribute>>& attributes = {}) {
    const NodeId n = graph_->add_node(op, "opset1", "n", static_cast<uint32_t>(inputs.size()), 1);
    for (uint32_t i = 0; i < inputs.size(); ++i) graph_->connect({inputs[i], 0}, {n, i});
    for (const auto& [name, value] : attributes) graph_->set_attribute(n, name, value);
    infer_all(session_, *graph_);
    const TensorRef value = graph_->out({n, 0}).tensor.value;
    EXPECT_TRUE(value && value->known == nullptr) << op;
    return value;
  }
  template <class T>
  static std::vector<T> elements(const mo_tensor& t) {
    std::vector<T> list(t.bytes / sizeof(T));
    std::memcpy(list.data(), t.data(), t.bytes);
    return list;
  }

  Session session_{host_table()};
  GraphPtr graph_;
};

std::vector<float> numbers(size_t n) {
  std::vector<float> list(n);
  for (size_t i = 0; i < n; ++i) list[i] = static_cast<float>(i % 10007) - 5000.25F;
  return list;
}

TEST_F(LargeConstants, AreTransposed) {
  constexpr size_t h = 3, w = 5, in = 130, out = 160;
  const std::vector<float> list = numbers(h * w * in * out);
  const NodeId order = constant<int64_t>({3, 2, 0, 1}, {4});
  const TensorRef t = result("Transpose", {constant(list, {h, w, in, out}), order});
  ASSERT_EQ(t->dims, (std::vector<int64_t>{out, in, h, w}));
  std::vector<float> expected;
  for (size_t o = 0; o < out; ++o)
    for (size_t i = 0; i < in; ++i)
      for (size_t k = 0; k < h * w; ++k) expected.push_back(list[(k * in + i) * out + o]);
  EXPECT_EQ(elements<float>(*t), expected);
}

TEST_F(LargeConstants, AreJoined) {
  constexpr size_t rows = 300;
  const std::vector<float> a = numbers(rows * 700), b = numbers(rows * 401);
  const TensorRef t =
      result("Concat", {constant(a, {rows, 700}), constant(b, {rows, 401})}, {{"axis", int64_t{-1}}});
  std::vector<float> expected;
  for (size_t r = 0; r < rows; ++r) {
    expected.insert(expected.end(), a.data() + r * 700, a.data() + (r + 1) * 700);
    expected.insert(expected.end(), b.data() + r * 401, b.data() + (r + 1) * 401);
  }
  EXPECT_EQ(elements<float>(*t), expected);
}

TEST_F(LargeConstants, AreConverted) {
  const std::vector<float> list = numbers(600'000);
  const NodeId c = constant(list, {600'000});
  const auto as = [&](ElementType type) { return result("Convert", {c}, {{"destination_type", type}}); };
  const auto ints = elements<int32_t>(*as(ElementType::i32));
  const auto halves = elements<uint16_t>(*as(ElementType::f16));
  const auto doubles = elements<double>(*as(ElementType::f64));
  for (size_t i = 0; i < list.size(); ++i) {
    ASSERT_EQ(ints[i], static_cast<int32_t>(list[i])) << i;
    ASSERT_EQ(halves[i], float_to_half(list[i])) << i;
    ASSERT_EQ(doubles[i], static_cast<double>(list[i])) << i;
  }
}

}  // namespace
}  // namespace mo::test
