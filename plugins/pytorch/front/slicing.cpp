// Parts of tensors, tensors joined, and elements repeated or turned round.
#include "support/values.hpp"

namespace mo::pytorch {

namespace slicing {

static size_t rank_of(const Call& c) { return c.rank("self") - (c.is_complex("self") ? 1 : 0); }
static int64_t axis_of(const Call& c) { return static_cast<int64_t>(c.axis("dim", 0, rank_of(c))); }

static Ports select(const Call& c) {
  const int64_t axis = axis_of(c);
  return {gather(c, c.tensor("self"), c.size("index"), axis)};
}

static Ports part(const Call& c) {
  const OutPort begin = c.is_given("start") ? c.size_list("start") : c.b.list({0});
  const OutPort end = c.is_given("end") ? c.size_list("end") : c.b.list({INT64_MAX});
  const auto step = c.integer("step", 1);
  const auto first = c.known(begin), last = c.known(end);
  if (first && last && first->front() == 0 && last->front() == INT64_MAX && step == 1)
    return {c.tensor("self")};
  return {slice(c, c.tensor("self"), axis_of(c), begin, end, step)};
}

static Ports narrow(const Call& c) {
  const OutPort start = c.size_list("start");
  // A start below 0 counts from the end, where the sum with the length may become 0.
  const OutPort size = c.b.dim(c.tensor("self"), axis_of(c));
  const OutPort begin = c.b.select(c.op1("Less", {start, c.b.integer(0)}), c.b.add(start, size), start);
  return {slice(c, c.tensor("self"), axis_of(c), begin, c.b.add(begin, c.size_list("length")))};
}

// An empty list of numbers, which may stand among tensors with dimensions.
static bool is_empty_list(const OutPort& x) {
  const Shape s = x.shape();
  return s.rank() == 1 && s[0] == Dim(0);
}

static Ports concatenated(const Call& c, Ports all, int64_t axis) {
  const ElementType type = c.promoted_type({"tensors"});
  size_t rank = 0;
  for (const OutPort& x : all) rank = std::max(rank, c.rank(x));
  Ports parts;
  for (const OutPort& x : all)
    if (!(is_empty_list(x) && (rank > 1 || all.size() > 1))) parts.push_back(as_type(c, x, type));
  if (parts.empty()) parts.push_back(as_type(c, all.at(0), type));
  return {c.b.concat(parts, axis)};
}

static bool all_or_none_complex(const Call& c) {
  const bool complex = c.is_complex("tensors");
  require(!complex || c.all_complex("tensors"), "it joins complex numbers with real ones, expected one kind");
  return complex;
}

static Ports concatenate(const Call& c) {
  const Ports all = c.tensors("tensors");
  require(!all.empty(), "it joins no tensors");
  size_t rank = 0;
  for (const OutPort& x : all) rank = std::max(rank, c.rank(x));
  if (all_or_none_complex(c)) --rank;
  return concatenated(c, all, static_cast<int64_t>(c.axis("dim", 0, rank)));
}

static Ports stack(const Call& c) {
  Ports all = c.tensors("tensors");
  require(!all.empty(), "it joins no tensors");
  const ElementType type = c.promoted_type({"tensors"});
  const size_t rank = c.rank(all[0]) + (all_or_none_complex(c) ? 0 : 1);
  const auto axis = static_cast<int64_t>(c.axis("dim", 0, rank));
  for (OutPort& x : all) x = c.b.unsqueeze(as_type(c, x, type), c.b.list({axis}));
  return {c.b.concat(all, axis)};
}

// With the ones that numbers, vectors and matrices need in front or behind.
static Ports stacked_along(const Call& c, int64_t axis, const std::vector<Ints>& added) {
  Ports all = c.tensors("tensors");
  require(!all.empty(), "it joins no tensors");
  for (OutPort& x : all)
    if (const size_t rank = c.rank(x); rank < added.size()) x = c.b.unsqueeze(x, c.b.list(added[rank]));
  return concatenated(c, all, axis);
}
static Ports stack_rows(const Call& c) { return stacked_along(c, 0, {{0, 1}, {0}}); }
static Ports stack_columns(const Call& c) {
  const Ports all = c.tensors("tensors");
  const bool vectors = std::all_of(all.begin(), all.end(), [&](const OutPort& x) { return c.rank(x) <= 1; });
  return stacked_along(c, vectors ? 0 : 1, {{0}});
}
static Ports stack_depth(const Call& c) { return stacked_along(c, 2, {{0, 1, 2}, {0, 2}, {2}}); }
static Ports stack_as_columns(const Call& c) { return stacked_along(c, 1, {{0, 1}, {1}}); }

static Ports parts_of(const Call& c, const OutPort& lengths) {
  const auto count = static_cast<uint32_t>(c.result_count());
  if (count == 1) return {c.tensor("self")};
  return c.b.node("VariadicSplit", "opset1", {c.tensor("self"), c.b.integer(axis_of(c)), lengths}, count)
      .out_ports();
}

// Parts of one length, the last one of what is left.
static Ports equal_parts(const Call& c, int64_t length) {
  const auto count = static_cast<int64_t>(c.result_count());
  const OutPort x = c.tensor("self");
  const Shape s = x.shape();
  const Dim size = s[static_cast<size_t>(axis_of(c))];
  if (count > 1 && size.is_static() && length > 0 && size.value() == count * length)
    return c.b.split(x, axis_of(c), count);
  Ints lengths(static_cast<size_t>(count), length);
  lengths.back() = -1;
  return parts_of(c, c.b.list(lengths));
}
static Ports split(const Call& c) { return equal_parts(c, c.integer("split_size")); }
static Ports split_with_sizes(const Call& c) { return parts_of(c, c.sizes("split_sizes")); }

static int64_t number_of_parts(const Call& c, std::string_view name) {
  const auto count = c.integer(name);
  require(count > 0, "argument '", name, "' is ", count, ", expected at least 1");
  return count;
}
static Ports chunk(const Call& c) {
  const auto wanted = number_of_parts(c, "chunks");
  const OutPort x = c.tensor("self");
  const auto axis = static_cast<size_t>(axis_of(c));
  // The program knows sizes of parts where those of what is cut do not follow from the inputs.
  const Shape part = c.result_shape(0);
  if (part.has_rank() && axis < part.size() && part[axis].is_static())
    return equal_parts(c, part[axis].value());
  const int64_t size = c.dim(x, static_cast<int64_t>(axis));
  return equal_parts(c, std::max<int64_t>((size + wanted - 1) / wanted, 1));
}
// The first ones are one larger.
static Ports tensor_split(const Call& c) {
  const auto count = number_of_parts(c, "sections");
  const int64_t size = c.dim(c.tensor("self"), axis_of(c));
  Ints lengths;
  for (int64_t i = 0; i < count; ++i) lengths.push_back(size / count + (i < size % count ? 1 : 0));
  return parts_of(c, c.b.list(lengths));
}
static Ports tensor_split_at(const Call& c) {
  const int64_t size = c.dim(c.tensor("self"), axis_of(c));
  Ints lengths;
  int64_t from = 0;
  Ints ends = c.ints("indices", {});
  ends.push_back(size);
  for (int64_t end : ends) {
    end = std::clamp<int64_t>(end < 0 ? end + size : end, 0, size);
    lengths.push_back(std::max<int64_t>(end - from, 0));
    from = end;
  }
  return parts_of(c, c.b.list(lengths));
}

static Ports unbind(const Call& c) {
  if (c.node.out_count() == 0) return {};
  const auto count = static_cast<int64_t>(c.result_count());
  if (count == 1) return {c.b.squeeze(c.tensor("self"), {axis_of(c)})};
  Ports parts = c.b.split(c.tensor("self"), axis_of(c), count);
  for (OutPort& p : parts) p = c.b.squeeze(p, {axis_of(c)});
  return parts;
}

template <bool Repeats>
static Ports tile(const Call& c) {
  OutPort times = c.sizes(Repeats ? "repeats" : "dims");
  if (c.is_complex("self")) times = c.b.concat({times, c.b.list({1})});
  return {c.op1("Tile", {c.tensor("self"), times})};
}

// Each element so many times, one after the other.
static Ports repeat_elements(const Call& c) {
  OutPort x = c.tensor("self");
  const bool all = !c.is_given("dim");
  if (all) x = flat(c, x);
  const auto axis = all ? 0 : static_cast<int64_t>(c.axis("dim", 0, c.rank(x)));
  Ports ones{c.size_list("repeats")};
  const auto rank = static_cast<int64_t>(c.rank(x));
  Ints before(static_cast<size_t>(axis) + 1, 1), behind(static_cast<size_t>(rank - axis - 1), 1);
  ones.insert(ones.begin(), c.b.list(before));
  if (!behind.empty()) ones.push_back(c.b.list(behind));
  const OutPort wide = c.op1("Tile", {c.b.unsqueeze(x, c.b.list({axis + 1})), c.b.concat(ones)});
  const OutPort shape = c.b.shape_of(x);
  Ports sizes;
  if (axis > 0) sizes.push_back(c.b.part(shape, 0, axis));
  sizes.push_back(c.b.list({-1}));
  if (axis + 1 < rank) sizes.push_back(c.b.part(shape, axis + 1, rank));
  return {c.b.reshape(wide, c.b.concat(sizes))};
}

// The place from which each element of the result comes: how many of the running sums it has passed.
static OutPort repeated_places(const Call& c, const OutPort& times) {
  const OutPort counts = c.b.convert(times, ElementType::i64);
  const Node sums = c.b.node("CumSum", "opset3", {counts, c.b.integer(0)});
  sums.set("exclusive", false).set("reverse", false);
  const OutPort total = c.b.reduce("ReduceSum", counts, c.b.list({0}), false);
  const Node places = c.b.node("SearchSorted", "opset15", {sums.out_port(), count_to(c, total)});
  return places.set("right_mode", true).set("output_type", ElementType::i64).out_port();
}
static Ports repeat_each(const Call& c) {
  OutPort x = c.tensor("self");
  const bool all = !c.is_given("dim");
  if (all) x = flat(c, x);
  const auto axis = all ? 0 : static_cast<int64_t>(c.axis("dim", 0, c.rank(x)));
  OutPort times = c.tensor("repeats");
  if (c.rank(times) == 0) times = c.b.reshape(times, Ints{1});
  times = c.b.broadcast(times, c.b.dim(x, axis));
  return {gather(c, x, repeated_places(c, times), axis)};
}
static Ports repeat_places(const Call& c) { return {repeated_places(c, c.tensor("repeats"))}; }

static Ports roll(const Call& c) {
  const OutPort x = c.tensor("self");
  Ints dims = c.ints("dims", {});
  for (int64_t& d : dims) d = static_cast<int64_t>(normalize_axis(d, rank_of(c), "argument 'dims'"));
  require(!dims.empty() || !c.is_complex("self"), "complex numbers roll along dimensions that are named");
  if (!dims.empty()) return {c.b.op("Roll", "opset7", {x, c.sizes("shifts"), c.b.list(dims)})};
  const OutPort turned = c.b.op("Roll", "opset7", {flat(c, x), c.sizes("shifts"), c.b.list({0})});
  return {c.b.reshape(turned, c.b.shape_of(x))};
}

static OutPort flipped(const Call& c, OutPort x, const Ints& axes) {
  for (const int64_t a : axes)
    x = reversed(c, x, static_cast<int64_t>(normalize_axis(a, rank_of(c), "argument 'dims'")));
  return x;
}
static Ports flip(const Call& c) { return {flipped(c, c.tensor("self"), c.ints("dims", {}))}; }
static Ports flip_columns(const Call& c) { return {flipped(c, c.tensor("self"), {1})}; }
static Ports flip_rows(const Call& c) { return {flipped(c, c.tensor("self"), {0})}; }

// Quarter turns in the plane of two dimensions.
static Ports rotate(const Call& c) {
  const OutPort x = c.tensor("self");
  const size_t rank = c.rank(x);
  Ints dims = c.ints("dims", {0, 1});
  require(dims.size() == 2, "argument 'dims' is ", dims, ", expected two dimensions");
  for (int64_t& d : dims) d = static_cast<int64_t>(normalize_axis(d, rank, "argument 'dims'"));
  const int64_t turns = ((c.integer("k", 1) % 4) + 4) % 4;
  if (turns == 0) return {x};
  if (turns == 2) return {flipped(c, x, dims)};
  Ints order = counted(rank);
  std::swap(order[static_cast<size_t>(dims[0])], order[static_cast<size_t>(dims[1])]);
  if (turns == 1) return {c.b.transpose(flipped(c, x, {dims[1]}), order)};
  return {flipped(c, c.b.transpose(x, order), {dims[1]})};
}

// Windows along a dimension, whose elements become the last one.
static Ports windows(const Call& c) {
  const OutPort x = c.tensor("self");
  const size_t rank = c.rank(x);
  if (rank == 0) return {c.b.reshape(x, Ints{1})};
  const size_t axis = c.axis("dimension", 0, rank);
  const auto size = c.integer("size"), step = c.integer("step");
  require(size >= 0 && step > 0, "arguments 'size' and 'step' are ", size, " and ", step);
  const OutPort last = c.b.add(size_of(c, x, static_cast<int64_t>(axis)), c.b.integer(1 - size));
  const OutPort first = c.b.range(c.b.integer(0), last, step);
  const OutPort places = c.b.add(c.b.unsqueeze(first, c.b.list({1})), count_to(c, c.b.integer(size)));
  const OutPort taken = gather(c, x, places, static_cast<int64_t>(axis));
  return {moved(c, taken, axis + 1, rank)};
}

}  // namespace slicing

void register_slicing(Registry& r) {
  using namespace slicing;
  convert<select>(r, "aten.select.int aten.select_copy.int", "select(x, dim, index)", "Gather(x, index)");
  convert<part>(r, "aten.slice.Tensor aten.slice_copy.Tensor", "slice(x, dim, start, end, step)",
                "Slice-8(x, start, end, step)");
  convert<narrow>(r, "aten.narrow.default aten.narrow_copy.default", "narrow(x, dim, start, length)",
                  "Slice-8(x, start, Add(start, length))");
  convert<concatenate>(r, "aten.cat.default aten.concat.default aten.concatenate.default", "cat(x, y, dim)",
                       "Concat(x, y)");
  convert<stack>(r, "aten.stack.default", "stack(x, y, dim)", "Concat(Unsqueeze(x), Unsqueeze(y))");
  convert<stack_rows>(r, "aten.vstack.default aten.row_stack.default", "vstack(x, y)", "Concat(x, y)");
  convert<stack_columns>(r, "aten.hstack.default", "hstack(x, y)", "Concat(x, y)");
  convert<stack_depth>(r, "aten.dstack.default", "dstack(x, y)", "Concat(x, y)");
  convert<stack_as_columns>(r, "aten.column_stack.default", "column_stack(x, y)", "Concat(x, y)");
  convert<split>(r, "aten.split.Tensor aten.split_copy.Tensor aten.unsafe_split.Tensor",
                 "split(x, split_size, dim)", "Split(x), or VariadicSplit(x)");
  convert<split_with_sizes>(
      r,
      "aten.split_with_sizes.default aten.split_with_sizes_copy.default aten.unsafe_split_with_sizes.default "
      "aten.split.sizes",
      "split_with_sizes(x, split_sizes, dim)", "VariadicSplit(x, split_sizes)");
  convert<chunk>(r, "aten.chunk.default aten.unsafe_chunk.default", "chunk(x, chunks, dim)",
                 "Split(x), or VariadicSplit(x)");
  convert<tensor_split>(r, "aten.tensor_split.sections", "tensor_split(x, sections, dim)",
                        "VariadicSplit(x)");
  convert<tensor_split_at>(r, "aten.tensor_split.indices", "tensor_split(x, indices, dim)",
                           "VariadicSplit(x)");
  convert<unbind>(r, "aten.unbind.int aten.unbind_copy.int", "unbind(x, dim)", "Squeeze of each Split(x)");
  convert<tile<true>>(r, "aten.repeat.default", "repeat(x, repeats)", "Tile(x, repeats)");
  convert<tile<false>>(r, "aten.tile.default", "tile(x, dims)", "Tile(x, dims)");
  convert<repeat_elements>(r, "aten.repeat_interleave.self_int", "repeat_interleave(x, repeats, dim)",
                           "Reshape(Tile(Unsqueeze(x), repeats))");
  convert<repeat_each>(r, "aten.repeat_interleave.self_Tensor", "repeat_interleave(x, repeats, dim)",
                       "Gather(x, SearchSorted(CumSum(repeats), Range))");
  convert<repeat_places>(r, "aten.repeat_interleave.Tensor", "repeat_interleave(repeats)",
                         "SearchSorted(CumSum(repeats), Range)");
  convert<roll>(r, "aten.roll.default", "roll(x, shifts, dims)", "Roll-7(x, shifts, dims)");
  convert<flip>(r, "aten.flip.default", "flip(x, dims)", "Slice-8(x) with step -1");
  convert<flip_columns>(r, "aten.fliplr.default", "fliplr(x)", "Slice-8(x) with step -1");
  convert<flip_rows>(r, "aten.flipud.default", "flipud(x)", "Slice-8(x) with step -1");
  convert<rotate>(r, "aten.rot90.default", "rot90(x, k, dims)", "Transpose(Slice-8(x))");
  convert<windows>(r, "aten.unfold.default aten.unfold_copy.default", "unfold(x, dimension, size, step)",
                   "Transpose(Gather(x, places))");
}

}  // namespace mo::pytorch
