// Operations that multiply their input with constant weights, and how numbers for their output channels go
// into these.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

// A convolution of any kind, or a MatMul, whose weights nothing else reads.
class Product {
 public:
  // Nothing when `output` is of something else, or is read more than once.
  static std::optional<Product> behind(const OutPort& output);

  const Node& node() const { return node_; }
  // Whether `factors` is one number, or one for each channel at the place of the channels.
  bool takes(const Tensor& factors) const;
  // The weights times `factors`, which must be taken. The output is what it was, times these.
  void multiply(const Graph&, const Node& factors) const;

 private:
  Product(const Node& n, std::vector<size_t> places, size_t from_end)
      : node_(n), places_(std::move(places)), from_end_(from_end) {}
  OutPort weights() const { return node_.in_port(1).get_source(); }
  int64_t channels() const;

  Node node_;
  std::vector<size_t> places_;  // dimensions of the weights that are the channels of the output
  size_t from_end_;             // the output's dimension of channels
};

}  // namespace mo::builtin_passes
