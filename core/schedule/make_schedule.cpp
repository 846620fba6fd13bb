#include <algorithm>

#include "core/config/config_entry.hpp"
#include "core/schedule/order.hpp"
#include "core/support/contains.hpp"
#include "core/support/nearest.hpp"

namespace mo::core {

std::vector<std::string> ids_meant(const Session& session, const std::vector<std::string>& ids,
                                   std::string_view what) {
  std::vector<std::string> list;
  for (const std::string& id : ids) {
    const auto meant = session.registry().transformations(id);
    for (const Transformation* t : meant) list.push_back(t->id);
    if (!meant.empty()) continue;
    std::vector<std::string> known;
    for (const Transformation* t : session.registry().transformations())
      known.insert(known.end(), {t->id, t->group});
    Failure f(Exit::usage, "MO0603", text("there is no transformation '", id, "' to be ", what));
    f.with("hint", did_you_mean(id, known));
    throw f;
  }
  return list;
}

namespace {

bool has_entry(const Session& session, const Transformation& t) {
  return session.configuration != nullptr &&
         std::any_of(session.configuration->begin(), session.configuration->end(),
                     [&](const ConfigEntry& e) { return e.id == t.id && e.op.empty(); });
}

// Why it does not run; empty when it does.
std::string off(const Session& session, const Transformation& t, const ScheduleOptions& options) {
  if (contains(options.disabled, t.id)) return "switched off by the user";
  if (!t.enabled && !contains(options.enabled, t.id)) return "off unless switched on";
  if (!options.framework.empty() && !session.registry().serves(t, options.framework))
    return text("not for models of ", options.framework);
  if (t.is_configured() && !has_entry(session, t)) return "no configuration file has an entry for it";
  return {};
}

}  // namespace

std::vector<Scheduled> make_schedule(const Session& session, const ScheduleOptions& asked) {
  const ScheduleOptions options{asked.framework, ids_meant(session, asked.enabled, "switched on"),
                                ids_meant(session, asked.disabled, "switched off"), asked.with_reasons};
  Order order(session);
  const std::vector<size_t> sorted = order.sorted(options.disabled);
  std::vector<std::string> reasons;
  if (options.with_reasons) reasons = order.reasons();
  std::vector<Scheduled> schedule;
  schedule.reserve(sorted.size());
  for (size_t item : sorted) {
    const Order::Item& i = order.items()[item];
    Scheduled s{std::string(i.id), i.transformation, true, {}};
    if (options.with_reasons) s.why = std::move(reasons[item]);
    if (i.transformation != nullptr)
      if (s.why_not = off(session, *i.transformation, options); !s.why_not.empty()) {
        s.runs = false;
        if (options.with_reasons) s.why = text("does not run: ", s.why_not, "; ", s.why);
      }
    schedule.push_back(std::move(s));
  }
  return schedule;
}

}  // namespace mo::core
