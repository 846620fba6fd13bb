#include "apps/explore/source_facts.hpp"

#include "apps/explore/node_facts.hpp"
#include "core/convert/phases.hpp"
#include "core/registry/abi.hpp"
#include "core/registry/contain.hpp"

namespace mo::app {

namespace {

// What the callback returns through return_value; nothing when it fails.
template <class Ask>
std::optional<core::Attribute> asked(core::Session& session, const core::Graph& g, core::NodeId n,
                                     std::string_view callback, Ask ask) {
  core::Call call(session);
  call->plugin = session.frontend->plugin;
  call->graph = const_cast<core::Graph*>(&g);
  call->node = n;
  core::Attribute result;
  call->returned = &result;
  const mo_status status = core::contain(*call, callback, [&] { return ask(call.get()); });
  if (status != MO_OK) return std::nullopt;
  return result;
}

std::string attributes_of(core::Session& session, const core::Graph& g, core::NodeId n) {
  const core::FrontEnd& f = *session.frontend;
  const uint64_t tag = g.node(n).native;
  const auto names = asked(session, g, n, "native_attr_names",
                           [&](mo_context* c) { return f.native_attr_names(f.self, c, session.model, tag); });
  if (!names) return {};
  const auto* list = std::get_if<std::vector<std::string>>(&*names);
  std::string out;
  for (const std::string& name : list == nullptr ? std::vector<std::string>{} : *list) {
    const auto value = asked(session, g, n, "native_attr", [&](mo_context* c) {
      return f.native_attr(f.self, c, session.model, tag, str(name));
    });
    const bool is_shown = value && !std::holds_alternative<core::GraphPtr>(*value) &&
                          !std::holds_alternative<std::vector<core::GraphPtr>>(*value) &&
                          !std::holds_alternative<std::monostate>(*value);
    if (is_shown)
      out += text(out.empty() ? "" : ",", quoted_json(name), ':', quoted_json(short_text(*value)));
  }
  return out;
}

}  // namespace

std::string source_facts(core::Session& session, const core::Graph& g, core::NodeId n) {
  const auto key = native_key(session, g, n);
  if (!key) return {};
  return text("{\"op\":", quoted_json(key->op), ",\"domain\":", quoted_json(key->domain),
              ",\"version\":", key->version, ",\"attributes\":{",
              session.frontend->native_attr_names == nullptr ? "" : attributes_of(session, g, n), "}}");
}

}  // namespace mo::app
