// A text is refused with a message, or is a graph whose text reads back as the same text.
#include <cstdint>
#include <cstdlib>

#include "apps/views/text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::app;
  using namespace mo::core;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.find("file") != std::string_view::npos) return 0;  // no other files than the input
  GraphPtr graph;
  try {
    graph = parse_text(text, std::make_shared<GraphSpace>());
  } catch (const mo::Error&) {
    return 0;
  }
  const std::string written = to_text(*graph);
  if (to_text(*parse_text(written, std::make_shared<GraphSpace>())) != written) std::abort();
  return 0;
}
