// Attributes of XML elements, with errors that name the element.
#pragma once

#include <mo/sdk.hpp>

#include <charconv>
#include <pugixml.hpp>

namespace mo::ir {

// "layer 'conv1' (id 5)", "edge", …
inline std::string describe(pugi::xml_node e) {
  const pugi::xml_attribute id = e.attribute("id"), name = e.attribute("name");
  std::string out = text('<', e.name());
  if (id) out += text(" id=\"", id.value(), '"');
  if (name) out += text(" name=\"", name.value(), '"');
  return out + ">";
}

inline int64_t parse_int(std::string_view s, pugi::xml_node e, std::string_view what) {
  int64_t n = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
  if (s.empty() || error != std::errc() || end != s.data() + s.size())
    fail(describe(e), ": ", what, " is '", s, "'; expected a whole number");
  return n;
}

inline std::string_view text_of(pugi::xml_node e, const char* name) {
  const pugi::xml_attribute a = e.attribute(name);
  if (!a) fail(describe(e), " has no attribute '", name, "'");
  return a.value();
}
inline int64_t int_of(pugi::xml_node e, const char* name) { return parse_int(text_of(e, name), e, name); }
inline int64_t int_of(pugi::xml_node e, const char* name, int64_t fallback) {
  return e.attribute(name) ? int_of(e, name) : fallback;
}

}  // namespace mo::ir
