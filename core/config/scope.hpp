// How names and expressions of a "scope" fit together.
#pragma once

#include "core/config/match_config.hpp"

#include <re2/re2.h>

namespace mo::core {

// Names that begin with a match of `scope`, followed by one of `node` when that is not empty.
class ScopeExpression {
 public:
  explicit ScopeExpression(std::string_view scope, std::string_view node = {});
  bool fits(std::string_view name) const;

 private:
  re2::RE2 expression_;
};

InstanceMatch match_scope(Graph&, const ConfigEntry&, size_t instance);
InstanceMatch match_points(Graph&, const ConfigEntry&);

// The in-port of a node of the match that an entry means; nothing, with a reason, when there is none.
std::optional<PortRef> find_port(const Graph&, const ConfiguredMatch&, const ConfigEntry::Port&, bool input,
                                 std::string& why_not);

// A whole entry is wrong for this model.
Failure wrong_entry(const ConfigEntry&, std::string_view code, const std::string& what);

}  // namespace mo::core
