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

}  // namespace

void warn_of_unknown_types(const Session& session, const Graph& g, const Transformation& t) {
  const std::set<std::string> types = types_in(t, false);
  const auto is_absent = [&](const std::string& type) { return g.nodes_of(type).empty(); };
  if (std::none_of(types.begin(), types.end(), is_absent)) return;
  std::vector<std::string> known;
  for (const Operation* o : session.registry().operations())
    if (known.empty() || known.back() != o->op) known.push_back(o->op);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  // A framework's name: an extractor or another transformation is for it.
  const auto is_source = [&](const std::string& type) {
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
  for (const std::string& type : types) {
    if (!is_absent(type) || std::binary_search(known.begin(), known.end(), type)) continue;
    std::string what;
    if (const auto it = session.extracted_as.find(type); it != session.extracted_as.end())
      what = text("what the model calls so is ", joined({it->second.begin(), it->second.end()}), " by now");
    else if (const auto names = near(type, known); !names.empty() && !is_source(type))
      what = text("did you mean ", joined(names), "?");
    if (!what.empty())
      session.log(MO_LOG_WARNING,
                  text("'", t.id, "' looks for '", type, "', which is no registered operation: ", what),
                  t.plugin);
  }
}

}  // namespace mo::core
