#include "support/rearrangement.hpp"

namespace mo::builtin_passes {

std::optional<Rearrangement> rearrangement_at(const Node& last, SymbolsOf& symbols) {
  const auto turn = made_by(last.in_port(0).get_source(), "Transpose");
  const auto first = turn ? made_by(turn->in_port(0).get_source(), "Reshape") : std::nullopt;
  if (!first || !turn->in_node(1).is("Const")) return std::nullopt;
  if (turn->out_port().destination_count() != 1 || first->out_port().destination_count() != 1)
    return std::nullopt;
  Rearrangement r;
  r.x = first->in_port(0).get_source();
  const auto from = extents_of(r.x);
  const auto split = from ? reshaped_extents(*first, *from, r.x, symbols) : std::nullopt;
  if (!split) return std::nullopt;
  RelativeExtents turned;
  for (const int64_t i : turn->in_port(1).value()->to_ints()) {
    if (i < 0 || static_cast<size_t>(i) >= split->size()) return std::nullopt;
    r.order.push_back(static_cast<size_t>(i));
    turned.push_back((*split)[static_cast<size_t>(i)]);
  }
  if (turned.size() != split->size()) return std::nullopt;
  const auto to = reshaped_extents(last, turned, r.x, symbols);
  if (!to) return std::nullopt;
  r.from = *from;
  r.split = *split;
  r.to = *to;
  r.inside = {*turn, *first};
  return r;
}

}  // namespace mo::builtin_passes
