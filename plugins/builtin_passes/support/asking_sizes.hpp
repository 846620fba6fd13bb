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

  SymbolsOf symbols_;
};

}  // namespace mo::builtin_passes
