// Gather: slices of the data along an axis. opset7 adds batch_dims. Negative indices are promised from opset8
// on, yet runtimes have always taken constant ones, so every version does.
#include "support/movement.hpp"
#include "support/strings.hpp"
#include "support/symbols.hpp"

#include <numeric>

namespace mo::opset {

namespace gathering {

struct Axes {
  size_t axis, batch;
};
static Axes axes_of(int64_t axis_value, int64_t batch_value, const Shape& data, const Shape& indices) {
  const size_t axis = normalize_axis(axis_value, data.size());
  const int64_t batch = batch_value < 0 ? batch_value + indices.rank() : batch_value;
  require(batch >= 0 && batch <= indices.rank() && batch <= static_cast<int64_t>(axis), "batch_dims is ",
          batch_value, "; expected at most the axis ", axis, " and the rank of the indices ", indices.rank());
  return {axis, static_cast<size_t>(batch)};
}
static Shape shape_of(const Shape& data, const Shape& indices, const Axes& a) {
  Shape out;
  for (size_t i = 0; i < a.batch; ++i)
    out.push_back(same_dim(data[i], indices[i], text("batch dimension ", i)));
  for (size_t i = a.batch; i < a.axis; ++i) out.push_back(data[i]);
  for (size_t i = a.batch; i < indices.size(); ++i) out.push_back(indices[i]);
  for (size_t i = a.axis + 1; i < data.size(); ++i) out.push_back(data[i]);
  return out;
}

// What all axes give; those before the batch dimensions are not legal.
static Shape along_any_axis(const Shape& data, const Shape& indices, int64_t batch) {
  std::optional<Shape> all;
  for (int64_t axis = std::max<int64_t>(batch < 0 ? batch + indices.rank() : batch, 0); axis < data.rank();
       ++axis) {
    const Shape one = shape_of(data, indices, axes_of(axis, batch, data, indices));
    if (!all) all = one;
    for (size_t i = 0; i < one.size(); ++i) (*all)[i] = unite((*all)[i], one[i]);
  }
  require(all.has_value(), "batch_dims is ", batch, "; expected less than the rank of the data ", data);
  return *all;
}

// The sizes of the five loops: batches, between batch and axis, indices, the axis, behind it.
struct Loops {
  int64_t batch = 1, outer = 1, indices = 1, axis = 1, inner = 1;
};
static Loops loops_of(const Dims& data, const Dims& indices, const Axes& a) {
  Loops l;
  for (size_t i = 0; i < a.batch; ++i) l.batch *= data[i];
  for (size_t i = a.batch; i < a.axis; ++i) l.outer *= data[i];
  for (size_t i = a.batch; i < indices.size(); ++i) l.indices *= indices[i];
  l.axis = data[a.axis];
  for (size_t i = a.axis + 1; i < data.size(); ++i) l.inner *= data[i];
  return l;
}
// Copies the slices, from the data in memory or from its file.
class Slices {
 public:
  // `places`: of the indices, 0 to axis-1.
  Slices(Tensor data, const Loops& l, Dims places)
      : data_(std::move(data)),
        loops_(l),
        places_(std::move(places)),
        bytes_(static_cast<uint64_t>(l.inner) * width_of(data_.type())),
        block_(bytes_ * static_cast<uint64_t>(l.axis)) {}
  // Slices that are short are worth no reading each, and a block that many of them come from no memory.
  bool can_be_read() const { return bytes_ >= 1024 || block_ <= (uint64_t{1} << 18); }

  void copy(char* to) const {
    const auto from = static_cast<const char*>(data_.data());
    const uint64_t n = count();
    for (uint64_t i = 0; bytes_ != 0 && i < n; ++i, to += bytes_) std::memcpy(to, from + source(i), bytes_);
  }
  void read(Context c, uint64_t offset, uint64_t n, char* to) {
    const uint64_t all = count();
    while (n != 0) {
      uint64_t i = offset / bytes_;
      const uint64_t skipped = offset % bytes_, from = source(i) + skipped;
      uint64_t run = bytes_ - skipped;
      while (run < n && ++i < all && source(i) == from + run) run += bytes_;
      run = std::min(run, n);
      if (bytes_ >= 1024 || run >= block_)
        data_.read(c, from, run, to);
      else
        run = read_block(c, from, run, to);
      offset += run;
      to += run;
      n -= run;
    }
    if (offset == all * bytes_) kept_.reset();
  }

 private:
  uint64_t count() const { return static_cast<uint64_t>(loops_.batch * loops_.outer * loops_.indices); }
  uint64_t source(uint64_t i) const {
    const auto indices = static_cast<uint64_t>(loops_.indices), outer = static_cast<uint64_t>(loops_.outer);
    const uint64_t row = i / indices, place = row / outer * indices + i % indices;
    return row * block_ + static_cast<uint64_t>(places_[place]) * bytes_;
  }
  // As much of a run as is in its first block.
  uint64_t read_block(Context c, uint64_t from, uint64_t run, char* to) {
    const uint64_t block = from / block_ * block_;
    if (kept_ == nullptr) kept_.reset(new char[block_]);
    if (block != kept_from_) {
      kept_from_ = UINT64_MAX;  // while it is not whole
      data_.read(c, block, block_, kept_.get());
      kept_from_ = block;
    }
    run = std::min(run, block + block_ - from);
    std::memcpy(to, kept_.get() + (from - block), run);
    return run;
  }

  Tensor data_;
  Loops loops_;
  Dims places_;
  uint64_t bytes_, block_;  // of a slice, and of all that are along the axis
  std::unique_ptr<char[]> kept_;
  uint64_t kept_from_ = UINT64_MAX;
};

static Interval index_in(Interval index, int64_t size) {
  require(index.hi >= -size && index.lo < size, "index ", index.lo, " is outside of ", -size, " to ",
          size - 1);
  return {std::max(index.lo, -size), std::min(index.hi, size - 1)};
}

// Every element the index may mean.
static std::vector<Interval> intervals_of(const std::vector<Interval>& data,
                                          const std::vector<Interval>& indices, const Loops& l,
                                          const Dims& out) {
  std::vector<Interval> list(static_cast<size_t>(count_of(out)));
  size_t to = 0;
  for (int64_t b = 0; b < l.batch; ++b)
    for (int64_t o = 0; o < l.outer; ++o)
      for (int64_t i = 0; i < l.indices; ++i) {
        const Interval at = index_in(indices[static_cast<size_t>(b * l.indices + i)], l.axis);
        for (int64_t k = 0; k < l.inner; ++k, ++to)
          for (int64_t p = at.lo; p <= at.hi; ++p) {
            const int64_t place = p < 0 ? p + l.axis : p;
            const Interval& v = data[static_cast<size_t>(((b * l.outer + o) * l.axis + place) * l.inner + k)];
            list[to] = p == at.lo ? v : interval::unite(list[to], v);
          }
      }
  return list;
}

static Tensor chosen(const EvalContext& c, const Tensor& data, const Dims& dims, Slices slices) {
  const auto result = static_cast<uint64_t>(count_of(dims)) * width_of(data.type());
  if (result != 0 && std::max(data.bytes(), result) >= lazy_bytes && slices.can_be_read())
    return lazy_tensor(c.context(), data.type(), dims, {data},
                       [s = std::move(slices)](Context at, uint64_t offset, uint64_t bytes,
                                               char* to) mutable { s.read(at, offset, bytes, to); });
  const auto out = Tensor::create_bytes(c.context(), data.type(), dims);
  slices.copy(static_cast<char*>(out.second));
  return out.first;
}

// Strings are chosen by their numbers.
static Tensor chosen_strings(const EvalContext& c, const Tensor& data, const Dims& dims, const Loops& l,
                             Dims places) {
  std::vector<int32_t> numbers(data.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  const Tensor all = Tensor::vector<int32_t>(c.context(), numbers);
  const Tensor kept = chosen(c, all, dims, Slices(all, l, std::move(places)));
  const auto list = list_of_strings(data);
  std::vector<std::string_view> out;
  for (size_t i = 0; i < kept.size(); ++i) out.push_back(list[static_cast<size_t>(kept.integer(i))]);
  return tensor_of(c.context(), out, dims);
}

template <int Version>
struct Gather {
  static void schema(OpSchema& s) {
    s.doc("slices of the data that the indices choose along an axis")
        .input("data")
        .input("indices", Role::any, integer_types)
        .input("axis", Role::any)
        .outputs(1);
    if constexpr (Version > 1) s.attr<int64_t>("batch_dims", 0);
  }
  static int64_t batch_dims(const OpContext& c) {
    if constexpr (Version > 1) return c.attr<int64_t>("batch_dims");
    return 0;
  }
  static void infer(InferContext& c) {
    const Shape data = c.shape(0), indices = c.shape(1);
    const auto axis = scalar_input(c, 2, "axis");
    const ElementType t = c.type(0);
    const int64_t batch = batch_dims(c);
    if (!data.has_rank() || !indices.has_rank()) return c.output(0, t, Shape::unknown());
    if (!axis) {
      require(!data.empty(), "the data is a scalar");
      return c.output(0, t, along_any_axis(data, indices, batch));
    }
    const Axes a = axes_of(*axis, batch, data, indices);
    const Shape out = shape_of(data, indices, a);
    if (may_have_bounds(t, out) && may_have_bounds(t, data) && indices.is_static() &&
        bounds_wanted(c, {0, 1})) {
      const Dims d = data.to_static(), i = indices.to_static();
      const Loops l = loops_of(d, i, a);
      return output_intervals(
          c, 0, t, out,
          intervals_of(intervals_or_unknown(c, 0, static_cast<size_t>(count_of(d))),
                       intervals_or_unknown(c, 1, static_cast<size_t>(count_of(i))), l, out.to_static()));
    }
    c.output(0, t, out);
  }
  static void symbols(SymbolsContext& c) {
    // Rows of a cache: runtimes look for sizes that are read from them.
    if (c.node().in_node(0).op() == "ReadValue") return;
    if (!c.dims(0) || !c.dims(1) || c.attr<int64_t>("batch_dims", 0) != 0) return;
    const auto at = places_of_input(c, 2);
    if (!at || at->size() != 1) return;
    Symbols dims = *c.dims(0);
    const auto place = dims.begin() + static_cast<std::ptrdiff_t>(at->front());
    dims.insert(dims.erase(place), c.dims(1)->begin(), c.dims(1)->end());
    c.output(0, dims);
    const auto& values = c.values(0);
    if (!values || c.dims(0)->size() != 1 || c.dims(1)->size() > 1) return;
    const auto list = places(constant_ints(c.node(), 1), values->size());
    if (!list) return;
    Symbols chosen;
    for (const size_t i : *list) chosen.push_back((*values)[i]);
    c.output_values(0, chosen);
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0), indices = c.input(1), axis = c.input(2);
    require(axis.size() == 1, "axis has shape ", axis.shape(), "; expected 1 elements");
    const Axes a = axes_of(axis.integer(0), batch_dims(c), data.shape(), indices.shape());
    const Dims dims = shape_of(data.shape(), indices.shape(), a).to_static();
    const Loops l = loops_of(data.dims(), indices.dims(), a);
    Dims places = indices.to_ints();
    for (int64_t& p : places) {
      p = index_in(p, l.axis).lo;
      if (p < 0) p += l.axis;
    }
    if (data.type() == ElementType::string) {
      check_grown(ElementType::i32, dims, data.bytes() + indices.bytes());
      return c.output(0, chosen_strings(c, data, dims, l, std::move(places)));
    }
    const Tensor from = in_bytes(c, data);
    check_grown(from.type(), dims, from.bytes() + indices.bytes());
    c.output(0, of_type(c, chosen(c, from, dims, Slices(from, l, std::move(places))), data.type()));
  }
};

}  // namespace gathering

void register_gather(Registry& r) {
  r.operation<gathering::Gather<1>>("Gather", "opset1");
  r.operation<gathering::Gather<7>>("Gather", "opset7");
  r.operation<gathering::Gather<8>>("Gather", "opset8");
}

}  // namespace mo::opset
