// What transformations have in common that ask where sizes come from.
#pragma once

#include <mo/symbols.hpp>

namespace mo::builtin_passes {

// What was looked up once is known for the run: who looked for each place anew would walk the model for each.
template <class Kind>
class AskingSizes : public Kind {
 public:
  bool graph_condition(Graph g) override {
    symbols_ = {};
    return Kind::graph_condition(g);
  }

 protected:
  using Kind::Kind;

  // Two dimensions, as they are in the model, or always.
  bool same(const OutPort& a, size_t i, const OutPort& b, size_t k) {
    const Dim d = a.shape()[i];
    if (d.is_static() && d == b.shape()[k]) return true;
    const auto s = symbols_.dims(a), t = symbols_.dims(b);
    return s && t && (*s)[i] == (*t)[k];
  }

  SymbolsOf symbols_;
};

}  // namespace mo::builtin_passes
