#include "support/state_pairs.hpp"

#include <mo/conventions.h>
#include <mo/bodies.hpp>

#include "support/inputs.hpp"
#include "support/target.hpp"

#include <algorithm>
#include <set>

namespace mo::builtin_passes {

namespace {

// How exporters call a cache: what comes in, and what goes out. The rest of both names is the same.
constexpr std::pair<std::string_view, std::string_view> cache_names[] = {
    {"past_key_values.", "present."},
    {"past_key_values.", "present_key_values."},
    {"past_key_values_", "present_key_values_"},
    {"cache_params.past.", "cache_params.present."},
};

std::vector<std::string> names_of(const Node& node, const OutPort& port) {
  std::vector<std::string> names{node.name()};
  if (!port) return names;
  const auto more = port.tensor_names();
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

bool has_name(const Node& result, const std::string& name) {
  const auto names = names_of(result, result.in_port(0).get_source());
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A Result that is not spoken for yet: several may read one port.
Node result_called(const Graph& g, const std::string& name, const std::vector<StatePair>& taken) {
  for (const Node& r : g.results()) {
    const bool free =
        std::none_of(taken.begin(), taken.end(), [&](const StatePair& p) { return p.output == r; });
    if (free && has_name(r, name)) return r;
  }
  return {};
}

// Of one type, and no size that is fixed changes.
bool fit(const StatePair& p) {
  const OutPort in = p.input.out_port(), out = p.output.in_port(0).get_source();
  if (in.type() != out.type() && in.type() != ElementType::unknown && out.type() != ElementType::unknown)
    return false;
  const Shape a = in.shape(), b = out.shape();
  if (!a.has_rank() || !b.has_rank()) return true;
  if (a.size() != b.size()) return false;
  for (size_t d = 0; d < a.size(); ++d)
    if (!intersect(a[d], b[d])) return false;
  return true;
}

std::string list_of(const std::vector<Node>& nodes, bool results) {
  std::string all;
  for (const Node& n : nodes) {
    const auto names = results ? n.in_port(0).get_source().tensor_names() : std::vector<std::string>();
    all += text(all.empty() ? "'" : ", '", names.empty() ? n.name() : names.front(), "'");
  }
  return all.empty() ? "none" : all;
}

// "IN:OUT"; a name may hold colons itself, so every colon is tried.
std::optional<StatePair> pair_of(const Graph& g, const std::string& words,
                                 const std::vector<StatePair>& taken) {
  for (size_t colon = words.find(':'); colon != std::string::npos; colon = words.find(':', colon + 1)) {
    StatePair p;
    p.input_name = words.substr(0, colon);
    p.output_name = words.substr(colon + 1);
    for (const Node& n : g.parameters())
      if (is_called(n, p.input_name)) p.input = n;
    p.output = result_called(g, p.output_name, taken);
    if (p.input && p.output) return p;
  }
  return std::nullopt;
}

// Those that the front-end knows: names of an input and an output by turns.
std::vector<StatePair> told_pairs(const Graph& g) {
  std::vector<StatePair> found;
  const auto names =
      g.attr<std::vector<std::string>>(MO_GRAPH_CACHE_PAIRS).value_or(std::vector<std::string>());
  for (size_t i = 0; i + 1 < names.size(); i += 2) {
    StatePair pair{{}, {}, names[i], names[i + 1], true};
    for (const Node& n : g.parameters())
      if (is_called(n, pair.input_name)) pair.input = n;
    pair.output = result_called(g, pair.output_name, found);
    if (pair.input && pair.output && fit(pair)) found.push_back(pair);
  }
  return found;
}

// What a port is, with more behind it: that port, and along which dimension.
struct Growth {
  OutPort before;
  int64_t axis;
  bool first;  // it is the first part
};

std::vector<Growth> growths(const OutPort& made);

// The same, made in a body of `n`: how Parameters and Results of the body are connected is in its port map.
void add_growths_of_body(const Node& n, std::string_view prefix, size_t port, std::vector<Growth>& found) {
  if (!n.has(text(prefix, "body"))) return;
  const Graph body = body_of(n, prefix);
  const std::vector<PortMapEntry> map = port_map_of(n, prefix);
  const auto parameters = body.parameters(), results = body.results();
  for (const PortMapEntry& out : map) {
    if (!out.output || out.axis || out.external != static_cast<int64_t>(port)) continue;
    for (const Growth& g : growths(results.at(static_cast<size_t>(out.internal)).in_port(0).get_source()))
      for (const PortMapEntry& in : map) {
        if (in.output || in.axis || in.external < 0) continue;
        if (parameters.at(static_cast<size_t>(in.internal)) != g.before.node()) continue;
        if (const OutPort s = n.in_port(static_cast<size_t>(in.external)).get_source())
          found.push_back({s, g.axis, g.first});
      }
  }
}

std::vector<Growth> growths(const OutPort& made) {
  std::vector<Growth> found;
  const Node n = made.node();
  if (n.is("Concat")) {
    for (size_t i = 0; i < n.in_count(); ++i)
      if (const OutPort s = n.in_port(i).get_source()) found.push_back({s, n.attr<int64_t>("axis"), i == 0});
    return found;
  }
  for (const char* prefix : {"", "then_", "else_"}) add_growths_of_body(n, prefix, made.index(), found);
  return found;
}

}  // namespace

std::vector<StatePair> cache_pairs(const Graph& g) {
  std::vector<StatePair> found = told_pairs(g);
  for (const Node& p : g.parameters()) {
    if (std::any_of(found.begin(), found.end(), [&](const StatePair& o) { return o.input == p; })) continue;
    std::string why;
    bool paired = false;
    for (const std::string& name : names_of(p, p.out_port())) {
      const auto known = [&]() -> std::optional<StatePair> {
        for (const auto& [past, present] : cache_names) {
          if (name.rfind(past, 0) != 0) continue;
          StatePair pair{p, {}, name, text(present, name.substr(past.size())), true};
          pair.output = result_called(g, pair.output_name, found);
          if (pair.output && fit(pair)) return pair;
          if (pair.output)
            why = text("its type or shape is another than that of output '", pair.output_name, "'");
          else if (why.empty())
            why = text("its name is that of a cache, and the model has no output '", pair.output_name, "'");
        }
        return std::nullopt;
      }();
      if (!known) continue;
      found.push_back(*known);
      paired = true;
      break;
    }
    if (!paired && !why.empty()) pass_over(p, why);
  }
  return found;
}

bool keeps_caches(const Context& c) {
  // A source that is only computed has its inputs and outputs as they are.
  return !option<bool>(c, "disable_stateful").value_or(false) &&
         !option<bool>(c, "runs_source").value_or(false) && !targets_up_to(c, last_without_growing_state);
}

std::vector<StatePair> grown_pairs(const Graph& g) {
  std::vector<StatePair> found;
  const auto results = g.results();
  std::vector<std::vector<Growth>> made;
  made.reserve(results.size());
  for (const Node& r : results) made.push_back(growths(r.in_port(0).get_source()));
  std::vector<bool> taken(results.size(), false);
  for (const Node& p : g.parameters()) {
    const Shape shape = p.out_port().shape();
    if (!shape.has_rank() || shape.size() < 3) continue;
    for (size_t i = 0; i < results.size(); ++i) {
      const bool grows = std::any_of(made[i].begin(), made[i].end(),
                                     [&](const Growth& m) { return m.first && m.before.node() == p; });
      if (!grows || taken[i]) continue;
      const auto names = results[i].in_port(0).get_source().tensor_names();
      StatePair pair{p, results[i], p.name(), names.empty() ? results[i].name() : names.front(), true};
      if (!fit(pair)) continue;
      taken[i] = true;
      found.push_back(std::move(pair));
      break;
    }
  }
  return found;
}

std::vector<StatePair> given_pairs(const Graph& g, const std::vector<std::string>& given) {
  std::vector<StatePair> found;
  for (const std::string& words : given) {
    if (words.find(':') == std::string::npos)
      fail_option("state", "'", words, "' has no ':'; write INPUT:OUTPUT, several with commas between");
    auto pair = pair_of(g, words, found);
    if (!pair)
      fail_option("state", "'", words, "' is not an input and an output of the model; inputs are ",
                  list_of(g.parameters(), false), ", outputs ", list_of(g.results(), true));
    for (const StatePair& p : found)
      if (p.input == pair->input) fail_option("state", "input '", pair->input_name, "' is named twice");
    const OutPort in = pair->input.out_port(), out = pair->output.in_port(0).get_source();
    if (!fit(*pair))
      fail_option("state", "input '", pair->input_name, "' is ", name(in.type()), " ", in.shape(),
                  ", output '", pair->output_name, "' ", name(out.type()), " ", out.shape(),
                  "; a state keeps its type, and sizes that are fixed");
    pair->is_cache = growing_axis(*pair) && in.shape().size() >= 3;
    found.push_back(std::move(*pair));
  }
  return found;
}

std::optional<size_t> growing_axis(const StatePair& p) {
  const Shape shape = p.input.out_port().shape();
  if (!shape.has_rank()) return std::nullopt;
  for (const Growth& m : growths(p.output.in_port(0).get_source()))
    if (m.before.node() == p.input) return normalize_axis(m.axis, shape.size());
  return std::nullopt;
}

}  // namespace mo::builtin_passes
