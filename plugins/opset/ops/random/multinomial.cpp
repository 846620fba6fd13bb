// Multinomial: classes drawn by their probabilities, of which each row of the input holds a batch. The random
// numbers are those of RandomUniform in f64 for the same seeds.
#include "support/elements.hpp"
#include "support/inference.hpp"
#include "support/random.hpp"

namespace mo::opset {

namespace multinomial {

// The sums of the first probabilities, as parts of the sum of all.
static std::vector<double> shares(std::vector<double> p) {
  double sum = 0;
  for (double& v : p) v = sum += v;
  for (double& v : p) v /= sum;
  return p;
}
static size_t drawn(const std::vector<double>& shares, double at) {
  size_t k = 0;
  while (k + 1 < shares.size() && !(at <= shares[k])) ++k;
  return k;
}
static void check(const Dim& samples, const Dim& classes, bool with_replacement) {
  if (classes.is_unbounded()) return;
  require(with_replacement || samples.min <= classes.max, "num_samples is ", samples, " but there are ",
          classes, " classes, of which none is drawn twice");
  require(samples.min == 0 || classes.max > 0, "num_samples is ", samples, " but there are no classes");
}

}  // namespace multinomial

struct Multinomial {
  static constexpr std::string_view type = "Multinomial", opset = "opset13";
  static void schema(OpSchema& s) {
    s.doc("probabilities, num_samples: classes drawn at random")
        .input("probabilities", Role::fixed, float_types)
        .input("num_samples", Role::any, integer_types)
        .takes_sizes()
        .outputs(1)
        .flags(MO_OP_NO_FOLD);
    s.attr<ElementType>("convert_type").attr<bool>("with_replacement").attr<bool>("log_probs");
    s.attr<int64_t>("global_seed", 0).attr<int64_t>("op_seed", 0);
  }
  static void infer(InferContext& c) {
    const ElementType t = index_type_attr(c, "convert_type");
    int_attr(c, "global_seed", 0);
    int_attr(c, "op_seed", 0);
    const Shape in = c.shape(0);
    require_rank(in, "the probabilities", 2);
    require_rank(c.shape(1), "num_samples", 0, 1);
    require_elements(c, 1, "num_samples", 1);
    const Interval samples = intervals_or_unknown(c, 1, 1)[0];
    require(samples.hi >= 0, "num_samples is ", samples.hi, "; expected 0 or more");
    const Dim classes = in.has_rank() ? in[1] : any_dim;
    const bool repeats = c.attr<bool>("with_replacement");
    multinomial::check(samples.to_dim(), classes, repeats);
    Dim n = samples.to_dim();
    if (!repeats && !classes.is_unbounded()) n = intersect(n, Dim(0, classes.max)).value();
    const Shape out{in.has_rank() ? in[0] : any_dim, n};
    c.output(0, t, out);
    if (!may_have_bounds(t, out) || classes.is_unbounded() || classes.max < 2) return;
    c.output_bounds(0,
                    std::vector<Dim>(static_cast<size_t>(out.elements().value()), Dim(0, classes.max - 1)));
  }
  static void evaluate(EvalContext& c) {
    const ElementType t = index_type_attr(c, "convert_type");
    const Tensor in = c.input(0);
    const int64_t samples = c.input(1).to_ints().at(0);
    require(in.rank() == 2 && samples >= 0, "probabilities of shape ", in.shape(), ", num_samples ", samples);
    const bool repeats = c.attr<bool>("with_replacement"), logs = c.attr<bool>("log_probs");
    multinomial::check(Dim(samples), Dim(in.dim(1)), repeats);
    const auto out = create_grown(c, t, {in.dim(0), samples}, in.bytes());
    Philox next(static_cast<uint64_t>(c.attr<int64_t>("global_seed")),
                static_cast<uint64_t>(c.attr<int64_t>("op_seed")));
    const auto classes = static_cast<size_t>(in.dim(1)), per_row = static_cast<size_t>(samples);
    for (size_t row = 0; row < static_cast<size_t>(in.dim(0)) && per_row > 0; ++row) {
      std::vector<double> p(classes);
      for (size_t k = 0; k < classes; ++k) {
        const double v = in.number(row * classes + k);
        require(logs || (v >= 0 && std::isfinite(v)), "a probability is ", v, "; expected 0 or more");
        p[k] = logs ? std::exp(v) : v;
      }
      auto shares = multinomial::shares(p);
      for (size_t i = 0; i < per_row; ++i) {
        const uint32_t high = next(), low = next();
        const size_t k = multinomial::drawn(shares, philox_double(high, low));
        store_number(out.second, t, row * per_row + i, static_cast<double>(k));
        if (repeats) continue;
        p[k] = 0;
        shares = multinomial::shares(p);
      }
    }
    c.output(0, out.first);
  }
};

void register_multinomial(Registry& r) { r.operation<Multinomial>(); }

}  // namespace mo::opset
