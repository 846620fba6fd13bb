// A transformations configuration is refused with a message, or read: then what serves its entries is looked for, and what
// they name in a graph, and update mode writes a file that is read as well.
#include "apps/config_tools/update_file.hpp"
#include "apps/views/text.hpp"
#include "core/config/match_config.hpp"
#include "core/schedule/single_operation.hpp"
#include "custom_mutator.hpp"
#include "read_or_refuse.hpp"

namespace {

constexpr std::string_view graph_text = R"(
%x = Parameter "x" -> f32[1,8]
%a = Relu "net/Mixed_5b/a" (%x)
%b = Relu "net/Mixed_5b/b" (%a)
%c = Relu "net/Mixed_5b/c" (%a)
%d = Add "net/Mixed_5c/d" (%b, %c)
%e = Relu "net/Mixed_5c/e" (%d)
Result "out" (%e)
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  using namespace mo;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  core::Configuration entries;
  if (!read_or_refuse(core::Exit::usage, [&] { entries = app::parse_configuration("c.json", text); }))
    return 0;
  static core::Session session(core::host_table());
  session.configuration = std::make_shared<const core::Configuration>(entries);
  (void)read_or_refuse(core::Exit::usage, [] { core::check_configuration(session); });
  const auto space = std::make_shared<core::GraphSpace>();
  const core::GraphPtr graph = app::parse_text(graph_text, space);
  std::string updated;
  std::vector<std::string> notes;
  (void)read_or_refuse(core::Exit::usage, [&] {
    for (const core::ConfigEntry& e : entries)
      if (e.kind != core::ConfigEntry::Kind::general) (void)core::match_instance(*graph, e, 0);
    updated = app::updated_configuration("c.json", text, *graph, notes);
  });
  if (!updated.empty() && app::parse_configuration("updated.json", updated).size() != entries.size())
    std::abort();
  return 0;
}
