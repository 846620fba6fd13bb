// Operators that torch writes with others of its own.
#include "support/values.hpp"

#include <cmath>

namespace mo::pytorch {

namespace composites {

constexpr double pi = 3.14159265358979323846;

static Ports ravel(const Call& c) { return {flat(c, c.tensor("self"))}; }

// Rows with rows: the last dimensions of both are summed.
static Ports inner(const Call& c) {
  const OutPort x = c.tensor("self"), y = c.tensor("other");
  const size_t rank_x = c.rank(x), rank_y = c.rank(y);
  if (rank_x == 0 || rank_y == 0) return {c.b.multiply(x, y)};
  const OutPort shape_x = c.b.shape_of(x), shape_y = c.b.shape_of(y);
  const OutPort left = c.b.reshape(x, c.b.concat({c.b.list({-1}), c.b.part(shape_x, -1, INT64_MAX)}));
  const OutPort right = c.b.reshape(y, c.b.concat({c.b.list({-1}), c.b.part(shape_y, -1, INT64_MAX)}));
  const OutPort z = c.b.matmul(left, right, false, true);
  if (rank_x == 1 && rank_y == 1) return {c.b.squeeze(z, {0, 1})};
  Ports sizes;
  if (rank_x > 1) sizes.push_back(c.b.part(shape_x, INT64_MIN, -1));
  if (rank_y > 1) sizes.push_back(c.b.part(shape_y, INT64_MIN, -1));
  return {c.b.reshape(z, c.b.concat(sizes))};
}

static Ports vector_dot(const Call& c) {
  const auto [x, y] = c.promoted("x", "y");
  return {c.b.reduce("ReduceSum", c.b.multiply(x, y), c.b.list({c.integer("dim", -1)}), false)};
}

static OutPort square_size(const Call& c, const OutPort& x) {
  return c.op1("Minimum", {size_of(c, x, 0), size_of(c, x, 1)});
}
// Elements along the diagonal of a matrix laid out flat.
static OutPort main_diagonal(const Call& c, const OutPort& x) {
  const OutPort step = c.b.add(size_of(c, x, 1), c.b.integer(1));
  return gather(c, flat(c, x), c.b.multiply(count_to(c, square_size(c, x)), step), 0);
}
static Ports trace(const Call& c) {
  return {c.b.reduce("ReduceSum", main_diagonal(c, c.tensor("self")), c.b.list({0}), false)};
}

template <int Axis>
static Ports split_along(const Call& c) {
  const OutPort x = c.tensor("self");
  // Vectors are split along their one dimension by hsplit.
  const int64_t axis = Axis == 1 && c.rank(x) == 1 ? 0 : Axis;
  const auto count = static_cast<int64_t>(c.result_count());
  if (c.is_given("sections")) return count == 1 ? Ports{x} : c.b.split(x, axis, count);
  Ports parts;
  int64_t from = 0;
  Ints ends = c.ints("indices");
  ends.push_back(INT64_MAX);
  for (const int64_t end : ends) {
    parts.push_back(slice(c, x, axis, from, end));
    from = end;
  }
  return parts;
}

// Of vectors those of vector_norm, of matrices the root of the sum of squares.
static Ports linear_norm(const Call& c) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const OutPort x = as_float(c, c.tensor("self"));
  const auto order = c.find_number("ord");
  const Ints axes = c.axes("dim", c.rank(x));
  require(!order || axes.size() == 1, "norms of matrices are supported without argument 'ord' only");
  const bool keep = c.flag("keepdim", false);
  const auto over = [&](std::string_view type, const OutPort& v) {
    return c.b.reduce(type, v, c.b.list(axes), keep);
  };
  const double p = order.value_or(2);
  if (p == 2) return {over("ReduceL2", x)};
  if (p == 1) return {over("ReduceL1", x)};
  const OutPort size = c.op1("Abs", {x});
  if (p == infinity) return {over("ReduceMax", size)};
  if (p == -infinity) return {over("ReduceMin", size)};
  require(p != 0, "argument 'ord' is 0, which counts; use count_nonzero");
  return {c.op1("Power", {over("ReduceSum", c.op1("Power", {size, c.like(size, p)})), c.like(x, 1 / p)})};
}

// Places of a grid from -1 to 1, the innermost dimension first, and a 1, times the matrices.
static Ports affine_grid(const Call& c) {
  const OutPort theta = c.tensor("theta"), sizes = c.sizes("size");
  const bool corners = c.flag("align_corners", false);
  const auto spatial = static_cast<int64_t>(c.dim(sizes, 0)) - 2;
  require(spatial == 2 || spatial == 3, "argument 'size' has ", spatial + 2, " entries, expected 4 or 5");
  Ports parts;
  const OutPort extents = c.b.part(sizes, 2, INT64_MAX);
  for (int64_t d = spatial - 1; d >= 0; --d) {
    const OutPort n = as_scalar(c, c.b.part(sizes, d + 2, d + 3)), size = c.b.convert(n, ElementType::f32);
    OutPort places = c.b.convert(count_to(c, n), ElementType::f32);
    if (corners) {
      const OutPort steps = c.op1("Maximum", {c.b.subtract(size, c.b.number(1)), c.b.number(1)});
      places = c.b.subtract(c.b.divide(c.b.multiply(places, c.b.number(2)), steps), c.b.number(1));
      // A single place is at 0.
      places = c.b.select(c.op1("Equal", {size, c.b.number(1)}), c.b.multiply(places, c.b.number(0)), places);
    } else {
      const OutPort middle = c.b.add(c.b.multiply(places, c.b.number(2)), c.b.number(1));
      places = c.b.subtract(c.b.divide(middle, size), c.b.number(1));
    }
    Ints dims(static_cast<size_t>(spatial - d) + 1, 1);
    dims[0] = -1;
    parts.push_back(c.b.broadcast(c.b.reshape(places, dims), c.b.concat({extents, c.b.list({1})})));
  }
  parts.push_back(c.b.broadcast(c.b.number(1), c.b.concat({extents, c.b.list({1})})));
  const OutPort base = c.b.reshape(c.convert_like(c.b.concat(parts, -1), theta), Ints{-1, spatial + 1});
  const OutPort grid = c.b.matmul(base, theta, false, true);
  return {c.b.reshape(grid, c.b.concat({c.b.part(sizes, 0, 1), extents, c.b.list({spatial})}))};
}

// Between the neighbours of a place among the sorted elements.
static Ports quantile(const Call& c) {
  OutPort x = c.tensor("self");
  const bool all = !c.is_given("dim");
  const size_t rank = c.rank(x);
  if (all || rank == 0) x = flat(c, x);
  const size_t axis = all || rank == 0 ? 0 : c.axis("dim", 0, rank);
  const auto how = c.word("interpolation", "linear");
  require(how == "linear" || how == "lower" || how == "higher" || how == "nearest" || how == "midpoint",
          "argument 'interpolation' is '", how, "'");
  const Node n = c.b.node("TopK", "opset11", {x, size_of(c, x, static_cast<int64_t>(axis))}, 2);
  n.set("axis", static_cast<int64_t>(axis)).set("mode", "min").set("sort", "value").set("stable", false);
  n.set("index_element_type", ElementType::i64);
  const OutPort sorted = moved(c, n.out_port(0), axis, c.rank(x) - 1);
  const OutPort q = c.as("q", x.type());
  const OutPort last =
      c.convert_like(c.b.subtract(size_of(c, x, static_cast<int64_t>(axis)), c.b.integer(1)), x);
  OutPort at = c.b.multiply(q, last);
  if (how == "nearest") at = c.b.node("Round", "opset5", {at}).set("mode", "half_to_even").out_port();
  const OutPort low = c.op1("Floor", {at}), high = c.op1("Ceiling", {at});
  const auto value = [&](const OutPort& place) {
    return gather(c, sorted, c.b.convert(place, ElementType::i64), -1);
  };
  OutPort y;
  if (how == "lower" || how == "nearest") {
    y = value(low);
  } else if (how == "higher") {
    y = value(high);
  } else {
    const OutPort share = how == "linear" ? c.b.subtract(at, low) : c.like(x, 0.5);
    y = c.b.add(value(low), c.b.multiply(c.b.subtract(value(high), value(low)), share));
  }
  // Several places are the first dimension.
  const bool list = c.rank(q) == 1;
  if (list) y = moved(c, y, c.rank(y) - 1, 0);
  if (c.flag("keepdim", false)) {
    Ints ones;
    if (all)
      for (size_t i = 0; i < rank; ++i) ones.push_back(static_cast<int64_t>(i + (list ? 1 : 0)));
    else if (rank != 0)
      ones.push_back(static_cast<int64_t>(axis + (list ? 1 : 0)));
    if (!ones.empty()) y = c.b.unsqueeze(y, c.b.list(ones));
  }
  return {y};
}

// Raised cosines: first - second * cos(2 pi i / n) + third * cos(4 pi i / n).
static Ports window(const Call& c, double first, double second, double third) {
  const auto size = c.integer("window_length");
  require(size >= 0 && size < int64_t{1} << 24, "argument 'window_length' is ", size);
  const bool periodic = c.flag("periodic", true);
  const double n = static_cast<double>(periodic ? size : size - 1);
  std::vector<double> all(static_cast<size_t>(size), 1.0);
  for (size_t i = 0; i < all.size() && size > 1; ++i) {
    const double turn = 2 * pi * static_cast<double>(i) / n;
    all[i] = first - second * std::cos(turn) + third * std::cos(2 * turn);
  }
  return {c.b.constant(Tensor::filled(c.b.context(), c.result_type(), all, {size}))};
}
static Ports hann(const Call& c) { return window(c, 0.5, 0.5, 0); }
static Ports hamming(const Call& c) { return window(c, c.number("alpha", 0.54), c.number("beta", 0.46), 0); }
static Ports blackman(const Call& c) { return window(c, 0.42, 0.5, 0.08); }

// The share of a normal distribution below x.
static Ports normal_share(const Call& c) {
  const OutPort x = as_float(c, c.tensor("self"));
  const OutPort e = c.op1("Erf", {c.b.multiply(x, c.like(x, std::sqrt(0.5)))});
  return {c.b.multiply(c.b.add(e, c.like(x, 1)), c.like(x, 0.5))};
}

// Values in ascending order, and for each element which one it is.
static Ports unique(const Call& c) {
  const OutPort x = c.tensor("self");
  Ports inputs{c.is_given("dim") ? x : flat(c, x)};
  if (c.is_given("dim")) inputs.push_back(c.b.integer(c.integer("dim")));
  const Node n = c.b.node("Unique", "opset10", inputs, 4);
  n.set("sorted", true)
      .set("index_element_type", ElementType::i64)
      .set("count_element_type", ElementType::i64);
  const OutPort places = c.is_given("dim") ? n.out_port(2) : c.b.reshape(n.out_port(2), c.b.shape_of(x));
  return {n.out_port(0), places, n.out_port(3)};
}

// How often each number is met.
static Ports count_numbers(const Call& c) {
  const OutPort x = c.b.convert(c.tensor("self"), ElementType::i64), weights = c.find_tensor("weights");
  const OutPort most =
      c.b.add(c.b.reduce("ReduceMax", c.b.concat({x, c.b.list({-1})}), c.b.list({0}), true), c.b.list({1}));
  const OutPort size = c.op1("Maximum", {most, c.b.list({c.integer("minlength", 0)})});
  const OutPort each = weights ? weights : c.b.broadcast(c.b.integer(1), c.b.shape_of(x));
  const Node n = c.b.node("ScatterElementsUpdate", "opset12",
                          {c.b.broadcast(c.like(each, 0), size), x, each, c.b.integer(0)});
  return {n.set("reduction", "sum").set("use_init_val", true).out_port()};
}

// Matrices along the diagonal of a greater one, zeros elsewhere.
static Ports block_diagonal(const Call& c) {
  Ports blocks = c.tensors("tensors");
  int64_t width = 0, left = 0;
  Ints widths;
  for (OutPort& m : blocks) {
    require(c.rank(m) <= 2, "a block has rank ", c.rank(m), ", expected 2 or less");
    if (c.rank(m) < 2) m = c.b.unsqueeze(m, c.b.list(c.rank(m) == 1 ? Ints{0} : Ints{0, 1}));
    m = as_type(c, m, c.result_type());
    widths.push_back(c.dim(m, 1));
    require(widths.back() < int64_t{1} << 31 && blocks.size() < 1 << 20, "a block has ", widths.back(),
            " columns");
    width += widths.back();
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    const int64_t right = width - left - widths[i];
    blocks[i] = c.b.pad(blocks[i], c.b.list({0, left}), c.b.list({0, right}), c.like(blocks[i], 0));
    left += widths[i];
  }
  return {blocks.size() == 1 ? blocks[0] : c.b.concat(blocks, 0)};
}

// All ways to take one element of each list.
static Ports cartesian_product(const Call& c) {
  const Ports lists = c.tensors("tensors");
  if (lists.size() == 1) return {lists[0]};
  Ports sizes, columns;
  for (const OutPort& x : lists) sizes.push_back(c.b.shape_of(x));
  const OutPort grid = c.b.concat(sizes);
  for (size_t i = 0; i < lists.size(); ++i) {
    Ints dims(lists.size(), 1);
    dims[i] = -1;
    columns.push_back(c.b.reshape(c.b.broadcast(c.b.reshape(lists[i], dims), grid), Ints{-1, 1}));
  }
  return {c.b.concat(columns, 1)};
}

// All ways to take r elements of a list, in its order.
static Ports combinations(const Call& c) {
  const OutPort x = c.tensor("self");
  const int64_t size = c.dim(x, 0), taken = c.integer("r", 2);
  const bool again = c.flag("with_replacement", false);
  require(taken >= 0 && taken <= 8, "argument 'r' is ", taken, ", expected 0 to 8");
  Ints chosen;
  int64_t rows = 0;
  Ints at;
  for (int64_t i = 0; i < taken; ++i) at.push_back(again ? 0 : i);
  // A row counts up from its last element that has somewhere to go.
  for (bool more = again ? size > 0 : size >= taken; more;) {
    chosen.insert(chosen.end(), at.begin(), at.end());
    require(++rows < 1 << 20, "there are too many ways to take ", taken, " of ", size, " elements");
    int64_t k = taken - 1;
    while (k >= 0 && at[static_cast<size_t>(k)] == (again ? size - 1 : size - taken + k)) --k;
    more = k >= 0;
    if (!more) break;
    const int64_t next = at[static_cast<size_t>(k)] + 1;
    for (int64_t i = k; i < taken; ++i) at[static_cast<size_t>(i)] = again ? next : next + i - k;
  }
  return {gather(c, x, c.b.reshape(c.b.list(chosen), Ints{rows, taken}), 0)};
}

}  // namespace composites

void register_composites(Registry& r) {
  convert<composites::ravel>(r, "aten.ravel.default", "ravel(x)", "Reshape(x, -1)");
  convert<composites::inner>(r, "aten.inner.default", "inner(x, y)",
                             "Reshape(MatMul(Reshape(x), Reshape(y)))");
  convert<composites::vector_dot>(r, "aten.linalg_vecdot.default", "linalg_vecdot(x, y, dim)",
                                  "ReduceSum(Multiply(x, y))");
  convert<composites::trace>(r, "aten.trace.default", "trace(x)", "ReduceSum(Gather(Reshape(x), places))");
  convert<composites::split_along<1>>(r, "aten.hsplit.int aten.hsplit.array", "hsplit(x)",
                                      "Split(x), or Slice-8(x)");
  convert<composites::split_along<0>>(r, "aten.vsplit.int aten.vsplit.array", "vsplit(x)",
                                      "Split(x), or Slice-8(x)");
  convert<composites::split_along<2>>(r, "aten.dsplit.int aten.dsplit.array", "dsplit(x)",
                                      "Split(x), or Slice-8(x)");
  convert<composites::linear_norm>(r, "aten.linalg_norm.default", "linalg_norm(x, ord, dim)",
                                   "ReduceL2(x), ReduceL1(x) or ReduceMax(Abs(x))");
  convert<composites::affine_grid>(r, "aten.affine_grid_generator.default",
                                   "affine_grid_generator(theta, size)", "Reshape(MatMul(places, theta))");
  convert<composites::quantile>(r, "aten.quantile.default aten.quantile.scalar", "quantile(x, q, dim)",
                                "Gather(TopK-11(x, size), Floor(place)) and its neighbour");
  convert<composites::hann>(r, "aten.hann_window.default aten.hann_window.periodic", "hann_window(size)",
                            "Const");
  convert<composites::hamming>(
      r,
      "aten.hamming_window.default aten.hamming_window.periodic aten.hamming_window.periodic_alpha "
      "aten.hamming_window.periodic_alpha_beta",
      "hamming_window(size)", "Const");
  convert<composites::blackman>(r, "aten.blackman_window.default aten.blackman_window.periodic",
                                "blackman_window(size)", "Const");
  convert<composites::normal_share>(r, "aten.special_ndtr.default", "special_ndtr(x)",
                                    "Multiply(Add(Erf(x / sqrt(2)), 1), 0.5)");
  convert<composites::unique>(r, "aten._unique2.default aten.unique_dim.default", "unique(x)",
                              "Unique-10(x)");
  convert<composites::block_diagonal>(r, "aten.block_diag.default", "block_diag(tensors)",
                                      "Concat(Pad(x), …)");
  convert<composites::cartesian_product>(r, "aten.cartesian_prod.default", "cartesian_prod(tensors)",
                                         "Concat(Broadcast(Reshape(x)), …)");
  convert<composites::combinations>(r, "aten.combinations.default", "combinations(x, r)",
                                    "Gather(x, places)");
  convert<composites::count_numbers>(r, "aten.bincount.default", "bincount(x)",
                                     "ScatterElementsUpdate-12(0, x, 1), sums");
}

}  // namespace mo::pytorch
