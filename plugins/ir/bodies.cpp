#include "bodies.hpp"

#include <mo/port_map.hpp>

namespace mo::ir {

namespace {

// Layer ids of a type, by their number.
std::unordered_map<int64_t, int64_t> numbers_of(pugi::xml_node body, std::string_view type) {
  std::unordered_map<int64_t, int64_t> numbers;
  for (const pugi::xml_node e : body.child("layers").children("layer"))
    if (e.attribute("type").value() == type) numbers.emplace(int_of(e, "id"), numbers.size());
  return numbers;
}

int64_t number_of(const std::unordered_map<int64_t, int64_t>& numbers, int64_t id, pugi::xml_node e,
                  std::string_view type) {
  const auto at = numbers.find(id);
  if (at == numbers.end())
    fail(describe(e), " of ", describe(e.parent().parent()), " names layer ", id,
         " of the body, which is not a ", type);
  return at->second;
}

PortMapEntry entry_of(const Layer& layer, pugi::xml_node e, bool output,
                      const std::unordered_map<int64_t, int64_t>& inner) {
  PortMapEntry entry;
  entry.output = output;
  const int64_t id = int_of(e, "external_port_id");
  if (id >= 0) {
    const auto& ports = output ? layer.outputs : layer.inputs;
    const auto at = ports.find(id);
    if (at == ports.end())
      fail("the port map of ", describe(layer.element), " names port ", id, ", which it does not have");
    entry.external = at->second;
  }
  entry.internal = number_of(inner, int_of(e, "internal_layer_id"), e, output ? "Result" : "Parameter");
  if (e.attribute("axis")) {
    entry.axis = int_of(e, "axis");
    entry.start = int_of(e, "start", 0);
    entry.end = int_of(e, "end", -1);
    entry.stride = int_of(e, "stride", 1);
    entry.part_size = int_of(e, "part_size", 1);
  }
  entry.purpose = e.attribute("purpose").value();
  return entry;
}

}  // namespace

BodyMap read_body_map(const Layer& layer, pugi::xml_node body, const std::string& prefix) {
  const auto parameters = numbers_of(body, "Parameter"), results = numbers_of(body, "Result");
  BodyMap map;
  for (const pugi::xml_node e : layer.element.child((prefix + "port_map").c_str()).children()) {
    const std::string_view kind = e.name();
    if (kind != "input" && kind != "output") continue;
    std::string entry;
    append_text(entry, entry_of(layer, e, kind == "output", kind == "output" ? results : parameters));
    map.entries.push_back(std::move(entry));
  }
  for (const pugi::xml_node e : layer.element.child((prefix + "back_edges").c_str()).children("edge")) {
    map.back_edges.push_back(number_of(results, int_of(e, "from-layer"), e, "Result"));
    map.back_edges.push_back(number_of(parameters, int_of(e, "to-layer"), e, "Parameter"));
  }
  return map;
}

}  // namespace mo::ir
