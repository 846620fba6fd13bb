// Convolutions. TensorFlow has the filters as [spatial…, in, out].
#include "support/known.hpp"
#include "support/windows.hpp"

namespace mo::tensorflow {

namespace convolving {

static void set_attributes(const Node& c, const SourceNode& n, const Layout& l) {
  c.set("strides", native_spatial_part(n, l, "strides"));
  c.set("dilations", native_spatial_part(n, l, "dilations"));
  set_padding(c, read_padding(n, l));
}

// [spatial…, in, out] becomes [out, in, spatial…].
static OutPort filters_first(const Build& b, const OutPort& w, size_t spatial) {
  Ints order{static_cast<int64_t>(spatial) + 1, static_cast<int64_t>(spatial)};
  for (size_t i = 0; i < spatial; ++i) order.push_back(static_cast<int64_t>(i));
  return b.transpose(w, order);
}

static void require_filter(const OutPort& w, size_t rank) {
  const Shape s = w.shape();
  require(!s.has_rank() || s.size() == rank, "the filter has shape ", s, ", expected rank ", rank);
}

// With filters for less channels than the data has, the channels are convolved in groups.
static int64_t groups(const Build& b, const Layout& l) {
  const auto channels = [&](size_t input, size_t axis) -> int64_t {
    const Shape s = b.in(input).shape();
    return s.has_rank() && axis < s.size() && s[axis].is_static() ? s[axis].value() : 0;
  };
  if (channels(1, l.spatial) == 0 || channels(0, l.channel_axis()) == 0) b.graph().infer_marked();
  const int64_t of_filter = channels(1, l.spatial), of_data = channels(0, l.channel_axis());
  if (of_filter == 0 || of_data == 0 || of_data == of_filter) return 1;
  require(of_data % of_filter == 0, "the data has ", of_data, " channels, but the filter is for ", of_filter);
  return of_data / of_filter;
}

// [out, in / groups, spatial…] becomes [groups, out / groups, in / groups, spatial…].
static OutPort in_groups(const Build& b, const OutPort& w, int64_t groups) {
  const OutPort rest = b.part(b.shape_of(w), 1, INT64_MAX);
  return b.reshape(w, b.concat({b.list({groups, -1}), rest}));
}

}  // namespace convolving

static Ports convolution(Build& b, const SourceNode& n) {
  const Layout l = read_layout(n);
  convolving::require_filter(b.in(1), l.spatial + 2);
  const int64_t groups = convolving::groups(b, l);
  OutPort w = convolving::filters_first(b, b.in(1), l.spatial);
  if (groups != 1) w = convolving::in_groups(b, w, groups);
  const Node c = b.node(groups == 1 ? "Convolution" : "GroupConvolution", "opset1",
                        {to_channels_first(b, l, b.in(0)), w});
  convolving::set_attributes(c, n, l);
  return {from_channels_first(b, l, c.out_port())};
}

// Filters [height, width, in, multiplier] become [in, multiplier, 1, height, width].
static OutPort depthwise_filters(const Build& b, const OutPort& w) {
  convolving::require_filter(w, 4);
  return b.unsqueeze(b.transpose(w, {2, 3, 0, 1}), b.list({2}));
}

static Ports depthwise_convolution(Build& b, const SourceNode& n) {
  const Layout l = read_layout(n);
  const Node c =
      b.node("GroupConvolution", "opset1", {to_channels_first(b, l, b.in(0)), depthwise_filters(b, b.in(1))});
  convolving::set_attributes(c, n, l);
  return {from_channels_first(b, l, c.out_port())};
}

// The gradient of a convolution for its input, which decoders use: (shape of the result, filters, data).
static Ports transposed(Build& b, const SourceNode& n, const Layout& l, const OutPort& w, bool grouped) {
  const auto first = static_cast<int64_t>(l.first_spatial()), end = first + static_cast<int64_t>(l.spatial);
  const auto sizes = constant_ints(b, 0);
  OutPort spatial;
  if (sizes && sizes->size() == l.spatial)
    spatial = b.list(*sizes);
  else if (sizes && sizes->size() == l.spatial + 2)
    spatial = b.list(Ints(sizes->begin() + first, sizes->begin() + end));
  else
    spatial = b.part(b.in(0), first, end);
  const Node c = b.node(grouped ? "GroupConvolutionBackpropData" : "ConvolutionBackpropData", "opset1",
                        {to_channels_first(b, l, b.in(2)), w, spatial});
  convolving::set_attributes(c, n, l);
  // What is cut off is shared the other way round: the odd one is at the end.
  if (n.native<std::string>("padding") == "SAME") c.set("auto_pad", "same_lower");
  c.set("output_padding", Ints(l.spatial, 0));
  return {from_channels_first(b, l, c.out_port())};
}

static Ports transposed_convolution(Build& b, const SourceNode& n) {
  const Layout l = read_layout(n);
  convolving::require_filter(b.in(1), l.spatial + 2);
  return transposed(b, n, l, convolving::filters_first(b, b.in(1), l.spatial), false);
}

static Ports transposed_depthwise_convolution(Build& b, const SourceNode& n) {
  return transposed(b, n, read_layout(n), depthwise_filters(b, b.in(1)), true);
}

namespace {

// Whether there are groups is known by the channels of the data, so what comes before a convolution is
// replaced first (support/build.hpp), and is inferred.
class ReplaceConvolutions : public FrontReplacementPattern {
 public:
  ReplaceConvolutions() {
    id = "tf.front.convolutions";
    doc = "what Conv2D and Conv3D mean, in operations of the operation sets";
    before = "Conv2D(x, w)";
    after = "Convolution(x, Transpose(w)) between Transposes; GroupConvolution for fewer channels";
    frameworks = {"tf"};
  }
  void find_and_replace_pattern(Graph g) override {
    for (const Node& n : g.topological()) {
      const std::string op = n.op();
      if (!n.opset().empty() || (op != "Conv2D" && op != "Conv3D")) continue;
      try {
        replace_convolution(g, n);
      } catch (const Error& e) {
        throw Error(e.what(), e.status(), e.where() != 0 ? e.where() : n.id());
      }
    }
  }

 private:
  static void replace_convolution(const Graph& g, const Node& n) {
    Build b(g, n);
    const Ports ports = convolution(b, SourceNode(n));
    require_outputs(n, ports);
    replace_node(n, ports);
  }
};

}  // namespace

void register_conv(Registry& r) {
  r.transformation<ReplaceConvolutions>();
  replace<depthwise_convolution>(r, {"DepthwiseConv2dNative", "DepthwiseConv2dNative(x, w)",
                                     "GroupConvolution(x, Unsqueeze(Transpose(w))) between Transposes"});
  const auto back = "ConvolutionBackpropData(x, Transpose(w), size) between Transposes";
  replace<transposed_convolution>(r, {"Conv2DBackpropInput", "Conv2DBackpropInput(shape, w, x)", back});
  replace<transposed_convolution>(r, {"Conv3DBackpropInputV2", "Conv3DBackpropInputV2(shape, w, x)", back});
  replace<transposed_depthwise_convolution>(
      r, {"DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropInput(shape, w, x)",
          "GroupConvolutionBackpropData(x, Unsqueeze(Transpose(w)), size) between Transposes"});
}

}  // namespace mo::tensorflow
