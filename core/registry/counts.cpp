#include "core/registry/counts.hpp"

#include <mo/text.hpp>

namespace mo::core {

std::string in_words(const Counts& c, size_t withdrawn) {
  const std::pair<size_t, std::string_view> kinds[] = {
      {c.frontends, "front-end"},  {c.operations, "operation"},
      {c.extractors, "extractor"}, {c.transformations, "transformation"},
      {c.options, "option"},       {c.converters, "converter"},
      {c.interfaces, "interface"}};
  std::string list;
  for (const auto& [n, what] : kinds)
    if (n != 0) list += text(list.empty() ? "" : ", ", n, " ", what, n == 1 ? "" : "s");
  if (withdrawn != 0) list += text(list.empty() ? "" : ", ", withdrawn, " withdrawn");
  return list.empty() ? "nothing registered" : list;
}

}  // namespace mo::core
