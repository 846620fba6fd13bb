// Operations of a model that no plugin defines or converts.
#pragma once

#include "core/convert/phases.hpp"

namespace mo::core {

// One operation type that nobody defines.
struct Missing {
  NativeKey key;
  std::string opset;  // set: an extractor or transformation chose this opset, but no plugin defines the
                      // operation there
  std::vector<std::string> nodes;
  mo_node first = 0;              // of these
  std::string place;              // where the model describes the first one
  std::set<std::string> reasons;  // what extractors said that declined it, and who made it
};

// By type, as messages call it; bodies included. What vendors made or changed is not counted while transformations
// of theirs are still to come.
std::map<std::string, Missing> missing_operations(Session&, const Graph&, bool vendors_at_work = false);
// What comes close to it: one sentence each.
std::set<std::string> nearest_to(const Session&, const Missing&);

}  // namespace mo::core
