// Weights with each of their channels multiplied by a number.
#pragma once

#include "support/channel_values.hpp"
#include "support/weighted_operation.hpp"

namespace mo::builtin_passes {

// What is to be connected to a port instead of what is there.
struct NewSource {
  InPort at;
  OutPort source;
};
using NewSources = std::vector<NewSource>;

// Tensors that several constants look at. Constants of a graph are counted once, however often it is asked:
// nothing that is fused in between makes two of them look at the same bytes.
class SharedWeights {
 public:
  bool contains(const Graph&, const Tensor&);

 private:
  std::vector<const void*> places_;  // in order
  mo_graph counted_ = 0;
};

class ScaledWeights {
 public:
  ScaledWeights(const Graph& g, SharedWeights& shared) : graph_(g), shared_(shared) {}

  // Changes nothing but what it returns. Nothing when the weights are no constants, numbers would be lost, or
  // something else needs the old weights, too, and they have more than `may_grow` bytes. Quantized weights
  // stay as they are: their scale, or the limits behind them, is what is multiplied.
  std::optional<NewSources> scaled(const InPort& weights, const ChannelView& view,
                                   const ChannelValues& factor, uint64_t may_grow) {
    if (factor.size() != 1 && factor.size() != view.channels()) return std::nullopt;
    return scaled(weights, view, factor, may_grow, 0);
  }

 private:
  std::optional<NewSources> scaled(const InPort&, const ChannelView&, const ChannelValues&, uint64_t may_grow,
                                   int depth);
  OutPort scaled_constant(const OutPort&, const ChannelView&, const ChannelValues&, uint64_t may_grow);
  OutPort scaled_operand(const OutPort& operand, const std::vector<int64_t>& dims, const ChannelView&,
                         const ChannelValues&);

  Graph graph_;
  SharedWeights& shared_;
};

}  // namespace mo::builtin_passes
