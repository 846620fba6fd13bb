#include "support/limits.hpp"

namespace mo::opset {

void check_limits(const Node& n, std::initializer_list<Limit> limits) {
  for (const Limit& l : limits) {
    if (l.holds(n)) continue;  // nearly always
    const mo_runtime target = target_runtime(n.context());
    if (!l.last.empty() && is_later(target, l.last)) continue;
    const std::string until = l.last.empty() ? std::string("all releases ask for it")
                                             : text("releases up to ", l.last, " ask for it");
    fail("release ", target.name, " does not take this ", n.op(), ": ", l.what, " (", until, "; ", l.source,
         ")");
  }
}

std::optional<std::vector<int64_t>> known_ints(const Node& n, size_t input) {
  if (!n.is_in_port_connected(input)) return std::nullopt;
  const auto value = n.in_port(input).value();
  if (!value || !is_integer(value->type())) return std::nullopt;
  return value->to_ints();
}

bool have_types(const Node& n, std::initializer_list<size_t> inputs,
                std::initializer_list<ElementType> types) {
  return std::all_of(inputs.begin(), inputs.end(), [&](size_t i) {
    if (i >= n.in_count() || !n.is_in_port_connected(i)) return true;
    return std::find(types.begin(), types.end(), n.in_port(i).type()) != types.end();
  });
}

bool counts_from_start(const Node& n, size_t input) {
  const auto list = known_ints(n, input);
  return !list || std::all_of(list->begin(), list->end(), [](int64_t i) { return i >= 0; });
}

}  // namespace mo::opset
