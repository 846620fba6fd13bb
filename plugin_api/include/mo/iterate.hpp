// mo/iterate.hpp: steps of a sequence that no operation of the IR has, as a TensorIterator.
#ifndef MO_ITERATE_HPP
#define MO_ITERATE_HPP

#include <mo/build.hpp>
#include <mo/port_map.hpp>

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
  const Graph body = b.graph().create_sub_graph("steps");
  Ports inputs{x}, inside;
  inputs.insert(inputs.end(), states.begin(), states.end());
  inputs.insert(inputs.end(), shared.begin(), shared.end());
  std::vector<std::string> lines;
  const auto add = [&](bool output, size_t i, bool sliced) {
    PortMapEntry e;
    e.output = output;
    e.external = e.internal = static_cast<int64_t>(i);
    if (sliced) e.axis = 1;
    if (sliced && reverse) {
      e.start = -1;
      e.end = 0;
      e.stride = -1;
    }
    append_text(lines.emplace_back(), e);
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ElementType known = inputs[i].type(),
                      type = known == ElementType::unknown ? ElementType::f32 : known;
    const Node p = body.create_node("Parameter", "opset1", text("in_", i));
    p.set("element_type", type);
    p.out_port().set_shape(type, Shape::unknown());
    inside.push_back(p.out_port());
    add(false, i, i == 0);
  }
  const Build in(body, inside[0].node());
  const auto from = [&](size_t first, size_t count) {
    const auto begin = inside.begin() + static_cast<std::ptrdiff_t>(first);
    return Ports(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  const Ports made =
      step(in, in.squeeze(inside[0], {1}), from(1, states.size()), from(1 + states.size(), shared.size()));
  require(made.size() == 1 + states.size(), "a step made ", made.size(), " values of ", states.size(),
          " states");
  Ints edges;
  for (size_t i = 0; i < made.size(); ++i) {
    const OutPort value = i == 0 ? in.unsqueeze(made[0], in.list({1})) : made[i];
    body.create_node("Result", "opset1", text("out_", i), {value});
    add(true, i, i == 0);
    if (i != 0) edges.insert(edges.end(), {static_cast<int64_t>(i), static_cast<int64_t>(i)});
  }
  const Node n = b.node("TensorIterator", "opset1", inputs, static_cast<uint32_t>(made.size()));
  n.set("body", GraphHandle{body.id()}).set("port_map", lines).set("back_edges", edges);
  return n.out_ports();
}

}  // namespace mo

#endif
