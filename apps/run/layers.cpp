#include "apps/run/layers.hpp"

#include "apps/run/dimension_order.hpp"

namespace mo::app {

namespace {

// Dimensions 0, last, 1, 2, …
DimensionOrder channels_second(size_t rank) {
  DimensionOrder order{0, static_cast<int64_t>(rank) - 1};
  for (size_t i = 1; i + 1 < rank; ++i) order.push_back(static_cast<int64_t>(i));
  return order;
}

Difference compare_in_either_order(const core::TensorRef& right, const core::TensorRef& there) {
  Difference plain = compare(right, there);
  const size_t rank = right->dims.size();
  if (rank < 3 || rank != there->dims.size() || (plain.problem.empty() && plain.relative == 0)) return plain;
  const DimensionOrder order = channels_second(rank);
  if (reordered(Shape(right->dims), order) != Shape(there->dims)) return plain;
  const Difference moved = compare(reordered(right, order), there);
  return moved.problem.empty() && (!plain.problem.empty() || moved.relative < plain.relative) ? moved : plain;
}

}  // namespace

core::Computed LayerValues::noting(const core::Graph& g) {
  return [this, &g](core::NodeId n, std::span<const core::TensorState> outputs) {
    for (uint32_t i = 0; i < outputs.size(); ++i) {
      const core::TensorRef& value = outputs[i].value;
      const core::TensorNames& names = g.out({n, i}).names;
      if (!value || names.empty()) continue;
      const bool fits = bytes_ + value->bytes <= most_bytes;
      if (fits) bytes_ += value->bytes;
      for (const core::Symbol s : names)
        values_.emplace(g.symbols().text(s), fits ? value : core::TensorRef());
    }
  };
}

core::Computed LayerValues::comparing(const core::Graph& g, std::vector<ComparedLayer>& layers) const {
  return [this, &g, &layers](core::NodeId n, std::span<const core::TensorState> outputs) {
    for (uint32_t i = 0; i < outputs.size(); ++i)
      for (const core::Symbol s : g.out({n, i}).names) {
        const auto source = values_.find(g.symbols().text(s));
        if (source == values_.end()) continue;
        ComparedLayer c{std::string(g.name(n)), source->first, {}, {}};
        if (!source->second)
          c.missing = text("all values of the source together take more than ", most_bytes >> 30, " GiB");
        else if (!outputs[i].value)
          c.missing = "the result has no value for it";
        else
          c.difference = compare_in_either_order(source->second, outputs[i].value);
        layers.push_back(std::move(c));
        break;
      }
  };
}

}  // namespace mo::app
