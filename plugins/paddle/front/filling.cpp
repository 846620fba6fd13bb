// Tensors of one value, ranges, diagonals and triangles.
#include "support/operator.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace filling {

static ElementType wanted(const Op& o, ElementType fallback = ElementType::f32) {
  if (const auto type = o.type("dtype")) return *type;
  const ElementType stated = o.stated_type();
  return stated == ElementType::unknown ? fallback : stated;
}

static OutPort scalar(const Op& o, ElementType type, double value) {
  return o.constant(Tensor::filled(o.context(), type, {value}, {}));
}

static Ports full(const Op& o) {
  const ElementType type = wanted(o);
  double value = o.real("value", 0);
  if (const std::string written = o.word("str_value", ""); !written.empty())
    value = std::strtod(written.c_str(), nullptr);
  const OutPort fill =
      o.has("ValueTensor") ? o.convert(o.as_scalar(o.in("ValueTensor")), type) : scalar(o, type, value);
  return {o.broadcast(fill, o.sizes("ShapeTensor ShapeTensorList", "shape"))};
}

static Ports full_with_tensor(const Op& o) {
  return {o.broadcast(o.convert(o.as_scalar(o.in("0")), wanted(o)), o.sizes("1", "shape"))};
}

static Ports full_like(const Op& o) {
  const OutPort x = o.in("0 X");
  const ElementType type = wanted(o, o.type_of(x));
  const bool is_zero = o.node().native_op() == "fill_zeros_like";
  const auto value = is_zero ? 0.0 : o.known_real("1", "value");
  const OutPort fill = value ? scalar(o, type, *value) : o.convert(o.as_scalar(o.in("1")), type);
  return {o.broadcast(fill, o.shape_of(x))};
}

// A shape in which one size is that of another tensor.
static Ports full_batch_size_like(const Op& o) {
  const OutPort x = o.in("0 Input");
  const ElementType type = wanted(o);
  const Ints shape = o.ints("shape");
  const int64_t to = o.integer("output_dim_idx", 0), from = o.axis(x, o.integer("input_dim_idx", 0));
  require(to >= 0 && to < static_cast<int64_t>(shape.size()), "attribute 'output_dim_idx' is ", to, " of ",
          shape);
  Ports dims;
  for (size_t i = 0; i < shape.size(); ++i)
    dims.push_back(static_cast<int64_t>(i) == to ? o.dim(x, from) : o.list({shape[i]}));
  const std::string written = o.word("str_value", "");
  const double value = written.empty() ? o.real("value", 0) : std::strtod(written.c_str(), nullptr);
  const OutPort fill = o.has("1") ? o.convert(o.as_scalar(o.in("1")), type) : scalar(o, type, value);
  return {o.broadcast(fill, o.concat(dims))};
}

static Ports range(const Op& o) {
  const ElementType type = wanted(o, o.type_of(o.in("0 Start")));
  const auto end = [&](std::string_view slots) { return o.convert(o.as_scalar(o.in(slots)), type); };
  const Node n = o.node("Range", "opset4", {end("0 Start"), end("1 End"), end("2 Step")});
  return {n.set("output_type", type).out_port()};
}

static Ports linspace(const Op& o) {
  const ElementType type = wanted(o);
  const auto number = [&](std::string_view slots) {
    return o.convert(o.as_scalar(o.in(slots)), ElementType::f32);
  };
  const OutPort start = number("0 Start"), stop = number("1 Stop"), count = number("2 Num");
  const OutPort steps = o.op1("Maximum", {o.plus(count, -1), o.number(1)});
  const OutPort at = o.convert(o.iota(o.as_scalar(o.in("2 Num"))), ElementType::f32);
  return {o.convert(o.add(start, o.divide(o.multiply(o.subtract(stop, start), at), steps)), type)};
}

static Ports eye(const Op& o) {
  const auto size = [&](std::string_view slot, std::string_view name) {
    return o.has(slot) ? o.as_scalar(o.convert(o.in(slot), ElementType::i64))
                       : o.integer(o.integer(name, -1));
  };
  const OutPort rows = size("0", "num_rows");
  const auto columns = o.known("1", "num_columns");
  const OutPort second =
      columns && columns->size() == 1 && columns->front() == -1 ? rows : size("1", "num_columns");
  const Node n = o.node("Eye", "opset9", {rows, second, o.integer(0)});
  return {n.set("output_type", wanted(o)).out_port()};
}

// j - i of all places of a matrix.
static OutPort differences(const Op& o, const OutPort& rows, const OutPort& columns) {
  return o.subtract(o.unsqueezed(o.iota(columns), {0}), o.unsqueezed(o.iota(rows), {1}));
}

static OutPort triangle(const Op& o, bool lower) {
  const OutPort x = o.in("0 X");
  const OutPort off = differences(o, o.dim(x, -2), o.dim(x, -1));
  const OutPort kept =
      o.op1(lower ? "LessEqual" : "GreaterEqual", {off, o.integer(o.integer("diagonal", 0))});
  return o.select(kept, x, o.like(x, 0));
}
static Ports tril(const Op& o) { return {triangle(o, true)}; }
static Ports triu(const Op& o) { return {triangle(o, false)}; }
static Ports tril_triu(const Op& o) { return {triangle(o, o.flag("lower", true))}; }

template <bool Lower>
static Ports indices(const Op& o) {
  const int64_t rows = o.integer("rows row", 0), columns = o.integer("cols col", 0),
                offset = o.integer("offset", 0);
  require(rows >= 0 && columns >= 0 && (columns == 0 || rows <= (int64_t{1} << 24) / columns),
          "it lists places of ", rows, " rows and ", columns, " columns");
  Ints first, second;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < columns; ++k)
      if (Lower ? k - i <= offset : k - i >= offset) {
        first.push_back(i);
        second.push_back(k);
      }
  const auto count = static_cast<int64_t>(first.size());
  first.insert(first.end(), second.begin(), second.end());
  return {o.constant(Tensor::of<int64_t>(o.context(), first, {2, count}))};
}

// The last dimension of x on a diagonal of two dimensions.
static OutPort on_diagonal(const Op& o, const OutPort& x, int64_t offset, const OutPort& around) {
  const int64_t far = std::abs(offset);
  const OutPort size = o.add(o.dim(x, -1), o.list({far}));
  const OutPort places = o.op1("Equal", {differences(o, size, size), o.integer(offset)});
  // Row i has element i of x, or element i + offset; elsewhere any.
  const int64_t rank = o.rank(x);
  Ints before(static_cast<size_t>(rank), 0), after = before;
  (offset < 0 ? before : after).back() = far;
  const OutPort longer = far == 0 ? x : o.pad(x, o.list(before), o.list(after), o.like(x, 0));
  return o.select(places, o.unsqueezed(longer, {rank}), around);
}

// The diagonal of the last two dimensions.
static OutPort of_diagonal(const Op& o, const OutPort& x, int64_t offset) {
  const int64_t rows = o.dim_of(x, -2), columns = o.dim_of(x, -1);
  Ints places;
  const int64_t first_row = std::max<int64_t>(-offset, 0), first_column = std::max<int64_t>(offset, 0);
  for (int64_t i = 0; first_row + i < rows && first_column + i < columns; ++i)
    places.push_back((first_row + i) * columns + first_column + i);
  Ints shape(static_cast<size_t>(o.rank(x)) - 2, 0);
  shape.push_back(-1);
  return o.gather(o.reshape(x, o.list(shape), true), o.list(places), o.rank(x) - 2);
}

static Ports diag(const Op& o) {
  const OutPort x = o.in("0 X");
  const int64_t offset = o.integer("offset", 0);
  if (o.rank(x) == 2) return {of_diagonal(o, x, offset)};
  return {on_diagonal(o, x, offset, o.like(x, o.real("padding_value", 0)))};
}

static Ports diag_embed(const Op& o) {
  const OutPort x = o.in("0 Input");
  const int64_t rank = o.rank(x) + 1;
  const auto axis_of = [&](int64_t a) {
    require(a >= -rank && a < rank, "axis ", a, " of ", rank, " dimensions is asked for");
    return a < 0 ? a + rank : a;
  };
  const int64_t first = axis_of(o.integer("dim1", -2)), second = axis_of(o.integer("dim2", -1));
  require(first != second, "dim1 and dim2 are both ", first);
  const OutPort y = on_diagonal(o, x, o.integer("offset", 0), o.like(x, 0));
  Ints order;
  int64_t next = 0;
  for (int64_t i = 0; i < rank; ++i) order.push_back(i == first ? rank - 2 : i == second ? rank - 1 : next++);
  return {o.transpose(y, order)};
}

static Ports diagonal(const Op& o) {
  const OutPort x = o.in("0 Input");
  const int64_t first = o.axis(x, o.integer("axis1", 0)), second = o.axis(x, o.integer("axis2", 1));
  require(first != second, "axis1 and axis2 are both ", first);
  Ints order;
  for (int64_t i = 0; i < o.rank(x); ++i)
    if (i != first && i != second) order.push_back(i);
  order.insert(order.end(), {first, second});
  return {of_diagonal(o, o.transpose(x, order), o.integer("offset", 0))};
}

static Ports one_hot(const Op& o) {
  OutPort x = o.in("0 X");
  const ElementType type = wanted(o);
  const OutPort depth = o.has("1 depth_tensor")
                            ? o.as_scalar(o.convert(o.in("1 depth_tensor"), ElementType::i64))
                            : o.integer(o.integer("depth", -1));
  const Node n = o.node("OneHot", "opset1", {x, depth, scalar(o, type, 1), scalar(o, type, 0)});
  return {n.set("axis", -1).out_port()};
}

static Ports increment(const Op& o) {
  const OutPort x = o.in("0 X");
  return {o.plus(x, o.real("value step", 1))};
}

}  // namespace filling

void register_filling(Registry& r) {
  using namespace filling;
  convert<full>(r, "full fill_constant", "full(shape, value)", "Broadcast(value, shape)");
  convert<full_with_tensor>(r, "full_with_tensor", "full_with_tensor(value, shape)",
                            "Broadcast(value, shape)");
  convert<full_like>(r, "full_like fill_any_like fill_zeros_like", "full_like(x, value)",
                     "Broadcast(value, ShapeOf(x))");
  convert<full_batch_size_like>(r, "full_batch_size_like fill_constant_batch_size_like",
                                "full_batch_size_like(x)", "Broadcast(value, shape)");
  convert<range>(r, "arange range", "arange(start, end, step)", "Range(start, end, step)");
  convert<linspace>(r, "linspace", "linspace(start, stop, number)", "Add(start, Multiply(Range, step))");
  convert<eye>(r, "eye", "eye(rows, columns)", "Eye(rows, columns, 0)");
  convert<tril>(r, "tril", "tril(x)", "Select(LessEqual(j - i, diagonal), x, 0)");
  convert<triu>(r, "triu", "triu(x)", "Select(GreaterEqual(j - i, diagonal), x, 0)");
  convert<tril_triu>(r, "tril_triu", "tril_triu(x)", "Select(LessEqual(j - i, diagonal), x, 0)");
  convert<indices<true>>(r, "tril_indices", "tril_indices()", "Const");
  convert<indices<false>>(r, "triu_indices", "triu_indices()", "Const");
  convert<diag>(r, "diag diag_v2", "diag(x)", "Select(Equal(j - i, offset), x, value), or Gather(x)");
  convert<diag_embed>(r, "diag_embed", "diag_embed(x)", "Transpose(Select(Equal(j - i, offset), x, 0))");
  convert<diagonal>(r, "diagonal", "diagonal(x)", "Gather(Reshape(Transpose(x)), places)");
  convert<one_hot>(r, "one_hot one_hot_v2", "one_hot(x, classes)", "OneHot(x, classes)");
  convert<increment>(r, "increment", "increment(x)", "Add(x, value)");
}

}  // namespace mo::paddle
