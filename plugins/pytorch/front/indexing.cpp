// Elements by indices: read, written, added.
#include "support/values.hpp"

#include <algorithm>

namespace mo::pytorch {

namespace indexing {

static OutPort as_index(const Call& c, const OutPort& x) { return c.b.convert(x, ElementType::i64); }

static bool is_known_from(const Call& c, const OutPort& x, int64_t least) {
  const auto known = c.known(x);
  return known && std::all_of(known->begin(), known->end(), [&](int64_t i) { return i >= least; });
}

// Numbers, or arange(n) of any shape, to which models add how many tokens there were before.
static bool is_never_negative(const Call& c, OutPort index) {
  for (;;) {
    if (is_known_from(c, index, 0)) return true;
    const Node n = index.node();
    const auto input = [&](size_t i) { return n.in_port(i).get_source(); };
    if (n.is("Range")) return is_known_from(c, input(0), 0) && is_known_from(c, input(2), 1);
    if (!n.is("Unsqueeze") && !n.is("Reshape") && !(n.is("Add") && is_known_from(c, input(1), 0)))
      return false;
    index = input(0);
  }
}

// Operations that write, or read by several indices, do not know those that count from the end.
static OutPort from_start(const Call& c, const OutPort& index, const OutPort& size) {
  if (is_never_negative(c, index)) return index;
  return c.b.select(is_less(c, index, c.b.integer(0)), c.b.add(index, size), index);
}

// Indices of torch: one tensor for each dimension, or none; a mask stands for as many as it has dimensions.
struct Places {
  std::vector<size_t> axes;  // of the dimensions that are indexed, ascending
  Ports indices;             // for each of them, i64 and from the start
  bool adjacent = true;      // then the result has its dimensions where they were
  size_t rank = 0;           // of all indices spread over one another
};

static bool is_mask(const OutPort& x) {
  return x.type() == ElementType::boolean || x.type() == ElementType::u8;
}

static Places places_of(const Call& c, const OutPort& x) {
  Places p;
  size_t axis = 0;
  const size_t rank = c.rank(x);
  for (const OutPort& index : c.optional_tensors("indices")) {
    if (!index) {
      ++axis;
      continue;
    }
    const size_t dims = is_mask(index) ? c.rank(index) : 1;
    require(axis + dims <= rank, "it has more indices than the tensor has dimensions");
    if (!is_mask(index)) {
      p.axes.push_back(axis);
      p.indices.push_back(as_index(c, index));
    } else {
      require(dims > 0, "a mask without dimensions is not supported");
      const Node found = c.b.node("NonZero", "opset3", {index});
      found.set("output_type", ElementType::i64);
      const Ports rows =
          dims == 1 ? Ports{found.out_port()} : c.b.split(found.out_port(), 0, static_cast<int64_t>(dims));
      for (size_t i = 0; i < dims; ++i) {
        p.axes.push_back(axis + i);
        p.indices.push_back(c.b.squeeze(rows[i], {0}));
      }
    }
    axis += dims;
  }
  for (size_t i = 1; i < p.axes.size(); ++i) p.adjacent = p.adjacent && p.axes[i] == p.axes[i - 1] + 1;
  c.b.graph().infer_marked();
  for (const OutPort& i : p.indices) p.rank = std::max(p.rank, c.rank(i));
  return p;
}

// Indexed dimensions in front of the others.
static Ints in_front(const Places& p, size_t rank) {
  Ints order(p.axes.begin(), p.axes.end());
  for (size_t i = 0; i < rank; ++i)
    if (std::find(p.axes.begin(), p.axes.end(), i) == p.axes.end()) order.push_back(static_cast<int64_t>(i));
  return order;
}
static Ints inverse(const Ints& order) {
  Ints back(order.size());
  for (size_t i = 0; i < order.size(); ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return back;
}
static OutPort transposed_by(const Call& c, const OutPort& x, const Ints& order) {
  return std::is_sorted(order.begin(), order.end()) ? x : c.b.transpose(x, order);
}

// [.., k]: for each place its k indices, counted from the start.
static OutPort coordinates(const Call& c, const OutPort& x, const Places& p) {
  Ports all;
  OutPort sum;
  for (size_t i = 0; i < p.indices.size(); ++i) {
    const OutPort size = size_of(c, x, static_cast<int64_t>(p.axes[i]));
    all.push_back(from_start(c, p.indices[i], size));
    const OutPort zeros = c.b.broadcast(c.b.integer(0), c.b.shape_of(all.back()));
    sum = sum ? c.b.add(sum, zeros) : zeros;
  }
  const OutPort shape = c.b.shape_of(sum);
  for (OutPort& i : all) i = c.b.unsqueeze(c.b.broadcast(i, shape), c.b.list({-1}));
  return c.b.concat(all, -1);
}

// Where the dimensions of the indices stand in a result: those in front go to the place of the first one.
static Ints from_front(const Places& p, size_t result_rank) {
  Ints order;
  const size_t before = p.axes.front();
  for (size_t i = 0; i < before; ++i) order.push_back(static_cast<int64_t>(p.rank + i));
  for (size_t i = 0; i < p.rank; ++i) order.push_back(static_cast<int64_t>(i));
  for (size_t i = p.rank + before; i < result_rank; ++i) order.push_back(static_cast<int64_t>(i));
  return order;
}

static OutPort picked(const Call& c, const OutPort& x, const Places& p) {
  if (p.axes.empty()) return x;
  if (p.axes.size() == 1) return gather(c, x, p.indices[0], static_cast<int64_t>(p.axes[0]));
  const size_t rank = c.rank(x);
  const OutPort front = transposed_by(c, x, in_front(p, rank));
  const Node n = c.b.node("GatherND", "opset8", {front, coordinates(c, x, p)});
  n.set("batch_dims", 0);
  const size_t result_rank = p.rank + rank - p.axes.size();
  return p.adjacent ? transposed_by(c, n.out_port(), from_front(p, result_rank)) : n.out_port();
}

static Ports index(const Call& c) {
  const OutPort x = c.tensor("self");
  require(!c.is_complex("self"), "indexing complex numbers is not supported");
  return {picked(c, x, places_of(c, x))};
}

// A mask over the leading dimensions with one number for all places, or none but a mask as large as x.
static OutPort put_by_mask(const Call& c, const OutPort& x) {
  const Ports indices = c.optional_tensors("indices");
  const OutPort values = c.tensor("values");
  const Shape v = values.shape();
  if (indices.size() != 1 || !indices[0] || !is_mask(indices[0]) || !v.has_rank()) return {};
  if (!std::all_of(v.begin(), v.end(), [](const Dim& d) { return d == Dim(1); })) return {};
  OutPort mask = as_truth(c, indices[0]);
  for (size_t i = c.rank(mask); i < c.rank(x); ++i) mask = c.b.unsqueeze(mask, c.b.list({-1}));
  OutPort number = c.convert_like(c.b.reshape(values, Ints{}), x);
  if (c.flag("accumulate", false)) number = c.b.add(x, number);
  return c.b.select(mask, number, x);
}

static Ports index_put(const Call& c) {
  const OutPort x = c.tensor("self");
  require(!c.is_complex("self"), "indexing complex numbers is not supported");
  if (const OutPort y = put_by_mask(c, x)) return {y};
  const Places p = places_of(c, x);
  require(!p.axes.empty(), "it has no indices");
  const bool adds = c.flag("accumulate", false);
  const OutPort values = as_type(c, c.tensor("values"), x.type());
  const size_t rank = c.rank(x), result_rank = p.rank + rank - p.axes.size();
  // The values have, or spread to, the shape of what the indices read.
  const OutPort shape = c.b.shape_of(picked(c, x, p));
  OutPort updates = c.b.broadcast(values, shape);
  if (p.axes.size() == 1 && !adds) {
    const OutPort axis = c.b.integer(static_cast<int64_t>(p.axes[0]));
    const OutPort at = from_start(c, p.indices[0], size_of(c, x, static_cast<int64_t>(p.axes[0])));
    return {c.b.op("ScatterUpdate", "opset3", {x, at, updates, axis})};
  }
  if (p.adjacent) updates = transposed_by(c, updates, inverse(from_front(p, result_rank)));
  const Ints order = in_front(p, rank);
  const Node n = c.b.node("ScatterNDUpdate", adds ? "opset15" : "opset4",
                          {transposed_by(c, x, order), coordinates(c, x, p), updates});
  if (adds) n.set("reduction", "sum");
  return {transposed_by(c, n.out_port(), inverse(order))};
}

static int64_t axis_of(const Call& c) { return static_cast<int64_t>(c.axis("dim", 0, c.rank("self"))); }

// A number is looked at as a list of one.
static OutPort with_dims(const Call& c, const OutPort& x) {
  return c.rank(x) == 0 ? c.b.reshape(x, Ints{1}) : x;
}
static OutPort as_self(const Call& c, const OutPort& y) {
  return c.rank("self") == 0 ? c.b.reshape(y, Ints{}) : y;
}

static Ports index_select(const Call& c) {
  const OutPort x = with_dims(c, c.tensor("self"));
  return {as_self(c, gather(c, x, with_dims(c, as_index(c, c.tensor("index"))), axis_of(c)))};
}

static OutPort indices_along(const Call& c, const OutPort& x) {
  return from_start(c, with_dims(c, as_index(c, c.tensor("index"))), size_of(c, x, axis_of(c)));
}
static OutPort shape_with(const Call& c, const OutPort& x, const OutPort& index) {
  const OutPort shape = c.b.shape_of(x);
  const int64_t axis = axis_of(c), rank = static_cast<int64_t>(c.rank(x));
  Ports parts;
  if (axis > 0) parts.push_back(c.b.part(shape, 0, axis));
  parts.push_back(c.b.dim(index, 0));
  if (axis + 1 < rank) parts.push_back(c.b.part(shape, axis + 1, rank));
  return c.b.concat(parts);
}

static Ports index_copy(const Call& c) {
  const OutPort x = with_dims(c, c.tensor("self")), index = indices_along(c, x);
  const OutPort source = c.b.reshape(c.tensor("source"), shape_with(c, x, index));
  return {as_self(c, c.b.op("ScatterUpdate", "opset3", {x, index, source, c.b.integer(axis_of(c))}))};
}

static Ports index_fill(const Call& c) {
  const OutPort x = with_dims(c, c.tensor("self")), index = indices_along(c, x);
  const OutPort filled = c.b.broadcast(c.as("value", x.type()), shape_with(c, x, index));
  return {as_self(c, c.b.op("ScatterUpdate", "opset3", {x, index, filled, c.b.integer(axis_of(c))}))};
}

static OutPort scattered(const Call& c, const OutPort& x, const OutPort& index, const OutPort& updates,
                         std::string_view reduction, bool keeps = true) {
  const Node n = c.b.node("ScatterElementsUpdate", reduction == "none" ? "opset3" : "opset12",
                          {x, index, updates, c.b.integer(axis_of(c))});
  if (reduction != "none") n.set("reduction", std::string(reduction)).set("use_init_val", keeps);
  return n.out_port();
}

// Places count over all elements, from the end where they are negative.
static Ports put(const Call& c) {
  const OutPort x = c.tensor("self"), all = flat(c, x), index = flat(c, c.tensor("index"));
  const OutPort size = c.convert_like(size_of(c, all, 0), index);
  const OutPort places = c.op1("FloorMod", {index, size}),
                source = flat(c, as_type(c, c.tensor("source"), x.type()));
  const bool adds = c.flag("accumulate", false);
  const Node n =
      c.b.node("ScatterElementsUpdate", adds ? "opset12" : "opset3", {all, places, source, c.b.integer(0)});
  if (adds) n.set("reduction", "sum").set("use_init_val", true);
  return {c.b.reshape(n.out_port(), c.b.shape_of(x))};
}

static std::string reduction_of(const Call& c) {
  const auto how = c.word("reduce");
  if (how == "amax") return "max";
  if (how == "amin") return "min";
  if (how == "add") return "sum";
  if (how == "multiply") return "prod";
  require(how == "sum" || how == "prod" || how == "mean", "argument 'reduce' is '", how,
          "', expected sum, prod, mean, amax or amin");
  return how;
}

// Along the dimension the same place for all of a slice.
static OutPort spread_index(const Call& c, const OutPort& index, const OutPort& source) {
  Ints dims(c.rank(source), 1);
  dims[static_cast<size_t>(axis_of(c))] = -1;
  return c.b.broadcast(c.b.reshape(index, dims), c.b.shape_of(source));
}
static Ports index_add(const Call& c) {
  const OutPort x = with_dims(c, c.tensor("self")), index = indices_along(c, x);
  OutPort source = c.convert_like(with_dims(c, c.tensor("source")), x);
  if (c.number("alpha", 1) != 1) source = c.b.multiply(source, c.scalar("alpha", source));
  return {as_self(c, scattered(c, x, spread_index(c, index, source), source, "sum"))};
}
static Ports index_reduce(const Call& c) {
  const OutPort x = with_dims(c, c.tensor("self")), index = indices_along(c, x);
  const OutPort source = with_dims(c, c.tensor("source"));
  return {as_self(c, scattered(c, x, spread_index(c, index, source), source, reduction_of(c),
                               c.flag("include_self", true)))};
}

// As much of x as there are indices in the dimensions other than `axis` (or in all).
static OutPort part_like(const Call& c, OutPort x, const OutPort& index, int64_t except) {
  const Shape have = x.shape(), want = index.shape();
  for (size_t i = 0; i < have.size(); ++i) {
    const auto a = static_cast<int64_t>(i);
    if (a == except || have[i] == want[i]) continue;
    // Sizes with bounds that are not numbers are taken as they come.
    x = slice(c, x, a, c.b.list({0}), c.b.dim(index, a));
  }
  return x;
}

static Ports gather_elements(const Call& c) {
  const OutPort x = with_dims(c, c.tensor("self")), index = with_dims(c, as_index(c, c.tensor("index")));
  const int64_t axis = axis_of(c);
  const Node n = c.b.node("GatherElements", "opset6", {part_like(c, x, index, axis), index});
  n.set("axis", axis);
  return {c.rank("index") == 0 ? c.b.reshape(n.out_port(), Ints{}) : n.out_port()};
}

static Ports take_along(const Call& c) {
  const OutPort x = c.tensor("self");
  if (!c.is_given("dim")) {
    const OutPort index = flat(c, as_index(c, c.tensor("indices")));
    const OutPort all = flat(c, x);
    return {gather(c, all, index, 0)};
  }
  const int64_t axis = axis_of(c);
  // Other dimensions spread over one another.
  OutPort index = as_index(c, c.tensor("indices"));
  const OutPort ones = c.b.list({1});
  const auto with_one = [&](const OutPort& shape) {
    return c.b.op("ScatterUpdate", "opset3", {shape, c.b.list({axis}), ones, c.b.integer(0)});
  };
  const OutPort data = c.b.broadcast(x, with_one(c.b.shape_of(index)), "bidirectional");
  index = c.b.broadcast(index, with_one(c.b.shape_of(x)), "bidirectional");
  index = from_start(c, index, size_of(c, x, axis));
  const Node n = c.b.node("GatherElements", "opset6", {data, index});
  return {n.set("axis", axis).out_port()};
}
static Ports take(const Call& c) {
  return {gather(c, flat(c, c.tensor("self")), as_index(c, c.tensor("index")), 0)};
}

template <bool Adds>
static Ports scatter(const Call& c) {
  const OutPort x = with_dims(c, c.tensor("self")), index = with_dims(c, as_index(c, c.tensor("index")));
  OutPort updates;
  if (c.is_given("src"))
    updates = part_like(c, c.convert_like(with_dims(c, c.tensor("src")), x), index, -1);
  else
    updates = c.b.broadcast(c.as("value", x.type()), c.b.shape_of(index));
  const std::string how = Adds ? "sum" : c.is_given("reduce") ? reduction_of(c) : "none";
  return {as_self(c, scattered(c, x, index, updates, how, c.flag("include_self", true)))};
}

static Ports masked_select(const Call& c) {
  const OutPort x = c.tensor("self"), mask = as_truth(c, c.tensor("mask"));
  const OutPort zeros = c.b.convert(mask, ElementType::i64);
  const OutPort all = c.b.broadcast(x, c.b.shape_of(mask), "bidirectional");
  const OutPort chosen = c.b.broadcast(zeros, c.b.shape_of(x), "bidirectional");
  const Node places = c.b.node("NonZero", "opset3", {flat(c, chosen)});
  places.set("output_type", ElementType::i64);
  return {gather(c, flat(c, all), c.b.squeeze(places.out_port(), {0}), 0)};
}

// The elements of the source, in their order, where the mask is true.
static Ports masked_scatter(const Call& c) {
  const OutPort x = c.tensor("self"), mask = as_truth(c, c.tensor("mask"));
  const OutPort shape = c.b.shape_of(x);
  const OutPort chosen = flat(c, c.b.broadcast(c.b.convert(mask, ElementType::i64), shape));
  const Node sums = c.b.node("CumSum", "opset3", {chosen, c.b.integer(0)});
  sums.set("exclusive", true).set("reverse", false);
  const OutPort source = flat(c, c.convert_like(c.tensor("source"), x));
  // Behind the last one that is taken places may lie beyond the source.
  const OutPort last = c.b.subtract(size_of(c, source, 0), c.b.integer(1));
  const OutPort taken = gather(c, source, c.op1("Minimum", {sums.out_port(), last}), 0);
  const OutPort y = c.b.select(c.op1("Equal", {chosen, c.b.integer(1)}), taken, flat(c, x));
  return {c.b.reshape(y, shape)};
}

static OutPort places_of_truth(const Call& c, const OutPort& x) {
  return c.b.node("NonZero", "opset3", {x}).set("output_type", ElementType::i64).out_port();
}
static Ports nonzero(const Call& c) {
  const OutPort x = c.tensor("self");
  require(c.rank(x) > 0, "the places of a number without dimensions are not supported");
  return {c.b.transpose(places_of_truth(c, x), {1, 0})};
}
static Ports nonzero_lists(const Call& c) {
  const OutPort x = c.tensor(c.is_given("condition") ? "condition" : "self");
  const auto rank = static_cast<int64_t>(c.rank(x));
  require(rank > 0, "the places of a number without dimensions are not supported");
  const OutPort all = places_of_truth(c, x);
  Ports lists = rank == 1 ? Ports{all} : c.b.split(all, 0, rank);
  for (OutPort& l : lists) l = c.b.squeeze(l, {0});
  return lists;
}

// Slices of a copy of x that are replaced.
static Ports select_scatter(const Call& c) {
  const OutPort x = c.tensor("self");
  const int64_t axis = axis_of(c);
  const OutPort at = from_start(c, c.size_list("index"), c.b.dim(x, axis));
  const OutPort src = c.b.unsqueeze(c.convert_like(c.tensor("src"), x), c.b.list({axis}));
  return {c.b.op("ScatterUpdate", "opset3", {x, at, src, c.b.integer(axis)})};
}
static Ports slice_scatter(const Call& c) {
  const OutPort x = c.tensor("self");
  const int64_t axis = axis_of(c);
  const OutPort begin = c.is_given("start") ? c.size_list("start") : c.b.list({0});
  const OutPort end = c.is_given("end") ? c.size_list("end") : c.b.list({INT64_MAX});
  const auto step = c.integer("step", 1);
  const OutPort src = c.convert_like(c.tensor("src"), x);
  const Shape s = x.shape(), part = src.shape();
  const auto a = static_cast<size_t>(axis);
  if (step == 1 && s[a].is_static() && part[a] == s[a]) return {c.b.broadcast(src, c.b.shape_of(x))};
  const OutPort places = slice(c, count_to(c, size_of(c, x, axis)), 0, begin, end, step);
  return {c.b.op("ScatterUpdate", "opset3", {x, places, src, c.b.integer(axis)})};
}

// Rows and columns of a diagonal in the last two dimensions, as places in a matrix laid out flat.
static OutPort diagonal_places(const Call& c, const OutPort& rows, const OutPort& columns, int64_t offset) {
  const OutPort zero = c.b.integer(0), shift = c.b.integer(offset);
  const OutPort down = offset < 0 ? c.b.add(rows, shift) : rows;
  const OutPort across = offset > 0 ? c.b.subtract(columns, shift) : columns;
  const OutPort count = c.op1("Maximum", {c.op1("Minimum", {down, across}), zero});
  const OutPort first = offset >= 0 ? shift : c.b.multiply(c.b.integer(-offset), columns);
  return c.b.add(c.b.multiply(count_to(c, count), c.b.add(columns, c.b.integer(1))), first);
}

struct Diagonal {
  Ints order;  // dim1 and dim2 last
  OutPort shape, flat, places;
};
static Diagonal diagonal_of(const Call& c, const OutPort& x, int64_t first = 0, int64_t second = 1) {
  const size_t rank = c.rank(x);
  const size_t d1 = c.axis("dim1", first, rank), d2 = c.axis("dim2", second, rank);
  require(rank >= 2 && d1 != d2, "arguments 'dim1' and 'dim2' are ", d1, " and ", d2);
  Diagonal d;
  for (size_t i = 0; i < rank; ++i)
    if (i != d1 && i != d2) d.order.push_back(static_cast<int64_t>(i));
  d.order.push_back(static_cast<int64_t>(d1));
  d.order.push_back(static_cast<int64_t>(d2));
  const OutPort y = transposed_by(c, x, d.order);
  d.shape = c.b.shape_of(y);
  d.flat = c.b.reshape(
      y, rank == 2 ? c.b.list({-1}) : c.b.concat({c.b.part(d.shape, INT64_MIN, -2), c.b.list({-1})}));
  d.places =
      diagonal_places(c, size_of(c, x, static_cast<int64_t>(d1)), size_of(c, x, static_cast<int64_t>(d2)),
                      c.integer(c.is_given("diagonal") ? "diagonal" : "offset", 0));
  return d;
}
static Ports elements_of(const Call& c, const Diagonal& d) {
  return {gather(c, d.flat, d.places, static_cast<int64_t>(d.order.size()) - 2)};
}
static Ports diagonal(const Call& c) { return elements_of(c, diagonal_of(c, c.tensor("self"))); }
static Ports last_diagonal(const Call& c) { return elements_of(c, diagonal_of(c, c.tensor("A"), -2, -1)); }
static Ports diagonal_scatter(const Call& c) {
  const OutPort x = c.tensor("self");
  const Diagonal d = diagonal_of(c, x);
  const auto axis = static_cast<int64_t>(d.order.size()) - 2;
  const OutPort src = c.convert_like(c.tensor("src"), x);
  const OutPort y = c.b.op("ScatterUpdate", "opset3", {d.flat, d.places, src, c.b.integer(axis)});
  return {transposed_by(c, c.b.reshape(y, d.shape), inverse(d.order))};
}

// The last dimension becomes the diagonal of matrices of zeros.
static OutPort embedded(const Call& c, const OutPort& x, int64_t offset) {
  const size_t rank = c.rank(x);
  require(rank >= 1, "it reads a number without dimensions");
  const size_t d1 = c.axis("dim1", -2, rank + 1), d2 = c.axis("dim2", -1, rank + 1);
  const OutPort size = c.b.add(size_of(c, x, -1), c.b.integer(std::abs(offset)));
  const OutPort line = c.b.multiply(size, size);
  const OutPort places = diagonal_places(c, size, size, offset);
  const OutPort lead = rank == 1 ? OutPort() : c.b.part(c.b.shape_of(x), INT64_MIN, -1);
  const auto with_lead = [&](const OutPort& rest) { return lead ? c.b.concat({lead, rest}) : rest; };
  const OutPort zeros = c.b.broadcast(c.like(x, 0), with_lead(as_list(c, line)));
  const OutPort y =
      c.b.op("ScatterUpdate", "opset3", {zeros, places, x, c.b.integer(static_cast<int64_t>(rank) - 1)});
  const OutPort both = as_list(c, size);
  const OutPort matrices = c.b.reshape(y, with_lead(c.b.concat({both, both})));
  Ints order;
  int64_t next = 0;
  for (size_t i = 0; i < rank + 1; ++i)
    order.push_back(i == d1 ? static_cast<int64_t>(rank) - 1 : i == d2 ? static_cast<int64_t>(rank) : next++);
  return transposed_by(c, matrices, order);
}
static Ports diagonal_embed(const Call& c) { return {embedded(c, c.tensor("self"), c.integer("offset", 0))}; }
// A vector becomes a matrix, and a matrix its diagonal.
static Ports either_diagonal(const Call& c) {
  const OutPort x = c.tensor("self");
  return c.rank(x) == 1 ? Ports{embedded(c, x, c.integer("diagonal", 0))} : elements_of(c, diagonal_of(c, x));
}
static Ports flat_embed(const Call& c) {
  return {embedded(c, flat(c, c.tensor("self")), c.integer("offset", 0))};
}

static Ports strided_scatter(const Call& c) {
  const OutPort x = c.tensor("self"), shape = c.b.shape_of(x);
  const Ints steps = c.ints("stride");
  const OutPort sizes = c.sizes("size");
  OutPort places = c.is_given("storage_offset") ? c.size("storage_offset") : c.b.integer(0);
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const OutPort size = as_scalar(c, c.b.part(sizes, at, at + 1));
    Ints dims(steps.size() - i, 1);
    dims[0] = -1;
    const OutPort along = c.b.multiply(count_to(c, size), c.b.integer(steps[i]));
    places = c.b.add(places, c.b.reshape(along, dims));
  }
  const OutPort src = flat(c, c.convert_like(c.tensor("src"), x));
  const OutPort y = c.b.op("ScatterUpdate", "opset3", {flat(c, x), flat(c, places), src, c.b.integer(0)});
  return {c.b.reshape(y, shape)};
}

}  // namespace indexing

void register_indexing(Registry& r) {
  using namespace indexing;
  convert<index>(r, "aten.index.Tensor aten._unsafe_index.Tensor", "index(x, indices)",
                 "Gather(x, index), or GatherND-8(Transpose(x), indices)");
  convert<index_put>(
      r, "aten.index_put.default aten._unsafe_index_put.default aten._index_put_impl.default",
      "index_put(x, indices, values)",
      "ScatterUpdate(x, index, values), ScatterNDUpdate(Transpose(x), indices, values) or Select");
  convert<index_select>(r, "aten.index_select.default", "index_select(x, dim, index)", "Gather(x, index)");
  convert<index_copy>(r, "aten.index_copy.default", "index_copy(x, dim, index, source)",
                      "ScatterUpdate(x, index, source)");
  convert<index_fill>(r, "aten.index_fill.int_Scalar aten.index_fill.int_Tensor",
                      "index_fill(x, dim, index, value)", "ScatterUpdate(x, index, Broadcast(value))");
  convert<index_add>(r, "aten.index_add.default", "index_add(x, dim, index, source)",
                     "ScatterElementsUpdate-12(x, Broadcast(index), source), sums");
  convert<index_reduce>(r, "aten.index_reduce.default", "index_reduce(x, dim, index, source, reduce)",
                        "ScatterElementsUpdate-12(x, Broadcast(index), source)");
  convert<gather_elements>(r, "aten.gather.default", "gather(x, dim, index)", "GatherElements(x, index)");
  convert<take_along>(r, "aten.take_along_dim.default", "take_along_dim(x, indices, dim)",
                      "GatherElements(Broadcast(x), Broadcast(indices))");
  convert<put>(r, "aten.put.default", "put(x, index, source)",
               "ScatterElementsUpdate(Reshape(x), index, source)");
  convert<take>(r, "aten.take.default", "take(x, index)", "Gather(Reshape(x), index)");
  convert<scatter<false>>(r,
                          "aten.scatter.src aten.scatter.value aten.scatter.reduce aten.scatter.value_reduce "
                          "aten.scatter_reduce.two",
                          "scatter(x, dim, index, src)", "ScatterElementsUpdate(x, index, src)");
  convert<scatter<true>>(r, "aten.scatter_add.default", "scatter_add(x, dim, index, src)",
                         "ScatterElementsUpdate-12(x, index, src), sums");
  convert<masked_select>(r, "aten.masked_select.default", "masked_select(x, mask)",
                         "Gather(Reshape(x), NonZero(mask))");
  convert<masked_scatter>(r, "aten.masked_scatter.default", "masked_scatter(x, mask, source)",
                          "Select(mask, Gather(source, CumSum(mask)), x)");
  convert<nonzero>(r, "aten.nonzero.default aten.argwhere.default", "nonzero(x)", "Transpose(NonZero(x))");
  convert<nonzero_lists>(r, "aten.where.default aten.nonzero_numpy.default", "where(x)",
                         "Squeeze of each Split(NonZero(x))");
  convert<select_scatter>(r, "aten.select_scatter.default", "select_scatter(x, src, dim, index)",
                          "ScatterUpdate(x, index, Unsqueeze(src))");
  convert<slice_scatter>(r, "aten.slice_scatter.default", "slice_scatter(x, src, dim, start, end, step)",
                         "ScatterUpdate(x, Slice-8(Range), src)");
  convert<diagonal>(r, "aten.diagonal.default aten.diagonal_copy.default", "diagonal(x, offset, dim1, dim2)",
                    "Gather(Reshape(Transpose(x)), places)");
  convert<diagonal_scatter>(r, "aten.diagonal_scatter.default",
                            "diagonal_scatter(x, src, offset, dim1, dim2)",
                            "ScatterUpdate(Reshape(Transpose(x)), places, src)");
  convert<diagonal_embed>(r, "aten.diag_embed.default", "diag_embed(x, offset, dim1, dim2)",
                          "Transpose(Reshape(ScatterUpdate(0, places, x)))");
  convert<last_diagonal>(r, "aten.linalg_diagonal.default", "linalg_diagonal(x, offset, dim1, dim2)",
                         "Gather(Reshape(Transpose(x)), places)");
  convert<either_diagonal>(r, "aten.diag.default", "diag(x, diagonal)",
                           "diag_embed of a vector, diagonal of a matrix");
  convert<flat_embed>(r, "aten.diagflat.default", "diagflat(x, offset)", "diag_embed(Reshape(x, -1))");
  convert<strided_scatter>(r, "aten.as_strided_scatter.default",
                           "as_strided_scatter(x, src, size, stride, storage_offset)",
                           "Reshape(ScatterUpdate(Reshape(x), places, src))");
}

}  // namespace mo::pytorch
