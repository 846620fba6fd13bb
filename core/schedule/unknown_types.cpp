// Types in patterns that no node can have, as an operation has another name here than in its framework.
#include "core/schedule/unknown_types.hpp"

#include <algorithm>

#include "core/support/nearest.hpp"

namespace mo::core {

namespace {

// Types of any opset and "opset::Type"; "::Type", which is a framework's name, when it is asked for.
std::set<std::string> types_in(const Transformation& t, bool of_frameworks) {
  std::set<std::string> types;
  const auto add = [&](const std::vector<std::string>& ops) {
    for (const std::string& op : ops)
      if (const size_t at = op.rfind("::"); at != 0 || of_frameworks)
        types.insert(at == op.npos ? op : op.substr(at + 2));
  };
  add(t.ops);
  for (const PatternNodeDef& n : t.nodes) add(n.ops);
  return types;
}

// A slip of the pen, other letters in upper case, or a part of the name. Whatever is only alike may be the
// type of an operation that is made on the way and not registered.
std::vector<std::string> near(const std::string& type, const std::vector<std::string>& known) {
  std::vector<std::pair<size_t, std::string>> found;
  for (const std::string& k : known)
    if (type.size() > 3 && edit_distance(type, k, 1) <= 1)
      found.emplace_back(0, k);
    else if (type.size() > 2 && (k.starts_with(type) || k.ends_with(type)))
      found.emplace_back(k.size(), k);
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (const auto& [rank, name] : found)
    if (names.size() < 3 && (rank == 0) == (found.front().first == 0)) names.push_back(name);
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& n : names) list += text(list.empty() ? "'" : ", '", n, "'");
  return list;
}

// Each once. Those of plugins that are opened when one is needed only with `open_all`: it opens them.
std::vector<std::string> registered_types(const Session& session, bool open_all) {
  std::vector<std::string> types;
  const auto add = [&](const std::vector<const Operation*>& operations) {
    for (const Operation* o : operations) types.push_back(o->op);
  };
  if (open_all) {
    add(session.registry().operations());
  } else {
    for (const Plugin& p : session.plugins()) add(session.registry().operations_of(p));
  }
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  return types;
}

// What to say of the types that nobody has registered; nothing where nothing comes near.
std::vector<std::string> remarks(const Session& session, const Transformation& t,
                                 const std::vector<std::string>& types,
                                 const std::vector<std::string>& registered) {
  // A framework's name: an extractor or another transformation is for it.
  const auto is_source = [&](const std::string& type) {
    session.registry().open_contents();
    const auto extractors = session.registry().extractors();
    const auto others = session.registry().transformations();
    const auto is_for = [&](const Transformation* o) {
      const auto all = types_in(*o, true);
      return o->plugin != t.plugin && all.contains(type);
    };
    return std::any_of(extractors.begin(), extractors.end(),
                       [&](const Extractor* e) { return e->op == type; }) ||
           std::any_of(others.begin(), others.end(), is_for);
  };
  std::vector<std::string> list;
  for (const std::string& type : types) {
    if (std::binary_search(registered.begin(), registered.end(), type)) continue;
    std::string what;
    if (const auto it = session.extracted_as.find(type); it != session.extracted_as.end())
      what = text("what the model calls so is ", joined({it->second.begin(), it->second.end()}), " by now");
    else if (const auto names = near(type, registered); !names.empty() && !is_source(type))
      what = text("did you mean ", joined(names), "?");
    if (!what.empty())
      list.push_back(
          text("'", t.id, "' looks for '", type, "', which is not a registered operation: ", what));
  }
  return list;
}

}  // namespace

void warn_of_unknown_types(const Session& session, const Graph& g, const Transformation& t) {
  std::vector<std::string> absent;
  for (const std::string& type : types_in(t, false))
    if (g.nodes_of(type).empty()) absent.push_back(type);
  if (absent.empty() || remarks(session, t, absent, registered_types(session, false)).empty()) return;
  // Who has the type may be one that was not opened yet.
  for (const std::string& remark : remarks(session, t, absent, registered_types(session, true)))
    session.log(MO_LOG_WARNING, remark, t.plugin);
}

}  // namespace mo::core
