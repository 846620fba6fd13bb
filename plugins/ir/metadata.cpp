#include "metadata.hpp"

namespace mo::ir {

namespace {

constexpr int deepest = 16;

void collect(pugi::xml_node e, const std::string& keys, int depth, std::vector<std::string>& out) {
  require(depth < deepest, "the metadata of the IR is nested deeper than ", deepest, " levels");
  for (const pugi::xml_node child : e.children()) {
    if (child.type() != pugi::node_element) continue;
    // A key that is no name of an XML element stands in an attribute.
    std::string_view key = child.name();
    if (key == "info" && child.attribute("name")) key = child.attribute("name").value();
    if (depth == 0 && key == "cli_parameters") key = "conversion_parameters";
    const std::string path = text(keys, key, '\x1f');
    if (const pugi::xml_attribute value = child.attribute("value")) out.push_back(path + value.value());
    collect(child, path, depth + 1, out);
  }
}

}  // namespace

std::vector<std::string> read_metadata(pugi::xml_node net, int version) {
  std::vector<std::string> out;
  collect(net.child(version == 10 ? "meta_data" : "rt_info"), {}, 0, out);
  return out;
}

}  // namespace mo::ir
