// RandomUniform: numbers from minval to below maxval, those of TensorFlow or of PyTorch for the same seeds.
// Two seeds of 0 allow any numbers: here they are seeds like others.
#include "support/elements.hpp"
#include "support/inference.hpp"
#include "support/limits.hpp"
#include "support/random.hpp"

namespace mo::opset {

namespace uniform {

static ElementType type_of(const OpContext& c) {
  const auto t = c.attr<ElementType>("output_type");
  const bool ok = (is_float(t) && bits(t) >= 16) || t == ElementType::i32 || t == ElementType::i64;
  require(ok, "attribute 'output_type' is ", name(t), "; expected f16, bf16, f32, f64, i32 or i64");
  return t;
}
static bool like_pytorch(const OpContext& c) {
  return c.find_attr<std::string>("alignment").value_or("TENSORFLOW") == "PYTORCH" ||
         c.find_attr<std::string>("alignment") == "pytorch";
}

// What the type of the elements makes of each step of the arithmetic.
template <class E>
typename E::computed rounded(typename E::computed v) {
  if constexpr (E::type == ElementType::f16) return half_to_float(float_to_half(v));
  if constexpr (E::type == ElementType::bf16) return bfloat_to_float(float_to_bfloat(v));
  return v;
}
template <class E>
constexpr int fraction_bits() {
  return E::type == ElementType::f64   ? 52
         : E::type == ElementType::f32 ? 23
         : E::type == ElementType::f16 ? 10
                                       : 7;
}

// A number of 0 to 1, without 1.
template <class E, class Next>
typename E::computed fraction(Next& next, bool pytorch) {
  using T = typename E::computed;
  const int width = fraction_bits<E>() + (pytorch ? 1 : 0);
  uint64_t v = next();
  if constexpr (E::type == ElementType::f64) v = v << 32 | next();
  v &= (uint64_t{1} << width) - 1;
  return static_cast<T>(std::ldexp(static_cast<double>(v), -width));
}
template <class E, class Next>
void fill_floats(void* out, size_t n, typename E::computed low, typename E::computed high, Next next,
                 bool pytorch) {
  const auto range = pytorch ? static_cast<typename E::computed>(high - low) : rounded<E>(high - low);
  for (size_t i = 0; i < n; ++i) {
    const auto x = fraction<E>(next, pytorch);
    const auto scaled = pytorch ? static_cast<typename E::computed>(x * range) : rounded<E>(x * range);
    E::put(out, i, scaled + low);
  }
}

// The remainder of a division of one random number, or of two, by the length of the range.
template <class E, class Next>
void fill_integers(void* out, size_t n, int64_t low, int64_t high, Next next, bool pytorch) {
  const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  constexpr int64_t most = std::numeric_limits<uint32_t>::max();
  const bool one = E::type == ElementType::i32 || (pytorch && low <= most && high <= most);
  for (size_t i = 0; i < n; ++i) {
    uint64_t v = next();
    if (!one) v = pytorch ? v << 32 | next() : v | uint64_t{next()} << 32;
    E::put(out, i, static_cast<typename E::computed>(v % range + static_cast<uint64_t>(low)));
  }
}

template <class E, class Next>
void fill(void* out, size_t n, const Tensor& low, const Tensor& high, Next next, bool pytorch) {
  if constexpr (E::is_float) {
    require(E::get(low.data(), 0) <= E::get(high.data(), 0), "minval is ", low.number(0), " and maxval ",
            high.number(0), "; expected a greater one");
    fill_floats<E>(out, n, E::get(low.data(), 0), E::get(high.data(), 0), next, pytorch);
  } else {
    require(low.integer(0) < high.integer(0), "minval is ", low.integer(0), " and maxval ", high.integer(0),
            "; expected a greater one");
    fill_integers<E>(out, n, low.integer(0), high.integer(0), next, pytorch);
  }
}

}  // namespace uniform

struct RandomUniform {
  static constexpr std::string_view type = "RandomUniform", opset = "opset8";
  static void schema(OpSchema& s) {
    s.doc("shape, minval, maxval: random numbers between these")
        .input("shape", Role::any)
        .takes_sizes()
        .inputs({"min_value", "max_value"}, Role::any)
        .outputs(1)
        .flags(MO_OP_NO_FOLD);
    s.attr<ElementType>("output_type").attr<int64_t>("global_seed", 0).attr<int64_t>("op_seed", 0);
    s.optional_attr<std::string>("alignment")
        .one_of({"TENSORFLOW", "PYTORCH", "tensorflow", "pytorch"});  // the runtime writes the latter
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"the shape is i32 or i64", "", "src/core/src/op/random_uniform.cpp of 2023",
                      are_i32_or_i64<0>}});
  }
  static void infer(InferContext& c) {
    const ElementType t = uniform::type_of(c);
    int_attr(c, "global_seed", 0);
    int_attr(c, "op_seed", 0);
    for (size_t i = 1; i < 3; ++i) {
      const std::string_view what = i == 1 ? "minval" : "maxval";
      if (c.type(i) != t && c.type(i) != ElementType::unknown)
        fail(what, " has element type ", name(c.type(i)), "; expected ", name(t), " as 'output_type' says");
      require_rank(c.shape(i), what, 0, 1);
      require_elements(c, i, what, 1);
    }
    const Shape out = shape_input(c, 0, "the shape");
    if (!is_integer(t)) {
      const RealInterval low = reals_or_unknown(c, 1, 1)[0], high = reals_or_unknown(c, 2, 1)[0];
      require(low.lo <= high.hi, "minval is ", low.lo, " and maxval ", high.hi, "; expected a greater one");
      return c.output(0, t, out);
    }
    const Interval low = intervals_or_unknown(c, 1, 1)[0], high = intervals_or_unknown(c, 2, 1)[0];
    require(low.lo < high.hi, "minval is ", low.lo, " and maxval ", high.hi, "; expected a greater one");
    if (!may_have_bounds(t, out)) return c.output(0, t, out);
    const Interval range(low.lo, high.hi == Interval::highest ? high.hi : high.hi - 1);
    // One possible number is no reason to fold.
    c.output(0, t, out);
    if (range.unknown() || range == interval::range_of(t) || range.exact()) return;
    c.output_bounds(0, std::vector<Bound>(static_cast<size_t>(out.elements().value()), range.to_bound()));
  }
  static void evaluate(EvalContext& c) {
    const ElementType t = uniform::type_of(c);
    const auto dims = c.input(0).to_ints();
    for (const int64_t d : dims) require(d >= 0, "the shape is ", dims, "; expected 0 or more");
    const Tensor low = c.input(1), high = c.input(2);
    require(low.type() == t && high.type() == t && low.size() == 1 && high.size() == 1,
            "minval and maxval have types ", name(low.type()), " and ", name(high.type()), "; expected ",
            name(t));
    const auto key = static_cast<uint64_t>(c.attr<int64_t>("global_seed"));
    const auto counter = static_cast<uint64_t>(c.attr<int64_t>("op_seed"));
    const auto out = create_grown(c, t, dims, 0);
    const size_t n = out.first.size();
    for_number(t, [&](auto e) {
      using E = decltype(e);
      if (uniform::like_pytorch(c))
        uniform::fill<E>(out.second, n, low, high, MersenneTwister(key), true);
      else
        uniform::fill<E>(out.second, n, low, high, Philox(key, counter), false);
    });
    c.output(0, out.first);
  }
};

void register_random_uniform(Registry& r) { r.operation<RandomUniform>(); }

}  // namespace mo::opset
