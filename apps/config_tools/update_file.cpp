#include "apps/config_tools/update_file.hpp"

#include <re2/re2.h>
#include <sys/stat.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "apps/files/output_file.hpp"
#include "core/config/scope.hpp"
#include "core/support/contains.hpp"

namespace mo::app {

namespace {

using OrderedJson = nlohmann::ordered_json;

// The part of a name behind the scope, as an expression that fits nothing longer.
std::string inner_expression(const core::Graph& g, core::NodeId n, const std::string& scope) {
  const std::string name(g.name(n));
  const re2::RE2 prefix(text("(?:", scope, ")", scope.ends_with('/') ? "" : "/"), re2::RE2::Quiet);
  re2::StringPiece rest(name);
  if (!re2::RE2::Consume(&rest, prefix)) rest = name;
  std::string expression;
  for (const char c : rest) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) expression += '\\';
    expression += c;
  }
  return expression + "$";
}

OrderedJson port_json(const core::Graph& g, core::PortRef p, const std::string& scope) {
  return {{"node", inner_expression(g, p.node, scope)}, {"port", p.port}};
}

OrderedJson inputs_json(const core::Boundary& b, const core::Graph& g, const std::string& scope) {
  OrderedJson list = OrderedJson::array();
  for (const core::Boundary::Input& in : b.inputs) {
    OrderedJson group = OrderedJson::array();
    for (core::PortRef p : in.ports) group.push_back(port_json(g, p, scope));
    list.push_back(std::move(group));
  }
  return list;
}

// What is read outside, and what nobody reads.
OrderedJson outputs_json(const core::Match& m, const core::Boundary& b, const std::string& scope) {
  const core::Graph& g = *m.graph;
  OrderedJson list = OrderedJson::array();
  for (core::NodeId n : m.configured->nodes) {
    const auto& outputs = g.node(n).outputs;
    const bool unread =
        !g.is_const(n) && std::all_of(outputs.begin(), outputs.end(),
                                      [](const core::OutSlot& o) { return o.destinations == 0; });
    for (uint32_t i = 0; i < outputs.size(); ++i)
      if ((unread && i == 0) || core::contains(b.outputs, core::PortRef{n, i}))
        list.push_back(port_json(g, {n, i}, scope));
  }
  return list;
}

struct Insertion {
  size_t offset;
  std::string text;
};

// How the author of the file lays objects out.
struct Layout {
  bool one_line = true;
  std::string indent, unit = "    ";

  Layout(std::string_view text, const LocatedJson& object) {
    if (object.members.empty()) return;
    const size_t key = object.members.front().begin;
    const size_t start = text.rfind('\n', key) + 1;  // npos + 1 is 0
    if (start <= object.begin || text.find_first_not_of(" \t", start) != key) return;
    one_line = false;
    indent = text.substr(start, key - start);
    const size_t brace_line = text.rfind('\n', object.begin) + 1;
    const size_t brace = std::min(text.find_first_not_of(" \t", brace_line), text.size()) - brace_line;
    if (brace < indent.size()) unit = indent.substr(brace);
  }

  std::string value(const OrderedJson& v) const {
    if (one_line) return v.dump();
    std::string dumped = v.dump(static_cast<int>(unit.size()), unit.front()), out;
    for (const char c : dumped) {
      out += c;
      if (c == '\n') out += indent;
    }
    return out;
  }
};

Insertion insertion(std::string_view content, const LocatedJson& object,
                    const std::vector<std::pair<std::string, OrderedJson>>& members) {
  const Layout layout(content, object);
  const size_t last = content.find_last_not_of(" \t\r\n", object.end - 2);  // before the closing brace
  Insertion in{last + 1, {}};
  for (const auto& [key, value] : members)
    in.text += text(",", layout.one_line ? " " : "\n", layout.indent, '"', key, "\": ", layout.value(value));
  return in;
}

}  // namespace

std::string updated_configuration(const std::string& path, std::string_view content, core::Graph& g,
                                  std::vector<std::string>& notes) {
  const LocatedJson root = parse_located_json(path, content);
  const core::Configuration entries = read_entries(path, root);
  std::vector<Insertion> insertions;
  for (size_t i = 0; i < entries.size(); ++i) {
    const core::ConfigEntry& e = entries[i];
    if (e.kind == core::ConfigEntry::Kind::points)
      notes.push_back(text(e.place(), ": \"", e.id,
                           "\" has points, whose inputs and outputs follow from them: nothing is written"));
    if (e.kind != core::ConfigEntry::Kind::scope || (e.inputs && e.outputs)) continue;
    const bool lacks_inputs = !e.inputs, lacks_outputs = !e.outputs;
    core::InstanceMatch found = match_instance(g, e, 0);
    if (!found.match) {
      notes.push_back(
          text(e.place(), ": \"", e.id, "\" is not updated: ", found.instance, ": ", found.why_not));
      continue;
    }
    const core::Boundary& b = boundary_of(*found.match, g.end_id());
    std::vector<std::pair<std::string, OrderedJson>> members;
    if (lacks_inputs) members.emplace_back("inputs", inputs_json(b, g, e.instances.front().pattern));
    if (lacks_outputs)
      members.emplace_back("outputs", outputs_json(*found.match, b, e.instances.front().pattern));
    insertions.push_back(insertion(content, root.items[i], members));
  }
  std::string out(content);
  for (auto in = insertions.rbegin(); in != insertions.rend(); ++in) out.insert(in->offset, in->text);
  return out;
}

void update_configuration(const std::string& path, core::Graph& g, std::vector<std::string>& notes) {
  const std::string before = read_text_file(path);
  const std::string after = updated_configuration(path, before, g, notes);
  if (after == before) return;
  OutputFile file(path);
  file.write(after);
  struct stat status {};  // who may read it stays
  if (stat(path.c_str(), &status) == 0) (void)fchmod(file.file().get(), status.st_mode & 07777);
  file.finish(false);
  file.move_to_path();
}

}  // namespace mo::app
