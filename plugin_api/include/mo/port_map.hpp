// How attributes of an operation with bodies connect its ports with them, and how the IR gets it.
//
// A body is an attribute of kind graph whose name is "body" or ends in "_body": "body", "then_body". What
// belongs to it has the same beginning:
//   [then_]port_map    strings, one per connection:
//                        "in 0 -> 2"      in-port 0 of the node is Parameter 2 of the body
//                        "out 1 <- 0"     out-port 1 of the node is Result 0 of the body
//                      Parameters and Results are counted in the order of the body. Sliced inputs and
//                      concatenated outputs add "axis=1", and start, end, stride and part_size where they are
//                      not 0, -1, 1 and 1. A connection inside the operation has port -1 and a purpose:
//                        "in -1 -> 0 purpose=current_iteration", "out -1 <- 1 purpose=execution_condition"
//   [then_]back_edges  ints, in pairs: number of a Result, number of the Parameter that has its value in the
//                      next iteration
#pragma once

#include <mo/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mo {

struct PortMapEntry {
  bool output = false;
  int64_t external = -1;  // port of the node; -1: none
  int64_t internal = 0;   // number of the Parameter or Result
  std::optional<int64_t> axis;
  int64_t start = 0, end = -1, stride = 1, part_size = 1;
  std::string purpose;

  friend bool operator==(const PortMapEntry& a, const PortMapEntry& b) {
    return a.output == b.output && a.external == b.external && a.internal == b.internal && a.axis == b.axis &&
           a.start == b.start && a.end == b.end && a.stride == b.stride && a.part_size == b.part_size &&
           a.purpose == b.purpose;
  }
};

// Of a Parameter: in each iteration the next slice along a dimension, from the last to the first when
// `reversed`. Of a Result: those slices one behind the other.
struct Slices {
  int64_t axis = 0;
  bool reversed = false;
};

// In-port `port` of the node is the Parameter; -1: none, with a purpose.
inline PortMapEntry input_entry(int64_t port, int64_t parameter, std::optional<Slices> slices = {},
                                std::string purpose = {}) {
  PortMapEntry e;
  e.external = port;
  e.internal = parameter;
  e.purpose = std::move(purpose);
  if (!slices) return e;
  e.axis = slices->axis;
  if (slices->reversed) {
    e.start = -1;
    e.end = 0;
    e.stride = -1;
  }
  return e;
}
// Out-port `port` of the node is the Result; -1: none, with a purpose.
inline PortMapEntry output_entry(int64_t port, int64_t result, std::optional<Slices> slices = {},
                                 std::string purpose = {}) {
  PortMapEntry e = input_entry(port, result, slices, std::move(purpose));
  e.output = true;
  return e;
}

// "then_" of "then_body", "" of "body"; nothing for an attribute that is no body.
inline std::optional<std::string_view> body_prefix(std::string_view attribute) {
  constexpr std::string_view body = "body";
  if (attribute.size() < body.size() || attribute.substr(attribute.size() - body.size()) != body)
    return std::nullopt;
  const std::string_view prefix = attribute.substr(0, attribute.size() - body.size());
  if (!prefix.empty() && prefix.back() != '_') return std::nullopt;
  return prefix;
}

inline void append_text(std::string& out, const PortMapEntry& e) {
  out += text(e.output ? "out " : "in ", e.external, e.output ? " <- " : " -> ", e.internal);
  if (e.axis) out += text(" axis=", *e.axis);
  if (e.start != 0) out += text(" start=", e.start);
  if (e.end != -1) out += text(" end=", e.end);
  if (e.stride != 1) out += text(" stride=", e.stride);
  if (e.part_size != 1) out += text(" part_size=", e.part_size);
  if (!e.purpose.empty()) out += text(" purpose=", e.purpose);
}

inline PortMapEntry parse_port_map_entry(std::string_view entry) {
  std::string_view rest = entry;
  const auto bad = [&](std::string_view expected) {
    fail("'", entry, "' is no entry of a port map: expected ", expected,
         "; entries are like 'in 0 -> 2 axis=1' or 'out 1 <- 0'");
  };
  const auto word = [&] {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    const std::string_view w = rest.substr(0, rest.find(' '));
    rest.remove_prefix(w.size());
    return w;
  };
  const auto number = [&](std::string_view w) {
    int64_t n = 0;
    const auto result = std::from_chars(w.data(), w.data() + w.size(), n);
    if (w.empty() || result.ec != std::errc() || result.ptr != w.data() + w.size()) bad("a number");
    return n;
  };
  PortMapEntry e;
  const std::string_view direction = word();
  if (direction != "in" && direction != "out") bad("'in' or 'out'");
  e.output = direction == "out";
  e.external = number(word());
  if (word() != (e.output ? "<-" : "->")) bad(e.output ? "'<-'" : "'->'");
  e.internal = number(word());
  for (std::string_view w = word(); !w.empty(); w = word()) {
    const size_t equals = std::min(w.find('='), w.size());
    const std::string_view key = w.substr(0, equals);
    const std::string_view value = w.substr(std::min(equals + 1, w.size()));
    if (key == "axis")
      e.axis = number(value);
    else if (key == "start")
      e.start = number(value);
    else if (key == "end")
      e.end = number(value);
    else if (key == "stride")
      e.stride = number(value);
    else if (key == "part_size")
      e.part_size = number(value);
    else if (key == "purpose" && !value.empty())
      e.purpose = std::string(value);
    else
      bad("axis=, start=, end=, stride=, part_size= or purpose=");
  }
  return e;
}

}  // namespace mo
