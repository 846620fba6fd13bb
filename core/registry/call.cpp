#include "core/registry/session.hpp"

namespace mo::core {

Call::Call(Session& session) : session_(session) {
  if (session.cancelled != nullptr && *session.cancelled) throw Failure(Exit::model, "MO0721", "cancelled");
  if (session.pool_used_ == session.pool_.size()) session.pool_.push_back(std::make_unique<CallContext>());
  context_ = session.pool_[session.pool_used_++].get();
  context_->size = sizeof(mo_context);
  context_->host = session.host();
  context_->session = &session;
}

Call::~Call() {
  CallContext& c = *context_;
  c.plugin = nullptr;
  c.transformation = nullptr;
  c.registering = nullptr;
  c.graph = nullptr;
  c.node = no_node;
  c.outputs = nullptr;
  c.has_output = false;
  c.ir_attrs = nullptr;
  c.symbols = nullptr;
  c.returned = nullptr;
  c.all_returned = nullptr;
  c.match = nullptr;
  c.config = nullptr;
  c.rewrite = nullptr;
  c.error.clear();
  c.error_where = 0;
  if (!c.remarks.empty()) c.remarks = {};
  c.declined.clear();
  c.declined_places.clear();
  c.in_predicate = false;
  c.failure.reset();
  c.described = {};
  c.scratch.clear();
  --session_.pool_used_;
}

namespace {

std::string code_of(std::string_view callback) {
  if (callback == "infer" || callback == "evaluate" || callback == "symbols") return "MO0501";
  if (callback == "extract") return "MO0402";
  if (callback == "load" || callback == "probe") return "MO0201";
  if (callback.starts_with("native_")) return "MO0202";
  if (callback == "ir_attrs") return "MO0708";
  if (callback == "register") return "MO0801";
  return "MO0601";
}

std::string status_name(mo_status status) {
  static constexpr std::pair<mo_status, const char*> names[] = {{MO_ERROR, "MO_ERROR"},
                                                                {MO_NOT_APPLICABLE, "MO_NOT_APPLICABLE"},
                                                                {MO_NOT_FOUND, "MO_NOT_FOUND"},
                                                                {MO_INVALID_ARGUMENT, "MO_INVALID_ARGUMENT"},
                                                                {MO_STALE_HANDLE, "MO_STALE_HANDLE"},
                                                                {MO_WRONG_KIND, "MO_WRONG_KIND"},
                                                                {MO_WRONG_PHASE, "MO_WRONG_PHASE"},
                                                                {MO_UNSUPPORTED, "MO_UNSUPPORTED"},
                                                                {MO_NO_MEMORY, "MO_NO_MEMORY"},
                                                                {MO_IO_ERROR, "MO_IO_ERROR"},
                                                                {MO_CANCELLED, "MO_CANCELLED"},
                                                                {MO_WRONG_THREAD, "MO_WRONG_THREAD"}};
  for (const auto& [known, name] : names)
    if (known == status) return name;
  return text(status, " (not a mo_status)");
}

// The user has to change the command line.
bool blames_own_option(const Session& session, const CallContext& c) {
  const OptionDef* o = c.remarks.option.empty() ? nullptr : session.registry().option(c.remarks.option);
  return o != nullptr && c.plugin != nullptr && o->plugin == c.plugin;
}

// What the callback itself says, and not what a host function said before.
Failure failure_of(const Session& session, const CallContext& c, mo_status status,
                   std::string_view callback) {
  // A callback that fails without saying why, or with a status that does not exist, breaks the contract of
  // mo/plugin.h.
  const bool is_contract = c.error.empty() || status < MO_OK || status > MO_WRONG_THREAD;
  const std::string& option = c.remarks.option;
  const std::string said =
      c.error.empty()  ? text("callback '", callback, "' failed with ", status_name(status), " and no text")
      : option.empty() ? c.error
                       : text("--", option, ": ", c.error);
  const bool is_usage = blames_own_option(session, c);
  Failure f(is_usage      ? Exit::usage
            : is_contract ? Exit::plugin
                          : Exit::model,
            !c.remarks.code.empty() ? c.remarks.code
            : is_usage              ? "MO0117"
                                    : code_of(callback),
            said);
  return f.with("hint", c.remarks.hint).with("place", c.remarks.place);
}

}  // namespace

void Call::check(mo_status status, std::string_view callback) const {
  if (status == MO_OK) return;
  const CallContext& c = *context_;
  const uint64_t refused = status == MO_NO_MEMORY ? session_.memory()->take_refused() : 0;
  const bool is_passed_on = c.failure && !c.error.empty() && c.failure->message() == c.error;
  Failure f = refused != 0   ? session_.memory()->refusal(refused)
              : is_passed_on ? *c.failure
                             : failure_of(session_, c, status, callback);
  if (f.exit() == Exit::usage && !is_passed_on) throw f;
  const Graph* g = c.graph;
  NodeId n = c.node;
  if (c.error_where != 0) {
    const Graph* other = session_.space()->find(static_cast<uint32_t>(c.error_where >> 32));
    const auto index = static_cast<NodeId>((c.error_where & 0xffffffffU) - 1);
    if (other != nullptr && other->alive(index)) {
      g = other;
      n = index;
    }
  }
  if (g != nullptr && n != no_node && g->alive(n))
    f.with("node",
           text("'", g->name(n), "' (", g->opset(n).empty() ? "" : text(g->opset(n), "::"), g->op(n), ")"))
        .at(node_handle(*g, n));
  if (c.transformation != nullptr) f.with("pass", c.transformation->id);
  if (const Plugin* p = c.plugin) {
    f.with("plugin", text(full_name(*p), ", callback '", callback, "'"));
    if (!p->support_url.empty() && !p->built_in) f.with("support", p->support_url);
  }
  throw f;
}

}  // namespace mo::core
