#include "support/row_of_constants.hpp"

#include "support/expressions.hpp"

namespace mo::builtin_passes {

bool meets_row_of_constants(Node n) {
  constexpr int longest = 8;
  for (int i = 0; i < longest; ++i) {
    const auto next = only_reader_of(n.out_port());
    if (!next || next->out_count() != 1) return false;
    if (!next->definition().has(MO_OP_ELEMENT_WISE) && !next->is("FakeQuantize")) return false;
    for (const InPort& in : next->in_ports()) {
      const OutPort other = in.get_source();
      if (other.node() == n) continue;
      if (!other.node().is("Const")) return false;
      if (other.shape().elements() != Dim(1)) return true;
    }
    n = *next;
  }
  return false;
}

}  // namespace mo::builtin_passes
