// FakeQuantize: data, input_low, input_high, output_low, output_high.
#include "support/combining.hpp"

namespace mo::opset {

struct FakeQuantize {
  static constexpr std::string_view type = "FakeQuantize", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("rounded to one of `levels` values between the limits")
        .input("data", Role::data, float_types)
        .inputs({"input_low", "input_high", "output_low", "output_high"}, Role::spread)
        .keeps_shape()
        .outputs(1)
        .attr<int64_t>("levels");
    add_auto_broadcast(s);
  }
  static void ir_attrs(const Node& n, IrAttributes&) { check_broadcast(n); }
  static void infer(InferContext& c) {
    int_attr(c, "levels", 2);
    Shape out = c.shape(0);
    const auto mode = c.attr<std::string>("auto_broadcast");
    for (size_t i = 1; i < 5; ++i) {
      const Shape limit = c.shape(i);
      const auto both = mode == "none" ? merge(out, limit)
                                       : broadcast(out, mode == "pdpd" ? align_pdpd(out, limit, -1) : limit);
      if (!both) fail("limits of shape ", limit, " do not fit data of shape ", c.shape(0));
      out = *both;
    }
    c.output(0, common_type(c, {0, 1, 2, 3, 4}), out);
  }
  static void evaluate(EvalContext& c) {
    std::array<Tensor, 5> in;
    std::array<Dims, 5> dims;
    for (size_t i = 0; i < 5; ++i) {
      in[i] = c.input(i);
      require(in[i].type() == in[0].type(), "input ", i, " is ", name(in[i].type()), "; expected ",
              name(in[0].type()));
      dims[i] = in[i].dims();
    }
    const auto steps_count = static_cast<double>(int_attr(c, "levels", 2) - 1);
    const Walk<5> walk(dims);
    c.output(0, combined<5>(c, in, walk, in[0].type(), for_float(in[0].type(), [&](auto e) {
                              return RowOf<5>(Row<decltype(e)>{steps_count});
                            })));
  }

 private:
  using Dims = std::vector<int64_t>;

  template <class E>
  struct Row {
    double steps_count;
    void operator()(const std::array<const char*, 5>& in, const std::array<size_t, 5>& step, char* out,
                    size_t n) const {
      for (size_t i = 0; i < n; ++i) {
        const auto v = [&](size_t k) { return static_cast<double>(E::get(in[k], i * step[k])); };
        const double x = v(0), low = v(1), high = v(2), to_low = v(3), to_high = v(4);
        double y;
        if (x <= std::min(low, high))
          y = to_low;
        else if (x > std::max(low, high))
          y = to_high;
        else
          y = std::nearbyint((x - low) / (high - low) * steps_count) / steps_count * (to_high - to_low) +
              to_low;
        E::put(out, i, static_cast<typename E::computed>(y));
      }
    }
  };
};

void register_fake_quantize(Registry& r) { r.operation<FakeQuantize>(); }

}  // namespace mo::opset
