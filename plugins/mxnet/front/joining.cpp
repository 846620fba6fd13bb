#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace joining {

static Ports inputs_of(const Build& b, const SourceNode& n) {
  Ports inputs;
  for (size_t i = 0; i < n.in_count(); ++i) inputs.push_back(b.in(i));
  require(!inputs.empty(), "it reads nothing");
  return inputs;
}

static Ports concat(Build& b, const SourceNode& n) {
  const Ports inputs = inputs_of(b, n);
  return {b.concat(inputs, n.native("dim", n.native("axis", 1)))};
}

static Ports stack(Build& b, const SourceNode& n) {
  Ports inputs = inputs_of(b, n);
  const auto axis = n.native("axis", 0);
  for (OutPort& x : inputs) x = b.unsqueeze(x, b.list({axis}));
  return {b.concat(inputs, axis)};
}

static Ports sum(Build& b, const SourceNode& n) {
  const Ports inputs = inputs_of(b, n);
  OutPort x = inputs.front();
  for (size_t i = 1; i < inputs.size(); ++i) x = b.add(x, inputs[i]);
  return {x};
}

}  // namespace joining

void register_joining(Registry& r) {
  convert<joining::concat>(r, "Concat concat _rnn_param_concat _npi_concatenate", "Concat(x, y, ...)",
                           "Concat(x, y, ...)");
  convert<joining::stack>(r, "stack _npi_stack", "stack(x, y, ...)",
                          "Concat(Unsqueeze(x), Unsqueeze(y), ...)");
  convert<joining::sum>(r, "add_n ElementWiseSum _sum", "add_n(x, y, z)", "Add(Add(x, y), z)");
}

}  // namespace mo::mxnet
