// Operations that multiply a tensor by constants and add constants, channel by channel, and rows of them.
#pragma once

#include "support/channel_values.hpp"
#include "support/expressions.hpp"

namespace mo::builtin_passes {

// The constant in input `i`, along `axis` of `rank` dimensions when that is known, and else along the only
// dimension in which it changes.
std::optional<ChannelValues> operand_values(const Node&, size_t i, size_t rank, std::optional<size_t>& axis);

// y = x * factor + term
struct LinearStep {
  OutPort x;
  ChannelValues factor{1}, term{0};
  std::optional<size_t> axis = {};  // the dimension along which these change; nothing: one number for all
  size_t operations = 1;            // what it takes without fusing
};

// What `n` is as a step. Nothing when it is something else, or its shape is not that of x.
std::optional<LinearStep> linear_step(const Node& n);

struct LinearChain {
  OutPort x;
  ChannelValues factor{1}, term{0};
  std::optional<size_t> axis;
  std::vector<Node> nodes;
  size_t operations = 0;

  const Node& last() const { return nodes.back(); }
  // False, and nothing changes, when the step would not be exact any more.
  bool append(const Node&);
  bool append(const Node&, const LinearStep&);  // that of the node
};

// Rounded to `type` no number becomes infinite, and no factor so small that it loses digits.
bool holds_factors(ElementType type, const ChannelValues&);
bool holds_terms(ElementType type, const ChannelValues&);

}  // namespace mo::builtin_passes
