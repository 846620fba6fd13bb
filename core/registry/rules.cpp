#include "core/registry/rules.hpp"

#include <algorithm>

namespace mo::core {

std::string rule_name(Rule rule) {
  const std::string number = std::to_string(static_cast<int>(rule));
  return "MOX-" + std::string(3 - std::min<size_t>(number.size(), 3), '0') + number;
}

}  // namespace mo::core
