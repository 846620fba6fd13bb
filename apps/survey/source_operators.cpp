#include "apps/survey/source_operators.hpp"

namespace mo::app {

namespace {

// What a transformation takes a node for: a pattern of several is about how operators go together.
std::span<const std::string> taken_by(const core::Transformation& t) {
  if (t.phase != MO_PHASE_FRONT || t.is_configured() || t.yields_to != nullptr) return {};
  if (t.kind == MO_TRANSFORM_OP) return t.ops;
  return t.nodes.size() == 1 ? std::span<const std::string>(t.nodes.front().ops)
                             : std::span<const std::string>();
}

}  // namespace

std::vector<SourceOperator> source_operators(const core::Registry& r) {
  std::vector<SourceOperator> list;
  for (const core::Extractor* e : r.extractors())
    list.push_back(
        {e->framework, e->domain.empty() ? e->op : text(e->domain, ".", e->op), e->since, e->until, {}, e});
  for (const core::Transformation* t : r.transformations())
    for (const std::string& spelled : taken_by(*t)) {
      if (!spelled.starts_with("::")) continue;  // one of an operation set
      std::vector<std::string> frameworks = t->frameworks;
      if (frameworks.empty()) frameworks.emplace_back();
      for (const std::string& framework : frameworks)
        list.push_back({framework, spelled.substr(2), 0, 0, t->id, t});
    }
  std::stable_sort(list.begin(), list.end(), [](const SourceOperator& a, const SourceOperator& b) {
    return std::tie(a.framework, a.name, a.since) < std::tie(b.framework, b.name, b.since);
  });
  return list;
}

bool is_called(const SourceOperator& o, std::string_view name) {
  return o.name == name || (o.name.size() > name.size() && o.name.ends_with(name) &&
                            o.name[o.name.size() - name.size() - 1] == '.');
}

}  // namespace mo::app
