// Where the sizes of outputs come from: what several operations share.
#pragma once

#include <mo/registry.hpp>
#include <mo/slices.hpp>

#include <algorithm>

namespace mo::opset {

// Axes as they are counted in a tensor of this rank; nothing when one is out of it.
inline std::optional<std::vector<size_t>> places(const std::optional<std::vector<int64_t>>& axes,
                                                 size_t rank) {
  if (!axes) return std::nullopt;
  std::vector<size_t> list;
  const auto r = static_cast<int64_t>(rank);
  for (const int64_t a : *axes) {
    if (a < -r || a >= r) return std::nullopt;
    list.push_back(static_cast<size_t>(a < 0 ? a + r : a));
  }
  return list;
}

// The constant axes of input i, as they are counted in input 0.
inline std::optional<std::vector<size_t>> places_of_input(const SymbolsContext& c, size_t i) {
  return places(constant_ints(c.node(), i), c.dims(0)->size());
}

// One part of a sliced tensor for each dimension.
inline void slice_symbols(const SymbolsContext& c) {
  const auto steps = sliced_dims(c.node());
  if (!c.dims(0) || !steps) return;
  Symbols dims;
  const Symbols own = c.own_dims();
  for (const SlicedDim& d : *steps) {
    if (d.kind == SlicedDim::Kind::gone) continue;
    if (dims.size() >= own.size()) return;
    const Symbol in = d.kind == SlicedDim::Kind::made ? Symbol::number(1) : (*c.dims(0))[d.axis];
    if (d.kind != SlicedDim::Kind::part)
      dims.push_back(in);
    else
      dims.push_back(in.is_number() ? Symbol::number(taken(d, in.index).count) : own[dims.size()]);
  }
  c.output(0, dims);
  const auto& values = c.values(0);
  if (!values || c.dims(0)->size() != 1 || steps->size() != 1) return;
  SlicedDim d = steps->front();
  if (d.kind == SlicedDim::Kind::made) return;
  if (d.kind == SlicedDim::Kind::whole) d = {SlicedDim::Kind::part, 0};
  Symbols part;
  const TakenElements elements = taken(d, static_cast<int64_t>(values->size()));
  for (int64_t i = 0; i < elements.count; ++i) part.push_back((*values)[static_cast<size_t>(elements.at(i))]);
  c.output_values(0, part);
}

// Batch and channels; what windows make of space is a size of its own.
inline void window_symbols(const SymbolsContext& c, const std::optional<Symbol>& channels) {
  Symbols dims = c.own_dims();
  if (!c.dims(0) || dims.size() < 3 || c.dims(0)->empty()) return;
  dims[0] = c.dims(0)->front();
  if (channels) dims[1] = *channels;
  c.output(0, dims);
}

}  // namespace mo::opset
