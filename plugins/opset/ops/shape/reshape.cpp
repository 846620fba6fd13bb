// Reshape. With special_zero a 0 keeps the input's dimension at its place; one -1 takes what is left over.
#include "support/views.hpp"

namespace mo::opset {

namespace reshaping {

// The values d with least <= d * other <= most for some product d * other of `total`.
static Dim share(const Dim& total, const Dim& other) {
  const int64_t low = total.min == 0         ? 0
                      : other.is_unbounded() ? 1
                                             : ceil_div(Dim(total.min), other.max).value();
  // Nothing times 0 says how much d is, unless all must be more than 0.
  const int64_t divisor = total.min > 0 ? std::max<int64_t>(other.min, 1) : other.min;
  return {low, total.is_unbounded() || divisor == 0 ? -1 : total.max / divisor};
}

static Dim product_but(const Shape& s, const std::vector<bool>& left_out, size_t but) {
  Dim p = 1;
  for (size_t i = 0; i < s.size(); ++i)
    if (i != but && !left_out[i]) p = p * s[i];
  return p;
}

// Reads the target: what a -1 stands for is left open. Dimensions taken over from the input are marked in
// `copied`.
static Shape read_target(const Shape& in, const std::vector<Interval>& target, bool special_zero,
                         std::vector<bool>& copied, std::optional<size_t>& rest) {
  Shape out = Shape::of_rank(target.size());
  for (size_t i = 0; i < target.size(); ++i) {
    const Interval& t = target[i];
    require(t.hi >= -1, "the target shape has entry ", i, " of ", t.hi, "; expected -1 or more");
    if (t == Interval(-1)) {
      require(!rest, "the target shape has -1 at ", rest.value_or(0), " and at ", i,
              "; expected one at most");
      rest = i;
    } else if (t == Interval(0) && special_zero) {
      require(!in.has_rank() || i < in.size(), "the target shape keeps dimension ", i,
              " of an input of shape ", in);
      if (in.has_rank()) {
        out[i] = in[i];
        copied[i] = true;
      }
    } else if (t.contains(-1)) {
      out[i] = any_dim;
    } else if (t.contains(0) && special_zero) {
      const Dim kept = in.has_rank() && i < in.size() ? in[i] : any_dim;
      out[i] = t.hi == 0 ? kept : unite(Interval(1, t.hi).to_dim(), kept);
    } else {
      out[i] = t.to_dim();
    }
  }
  return out;
}

static Shape result(const Shape& in, const std::vector<Interval>& target, bool special_zero) {
  std::vector<bool> copied(std::max(target.size(), in.size()), false);
  std::optional<size_t> rest;
  Shape out = read_target(in, target, special_zero, copied, rest);
  if (!in.has_rank()) return out;
  const Dim total = product_but(in, copied, in.size());
  if (rest) {
    const Dim other = product_but(out, copied, *rest);
    if (other == Dim(0)) {
      require(total.contains(0), "shape ", in, " cannot become a shape with a dimension of 0");
      out[*rest] = 0;
    } else {
      out[*rest] = share(total, other);
      require(!total.is_static() || !other.is_static() || total.value() % other.value() == 0, "shape ", in,
              ": ", total, " elements cannot be divided by ", other, " for the -1 of the target shape");
    }
  }
  for (size_t i = 0; i < out.size(); ++i) {
    if (copied[i] || out[i].is_static()) continue;
    const auto d = intersect(out[i], share(total, product_but(out, copied, i)));
    require(d.has_value(), "shape ", in, " cannot become ", out);
    out[i] = *d;
  }
  require(product_but(out, copied, out.size()).overlaps(total), "shape ", in, " cannot become ", out,
          ": the numbers of elements differ");
  return out;
}

// What the -1 of a target stands for: the sizes of the input that the other dimensions have not. A number, or one of them.
static std::optional<Symbol> left_over(Symbols in, const Symbols& out, size_t rest) {
  int64_t have = 1, taken = 1;
  const auto count = [](const Symbol& e, int64_t& product) {
    return e.is_number() && e.index > 0 && !__builtin_mul_overflow(product, e.index, &product);
  };
  for (size_t i = 0; i < out.size(); ++i) {
    if (i == rest || count(out[i], taken)) continue;
    const auto same = std::find(in.begin(), in.end(), out[i]);
    if (out[i].is_number() || same == in.end()) return std::nullopt;
    in.erase(same);
  }
  std::optional<Symbol> open;
  for (const Symbol& e : in) {
    if (count(e, have)) continue;
    if (e.is_number() || open) return std::nullopt;
    open = e;
  }
  if (open) return have == taken ? open : std::nullopt;
  return have % taken == 0 ? std::optional(Symbol::number(have / taken)) : std::nullopt;
}

}  // namespace reshaping

struct Reshape {
  static constexpr std::string_view type = "Reshape", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("the same elements in another shape")
        .input("data")
        .input("target_shape", Role::any)
        .takes_sizes()
        .attr<bool>("special_zero");
  }
  static void infer(InferContext& c) {
    const Dim rank = vector_length(c, 1, "the target shape");
    if (!rank.is_static()) return c.output(0, c.type(0), Shape::unknown());
    require(rank.value() <= bounds_limit, "the target shape has ", rank, " entries; expected at most ",
            bounds_limit);
    const Shape out =
        reshaping::result(c.shape(0), intervals_or_unknown(c, 1, static_cast<size_t>(rank.value())),
                          c.attr<bool>("special_zero"));
    output_view(c, out);
  }
  static void symbols(SymbolsContext& c) {
    const Shape s = c.shape();
    if (s.rank() >= 0 && s.rank() <= 1) c.output_values(0, c.values(0));
    const auto& target = c.values(1);
    if (!c.dims(0) || !target || target->size() != s.size()) return;
    const bool special = c.attr<bool>("special_zero");
    const Symbols& in = *c.dims(0);
    Symbols dims = c.own_dims();
    std::optional<size_t> rest;
    for (size_t i = 0; i < dims.size(); ++i) {
      const Symbol& e = (*target)[i];
      if (e == Symbol::number(-1)) {
        rest = i;
      } else if (special && e == Symbol::number(0)) {
        if (i >= in.size()) return;
        dims[i] = in[i];
      } else {
        dims[i] = e;
      }
    }
    if (rest)
      if (const auto left = reshaping::left_over(in, dims, *rest)) dims[*rest] = *left;
    c.output(0, dims);
  }
  static void evaluate(EvalContext& c) {
    const auto ints = c.input(1).to_ints();
    const Shape out =
        reshaping::result(c.input(0).shape(), {ints.begin(), ints.end()}, c.attr<bool>("special_zero"));
    c.output(0, c.input(0).reshaped(c.context(), out.to_static()));
  }
};

void register_reshape(Registry& r) { r.operation<Reshape>(); }

}  // namespace mo::opset
