#include "apps/mo-host/reports/operation_reference.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "apps/survey/extractor_result.hpp"

namespace mo::app {

namespace {

using Frameworks = std::map<std::string, std::set<std::string>, std::less<>>;  // by operation

// Words in front of a bracket: the operations that a sketch names, "Divide(1, Sqrt(x))",
// "NonMaxSuppression-9(x)", or a graph, "%y = NonMaxSuppression@opset9 (%x)".
std::vector<std::string> named_in(const std::string& sketch) {
  static const RE2 word(R"(([A-Za-z]\w*)(?:-\d+|@\w+)?\s*\()");
  std::vector<std::string> names;
  std::string name;
  for (re2::StringPiece rest(sketch); RE2::FindAndConsume(&rest, word, &name);) names.push_back(name);
  return names;
}

Frameworks made_from(Program& program) {
  Frameworks made;
  core::Session& session = program.session();
  const core::Registry& registry = session.registry();
  for (const core::Extractor* e : registry.extractors()) {
    if (!e->plugin->built_in)
      continue;  // a vendor's is not called for a list: it may be the one that crashes
    if (const std::string op = extractor_result(session, *e); !op.empty())
      made[op].insert(e->framework.empty() ? "any" : e->framework);
  }
  for (const core::Transformation* t : registry.transformations()) {
    std::vector<std::string> frameworks = t->frameworks;
    if (frameworks.empty() && !t->plugin->framework.empty()) frameworks = {t->plugin->framework};
    for (const std::string& op : named_in(t->after)) made[op].insert(frameworks.begin(), frameworks.end());
  }
  return made;
}

// "all", "none", or the versions that can.
std::string which(const std::vector<const core::Operation*>& versions, bool (*can)(const core::Operation&)) {
  std::string some;
  size_t count = 0;
  for (const core::Operation* o : versions) {
    if (!can(*o)) continue;
    ++count;
    some += (some.empty() ? "" : ", ") + o->opset;
  }
  return count == versions.size() ? "yes" : count == 0 ? "no" : some;
}

}  // namespace

Table operation_reference(Program& program) {
  Table t{"Operations",
          {"operation", "versions", "shapes", "partial shapes", "values", "made from", "what it is"},
          {},
          "no plugin defines operations"};
  const Frameworks made = made_from(program);
  std::map<std::string, std::vector<const core::Operation*>> by_type;
  for (const core::Operation* o : program.session().registry().operations()) by_type[o->op].push_back(o);
  for (auto& [type, versions] : by_type) {
    std::sort(versions.begin(), versions.end(), [](const core::Operation* a, const core::Operation* b) {
      return std::tuple(a->opset.size(), std::string_view(a->opset)) <
             std::tuple(b->opset.size(), std::string_view(b->opset));
    });
    std::string opsets;
    for (const core::Operation* o : versions) opsets += (opsets.empty() ? "" : ", ") + o->opset;
    const auto infers = [](const core::Operation& o) { return o.infer != nullptr; };
    const auto evaluates = [](const core::Operation& o) { return o.evaluate != nullptr; };
    const auto from = made.find(type);
    // What infers takes partly known shapes: it may not invent, and leaves open what is not known.
    t.rows.push_back(
        {type, opsets, which(versions, infers), which(versions, infers), which(versions, evaluates),
         from == made.end() ? "" : fmt::format("{}", fmt::join(from->second, ", ")), versions.front()->doc});
  }
  return t;
}

}  // namespace mo::app
