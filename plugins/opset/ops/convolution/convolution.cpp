// Convolution [N, C, …] * [O, C, …] and GroupConvolution [N, G*C, …] * [G, O, C, …].
#include "support/buffers.hpp"
#include "support/convolving.hpp"
#include "support/symbols.hpp"

namespace mo::opset {

namespace convolving {

// `lead`: dimensions of the filter before the output channels: 0, or 1 for groups.
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
  const size_t spatial = static_cast<size_t>(rank) - 2, first = static_cast<size_t>(lead);
  const Window w = window_attrs(c, spatial, true, std::numeric_limits<int64_t>::min() / 4);

  Shape out = Shape::of_rank(spatial + 2);
  if (data.has_rank()) out[0] = data[0];
  if (filter.has_rank()) {
    out[1] = lead == 0 ? filter[0] : filter[0] * filter[1];
    const Dim channels = lead == 0 ? filter[1] : filter[0] * filter[2];
    if (data.has_rank() && !channels.overlaps(data[1]))
      fail("the data has ", data[1], " channels but the filter is for ", channels);
    if (data.has_rank() && lead != 0)
      out[1] = factor_of(data[1], filter[0], filter[2], "channels of the data") * filter[1];
  }
  for (size_t i = 0; i < spatial; ++i)
    out[i + 2] = window_places(w, i, data.has_rank() ? data[i + 2] : any_dim,
                               filter.has_rank() ? filter[first + 2 + i] : Dim(1, -1));
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
  const Window w = window_attrs(c, n, true, std::numeric_limits<int64_t>::min() / 4);
  const auto size = [](int64_t d) { return static_cast<size_t>(d); };
  ConvolutionPlan p;
  p.batch = size(data.dim(0));
  p.groups = lead == 0 ? 1 : size(filter.dim(0));
  p.out_channels = size(filter.dim(lead));
  p.in_channels = size(filter.dim(lead + 1));
  require(size(data.dim(1)) == p.groups * p.in_channels, "the data has ", data.dim(1),
          " channels but the filter is for ", p.groups * p.in_channels);
  std::vector<int64_t> in, kernel, out, pads,
      dims{data.dim(0), detail::checked_mul(static_cast<int64_t>(p.groups), filter.dim(lead))};
  for (size_t i = 0; i < n; ++i) {
    in.push_back(data.dim(i + 2));
    kernel.push_back(filter.dim(lead + i + 2));
    out.push_back(window_places(w, i, Dim(in[i]), Dim(kernel[i])).value());
    pads.push_back(window_pads(w, i, in[i], kernel[i]).first);
    dims.push_back(out[i]);
  }
  plan_window(p, w, in, kernel, out, pads);
  const Multiplier multiply(c.context());
  for_number(data.type(), [&](auto e) {
    using E = decltype(e);
    Results<E> result(c, dims, data.bytes());
    convolve(multiply, p, Numbers<E>(data).data(), Numbers<E>(filter).data(), result.data());
    c.output(0, result.tensor());
  });
}

// `lead`: dimensions of the filter before its output channels, which are so many in each of them.
static void symbols(const SymbolsContext& c, size_t lead) {
  std::optional<Symbol> channels;
  if (!c.dims(1) || c.dims(1)->size() < 3) return;
  const Symbols& filter = *c.dims(1);
  if (filter[0].is_number() && filter[1].is_number())
    channels = Symbol::number(lead == 0 ? filter[0].index : filter[0].index * filter[1].index);
  window_symbols(c, channels);
}

}  // namespace convolving

struct Convolution {
  static constexpr std::string_view type = "Convolution", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data [N,C,...], filter [O,C,...]")
        .inputs({"data", "filter"}, Role::fixed)
        .flags(MO_OP_CHANNELS_FIRST)
        .outputs(1);
    add_window_attrs(s);
  }
  static void infer(InferContext& c) { convolving::infer(c, 0); }
  static void symbols(SymbolsContext& c) { convolving::symbols(c, 0); }
  static void evaluate(EvalContext& c) { convolving::evaluate(c, 0); }
};

struct GroupConvolution {
  static constexpr std::string_view type = "GroupConvolution", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data [N,G*C,...], filter [G,O,C,...]")
        .inputs({"data", "filter"}, Role::fixed)
        .flags(MO_OP_CHANNELS_FIRST)
        .outputs(1);
    add_window_attrs(s);
  }
  static void infer(InferContext& c) { convolving::infer(c, 1); }
  static void symbols(SymbolsContext& c) { convolving::symbols(c, 1); }
  static void evaluate(EvalContext& c) { convolving::evaluate(c, 1); }
};

void register_convolution(Registry& r) {
  r.operation<Convolution>();
  r.operation<GroupConvolution>();
}

}  // namespace mo::opset
