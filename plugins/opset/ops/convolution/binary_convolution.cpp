// BinaryConvolution: data of 0 and 1 by a filter of bits; 0 stands for -1.
#include "support/buffers.hpp"
#include "support/convolving.hpp"

namespace mo::opset {

struct BinaryConvolution {
  static constexpr std::string_view type = "BinaryConvolution", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data [N,C,Y,X] of 0 and 1, filter [O,C,Y,X] of bits; 0 stands for -1")
        .input("data", Role::fixed, number_types)
        .input("filter", Role::fixed)
        .flags(MO_OP_CHANNELS_FIRST)
        .outputs(1);
    add_window_attrs(s);
    s.attr<std::string>("mode").one_of({"xnor-popcount"}).attr<double>("pad_value");
  }

  static void infer(InferContext& c) {
    if (c.type(1) != ElementType::unknown && c.type(1) != ElementType::u1)
      fail("the filter has element type ", name(c.type(1)), "; expected u1");
    const Shape data = c.shape(0), filter = c.shape(1);
    require_rank(data, "the data", 4);
    require_rank(filter, "the filter", 4);
    const Window w = window_attrs(c, 2);
    Shape out = Shape::of_rank(4);
    if (data.has_rank()) out[0] = data[0];
    if (filter.has_rank()) out[1] = filter[0];
    if (data.has_rank() && filter.has_rank())
      same_dim(data[1], filter[1], "channels of the data and the filter");
    for (size_t i = 0; i < 2; ++i)
      out[i + 2] = window_places(w, i, data.has_rank() ? data[i + 2] : any_dim,
                                 filter.has_rank() ? filter[i + 2] : Dim(1, -1));
    c.output(0, c.type(0), out);
  }

  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0), filter = c.input(1);
    require(data.rank() == 4 && filter.rank() == 4 && data.dim(1) == filter.dim(1), "data of shape ",
            data.shape(), " and a filter of shape ", filter.shape(), " do not fit");
    require(filter.type() == ElementType::u1, "the filter has element type ", name(filter.type()),
            "; expected u1");
    const Window w = window_attrs(c, 2);
    std::vector<int64_t> in, kernel, out, pads, dims{data.dim(0), filter.dim(0)};
    for (size_t i = 0; i < 2; ++i) {
      in.push_back(data.dim(i + 2));
      kernel.push_back(filter.dim(i + 2));
      out.push_back(window_places(w, i, in[i], kernel[i]).value());
      pads.push_back(window_pads(w, i, in[i], kernel[i]).first);
      dims.push_back(out[i]);
    }
    ConvolutionPlan p;
    p.batch = static_cast<size_t>(data.dim(0));
    p.in_channels = static_cast<size_t>(data.dim(1));
    p.out_channels = static_cast<size_t>(filter.dim(0));
    plan_window(p, w, in, kernel, out, pads);
    const Multiplier multiply(c.context());
    const Signs bits(data, filter);
    for_number(data.type(), [&](auto e) { finish<decltype(e)>(c, p, multiply, bits, dims); });
  }

 private:
  // +1 and -1.
  struct Signs {
    std::vector<double> data, filter, ones;
    Signs(const Tensor& d, const Tensor& f) {
      for (size_t i = 0, n = d.size(); i < n; ++i) data.push_back(d.number(i) != 0 ? 1 : -1);
      for (size_t i = 0, n = f.size(); i < n; ++i) filter.push_back(f.integer(i) != 0 ? 1 : -1);
      ones.assign(d.rank() == 4 && d.dim(0) > 0 ? d.size() / static_cast<size_t>(d.dim(0)) : 0, 1.0);
    }
  };

  template <class E>
  static void finish(const EvalContext& c, ConvolutionPlan p, const Multiplier& multiply, const Signs& s,
                     const std::vector<int64_t>& dims) {
    const double pad_value = c.attr<double>("pad_value"), pad = pad_value == 0 ? -1 : pad_value;
    Results<F64> sum(c, dims, s.data.size());
    convolve(multiply, p, s.data.data(), s.filter.data(), sum.data());
    // What the filter sees of the data itself; the rest of it lies in the padding.
    Results<F64> inside(c, {1, dims[1], dims[2], dims[3]}, s.data.size());
    p.batch = p.batch == 0 ? 0 : 1;
    convolve(multiply, p, s.ones.data(), s.filter.data(), inside.data());
    Results<E> out(c, dims, s.data.size());
    const size_t image = inside.size(), places = image / std::max<size_t>(p.out_channels, 1);
    const size_t weights = s.filter.size() / std::max<size_t>(p.out_channels, 1);
    std::vector<double> total(p.out_channels);
    for (size_t i = 0; i < s.filter.size(); ++i) total[i / weights] += s.filter[i];
    for (size_t i = 0; i < out.size(); ++i) {
      const double v = sum[i] + pad * (total[i % image / places] - inside[i % image]);
      if constexpr (E::is_float)
        out[i] = static_cast<typename E::computed>(v);
      else
        out[i] = static_cast<typename E::computed>(static_cast<int64_t>(v));
    }
    c.output(0, out.tensor());
  }
};

void register_binary_convolution(Registry& r) { r.operation<BinaryConvolution>(); }

}  // namespace mo::opset
