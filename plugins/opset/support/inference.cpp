#include "support/inference.hpp"

#include "support/elements.hpp"

namespace mo::opset {

ElementType common_type(const InferContext& c, std::initializer_list<size_t> inputs) {
  ElementType type = ElementType::unknown;
  size_t first = 0;
  for (const size_t i : inputs) {
    const ElementType t = c.type(i);
    if (t == ElementType::unknown) continue;
    if (type == ElementType::unknown) {
      type = t;
      first = i;
    }
    if (t != type)
      fail("input ", i, " has element type ", name(t), " but input ", first, " has ", name(type),
           "; expected the same");
  }
  return type;
}

namespace {
void require_kind(const InferContext& c, size_t input, bool ok, std::string_view expected) {
  const ElementType t = c.type(input);
  if (!ok && t != ElementType::unknown)
    fail("input ", input, " has element type ", name(t), "; expected ", expected);
}
}  // namespace

void require_number(const InferContext& c, size_t input) {
  const ElementType t = c.type(input);
  require_kind(c, input, is_float(t) || is_integer(t), "a number");
}
void require_float(const InferContext& c, size_t input) {
  require_kind(c, input, is_float(c.type(input)), "a floating-point type");
}
void require_integer(const InferContext& c, size_t input) {
  require_kind(c, input, is_integer(c.type(input)), "an integer type");
}
void require_boolean(const InferContext& c, size_t input) {
  require_kind(c, input, c.type(input) == ElementType::boolean, "boolean");
}

void require_rank(const Shape& s, std::string_view what, int64_t rank) { require_rank(s, what, rank, rank); }
void require_rank(const Shape& s, std::string_view what, int64_t least, int64_t most) {
  if (!s.has_rank() || (s.rank() >= least && s.rank() <= most)) return;
  if (least == most) fail(what, " has shape ", s, "; expected rank ", least);
  if (most == std::numeric_limits<int64_t>::max())
    fail(what, " has shape ", s, "; expected rank ", least, " or more");
  fail(what, " has shape ", s, "; expected rank ", least, " to ", most);
}
void require_elements(const InferContext& c, size_t input, std::string_view what, int64_t count) {
  const Shape s = c.shape(input);
  if (s.has_rank() && !s.elements().contains(count))
    fail(what, " has shape ", s, "; expected ", count, " elements");
}

Dim same_dim(const Dim& a, const Dim& b, std::string_view what) {
  const auto d = intersect(a, b);
  if (!d) fail(what, ": ", a, " does not equal ", b);
  return *d;
}

Dim multiples(const Dim& d, int64_t n, std::string_view what) {
  const Dim r{detail::checked_mul(ceil_div(d, n).min, n), d.is_unbounded() ? -1 : d.max / n * n};
  if (!r.is_unbounded() && r.min > r.max) fail(what, " is ", d, "; expected a multiple of ", n);
  return r;
}

Dim factor_of(const Dim& product, const Dim& f, const Dim& other, std::string_view what) {
  Dim r = f;
  if (!other.is_unbounded() && other.max > 0) r.min = std::max(r.min, ceil_div(product, other.max).min);
  if (!product.is_unbounded() && other.min > 0) {
    const int64_t most = product.max / other.min;
    r.max = r.is_unbounded() ? most : std::min(r.max, most);
  }
  if (product.is_static() && product.value() > 0 && !r.is_unbounded() && r.max <= bounds_limit) {
    const auto divides = [&](int64_t v) {
      return v > 0 && product.value() % v == 0 && other.contains(product.value() / v);
    };
    while (r.min <= r.max && !divides(r.min)) ++r.min;
    while (r.min <= r.max && !divides(r.max)) --r.max;
  }
  if (!r.is_unbounded() && r.min > r.max) fail(what, ": ", f, " times ", other, " does not equal ", product);
  return r;
}

std::vector<int64_t> list_attr(const OpContext& c, std::string_view name, size_t n, int64_t least,
                               std::optional<int64_t> fallback) {
  auto list = c.find_attr<std::vector<int64_t>>(name).value_or(std::vector<int64_t>{});
  if (list.empty() && fallback) list.assign(n, *fallback);
  require(list.size() == n, "attribute '", name, "' is ", list, "; expected ", n, " numbers");
  for (const int64_t v : list)
    require(v >= least, "attribute '", name, "' is ", list, "; expected numbers of at least ", least);
  return list;
}

int64_t int_attr(const OpContext& c, std::string_view name, int64_t least, int64_t most) {
  const auto v = c.attr<int64_t>(name);
  require(v >= least, "attribute '", name, "' is ", v, "; expected at least ", least);
  require(v <= most, "attribute '", name, "' is ", v, "; expected at most ", most);
  return v;
}

ElementType index_type_attr(const OpContext& c, std::string_view attribute) {
  const auto t = c.attr<ElementType>(attribute);
  if (t != ElementType::i32 && t != ElementType::i64)
    fail("attribute '", attribute, "' is ", name(t), "; expected i32 or i64");
  return t;
}

std::vector<size_t> unique_axes(const std::vector<int64_t>& axes, size_t rank, std::string_view what) {
  require(axes.size() <= rank, what, " has ", axes.size(), " entries but the rank is ", rank);
  std::vector<size_t> list;
  for (const int64_t a : axes) {
    const size_t axis = normalize_axis(a, rank, what);
    require(std::find(list.begin(), list.end(), axis) == list.end(), what, " names dimension ", axis,
            " twice");
    list.push_back(axis);
  }
  return list;
}

std::optional<std::vector<size_t>> axes_input(const InferContext& c, size_t input, size_t rank) {
  const Dim length = vector_length(c, input, "axes");
  require(length.min <= static_cast<int64_t>(rank), "axes have ", length, " entries but the rank is ", rank);
  const auto list = c.ints(input);
  if (!list) return std::nullopt;
  return unique_axes(*list, rank, "axes");
}

Dim vector_length(const InferContext& c, size_t input, std::string_view what) {
  require_integer(c, input);
  const Shape s = c.shape(input);
  require_rank(s, what, 0, 1);
  if (!s.has_rank()) return any_dim;
  return s.empty() ? Dim(1) : s[0];
}

std::optional<int64_t> scalar_input(const InferContext& c, size_t input, std::string_view what) {
  require_integer(c, input);
  require_elements(c, input, what, 1);
  const auto list = c.ints(input);
  if (!list) return std::nullopt;
  return list->at(0);
}

bool may_have_bounds(ElementType type, const Shape& shape) {
  if (bits(type) < (is_float(type) ? 16 : 8)) return false;
  if (!is_integer(type) && !is_float(type) && type != ElementType::boolean) return false;
  if (!shape.is_static()) return false;
  int64_t n = 1;
  for (const Dim& d : shape)
    if (d.value() > bounds_limit || (n *= d.value()) > bounds_limit) return false;
  return true;
}

std::optional<std::vector<Interval>> intervals(const InferContext& c, size_t input) {
  if (!c.has(input) || !may_have_bounds(c.type(input), c.shape(input))) return std::nullopt;
  std::vector<Interval> list;
  if (const auto value = is_float(c.type(input)) ? c.value(input) : std::nullopt) {
    for (size_t i = 0; i < value->size(); ++i) list.push_back(outwards(value->type(), value->number(i)));
    return list;
  }
  const auto bounds = c.bounds(input);
  if (!bounds) return std::nullopt;
  for (const Bound& b : *bounds) list.emplace_back(b);
  return list;
}

std::vector<Interval> intervals_or_unknown(const InferContext& c, size_t input, size_t count) {
  auto list = intervals(c, input);
  return list ? *std::move(list) : std::vector<Interval>(count, interval::range_of(c.type(input)));
}

std::vector<RealInterval> reals_or_unknown(const InferContext& c, size_t input, size_t count) {
  std::vector<RealInterval> list;
  if (const auto value = c.has(input) && is_float(c.type(input)) ? c.value(input) : std::nullopt) {
    for (size_t i = 0; i < value->size(); ++i) list.emplace_back(value->number(i));
    for (RealInterval& v : list)
      if (std::isnan(v.lo)) v = {};
  } else {
    for (const Interval& v : intervals_or_unknown(c, input, count)) list.emplace_back(v);
  }
  return list;
}

Interval outwards(ElementType type, const RealInterval& v) {
  constexpr double most = 0x1p62;  // not yet rounded by int64
  const auto stored = [&](double end) {
    return for_float(type, [&](auto e) -> double {
      using E = decltype(e);
      typename E::stored place{};
      E::put(&place, 0, static_cast<typename E::computed>(end));
      return E::get(&place, 0);
    });
  };
  const RealInterval r = real::between(stored(v.lo), stored(v.hi));
  return {r.lo < -most ? Interval::lowest : static_cast<int64_t>(std::floor(std::min(r.lo, most))),
          r.hi > most ? Interval::highest : static_cast<int64_t>(std::ceil(std::max(r.hi, -most)))};
}

bool bounds_wanted(const InferContext& c, std::initializer_list<size_t> inputs) {
  bool all = true, some = false;
  for (const size_t i : inputs) {
    if (!c.has(i)) continue;
    const bool value = c.value(i).has_value();
    all &= value;
    some |= !value && may_have_bounds(c.type(i), c.shape(i)) && c.bounds(i).has_value();
  }
  return some && !all;
}

void output_intervals(const InferContext& c, uint32_t output, ElementType type, const Shape& shape,
                      const std::vector<Interval>& elements) {
  c.output(output, type, shape);
  if (!may_have_bounds(type, shape)) return;
  if (!is_float(type) &&
      std::all_of(elements.begin(), elements.end(), [](const Interval& e) { return e.exact(); })) {
    auto [value, data] = Tensor::create_bytes(c.context(), type, shape.to_static());
    void* out = data;
    for_element(type, [&](auto e) {
      using E = decltype(e);
      for (size_t i = 0; i < elements.size(); ++i)
        E::put(out, i, static_cast<typename E::computed>(elements[i].lo));
    });
    return c.output_value(output, value);
  }
  const Interval all = interval::range_of(type);
  if (std::all_of(elements.begin(), elements.end(),
                  [&](const Interval& e) { return e == all || e.unknown(); }))
    return;
  std::vector<Bound> bounds;
  for (const Interval& e : elements) bounds.push_back(e.to_bound());
  c.output_bounds(output, bounds);
}

Shape shape_input(const InferContext& c, size_t input, std::string_view what) {
  const Dim length = vector_length(c, input, what);
  if (!length.is_static()) return Shape::unknown();
  require(length.value() <= bounds_limit, what, " has ", length, " entries; expected at most ", bounds_limit);
  const auto list = intervals(c, input);
  Shape s = Shape::of_rank(static_cast<size_t>(length.value()));
  if (!list) return s;
  for (size_t i = 0; i < s.size(); ++i) {
    const Interval& d = (*list)[i];
    require(d.hi >= 0, what, " has entry ", i, " of ", d.hi, "; expected 0 or more");
    s[i] = d.to_dim();
  }
  return s;
}

}  // namespace mo::opset
