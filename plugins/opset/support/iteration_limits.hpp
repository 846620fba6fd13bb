// Limits that Loop and TensorIterator share.
#pragma once

#include "support/limits.hpp"

#include <mo/port_map.hpp>

namespace mo::opset {

inline std::vector<PortMapEntry> port_map_of(const Node& n) {
  std::vector<PortMapEntry> entries;
  for (const std::string& line : n.attr<std::vector<std::string>>("port_map"))
    entries.push_back(parse_port_map_entry(line));
  return entries;
}

inline bool slices_from_start(const Node& n) {
  const auto entries = port_map_of(n);
  return std::none_of(entries.begin(), entries.end(),
                      [](const PortMapEntry& e) { return e.axis && *e.axis < 0; });
}

// A Parameter that nothing reads is no input to the reader; that of the number of the iteration may be one.
inline bool reads_its_inputs(const Node& n) {
  const auto parameters = Graph(n.context(), n.attr<GraphHandle>("body").id).parameters();
  for (const PortMapEntry& e : port_map_of(n))
    if (!e.output && e.purpose.empty() &&
        parameters.at(static_cast<size_t>(e.internal)).out_port().disconnected())
      return false;
  return true;
}

inline constexpr std::string_view reader_of_port_maps =
    "inference-engine/src/readers/ir_reader/ie_ir_parser.cpp:273";
inline constexpr std::string_view reader_of_bodies =
    "inference-engine/src/readers/ir_reader/ie_ir_parser.cpp:244";

}  // namespace mo::opset
