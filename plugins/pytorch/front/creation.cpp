// New tensors: filled, counted, triangles; copies and conversions.
#include "support/values.hpp"

#include <mo/extract.hpp>

#include <cmath>

namespace mo::pytorch {

namespace creation {

static OutPort filled(const Call& c, const OutPort& value, const OutPort& sizes) {
  const auto known = c.known(sizes);
  return known && known->empty() ? value : c.b.broadcast(value, sizes);
}
static OutPort number(const Call& c, double v) {
  return c.b.constant(Tensor::filled(c.b.context(), c.result_type(), {v}, {}));
}

// `empty` has any values: zeros.
template <int Value>
static Ports of_size(const Call& c) {
  return {filled(c, number(c, Value), c.sizes("size"))};
}
template <int Value>
static Ports like_other(const Call& c) {
  return {filled(c, number(c, Value), c.b.shape_of(c.tensor("self")))};
}
static Ports full(const Call& c) {
  return {filled(c, c.scalar("fill_value", c.result_type()), c.sizes("size"))};
}
static Ports full_like(const Call& c) {
  return {filled(c, c.scalar("fill_value", c.result_type()), c.b.shape_of(c.tensor("self")))};
}
static Ports fill(const Call& c) {
  const OutPort x = c.tensor("self");
  return {filled(c, c.b.reshape(c.as("value", x.type()), Ints{}), c.b.shape_of(x))};
}
static Ports copy(const Call& c) {
  const OutPort x = c.tensor("self");
  return {filled(c, as_type(c, c.tensor("src"), x.type()), c.b.shape_of(x))};
}
static Ports scalar_tensor(const Call& c) { return {c.scalar("s", c.result_type())}; }

// Of numbers that are known torch computes the count in f64, and each element from its place.
template <bool Inclusive>
static Ports counting(const Call& c) {
  const ElementType type = c.result_type();
  const bool by_place = is_float(type);
  const bool has_start = c.is_given("start"), has_step = c.is_given("step");
  if (!by_place && !Inclusive) {
    const auto as_integer = [&](std::string_view name, int64_t fallback) {
      return c.is_given(name)
                 ? c.b.reshape(c.b.convert(c.scalar(name, ElementType::i64), ElementType::i64), Ints{})
                 : c.b.integer(fallback);
    };
    const Node n =
        c.b.node("Range", "opset4", {as_integer("start", 0), as_integer("end", 0), as_integer("step", 1)});
    return {n.set("output_type", ElementType::i64).out_port()};
  }
  const double start = has_start ? c.number("start") : 0, step = has_step ? c.number("step") : 1;
  require(step != 0, "argument 'step' is 0");
  const double steps = (c.number("end") - start) / step;
  const double count = Inclusive ? std::floor(steps) + 1 : std::ceil(steps);
  require(count >= 0 && count < 0x1p31, "it would have ", count, " elements");
  std::vector<double> all(static_cast<size_t>(count));
  for (size_t i = 0; i < all.size(); ++i) all[i] = start + static_cast<double>(i) * step;
  return {c.b.constant(Tensor::filled(c.b.context(), type, all, {static_cast<int64_t>(all.size())}))};
}

// Both halves count from their own end.
static Ports evenly_spaced(const Call& c) {
  const auto steps = c.integer("steps");
  const double start = c.number("start"), end = c.number("end");
  require(steps >= 0 && steps < int64_t{1} << 31, "argument 'steps' is ", steps);
  const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
  std::vector<double> all(static_cast<size_t>(steps));
  for (int64_t i = 0; i < steps; ++i)
    all[static_cast<size_t>(i)] = i < steps / 2 || steps == 1
                                      ? start + step * static_cast<double>(i)
                                      : end - step * static_cast<double>(steps - i - 1);
  return {c.b.constant(Tensor::filled(c.b.context(), c.result_type(), all, {steps}))};
}

// Of ends that are computed, by the same halves.
static Ports evenly_spaced_between(const Call& c) {
  const auto steps = c.integer("steps");
  require(steps >= 0 && steps < int64_t{1} << 24, "argument 'steps' is ", steps);
  const ElementType type = is_float(c.result_type()) ? c.result_type() : ElementType::f32;
  const OutPort start = c.b.reshape(c.as("start", type), Ints{1}),
                end = c.b.reshape(c.as("end", type), Ints{1});
  std::vector<double> places(static_cast<size_t>(steps)), firsts(places.size());
  for (int64_t i = 0; i < steps; ++i) {
    const bool first = i < steps / 2 || steps == 1;
    firsts[static_cast<size_t>(i)] = first ? 1 : 0;
    places[static_cast<size_t>(i)] = static_cast<double>(first ? i : i - steps + 1);
  }
  const OutPort first = c.b.constant(Tensor::filled(c.b.context(), ElementType::boolean, firsts, {steps}));
  const OutPort step = c.b.divide(c.b.subtract(end, start),
                                  c.like(start, static_cast<double>(std::max<int64_t>(steps - 1, 1))));
  const OutPort along = c.b.multiply(step, c.b.like(start, places, {steps}));
  return {c.b.add(c.b.select(first, start, end), along)};
}

// Powers of the base at even steps.
static Ports powers(const Call& c) {
  const auto steps = c.integer("steps");
  const double start = c.number("start"), end = c.number("end"), base = c.number("base", 10);
  require(steps >= 0 && steps < int64_t{1} << 31, "argument 'steps' is ", steps);
  std::vector<double> all(static_cast<size_t>(steps));
  for (int64_t i = 0; i < steps; ++i) {
    const double share = steps > 1 ? static_cast<double>(i) / static_cast<double>(steps - 1) : 0;
    all[static_cast<size_t>(i)] = std::pow(base, start + (end - start) * share);
  }
  return {c.b.constant(Tensor::filled(c.b.context(), c.result_type(), all, {steps}))};
}

static Ports eye(const Call& c) {
  const OutPort rows = c.size("n"), columns = c.is_given("m") ? c.size("m") : rows;
  const Node n = c.b.node("Eye", "opset9", {rows, columns, c.b.integer(0)});
  // There is none of booleans.
  const ElementType type = c.result_type();
  if (type != ElementType::boolean) return {n.set("output_type", type).out_port()};
  return {c.b.convert(n.set("output_type", ElementType::u8).out_port(), type)};
}

// Kept are columns from row + diagonal on, or up to it.
template <Name Comparison>
static Ports triangle(const Call& c) {
  const OutPort x = c.tensor("self");
  const OutPort rows = c.b.add(c.b.unsqueeze(count_to(c, size_of(c, x, -2)), c.b.list({1})),
                               c.is_given("diagonal") ? c.size("diagonal") : c.b.integer(0));
  const OutPort kept = c.op1(Comparison, {count_to(c, size_of(c, x, -1)), rows});
  if (x.type() == ElementType::boolean) return {c.op1("LogicalAnd", {x, kept})};
  return {c.b.select(kept, x, c.like(x, 0))};
}

template <bool Upper>
static Ports triangle_places(const Call& c) {
  const auto rows = c.integer("row"), columns = c.integer("col"), offset = c.integer("offset", 0);
  require(rows >= 0 && columns >= 0 && rows < 1 << 15 && columns < 1 << 15, "arguments 'row' and 'col' are ",
          rows, " and ", columns, ", expected 0 to 32767");
  std::vector<double> down, across;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      if (Upper ? j - i >= offset : j - i <= offset) {
        down.push_back(static_cast<double>(i));
        across.push_back(static_cast<double>(j));
      }
  const auto count = static_cast<int64_t>(down.size());
  down.insert(down.end(), across.begin(), across.end());
  return {c.b.constant(Tensor::filled(c.b.context(), c.result_type(), down, {2, count}))};
}

static Ports one_hot(const Call& c) {
  const auto classes = c.integer("num_classes", -1);
  require(classes > 0, "argument 'num_classes' is ", classes,
          ": how many classes there are depends on the values; give the number when exporting");
  const OutPort index = c.b.convert(c.tensor("self"), ElementType::i64);
  const Node n = c.b.node("OneHot", "opset1", {index, c.b.integer(classes), c.b.integer(1), c.b.integer(0)});
  return {n.set("axis", -1).out_port()};
}

// Memory formats, devices and copies do not matter. Of complex numbers the real part is taken.
static Ports converted(const Call& c) {
  const std::string_view name = c.is_given("a") ? "a" : "self";
  const OutPort x = c.tensor(name);
  if (c.is_complex(name) == c.result_is_complex(0)) return {as_type(c, x, c.result_type())};
  if (c.is_complex(name)) return {as_type(c, gather(c, x, c.b.integer(0), -1), c.result_type())};
  const OutPort real = c.b.unsqueeze(as_type(c, x, c.result_type()), c.b.list({-1}));
  return {c.b.concat({real, c.b.multiply(real, c.like(real, 0))}, -1)};
}

static Ports dropped(const Call& c) {
  require(!c.flag(c.is_given("train") ? "train" : "training", false) || c.number("p", 0.5) == 0,
          "dropout draws random numbers in training; export the model after eval()");
  return {c.tensor(c.is_given("self") ? "self" : "input")};
}
static Ports dropped_with_mask(const Call& c) {
  const OutPort x = c.tensor("input");
  require(!c.flag("train", false) || c.number("p") == 0,
          "dropout draws random numbers in training; export the model after eval()");
  const OutPort mask = c.b.constant(Tensor::filled(c.b.context(), ElementType::boolean, {1}, {}));
  return {x, c.b.broadcast(mask, c.b.shape_of(x))};
}

}  // namespace creation

void register_creation(Registry& r) {
  using namespace creation;
  convert<of_size<0>>(r,
                      "aten.zeros.default aten.zeros.names aten.empty.memory_format aten.empty.names "
                      "aten.empty_permuted.default aten.empty_strided.default aten.new_zeros.default "
                      "aten.new_empty.default aten.new_empty_strided.default",
                      "zeros(size)", "Broadcast(0, size)");
  convert<of_size<1>>(r, "aten.ones.default aten.ones.names aten.new_ones.default", "ones(size)",
                      "Broadcast(1, size)");
  convert<like_other<0>>(r, "aten.zeros_like.default aten.empty_like.default aten.zero.default",
                         "zeros_like(x)", "Broadcast(0, ShapeOf(x))");
  convert<like_other<1>>(r, "aten.ones_like.default", "ones_like(x)", "Broadcast(1, ShapeOf(x))");
  convert<full>(r, "aten.full.default aten.full.names aten.new_full.default", "full(size, value)",
                "Broadcast(value, size)");
  convert<full_like>(r, "aten.full_like.default", "full_like(x, value)", "Broadcast(value, ShapeOf(x))");
  convert<fill>(r, "aten.fill.Scalar aten.fill.Tensor", "fill(x, value)", "Broadcast(value, ShapeOf(x))");
  convert<copy>(r, "aten.copy.default", "copy(x, src)", "Broadcast(Convert(src), ShapeOf(x))");
  convert<scalar_tensor>(r, "aten.scalar_tensor.default", "scalar_tensor(s)", "s");
  convert<counting<true>>(r, "aten.range.default aten.range.step", "range(start, end, step)", "Const");
  convert<counting<false>>(r, "aten.arange.default aten.arange.start aten.arange.start_step",
                           "arange(start, end, step)", "Range-4(start, end, step)");
  convert<evenly_spaced>(r, "aten.linspace.default", "linspace(start, end, steps)", "Const");
  convert<evenly_spaced_between>(
      r, "aten.linspace.Tensor_Tensor aten.linspace.Tensor_Scalar aten.linspace.Scalar_Tensor",
      "linspace(start, end, steps) of tensors", "Add(start, Multiply(step, places))");
  convert<powers>(r, "aten.logspace.default", "logspace(start, end, steps, base)", "Const");
  convert<eye>(r, "aten.eye.default aten.eye.m", "eye(n, m)", "Eye-9(n, m)");
  convert<triangle<"LessEqual">>(r, "aten.tril.default", "tril(x, diagonal)",
                                 "Select(LessEqual(column, Add(row, diagonal)), x, 0)");
  convert<triangle<"GreaterEqual">>(r, "aten.triu.default", "triu(x, diagonal)",
                                    "Select(GreaterEqual(column, Add(row, diagonal)), x, 0)");
  convert<triangle_places<false>>(r, "aten.tril_indices.default", "tril_indices(row, col, offset)", "Const");
  convert<triangle_places<true>>(r, "aten.triu_indices.default", "triu_indices(row, col, offset)", "Const");
  convert<one_hot>(r, "aten.one_hot.default", "one_hot(x, num_classes)", "OneHot(x, num_classes)");
  convert<converted>(
      r,
      "aten.to.dtype aten.to.dtype_layout aten.to.device aten.to.other aten._to_copy.default "
      "aten.type_as.default aten.float.default aten.double.default aten.half.default "
      "aten.int.default aten.long.default aten.bool.default prims.convert_element_type.default",
      "to(x, dtype)", "Convert(x)");
  convert<dropped>(r,
                   "aten.dropout.default aten.alpha_dropout.default aten.feature_dropout.default "
                   "aten.feature_alpha_dropout.default",
                   "dropout(x)", "x");
  convert<dropped_with_mask>(r, "aten.native_dropout.default", "native_dropout(x)", "x, true everywhere");
}

}  // namespace mo::pytorch
