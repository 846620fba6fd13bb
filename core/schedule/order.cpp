#include "core/schedule/order.hpp"

#include <algorithm>
#include <array>
#include <queue>

#include "core/support/contains.hpp"
#include "core/support/nearest.hpp"

namespace mo::core {

namespace {

struct PhaseAnchors {
  std::string_view start, finish;
};
// In the order of MO_PHASE_.
constexpr std::array<PhaseAnchors, 7> anchors{{{"load.start", "load.finish"},
                                               {"front.start", "front.finish"},
                                               {"pre_middle.start", "pre_middle.finish"},
                                               {"middle.start", "middle.finish"},
                                               {"post_middle.start", "post_middle.finish"},
                                               {"back.start", "back.finish"},
                                               {"emit.start", "emit.finish"}}};
const PhaseAnchors& anchors_of(int32_t phase) {
  return anchors.at(static_cast<size_t>(phase - MO_PHASE_LOAD));
}

}  // namespace

// Items are listed phase by phase: the anchor, the transformations in order of (plugin id, registration),
// those that are built in behind all others, the anchor.
Order::Order(const Session& session) : session_(session) {
  auto all = session.registry().transformations();
  std::stable_partition(all.begin(), all.end(), [](const Transformation* t) { return !t->plugin->built_in; });
  for (int32_t p = MO_PHASE_LOAD; p <= MO_PHASE_EMIT; ++p) {
    const PhaseAnchors& own = anchors_of(p);
    items_.push_back({own.start, nullptr, p, 0, 0});
    for (const Transformation* t : all)
      if (t->phase == p) items_.push_back({t->id, t, p, 0, 0});
    items_.push_back({own.finish, nullptr, p, 0, 0});
  }
  std::map<std::string_view, size_t> groups;
  size_t last_anchor = items_.size();
  for (size_t i = 0; i < items_.size(); ++i) {
    Item& item = items_[i];
    item.index = i;
    by_id_.insert_or_assign(item.id, i);
    const bool grouped = item.transformation != nullptr && !item.transformation->group.empty();
    item.unit =
        grouped ? groups.try_emplace(item.transformation->group, units_.size()).first->second : units_.size();
    if (item.unit == units_.size()) units_.emplace_back();
    units_[item.unit].push_back(i);
    if (grouped) by_id_.emplace(item.transformation->group, i);  // whoever names it means the unit
    if (item.transformation != nullptr) continue;
    if (last_anchor != items_.size()) constraints_.push_back({last_anchor, i, nullptr, true});
    last_anchor = i;
  }
  std::vector<std::string> unknown;
  for (size_t i = 0; i < items_.size(); ++i)
    if (items_[i].transformation != nullptr) add_constraints(*items_[i].transformation, i, unknown);
  if (unknown.empty()) return;
  // What is not registered yet may have them.
  if (session.registry().has_closed()) {
    session.registry().open_contents();
    *this = Order(session);
    return;
  }
  std::string list;
  for (const std::string& u : unknown) list += (list.empty() ? "" : "\n") + u;
  throw Failure(Exit::plugin, "MO0603",
                unknown.size() == 1
                    ? "a transformation is ordered by an id that nothing has"
                    : text(unknown.size(), " transformations are ordered by ids that nothing has"))
      .with("order", list);
}

void Order::add_constraints(const Transformation& t, size_t item, std::vector<std::string>& unknown) {
  const auto add = [&](const std::vector<std::string>& ids, std::string_view field, std::string_view fallback,
                       bool item_first) {
    const auto constrain = [&](size_t other, bool is_default) {
      constraints_.push_back({item_first ? item : other, item_first ? other : item, &t, is_default});
    };
    bool constrained = false;
    for (const std::string_view said : ids) {
      const bool if_there = said.ends_with('?');
      const std::string_view id = said.substr(0, said.size() - (if_there ? 1 : 0));
      const auto it = by_id_.find(id);
      constrained = constrained || it != by_id_.end() || !if_there;
      if (it != by_id_.end()) {
        constrain(it->second, false);
        const Transformation* other = items_[it->second].transformation;
        constraints_.back().of_old = other != nullptr && other->replaces && t.plugin->built_in;
        continue;
      }
      if (if_there) continue;
      std::vector<std::string> known;
      for (const Item& i : items_) known.emplace_back(i.id);
      const std::string hint = did_you_mean(id, known);
      unknown.push_back(text("'", t.id, "' (plugin ", t.plugin->id, ") has ", field, " '", id, "'",
                             hint.empty() ? "" : "; " + hint));
    }
    if (!constrained) constrain(by_id_.find(fallback)->second, true);
  };
  const PhaseAnchors& own = anchors_of(t.phase);
  add(t.run_after, "run_after", own.start, false);
  add(t.run_before, "run_before", own.finish, true);
}

// What is built in may say more of the order of an id than a vendor's transformation of that id bears: that
// is given up then. So is what those say that do not run, and what others say of a plugin that is preferred.
std::vector<size_t> Order::sorted(const std::vector<std::string>& disabled) {
  std::vector<size_t> waiting, units = sorted_units(waiting);
  const auto give_up = [&](const auto& which) {
    if (!waiting.empty() && std::erase_if(constraints_, which) != 0) units = sorted_units(waiting);
  };
  const auto is_preferred = [&](const Transformation* t) {
    return t != nullptr && session_.get().registry().prefers(*t->plugin);
  };
  give_up([](const Constraint& c) { return c.of_old; });
  give_up([&](const Constraint& c) { return c.said != nullptr && contains(disabled, c.said->id); });
  give_up([&](const Constraint& c) {
    return c.said != nullptr && !is_preferred(c.said) &&
           (is_preferred(items_[c.before].transformation) || is_preferred(items_[c.after].transformation));
  });
  if (!waiting.empty()) fail_with_cycle(waiting, &Item::unit);
  std::vector<size_t> order;
  for (size_t unit : units)
    for (size_t item : sorted_members(units_[unit])) order.push_back(item);
  return order;
}

namespace {

// Kahn's algorithm over `count` things; the smallest of those that wait for nothing goes first. What is part
// of a cycle, or behind one, is left in `waiting`.
std::vector<size_t> sort_by_edges(size_t count, const std::vector<std::pair<size_t, size_t>>& edges,
                                  std::vector<size_t>& waiting) {
  std::vector<std::vector<size_t>> after(count);
  std::vector<size_t> waits(count, 0);
  for (const auto& [a, b] : edges) {
    after[a].push_back(b);
    ++waits[b];
  }
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < count; ++i)
    if (waits[i] == 0) ready.push(i);
  std::vector<size_t> order;
  while (!ready.empty()) {
    const size_t i = ready.top();
    ready.pop();
    order.push_back(i);
    for (size_t b : after[i])
      if (--waits[b] == 0) ready.push(b);
  }
  for (size_t i = 0; i < count; ++i)
    if (waits[i] != 0) waiting.push_back(i);
  return order;
}

}  // namespace

std::vector<size_t> Order::sorted_units(std::vector<size_t>& waiting) const {
  std::vector<std::pair<size_t, size_t>> edges;
  for (const Constraint& c : constraints_)
    if (items_[c.before].unit != items_[c.after].unit)
      edges.emplace_back(items_[c.before].unit, items_[c.after].unit);
  waiting.clear();
  return sort_by_edges(units_.size(), edges, waiting);
}

std::vector<size_t> Order::sorted_members(const std::vector<size_t>& members) const {
  if (members.size() == 1) return {members[0]};
  std::vector<std::pair<size_t, size_t>> edges;
  const auto place = [&](size_t item) {
    return std::find(members.begin(), members.end(), item) - members.begin();
  };
  for (const Constraint& c : constraints_)
    if (items_[c.before].unit == items_[members[0]].unit && items_[c.after].unit == items_[members[0]].unit)
      edges.emplace_back(place(c.before), place(c.after));
  std::vector<size_t> waiting;
  std::vector<size_t> order = sort_by_edges(members.size(), edges, waiting);
  for (auto* list : {&waiting, &order})
    for (size_t& i : *list) i = members[i];
  if (!waiting.empty()) fail_with_cycle(waiting, &Item::index);
  return order;
}

}  // namespace mo::core
