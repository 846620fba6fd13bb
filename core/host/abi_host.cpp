// mo_registry_api and the functions of mo_host.
#include <algorithm>

#include "core/host/abi_functions.hpp"
#include "core/registry/abi.hpp"

namespace mo::core::abi {

namespace {

template <class Def>
mo_status register_one(mo_context* c, const Def* def) {
  return guarded(c, [&] {
    need(def, "definition");
    auto* call = static_cast<CallContext*>(c);
    if (call->registering == nullptr)
      throw Error("things can be registered inside load() only", MO_WRONG_PHASE);
    call->session->registry().add(*def, *call->registering);
  });
}

}  // namespace

mo_status registry_operation(mo_context* c, const mo_operation_def* def) { return register_one(c, def); }
mo_status registry_extractor(mo_context* c, const mo_extractor_def* def) { return register_one(c, def); }
mo_status registry_transformation(mo_context* c, const mo_transformation_def* def) {
  return register_one(c, def);
}
mo_status registry_frontend(mo_context* c, const mo_frontend_def* def) { return register_one(c, def); }
mo_status registry_option(mo_context* c, const mo_option_def* def) { return register_one(c, def); }
mo_status registry_converter(mo_context* c, const mo_converter_def* def) { return register_one(c, def); }

mo_status registry_add_interface(mo_context* c, mo_str name, uint32_t revision, const void* table) {
  return guarded(c, [&] {
    auto* call = static_cast<CallContext*>(c);
    if (call->registering == nullptr)
      throw Error("things can be registered inside load() only", MO_WRONG_PHASE);
    call->session->registry().add_interface(name, revision, table, *call->registering);
  });
}

mo_status host_fail(mo_context* c, mo_status status, mo_node where, mo_str message) {
  if (c == nullptr || !is_ours(c->host)) return MO_INVALID_ARGUMENT;
  const mo_status set = guarded(c, [&] {
    auto* call = static_cast<CallContext*>(c);
    std::string said;
    // A text that is not UTF-8 is still worth more than none.
    if (message.data != nullptr && message.size < (size_t{1} << 20)) said = view(message);
    if (!is_utf8(said))
      for (char& b : said)
        if (static_cast<unsigned char>(b) >= 0x80) b = '?';
    if (!call->failure || call->failure->message() != said) call->failure.reset();
    call->error = std::move(said);
    if (where != 0) call->error_where = where;
  });
  return set != MO_OK ? set : status;
}

mo_str host_last_error(mo_context* c) {
  return c == nullptr ? mo_str{nullptr, 0} : str(static_cast<CallContext*>(c)->error);
}

void host_log(mo_context* c, int32_t level, mo_str message) {
  (void)guarded(c, [&] {
    const auto* call = static_cast<CallContext*>(c);
    session_of(c).log(std::clamp<int32_t>(level, MO_LOG_DEBUG, MO_LOG_ERROR),
                      std::string(checked(message, "text")), call->plugin);
  });
}

mo_status host_progress(mo_context* c, uint64_t done, uint64_t total) {
  return guarded(c, [&]() -> mo_status {
    const auto& sink = session_of(c).progress_sink;
    if (!sink || sink(done, total)) return MO_OK;
    return note_failure(c, MO_CANCELLED, "cancelled");
  });
}

mo_status host_option(mo_context* c, mo_str name, mo_value* value) {
  return guarded(c, [&]() -> mo_status {
    need(value, "value");
    const Attribute* a = session_of(c).option(checked(name, "name"));
    if (a == nullptr) return note_failure(c, MO_NOT_FOUND, text("option '", name, "' is not set"));
    *value = to_abi(*a, static_cast<CallContext*>(c)->scratch);
    return MO_OK;
  });
}

mo_status host_get_interface(mo_context* c, mo_str name, uint32_t revision, const void** table) {
  return guarded(c, [&]() -> mo_status {
    need(table, "table");
    const Interface* i = session_of(c).registry().find_interface(checked(name, "name"), revision);
    if (i == nullptr)
      return note_failure(c, MO_NOT_FOUND,
                          text("nobody offers the interface '", name, "' revision ", revision));
    *table = i->table;
    return MO_OK;
  });
}

mo_status host_return_value(mo_context* c, const mo_value* value) {
  return guarded(c, [&] {
    need(value, "value");
    auto* call = static_cast<CallContext*>(c);
    if (call->all_returned != nullptr)
      call->all_returned->push_back(from_abi(session_of(c), *value));
    else if (call->returned != nullptr)
      *call->returned = from_abi(session_of(c), *value);
    else
      throw Error("this callback returns no value", MO_WRONG_PHASE);
  });
}

mo_status host_convert(mo_context* c, mo_str type_name, const void* bytes, uint64_t count, mo_value* value) {
  return guarded(c, [&]() -> mo_status {
    need(value, "value");
    Session& s = session_of(c);
    const Converter* converter = s.registry().converter(checked(type_name, "type_name"));
    if (converter == nullptr)
      return note_failure(c, MO_NOT_FOUND, text("nobody converts the type '", type_name, "'"));
    Attribute result;
    Call call(s);
    call->plugin = converter->plugin;
    call->returned = &result;
    const mo_status status = converter->convert(converter->self, call.get(), bytes, count);
    if (status != MO_OK) return note_failure(c, status, call->error);
    auto& scratch = static_cast<CallContext*>(c)->scratch;
    *value = to_abi(scratch.keep(std::move(result)), scratch);
    return MO_OK;
  });
}

}  // namespace mo::core::abi
