// Operators that torch writes with others of its own.
#include "support/values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
  const OutPort x = as_float(c, c.tensor("self"));
  const auto order = c.find_number("ord");
  const Ints axes = c.axes("dim", c.rank(x));
  require(!order || axes.size() == 1, "norms of matrices are supported without argument 'ord' only");
  require(order != 0, "argument 'ord' is 0, which counts; use count_nonzero");
  return {norm_of(c, x, order.value_or(2), c.b.list(axes), c.flag("keepdim", false))};
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
template <bool SkipsNone>
static Ports quantile(const Call& c) {
  OutPort x = c.tensor("self");
  const OutPort is_number = SkipsNone ? c.op1("Equal", {x, x}) : OutPort();
  // What is no number stands behind all others.
  if (SkipsNone) x = c.b.select(is_number, x, c.like(x, std::numeric_limits<double>::infinity()));
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
  OutPort last = c.convert_like(c.b.subtract(size_of(c, x, static_cast<int64_t>(axis)), c.b.integer(1)), x);
  if (SkipsNone) {  // for each place one of its own
    const OutPort numbers = c.convert_like(all || rank == 0 ? flat(c, is_number) : is_number, x);
    const OutPort count = c.b.reduce("ReduceSum", numbers, c.b.list({static_cast<int64_t>(axis)}), true);
    last = c.b.subtract(moved(c, count, axis, c.rank(x) - 1), c.like(x, 1));
  }
  OutPort at = c.b.multiply(q, last);
  if (how == "nearest") at = c.b.node("Round", "opset5", {at}).set("mode", "half_to_even").out_port();
  const OutPort low = c.op1("Floor", {at}), high = c.op1("Ceiling", {at});
  const auto value = [&](const OutPort& place) {
    if (!SkipsNone) return gather(c, sorted, c.b.convert(place, ElementType::i64), -1);
    const OutPort within = c.b.convert(c.op1("Maximum", {place, c.like(x, 0)}), ElementType::i64);
    const Node taken = c.b.node("GatherElements", "opset6", {sorted, within});
    return taken.set("axis", static_cast<int64_t>(c.rank(x)) - 1).out_port();
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
  const bool list = c.rank(q) == 1;
  if (SkipsNone) {
    y = c.b.select(is_less(c, last, c.like(x, 0)), c.like(x, std::numeric_limits<double>::quiet_NaN()), y);
    if (!list) y = c.b.squeeze(y, {static_cast<int64_t>(c.rank(x)) - 1});
  }
  // Several places are the first dimension.
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

// A window of a function of the place, which runs from 0 to 1.
template <class F>
static Ports window_of(const Call& c, F value) {
  const auto size = c.integer("window_length");
  require(size >= 0 && size < int64_t{1} << 24, "argument 'window_length' is ", size);
  const double n = static_cast<double>(c.flag("periodic", true) ? size : size - 1);
  std::vector<double> all(static_cast<size_t>(size), 1.0);
  for (size_t i = 0; i < all.size() && size > 1; ++i) all[i] = value(static_cast<double>(i) / n);
  return {c.b.constant(Tensor::filled(c.b.context(), c.result_type(), all, {size}))};
}
// Raised cosines: first - second * cos(2 pi i / n) + third * cos(4 pi i / n).
static Ports window(const Call& c, double first, double second, double third) {
  return window_of(c, [=](double place) {
    const double turn = 2 * pi * place;
    return first - second * std::cos(turn) + third * std::cos(2 * turn);
  });
}
static Ports hann(const Call& c) { return window(c, 0.5, 0.5, 0); }
static Ports hamming(const Call& c) { return window(c, c.number("alpha", 0.54), c.number("beta", 0.46), 0); }
static Ports blackman(const Call& c) { return window(c, 0.42, 0.5, 0.08); }
static Ports bartlett(const Call& c) {
  return window_of(c, [](double place) { return 1 - std::abs(2 * place - 1); });
}
// The modified Bessel function of order 0 by its series, (x² / 4)^k / k!².
static double bessel(double x) {
  double sum = 1, term = 1;
  for (double k = 1; term > sum * 1e-17; ++k) {
    term *= x * x / (4 * k * k);
    sum += term;
  }
  return sum;
}
static Ports kaiser(const Call& c) {
  const double beta = c.number("beta", 12);
  require(std::abs(beta) <= 500, "argument 'beta' is ", beta, ", expected 500 or less");
  return window_of(c, [=](double place) {
    const double x = 2 * place - 1;
    return bessel(beta * std::sqrt(std::max(0.0, 1 - x * x))) / bessel(beta);
  });
}

// Areas below the lines from each element to the next.
static OutPort areas(const Call& c, int64_t axis) {
  const ElementType type = c.result_type();
  const OutPort y = as_type(c, c.tensor("y"), type);
  const auto next_to = [&](const OutPort& v, int64_t along, std::string_view op) {
    return c.op1(op, {slice(c, v, along, 1, INT64_MAX), slice(c, v, along, 0, -1)});
  };
  const OutPort both = next_to(y, axis, "Add"), half = c.like(y, 0.5);
  const OutPort x = c.find_tensor("x");
  if (!x) return c.b.multiply(c.b.multiply(both, half), c.is_given("dx") ? c.scalar("dx", y) : c.like(y, 1));
  OutPort step = as_type(c, x, type);
  if (c.rank(x) == 1) {
    Ints dims(c.rank(y) - static_cast<size_t>(axis), 1);
    dims[0] = -1;
    step = c.b.reshape(next_to(step, 0, "Subtract"), dims);
  } else {
    step = next_to(step, axis, "Subtract");
  }
  return c.b.multiply(c.b.multiply(both, half), step);
}
static int64_t axis_of_y(const Call& c) { return static_cast<int64_t>(c.axis("dim", -1, c.rank("y"))); }
static Ports whole_area(const Call& c) {
  const int64_t axis = axis_of_y(c);
  return {c.b.reduce("ReduceSum", areas(c, axis), c.b.list({axis}), false)};
}
static Ports growing_area(const Call& c) {
  const int64_t axis = axis_of_y(c);
  const Node n = c.b.node("CumSum", "opset3", {areas(c, axis), c.b.integer(axis)});
  return {n.set("exclusive", false).set("reverse", false).out_port()};
}

// Vectors of all other dimensions, none longer than maxnorm.
static Ports limited_norm(const Call& c) {
  const OutPort x = c.tensor("self");
  const size_t axis = c.axis("dim", 0, c.rank(x));
  Ints others = counted(c.rank(x));
  others.erase(others.begin() + static_cast<int64_t>(axis));
  const double p = c.number("p"), most = c.number("maxnorm");
  require(p > 0, "argument 'p' is ", p, ", expected more than 0");
  const OutPort norm = norm_of(c, x, p, c.b.list(others), true);
  const OutPort limit = c.like(x, most), longer = c.op1("Greater", {norm, limit});
  const OutPort factor = c.b.divide(limit, c.b.add(norm, c.like(x, 1e-7)));
  return {c.b.multiply(x, c.b.select(longer, factor, c.like(x, 1)))};
}

// Sums over the dimensions that become one, or go away at the front.
static Ports sum_to(const Call& c) {
  const OutPort x = c.tensor("self");
  const Ints sizes = c.ints("size");
  const size_t rank = c.rank(x);
  require(sizes.size() <= rank, "argument 'size' has ", sizes.size(), " entries for ", rank, " dimensions");
  const size_t lead = rank - sizes.size();
  Ints ones;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] == 1) ones.push_back(static_cast<int64_t>(lead + i));
  const OutPort y = ones.empty() ? x : c.b.reduce("ReduceSum", x, c.b.list(ones), true);
  return {lead == 0 ? y : c.b.reduce("ReduceSum", y, c.b.list(counted(lead)), false)};
}

// All of the length of the longest.
static Ports padded_together(const Call& c) {
  Ports all = c.tensors("sequences");
  const bool batch_first = c.flag("batch_first", false);
  const bool left = c.word("padding_side", "right") == "left";
  OutPort longest;
  for (const OutPort& x : all) {
    const OutPort size = c.b.dim(x, 0);
    longest = longest ? c.op1("Maximum", {longest, size}) : size;
  }
  require(static_cast<bool>(longest), "it has no sequences");
  for (OutPort& x : all) {
    const size_t rank = c.rank(x);
    require(rank > 0, "it reads a number without dimensions");
    const OutPort missing = c.b.subtract(longest, c.b.dim(x, 0));
    const OutPort none = c.b.list(Ints(rank, 0));
    const OutPort some = rank == 1 ? missing : c.b.concat({missing, c.b.list(Ints(rank - 1, 0))});
    const OutPort value = c.like(x, c.number("padding_value", 0));
    x = c.b.unsqueeze(c.b.pad(x, left ? some : none, left ? none : some, value),
                      c.b.list({batch_first ? 0 : 1}));
  }
  return {all.size() == 1 ? all[0] : c.b.concat(all, batch_first ? 0 : 1)};
}

// Places of elements that are not 0, so many rows; what is missing is filled.
static Ports places_of_truth(const Call& c) {
  const OutPort x = c.tensor("self");
  const auto rank = static_cast<int64_t>(c.rank(x));
  require(rank > 0, "it reads a number without dimensions");
  const Node n = c.b.node("NonZero", "opset3", {x});
  const OutPort found = c.b.transpose(n.set("output_type", ElementType::i64).out_port(), {1, 0});
  const OutPort size = c.size_list("size");
  const OutPort fill =
      c.b.broadcast(c.b.integer(c.integer("fill_value", -1)), c.b.concat({size, c.b.list({rank})}));
  return {slice(c, c.b.concat({found, fill}, 0), 0, c.b.list({0}), size)};
}

// The first of each row of equal elements, which row each is in, and how long the rows are.
static Ports unique_rows(const Call& c) {
  const OutPort x = c.tensor("self");
  if (c.is_given("dim")) require(c.rank(x) == 1, "argument 'dim' is supported of one dimension only");
  const OutPort all = flat(c, x), count = as_list(c, size_of(c, all, 0));
  const OutPort changes = c.op1("NotEqual", {slice(c, all, 0, 1, INT64_MAX), slice(c, all, 0, 0, -1)});
  // An empty tensor has no first element.
  const OutPort first = c.b.broadcast(c.b.constant(Tensor::scalar<bool>(c.b.context(), true)),
                                      c.op1("Minimum", {count, c.b.list({1})}));
  const OutPort begins = c.b.concat({first, changes});
  const Node found = c.b.node("NonZero", "opset3", {begins});
  const OutPort places = c.b.reshape(found.set("output_type", ElementType::i64).out_port(), Ints{-1});
  const Node sums = c.b.node("CumSum", "opset3", {c.b.convert(begins, ElementType::i64), c.b.integer(0)});
  const OutPort numbers =
      c.b.subtract(sums.set("exclusive", false).set("reverse", false).out_port(), c.b.integer(1));
  const OutPort ends = c.b.concat({slice(c, places, 0, 1, INT64_MAX), count});
  const OutPort kept = slice(c, ends, 0, c.b.list({0}), c.b.shape_of(places));
  return {gather(c, all, places, 0), c.b.reshape(numbers, c.b.shape_of(x)), c.b.subtract(kept, places)};
}

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
  convert<composites::quantile<true>>(r, "aten.nanquantile.default aten.nanquantile.scalar",
                                      "nanquantile(x, q, dim)",
                                      "quantile of the elements that are numbers, by GatherElements");
  convert<composites::quantile<false>>(r, "aten.quantile.default aten.quantile.scalar", "quantile(x, q, dim)",
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
  convert<composites::bartlett>(r, "aten.bartlett_window.default aten.bartlett_window.periodic",
                                "bartlett_window(size)", "Const");
  convert<composites::kaiser>(
      r, "aten.kaiser_window.default aten.kaiser_window.periodic aten.kaiser_window.beta",
      "kaiser_window(size, beta)", "Const");
  convert<composites::whole_area>(r, "aten.trapezoid.x aten.trapezoid.dx aten.trapz.x aten.trapz.dx",
                                  "trapezoid(y, x, dim)",
                                  "ReduceSum(Multiply(Add(y, next y) / 2, next x - x))");
  convert<composites::growing_area>(r, "aten.cumulative_trapezoid.x aten.cumulative_trapezoid.dx",
                                    "cumulative_trapezoid(y, x, dim)",
                                    "CumSum(Multiply(Add(y, next y) / 2, next x - x))");
  convert<composites::limited_norm>(r, "aten.renorm.default", "renorm(x, p, dim, maxnorm)",
                                    "Multiply(x, Select(Greater(norm, maxnorm), maxnorm / norm, 1))");
  convert<composites::sum_to>(r, "aten.sum_to_size.default", "sum_to_size(x, size)", "ReduceSum(x)");
  convert<composites::padded_together>(r, "aten.pad_sequence.default", "pad_sequence(sequences)",
                                       "Concat(Unsqueeze(Pad(x)), …)");
  convert<composites::places_of_truth>(r, "aten.nonzero_static.default",
                                       "nonzero_static(x, size, fill_value)",
                                       "Slice(Concat(Transpose(NonZero(x)), fill_value), 0, size)");
  convert<composites::unique_rows>(r, "aten.unique_consecutive.default", "unique_consecutive(x)",
                                   "Gather(x, NonZero(NotEqual(x, next x)))");
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
