// Operators of StableHLO: what LiteRT runs, and for the others what their specification says. Where the
// numbers of a row are from, operator_values.txt tells.
#include <cmath>

#include "operator_rows.hpp"

namespace mo::test::lite_rows {

namespace {

using Longs = std::vector<int64_t>;

Row row(const std::string& name, int32_t code, std::vector<Value> inputs, std::vector<Value> outputs,
        uint8_t type = 0, std::vector<LiteOption> options = {}) {
  Row r{"stable_" + name, code, std::move(inputs), std::move(outputs), type, std::move(options)};
  r.second_options = true;
  return r;
}
Value positive(Value v) {
  for (double& x : v.numbers) x += 0.75;
  return v;
}
Value integer(double v) { return i({}, {v}); }
std::vector<double> numbers(int count) {
  std::vector<double> list;
  for (int k = 0; k < count; ++k) list.push_back((k * 7) % 11 - 5);
  return list;
}

// A sub-graph that applies an operator to the first and the second argument of each tensor; -1: it gives the
// second one.
LiteGraph pairwise(const std::vector<std::pair<LiteType, int32_t>>& tensors) {
  LiteGraph g;
  std::vector<int32_t> arguments;
  for (const char* kind : {"x", "y"})
    for (size_t k = 0; k < tensors.size(); ++k)
      arguments.push_back(g.input({.name = kind + std::to_string(k), .type = tensors[k].first}));
  for (size_t k = 0; k < tensors.size(); ++k) {
    const int32_t x = arguments[k], y = arguments[tensors.size() + k];
    if (tensors[k].second < 0) {
      g.outputs.push_back(y);
      continue;
    }
    const int32_t z = g.output({.name = "z" + std::to_string(k), .type = tensors[k].first});
    g.operators.push_back({.code = tensors[k].second, .inputs = {x, y}, .outputs = {z}});
  }
  return g;
}

// One input, one output, floats.
std::vector<Row> stable_unary_rows() {
  std::vector<Row> rows;
  const std::vector<std::pair<std::string, int32_t>> all{
      {"logistic", 162}, {"abs", 175},    {"cosine", 177}, {"exponential", 178},
      {"floor", 179},    {"negate", 182}, {"tanh", 189},   {"cbrt", 208}};
  for (const auto& [name, code] : all) rows.push_back(row(name, code, {spread({2, 3}, 3)}, {f({2, 3}, {})}));
  rows.push_back(row("log", 180, {positive(spread({2, 3}))}, {f({2, 3}, {})}));
  rows.push_back(row("rsqrt", 186, {positive(spread({2, 3}))}, {f({2, 3}, {})}));
  rows.push_back(row("convert", 192, {spread({2, 3}, 7)}, {i({2, 3}, {})}));
  return rows;
}

std::vector<Row> stable_binary_rows() {
  const Value x = spread({2, 3}, 3), y = f({2, 3}, {0.5, -1.5, 2, -2.5, 1, 0.25});
  const Value m = i({6}, {7, -7, 7, -7, 6, 0}), n = i({6}, {3, 3, -3, -3, 2, 5});
  const Value yes = b({4}, {0, 0, 1, 1}), no = b({4}, {0, 1, 0, 1});
  std::vector<Row> rows;
  const std::vector<std::pair<std::string, int32_t>> all{
      {"add", 163},     {"divide", 164},   {"multiply", 165}, {"maximum", 166},
      {"minimum", 181}, {"subtract", 188}, {"remainder", 185}};
  for (const auto& [name, code] : all) rows.push_back(row(name, code, {x, y}, {f({2, 3}, {})}));
  rows.push_back(row("divide_integers", 164, {m, n}, {i({6}, {})}));
  rows.push_back(row("remainder_integers", 185, {m, n}, {i({6}, {})}));
  rows.push_back(row("power", 184, {positive(spread({2, 3})), y}, {f({2, 3}, {})}));
  rows.push_back(row("and", 176, {yes, no}, {b({4}, {})}));
  rows.push_back(row("or", 183, {yes, no}, {b({4}, {})}));
  rows.push_back(row("and_integers", 176, {m, n}, {i({6}, {})}));
  rows.push_back(row("or_integers", 183, {m, n}, {i({6}, {})}));
  rows.push_back(row("shift_left", 207, {i({4}, {1, -3, 5, 7}), i({4}, {0, 2, 4, 1})}, {i({4}, {})}));
  for (int direction = 0; direction < 6; ++direction)
    rows.push_back(row("compare_" + std::to_string(direction), 191, {m, i({6}, {7, 3, -7, -7, 9, 0})},
                       {b({6}, {})}, 8, {{0, direction}, {1, 0}}));
  rows.push_back(row("select", 187, {b({2, 3}, {1, 0, 1, 0, 0, 1}), x, y}, {f({2, 3}, {})}));
  rows.push_back(row("clamp", 168, {f({}, {-0.5}), x, f({}, {0.75})}, {f({2, 3}, {})}));
  return rows;
}

std::vector<Row> stable_shape_rows() {
  const Value x = spread({2, 3});
  return {
      row("reshape", 167, {x}, {f({3, 2}, {})}),
      row("concatenate", 169, {x, spread({2, 2}, 2)}, {f({2, 5}, {})}, 1, {{0, int64_t{1}}}),
      row("broadcast_in_dim", 170, {f({3}, {1, 2, 3})}, {f({2, 3, 2}, {})}, 2, {{0, Longs{1}}}),
      row("slice", 172, {spread({3, 5})}, {f({2, 2}, {})}, 3,
          {{0, Longs{1, 0}}, {1, Longs{3, 4}}, {2, Longs{1, 3}}}),
      row("dynamic_slice", 193, {spread({3, 5}), integer(2), integer(1)}, {f({2, 2}, {})}, 9,
          {{0, Longs{2, 2}}}),
      row("dynamic_update_slice", 194, {spread({3, 5}), f({2, 2}, {7, 8, 9, 10}), integer(2), integer(1)},
          {f({3, 5}, {})}),
      row("pad", 195, {x, f({}, {9})}, {f({3, 6}, {})}, 10,
          {{0, Longs{0, 2}}, {1, Longs{1, 1}}, {2, Longs{0, 0}}}),
      row("pad_inside", 195, {x, f({}, {9})}, {f({4, 9}, {})}, 10,
          {{0, Longs{0, 1}}, {1, Longs{0, 1}}, {2, Longs{2, 2}}}),
      row("pad_cuts", 195, {x, f({}, {9})}, {f({2, 4}, {})}, 10,
          {{0, Longs{0, -1}}, {1, Longs{0, 0}}, {2, Longs{0, 1}}}),
      row("dilate", 203, {x, i({2}, {2, 3}), f({}, {-1})}, {f({3, 7}, {})}),
      row("iota", 196, {}, {i({2, 3}, {})}, 11, {{0, int64_t{1}}}),
      row("transpose", 202, {spread({2, 3, 2})}, {f({2, 2, 3}, {})}, 17, {{0, Longs{2, 0, 1}}}),
      row("dot_general", 197, {spread({2, 3, 4}), spread({2, 4, 2}, 2)}, {f({2, 3, 2}, {})}, 12,
          {{0, Longs{0}}, {1, Longs{0}}, {2, Longs{2}}, {3, Longs{1}}}),
  };
}

// Dimensions of the input, the kernel and the output: batch or outgoing channels, channels, spatial ones.
struct Layouts {
  Longs input, kernel, output;
};
const Layouts channels_last{{0, 3, 1, 2}, {3, 2, 0, 1}, {0, 3, 1, 2}};
const Layouts channels_first{{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}};
const Layouts mixed{{3, 0, 2, 1}, {1, 3, 2, 0}, {1, 2, 3, 0}};

Row convolution(const std::string& name, Value x, Value w, Value y, const Layouts& at,
                std::vector<LiteOption> windows, int64_t groups = 1) {
  const auto rest = [](const Longs& list) { return Longs(list.begin() + 2, list.end()); };
  std::vector<LiteOption> options{{5, at.input[0]},   {6, at.input[1]},   {7, rest(at.input)},
                                  {8, at.kernel[1]},  {9, at.kernel[0]},  {10, rest(at.kernel)},
                                  {11, at.output[0]}, {12, at.output[1]}, {13, rest(at.output)},
                                  {14, groups},       {15, int64_t{1}}};
  options.insert(options.end(), windows.begin(), windows.end());
  return row("convolution" + name, 171, {std::move(x), std::move(w)}, {std::move(y)}, 4, options);
}

std::vector<Row> stable_convolution_rows() {
  const Value x = spread({1, 4, 5, 2}), w = spread({2, 3, 2, 3}, 2);
  return {
      convolution("", x, w, f({1, 3, 3, 3}, {}), channels_last, {}),
      convolution("_strides", x, w, f({1, 3, 2, 3}, {}), channels_last,
                  {{0, Longs{2, 3}}, {1, Longs{1, 1, 0, 1}}}),
      convolution("_dilated", x, w, f({1, 3, 3, 3}, {}), channels_last,
                  {{1, Longs{1, 0, 1, 1}}, {3, Longs{2, 2}}}),
      convolution("_spread", x, w, f({1, 8, 7, 3}, {}), channels_last,
                  {{1, Longs{1, 1, 0, 0}}, {2, Longs{2, 2}}}),
      convolution("_cut", x, w, f({1, 2, 3, 3}, {}), channels_last, {{1, Longs{-1, 0, 1, -1}}}),
      convolution("_turned", x, w, f({1, 3, 3, 3}, {}), channels_last, {{4, std::string("\1\0", 2)}}),
      convolution("_groups", spread({2, 4, 3, 3}), spread({6, 2, 2, 2}), f({2, 6, 2, 2}, {}), channels_first,
                  {}, 2),
      convolution("_mixed", spread({2, 5, 4, 3}), spread({2, 3, 3, 2}), f({4, 3, 3, 2}, {}), mixed, {}),
  };
}

std::vector<Row> stable_reduce_rows() {
  const Value x = spread({2, 3, 4}, 3), yes = b({2, 3}, {1, 1, 1, 0, 1, 0});
  std::vector<Row> rows;
  const auto add = [&](const std::string& name, int32_t body, const Value& of, const Value& first, Value y,
                       const Longs& dims) {
    Row r = row("reduce_" + name, 174, {of, first}, {std::move(y)}, 6, {{0, dims}, {1, 1}});
    r.body = body;
    rows.push_back(r);
  };
  add("add", 163, x, f({}, {0}), f({2, 4}, {}), {1});
  add("add_first", 163, x, f({}, {1.5}), f({3}, {}), {0, 2});
  add("multiply", 165, x, f({}, {1}), f({2, 3}, {}), {2});
  add("maximum", 166, x, f({}, {-0.25}), f({3, 4}, {}), {0});
  add("minimum", 181, x, f({}, {9}), f({}, {}), {0, 1, 2});
  add("and", 176, yes, b({}, {1}), b({2}, {}), {1});
  add("or", 183, yes, b({}, {0}), b({3}, {}), {0});
  add("or_of_own", 84, yes, b({}, {0}), b({3}, {}), {0});
  Row two =
      row("reduce_two", 174, {spread({2, 3, 4}, 3), i({2, 3, 4}, numbers(24)), f({}, {0.5}), integer(-2)},
          {f({2, 4}, {}), i({2, 4}, {})}, 6, {{0, Longs{1}}, {1, 1}});
  two.graphs = {pairwise({{LiteType::f32, 163}, {LiteType::i32, 166}})};
  rows.push_back(two);
  return rows;
}

std::vector<Row> stable_gather_rows() {
  const Value x = spread({3, 4, 2});
  const auto gathered = [&](const std::string& name, Value first, std::vector<int32_t> result, Longs offset,
                            Longs collapsed, Longs map, int64_t at, Longs sizes) {
    return row("gather" + name, 201, {x, std::move(first)}, {f(std::move(result), {})}, 16,
               {{0, std::move(offset)},
                {1, std::move(collapsed)},
                {2, std::move(map)},
                {3, at},
                {4, std::move(sizes)}});
  };
  return {
      gathered("_rows", i({3}, {2, 0, 7}), {3, 4, 2}, {1, 2}, {0}, {0}, 1, {1, 4, 2}),
      gathered("_columns", i({2, 1}, {3, -1}), {3, 2, 2}, {0, 2}, {1}, {1}, 1, {3, 1, 2}),
      gathered("_elements", i({2, 2}, {1, 2, 3, 0}), {2, 2}, {1}, {0, 1}, {1, 0}, 1, {1, 1, 2}),
      gathered("_windows", i({2, 2, 3}, {0, 2, 1, 0, 2, 1, 1, 9, 0, 3, 0, 1}), {2, 3, 2, 2, 1}, {2, 3, 4}, {},
               {0, 1}, 1, {2, 2, 1}),
      gathered("_one", i({2}, {1, 1}), {2, 2}, {0, 1}, {0}, {0, 2}, 0, {1, 2, 2}),
      gathered("_parts", i({2}, {1, 2}), {3, 2, 1}, {0, 2}, {1}, {1}, 1, {3, 1, 1}),
  };
}

// A sub-graph that gives its second argument.
LiteGraph replacing(LiteType type) {
  LiteGraph g;
  g.input({.name = "x", .type = type});
  g.outputs = {g.input({.name = "y", .type = type})};
  return g;
}

std::vector<Row> stable_scatter_rows() {
  std::vector<Row> rows;
  const auto add = [&](const std::string& name, int32_t body, Value x, Value first, Value updates,
                       const Longs& window, const Longs& inserted, const Longs& map, int64_t at) {
    Value y = x;
    y.numbers.clear();
    Row r = row("scatter" + name, 190, {std::move(x), std::move(first), std::move(updates)}, {std::move(y)},
                7, {{1, window}, {2, inserted}, {3, map}, {4, at}, {6, 1}});
    r.body = body;
    if (body < 0) r.graphs = {replacing(r.inputs[0].type)};
    rows.push_back(r);
  };
  add("_rows", 163, spread({4, 3}), i({3}, {2, 0, 2}), spread({3, 3}, 2), {1}, {0}, {0}, 1);
  add("_outside", 163, spread({4, 3}), i({3, 1}, {4, 1, -1}), spread({3, 3}, 2), {1}, {0}, {0}, 1);
  add("_windows", -1, spread({4, 5}), i({2, 2}, {0, 1, 2, 3}), spread({2, 2, 2}, 3), {1, 2}, {}, {0, 1}, 1);
  add("_cut", -1, spread({4, 5}), i({1, 2}, {3, 4}), spread({1, 2, 2}, 3), {1, 2}, {}, {0, 1}, 1);
  add("_columns", 166, spread({3, 4, 2}), i({2}, {3, 1}), spread({3, 2, 2}, 2), {0, 2}, {1}, {1}, 1);
  add("_elements", 181, spread({3, 4, 2}), i({2, 2}, {1, 2, 2, 0}), spread({2, 2}, 4), {1}, {0, 1}, {1, 0},
      0);
  add("_parts", 165, spread({3, 4}), i({2}, {2, 1}), spread({2, 3}, 2), {1}, {0}, {0}, 1);
  add("_own", 0, i({3, 2}, {1, 2, 3, 4, 5, 6}), i({2}, {1, 1}), i({2, 2}, {10, 20, 30, 40}), {1}, {0}, {0},
      1);
  add("_or", 183, b({3, 2}, {1, 0, 0, 0, 0, 1}), i({2}, {1, 2}), b({2, 2}, {0, 1, 0, 0}), {1}, {0}, {0}, 1);
  Row two = row(
      "scatter_two", 190,
      {spread({4, 3}), i({4, 3}, numbers(12)), i({3}, {2, 0, 2}), spread({3, 3}, 2), i({3, 3}, numbers(9))},
      {f({4, 3}, {}), i({4, 3}, {})}, 7,
      {{1, Longs{1}}, {2, Longs{0}}, {3, Longs{0}}, {4, int64_t{1}}, {6, 1}});
  two.graphs = {pairwise({{LiteType::f32, 163}, {LiteType::i32, -1}})};
  rows.push_back(two);
  return rows;
}

// Compares elements of tensor `key` of so many.
LiteGraph comparator(const std::vector<LiteType>& types, size_t key, bool greater, bool turned, bool own) {
  LiteGraph g;
  std::vector<int32_t> pair;
  for (size_t k = 0; k < types.size(); ++k)
    for (const char* side : {"x", "y"}) {
      const int32_t t = g.input({.name = side + std::to_string(k), .type = types[k]});
      if (k == key) pair.insert(turned ? pair.begin() : pair.end(), t);
    }
  const int32_t result = g.output({.name = "first", .type = LiteType::boolean});
  if (own)
    g.operators.push_back({.code = greater ? 61 : 58, .inputs = pair, .outputs = {result}});
  else
    g.operators.push_back({.code = 191,
                           .inputs = pair,
                           .outputs = {result},
                           .options_type = 8,
                           .options = {{0, greater ? 3 : 5}, {1, 0}},
                           .second_options = true});
  return g;
}

// Of two integers and a float: by the first one, and where it is equal by the second one, the greatest first.
// As (less or (equal and greater)), or (equal ? greater : less).
LiteGraph by_two_keys(bool selects) {
  LiteGraph g;
  std::vector<int32_t> x;
  for (const LiteType type : {LiteType::i32, LiteType::i32, LiteType::f32})
    for (const char* side : {"x", "y"})
      x.push_back(g.input({.name = side + std::to_string(x.size()), .type = type}));
  const auto truth = [&](const char* name) { return g.tensor({.name = name, .type = LiteType::boolean}); };
  const auto compare = [&](int direction, int32_t a, int32_t b, const char* name) {
    const int32_t y = truth(name);
    g.operators.push_back({.code = 191,
                           .inputs = {a, b},
                           .outputs = {y},
                           .options_type = 8,
                           .options = {{0, direction}, {1, 0}},
                           .second_options = true});
    return y;
  };
  const int32_t less = compare(5, x[0], x[1], "less"), equal = compare(0, x[1], x[0], "equal"),
                greater = compare(5, x[3], x[2], "greater");
  const int32_t first = g.output({.name = "first", .type = LiteType::boolean});
  if (selects) {
    g.operators.push_back({.code = 187, .inputs = {equal, greater, less}, .outputs = {first}});
    return g;
  }
  const int32_t both = truth("both");
  g.operators.push_back({.code = 176, .inputs = {equal, greater}, .outputs = {both}});
  g.operators.push_back({.code = 183, .inputs = {both, less}, .outputs = {first}});
  return g;
}

std::vector<Row> stable_sort_rows() {
  std::vector<Row> rows;
  const auto add = [&](const std::string& name, const std::vector<Value>& x, int64_t axis, bool stable,
                       LiteGraph compare) {
    std::vector<Value> y = x;
    for (Value& v : y) v.numbers.clear();
    Row r = row("sort" + name, 199, x, y, 14, {{0, axis}, {1, stable}, {2, 1}});
    r.graphs = {std::move(compare)};
    rows.push_back(r);
  };
  const auto f32 = LiteType::f32, i32 = LiteType::i32;
  const Value keys = i({2, 4}, {3, 1, 3, 2, 7, 7, 0, 7});
  add("", {spread({2, 5})}, 1, false, comparator({f32}, 0, false, false, false));
  add("_greatest", {spread({3, 2, 2})}, 0, false, comparator({f32}, 0, false, true, false));
  add("_by_keys", {spread({2, 4}), keys}, 1, true, comparator({f32, i32}, 1, true, false, true));
  add("_first_of_three", {keys, spread({2, 4}), i({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7})}, 1, true,
      comparator({i32, f32, i32}, 0, false, false, true));
  const Value second = i({2, 4}, {0, 4, 2, 1, 5, 6, 9, 5});
  add("_two_keys", {keys, second, spread({2, 4})}, 1, true, by_two_keys(false));
  add("_two_keys_selected", {keys, second, spread({2, 4})}, 1, true, by_two_keys(true));
  return rows;
}

// One of three sub-graphs by its number; any other stands for the last one.
std::vector<Row> stable_case_rows() {
  std::vector<Row> rows;
  const std::vector<std::pair<std::string, int>> all{
      {"first", 0}, {"second", 1}, {"last", 2}, {"beyond", 3}, {"negative", -1}};
  for (const auto& [name, number] : all) {
    Row r = row("case_" + name, 209, {integer(number), spread({2, 3}, 3)}, {f({2, 3}, {})}, 23,
                {{0, std::vector<int32_t>{1, 2, 3}}});
    for (const int32_t code : {182, 175, 189}) {  // negate, abs, tanh
      LiteGraph& g = r.graphs.emplace_back();
      const int32_t x = g.input({.name = "x", .dims = {2, 3}}), y = g.output({.name = "y", .dims = {2, 3}});
      g.operators = {{.code = code, .inputs = {x}, .outputs = {y}}};
    }
    rows.push_back(r);
  }
  return rows;
}

std::vector<Row> stable_window_rows() {
  std::vector<Row> rows;
  const auto add = [&](const std::string& name, int32_t body, const Value& x, const Value& first, Value y,
                       std::vector<LiteOption> options) {
    options.emplace_back(LiteOption{5, 1});
    Row r = row("window_" + name, 198, {x, first}, {std::move(y)}, 13, std::move(options));
    r.body = body;
    rows.push_back(r);
  };
  const Value x = spread({1, 4, 5, 2}), least = f({}, {-INFINITY});
  const Longs two{1, 2, 2, 1};
  add("maximum", 166, x, least, f({1, 2, 3, 2}, {}),
      {{0, two}, {1, two}, {4, Longs{0, 0, 0, 0, 0, 1, 0, 0}}});
  add("maximum_first", 166, x, f({}, {0.3}), f({1, 3, 4, 2}, {}), {{0, two}});
  add("add", 163, x, f({}, {0}), f({1, 4, 3, 2}, {}),
      {{0, two}, {1, Longs{1, 1, 2, 1}}, {4, Longs{0, 0, 1, 0, 1, 0, 0, 0}}});
  add("add_first", 163, x, f({}, {0.5}), f({1, 4, 5, 2}, {}), {{0, two}, {4, Longs{0, 0, 1, 0, 1, 0, 0, 0}}});
  add("running", 163, spread({2, 7}), f({}, {0}), f({2, 7}, {}), {{0, Longs{1, 7}}, {4, Longs{0, 0, 6, 0}}});
  add("minimum", 181, spread({8, 3}), f({}, {9}), f({3, 3}, {}),
      {{0, Longs{2, 1}}, {1, Longs{2, 1}}, {3, Longs{3, 1}}});
  add("multiply", 165, spread({3, 3}, 3), f({}, {1}), f({4, 3}, {}),
      {{0, Longs{2, 2}}, {2, Longs{2, 1}}, {4, Longs{0, 0, 1, 0}}});
  add("cut", 166, spread({2, 6}), least, f({1, 4}, {}), {{0, Longs{2, 2}}, {4, Longs{0, 0, -1, 0}}});
  add("integers", 163, i({6}, {1, 2, 3, 4, 5, 6}), i({}, {10}), i({2}, {}), {{0, Longs{3}}, {1, Longs{2}}});
  add("and", 176, b({2, 3}, {1, 1, 1, 0, 1, 1}), b({}, {1}), b({2, 2}, {}), {{0, Longs{1, 2}}});

  const auto own = [&](const std::string& name, int32_t function, const Value& of, const Value& first,
                       Value y, std::vector<double> sizes, std::vector<double> strides,
                       std::vector<double> dilations) {
    const auto longs = [](std::vector<double> list) {
      const auto count = static_cast<int32_t>(list.size());
      return Value{LiteType::i64, {count}, std::move(list)};
    };
    rows.push_back(
        row("window_own_" + name, 205,
            {of, first, longs(std::move(sizes)), longs(std::move(strides)), longs(std::move(dilations))},
            {std::move(y)}, 20, {{0, function}}));
  };
  own("maximum", 4, x, least, f({1, 2, 2, 2}, {}), {1, 2, 2, 1}, {1, 2, 2, 1}, {1, 1, 1, 1});
  own("add", 1, spread({5, 4}), f({}, {1}), f({3, 2}, {}), {2, 2}, {1, 1}, {2, 2});
  own("any", 6, b({2, 3}, {1, 0, 0, 0, 0, 0}), b({}, {0}), b({2, 2}, {}), {1, 2}, {1, 1}, {1, 1});
  return rows;
}

}  // namespace

std::vector<Row> stablehlo_rows() {
  std::vector<Row> rows;
  for (const auto& part :
       {stable_unary_rows(), stable_binary_rows(), stable_shape_rows(), stable_convolution_rows(),
        stable_reduce_rows(), stable_gather_rows(), stable_scatter_rows(), stable_sort_rows(),
        stable_case_rows(), stable_window_rows()})
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

}  // namespace mo::test::lite_rows
