#include "support/shapes.hpp"

#include <charconv>

namespace mo::mxnet {

Shape shape_of(const Build& b, const OutPort& x) {
  b.graph().infer_marked();
  return x.shape();
}

size_t rank_of(const Build& b, const OutPort& x) {
  const Shape s = shape_of(b, x);
  require(s.has_rank(), "the number of dimensions of what it reads is not known",
          hint("give the inputs shapes with --input_shape"));
  return s.size();
}

int64_t dim_of(const Build& b, const OutPort& x, size_t axis) {
  const Shape s = shape_of(b, x);
  require(s.has_rank() && axis < s.size() && s[axis].is_static(), "dimension ", axis, " of what it reads, ",
          s, ", is not known", hint("give the inputs shapes with --input_shape"));
  return s[axis].value();
}

size_t axis_of(const Build& b, const OutPort& x, int64_t axis) {
  return normalize_axis(axis, rank_of(b, x), "an axis");
}

Ints ints_of(const SourceNode& n, std::string_view name, const Ints& fallback) {
  const auto v = n.find_native<mo_value>(name);
  if (!v) return fallback;
  if (v->kind == MO_VALUE_INT) return {v->u.i};
  return read_value<Ints>(n.context().host(), *v, name);
}

std::vector<double> floats_of(const SourceNode& n, std::string_view name,
                              const std::vector<double>& fallback) {
  const auto v = n.find_native<mo_value>(name);
  if (!v) return fallback;
  if (v->kind == MO_VALUE_INT) return {static_cast<double>(v->u.i)};
  if (v->kind == MO_VALUE_FLOAT) return {v->u.f};
  return read_value<std::vector<double>>(n.context().host(), *v, name);
}

std::vector<double> floats_of(const SourceNode& n, std::string_view name, const std::vector<double>& fallback,
                              size_t count) {
  auto list = floats_of(n, name, fallback);
  if (list.empty()) list = fallback;
  require(count == 0 || list.size() == count, "attribute '", name, "' is ", list, "; expected ", count,
          " numbers");
  return list;
}

Ints spatial_of(const SourceNode& n, std::string_view name, size_t count, int64_t fallback, int64_t least) {
  Ints list = ints_of(n, name);
  if (list.empty()) return Ints(count, fallback);
  if (list.size() == 1) list.assign(count, list.front());
  require(list.size() == count, "attribute '", name, "' is ", list, "; expected ", count, " numbers");
  for (const int64_t v : list)
    require(v >= least && v <= INT32_MAX, "attribute '", name, "' is ", list, "; expected numbers from ",
            least, " on");
  return list;
}

std::vector<std::optional<int64_t>> optional_ints_of(const SourceNode& n, std::string_view name) {
  const auto v = n.find_native<mo_value>(name);
  std::vector<std::optional<int64_t>> list;
  if (!v) return list;
  if (v->kind != MO_VALUE_STRINGS) {
    for (const int64_t i : ints_of(n, name)) list.emplace_back(i);
    return list;
  }
  for (const std::string& s : read_value<std::vector<std::string>>(n.context().host(), *v, name)) {
    int64_t i = 0;
    const auto [at, error] = std::from_chars(s.data(), s.data() + s.size(), i);
    const bool number = error == std::errc() && (*at == '\0' || *at == 'L');
    require(number || s == "None", "attribute '", name, "' has '", s, "'; expected numbers or None");
    list.push_back(number ? std::optional(i) : std::nullopt);
  }
  return list;
}

OutPort along(const Build& b, const OutPort& list, size_t axis, size_t rank) {
  require(axis < rank, "it reads ", rank, " dimensions; expected more than ", axis);
  Ints dims(rank, 1);
  dims[axis] = -1;
  return b.reshape(list, dims);
}

}  // namespace mo::mxnet
