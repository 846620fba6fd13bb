#include "support/scaling.hpp"

namespace mo::caffe {

namespace {

// The constant of `type` that the only reader of `x` is behind; x becomes what it is combined with.
std::optional<std::vector<double>> take(OutPort& x, std::string_view type, const Ints& dims) {
  const Node n = x.node();
  if (!n.is(type) || x.destination_count() != 1) return std::nullopt;
  const auto value = n.in_port(1).value();
  if (!value || value->dims() != dims || n.in_port(0).value()) return std::nullopt;
  x = n.in_port(0).get_source();
  return value->to_floats<double>();
}

std::vector<float> to_single(const std::vector<double>& list) { return {list.begin(), list.end()}; }

}  // namespace

OutPort scaled(const Build& b, const OutPort& given, Scaling s) {
  OutPort x = given;
  OutPort behind_add = x;
  const auto before_shift = take(behind_add, "Add", s.dims);
  OutPort behind_multiply = before_shift ? behind_add : x;
  const auto before_factor = take(behind_multiply, "Multiply", s.dims);
  if (before_shift || before_factor) {
    const size_t count = before_shift ? before_shift->size() : before_factor->size();
    if (s.factors.empty()) s.factors.assign(count, 1);
    if (before_shift) {
      if (s.shifts.empty()) s.shifts.assign(count, 0);
      for (size_t i = 0; i < count; ++i) s.shifts[i] += (*before_shift)[i] * s.factors[i];
    }
    if (before_factor)
      for (size_t i = 0; i < count; ++i) s.factors[i] *= (*before_factor)[i];
    x = behind_multiply;
  }
  if (!s.factors.empty()) x = b.multiply(x, numbers(b, to_single(s.factors), s.dims));
  if (!s.shifts.empty()) x = b.add(x, numbers(b, to_single(s.shifts), s.dims));
  return x;
}

Ints aligned_dims(const Ints& own, size_t axis, size_t rank) {
  require(axis + own.size() <= rank, "a blob of ", rank, " dimensions has none for numbers of shape ", own,
          " from dimension ", axis, " on");
  Ints dims(axis, 1);
  dims.insert(dims.end(), own.begin(), own.end());
  dims.resize(rank, 1);
  return dims;
}

}  // namespace mo::caffe
