// Convolution [N, C, …] * [O, C, …] and GroupConvolution [N, G*C, …] * [G, O, C, …].
#include "support/window.hpp"

namespace mo::opset {

namespace convolving {

// `lead`: dimensions of the filter before the output channels: 0, or 1 for groups.
static void infer(const InferContext& c, int64_t lead) {
  const ElementType t = common_type(c, {0, 1});
  require_number(c, 0);
  const Shape data = c.shape(0), filter = c.shape(1);
  require_rank(data, "the data", 3, std::numeric_limits<int64_t>::max());
  require_rank(filter, "the filter", 3 + lead, std::numeric_limits<int64_t>::max());
  int64_t rank = data.has_rank() ? data.rank() : filter.has_rank() ? filter.rank() - lead : -1;
  if (rank < 0) rank = static_cast<int64_t>(c.attr<std::vector<int64_t>>("strides").size()) + 2;
  if (rank < 3) return c.output(0, t, Shape::unknown());
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
  }
  for (size_t i = 0; i < spatial; ++i)
    out[i + 2] = window_places(w, i, data.has_rank() ? data[i + 2] : any_dim,
                               filter.has_rank() ? filter[first + 2 + i] : Dim(1, -1));
  c.output(0, t, out);
}

}  // namespace convolving

struct Convolution {
  static constexpr std::string_view type = "Convolution", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data [N,C,...], filter [O,C,...]").inputs(2).outputs(1);
    add_window_attrs(s);
  }
  static void infer(InferContext& c) { convolving::infer(c, 0); }
};

struct GroupConvolution {
  static constexpr std::string_view type = "GroupConvolution", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data [N,G*C,...], filter [G,O,C,...]").inputs(2).outputs(1);
    add_window_attrs(s);
  }
  static void infer(InferContext& c) { convolving::infer(c, 1); }
};

void register_convolution(Registry& r) {
  r.operation<Convolution>();
  r.operation<GroupConvolution>();
}

}  // namespace mo::opset
