// mo/iterate.hpp: steps of a sequence that no operation of the IR has, as a TensorIterator.
#ifndef MO_ITERATE_HPP
#define MO_ITERATE_HPP

#include <mo/bodies.hpp>
#include <mo/build.hpp>

#include <functional>

namespace mo {

// One step, in the body: {output, states…} of x, which has lost its time, the states, and what all steps
// share. It reads only these and what it makes with its Build.
using IterationStep =
    std::function<Ports(const Build&, const OutPort& x, const Ports& states, const Ports& shared)>;

// All steps of x [batch, time, …], from the last to the first when `reverse`: {outputs [batch, time, …], last
// states…}. Element types that are not known are taken for f32. [session]
inline Ports iterate(const Build& b, const OutPort& x, const Ports& states, const Ports& shared, bool reverse,
                     const IterationStep& step) {
  BodyBuilder body(b.graph().create_sub_graph("steps"));
  const Slices time{1, reverse};
  const auto add = [&](const OutPort& from, std::optional<Slices> slices) {
    const ElementType type = from.type();
    return body.in("in_", from, slices, type == ElementType::unknown ? ElementType::f32 : type);
  };
  const OutPort now = add(x, time);
  Ports inside, fixed;
  for (const OutPort& s : states) inside.push_back(add(s, {}));
  for (const OutPort& s : shared) fixed.push_back(add(s, {}));
  const Build in(body.graph(), now.node());
  const Ports made = step(in, in.squeeze(now, {1}), inside, fixed);
  require(made.size() == 1 + states.size(), "a step made ", made.size(), " values of ", states.size(),
          " states");
  body.out("out_", in.unsqueeze(made[0], in.list({1})), 0, time);
  for (size_t i = 1; i < made.size(); ++i)
    body.next(body.out("out_", made[i], static_cast<int64_t>(i)), inside[i - 1]);
  const Node n = b.node("TensorIterator", "opset1", body.inputs(), static_cast<uint32_t>(made.size()));
  body.set(n);
  return n.out_ports();
}

}  // namespace mo

#endif
