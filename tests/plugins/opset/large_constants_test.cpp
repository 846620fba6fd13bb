// Values of large constants that are moved, converted or computed with element by element are computed when
// somebody reads them, in whatever windows.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <mo/half.hpp>

#include "built.hpp"
#include "core/host/host_tables.hpp"
#include "core/infer/infer.hpp"
#include "load.hpp"

namespace mo::test {
namespace {

using namespace mo::core;

class LargeConstants : public testing::Test {
 protected:
  LargeConstants() {
    load_only(session_, {builtin("opset")});
    graph_ = session_.create_graph("g");
  }

  template <class T>
  NodeId constant(const std::vector<T>& values, std::vector<int64_t> dims) {
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return graph_->add_const("c", make_tensor_from_bytes(element_type_of<T>(), std::move(dims), bytes));
  }
  NodeId packed(ElementType type, const std::vector<uint8_t>& bytes, std::vector<int64_t> dims) {
    const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return graph_->add_const("c", make_tensor_from_bytes(type, std::move(dims), content));
  }
  using Attributes = std::vector<std::pair<std::string, Attribute>>;
  NodeId node(std::string_view op, const std::vector<NodeId>& inputs, const Attributes& attributes = {},
              std::string_view opset = "opset1", uint32_t outputs = 1) {
    const NodeId n = graph_->add_node(op, opset, "n", static_cast<uint32_t>(inputs.size()), outputs);
    for (uint32_t i = 0; i < inputs.size(); ++i) graph_->connect({inputs[i], 0}, {n, i});
    for (const auto& [name, value] : attributes) graph_->set_attribute(n, name, value);
    return n;
  }
  TensorRef value_of(NodeId n, uint32_t output = 0) {
    infer_all(session_, *graph_);
    return graph_->out({n, output}).tensor.value;
  }
  // What becomes of the inputs, not computed yet.
  TensorRef result(std::string_view op, const std::vector<NodeId>& inputs, const Attributes& attributes = {},
                   std::string_view opset = "opset1") {
    const TensorRef value = value_of(node(op, inputs, attributes, opset));
    EXPECT_TRUE(value && value->known == nullptr) << op;
    return value;
  }
  // The elements as windows that begin and end anywhere give them; nothing stays in memory.
  template <class T>
  static std::vector<T> in_windows(const mo_tensor& t) {
    std::vector<T> list(t.bytes / sizeof(T));
    const size_t lengths[] = {1, 7, 1021, 16'384, 100'003};
    for (size_t at = 0, k = 0; at < list.size(); ++k) {
      const size_t n = std::min(lengths[k % std::size(lengths)], list.size() - at);
      read_bytes(t, at * sizeof(T), n * sizeof(T), reinterpret_cast<std::byte*>(list.data() + at));
      at += n;
    }
    EXPECT_EQ(t.known, nullptr);
    return list;
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

TEST_F(LargeConstants, AreComputedWithElementByElement) {
  constexpr size_t rows = 700, columns = 411;
  const std::vector<float> list = numbers(rows * columns), by_row = numbers(rows),
                           by_column = numbers(columns);
  const NodeId w = constant(list, {rows, columns}), r = constant(by_row, {rows, 1}),
               c = constant(by_column, {columns}), one = constant<float>({0.75F}, {});
  const auto compare = [&](const TensorRef& t, auto expected) {
    const auto got = in_windows<float>(*t);
    ASSERT_EQ(got.size(), list.size());
    for (size_t i = 0; i < list.size(); ++i) ASSERT_EQ(got[i], expected(i)) << i;
  };
  compare(result("Multiply", {w, r}), [&](size_t i) { return list[i] * by_row[i / columns]; });
  compare(result("Multiply", {w, w}), [&](size_t i) { return list[i] * list[i]; });
  compare(result("Add", {c, w}), [&](size_t i) { return by_column[i % columns] + list[i]; });
  compare(result("Subtract", {one, w}), [&](size_t i) { return 0.75F - list[i]; });
  compare(result("Divide", {w, one}), [&](size_t i) { return list[i] / 0.75F; });
  compare(result("Maximum", {w, c}), [&](size_t i) { return std::max(list[i], by_column[i % columns]); });
  compare(result("PReLU", {w, one}), [&](size_t i) { return list[i] < 0 ? list[i] * 0.75F : list[i]; });
  compare(result("Abs", {w}), [&](size_t i) { return std::abs(list[i]); });
  compare(result("Floor", {w}), [&](size_t i) { return std::floor(list[i]); });
  compare(result("Clamp", {w}, {{"min", -1.0}, {"max", 2.0}}),
          [&](size_t i) { return std::clamp(list[i], -1.0F, 2.0F); });
  compare(result("Tanh", {w}),
          [&](size_t i) { return static_cast<float>(std::tanh(static_cast<double>(list[i]))); });
}

TEST_F(LargeConstants, AreStretched) {
  constexpr size_t columns = 200'000;
  const std::vector<float> list = numbers(3 * columns), row = numbers(columns), few = {1, 2, 3, 4, 5};
  const TensorRef rows = result("Add", {constant(list, {3, columns}), constant(row, {1, columns})});
  const auto sums = in_windows<float>(*rows);
  for (size_t i = 0; i < sums.size(); ++i) ASSERT_EQ(sums[i], list[i] + row[i % columns]) << i;
  // None of the two is as large as the result.
  const TensorRef table = result("Subtract", {constant(row, {columns, 1}), constant(few, {5})});
  const auto differences = in_windows<float>(*table);
  ASSERT_EQ(differences.size(), 5 * columns);
  for (size_t i = 0; i < differences.size(); ++i) ASSERT_EQ(differences[i], row[i / 5] - few[i % 5]) << i;
}

TEST_F(LargeConstants, AreComparedAndSelected) {
  const std::vector<float> list = numbers(1'200'000);
  const NodeId w = constant(list, {1'200'000}), zero = constant<float>({0}, {1}),
               seven = constant<float>({7}, {});
  const NodeId greater = node("Greater", {w, zero});
  const auto is_greater = in_windows<uint8_t>(*value_of(greater));
  const auto is_not = in_windows<uint8_t>(*result("LogicalNot", {greater}));
  const auto both = in_windows<uint8_t>(*result("LogicalAnd", {greater, node("Less", {w, seven})}));
  const auto chosen = in_windows<float>(*result("Select", {greater, w, seven}));
  for (size_t i = 0; i < list.size(); ++i) {
    ASSERT_EQ(is_greater[i], list[i] > 0) << i;
    ASSERT_EQ(is_not[i], list[i] <= 0) << i;
    ASSERT_EQ(both[i], list[i] > 0 && list[i] < 7) << i;
    ASSERT_EQ(chosen[i], list[i] > 0 ? list[i] : 7) << i;
  }
}

TEST_F(LargeConstants, AreQuantized) {
  constexpr size_t rows = 900, columns = 401;
  const std::vector<float> list = numbers(rows * columns);
  std::vector<float> low(rows), high(rows);
  for (size_t r = 0; r < rows; ++r) {
    low[r] = -100.0F - static_cast<float>(r);
    high[r] = 200.0F + static_cast<float>(r);
  }
  const NodeId l = constant(low, {rows, 1}), h = constant(high, {rows, 1});
  const TensorRef t =
      result("FakeQuantize", {constant(list, {rows, columns}), l, h, l, h}, {{"levels", int64_t{256}}});
  const auto got = in_windows<float>(*t);
  for (size_t i = 0; i < list.size(); ++i) {
    const double x = list[i], from = low[i / columns], to = high[i / columns];
    const double inside = std::nearbyint((x - from) / (to - from) * 255) / 255 * (to - from) + from;
    ASSERT_EQ(got[i], static_cast<float>(x <= from ? from : x > to ? to : inside)) << i;
  }
}

TEST_F(LargeConstants, AreCutAndRepeated) {
  constexpr int64_t rows = 600, columns = 701;
  const std::vector<float> list = numbers(rows * columns);
  const NodeId w = constant(list, {rows, columns});
  const auto at = [&](int64_t r, int64_t c) { return list[static_cast<size_t>(r * columns + c)]; };
  const auto compare = [&](const TensorRef& t, int64_t wide, auto expected) {
    const auto got = in_windows<float>(*t);
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(got[i], expected(static_cast<int64_t>(i) / wide, static_cast<int64_t>(i) % wide)) << i;
  };
  const auto ints = [&](std::vector<int64_t> v) {
    const auto n = static_cast<int64_t>(v.size());
    return constant(v, {n});
  };
  const auto sliced = [&](int64_t from, int64_t to, int64_t step, int64_t axis) {
    return result("Slice", {w, ints({from}), ints({to}), ints({step}), ints({axis})}, {}, "opset8");
  };
  compare(sliced(13, 650, 1, 1), 637, [&](int64_t r, int64_t c) { return at(r, c + 13); });
  compare(sliced(3, 700, 2, 1), 349, [&](int64_t r, int64_t c) { return at(r, 3 + 2 * c); });
  compare(sliced(-1, -10'000, -1, 0), columns, [&](int64_t r, int64_t c) { return at(rows - 1 - r, c); });
  compare(sliced(-1, -10'000, -1, 1), columns, [&](int64_t r, int64_t c) { return at(r, columns - 1 - c); });
  const NodeId parts = node("VariadicSplit", {w, ints({1}), ints({300, -1})}, {}, "opset1", 2);
  compare(value_of(parts, 0), 300, at);
  compare(value_of(parts, 1), columns - 300, [&](int64_t r, int64_t c) { return at(r, c + 300); });
  compare(result("Tile", {w, ints({2, 3})}), 3 * columns,
          [&](int64_t r, int64_t c) { return at(r % rows, c % columns); });
  const std::vector<float> row(list.begin(), list.begin() + columns);
  compare(result("Broadcast", {constant(row, {columns}), ints({rows, columns})}), columns,
          [&](int64_t, int64_t c) { return at(0, c); });
}

TEST_F(LargeConstants, AreGathered) {
  constexpr int64_t rows = 600, columns = 701;
  const std::vector<float> list = numbers(rows * columns);
  const NodeId w = constant(list, {rows, columns});
  std::vector<int64_t> some_rows, some_columns;
  for (int64_t i = 0; i < 700; ++i) {
    some_rows.push_back(i < 300 ? i : -(i * 7 % rows) - 1);  // neighbours, and others
    some_columns.push_back(i * 5 % columns);
  }
  const NodeId first = constant<int64_t>({0}, {}), second = constant<int64_t>({1}, {});
  const auto of_rows = in_windows<float>(*result("Gather", {w, constant(some_rows, {700}), first}));
  const auto of_columns = in_windows<float>(*result("Gather", {w, constant(some_columns, {700}), second}));
  ASSERT_EQ(of_rows.size(), 700U * columns);
  for (size_t i = 0; i < of_rows.size(); ++i) {
    const int64_t r = some_rows[i / columns];
    ASSERT_EQ(of_rows[i], list[static_cast<size_t>(r < 0 ? r + rows : r) * columns + i % columns]) << i;
  }
  for (size_t i = 0; i < of_columns.size(); ++i)
    ASSERT_EQ(of_columns[i], list[i / 700 * columns + static_cast<size_t>(some_columns[i % 700])]) << i;
}

// Of less than a byte.
TEST_F(LargeConstants, AreUnpackedAndPacked) {
  constexpr int64_t rows = 1025, columns = 1027;
  constexpr size_t n = rows * columns;
  std::vector<uint8_t> bytes((n + 1) / 2);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 37 + i / 251);
  bytes.back() &= 15;
  const auto code = [&](size_t i) { return bytes[i / 2] >> (i % 2 * 4) & 15; };
  const Attributes to_float{{"destination_type", ElementType::f32}};
  const NodeId u4 = packed(ElementType::u4, bytes, {rows, columns});
  const auto plain = in_windows<float>(*result("Convert", {u4}, to_float));
  const auto with_sign =
      in_windows<float>(*result("Convert", {packed(ElementType::i4, bytes, {rows, columns})}, to_float));
  const auto small =
      in_windows<float>(*result("Convert", {packed(ElementType::f4e2m1, bytes, {rows, columns})}, to_float));
  constexpr float f4e2m1[] = {0, .5F, 1, 1.5F, 2, 3, 4, 6, -0.0F, -.5F, -1, -1.5F, -2, -3, -4, -6};
  for (size_t i = 0; i < n; ++i) {
    ASSERT_EQ(plain[i], static_cast<float>(code(i))) << i;
    ASSERT_EQ(with_sign[i], static_cast<float>(code(i) < 8 ? code(i) : code(i) - 16)) << i;
    ASSERT_EQ(small[i], f4e2m1[code(i)]) << i;
  }
  const TensorRef turned = value_of(node("Transpose", {u4, constant<int64_t>({1, 0}, {2})}));
  ASSERT_EQ(turned->known, nullptr);
  const auto turned_bytes = in_windows<uint8_t>(*turned);
  ASSERT_EQ(turned_bytes.size(), bytes.size());
  for (size_t i = 0; i < n; ++i)
    ASSERT_EQ(turned_bytes[i / 2] >> (i % 2 * 4) & 15, code(i % rows * columns + i / rows)) << i;
}

// The results are few and computed at once; what they are made of is not.
TEST_F(LargeConstants, AreReduced) {
  constexpr size_t a = 60, b = 70, c = 80;
  const std::vector<float> list = numbers(a * b * c);
  const NodeId w = node("Abs", {constant(list, {a, b, c})});
  const auto sums = [&](const std::vector<int64_t>& axes, std::string_view op, std::string_view opset) {
    const NodeId n =
        node(op, {w, constant(axes, {static_cast<int64_t>(axes.size())})}, {{"keep_dims", true}}, opset);
    const TensorRef t = value_of(n);
    EXPECT_EQ(graph_->out({w, 0}).tensor.value->known, nullptr) << op;
    return elements<float>(*t);
  };
  const auto expected = [&](auto of, size_t results, auto add) {
    std::vector<double> all(results);
    for (size_t i = 0; i < list.size(); ++i) add(all[of(i)], std::abs(static_cast<double>(list[i])));
    return all;
  };
  const auto plus = [](double& all, double v) { all += v; };
  const auto square = [](double& all, double v) { all += v * v; };
  const auto most = [](double& all, double v) { all = std::max(all, v); };
  const auto compare = [](const std::vector<float>& got, const std::vector<double>& want) {
    ASSERT_EQ(got.size(), want.size());
    for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], static_cast<float>(want[i])) << i;
  };
  compare(sums({0}, "ReduceSum", "opset1"), expected([](size_t i) { return i % (b * c); }, b * c, plus));
  compare(sums({1}, "ReduceSum", "opset1"),
          expected([](size_t i) { return i / (b * c) * c + i % c; }, a * c, plus));
  compare(sums({2}, "ReduceSum", "opset1"), expected([](size_t i) { return i / c; }, a * b, plus));
  compare(sums({0, 2}, "ReduceSum", "opset1"), expected([](size_t i) { return i / c % b; }, b, plus));
  compare(sums({0, 1, 2}, "ReduceSum", "opset1"), expected([](size_t) { return 0; }, 1, plus));
  compare(sums({1}, "ReduceMax", "opset1"),
          expected([](size_t i) { return i / (b * c) * c + i % c; }, a * c, most));
  auto roots = expected([](size_t i) { return i / c; }, a * b, square);
  for (double& v : roots) v = std::sqrt(v);
  compare(sums({2}, "ReduceL2", "opset4"), roots);
}

// Scaled, shifted, turned, cut, converted: none of it is in memory, and the last is right.
TEST_F(LargeConstants, StayOutOfMemoryHoweverManyComputeThem) {
  constexpr int64_t rows = 700, columns = 800;
  const std::vector<float> list = numbers(rows * columns), scale = numbers(columns);
  std::vector<NodeId> chain{constant(list, {rows, columns})};
  chain.push_back(node("Multiply", {chain.back(), constant(scale, {1, columns})}));
  chain.push_back(node("Add", {chain.back(), constant<float>({3}, {})}));
  chain.push_back(node("Transpose", {chain.back(), constant<int64_t>({1, 0}, {2})}));
  chain.push_back(node("Slice",
                       {chain.back(), constant<int64_t>({10}, {1}), constant<int64_t>({710}, {1}),
                        constant<int64_t>({1}, {1}), constant<int64_t>({1}, {1})},
                       {}, "opset8"));
  chain.push_back(node("Convert", {chain.back()}, {{"destination_type", ElementType::f64}}));
  const auto got = in_windows<double>(*value_of(chain.back()));
  ASSERT_EQ(got.size(), 690U * columns);
  for (size_t i = 0; i < got.size(); ++i) {
    const size_t row = i % 690 + 10, column = i / 690;
    ASSERT_EQ(got[i], static_cast<double>(list[row * columns + column] * scale[column] + 3)) << i;
  }
  for (size_t i = 1; i < chain.size(); ++i)
    EXPECT_EQ(graph_->out({chain[i], 0}).tensor.value->known, nullptr) << graph_->op(chain[i]);
}

}  // namespace
}  // namespace mo::test
