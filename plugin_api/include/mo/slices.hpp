// What a StridedSlice or a Slice with constant bounds does to each dimension.
#pragma once

#include <mo/graph.hpp>

#include <algorithm>

namespace mo {

struct SlicedDim {
  enum class Kind : uint8_t { whole, part, gone, made };
  Kind kind = Kind::whole;
  size_t axis = 0;  // of the input; of no meaning where the dimension is made
  int64_t begin = 0, end = 0, stride = 1;
  bool from_first = true, to_last = true;
};

// Elements of a dimension: `count` of them from `first` on, in steps.
struct TakenElements {
  int64_t first = 0, stride = 1, count = 0;
  int64_t at(int64_t i) const { return first + i * stride; }
};

// The elements of a constant input; nothing for what may change with the shapes of inputs.
inline std::optional<std::vector<int64_t>> constant_ints(const Node& n, size_t input) {
  if (!n.is_in_port_connected(input)) return std::nullopt;
  const OutPort source = n.in_port(input).get_source();
  if (!source.node().is("Const")) return std::nullopt;
  const auto value = source.value();
  if (!value || !is_integer(value->type())) return std::nullopt;
  return value->to_ints();
}

namespace detail::slices {

using Ints = std::vector<int64_t>;
using SliceKind = SlicedDim::Kind;

// A bound that is so far away stands for the end.
inline bool beyond(int64_t bound) { return bound >= INT32_MAX || bound <= -INT32_MAX; }

inline SlicedDim part_of(size_t axis, int64_t begin, int64_t end, int64_t stride, bool from_first,
                         bool to_last) {
  SlicedDim d{SliceKind::part, axis, begin, end, stride, from_first, to_last};
  if (stride > 0) {
    d.from_first = d.from_first || begin == 0;
    d.to_last = d.to_last || (end > 0 && beyond(end));
  } else {
    d.from_first = d.from_first || begin == -1 || (begin > 0 && beyond(begin));
    d.to_last = d.to_last || (end < 0 && beyond(end));
  }
  if (stride == 1 && d.from_first && d.to_last) d.kind = SliceKind::whole;
  return d;
}

inline std::optional<std::vector<SlicedDim>> of_slice(const Node& n, size_t rank) {
  const auto begin = constant_ints(n, 1), end = constant_ints(n, 2), stride = constant_ints(n, 3);
  if (!begin || !end || !stride || begin->size() != end->size() || begin->size() != stride->size())
    return std::nullopt;
  Ints axes;
  for (size_t i = 0; i < begin->size(); ++i) axes.push_back(static_cast<int64_t>(i));
  if (n.is_in_port_connected(4)) {
    const auto given = constant_ints(n, 4);
    if (!given) return std::nullopt;
    axes = *given;
  }
  std::vector<SlicedDim> dims(rank);
  for (size_t i = 0; i < rank; ++i) dims[i].axis = i;
  if (axes.size() != begin->size()) return std::nullopt;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto r = static_cast<int64_t>(rank);
    if (axes[i] < -r || axes[i] >= r || (*stride)[i] == 0) return std::nullopt;
    const size_t a = normalize_axis(axes[i], rank);
    dims[a] = part_of(a, (*begin)[i], (*end)[i], (*stride)[i], false, false);
  }
  return dims;
}

inline std::optional<std::vector<SlicedDim>> of_strided_slice(const Node& n, size_t rank) {
  const auto begin = constant_ints(n, 1), end = constant_ints(n, 2);
  const auto stride = n.is_in_port_connected(3) ? constant_ints(n, 3) : Ints(begin ? begin->size() : 0, 1);
  if (!begin || !end || !stride || begin->size() != end->size() || begin->size() != stride->size())
    return std::nullopt;
  const auto mask = [&](const char* name) {
    auto bits = n.find_attr<Ints>(name).value_or(Ints{});
    bits.resize(begin->size(), 0);
    return bits;
  };
  const Ints first = mask("begin_mask"), last = mask("end_mask"), made = mask("new_axis_mask"),
             gone = mask("shrink_axis_mask"), rest = mask("ellipsis_mask");
  size_t used = 0;
  for (size_t i = 0; i < begin->size(); ++i) used += rest[i] == 0 && made[i] == 0 ? 1 : 0;
  if (used > rank) return std::nullopt;
  std::vector<SlicedDim> dims;
  size_t axis = 0;
  const auto whole = [&](size_t count) {
    for (; count > 0; --count) dims.push_back({SliceKind::whole, axis++});
  };
  for (size_t i = 0; i < begin->size(); ++i) {
    if (rest[i] != 0) {
      whole(rank - used);
    } else if (made[i] != 0) {
      dims.push_back({SliceKind::made, 0});
    } else if (gone[i] != 0) {
      dims.push_back({SliceKind::gone, axis++, first[i] != 0 ? 0 : (*begin)[i], 0, 1, false, false});
    } else {
      if ((*stride)[i] == 0) return std::nullopt;
      dims.push_back(part_of(axis, (*begin)[i], (*end)[i], (*stride)[i], first[i] != 0, last[i] != 0));
      ++axis;
    }
  }
  whole(rank - axis);
  return dims;
}

}  // namespace detail::slices

// In the order of the result, with those that are gone between them. Nothing when bounds are not constant or
// the rank is not known.
inline std::optional<std::vector<SlicedDim>> sliced_dims(const Node& n) {
  if (!n.is_in_port_connected(0)) return std::nullopt;
  const Shape s = n.in_port(0).shape();
  if (!s.has_rank()) return std::nullopt;
  if (n.is("opset8::Slice")) return detail::slices::of_slice(n, s.size());
  if (n.is("opset1::StridedSlice")) return detail::slices::of_strided_slice(n, s.size());
  return std::nullopt;
}

// Which ones are taken where the dimension has so many. The count may be as large as that.
inline TakenElements taken(const SlicedDim& d, int64_t size) {
  if (size <= 0) return {};
  if (d.kind == SlicedDim::Kind::gone) {
    const int64_t at = d.begin < 0 ? d.begin + size : d.begin;
    return {at, 1, at >= 0 && at < size ? 1 : 0};
  }
  const bool up = d.stride > 0;
  const int64_t least = up ? 0 : -1, most = up ? size : size - 1;
  const auto place = [&](int64_t bound) { return std::clamp(bound < 0 ? bound + size : bound, least, most); };
  const int64_t begin = d.from_first ? (up ? 0 : size - 1) : place(d.begin);
  const int64_t end = d.to_last ? (up ? size : -1) : place(d.end);
  const int64_t span = up ? end - begin : begin - end;
  if (span <= 0) return {};
  const uint64_t step = up ? static_cast<uint64_t>(d.stride) : 0 - static_cast<uint64_t>(d.stride);
  return {begin, d.stride, static_cast<int64_t>(static_cast<uint64_t>(span - 1) / step) + 1};
}

}  // namespace mo
