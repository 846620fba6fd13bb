#include "core/ir/metadata.hpp"

#include <algorithm>
#include <deque>

namespace mo::core {

namespace {

struct Entry {
  std::string key, value;
  std::deque<Entry> children;
  bool is_leaf = false;
};

// The tree of all paths; of two values for one path the later one counts.
Entry tree_of(const Metadata& metadata) {
  Entry root;
  for (const auto& [path, value] : metadata) {
    Entry* at = &root;
    for (const std::string& key : path) {
      const auto found = std::find_if(at->children.begin(), at->children.end(),
                                      [&](const Entry& e) { return e.key == key; });
      at = found != at->children.end() ? &*found : &at->children.emplace_back(Entry{key, {}, {}, false});
    }
    at->value = value;
    at->is_leaf = true;
  }
  return root;
}

void write(XmlWriter& xml, const Entry& e, int depth) {
  const bool named = is_xml_name(e.key);
  const std::string_view element = named ? std::string_view(e.key) : "info";
  xml.line(depth).raw("<").raw(element);
  if (!named) xml.attribute("name", e.key);
  if (e.is_leaf) xml.attribute("value", e.value);
  if (e.children.empty()) {
    xml.raw("/>");
    return;
  }
  xml.raw(">");
  for (const Entry& child : e.children) write(xml, child, depth + 1);
  xml.line(depth).raw("</").raw(element).raw(">");
}

}  // namespace

Metadata metadata_of(const Graph& g, const EmitOptions& options) {
  const Attribute* a = g.attribute(MO_GRAPH_IR_METADATA);
  const auto* lines = a == nullptr ? nullptr : std::get_if<std::vector<std::string>>(a);
  if (lines == nullptr) return options.metadata;
  Metadata metadata;
  for (const std::string& line : *lines) {
    auto& [path, value] = metadata.emplace_back();
    size_t at = 0;
    for (size_t end; (end = line.find('\x1f', at)) != std::string::npos; at = end + 1)
      path.push_back(line.substr(at, end - at));
    value = line.substr(at);
    if (path.empty()) metadata.pop_back();
  }
  return metadata;
}

void write_metadata(XmlWriter& xml, const Metadata& metadata, int ir_version) {
  Entry root = tree_of(metadata);
  if (root.children.empty()) return;
  const bool v10 = ir_version == 10;
  root.key = v10 ? "meta_data" : "rt_info";
  if (v10)
    for (Entry& e : root.children)
      if (e.key == "conversion_parameters") e.key = "cli_parameters";
  write(xml, root, 1);
}

}  // namespace mo::core
