// Parts of tensors, read and written.
#include "support/operator.hpp"

#include <mo/extract.hpp>

#include <array>

namespace mo::paddle {

namespace indexing {

// The place of each element in the order of all.
static OutPort places_of(const Op& o, const OutPort& x) {
  const OutPort count = o.reduce("ReduceProd", o.shape_of(x), o.list({0}), false);
  return o.reshape(o.iota(count), o.shape_of(x));
}

struct Bounds {
  OutPort starts, ends, steps;
  Ints axes;
};

// Down to the first element: with a negative step an end of -1 is no last element.
static OutPort ends_of(const Op& o, std::string_view end_slots, std::string_view step_slots) {
  auto ends = o.known(end_slots, "ends");
  const auto steps = o.known(step_slots, "strides steps");
  if (!ends || !steps || ends->size() != steps->size()) return o.sizes(end_slots, "ends");
  for (size_t i = 0; i < ends->size(); ++i)
    if ((*ends)[i] == -1 && (*steps)[i] < 0) (*ends)[i] = INT64_MIN;
  return o.list(*ends);
}

static OutPort sliced(const Op& o, const OutPort& x, const Bounds& b) {
  return o.op("Slice", "opset8", {x, b.starts, b.ends, b.steps, o.list(b.axes)});
}

static Ints axes_of(const Op& o, const OutPort& x, std::string_view name) {
  Ints axes = o.ints(name);
  for (int64_t& a : axes) a = o.axis(x, a);
  return axes;
}

static OutPort without(const Op& o, const OutPort& x, const Ints& axes) {
  return axes.empty() ? x : o.squeeze(x, axes);
}

static Ports slice(const Op& o) {
  const OutPort x = o.in("0 Input");
  Bounds b{o.sizes("1 StartsTensor StartsTensorList", "starts"),
           o.sizes("2 EndsTensor EndsTensorList", "ends"),
           {},
           axes_of(o, x, "axes")};
  b.steps = o.list(Ints(b.axes.size(), 1));
  const Ints gone = axes_of(o, x, "decrease_axis");
  // An element that is counted from the end has no end but the last one: -1 to 0 would be none.
  if (const auto starts = o.known("1 StartsTensor StartsTensorList", "starts"))
    if (auto ends = o.known("2 EndsTensor EndsTensorList", "ends");
        ends && starts->size() == b.axes.size() && ends->size() == b.axes.size()) {
      for (size_t i = 0; i < b.axes.size(); ++i)
        if ((*starts)[i] == -1 && (*ends)[i] == 0 &&
            std::find(gone.begin(), gone.end(), b.axes[i]) != gone.end())
          (*ends)[i] = INT32_MAX;
      b.ends = o.list(*ends);
    }
  OutPort y = without(o, sliced(o, x, b), gone);
  // Up to Paddle 2.5 a scalar was a list of one element.
  const Shape said = o.node().out_port().shape();
  if (said.has_rank() && said.rank() == 1 && static_cast<int64_t>(gone.size()) == o.rank(x) && !gone.empty())
    y = o.reshape(y, Ints{1});
  return {y};
}

static Ports strided_slice(const Op& o) {
  const OutPort x = o.in("0 Input");
  const Bounds b{o.sizes("1 StartsTensor StartsTensorList", "starts"),
                 ends_of(o, "2 EndsTensor EndsTensorList", "3 StridesTensor StridesTensorList"),
                 o.sizes("3 StridesTensor StridesTensorList", "strides"), axes_of(o, x, "axes")};
  return {without(o, sliced(o, x, b), axes_of(o, x, "decrease_axis"))};
}

static Ports crop(const Op& o) {
  const OutPort x = o.in("0 X");
  const OutPort starts = o.sizes("2 Offsets OffsetsTensor", "offsets");
  const OutPort all = o.shape_of(x);
  const OutPort wanted = o.sizes("1 Shape ShapeTensor", "shape");
  const OutPort kept = o.op1("Equal", {wanted, o.integer(-1)});
  const OutPort ends = o.select(kept, all, o.add(starts, wanted));
  const auto rank = o.rank(x);
  Ints axes;
  for (int64_t i = 0; i < rank; ++i) axes.push_back(i);
  return {sliced(o, x, {starts, ends, o.list(Ints(axes.size(), 1)), axes})};
}

// Elements of a flat tensor at flat places become others.
static OutPort written(const Op& o, const OutPort& x, const OutPort& places, const OutPort& values) {
  const OutPort flat = o.reshape(x, Ints{-1});
  const OutPort at = o.reshape(places, Ints{-1, 1});
  return o.reshape(o.op("ScatterNDUpdate", "opset4", {flat, at, values}), o.shape_of(x));
}

template <bool WithTensor>
static Ports set_value(const Op& o) {
  const bool tensor = WithTensor || o.has("ValueTensor");
  const OutPort x = o.in("0 Input");
  const ElementType type = o.type_of(x);
  // Operands of PIR: x, values where they are a tensor, starts, ends, steps.
  constexpr std::string_view starts = WithTensor ? "2 StartsTensorList" : "1 StartsTensorList";
  constexpr std::string_view ends = WithTensor ? "3 EndsTensorList" : "2 EndsTensorList";
  constexpr std::string_view steps = WithTensor ? "4 StepsTensorList" : "3 StepsTensorList";
  const Bounds b{o.sizes(starts, "starts"), ends_of(o, ends, steps), o.sizes(steps, "steps"),
                 axes_of(o, x, "axes")};
  const OutPort part = b.axes.empty() ? places_of(o, x) : sliced(o, places_of(o, x), b);
  OutPort values;
  if (tensor) {
    values = o.convert(o.in(WithTensor ? "1" : "ValueTensor"), type);
  } else {
    std::vector<double> list;
    for (const char* name :
         {"values", "fp32_values", "fp64_values", "int32_values", "int64_values", "bool_values"})
      if (list.empty() && o.has_attribute(name)) list = o.reals(name);
    Ints shape = o.ints("shape");
    int64_t count = 1;
    for (const int64_t d : shape) count *= d;
    if (count != static_cast<int64_t>(list.size())) shape = {static_cast<int64_t>(list.size())};
    values = o.constant(Tensor::filled(o.context(), type, list, shape));
  }
  OutPort shape = without(o, part, axes_of(o, x, "decrease_axes"));
  if (const Ints made = o.ints("none_axes"); !made.empty()) {
    for (const int64_t a : made) shape = o.unsqueezed(shape, {a});
  }
  // Dimensions of 1 in front of those that are written are of no meaning.
  const int64_t extra = o.rank(values) - o.rank(shape);
  if (extra > 0) {
    Ints gone;
    for (int64_t i = 0; i < extra; ++i) gone.push_back(i);
    values = o.squeeze(values, gone);
  }
  const OutPort spread = o.reshape(o.broadcast(values, o.shape_of(shape)), Ints{-1});
  return {written(o, x, part, spread)};
}

static OutPort flat_index(const Op& o, const OutPort& index) {
  return o.rank(index) == 2 && o.find_dim(index, 1) == 1 ? o.squeeze(index, {1}) : index;
}

static Ports gather(const Op& o) {
  const OutPort x = o.in("0 X");
  return {o.gather(x, flat_index(o, o.in("1 Index")), o.axis(x, o.fixed_int("2 Axis", "axis", 0)))};
}

static Ports gather_nd(const Op& o) {
  const OutPort x = o.in("0 X"), index = o.in("1 Index");
  if (o.find_dim(index, -1) == 0)
    return {o.broadcast(x, o.concat({o.part(o.shape_of(index), 0, o.rank(index) - 1), o.shape_of(x)}))};
  const Node n = o.node("GatherND", "opset8", {x, index});
  return {n.set("batch_dims", 0).out_port()};
}

static Ports index_select(const Op& o) {
  const OutPort x = o.in("0 X");
  return {o.gather(x, flat_index(o, o.in("1 Index")), o.axis(x, o.integer("axis dim", 0)))};
}

static OutPort gather_elements(const Op& o, const OutPort& x, const OutPort& index, int64_t axis) {
  return o.node("GatherElements", "opset6", {x, index}).set("axis", axis).out_port();
}

static Ports index_sample(const Op& o) { return {gather_elements(o, o.in("0 X"), o.in("1 Index"), 1)}; }

// As far as the index goes in other dimensions than `axis`.
static OutPort cut_to(const Op& o, OutPort x, const OutPort& index, int64_t axis) {
  for (int64_t i = 0; i < o.rank(x); ++i) {
    const auto have = o.find_dim(x, i), want = o.find_dim(index, i);
    if (i != axis && have && want && *want < *have && *want != 0) x = o.slice(x, i, 0, *want);
  }
  return x;
}

static Ports take_along_axis(const Op& o) {
  const OutPort x = o.in("0 Input"), index = o.in("1 Index");
  const int64_t axis = o.axis(x, o.integer("axis Axis", 0));
  return {gather_elements(o, cut_to(o, x, index, axis), index, axis)};
}

static OutPort scatter_elements(const Op& o, const OutPort& x, const OutPort& index, const OutPort& values,
                                int64_t axis, std::string_view reduction, bool first_counts = true) {
  const Node n = o.node("ScatterElementsUpdate", "opset12", {x, index, values, o.integer(axis)});
  return n.set("reduction", std::string(reduction)).set("use_init_val", first_counts).out_port();
}

static Ports put_along_axis(const Op& o) {
  const OutPort x = o.in("0 Input"), index = o.in("1 Index");
  const OutPort values = o.broadcast(o.convert(o.in("2 Value"), o.type_of(x)), o.shape_of(index));
  const std::string how = o.word("reduce Reduce", "assign");
  const int64_t axis = o.axis(x, o.integer("axis Axis", 0));
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> names{{{"assign", "none"},
                                                                                {"add", "sum"},
                                                                                {"mul", "prod"},
                                                                                {"multiply", "prod"},
                                                                                {"amin", "min"},
                                                                                {"amax", "max"},
                                                                                {"mean", "mean"}}};
  for (const auto& [paddle, name] : names)
    if (how == paddle)
      return {scatter_elements(o, x, index, values, axis, name, o.flag("include_self Include_self", true))};
  fail("attribute 'reduce' is '", how, "', expected assign, add, mul, amin, amax or mean");
}

static OutPort scatter_nd(const Op& o, const OutPort& x, const OutPort& index, const OutPort& values,
                          std::string_view reduction) {
  if (reduction == "none") return o.op("ScatterNDUpdate", "opset4", {x, index, values});
  const Node n = o.node("ScatterNDUpdate", "opset15", {x, index, values});
  return n.set("reduction", std::string(reduction)).out_port();
}

// Rows become others; or they are set to 0, and those of each place are added.
static Ports scatter(const Op& o) {
  const OutPort x = o.in("0 X"), values = o.in("2 Updates");
  const OutPort rows = o.reshape(o.in("1 Ids"), Ints{-1}), index = o.unsqueezed(rows, {1});
  if (o.flag("overwrite", true)) return {scatter_nd(o, x, index, values, "none")};
  const OutPort cleared = scatter_nd(o, x, index, o.zeros_like(values), "none");
  return {scatter_nd(o, cleared, index, values, "sum")};
}

static Ports scatter_nd_add(const Op& o) {
  return {scatter_nd(o, o.in("0 X"), o.in("1 Index"), o.in("2 Updates"), "sum")};
}

static Ports index_add(const Op& o) {
  const OutPort x = o.in("0 X"), values = o.in("2 AddValue");
  const int64_t axis = o.axis(x, o.integer("axis", 0));
  Ints place(static_cast<size_t>(o.rank(x)), 1);
  place[static_cast<size_t>(axis)] = -1;
  const OutPort index = o.broadcast(o.reshape(o.in("1 Index"), place), o.shape_of(values));
  return {scatter_elements(o, x, index, values, axis, "sum")};
}

// Tensors of one place each, or a mask, for the first dimensions.
static Ports index_put(const Op& o) {
  const OutPort x = o.in("0 x"), value = o.in("2 value");
  Ports indices;
  for (const OutPort& i : o.all("1 indices")) {
    if (o.type_of(i) != ElementType::boolean) {
      indices.push_back(o.convert(i, ElementType::i64));
      continue;
    }
    const OutPort found = o.op("NonZero", "opset3", {i});
    for (const OutPort& row : o.split(found, 0, o.rank(i))) indices.push_back(o.squeeze(row, {0}));
  }
  require(!indices.empty(), "it has no indices");
  OutPort sum;
  for (const OutPort& i : indices) sum = sum ? o.add(sum, i) : i;
  const OutPort shape = o.shape_of(sum);
  Ports columns;
  const int64_t rank = o.rank(sum);
  for (const OutPort& i : indices) columns.push_back(o.unsqueezed(o.broadcast(i, shape), {rank}));
  const auto used = static_cast<int64_t>(indices.size());
  Ports dims{shape};
  if (used < o.rank(x)) dims.push_back(o.part(o.shape_of(x), used, INT64_MAX));
  const OutPort values = o.broadcast(o.convert(value, o.type_of(x)), o.concat(dims));
  return {scatter_nd(o, x, o.concat(columns, rank), values, o.flag("accumulate", false) ? "sum" : "none")};
}

static OutPort non_zero(const Op& o, const OutPort& x) {
  const Node n = o.node("NonZero", "opset3", {x});
  return o.transpose(n.set("output_type", ElementType::i64).out_port(), {1, 0});
}

static Ports nonzero(const Op& o) { return {non_zero(o, o.in("0 Condition"))}; }

static Ports masked_select(const Op& o) {
  OutPort x = o.in("0 X"), mask = o.in("1 Mask");
  if (o.shape(x) != o.shape(mask)) {
    const OutPort zeros = o.zeros_like(o.convert(x, ElementType::i32)),
                  flags = o.convert(mask, ElementType::i32);
    const OutPort shape = o.shape_of(o.add(zeros, flags));
    x = o.broadcast(x, shape);
    mask = o.convert(o.broadcast(flags, shape), ElementType::boolean);
  }
  const Node n = o.node("GatherND", "opset8", {x, non_zero(o, mask)});
  return {n.set("batch_dims", 0).out_port()};
}

static Ports unique(const Op& o) {
  const OutPort x = o.in("0 X");
  const Ints axes = o.ints("axis");
  Ports inputs{x};
  if (!axes.empty()) inputs.push_back(o.list({o.axis(x, axes.front())}));
  const Node n = o.node("Unique", "opset10", inputs, 4);
  n.set("sorted", true)
      .set("index_element_type", ElementType::i64)
      .set("count_element_type", ElementType::i64);
  return o.give({{"0 Out", {n.out_port(0)}},
                 {"1 Indices", {n.out_port(1)}},
                 {"2 Index", {n.out_port(2)}},
                 {"3 Counts", {n.out_port(3)}}});
}

static Ports searchsorted(const Op& o) {
  const Node n = o.node("SearchSorted", "opset15", {o.in("0 SortedSequence"), o.in("1 Values")});
  n.set("right_mode", o.flag("right", false));
  n.set("output_type", o.flag("out_int32", false) ? ElementType::i32 : ElementType::i64);
  return {n.out_port()};
}

// Rows of the table; those of padding_idx are 0.
static Ports embedding(const Op& o) {
  OutPort ids = o.in("0 Ids");
  const OutPort table = o.in("1 W");
  const Shape s = o.shape(ids);
  if (o.node().native_op() == "lookup_table" && s.has_rank() && s.rank() > 1 && s[s.size() - 1] == Dim(1))
    ids = o.squeeze(ids, {s.rank() - 1});
  const int64_t padding = o.integer("padding_idx", -1);
  const OutPort rows = o.gather(table, ids, 0);
  if (padding == -1) return {rows};
  const OutPort padded = o.op1("Equal", {o.convert(ids, ElementType::i64), o.integer(padding)});
  return {o.select(o.unsqueezed(padded, {o.rank(ids)}), o.like(table, 0), rows)};
}

}  // namespace indexing

void register_indexing(Registry& r) {
  using namespace indexing;
  convert<slice>(r, "slice", "slice(x, starts, ends)", "Slice(x, starts, ends, 1, axes)");
  convert<strided_slice>(r, "strided_slice", "strided_slice(x, starts, ends, strides)",
                         "Slice(x, starts, ends, strides, axes)");
  convert<crop>(r, "crop crop_tensor", "crop(x, shape, offsets)", "Slice(x, offsets, offsets + shape)");
  convert<set_value<false>>(r, "set_value", "set_value(x, starts, ends, steps)",
                            "ScatterNDUpdate(x, places, values)");
  convert<set_value<true>>(r, "set_value_with_tensor",
                           "set_value_with_tensor(x, values, starts, ends, steps)",
                           "ScatterNDUpdate(x, places, values)");
  convert<gather>(r, "gather", "gather(x, index, axis)", "Gather(x, index, axis)");
  convert<gather_nd>(r, "gather_nd", "gather_nd(x, index)", "GatherND(x, index)");
  convert<index_select>(r, "index_select", "index_select(x, index)", "Gather(x, index, axis)");
  convert<index_sample>(r, "index_sample", "index_sample(x, index)", "GatherElements(x, index)");
  convert<take_along_axis>(r, "take_along_axis", "take_along_axis(x, index)", "GatherElements(x, index)");
  convert<put_along_axis>(r, "put_along_axis", "put_along_axis(x, index, values)",
                          "ScatterElementsUpdate(x, index, values)");
  convert<scatter>(r, "scatter", "scatter(x, rows, values)", "ScatterNDUpdate(x, rows, values)");
  convert<scatter_nd_add>(r, "scatter_nd_add", "scatter_nd_add(x, index, values)",
                          "ScatterNDUpdate(x, index, values)");
  convert<index_add>(r, "index_add", "index_add(x, index, values)",
                     "ScatterElementsUpdate(x, index, values)");
  convert<index_put>(r, "index_put", "index_put(x, indices, value)",
                     "ScatterNDUpdate(x, Concat(indices), value)");
  convert<nonzero>(r, "nonzero where_index", "nonzero(x)", "Transpose(NonZero(x))");
  convert<masked_select>(r, "masked_select", "masked_select(x, mask)",
                         "GatherND(x, Transpose(NonZero(mask)))");
  convert<unique>(r, "unique", "unique(x)", "Unique(x)");
  convert<searchsorted>(r, "searchsorted", "searchsorted(sorted, values)", "SearchSorted(sorted, values)");
  convert<embedding>(r, "embedding lookup_table_v2 lookup_table", "embedding(x, table)",
                     "Gather(table, x, 0)");
}

}  // namespace mo::paddle
