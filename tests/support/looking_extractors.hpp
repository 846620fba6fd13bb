// Extractors of a vendor that only look: which operations they were asked for.
#pragma once

#include <set>

#include "test_plugin.hpp"

namespace mo::test {

inline std::set<std::string> asked_for;

inline void only_look(SourceNode& n) {
  asked_for.insert(n.native_op());
  decline("it only looks");
}

inline void add_looking(Registry& r, std::string_view framework,
                        std::initializer_list<std::string_view> operations) {
  asked_for.clear();
  for (const std::string_view op : operations) r.extractor<only_look>({framework, "", op});
}

}  // namespace mo::test
