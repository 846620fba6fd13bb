// Tensors of attributes or of a shape alone.
#include "support/items.hpp"
#include "support/numbers.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace making {

// `dtype` by its name or its number; f32 where it is absent.
static ElementType type_of(const SourceNode& n, std::string_view name = "dtype") {
  constexpr std::array names{"float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool"};
  constexpr std::array types{ElementType::f32, ElementType::f64, ElementType::f16, ElementType::u8,
                             ElementType::i32, ElementType::i8,  ElementType::i64, ElementType::boolean};
  const auto v = n.find_native<mo_value>(name);
  if (!v) return ElementType::f32;
  if (v->kind == MO_VALUE_INT && v->u.i == -1) return ElementType::f32;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool same = v->kind == MO_VALUE_STRING
                          ? view(v->u.s) == names[i]
                          : v->kind == MO_VALUE_INT && v->u.i == static_cast<int64_t>(i);
    if (same) return types[i];
  }
  fail("attribute '", name, "' is '", v->kind == MO_VALUE_STRING ? view(v->u.s) : "a number",
       "'; expected float32, float64, float16, uint8, int32, int8, int64 or bool");
}

static OutPort filled(const Build& b, double value, ElementType type, const OutPort& shape) {
  const Node n =
      b.node("Broadcast", "opset3", {b.constant(Tensor::filled(b.context(), type, {value}, {})), shape});
  n.set("mode", "numpy");
  return n.out_port();
}

// 0 is a batch that is not known: 1 stands for it, and what reads it broadcasts.
static OutPort of_shape(const Build& b, const SourceNode& n, double value) {
  Ints dims = ints_of(n, "shape");
  for (int64_t& d : dims)
    if (d <= 0) d = 1;
  return filled(b, value, type_of(n), b.list(dims));
}

static Ports zeros(Build& b, const SourceNode& n) { return {of_shape(b, n, 0)}; }
static Ports ones(Build& b, const SourceNode& n) { return {of_shape(b, n, 1)}; }
static Ports full(Build& b, const SourceNode& n) { return {of_shape(b, n, n.native("value", 0.0))}; }

static OutPort like(const Build& b, double value) {
  const ElementType type = b.in(0).type();
  return filled(b, value, type == ElementType::unknown ? ElementType::f32 : type, b.shape_of(b.in(0)));
}
static Ports zeros_like(Build& b, const SourceNode&) { return {like(b, 0)}; }
static Ports ones_like(Build& b, const SourceNode&) { return {like(b, 1)}; }

static std::vector<double> range(const SourceNode& n) {
  double start = n.native("start", 0.0), step = n.native("step", 1.0);
  const auto stop = n.find_native<double>("stop");
  const double end = stop ? *stop : start;
  if (!stop) start = 0;
  const auto repeat = n.native("repeat", 1);
  const double count = std::ceil((end - start) / step);
  require(step != 0 && count >= 0 && repeat >= 1 && count * static_cast<double>(repeat) <= 1 << 24, "start ",
          start, ", stop ", end, ", step ", step, " and repeat ", repeat, " are no range");
  std::vector<double> values;
  for (int64_t i = 0; i < static_cast<int64_t>(count); ++i)
    values.insert(values.end(), static_cast<size_t>(repeat), start + static_cast<double>(i) * step);
  return values;
}

static Ports arange(Build& b, const SourceNode& n) {
  require(!n.native("infer_range", false), "a range whose end is inferred (infer_range) is not supported");
  const auto values = range(n);
  return {b.constant(Tensor::filled(b.context(), type_of(n), values, {static_cast<int64_t>(values.size())}))};
}

// As many numbers as what it reads has elements, or as its axis is long.
static Ports arange_like(Build& b, const SourceNode& n) {
  require(n.native("repeat", 1) == 1, "repetitions of _contrib_arange_like are not supported");
  const auto axis = n.find_native<int64_t>("axis");
  const OutPort x = b.in(0);
  const OutPort count = axis ? b.reshape(b.dim(x, static_cast<int64_t>(axis_of(b, x, *axis))), b.list({}))
                             : b.reduce("ReduceProd", b.shape_of(x), b.list({0}), false);
  const OutPort places = b.convert(b.range(b.integer(0), count, 1), ElementType::f32);
  const OutPort scaled = multiply(b, places, b.like(places, n.native("step", 1.0)));
  const OutPort all = add(b, scaled, b.like(places, n.native("start", 0.0)));
  return {axis ? all : b.reshape(all, b.shape_of(x))};
}

static Ports shape_array(Build& b, const SourceNode&) { return {b.shape_of(b.in(0))}; }
static Ports size_array(Build& b, const SourceNode&) {
  return {b.reduce("ReduceProd", b.shape_of(b.in(0)), b.list({0}), true)};
}

// Floats become integers without what is after the point.
static Ports cast(Build& b, const SourceNode& n) { return {b.convert(b.in(0), type_of(n))}; }

static Ports cumsum(Build& b, const SourceNode& n) {
  const auto axis = n.find_native<int64_t>("axis");
  OutPort x = axis ? b.in(0) : b.reshape(b.in(0), b.list({-1}));
  if (n.has_native("dtype")) x = b.convert(x, type_of(n));
  const Node c = b.node("CumSum", "opset3", {x, b.integer(axis.value_or(0))});
  c.set("exclusive", false).set("reverse", false);
  return {c.out_port()};
}

static Ports clip(Build& b, const SourceNode& n) {
  const Node c = b.node("Clamp", "opset1", {b.in(0)});
  c.set("min", n.native<double>("a_min")).set("max", n.native<double>("a_max"));
  return {c.out_port()};
}

}  // namespace making

void register_making(Items& items) {
  items.convert<making::zeros>("_zeros _zeros_without_dtype _npi_zeros");
  items.convert<making::ones>("_ones _npi_ones");
  items.convert<making::full>("_full _npi_full");
  items.convert<making::zeros_like>("zeros_like _np_zeros_like");
  items.convert<making::ones_like>("ones_like _np_ones_like");
  items.convert<making::arange>("_arange _npi_arange");
  items.convert<making::arange_like>("_contrib_arange_like");
  items.convert<making::shape_array>("shape_array");
  items.convert<making::size_array>("size_array");
  items.convert<making::cast>("Cast cast amp_cast _npi_cast");
  items.convert<making::cumsum>("_np_cumsum cumsum");
  items.convert<making::clip>("clip _npi_clip");
}

}  // namespace mo::mxnet
