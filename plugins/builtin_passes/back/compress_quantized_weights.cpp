// Weights that pass a FakeQuantize are stored as its levels, in 8 bits, or 4 where these do:
//   FakeQuantize(w, low, high, low, high)  ->  Multiply(Subtract(Convert(levels), zero), scale)
#include "support/linear_steps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mo::builtin_passes {

class CompressQuantizedWeights : public MatcherPass {
 public:
  CompressQuantizedWeights() : MatcherPass(MO_PHASE_BACK) {
    id = "back.compress_quantized_weights";
    doc = "weights that pass a FakeQuantize are stored in 8 or 4 bits";
    before = R"(
      %x = Parameter -> f32[1,2]
      %w = Const -> f32[2,2] {-5,0.1,0.7,3}
      %low = Const -> f32[] {-1}
      %high = Const -> f32[] {1}
      %q = FakeQuantize@opset1 (%w, %low, %high, %low, %high) {levels=255, stop_value_propagation=true}
      %y = MatMul@opset1 (%x, %q) {transpose_a=false, transpose_b=false}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2]
      %w = Const -> i8[2,2] {-127,13,89,127}
      %f = Convert@opset1 (%w) {destination_type=f32, stop_value_propagation=true}
      %s = Const -> f32[] {0.007874016}
      %q = Multiply@opset1 (%f, %s)
      %y = MatMul@opset1 (%x, %q) {transpose_a=false, transpose_b=false}
      Result (%y))";
    run_after = {"back.fuse_linear_ahead"};  // scales limits
    force_clean_up = true;
    register_matcher(
        wrap_type({"FakeQuantize"}, {constant(), any_input(), any_input(), any_input(), any_input()}),
        [](const Graph& g, const Match& m) {
          look_at(m.root());
          compress(g, m.root());
        });
  }
  bool graph_condition(Graph g) override {
    return !option<bool>(g.context(), "disable_weights_compression").value_or(false);
  }

 private:
  using QuantizedDims = std::vector<int64_t>;

  // Numbers of a constant, with the positions at which they go with elements of a larger tensor.
  class SpreadLimit {
   public:
    SpreadLimit(const Tensor& t, const QuantizedDims& dims) : values_(t.to_floats<double>()) {
      steps_.assign(dims.size(), 0);
      size_t step = 1;
      for (size_t i = t.rank(); i-- > 0;) {
        if (t.dim(i) != 1) steps_[dims.size() - t.rank() + i] = step;
        step *= static_cast<size_t>(t.dim(i));
      }
    }
    double at(const std::vector<size_t>& index) const {
      if (values_.size() == 1) return values_.front();
      return values_[std::inner_product(index.begin(), index.end(), steps_.begin(), size_t{0})];
    }

   private:
    std::vector<double> values_;
    std::vector<size_t> steps_;
  };

  static void look_at(const Node& n) {
    const int64_t levels = n.attr<int64_t>("levels", 2);
    only_when(levels >= 3 && levels <= 256, "it has ", levels, " levels; from 3 to 256 of them are stored");
    only_when(n.attr<std::string>("auto_broadcast", "numpy") == "numpy",
              "its limits are not spread as numpy does");
    for (const InPort& in : n.in_ports()) {
      const OutPort source = in.get_source();
      only_when(source.node().is("Const"), "input ", in.index(),
                " is computed; all limits have to be constants");
      only_when(is_float(source.type()) && bits(source.type()) >= 16, "input ", in.index(), " is of type ",
                name(source.type()));
    }
    const OutPort data = n.in_port(0).get_source();
    const Shape shape = data.shape();
    only_when(shape == n.out_port().shape(), "its limits spread the weights, which are ", shape);
    only_when(data.value()->size() != 0, "there are no weights in it");
    only_when(only_reader_of(data).has_value(), "its weights are read elsewhere, too");
  }

  static void compress(const Graph& g, const Node& n) {
    const Context c = g.context();
    const int64_t levels = n.attr<int64_t>("levels");
    const auto dims = n.out_port().shape().to_static();
    // As many of them below zero as above, or one more.
    const double lowest = -static_cast<double>(levels / 2);
    const auto low = n.in_port(3).value(), high = n.in_port(4).value();
    const auto list = limit_dims(*low, *high);
    only_when(list.has_value(), "its limits are ", low->shape(), " and ", high->shape(),
              ", which do not fit");
    std::vector<double> scale, zero;
    for_each(*list, [&, from = SpreadLimit(*low, *list), to = SpreadLimit(*high, *list)](const auto& index) {
      const double bottom = from.at(index), s = (to.at(index) - bottom) / static_cast<double>(levels - 1);
      const double z = bottom == 0 && s == 0 ? 0 : lowest - bottom / s;
      // Limits are rounded, the zero point of most quantizers is an integer.
      const bool nearly = std::abs(z - std::round(z)) <= static_cast<double>(levels) * 0x1p-21;
      scale.push_back(s);
      zero.push_back(nearly ? std::round(z) : z);
    });
    const ElementType type = n.out_port().type();
    only_when(holds_factors(type, scale) && holds_terms(type, zero), "scales or zero points are beyond ",
              name(type));

    const Node stored = g.create_const(n.in_node(0).name() + "/levels", stored_levels(c, n, levels, lowest));
    const Node convert = g.create_node("Convert", "opset1", n.name() + "/Convert", {stored.out_port()});
    convert.set("destination_type", type).set(MO_ATTR_STOP_VALUE, true);
    OutPort y = convert.out_port();
    std::vector<Node> made{convert};
    const auto apply = [&](std::string_view op, std::string_view what, const std::vector<double>& values) {
      const Node constant = g.create_const(text(n.name(), '/', what), Tensor::filled(c, type, values, *list));
      made.push_back(g.create_node(op, "opset1", text(n.name(), '/', op), {y, constant.out_port()}));
      y = made.back().out_port();
    };
    if (!are_all(zero, 0)) apply("Subtract", "zero_point", zero);
    apply("Multiply", "scale", scale);
    for (const Node& m : made) m.out_port().set_shape(type, n.out_port().shape());
    copy_runtime_info({n}, made);
    replace_node(n, std::vector<OutPort>{y});
  }

  // What limits of these shapes are spread over; nothing when they do not fit.
  static std::optional<QuantizedDims> limit_dims(const Tensor& a, const Tensor& b) {
    QuantizedDims dims(std::max(a.rank(), b.rank()), 1);
    for (const Tensor* t : {&a, &b})
      for (size_t i = 0; i < t->rank(); ++i) {
        int64_t& d = dims[dims.size() - t->rank() + i];
        if (t->dim(i) != 1 && d != 1 && d != t->dim(i)) return std::nullopt;
        if (t->dim(i) != 1) d = t->dim(i);
      }
    return dims;
  }

  template <class F>
  static void for_each(const QuantizedDims& dims, F f) {
    std::vector<size_t> index(dims.size(), 0);
    size_t count = 1;
    for (const int64_t d : dims) count *= static_cast<size_t>(d);
    for (size_t k = 0; k < count; ++k) {
      f(index);
      for (size_t i = dims.size(); i-- > 0;) {
        if (++index[i] < static_cast<size_t>(dims[i])) break;
        index[i] = 0;
      }
    }
  }

  static Tensor stored_levels(Context c, const Node& n, int64_t levels, double lowest) {
    const Tensor w = *n.in_port(0).value();
    const auto dims = w.dims();
    const SpreadLimit in_low(*n.in_port(1).value(), dims), in_high(*n.in_port(2).value(), dims);
    const bool small = levels <= 16;
    auto [t, data] = Tensor::create_bytes(c, small ? ElementType::i4 : ElementType::i8, dims);
    auto* bytes = static_cast<uint8_t*>(data);
    size_t i = 0;
    for_each(dims, [&](const auto& index) {
      const double x = w.number(i), low = in_low.at(index), high = in_high.at(index);
      double level = 0;
      if (x > std::max(low, high))
        level = static_cast<double>(levels - 1);
      else if (x > std::min(low, high))
        level = std::nearbyint((x - low) / (high - low) * static_cast<double>(levels - 1));
      const auto stored = static_cast<int8_t>(level + lowest);
      if (small)
        bytes[i / 2] |= static_cast<uint8_t>((static_cast<unsigned>(stored) & 15U) << (i % 2 * 4));
      else
        bytes[i] = static_cast<uint8_t>(stored);
      ++i;
    });
    return std::move(t);
  }
};

void register_compress_quantized_weights(Registry& r) {
  r.option("disable_weights_compression", MO_OPTION_FLAG,
           "weights that pass a FakeQuantize are stored as they are, and not in 8 or 4 bits");
  r.transformation<CompressQuantizedWeights>();
}

}  // namespace mo::builtin_passes
