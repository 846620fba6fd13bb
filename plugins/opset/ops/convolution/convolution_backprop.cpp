// ConvolutionBackpropData [N, C, …], [C, O, …] and GroupConvolutionBackpropData [N, G*C, …], [G, C, O, …]:
// the transposed convolutions. The spatial shape of the output can be an input of its own; then pads come
// from it.
#include "support/buffers.hpp"
#include "support/convolving.hpp"
#include "support/symbols.hpp"

namespace mo::opset {

namespace convolving_back {

// stride * (in - 1) + dilated kernel - pads + output padding
static int64_t length(const Window& w, size_t i, int64_t in, int64_t kernel, int64_t more) {
  int64_t n = detail::checked_mul(w.strides[i], in - 1);
  n = detail::checked_add(n, detail::checked_mul(kernel - 1, w.dilations[i]));
  n = detail::checked_add(detail::checked_add(n, 1), more);
  return detail::checked_add(detail::checked_add(n, -w.pads_begin[i]), -w.pads_end[i]);
}

// The least length of at least 1.
static int64_t least(const Window& w, size_t i, const Dim& in, const Dim& kernel, int64_t more) {
  const int64_t first_in = std::max<int64_t>(in.min, 1), first = std::max<int64_t>(kernel.min, 1);
  int64_t best = std::numeric_limits<int64_t>::max();
  for (int64_t size = first_in; best > 1 && (in.is_unbounded() || size <= in.max); ++size) {
    if (size - first_in > 64) return 1;
    const int64_t n = length(w, i, size, first, more);
    if (n >= 1) return std::min(best, n);  // more input only gives more
    const int64_t k = detail::checked_add(first, ceil_div(Dim(1 - n), w.dilations[i]).value());
    if (kernel.is_unbounded() || k <= kernel.max) best = std::min(best, length(w, i, size, k, more));
  }
  return best == std::numeric_limits<int64_t>::max() ? 1 : best;
}

static Dim spatial(const Window& w, size_t i, const Dim& in, const Dim& kernel, int64_t more) {
  const int64_t low = least(w, i, in, kernel, more);
  if (in.is_unbounded() || kernel.is_unbounded()) return {std::max<int64_t>(low, 1), -1};
  const int64_t high = length(w, i, in.max, kernel.max, more);
  require(in.max > 0 && kernel.max > 0 && high > 0, "spatial dimension ", i, " of the result would be ",
          high);
  return {std::max<int64_t>(low, 1), high};
}

static void infer(const InferContext& c, int64_t lead) {
  const ElementType t = common_type(c, {0, 1});
  require_number(c, 0);
  const Shape data = c.shape(0), filter = c.shape(1);
  require_rank(data, "the data", 3, 5);
  require_rank(filter, "the filter", 3 + lead, 5 + lead);
  int64_t rank = data.has_rank() ? data.rank() : filter.has_rank() ? filter.rank() - lead : -1;
  if (rank < 0) rank = static_cast<int64_t>(c.attr<std::vector<int64_t>>("strides").size()) + 2;
  if (rank < 3) return c.output(0, t, Shape::unknown());
  require(rank <= 5, "attribute 'strides' has ", rank - 2, " numbers; expected 1 to 3");
  require(!filter.has_rank() || filter.rank() == rank + lead, "the filter has shape ", filter,
          " for data of shape ", data, "; expected rank ", rank + lead);
  const size_t n = static_cast<size_t>(rank) - 2, first = static_cast<size_t>(lead);
  const Window w = window_attrs(c, n, true, std::numeric_limits<int64_t>::min() / 4);
  const auto more = list_attr(c, "output_padding", n, 0, 0);

  Shape out = Shape::of_rank(n + 2);
  if (data.has_rank()) out[0] = data[0];
  if (filter.has_rank()) {
    out[1] = lead == 0 ? filter[1] : filter[0] * filter[2];
    const Dim channels = lead == 0 ? filter[0] : filter[0] * filter[1];
    if (data.has_rank() && !channels.overlaps(data[1]))
      fail("the data has ", data[1], " channels but the filter is for ", channels);
    if (data.has_rank() && lead != 0)
      out[1] = factor_of(data[1], filter[0], filter[1], "channels of the data") * filter[2];
  }
  if (c.has(2)) {
    const Shape target = shape_input(c, 2, "output_shape");
    require(!target.has_rank() || target.size() == n, "output_shape has ", target.rank(),
            " entries; expected ", n);
    for (size_t i = 0; i < target.size(); ++i) out[i + 2] = target[i];
    return c.output(0, t, out);
  }
  for (size_t i = 0; i < n; ++i)
    out[i + 2] = spatial(w, i, data.has_rank() ? data[i + 2] : any_dim,
                         filter.has_rank() ? filter[first + 2 + i] : Dim(1, -1), more[i]);
  c.output(0, t, out);
}

static void evaluate(const EvalContext& c, size_t lead) {
  const Tensor data = c.input(0), filter = c.input(1);
  require(data.type() == filter.type(), "element types ", name(data.type()), " and ", name(filter.type()),
          " differ");
  if (data.rank() > 5) no_value("a convolution over ", data.rank() - 2, " dimensions");
  require(data.rank() >= 3 && filter.rank() == data.rank() + lead, "data of shape ", data.shape(),
          " and a filter of shape ", filter.shape(), " do not fit");
  const size_t n = data.rank() - 2;
  Window w = window_attrs(c, n, true, std::numeric_limits<int64_t>::min() / 4);
  const auto more = list_attr(c, "output_padding", n, 0, 0);
  const auto size = [](int64_t d) { return static_cast<size_t>(d); };
  ConvolutionPlan p;
  p.batch = size(data.dim(0));
  p.groups = lead == 0 ? 1 : size(filter.dim(0));
  p.in_channels = size(filter.dim(lead));
  p.out_channels = size(filter.dim(lead + 1));
  require(size(data.dim(1)) == p.groups * p.in_channels, "the data has ", data.dim(1),
          " channels but the filter is for ", p.groups * p.in_channels);
  std::vector<int64_t> in, kernel, out,
      dims{data.dim(0), detail::checked_mul(static_cast<int64_t>(p.groups), filter.dim(lead + 1))};
  if (c.has(2)) out = c.input(2).to_ints();
  require(!c.has(2) || out.size() == n, "output_shape has ", out.size(), " entries; expected ", n);
  for (size_t i = 0; i < n; ++i) {
    in.push_back(data.dim(i + 2));
    kernel.push_back(filter.dim(lead + i + 2));
    require(kernel[i] > 0, "the kernel has size 0 in spatial dimension ", i);
    const int64_t free = length(w, i, in[i], kernel[i], more[i]);
    if (!c.has(2)) {
      require(in[i] > 0 && free > 0, "spatial dimension ", i, " of the result would be ", free);
      out.push_back(free);
    } else {
      require(out[i] >= 0, "output_shape has entry ", i, " of ", out[i], "; expected 0 or more");
      // The pads follow from the size; the odd one is in front for same_upper. As the runtimes do, explicit
      // pads stand.
      const int64_t total = std::max<int64_t>(detail::checked_add(free, -out[i]), 0);
      if (w.auto_pad == AutoPad::same_upper) w.pads_begin[i] = total - total / 2;
      if (w.auto_pad == AutoPad::same_lower) w.pads_begin[i] = total / 2;
    }
    dims.push_back(out[i]);
  }
  plan_window(p, w, in, kernel, out, w.pads_begin);
  const Multiplier multiply(c.context());
  for_number(data.type(), [&](auto e) {
    using E = decltype(e);
    Results<E> result(c, dims, data.bytes());
    convolve_back(multiply, p, Numbers<E>(data).data(), Numbers<E>(filter).data(), result.data());
    c.output(0, result.tensor());
  });
}

static void schema(OpSchema& s, std::string_view doc) {
  s.doc(doc)
      .inputs({"data", "filter"}, Role::fixed)
      .optional_input("output_shape", Role::any)
      .takes_sizes()
      .flags(MO_OP_CHANNELS_FIRST)
      .outputs(1);
  add_window_attrs(s);
  s.optional_attr<std::vector<int64_t>>("output_padding");
}

// `lead`: dimensions of the filter before its input channels, which are so many in each of them.
static void symbols(const SymbolsContext& c, size_t lead) {
  std::optional<Symbol> channels;
  if (!c.dims(1) || c.dims(1)->size() < lead + 3) return;
  const Symbols& filter = *c.dims(1);
  const Symbol groups = lead == 0 ? Symbol::number(1) : filter[0];
  if (groups.is_number() && filter[lead + 1].is_number())
    channels = Symbol::number(groups.index * filter[lead + 1].index);
  window_symbols(c, channels);
}

}  // namespace convolving_back

struct ConvolutionBackpropData {
  static constexpr std::string_view type = "ConvolutionBackpropData", opset = "opset1";
  static void schema(OpSchema& s) {
    convolving_back::schema(s, "data [N,C,...], filter [C,O,...], [output_shape]");
  }
  static void infer(InferContext& c) { convolving_back::infer(c, 0); }
  static void symbols(SymbolsContext& c) { convolving_back::symbols(c, 0); }
  static void evaluate(EvalContext& c) { convolving_back::evaluate(c, 0); }
};

struct GroupConvolutionBackpropData {
  static constexpr std::string_view type = "GroupConvolutionBackpropData", opset = "opset1";
  static void schema(OpSchema& s) {
    convolving_back::schema(s, "data [N,G*C,...], filter [G,C,O,...], [output_shape]");
  }
  static void infer(InferContext& c) { convolving_back::infer(c, 1); }
  static void symbols(SymbolsContext& c) { convolving_back::symbols(c, 1); }
  static void evaluate(EvalContext& c) { convolving_back::evaluate(c, 1); }
};

void register_convolution_backprop(Registry& r) {
  r.operation<ConvolutionBackpropData>();
  r.operation<GroupConvolutionBackpropData>();
}

}  // namespace mo::opset
