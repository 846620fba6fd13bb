// Why a transformation stands where it does, and why it cannot stand anywhere.
#include <algorithm>

#include "core/schedule/order.hpp"
#include "core/support/contains.hpp"

namespace mo::core {

namespace {

std::string name_of(const Order::Item& i) {
  return i.transformation == nullptr ? std::string(i.id)
                                     : text("'", i.id, "' (plugin ", i.transformation->plugin->id, ")");
}

}  // namespace

// One way through the constraints for all items.
std::vector<std::string> Order::reasons() const {
  std::vector<std::string> all(items_.size());
  const auto say = [&](size_t item, std::string_view where, const Constraint& c, size_t other) {
    const Transformation* self = items_[item].transformation;
    if (self == nullptr) return;
    std::string_view who = ", which says so";
    if (c.is_default) who = " by default";
    if (c.said == self && !c.is_default) who = "";
    std::string& out = all[item];
    for (const std::string_view part :
         {std::string_view(out.empty() ? "" : "; "), where, items_[other].id, who})
      out += part;
  };
  for (const Constraint& c : constraints_) say(c.after, "after ", c, c.before);
  for (const Constraint& c : constraints_) say(c.before, "before ", c, c.after);
  for (size_t i = 0; i < all.size(); ++i) {
    const Item& self = items_[i];
    if (self.transformation == nullptr)
      all[i] = "anchor";
    else if (const size_t members = units_[self.unit].size(); members > 1)
      all[i] += text(all[i].empty() ? "" : "; ", "one traversal with the other ", members - 1, " of group ",
                     self.transformation->group);
  }
  return all;
}

std::string Order::link(const Constraint& c) const {
  const Item &a = items_[c.before], &b = items_[c.after];
  std::string said;
  if (c.said == nullptr)
    said = "the order of the phases";
  else if (c.is_default)
    said = text("the default of '", c.said->id, "'");
  else
    said = text("'", c.said->id, "' says ", c.said == a.transformation ? "run_before" : "run_after");
  return text(name_of(a), " before ", name_of(b), ": ", said);
}

void Order::fail_with_cycle(const std::vector<size_t>& waiting, size_t Item::*what) const {
  const auto thing = [&](size_t item) { return items_[item].*what; };
  const auto waits = [&](size_t t) { return contains(waiting, t); };
  std::vector<size_t> path;  // each waits for the next
  std::vector<const Constraint*> because;
  size_t at = waiting.front();
  auto again = path.end();
  while ((again = std::find(path.begin(), path.end(), at)) == path.end()) {
    path.push_back(at);
    const Constraint* reason = nullptr;
    for (const Constraint& c : constraints_)
      if (thing(c.after) == at && thing(c.before) != at && waits(thing(c.before)) &&
          (reason == nullptr || reason->is_default))
        reason = &c;
    because.push_back(reason);
    at = thing(reason->before);
  }
  because.erase(because.begin(), because.begin() + (again - path.begin()));
  std::reverse(because.begin(), because.end());
  std::string chain;
  for (size_t i = 0; i < because.size(); ++i) {
    const Constraint &c = *because[i], &next = *because[(i + 1) % because.size()];
    chain += (i == 0 ? "" : "\n") + link(c);
    if (c.after != next.before)
      chain += text("\n'", items_[c.after].id, "' and '", items_[next.before].id,
                    "' share one traversal: group ", items_[c.after].transformation->group);
  }
  throw Failure(Exit::plugin, "MO0602", "the order of the transformations has a cycle")
      .with("order", chain)
      .with("hint",
            "take one of these away; stating run_after or run_before drops the default of the same name; "
            "who uses the plugins decides with --prefer, or switches one off with --disable_transformations");
}

}  // namespace mo::core
