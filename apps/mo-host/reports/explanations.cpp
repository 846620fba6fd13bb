#include "apps/mo-host/reports/explanations.hpp"

#include "core/support/contains.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mo::app {

namespace {

std::string no_candidate(const core::Transformation& t) {
  switch (t.kind) {
    case MO_TRANSFORM_GRAPH:
      return "it looked at the graph and edited nothing";
    case MO_TRANSFORM_OP: {
      std::string ops;
      for (const std::string& op : t.ops)
        ops += (ops.empty() ? "" : ", ") + (op.rfind("::", 0) == 0 ? op.substr(2) : op);
      return "no candidate: the graph has no node of " + ops + " when it runs";
    }
    default:
      return "no candidate: nothing in the graph matches its pattern when it runs";
  }
}

std::string counted(size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace

std::string why_idle(const core::Transformation& t, const core::RunStatistics& s) {
  if (!s.runs) return "did not run: its condition does not hold for this model";
  return s.matches == 0 && s.declined == 0 ? no_candidate(t) : std::string();
}

void Explanations::scheduled(const std::vector<core::Scheduled>& schedule) {
  for (const core::Scheduled& s : schedule)
    if (core::contains(ids_, s.id)) scheduled_[s.id] = {s.transformation, s.why_not};
}

void Explanations::has_run(const core::Ran& ran) {
  for (const core::RunStatistics& s : ran.members)
    if (core::contains(ids_, s.id)) ran_[s.id] = s;
}

std::string Explanations::about(const std::string& id) const {
  const auto known = scheduled_.find(id);
  if (known == scheduled_.end())
    return "  did not run: the model was not loaded, or it is for other frameworks\n";
  if (!known->second.why_not.empty()) return "  did not run: " + known->second.why_not + "\n";
  const auto ran = ran_.find(id);
  if (ran == ran_.end())
    return "  did not run: " + (left_out_.empty() ? "the conversion ended before" : left_out_) + "\n";
  const core::RunStatistics& s = ran->second;
  if (const std::string why = why_idle(*known->second.transformation, s); !why.empty())
    return "  " + why + "\n";
  std::string out =
      fmt::format("  applied {}, declined {}\n", counted(s.matches, "time", "times"), s.declined);
  for (const core::Decline& d : s.declines)
    out += fmt::format("  {}: {}\n", d.node, d.why.empty() ? "declined without a reason" : d.why);
  if (s.declined > s.declines.size())
    out += fmt::format("  {} more, nowhere near it\n", s.declined - s.declines.size());
  return out;
}

std::string Explanations::text() const {
  std::string out;
  for (const std::string& id : ids_) {
    const auto known = scheduled_.find(id);
    out += id;
    if (known != scheduled_.end()) out += places_.in_brackets(known->second.transformation);
    out += "\n" + about(id);
  }
  return out;
}

}  // namespace mo::app
