// Who registers what another plugin has registered, too.
#include <algorithm>

#include "core/registry/check.hpp"
#include "core/registry/counts.hpp"
#include "core/registry/session.hpp"

namespace mo::core {

namespace {

std::string name_of(const Plugin& p) {
  return text(p.built_in ? "built-in plugin " : "plugin ", full_name(p));
}

bool overlap(const Extractor& a, const Extractor& b) {
  return (a.until == 0 || b.since <= a.until) && (b.until == 0 || a.since <= b.until);
}

std::string versions(const Extractor& e) {
  if (e.since == 0 && e.until == 0) return "of any version";
  return text("of versions ", e.since, " to ", e.until == 0 ? std::string("any") : text(e.until));
}

}  // namespace

Plugin& Registry::own(const Plugin& plugin) const {
  for (Plugin& p : session_.plugins())
    if (&p == &plugin) return p;
  throw Error(text("plugin '", plugin.id, "' is not of this session"));
}

// Two files that want one thing: an error that names both, and what decides.
void Registry::clash(const std::string& what, const Plugin& first, const Plugin& second,
                     std::string_view advice) {
  if (&first == &second)
    mo::fail(rule_name(Rule::claimed_twice), " ", what, " is registered twice by ", name_of(first),
             "; expected once");
  if (advice.empty())
    for (const Plugin* p : {&first, &second}) {
      std::vector<std::string>& rivals = own(second).rivals;
      if (std::find(rivals.begin(), rivals.end(), p->id) == rivals.end()) rivals.push_back(p->id);
    }
  mo::fail(rule_name(Rule::claimed_twice), " ", what, " is registered by ", name_of(first), " and by ",
           name_of(second), "; expected one of them", advice.empty() ? "" : ": ", advice);
}

// Only for what has rivals: nothing is written down or looked through for all the others. A transformation of
// a vendor goes before one that is built in.
template <class T>
void Registry::decide_between(const std::string& what, const std::vector<const T*>& rivals, T& mine,
                              std::list<T>& all) {
  const auto rank_of = [this](const Plugin& p) {
    return std::pair(preference(p), std::is_same_v<T, Transformation> && p.built_in);
  };
  const auto rank = rank_of(*mine.plugin);
  for (const T* other : rivals)
    if (other->plugin == mine.plugin || rank_of(*other->plugin) == rank)
      clash(what, *other->plugin, *mine.plugin);
  const auto note = [&](const Plugin& winner, const Plugin& loser) {
    own(*mine.plugin)
        .notes.push_back(
            text(what, ": ", name_of(winner), " is preferred, that of ", name_of(loser), " is withdrawn"));
  };
  for (const T* other : rivals)
    if (rank_of(*other->plugin) < rank) {
      mine.yields_to = other->plugin;
      return note(*other->plugin, *mine.plugin);
    }
  for (T& other : all) {
    if (std::find(rivals.begin(), rivals.end(), &other) == rivals.end()) continue;
    other.yields_to = mine.plugin;
    remove_from_lookup(other);
    Plugin& loser = own(*other.plugin);
    --count_of(loser, other);
    ++loser.withdrawn;
    note(*mine.plugin, loser);
  }
}

void Registry::claim(Operation& o) {
  const Operation* other = operation(o.op, o.opset);
  if (other == nullptr) return;
  // "All that nobody defines" of a set that is built in: the set is open to everybody.
  if (other->op != o.op && other->plugin->built_in) return;
  const std::string what = text("operation ", o.opset, "::", o.op);
  if (other->plugin->built_in != o.plugin->built_in)
    clash(what, *other->plugin, *o.plugin,
          "what is built in cannot be redefined, nor does --prefer help; choose an opset name of your own");
  // One of all names of an opset leaves it the rest.
  if (other->op != o.op && preference(*o.plugin) < preference(*other->plugin)) return;
  decide_between(what, {other}, o, operations_);
}

void Registry::claim(Extractor& e) {
  const auto same_op = extractor_index_.find(session_.space()->symbols.find(e.op));
  if (same_op == extractor_index_.end()) return;
  const std::string what =
      text("extractor of ", in_quotes(e.op), e.domain.empty() ? "" : text(", domain ", in_quotes(e.domain)),
           e.framework.empty() ? "" : text(", framework ", in_quotes(e.framework)));
  std::vector<const Extractor*> rivals;
  for (const Extractor* at : same_op->second) {
    const Extractor& other = *at;
    if (other.domain != e.domain || !overlap(other, e)) continue;
    if (other.framework.empty() != e.framework.empty() || !same_framework(other.framework, e.framework))
      continue;
    if (other.plugin->built_in == e.plugin->built_in || other.plugin == e.plugin) {
      rivals.push_back(&other);
      continue;
    }
    const auto rank = [this](const Plugin* p) { return std::pair(preference(*p), p->built_in); };
    const bool mine_first = rank(e.plugin) < rank(other.plugin);
    own(*e.plugin).notes.push_back(text(what, ": ", name_of(mine_first ? *e.plugin : *other.plugin),
                                        " comes before ", name_of(mine_first ? *other.plugin : *e.plugin)));
  }
  if (!rivals.empty())
    decide_between(text(what, ", ", versions(e), " and ", versions(*rivals.front())), rivals, e, extractors_);
}

// One that says nothing of its order stands where the one stood that it replaces.
void Registry::take_place(Transformation& t, const Transformation& of) {
  if (!of.plugin->built_in) return;
  t.replaces = true;
  if (!t.run_before.empty() || !t.run_after.empty()) return;
  t.run_before = of.run_before;
  t.run_after = of.run_after;
}

void Registry::claim(Transformation& t) {
  if (const Transformation* other = transformation_index_.find(t.id)) {
    decide_between(text("transformation ", in_quotes(t.id)), {other}, t, transformations_);
    if (t.yields_to == nullptr) take_place(t, *other);
    for (Transformation& o : transformations_)
      if (&o == other && t.yields_to != nullptr) take_place(o, t);
  }
  if (t.group.empty() || t.yields_to != nullptr) return;
  if (const Transformation* other = group_index_.find(t.group); other != nullptr && other->phase != t.phase)
    mo::fail(rule_name(Rule::group_phase), " transformation ", in_quotes(t.id), ": phase is ", t.phase,
             "; expected ", other->phase, ", as ", in_quotes(other->id), " of ", name_of(*other->plugin),
             " has that phase and the same group ", in_quotes(t.group));
}

void Registry::claim(FrontEnd& f) {
  std::vector<std::string> names = f.aliases;
  names.push_back(f.name);
  std::vector<const FrontEnd*> rivals;
  std::string shared;
  for (const std::string& name : names)
    if (const FrontEnd* other = frontend(name)) {
      shared = name;
      if (std::find(rivals.begin(), rivals.end(), other) == rivals.end()) rivals.push_back(other);
    }
  if (!rivals.empty()) decide_between(text("front-end name ", in_quotes(shared)), rivals, f, frontends_);
}

void Registry::claim(OptionDef& o) {
  if (host_options_.contains(o.name))
    mo::fail(rule_name(Rule::option_of_host), " option ", in_quotes(o.name),
             ": name is an option of the host itself; expected another one");
  if (const OptionDef* other = option(o.name))
    decide_between(text("option ", in_quotes(o.name)), {other}, o, options_);
}

void Registry::claim(Converter& c) {
  if (const Converter* other = converter(c.type_name))
    decide_between(text("converter of ", in_quotes(c.type_name)), {other}, c, converters_);
}

void Registry::claim(Interface& i) {
  if (const Interface* other = find_interface(i.name, i.revision))
    decide_between(text("interface ", in_quotes(i.name), " revision ", i.revision), {other}, i, interfaces_);
}

}  // namespace mo::core
